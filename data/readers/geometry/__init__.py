"""Words at their places on a page into tables: words -> lines -> columns (of text) -> stacks (cells of several lines)
-> apart (cells that touch) -> spans, tables -> grid; spaced does so for text that is set with spaces. PDF, scans and
pages of the web in fixed layout are read by it alike."""
