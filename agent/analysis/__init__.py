"""Data beside the reports, asked in a conversation: schema (what is told of it), cells (for the ledger, and the facts
as a table); workbench holds frames and values, tools offers what can be done with them."""
