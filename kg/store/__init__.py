"""Graphs kept and asked: graph (one, in memory), store (many, on disk), query, guard, worker (others' SPARQL).

The facts of a graph are those that were written (written), or are read back from its triples (facts). What is on disk
is held against checksums (sums).
"""
