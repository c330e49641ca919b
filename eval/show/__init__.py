"""Scores for the eye and for others: tables, report (sections, details, plots), export, load_store
(of runs as RDF, by provenance)."""
