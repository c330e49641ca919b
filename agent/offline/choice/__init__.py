"""Which answer of the two readers is given: options -> weighed -> the choice, its chance, what it leaves open.

option.py is one possible answer, options.py makes those of both readers and says what speaks for each, fitting.py how
well its figures fit the question. left.py says which words and years an answer leaves open, choose.py weighs and
chooses.
"""
