"""Answering without a language model: question + facts + conversation -> candidates -> a log-linear score -> tool
calls.

question.py reads what is asked, reference.py what the conversation has to offer, page.py the report, ground.py which
printed facts fit,
compose.py which calculations are possible, score.py which of them fits best, backend.py turns that into calls.
"""
