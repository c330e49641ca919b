"""Measuring: conversations -> runs -> scores -> slices, comparisons, reports.

Running: sample (which conversations), manifest (run.json), run (plan and execute), processes (workers), work (one
conversation), batch (first turns together), start (from the command line), load_store (into the store).
Scoring: load (a run from its logs), score (the rules), program (gold programs), errata (suspect golds), result (one
turn), slices, summary, paired and compare (two runs), coverage (what needs no model), failures (why), tokens (cost).
Showing: cli, cli_compare, cli_inspect, options (the commands), tables (terminal), report, sections, details, plots
(the HTML page), export (files for others). Fitting: training.
"""
