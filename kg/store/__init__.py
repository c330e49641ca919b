"""Graphs kept and asked: graph (one, in memory; its facts as written, or read back from its triples), store (many, on disk), query, guard, worker (others' SPARQL)."""
