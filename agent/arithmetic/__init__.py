"""Arithmetic over entries: operations over Decimals, how units and scales combine, conversions as steps of their
own."""
