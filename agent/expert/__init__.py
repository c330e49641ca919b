"""Data beside the reports: files -> engine (a DuckDB process: loading, describe, guard) -> frames -> scripts (series
library) -> cells that the ledger takes, and plots; workbench holds them for a conversation, tools offers them."""
