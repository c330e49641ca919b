"""A question, read once: its text -> words and cues (of `ontology/asked`) -> what it names, of when, in what relation.

tree (what is calculated), spelling (words that are misspelt) -> read: text -> question (the value that all others use);
topic (what a conversation is about) -> in_full: one that was asked after others, written out in full.
"""
