"""Where questions are answered: in this process, or in processes beside it, from the same reports on disk.

shelf.py          reports on disk for as long as they are served
lent.py           reports of a store, as it keeps them
readings.py       what was read, kept for the next time
reading.py        files read onto the shelf, in a process of its own
remembered.py     replies of a backend that says the same to the same
desk.py           conversations of one process
process.py        a desk in a process of its own
pages.py          pages of a PDF as pictures, drawn in a process of their own
kept.py           conversations in a file
"""
