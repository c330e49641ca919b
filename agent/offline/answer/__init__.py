"""The calls that give an answer, or the question back.

by_name.py answers what a question names, forms.py with yes or no, a list by year or the year of an extreme, compare.py
over several reports, why.py with the sentence that says why, derived.py for a period that is not printed but follows,
change.py by how much something rose or fell. unprinted.py says where a figure is not printed, suggestions.py what may
be meant instead.
"""
