"""Whole reports: library (files into the store), report (one) -> outline, part, listing, statements."""
