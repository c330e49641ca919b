"""What a backend is shown: card (of a report), history (of the conversation), readable (a request for a person)."""
