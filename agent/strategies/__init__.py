"""How replies become an answer: choose.py finds a strategy by name.

strategy.py is the usual one, by tool calls; plan.py has a whole plan made in one reply; plain.py shows the printed page
and takes what is typed; verify.py asks for a second opinion where there is reason to, attempt.py is one solve for it.
prompt.py reads prompt.md, what a language model is told.
"""
