"""Which possible answer is likeliest, and how likely it is right.

score.py and model.py weigh the steps of a conversation (weights.json); weigh.py and reader.py the answers to a question
by itself (reading_weights.json). option.py is one answer of either kind, options.py makes them with what speaks for
each, agreement.py tells how well their figures agree with the question, by_measure.py what an answer by what is named
comes to, choose.py leaves out what cannot be the answer, and chooses. account.py and left.py say which words and years
an answer leaves open.
"""
