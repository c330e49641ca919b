"""One process that serves what the command line does: reports, a page to ask in, an API, SPARQL, tools for agents.

library.py        the reports that are open
conversations.py  sessions over them, by name
source.py         a report as the page shows it
sparql.py         SPARQL 1.1 Protocol; negotiate.py, results.py what it answers in
stream.py         a turn under way, told event by event
guard.py          what is let in: token, host, origin, size
api.py            the paths; pages.py those that are looked at; app.py all of it
cli.py            the command
"""
