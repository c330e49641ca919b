"""Reports as they are printed: file -> Document and Conversation; text -> Amount, Period; table -> Layout.

document.py  the values every other part starts from
limits.py    how large a document may be
plugins.py   what packages of a house add
system/      processes, locks and engines, on every system
printed/     how amounts, periods, units and labels are printed
arithmetic/  what can be calculated of amounts, and how units and scales combine
tables/      what the printed form of a table says
readers/     a file into documents
output/      files that are written: workbooks, charts
datasets/    data beside the reports: files as tables in a process of their own, frames, scripts over them, pictures
"""
