"""What a filing is, and what filings of a company share: document + facts -> entry -> rows -> observations -> graph.

filing       whose report it is, which form, which period: what a document says of itself; fiscal: what years are called
primary      which tables are the primary statements, and how a label can be read; totals: totals that no label names
labelled     which lines are a line item; eligible: what may be one, direction: which way it counts
concepts     which facts are standard concepts, the line items of ontology/metrics: by tags, lines and sentences
entry        both, as they are kept; rows: beside the index
company      filings of one registrant; naming: its names, and companies in the words of a question
observation  one concept of a company in one period from all its filings: the newest, and what it restated
graph        companies, filings and observations as RDF
"""
