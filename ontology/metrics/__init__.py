"""What terms of the trade mean: line_item (what statements print), formula, metric (what is calculated), house."""
