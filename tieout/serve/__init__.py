"""One process that serves what the command line does: reports, a page to ask in, an API, SPARQL, tools for agents.

asking/     conversations, and the processes that answer; the reports on disk while they are served
library.py  the reports that are open
source.py   a report as the page shows it
sparql.py   SPARQL 1.1 Protocol
guard.py    what is let in: token, host, origin, size
api/        the paths; app.py the application, with the page in assets/
agents.py   tools and resources by the Model Context Protocol
cli.py, cli_mcp.py: the commands
"""
