"""One report as a graph: Document + TBox -> drafts -> build (triples) -> store.

drafts/   what is printed and what it means
build.py  drafts -> triples; names.py mints every IRI, fact.py is one amount read back
index/    what can be found in a report, by its words
store/    graphs kept and asked by SPARQL
check.py  is every printed number in it? show.py, output.py: for the eye
"""
