"""How large a document may be: what is larger is refused in one line, before it costs minutes and gigabytes.

A 10-K has some 2 million characters and 30,000 cells; the largest table of one has some 5,000.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tieout.data.document import Document

MOST_ROWS = 10_000  # of one table: no report prints as many
MOST_COLUMNS = 2_000
MOST_CELLS_OF_TABLE = 250_000  # rows times the widest row: a table is read line by line in both directions
MOST_CELLS = 300_000
MOST_CHARACTERS = 16_000_000
DATA = "it is a table of data, and no report: give it to --data as CSV or XLSX, or the part that belongs to the report"


class SizeError(ValueError):
    """A document is larger than any report. The message says by what, and the way out."""


def check_size(document: Document) -> None:
    """Raises SizeError for a document that is too large to be read as a report."""
    cells = 0
    for number, table in enumerate(document.tables, start=1):
        width = max(map(len, table.rows), default=0)
        for count, most, lines in ((len(table.rows), MOST_ROWS, "rows"), (width, MOST_COLUMNS, "columns")):
            if count > most:
                raise SizeError(
                    f"table {number} has {count:,} {lines}, more than the {most:,} that a table of a report may have; "
                    f"{DATA}"
                )
        size = len(table.rows) * width
        cells += size
        if size > MOST_CELLS_OF_TABLE:
            raise SizeError(
                f"table {number} has {len(table.rows):,} rows of up to {width:,} cells, more than "
                f"the {MOST_CELLS_OF_TABLE:,} cells that a table of a report may have"
            )
    if cells > MOST_CELLS:
        raise SizeError(f"the tables have {cells:,} cells, more than the {MOST_CELLS:,} that a report may have")
    characters = sum(map(len, document.paragraphs))
    characters += sum(len(text) for table in document.tables for row in table.rows for text in row)
    if characters > MOST_CHARACTERS:
        raise SizeError(f"it has {characters:,} characters, more than the {MOST_CHARACTERS:,} that a report may have")
