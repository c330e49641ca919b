"""Whole reports: bounded (a graph within a budget), library and indexing (files into the store, many at once by an
engine), report (one) -> outline, part, listing, statements."""
