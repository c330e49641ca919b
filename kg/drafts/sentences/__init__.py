"""What the sentences of a document say: phrase -> text (amounts, periods) -> telling (of a report)."""
