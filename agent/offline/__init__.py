"""Answering without a language model: question + facts + conversation -> candidates -> a log-linear score -> calls.

question.py reads what is asked, reference.py what the conversation has to offer, page.py the report. ground.py weighs
which printed facts fit, compose.py makes the calculations that are possible, score.py weighs those, model.py holds the
weights, backend.py turns the best reading into calls.
"""
