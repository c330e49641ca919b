"""Analysis by script, over the tables of data beside reports: scripts (over series), cells (for the ledger, and the
facts as a table), plot; workbench holds them for a conversation, tools offers them."""
