"""Finding in reports: statement (which a table is), passage (what can be found), words (search; its tables: schema)."""
