"""How a question is put: what stands around it, what it writes by signs, and how it may be said otherwise."""
