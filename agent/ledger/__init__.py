"""Every number and where it is from: ledger, calculation (over its entries), program (FinQA's notation); how one is
shown: form (as it is wanted), display;
options of the command line for them."""
