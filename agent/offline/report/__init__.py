"""Answering from a view of whole reports: asked (what a question wants), line (what it means), answer (the calls)."""
