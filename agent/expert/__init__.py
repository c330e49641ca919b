"""Working on frames: scripts (over series), cells for the ledger, plot, the facts as a table; workbench holds them for
a conversation, tools offers them."""
