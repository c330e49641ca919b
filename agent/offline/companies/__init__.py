"""Questions over several companies and filings: question -> wanted (what, of whom, of which times) -> answer (two
replies); in the words of ontology/asked: spoken, and against (which companies are held against each other).

The first reply looks every value up with `query_kg` by company and fiscal year; the second makes the answer of them.
What is no measure of all companies is found in the lines of a report of each: lines.
"""
