"""A conversation as a file: one_page (HTML and Markdown), workbook (XLSX, with formulas over printed cells and their
number formats: formulas), save (by the suffix of the file), drawn (a chart)."""
