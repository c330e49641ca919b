"""Web pages in fixed layout, whose style places every piece of a line, as listed companies of Europe report: sheet
(style sheets), font (widths of letters) -> box (where elements stand) -> letters, fit -> page (words at their
places).

From there on they are read as the pages of a PDF are.
"""
