"""Pages of words at their places into a document: text (paragraphs) -> parts (of a page) -> over_pages -> assembler ->
report. geometry/ finds lines and tables; pages of the web in fixed layout are read by both alike."""
