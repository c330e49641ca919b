"""Which figures of a report a question of one sort asks for: of debts and awards by their row, of the years of a
schedule, of how many there are, of what something is made of, and of what is expected; and which parts of the company
it names. Their words are those of the files of `ontology/asked`."""
