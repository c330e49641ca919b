"""Answering from a view of whole reports, by looking up line items and calculating what is defined.

asked.py reads what a question wants, instructions.py takes off how it is to be answered. line.py finds the line that
is meant; solve.py looks figures up and calculates, forms.py for yes or no and lists by year, why.py finds the sentence
that says why, compare.py asks several reports. printed.py finds metrics that are printed, blank.py lines that print
nothing; years.py tells of parts of a year, moves.py by how much something rose or fell.

answer.py makes the reply, also for what only this reader can say of a page.
"""
