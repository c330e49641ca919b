"""Which figures a question may mean.

figures.py holds the figures of a view with what stands around them; linking.py links what a question names to a line
of them, by its line item or the words of its label. grounding.py and fitting.py say how well a figure fits a step of a
conversation and a question by itself. same_line.py keeps the line of the answer before.
"""
