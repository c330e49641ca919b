"""Pages of words at their places into a document: words (of each page) -> lines -> columns (of text) -> apart (cells
that touch) -> spans, tables -> grid, text -> parts (of a page) -> over_pages -> assembler -> report.

PDF and pages of the web in fixed layout are read by it alike.
"""
