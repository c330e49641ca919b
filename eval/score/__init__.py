"""Runs -> scores: load, score (the rules), result, summary, paired and compare, coverage, failures, tokens."""
