"""Answering: question + graph -> tool calls -> ledger -> answer, and an event log.

question/    a question, read once: what is asked, of what, of when
protocol/    what a backend and tieout exchange: Request, Reply, tools
ledger/      every number and where it is from
view/        what a backend is shown
tools/       what can be called
log/         what happened: events, kept, read back
answers/     what is said of an answer
analysis/    data beside the reports in a conversation: what is asked of it by SQL and scripts
offline/     answering without a language model: operands, calculation, ranking, answer
memory/      what a house knows: terms and recipes
backends/    what answers: a language model, a recorded log, offline
strategies/  how replies become an answer; prompt.md is what a language model is told
session.py   a conversation; workspace.py one turn of it under way
opening.py   from files to something that can be asked; wiring.py from that to a session
options.py   the options of ask and chat
"""
