"""Questions in other languages, put into English before they are read: one file a language."""
