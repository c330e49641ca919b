"""Data beside the reports, asked in a conversation: cells (of frames, for the ledger); workbench holds frames and
values, tools offers what can be done with them."""
