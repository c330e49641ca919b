"""A file into documents: paths (which files) -> kinds (what each is) -> report (its document) -> read (conversations).

apart             what bounds a reader's time and memory: a process of its own

records, layouts  JSON pages          sheets/  workbooks
html/             web pages           text/    separated values, Markdown, text
pdf/, scans/      PDF                 xbrl/    XBRL as JSON
geometry/         words at their places into tables
placed/           web pages in fixed layout
"""
