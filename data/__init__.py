"""Reports as they are printed: file -> Document and Conversation; text -> Amount, Period; table -> Layout.

document.py  the values every other part starts from
limits.py    how large a document may be
workbook.py  workbooks that are written
chart.py     charts that are drawn
printed/     how amounts, periods, units and labels are printed
tables/      what the printed form of a table says
readers/     a file into documents
"""
