"""A file into documents: read (what kind of file is it) -> records, layouts (JSON pages)."""
