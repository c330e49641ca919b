"""What the printed form of a table says: rows -> header -> table -> layout."""
