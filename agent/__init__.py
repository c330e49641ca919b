"""Answering: question + graph -> tool calls -> ledger -> answer, and an event log.

protocol/    what a backend and tieout exchange: Request, Reply, tools
question/    a question, read once: what is asked, of what, of when
arithmetic/  what can be calculated, and how units and scales combine
ledger/      every number and where it is from
view/        what a backend is shown
tables/      data beside the reports: files as tables in a process of their own, frames
tools/       what can be called
log/         what happened: events, kept, read back, told in PROV-O
answers/     what is said of an answer
analysis/    scripts over tables: a library for series, pictures
offline/     answering without a language model: candidates, operands, calculation, ranking, answer
memory/      what a house knows: terms and recipes
backends/    what answers: a language model, a recorded log, offline
strategies/  how replies become an answer; prompt.md is what a language model is told
terminal/    lines that are typed, commands, what is shown of turns and of the source
session.py   a conversation; workspace.py one turn of it under way
opening.py   from files to something that can be asked; wiring.py from that to a session
indexing.py  files read into the store, many at once; engine.py where that is done: here, or by the workers of a cluster
options.py   the options of ask and chat; cli.py, cli_chat.py, cli_index.py, cli_recipe.py, cli_remember.py, cli_term.py
adviser.py   a language model that names and merges the line items of an ontology
"""
