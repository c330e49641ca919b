"""What other languages print: notes.toml -> notes (in what figures are); a file a language -> language (in English)."""
