"""What is odd about an answer: check (every rule, and the confidence) over follows (periods that are not printed),
plans (what is no actual figure), measure (money for a percentage), sanity (what cannot well be: a line without its
qualifier, a part above its whole) and gaps (rows without results)."""
