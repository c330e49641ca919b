"""Measuring: conversations -> runs -> scores -> slices, comparisons, reports.

gold/      what labels say
run/       conversations -> runs
score/     runs -> scores
show/      scores for the eye, and for others; runs as RDF (provenance)
selfplay/  conversations made from tags, and names that mend what is misread in them
series/    questions over data beside reports
training/  fits the weights of agent/offline
cli.py, cli_compare.py, cli_inspect.py, cli_tokens.py, options.py, start.py: the commands
"""
