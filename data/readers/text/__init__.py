"""Text files into documents: delimited (CSV, TSV), plain (Markdown, text)."""
