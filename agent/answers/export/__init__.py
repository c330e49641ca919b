"""A conversation as a file: one_page (HTML and Markdown), workbook (XLSX, with formulas over printed cells:
formulas, number_formats), save (by
the suffix of the file)."""
