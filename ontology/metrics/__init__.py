"""What terms of the trade mean: line_item (what statements print), formula and metric (what is calculated from it)."""
