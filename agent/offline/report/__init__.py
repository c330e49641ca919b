"""Answering by what a question names: line items looked up, metrics calculated from their parts.

line.py finds the line that is meant, by what figure.py knows of a figure; solve.py looks figures up and calculates,
forms.py for yes or no and lists by year, why.py finds the sentence that says why, compare.py asks several reports.
printed.py finds metrics that are printed, moves.py by how much something rose or fell; told.py says where the period
that is asked for has no figure. answer.py makes the reply, or says what is missing.
"""
