"""What other languages print: notes.toml (words) -> notes (in what figures are)."""
