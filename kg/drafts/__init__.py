"""What is printed and what it means, before it is a graph.

sentences; introduction, basis, fiscal_years, dating, row_label -> tables -> statements (which of the
five a table is); tagged, stated (what the file says itself); outline (headings)
"""
