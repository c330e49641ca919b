"""Data beside the reports: files -> engine (a DuckDB process: loading, describe, guard, process) -> frames, schema."""
