"""The paths of the HTTP API. Each calls what the command line calls.

reply.py          what every path gives back
schema.py         the types of it
reports.py, originals.py, figures.py, conversations.py, exports.py, query.py, runs.py: the paths, by what they are about
routes.py         all of them
"""
