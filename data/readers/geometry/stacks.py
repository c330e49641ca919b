"""Cells of several lines beside cells of fewer, each in the middle of the row: their lines stand between one another,
and are put together cell by cell, so that the row is one line.

A browser prints `Six months ended June` over `30` beside `(Dollars in millions)`, and the name of a line item in two
lines beside its amounts, half a line further down.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.apart import parted_at
from tieout.data.readers.geometry.lines import Line, Segment, ends_date, is_year_of
from tieout.data.readers.geometry.words import Rule

_CLOSEST, _CLOSE = 0.3, 0.8  # distance of two lines that stand between one another, of the size
_NEXT = 1.3  # distance of two lines of one cell at most, of the size
_ALIKE = 1.12  # how much larger one of them may be printed
_FEWEST, _MOST = 3, 11  # lines of a row: what has more are columns of text
_ABOVE = 0.1  # of the size: how far above its baseline a rule below a line may be drawn
_LONG = 90  # letters of a line of prose
_MARK = later(r"\([a-z]\)|\*{1,3}", re.IGNORECASE)


@dataclass(slots=True)
class _Cell:
    """Lines of one cell. first, y: of the first and of the last."""

    first: float
    y: float
    parts: list[Segment] = field(default_factory=list)

    def has_room(self, y: float, segment: Segment, size: float, is_alone: bool) -> bool:
        """Whether a segment of a line may be its next line. is_alone: nothing stands beside it, as beside years of
        columns."""
        said = self.parts[-1].text
        is_words = (
            not segment.is_value or ends_date(said, segment.text) or (is_alone and is_year_of(segment.text, said))
        )
        return (
            is_words
            and not self.parts[0].is_value
            and 0 < y - self.y < _NEXT * size
            and any(_overlap(each, segment) for each in self.parts)
        )


def put_together(lines: Sequence[Line], rules: Sequence[Rule] = ()) -> list[Line]:
    """The lines of a page from the top, those that stand between one another put together, where no rule is drawn
    below one of them: it would part two rows."""
    found: list[Line] = []
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and _is_between(lines[end - 1], lines[end]):
            end += 1
        group = lines[at:end]
        is_row = _FEWEST <= len(group) <= _MOST and not any(map(_is_other, group)) and not _is_ruled(group, rules)
        found += _rows(group, lines[end : end + 1]) if is_row else group
        at = end
    return found


def _is_between(above: Line, line: Line) -> bool:
    """Whether a line stands less than a line below the one before, and over nothing in it."""
    size = max(above.size, line.size)
    is_close = _CLOSEST * size < line.y - above.y < _CLOSE * size
    if not is_close or size > _ALIKE * min(above.size, line.size):
        return False
    return not any(_overlap(each, other) for each in above.segments for other in line.segments)


def _is_other(line: Line) -> bool:
    """Whether a line is prose, or has a footnote mark alone, which stands higher than what it marks."""
    return any(len(each.text) > _LONG or _MARK.fullmatch(each.text) for each in line.segments)


def _is_ruled(lines: Sequence[Line], rules: Sequence[Rule]) -> bool:
    """Whether a rule is drawn among lines, but for below the last of them."""
    last = lines[-1]
    x0, x1 = min(line.x0 for line in lines), max(line.x1 for line in lines)
    return any(lines[0].y < rule.y < last.y - _ABOVE * last.size and rule.x0 < x1 and x0 < rule.x1 for rule in rules)


def _overlap(segment: Segment, other: Segment) -> bool:
    return segment.x0 < other.x1 and other.x0 < segment.x1


def _rows(lines: Sequence[Line], below: Sequence[Line]) -> Sequence[Line]:
    """The lines as one, each of its segments a cell, or as two, where a cell has amounts or years below it; as they are
    where cells are not told apart. below: the line behind them."""
    cells = _cells(lines, [segment.x0 for line in (*lines, *below) for segment in line.segments])
    amounts = [cell for cell in cells if cell.parts[0].is_value]
    above = [cell for cell in cells if any(_is_below(cell, each) for each in amounts)]
    rows = [row for row in (above, [cell for cell in cells if cell not in above]) if row]
    found = [_line(row, max(line.size for line in lines)) for row in rows]
    is_apart = all(left.x1 <= right.x0 for line in found for left, right in pairwise(line.segments))
    return found if is_apart and len(cells) > 1 else lines


def _is_below(cell: _Cell, amount: _Cell) -> bool:
    """Whether an amount stands below a cell of words."""
    return amount.y > cell.y and not cell.parts[0].is_value and _overlap(cell.parts[-1], amount.parts[0])


def _cells(lines: Sequence[Line], begins: Sequence[float]) -> list[_Cell]:
    """The cells of lines, in the order of their first. Amounts are cells of one line. begins: of cells."""
    cells: list[_Cell] = []
    size = max(line.size for line in lines)
    for line in lines:
        for segment in (part for each in line.segments for part in parted_at(each, begins)):
            cell = next((each for each in cells if each.has_room(line.y, segment, size, len(line.segments) == 1)), None)
            if cell is None:
                cell = _Cell(line.y, line.y)
                cells.append(cell)
            cell.parts.append(segment)
            cell.y = line.y
    return cells


def _line(cells: Sequence[_Cell], size: float) -> Line:
    """A line of cells: it stands where its amounts do, else at the last line of them."""
    segments = sorted((Segment([word for part in cell.parts for word in part.words]) for cell in cells), key=_left)
    y = next((cell.y for cell in cells if cell.parts[0].is_value), max(cell.y for cell in cells))
    return Line(y, size, segments, y - min(cell.first for cell in cells), max(cell.y for cell in cells) - y)


def _left(segment: Segment) -> float:
    return segment.x0
