"""Questions over several companies and filings: question -> times (of which it asks) -> wanted (what, and of
whom) -> answer (two replies); in the words of spoken.

The first reply looks every value up with `query_kg` by company and fiscal year; the second makes the answer of them.
"""
