"""A web page into a document: page (elements to blocks) -> grid (cells to rows) -> furniture, sections -> report."""
