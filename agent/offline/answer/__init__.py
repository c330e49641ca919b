"""The calls that give an answer, or the question back.

by_name.py answers what a question names, forms.py with yes or no, a list by year, the year of an extreme or the
sentence that says why, several.py several questions in one, derived.py for a period that is not printed but follows,
change.py by how much something rose or fell, parts.py which part of an amount is the most, stated_days.py which days
`the June quarter` has, step.py a step with a number,
row.py what a row of awards, of a debt, of years ahead or of a count tells,
in_full.py a question with what it leaves out, or that holds two amounts against each other, or claims something of
them.
company.py finds the names of companies in a question. unprinted.py says where a figure is not printed, chosen.py makes
the calls of the reading that is the likeliest, or says what is missing. sentence.py chooses between a figure and a
sentence, another_line.py doubts a figure whose line is another than the one asked for, beside.py holds a reply against
its question and against other ways to read that; reply.py is what all make.
"""
