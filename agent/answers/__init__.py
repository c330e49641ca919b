"""What is said of an answer: checks/ (what is odd), sheet (the way to its figures), result
(as JSON; the readings that it may have, the pictures that it drew), answer (as a value of Python, in a notebook too),
grid and chart (of a list or table)."""
