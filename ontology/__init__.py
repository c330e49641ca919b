"""What reports talk about: training documents -> tables and words (survey) -> labels of one line item (cluster)
-> classes and properties (build) -> TBox (tbox, rdf); back: label -> property (match), table -> class (classify)."""
