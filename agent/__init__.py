"""Answering: question + graph -> tool calls -> ledger -> answer, and an event log.

protocol/    what a backend and tieout exchange: Request, Reply, tools
arithmetic/  what can be calculated, and how units and scales combine
ledger/      every number and where it is from
view/        what a backend is shown
tools/       what can be called
log/         what happened: events, kept, read back, told in PROV-O
answers/     what is said of an answer
offline/     answering without any model of language: reading, grounding, weighing
backends/    what answers: a language model, a recorded log, offline
strategies/  how replies become an answer; prompt.md is what a language model is told
session.py   a conversation; workspace.py one turn of it under way
adviser.py   a language model that names and merges the line items of an ontology
"""
