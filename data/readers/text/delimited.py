"""CSV and TSV (RFC 4180 and its relatives) into a document: delimiter, quoting and encoding are found out."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from tieout.data.document import Document, Table
from tieout.data.limits import DATA
from tieout.data.printed.pattern import later
from tieout.data.readers.delimiter import NUMBER, find_delimiter
from tieout.data.readers.encoding import decode
from tieout.data.readers.html.cover import read_name
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.sheets.sheet import Sheet, SheetCell
from tieout.data.readers.sheets.styles import MOST_CELLS

_DECIMAL_COMMA = later(r"[-+(]?[€£$]? ?(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?\)? ?[%€£$]?")
_SURELY_COMMA = later(r"\d,\d{1,2}(?:\D|$)|\d\.\d{3},\d|\d,\d{4,}|\d\.\d{3}\.\d{3}")
_SURELY_POINT = later(r"\d\.\d{1,2}(?:\D|$)|\d,\d{3}\.\d|\d\.\d{4,}|\d,\d{3},\d{3}")
_YEAR = later(r"(?:19|20)\d\d\s?[AE]?")


def read_delimited(content: bytes, identifier: str) -> Document:
    """The document of a file of separated values: one table where all rows are of one kind, else a table a block.

    Numbers with a decimal comma, where the file writes them so, are given in English notation. Raises UnreadableError.
    """
    text = decode(content)
    delimiter = find_delimiter(text[: 1 << 16]) or ","
    rows = _rows(text, delimiter)
    if delimiter != "," and _has_decimal_comma(rows):
        rows = [[_english(cell) for cell in row] for row in rows]
    if all(any(row) for row in rows) and len({len(row) for row in rows}) == 1:
        last = f"line {len(rows)}"
        table = Table(rows=tuple(map(tuple, rows)), after=0, place=f"line 1 to {last}")
        company = read_name(rows[0][:1]) if not any(rows[0][1:]) else ""
        return Document(id=identifier, coded=False, company=company, paragraphs=(), before=0, tables=(table,))
    from tieout.data.readers.sheets.workbook import document_of

    return document_of(identifier, [_sheet(rows)])


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    cells = 0
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        for row in reader:
            rows.append([" ".join(cell.split()) for cell in row])
            cells += len(row)
            if cells > MOST_CELLS:
                raise UnreadableError(f"it holds more than {MOST_CELLS:,} values; {DATA}")
    except csv.Error as error:
        raise UnreadableError(f"separated values that break off in line {reader.line_num} ({error})") from None
    while rows and not any(rows[-1]):
        rows.pop()
    if not rows:
        raise UnreadableError("the file is empty")
    while all(len(row) > 1 and not row[-1] for row in rows):  # a delimiter behind each row
        rows = [row[:-1] for row in rows]
    return rows


def _has_decimal_comma(rows: Sequence[Sequence[str]]) -> bool:
    """Whether numbers are written `1.234,56`: some surely are, and none surely the other way round."""
    found = False
    for row in rows:
        for cell in row:
            if NUMBER.fullmatch(cell) and _SURELY_POINT.search(cell):
                return False
            found = found or bool(_DECIMAL_COMMA.fullmatch(cell) and _SURELY_COMMA.search(cell))
    return found


def _english(cell: str) -> str:
    return cell.translate(str.maketrans(",.", ".,")) if _DECIMAL_COMMA.fullmatch(cell) else cell


def _sheet(rows: Sequence[Sequence[str]]) -> Sheet:
    """Rows as the sheet that a spreadsheet would show, to find the tables in it."""
    cells = {
        (r, c): SheetCell(cell, None, bool(NUMBER.fullmatch(cell)) and not _YEAR.fullmatch(cell))
        for r, row in enumerate(rows)
        for c, cell in enumerate(row)
        if cell
    }
    return Sheet("", False, cells)
