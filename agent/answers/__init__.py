"""What is said of an answer: checks (what is odd), sheet (the way to its figures), nodes (the same to draw), result (as
JSON), printed (the source under it), pictures (that it drew), one_page (HTML and Markdown), workbook
(XLSX with live formulas)."""
