"""Answering: question + graph -> tool calls -> ledger -> answer, and an event log.

message.py   Request and Reply, the seam to whatever answers; fingerprint.py tells requests apart, readable.py shows one
backends/    what answers: a language model, a recorded log; offline/ without any model of language
card.py      what a backend is shown of a report; history.py, of the conversation
session.py   a conversation; workspace.py one turn of it under way
strategies/  how replies become an answer; prompt.md is what a language model is told
tools.py     what can be called (tool.py: how one is declared), over lookup.py, reading.py, values.py
arithmetic/  what can be calculated, and how units and scales combine; display.py writes a number for reading
ledger.py    every number and where it is from; sheet.py and program.py show the way to one
events.py    what happened; log.py keeps it, turn.py reads a turn back from it, provenance.py tells it in PROV-O
result.py    a turn for programs that call tieout, as JSON
checks.py    what is odd about an answer, told without a model
adviser.py   a language model that names and merges the line items of an ontology
"""
