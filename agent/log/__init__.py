"""What happened: events -> log (kept) -> turn and recorded (read back),
fingerprint (requests told apart)."""
