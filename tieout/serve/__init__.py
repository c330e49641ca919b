"""One process that serves what the command line does: reports, a page to ask in, an API, SPARQL, tools for agents.

library.py        the reports that are open
conversations.py  sessions over them, by name
source.py         a report as the page shows it
sparql.py         SPARQL 1.1 Protocol
stream.py         a turn under way, told event by event
guard.py          what is let in: token, host, origin, size
api.py            the paths; app.py all of them, with the page in assets/
agents.py         tools and resources by the Model Context Protocol
cli.py, cli_mcp.py: the commands
"""
