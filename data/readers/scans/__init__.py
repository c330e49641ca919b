"""Pages that are pictures of text: engine (a picture to lines of words) -> recognise (pages of words), sureness (how
sure each figure is)."""
