"""What terms of the trade mean: line_item (what is printed), qualifier and qualified (what sets them apart), formula,
metric (what is calculated), scheme (their concepts), house (the measures of a house)."""
