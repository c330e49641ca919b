"""Finding in reports: statement (which statement a table is), passage (what can be found), relevance (how well it
<<<<<<< HEAD
fits words), words (full-text search in the file of database)."""
=======
fits words), words (full-text search), schema (its tables)."""
>>>>>>> c1
