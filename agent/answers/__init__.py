"""What is said of an answer: checks (what is odd), sheet (the way to its figures), result (as JSON)."""
