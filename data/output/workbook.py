"""Workbooks that are written: values beside their formulas, text that is never a formula, the same bytes each time.

book = Book()
sheet = book.sheet("Facts", (("Figure", 14), ("Value", 18)))
sheet.write(1, 1, Decimal("60.94"), "0.00")
book.content()
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from datetime import date, datetime
from decimal import Decimal
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tieout.data.printed.pattern import later

if TYPE_CHECKING:
    from xlsxwriter.worksheet import Worksheet

WRITTEN = datetime(1980, 1, 1)  # no time of writing is kept: the same answers give the same bytes
LONGEST = 32_000  # characters of a cell; a spreadsheet program takes 32,767
DAY = "yyyy-mm-dd"
_ILLEGAL = later(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_WHOLE = 10**15  # from here on a spreadsheet program has no exact whole numbers

Value = str | bool | int | Decimal | date | None


class WorkbookError(RuntimeError):
    """A workbook cannot be written: a package is missing."""


class Book:
    """A workbook on its way. rows_in_order: each row is written once, in order, and none is kept in memory.

    Raises WorkbookError without XlsxWriter.
    """

    def __init__(self, *, rows_in_order: bool = False) -> None:
        if find_spec("xlsxwriter") is None:
            raise WorkbookError("an XLSX file needs XlsxWriter: pip install 'tieout[xlsx]'")
        import xlsxwriter

        self._out = io.BytesIO()
        options = {"in_memory": not rows_in_order, "constant_memory": rows_in_order, "strings_to_formulas": False}
        self._book = xlsxwriter.Workbook(self._out, {**options, "strings_to_urls": False, "strings_to_numbers": False})
        self._book.set_properties({"created": WRITTEN})
        self._formats: dict[tuple[str, bool], Any] = {}

    def sheet(self, name: str, columns: Sequence[tuple[str, float]]) -> Sheet:
        """A new sheet whose first row, which stays in view, names the columns. columns: their names and widths."""
        return Sheet(self, self._book.add_worksheet(name), columns)

    def format(self, number: str, bold: bool = False) -> Any:  # noqa: ANN401 - XlsxWriter's
        """How a cell shows its number: `0.0%`; the same one for the same code."""
        if (number, bold) not in self._formats:
            self._formats[number, bold] = self._book.add_format(
                {**({"num_format": number} if number else {}), **({"bold": True} if bold else {})}
            )
        return self._formats[number, bold]

    def chart(self, kind: str) -> Any:  # noqa: ANN401 - XlsxWriter's
        """A chart of this workbook: `column`, `line`."""
        return self._book.add_chart({"type": kind})

    def content(self) -> bytes:
        """The bytes of the file, nothing more can be written then."""
        self._book.close()
        return self._out.getvalue()


class Sheet:
    """A sheet of a workbook. Rows and columns count from 0; row 0 holds the names of the columns."""

    def __init__(self, book: Book, sheet: Worksheet, columns: Sequence[tuple[str, float]]) -> None:
        self._book, self.inside, self._columns = book, sheet, len(columns)
        for at, (name, width) in enumerate(columns):
            sheet.set_column(at, at, width)
            sheet.write_string(0, at, name, book.format("", bold=True))
        sheet.freeze_panes(1, 0)

    def write(self, row: int, column: int, value: Value, number: str = "") -> None:
        """Puts a value into a cell; text stays text. number: how a number or a day is shown."""
        shown = self._book.format(number or (DAY if isinstance(value, date) else ""))
        match value:
            case None | "":
                pass
            case bool():
                self.inside.write_boolean(row, column, value)
            case str():
                self.inside.write_string(row, column, _cell_text(value), shown if number else None)
            case date():
                if value.year < 1900:  # no spreadsheet program has them
                    self.inside.write_string(row, column, value.isoformat())
                else:
                    self.inside.write_datetime(row, column, value, shown)
            case _:
                self.inside.write_number(row, column, _number(value), shown)

    def heading(self, row: int, column: int, text: str) -> None:
        """Puts a bold text into a cell: of a further table on the sheet."""
        self.inside.write_string(row, column, _cell_text(text), self._book.format("", bold=True))

    def formula(self, row: int, column: int, formula: str, value: Value, number: str = "") -> None:
        """Puts a formula into a cell, with the value that it has, so that every program shows it at once."""
        held = _number(value) if isinstance(value, Decimal | int) else "" if value is None else value
        self.inside.write_formula(row, column, formula, self._book.format(number), held)

    def filter(self, rows: int) -> None:
        """Puts a filter on the columns of so many rows, their names not counted."""
        self.inside.autofilter(0, 0, max(rows, 1), self._columns - 1)


def _cell_text(text: str) -> str:
    """Text as a cell takes it."""
    return _ILLEGAL.sub(" ", text)[:LONGEST].encode(errors="replace").decode()


def _number(value: Decimal | int) -> float | int:
    return int(value) if value == int(value) and -_WHOLE < value < _WHOLE else float(value)
