"""The paths of the HTTP API. Each calls what the command line calls.

reply.py          what every path gives back
schema.py         the types of it
reports.py, originals.py, figures.py, companies.py: paths about what was read
conversations.py, exports.py, query.py, runs.py: paths about what is asked of it
routes.py         all of them
"""
