"""What the printed form of a table says: codes, header, whole, line_units, dated_lines -> table; sums."""
