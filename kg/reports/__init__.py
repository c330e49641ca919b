"""Whole reports: bounded (a graph within a budget), library (files into the store), report (one) -> outline, part,
listing, statements."""
