"""What labels say: program (gold programs), slices (kinds of question), errata (suspect golds), next_filing (tags of a
later filing)."""
