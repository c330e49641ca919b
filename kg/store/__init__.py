"""Graphs kept and asked: graph (one, in memory), store (many, on disk), query, guard, worker (others' SPARQL)."""
