"""Arithmetic over entries: units (how they and scales combine) <- operation (what one is) <- operations and series (all
that there are: of a few values, and of many or of payments), with conversions as steps of their own; chance (scores and
probabilities of what may be meant) and plain (what that comes to, without units)."""
