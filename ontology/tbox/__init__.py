"""The TBox: term (its values), match (label -> property), classify (table -> class), tbox, rdf (Turtle and back)."""
