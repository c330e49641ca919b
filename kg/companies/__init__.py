"""What reports of one company, and of several, share: one filing read (filing, concepts) -> rows -> library -> graph.

filing    whose report it is, which form, which period: what a document says of itself
fiscal    what a company calls a year or a quarter
concepts  which facts of a report are standard concepts: the line items of ontology/metrics
rows      what was decided when a filing was read, kept beside the index of words
naming    the names of a company, and companies in the words of a question
library   companies and their observations over all filings: newest, restated, what follows
measure   expressions of line items and metrics, for a company and a period
compare   measures by company and period; screen: which companies
statement one statement of a company over years
graph     companies, filings, concepts and observations as RDF
"""
