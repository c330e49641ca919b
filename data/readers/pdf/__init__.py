"""PDF into documents: words (of each page) -> lines -> tables (which lines) -> grid (rows, columns) -> report."""
