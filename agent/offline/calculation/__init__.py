"""What can be made of figures: every possible answer.

solve.py calculates what a question names. reading.py is one possible answer
to a question by itself; ways.py, amounts.py and readings.py make them, spans.py those in words. compose.py makes
the possible steps of a conversation, and says them in words.
"""
