"""The words of labels: lexicon (words) -> label (spellings made one) -> concept (what tells line items apart)."""
