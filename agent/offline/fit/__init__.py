"""What fits a question: the sort of amount it asks for, its part and whole, the line it keeps, labels near to it."""
