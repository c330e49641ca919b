"""What is shown, prepared for matching.

`kg/page.py` has each figure with its words, and how telling each word is; `kg/lines.py` the same figures as rows,
columns and lists of a sentence; figure.py the words around a figure, and its years; context.py what was said before.
"""
