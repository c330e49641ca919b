"""One process that serves what the command line does: reports, a page to ask in, an API, SPARQL, tools for agents.

asking/     the processes that answer, conversations that are kept, the reports on disk while they are served
library.py  the reports that are open
conversations.py  the conversations by name; stream.py a turn under way, told event by event
source.py   a report as the page shows it
sparql.py   SPARQL 1.1 Protocol
guard.py    what is let in: token, host, origin, size; connections.py how many, and for how long
api/        the paths; app.py the application, with the page in assets/
agents.py   tools by the Model Context Protocol; agents_companies.py, agents_asking.py, agents_replies.py: their parts
cli.py, cli_mcp.py: the commands
"""
