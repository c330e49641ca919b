"""Questions over several companies and filings: question -> wanted (what is asked of whom) -> answer (two replies).

The first reply looks every value up with `query_kg` by company and fiscal year; the second makes the answer of them.
"""
