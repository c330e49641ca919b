"""A data file -> tables of DuckDB: header, column_types (of text) -> delimited, workbook, database -> loading, kept.

All of it runs in the process of the engine.
"""
