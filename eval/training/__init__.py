"""Fitting the offline backend: labelled conversations -> samples -> log-linear fit -> weights file, and its worth."""
