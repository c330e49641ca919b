"""What labels say: program (gold programs), slices (kinds of question), errata (suspect golds), later (tags of a later
filing)."""
