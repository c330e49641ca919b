"""Self-play: tags of filings -> conversations -> what is said -> what was misread -> names that mend it.

truth.py          what the tags of a filing say
conversations.py  questions made from them, and the words of other filings for the same
asking.py         what is said to them, in processes of their own
blame.py          what was misread
proposing.py      names and line items that might mend it
judging.py        which of these hold
play.py           all of it
show.py           for the eye, and as JSON
cli.py            the command
"""
