"""What terms of the trade mean: line_item (what is printed), qualifier (what sets them apart), metric, formula."""
