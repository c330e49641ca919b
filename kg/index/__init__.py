"""Finding in reports: statement (which statement a table is), passage (what can be found), aliases (short names of
reports), relevance (how well it fits words), telling (which sentences have all of them), words (full-text search in the
file of database), sentences (found in several ways, with what is around them), schema (its tables), writing (reports
into them), blocks (their figures, compressed), outline (what a report holds), places (how they are named)."""
