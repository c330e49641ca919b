"""Reports as they are printed: file -> Document and Conversation; text -> Amount, Period; table -> Layout."""
