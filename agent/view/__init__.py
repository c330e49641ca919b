"""What a backend is shown: card (of a page), reports (an outline, and a view by ranking and notation), history (of the
conversation), readable (a request for a person). across: companies over the open filings; stated: their measures."""
