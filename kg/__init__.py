"""One report as a graph: Document + TBox -> drafts -> build (triples) -> store.

drafts/   what is printed and what it means
build.py  drafts -> triples; names.py mints every IRI, fact.py is one amount read back, figure.py what it is of;
          tables.py: many of them by their tables; definition.py: those that a term of the trade is made of;
          page.py: all of a page with their words, prepared for matching; lines.py: as rows, columns and lists;
          split.py: the parts of an amount that a question asks for; addends.py: which of them add up to another, side
          by side in a table; lineup.py: which stand in one
          line, each of something else; moves.py: how a line rose or fell; derived.py: of which
          periods those of another one are made
asked/    which figures a question of one sort asks for: of debts, awards, schedules, of what is expected
filings/  whose report a document is, and its standard concepts; what the filings of a company share
index/    what can be found in a report, by its words
store/    graphs kept and asked by SPARQL
companies/ measures and statements of companies over all their filings
reports/  whole reports: files into the store, many at once (indexing),
          one of them in Python, what is listed and outlined
commands/ what `tieout kg`, `tieout index` and `tieout sparql` do
check.py  is every printed number in it, by a second reading of the file too (proof.py), and does it add up (sums.py)?
show.py, output.py: for the eye
"""
