<<<<<<< HEAD
"""Whole reports: bounded (a graph within a budget), library (files into the store), report (one) -> part, listing."""
=======
"""Whole reports: library (files into the store), report (one) -> outline, part, listing, statements."""
>>>>>>> c1
