"""Pages of words at their places into a document: words (of each page) -> lines -> apart (cells that touch) -> spans,
tables -> grid, text -> parts (of a page) -> over_pages -> places, assembler -> report.

PDF and pages of the web in fixed layout are read by it alike.
"""
