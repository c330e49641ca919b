"""Talking at a terminal: lines that are typed, or confirmed -> questions and commands -> what is shown of turns and of
the source."""
