"""Which figures a question may mean.

context.py holds what was said before, figures.py those of a view that are of the time that is asked for; linking.py
links what a question names to a line of them, by its line item or the words of its label. grounding.py and fitting.py
say how well a figure fits a step of a conversation and a question by itself.
"""
