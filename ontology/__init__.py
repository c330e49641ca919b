"""What reports talk about, derived once: training documents -> TBox, type-level only.

labels/        the words of labels
tbox/          classes and properties; back: label -> property, table -> class
learn/         tables and words of training documents -> labels of one line item
metrics/       line items and the metrics that are calculated from them
asked/         the words in which people ask for them
build.py       learn -> TBox; model.py is what other folders use
vocabulary.py  the fixed terms of the graph
"""
