"""Answering without a language model: report/ answers from whole reports, two readers answer from pages.

Of these, whole/ reads a question by itself, and the modules here read it as a step of a conversation: question + facts
+ conversation -> candidates -> a log-linear score -> calls.

question.py reads what is asked, reference.py what the conversation has to offer, page.py the report. ground.py weighs
which printed facts fit, compose.py makes the calculations that are possible, score.py weighs those, model.py holds the
weights, said.py says a reading in words, alike.py how alike texts are as written. choice/ weighs the answers of
both readers, fit/ says what fits a question, backend.py turns the best into calls; first.py answers from whole reports
without loading the rest.
"""
