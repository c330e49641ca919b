"""Training documents -> tables and words (survey) -> labels of one line item (cluster) -> advice, update."""
