"""PDF into documents: words (of each page) -> lines -> apart (cells that touch) -> tables -> grid -> report."""
