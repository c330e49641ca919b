"""How large a document may be, and what reading one may take: more is refused in one line, before it costs minutes and
gigabytes.

A 10-K has some 2 million characters and 30,000 cells; the largest table of one has some 5,000. To read and build it
takes 2 to 4 seconds and 200 MB.
"""

from __future__ import annotations

import math
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tieout.data.document import Document

MOST_ROWS = 10_000  # of one table: no report prints as many
MOST_COLUMNS = 2_000
MOST_CELLS_OF_TABLE = 250_000  # rows times the widest row: a table is read line by line in both directions
MOST_CELLS = 300_000
MOST_CHARACTERS = 16_000_000
MOST_UNPACKED = 512 << 20  # bytes of all parts of a workbook that are read
SECONDS, SECONDS_PER_MEGABYTE = 12.0, 1.2  # of a processor, for a file
MEMORY = 1_200_000_000  # bytes
MORE_SECONDS, MORE_MEMORY = "TIEOUT_READ_SECONDS", "TIEOUT_READ_MEMORY"  # variables that allow more: seconds, MB
DATA = "it is a table of data, and no report: give it to --data as CSV or XLSX, or the part that belongs to the report"


class SizeError(ValueError):
    """A document is larger than any report. The message says by what, and the way out."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What reading a file may take. seconds: of a processor; most_seconds: with what is asked for on the way.
    memory: bytes."""

    seconds: float = SECONDS
    most_seconds: float = 20 * SECONDS
    memory: int = MEMORY

    @classmethod
    def of(cls, size: int) -> Budget:
        """The budget of a file of so many bytes, or what the variables of the environment allow. Raises SizeError."""
        seconds = _given(MORE_SECONDS) or SECONDS + SECONDS_PER_MEGABYTE * size / (1 << 20)
        return cls(seconds, 20 * seconds, int((_given(MORE_MEMORY) or 0) * (1 << 20)) or MEMORY)

    def time_told(self, seconds: float) -> str:
        """What is said where it takes longer. seconds: that it had."""
        return (
            f"it takes more than {seconds:.0f} seconds of a processor to read: give the part with the report, or allow "
            f"more in the variable {MORE_SECONDS}"
        )

    def memory_told(self) -> str:
        """What is said where it takes more memory."""
        return (
            f"it takes more than {self.memory >> 20:,} MB of memory to read: give the part with the report, or allow "
            f"more MB in the variable {MORE_MEMORY}"
        )


def _given(variable: str) -> float | None:
    """A positive number in a variable of the environment; None where nothing is in it. Raises SizeError for what is no
    such number."""
    text = os.environ.get(variable, "").strip()
    if not text:
        return None
    with suppress(ValueError):
        number = float(text)
        if math.isfinite(number) and number > 0:
            return number
    raise SizeError(f"the variable {variable} is {text!r}, and no number above 0")


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
