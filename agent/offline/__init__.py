"""Answering without a language model: question + figures -> readings -> the likeliest -> calls.

backend.py is the way through. A question that names what it wants is answered by report/; every other is weighed by
what its words may mean: whole/ reads it for itself, and the modules here as a step of a conversation. reference.py says
what the conversation has to offer, page.py prepares what is shown, a page or a view of reports alike. ground.py weighs
which figures fit, compose.py makes the calculations that are possible, score.py weighs those, model.py holds the
weights, said.py says a reading in words, alike.py how alike texts are as written. choice/ weighs the answers, fit/ says
what fits a question.
"""
