"""Which figures of a report a question of one sort asks for: of debts and awards by their row, of a year of a schedule,
of what something is made of, and of what is expected. Their words are those of the files of `ontology/asked`."""
