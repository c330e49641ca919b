"""Whole reports: bounded (a graph within a budget), library and indexing (files into the store, many at once by an
engine), report (one) -> part, listing, statements; opened (one beside others), across (their companies), outline (what
they are, in lines)."""
