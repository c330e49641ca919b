"""What the printed form of a table says: rows -> codes, header -> table -> layout; which lines add up (sums)."""
