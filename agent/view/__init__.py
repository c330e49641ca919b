"""What a backend is shown: card (of a page), reports (a view by ranking, about, notation; by the words in sought, in a
short view the rows that matter), told (what is asked for in words, quoted from covers, signatures, and the sentences
that tell it), passage (the amount that the running text tells), across (companies over the open filings, and what these
state of their measures), remote (reports at an endpoint), history (of the conversation, and a request for a person)."""
