"""Conversations -> runs: sample (which), manifest (run.json), run, processes, work (one conversation), batch."""
