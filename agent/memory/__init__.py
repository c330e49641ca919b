"""What a house knows: keep (files, safely) <- terms, recipes -> find (for a question) -> memory (notes) ; generalise (a
turn into a recipe) and follow (a recipe run) -> tools, and a backend that answers by recipes alone."""
