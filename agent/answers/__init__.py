"""What is said of an answer: checks/ (what is odd), sheet (the way to its figures), nodes (the same to draw), result
(as JSON), answer and notebook (as a value of Python, and how it shows itself), readings (that it may have), printed
(the source under it), pictures (that it drew), grid and chart (of a list or table). export/: as a file."""
