"""Questions that say themselves what they want: question -> kind, operation, measures, periods -> readings -> the best.

lines.py has the page as lines of figures. fitting.py says how a figure fits what is asked.
reading.py is one possible answer; ways.py, amounts.py and readings.py make those that are possible, spans.py those in
words. weigh.py holds the weights and the probabilities, account.py the words that nothing accounts for, derived.py
periods that are not printed but follow.
"""
