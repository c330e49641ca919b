"""The signs of amounts: forms (digits, brackets and dashes of other forms) -> minus (before or behind a number),
mixed (letters among digits)."""
