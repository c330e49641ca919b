"""Every number and where it is from: ledger, calculation (over its entries), program (FinQA's notation), display."""
