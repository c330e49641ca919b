"""Analysis by script, over the tables of data beside reports: scripts (over series), cells for the ledger, plot, the
facts as a table; workbench holds them for a conversation, tools offers them."""
