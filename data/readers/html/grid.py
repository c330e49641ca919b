"""The cells of a laid-out table into rows as a reader sees them: `$`, `)` and `%` joined to their number, empty columns
dropped, headers over all of the columns that they span.

A page lays numbers out over several columns (`$`, the digits, `)`), and headers over all of these. Values stand in one
column where their spans overlap. Text that spans several columns of values is a header of each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.data.printed.signs.forms import as_read
from tieout.data.readers.html.page import Grid, GridCell
from tieout.data.readers.html.text import Text

# What stands in a cell of its own in front of a number, and behind one.
_OPENS = later(
    r"\(?\s?(?:(?:US|C|CA|CAD|Cdn|A|AU|NZ|HK|S|NT|R|MX|RMB)?\s?\$|[€£¥₹₩]|RMB|US\$|CHF|USD|EUR|GBP|CAD)\s?\(?|\("
)
_CLOSES = later(
    r"\)|%|\)\s?%|%\s?\)|x|bps|pts?\.?|(?:\)|%|\)%)?\s?(?:\([a-z]\)|\[(?:[0-9]{1,2}|[a-z])\]|\*{1,3}|†|‡)",
    re.IGNORECASE,
)
_RAISED_MARK = later(r"\(?(?:[0-9]{1,2}|[a-z])\)?(?:,\s?\(?(?:[0-9]{1,2}|[a-z])\)?)*", re.IGNORECASE)
_VALUE = later(
    r"[\s(]*[-–—−+~<>≈△▲▼]?\s*[A-Z]{0,3}\s?[$€£¥]?\s*\(?\s*[-–—−]?\s*"
    r"(?:[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?|[0-9][0-9,]*(?:\.[0-9]+)?|\.[0-9]+)\s*"
    r"(?:%|x|bps|pts?\.?|million|billion|thousand|CR)?\s*[-–—−]?[)>]?\s*%?\s*(?:\(\w\)|\*+)?\s*"
)
_MINUS = later(r"[-–−]")
_DASH = later(r"[$€£¥(]*\s*[-–—−]+\s*[)%]*")
_YEAR = later(r"\(?(?:19|20)[0-9]{2}\)?")


@dataclass(slots=True)
class Printed:
    """A cell with what was joined to it. start, end: the columns of the page that it covers."""

    row: int
    start: int
    end: int
    text: Text
    bold: bool
    value: bool


@dataclass(slots=True)
class Rows:
    """A table as read. repeated: cells that only repeat a text printed once, further left, over several columns."""

    rows: list[list[Text | None]]
    bold: list[bool]
    repeated: set[tuple[int, int]] = field(default_factory=set)

    def words(self, row: int) -> list[str]:
        """The texts of a row, "" for nothing."""
        return [cell.words if cell else "" for cell in self.rows[row]]


@lru_cache(maxsize=4096)
def is_value(words: str) -> bool:
    """Whether a cell prints a number, or a dash in its place; a bare year is none."""
    words = as_read(words)
    return bool((_VALUE.fullmatch(words) and not _YEAR.fullmatch(words)) or _DASH.fullmatch(words))


def read_rows(grid: Grid) -> Rows:
    """The rows of a table. Rows and columns without text are left out."""
    by_row: dict[int, list[GridCell]] = {}
    for cell in grid.cells:
        by_row.setdefault(cell.row, []).append(cell)
    cells = _with_groups([sorted(by_row[row], key=lambda cell: cell.column) for row in sorted(by_row)])
    signs = _columns_of_signs(cells)
    lines = [_joined(row, signs) for row in cells]
    columns = _columns(lines)
    return _placed(lines, columns)


def _with_groups(rows: list[list[GridCell]]) -> list[list[GridCell]]:
    """The rows with each label that stands beside the labels of several rows put above these, as their sub-heading."""
    found: list[list[GridCell]] = []
    for at, row in enumerate(rows):
        first = row[0]
        beside = rows[at : at + first.height]
        if first.height > 1 and first.column == 0 and _are_of_group(beside, first):
            found.append([first])
            row = row[1:]
            for cells in (row, *beside[1:]):
                cells[0] = replace(cells[0], column=0, width=cells[0].width + first.width)
        found.append(row)
    return found


def _are_of_group(rows: Sequence[Sequence[GridCell]], group: GridCell) -> bool:
    """Whether each of the rows beside a cell has a label in words right behind it, and some figure."""
    own = [[cell for cell in row if cell is not group] for row in rows]
    return len(rows) == group.height and all(
        cells
        and cells[0].column == group.width
        and any(map(str.isalpha, cells[0].text.words))
        and not is_value(cells[0].text.words)
        and any(is_value(cell.text.words) for cell in cells[1:])
        for cells in own
    )


def _columns_of_signs(rows: Sequence[Sequence[GridCell]]) -> frozenset[int]:
    """The columns of the page that hold nothing but the minus of some of the numbers beside them.

    Where a dash stands for no value, its column has a title, or numbers, or there is nothing but dashes beside the
    numbers of all rows.
    """
    minuses = [
        {cell.column for cell in cells if cell.width == 1 and _MINUS.fullmatch(as_read(cell.text.words))}
        for cells in rows
    ]
    if not any(minuses):
        return frozenset()
    dashes: dict[int, set[str]] = {}
    others: set[int] = set()
    bare: set[int] = set()  # with a number behind them in a row in which they have no dash
    for cells, own in zip(rows, minuses, strict=True):
        for cell, behind in zip(cells, (*cells[1:], None), strict=True):
            if cell.column in own:
                has_number = behind is not None and behind.column == cell.column + 1 and _starts_number(behind)
                dashes.setdefault(cell.column, set()).add("number" if has_number else "")
            elif cell.text.words:
                others.add(cell.column)
            if cell.column - 1 not in own and (is_value(cell.text.words) or _OPENS.fullmatch(cell.text.words)):
                bare.add(cell.column - 1)
    return frozenset(at for at, kinds in dashes.items() if kinds == {"number"} and at not in others and at in bare)


def _starts_number(cell: GridCell) -> bool:
    words = as_read(cell.text.words).lstrip("$€£¥( ")
    return words[:1].isdigit() or not words  # a sign of currency, and then the number


def _joined(cells: Sequence[GridCell], signs: frozenset[int]) -> list[Printed]:
    """The cells of a row, with signs of currency, brackets and percent signs joined to the number they belong to.
    signs: the columns that hold a minus."""
    found: list[Printed] = []
    opening: Printed | None = None
    for cell in cells:
        words = cell.text.words
        end = cell.column + cell.width
        last = found[-1] if found else None
        if opening is not None:
            if cell.column - opening.end <= 1 and (is_value(words) or _starts_value(words)):
                text = opening.text
                text.append(cell.text, "" if text.words[-1:] in "(（" else " ")
                found.append(Printed(cell.row, opening.start, end, text, cell.bold, True))
                opening = None
                continue
            if opening.start in signs and _OPENS.fullmatch(as_read(words)):
                opening.text.append(cell.text, "")
                opening.end = end
                continue
            found.append(opening)
            opening = None
        if last is not None and last.value and cell.column - last.end <= 1 and _closes(cell.text, words):
            last.text.append(_marked(cell.text, words), " " if words[0] in "([*x†‡bp" or cell.text.raised else "")
            last.end = end
            continue
        printed = Printed(cell.row, cell.column, end, cell.text, cell.bold, is_value(words))
        if _OPENS.fullmatch(as_read(words)) or (cell.column in signs and words):
            opening = printed
            continue
        found.append(printed)
    if opening is not None:
        found.append(opening)
    return found


def _closes(text: Text, words: str) -> bool:
    """Whether a cell is the end of the number in front of it: a bracket, a percent sign, a footnote mark. `(27)` is a
    mark where it is raised, and else a number of its own."""
    return bool(_CLOSES.fullmatch(as_read(words)) or (text.raised and _RAISED_MARK.fullmatch(words)))


def _marked(text: Text, words: str) -> Text:
    """The end of a number; a raised mark of digits gets parentheses, so that it does not run into them."""
    if not text.raised or not words.replace(",", "").replace(" ", "").isalnum():
        return text
    found = Text()
    found.add(f"({words})")
    return found


def _starts_value(words: str) -> bool:
    return words[:1].isdigit() or (as_read(words[:1]) in "(.-–—−△" and any(map(str.isdigit, words[:4])))


@dataclass(slots=True)
class _Column:
    """Columns of the page that hold one column of the table."""

    start: int
    end: int
    rows: set[int]


def _columns(lines: Sequence[Sequence[Printed]]) -> list[_Column]:
    """The columns of the table: first those of values, then those of what stands beside them."""
    columns: list[_Column] = []
    cells = [(cell, number) for number, line in enumerate(lines) for cell in line]
    for values in (True, False):
        chosen = [(cell, number) for cell, number in cells if cell.value is values]
        for cell, number in sorted(chosen, key=lambda each: (each[0].end - each[0].start, each[0].start, each[1])):
            _put(columns, cell, number, values)
    return sorted(columns, key=lambda column: column.start)


def _put(columns: list[_Column], cell: Printed, number: int, value: bool) -> None:
    over = [column for column in columns if column.start < cell.end and cell.start < column.end]
    if not over:
        columns.append(_Column(cell.start, cell.end, {number}))
    elif len(over) == 1:
        if value or number not in over[0].rows:
            over[0].start, over[0].end = min(over[0].start, cell.start), max(over[0].end, cell.end)
            over[0].rows.add(number)
    elif value and not _apart(over):
        whole = over[0]
        for other in over[1:]:
            whole.rows |= other.rows
            columns.remove(other)
        whole.start = min(cell.start, *(column.start for column in over))
        whole.end = max(cell.end, *(column.end for column in over))
        whole.rows.add(number)


def _apart(columns: Sequence[_Column]) -> bool:
    """Whether some row has cells in two of these columns."""
    seen: set[int] = set()
    for column in columns:
        if seen & column.rows:
            return True
        seen |= column.rows
    return False


def _placed(lines: Sequence[Sequence[Printed]], columns: Sequence[_Column]) -> Rows:
    """Every cell in its column; text over several columns of values in each of them."""
    found = Rows([], [])
    for number, line in enumerate(lines):
        row: list[Text | None] = [None] * len(columns)
        for cell, over in zip(line, _over(line, columns), strict=True):
            for index, column in enumerate(over):
                here = row[column]
                if here is None:
                    row[column] = cell.text
                    if index:
                        found.repeated.add((number, column))
                elif not index:
                    both = Text()
                    both.append(here)
                    both.append(cell.text)
                    row[column] = both
        found.rows.append(row)
        found.bold.append(all(cell.bold or 2 * cell.text.bold > cell.text.letters for cell in line))
    return found


def _over(line: Sequence[Printed], columns: Sequence[_Column]) -> list[list[int]]:
    """For each cell of a row the columns that it belongs to: of those it overlaps, the ones that no other cell of
    the row overlaps more. Text that begins in the first column is a label and stays there."""
    best: dict[int, tuple[int, int]] = {}
    overlaps: list[dict[int, int]] = []
    for number, cell in enumerate(line):
        own = {
            index: min(cell.end, column.end) - max(cell.start, column.start)
            for index, column in enumerate(columns)
            if column.start < cell.end and cell.start < column.end
        }
        overlaps.append(own)
        for index, size in own.items():
            if index not in best or size > best[index][1]:
                best[index] = (number, size)
    found = []
    for number, (cell, own) in enumerate(zip(line, overlaps, strict=True)):
        mine = [index for index in own if best[index][0] == number] or [max(own, key=lambda index: own[index])]
        if cell.value:
            mine = [max(mine, key=lambda index: own[index])]
        elif mine[0] == 0:
            mine = mine[:1]
        found.append(mine)
    return found


def is_mark(words: str) -> bool:
    """Whether a text is a bullet, a list mark or a footnote mark, and nothing else."""
    return bool(_LIST_MARK.fullmatch(words))


_LIST_MARK = later(
    r"[•●○■□▪▫◦‣·*†‡§oü–—-]{1,3}|\(?(?:[0-9]{1,2}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\((?:[0-9]{1,2}|[a-zA-Z]|[ivxIVX]{1,5})\)\*?|Ø|"
)


def is_layout(rows: Rows) -> bool:
    """Whether a table only lays text out: a single column, list marks beside text, one row of few words."""
    filled = [[words for words in rows.words(row) if words] for row in range(len(rows.rows))]
    widest = max(map(len, filled), default=0)
    if widest < 2:
        return True
    if all(len(line) < 3 and (len(line) < 2 or is_mark(line[0])) for line in filled):
        return True
    return len(filled) == 1 and sum(map(is_value, filled[0])) < 2


def lines_of(rows: Rows) -> Iterable[Text]:
    """The rows of a layout table, each as one text."""
    for number, row in enumerate(rows.rows):
        whole = Text()
        for column, cell in enumerate(row):
            if cell and (number, column) not in rows.repeated:
                whole.append(cell)
        if whole:
            yield whole
