"""What happened: events -> log (kept) -> turn (read back), fingerprint (requests told apart), provenance (PROV-O)."""
