"""Runs -> scores: load, score (the rules), sets/ (rules of other sets of questions), result, summary, paired and
compare, coverage, failures, tokens, view_recall."""
