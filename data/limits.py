"""How large a document may be: what is larger is refused in one line, before it costs minutes and gigabytes.

A 10-K has some 2 million characters and 30,000 cells; the largest table of one has some 5,000.
"""

from __future__ import annotations

from tieout.data.document import Document

MOST_CELLS_OF_TABLE = 250_000  # rows times the widest row: a table is read line by line in both directions
MOST_CELLS = 300_000
MOST_CHARACTERS = 16_000_000


class SizeError(ValueError):
    """A document is larger than any report. The message says by what, and the way out."""


def check_size(document: Document) -> None:
    """Raises SizeError for a document that is too large to be read as a report."""
    cells = 0
    for number, table in enumerate(document.tables, start=1):
        size = len(table.rows) * max(map(len, table.rows), default=0)
        cells += size
        if size > MOST_CELLS_OF_TABLE:
            raise SizeError(
                f"table {number} has {len(table.rows):,} rows of up to {max(map(len, table.rows)):,} cells, more than "
                f"the {MOST_CELLS_OF_TABLE:,} cells that a table of a report may have"
            )
    if cells > MOST_CELLS:
        raise SizeError(f"the tables have {cells:,} cells, more than the {MOST_CELLS:,} that a report may have")
    characters = sum(map(len, document.paragraphs))
    characters += sum(len(text) for table in document.tables for row in table.rows for text in row)
    if characters > MOST_CHARACTERS:
        raise SizeError(f"it has {characters:,} characters, more than the {MOST_CHARACTERS:,} that a report may have")
