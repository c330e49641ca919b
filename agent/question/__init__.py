"""A question, read once: its text -> words and cues (of `ontology/asked`) -> what it names, of when, in what relation.

spelling (misspelt words) -> read: text -> question (the value that all others use); topic (what talk is about) -> among
(several amounts that were told) -> in_full: one asked after others, in full; sides: one of two amounts, both in full.
"""
