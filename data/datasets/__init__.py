"""Data beside the reports: files (told apart by naming) -> reading/ -> engine (a DuckDB process: loading, describe,
guard, process) -> frames; scripts over them, with functions for series, and plot."""
