"""One sheet of a workbook as its reader sees it: which cells hold what, shown as their formats say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from tieout.data.readers.sheets.number_format import GENERAL, Shown, is_moment, show, show_moment

Value = int | float | str | bool | time | date | datetime | timedelta
HIDDEN = "hidden sheet"  # in the titles of sheets that a spreadsheet program does not show, and of their tables


@dataclass(frozen=True, slots=True)
class SheetCell:
    """One cell with something in it.

    text: as shown. exact: of a number that is shown rounded, the number in the unit that is shown (percent: in
    percent). is_number: whether it holds an amount, and no text, date or year.
    """

    text: str
    exact: Decimal | None = None
    is_number: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """name: as on its tab. cells: by (row, column), from 0, in reading order; a text that spans columns stands in each
    of them, those but the first in repeated. uncalculated: the cells with a formula and no result, which hold nothing
    that could be read."""

    name: str
    is_hidden: bool
    cells: Mapping[tuple[int, int], SheetCell]
    repeated: frozenset[tuple[int, int]] = frozenset()
    uncalculated: tuple[tuple[int, int], ...] = ()

    def place(self, row: int, column: int) -> str:
        """The name of a cell with that of its sheet: `Balance Sheet!B7`."""
        cell = f"{column_letters(column)}{row + 1}"
        return f"{self.name}!{cell}" if self.name else cell


def make_cell(value: Value, code: str = GENERAL, text: str | None = None) -> SheetCell | None:
    """A cell by its value and number format. text: what the file says is shown. None for one that shows nothing."""
    if isinstance(value, bool):
        return SheetCell(str(value).upper())
    if isinstance(value, int | float):
        return _number(Decimal(repr(value)), code, text)
    if isinstance(value, str):
        shown = " ".join(text.split()) if text and not value.strip() else _clean(value)
        return SheetCell(shown) if shown else None
    return SheetCell(text or show_moment(value, code))


def _clean(text: str) -> str:
    """A text without hard spaces; its lines stay lines."""
    lines = (" ".join(line.split()) for line in text.replace("_x000D_", "").splitlines())
    return "\n".join(line for line in lines if line)


def _number(value: Decimal, code: str, text: str | None) -> SheetCell | None:
    if not value.is_finite():
        return None
    if text is not None:  # as the file says that it is shown
        factor = Decimal(100) if text.rstrip(" )").endswith("%") else Decimal(1)
        shown = Shown(text, factor, _differs(text, value * factor))
    elif is_moment(code):  # a day that no calendar has: the number of it
        shown = Shown(format(value, "f"))
    else:
        shown = show(value, code)
    if not shown.text:
        return None
    exact = value * shown.factor if shown.is_rounded else None
    return SheetCell(shown.text, exact, not _is_year(shown.text))


def _differs(text: str, exact: Decimal) -> bool:
    """Whether the digits of a text are not those of the number."""
    digits = "".join(letter for letter in text if letter in "0123456789.")
    try:
        return Decimal(digits.strip(".") or "0") != abs(exact)
    except ArithmeticError:
        return True


def _is_year(text: str) -> bool:
    """`2024`, and `2024A`, `2025E` for actual and estimated."""
    if len(text) > 6:
        return False
    year = text[:4]
    return year.isdigit() and "1900" <= year <= "2099" and text[4:].strip().upper() in ("", "A", "E")


def column_number(letters: str) -> int:
    """The number of a column from 0: `A` is 0, `AA` 26."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def column_letters(number: int) -> str:
    """The letters of a column by its number from 0."""
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
