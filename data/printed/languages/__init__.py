"""What other languages print: notes.toml -> notes (in what figures are), one file a language -> language (in English)."""
