"""The invented economy of `data/series`: invent writes it."""
