"""Finding in reports: statement (which statement a table is), passage (what can be found), relevance (how well it
fits words), words (full-text search in the file of database), schema (its tables), writing (reports into them), blocks
(their figures, compressed)."""
