"""Conversations -> runs: sample (which), manifest (run.json), run, processes, work (one conversation), layers (data and
memory beside reports), prompts (what models are told), batch (first turns together), message_batches (the interface
that takes them).
"""
