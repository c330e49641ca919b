"""What a person sees of a page: selector -> sheet (which declarations hold) -> colour, length -> sight (is it seen?),
cover (what lies over what)."""
