"""Fitting the offline backend: labelled conversations -> samples -> log-linear fit -> weights file, and what it is
worth."""
