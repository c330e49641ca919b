"""Graphs kept and asked: graph (one, in memory), store (many, on disk), query, guard, worker (others' SPARQL).

What reading a file yields is one bundle, of which all else is made; the bundles of a store stand beside it. What is
kept is what the index lists (kept); what a query sees is made of bundles when it is asked (dataset).
The facts of a graph are those that were written (written), or are read back from its triples (facts); its words are
looked through for what is quoted (quoted), and tools read it by queries that are kept (reading). What is on disk is
held against checksums (sums).
"""
