"""What is odd about an answer: check (every rule, and the confidence) over follows (periods that are not printed),
plans (what is no actual figure), measure (money for a percentage) and gaps (rows without results)."""
