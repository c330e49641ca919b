"""What is odd about an answer: check (every rule, and the confidence) over follows (periods that are not printed),
plans (what is no actual figure), sanity (what cannot well be: a line without its qualifier, a part above its whole,
money for a percentage)."""
