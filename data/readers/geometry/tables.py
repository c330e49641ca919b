"""Which lines of a page are tables: rows of amounts below one another, with the headers above them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.apart import HANGS, part_heads
from tieout.data.readers.geometry.lines import Line, Segment, is_year_of
from tieout.data.readers.geometry.spans import Column, rules_below
from tieout.data.readers.geometry.words import Rule

_MOST_BETWEEN = 8  # lines without an amount between two rows
_MOST_PITCH = 100  # lines that tell how far rows stand apart: more than a page has
_NOTE_MARK = later(r"\((?:[a-z]|[0-9]{1,2})\)\s|\*{1,3}\s", re.IGNORECASE)
_NUMBERED = later(r"(?:(?i:note)\s+)?[0-9]{1,2}[.:]?\s+[^\W\d_a-z]")
_MARK = later(r"\((?:[a-z]|[0-9]{1,2})\)(?: ?\((?:[a-z]|[0-9]{1,2})\))*", re.IGNORECASE)
_LARGER = 1.05  # type of a heading, of that of the rows above it
_SMALL = 0.9  # type of a mark, of that of its line
_HEADING, _TIGHT = 2, 1.8  # lines of a heading in the labels; their distance at most, of the size
_SENTENCE = 50  # letters of a line of a note
_LONG = 90  # letters of a line that is no header
MOST_HEADERS = 12  # lines of a header
_MOST_LABELS = 4  # labels alone between two lines of a header
_WRAPPED = 1.17  # distance of two lines of one label at most, of the size
YEAR = later(r"(?:(?:FY|fiscal|year)\s?'?)?(?:19|20)\d\d\s?[AE]?(?:\s?\(\w{1,2}\))?", re.IGNORECASE)
# `21/20`, `2021 vs. 2020`: from which year to which a column tells the change.
RATIO = later(r"(?:\d\d|\d{4})\s?(?:/|vs\.?|versus)\s?(?:\d\d|\d{4})", re.IGNORECASE)
_OF_YEARS = later(
    rf"\b(?:change|increase|decrease|variance|difference|growth|total|average)\b|%|^{RATIO.pattern}$", re.IGNORECASE
)
_LOOSE = 2.7  # distance of rows that still belong together, of the usual one
_HEADER, _FAR_HEADER = 2.4, 3.6  # distance of a header from what it is over, of the size: any, one over columns
_FLUSH = 2.0  # points
_LOOSER = 1.8  # distance of a title to the headers below it at least, of that of these from one another
_STACK = 1.35  # distance of two lines of one header at most, of the size
_PERIOD = later(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|ended|ending|months?|weeks|quarters?|half|years?|fiscal|as of|"
    r"(?:19|20)\d\d)\b",
    re.IGNORECASE,
)

_NAMES_A_STATEMENT = later(
    r"\bconsolidated (?:statements?|balance sheets?|schedules?|results)\b|\bbalance sheets?$"
    r"|\bstatements? of (?:income|operations|earnings|(?:other )?comprehensive|cash flows?"
    r"|financial (?:position|condition)|changes in|(?:share|stock)(?:holders|owners)|equity)\b",
    re.IGNORECASE,
)

# A header that holds for all of a table.
NOTE = later(r"\((?=[^\n]{0,300}\b(?:thousands?|millions?|billions?|000s?|except)\b)[^\n]{0,600}\)", re.IGNORECASE)


@dataclass(slots=True)
class Region:
    """The lines of one table. body: the number of the first one that is no header."""

    lines: list[Line]
    body: int


def is_year(segment: Segment) -> bool:
    """Whether a segment is a year and nothing else."""
    return bool(YEAR.fullmatch(segment.text))


def values_of(line: Line) -> list[Segment]:
    """The amounts of a line that stand behind a label or beside each other."""
    values = [segment for segment in line.segments if segment.is_value and not _is_mark(segment, line)]
    if len(line.segments) > 1 and (len(values) > 1 or (values and values[0] is not line.segments[0])):
        return values
    return []


def _is_mark(segment: Segment, line: Line) -> bool:
    """Whether a segment is a footnote mark on a text above it, printed smaller than its line."""
    small = all(word.size < _SMALL * line.size for word in segment.words)
    return small and bool(_MARK.fullmatch(segment.text))


def is_heads(line: Line) -> bool:
    """Whether the amounts of a line are years, as in a header: with nothing or no amount in front of them, and behind
    them nothing or columns of their changes."""
    values = values_of(line)
    if not values or not all(is_year(value) for value in values):
        return False
    behind = [each for each in line.segments[line.segments.index(values[-1]) + 1 :] if not _is_mark(each, line)]
    return not behind or (len(values) > 1 and all(_OF_YEARS.search(each.text) for each in behind))


def find_tables(lines: Sequence[Line], rules: Sequence[Rule] = ()) -> list[Line | Region]:
    """The lines of a page in order, those of tables gathered. rules: those drawn on the page."""
    found: list[Line | Region] = []
    lines = list(lines)
    at = done = 0
    while at < len(lines):
        if not values_of(lines[at]):
            at += 1
            continue
        end = _end(lines, at)
        rows = [line for line in lines[at:end] if values_of(line)]
        if (len(rows) < 2 and len(values_of(lines[at])) < 2) or all(map(is_heads, rows)):
            at = end
            continue
        start = _start(lines, at, end, done, rules)
        found += lines[done:start]
        left = _left(rows)
        bodies = (index for index in range(at, end) if values_of(lines[index]) and not is_heads(lines[index]))
        body = next((index for index in bodies if not _has_par(lines[index], left)), at)
        while body > start and _is_subheading(lines[body - 1], left):
            body -= 1
        found.append(Region(list(lines[start:end]), body - start))
        at = done = end
    return found + list(lines[done:])


def _has_par(line: Line, left: float) -> bool:
    """Whether a line is one of headers, of which some say a price, with nothing over the labels: `Stock, $0.01`,
    `$0.01`, `Additional`."""
    are_few = 2 * sum(segment.is_value for segment in line.segments) < len(line.segments)
    return are_few and line.segments[0].center > left - 4 * line.size and not line.segments[0].is_value


def _is_subheading(line: Line, left: float) -> bool:
    """Whether a line above the first row is a heading in the column of labels, and no note on all of the table."""
    return line.x1 < left and not line.text.startswith("(") and not values_of(line)


@dataclass(slots=True)
class _Edge:
    """Where the amounts of rows begin: the left end of the leftmost that stands behind a label; years where there is
    nothing else."""

    amounts: float = inf
    years: float = inf

    def add(self, line: Line) -> None:
        """Takes in another row."""
        for value in values_of(line):
            if value is not line.segments[0]:
                if is_year(value):
                    self.years = min(self.years, value.x0)
                else:
                    self.amounts = min(self.amounts, value.x0)

    @property
    def left(self) -> float:
        found = self.years if self.amounts == inf else self.amounts
        return 0.0 if found == inf else found


def _left(lines: Sequence[Line]) -> float:
    """Where the amounts of these rows begin."""
    edge = _Edge()
    for line in lines:
        edge.add(line)
    return edge.left


def _crosses(line: Line, left: float) -> bool:
    """Whether a line runs from the labels into the amounts, as prose does."""
    return any(
        segment.x0 < left - line.size and segment.x1 > left + 1.5 * line.size and not segment.is_value
        for segment in line.segments
    )


def _end(lines: Sequence[Line], first: int) -> int:
    """The line behind the last row of the table whose first amounts stand in line `first`."""
    last, edge = first, _Edge()
    edge.add(lines[first])
    has_body = not is_heads(lines[first])
    at = first + 1
    while at < len(lines) and at - last <= _MOST_BETWEEN:
        line, left = lines[at], edge.left
        if line.y - lines[at - 1].y > _LOOSE * _pitch(lines[max(first, last - _MOST_PITCH) : last + 1]):
            break
        if values_of(line):
            if has_body and is_heads(line):
                break
            has_body = has_body or not is_heads(line)
            edge.add(line)
            last = at
        elif not has_body:
            if len(line.segments) == 1 and len(line.text) > _LONG:
                break
        elif (
            _restarts(line, left)
            or _is_note(line)
            or _is_numbered_heading(line, lines[last])
            or (_crosses(line, left) and not _leads_rows(lines, at))
        ):
            break
        at += 1
    at = last + 1
    if at < len(lines) and _is_rest(lines[at], lines[last], edge.left):
        at += 1
    return at


def _leads_rows(lines: Sequence[Line], at: int) -> bool:
    """Whether a line is the heading of rows right below it, however long, and no sentence in front of another table:
    `Adjustments to reconcile net income to net cash provided by operating activities:`, `NONCURRENT LIABILITIES`."""
    for above, line, below in zip(lines[at - 1 :], lines[at : at + _HEADING], lines[at + 1 :], strict=False):
        is_near = max(below.y - line.y, line.y - above.y) < _TIGHT * line.size
        if not is_near or len(line.segments) > 1 or values_of(line) or line.text.endswith("."):
            return False
        if line.text.endswith(":") or line.text.isupper():
            return bool(values_of(below)) and not is_heads(below)
    return False


def _is_note(line: Line) -> bool:
    """Whether a line without amounts is a note below the rows: a mark, and a sentence."""
    is_sentence = len(line.segments) == 1 and len(line.text) >= _SENTENCE and line.text[-1] in ".:"
    return is_sentence and bool(_NOTE_MARK.match(line.text))


def _is_numbered_heading(line: Line, row: Line) -> bool:
    """Whether a line without amounts is the heading of a note, in larger or bolder letters than the row above it:
    `3 Financial expenses`."""
    stands_out = line.size > _LARGER * row.size or (_is_bold(line) and not _is_bold(row))
    return stands_out and bool(_NUMBERED.match(line.text))


def _is_bold(line: Line) -> bool:
    return all(word.bold for segment in line.segments for word in segment.words)


def _restarts(line: Line, left: float) -> bool:
    """Whether a line without amounts names columns, or periods over them: the header of another table."""
    if all(_MARK.fullmatch(each.text) for each in line.segments):
        return False  # footnote marks on the amounts below
    are_many = len(line.segments) > 1
    heads = line.segments[1:] if are_many and NOTE.fullmatch(line.segments[0].text) else line.segments
    if are_many and all(says_period(each.text) for each in heads):
        return True  # over other columns than those above
    return line.segments[0].x0 > left - 3 * line.size and (are_many or says_period(line.text))


def _pitch(lines: Sequence[Line]) -> float:
    """The usual distance of the rows of a table."""
    size = median(line.size for line in lines)
    steps = [below.y - above.y for above, below in pairwise(lines)]
    return max(median(steps) if len(steps) > 2 else 0.0, 1.4 * size)


def _is_rest(line: Line, above: Line, left: float) -> bool:
    """Whether a line is the end of the label in the row above it."""
    text = line.text
    return (
        len(line.segments) == 1
        and (text[:1].islower() or is_year_of(text, above.segments[0].text))
        and line.y - above.y < 1.35 * above.size
        and line.x1 < left
        and above.segments[0].x0 <= line.x0 + 1
    )


def _columns(rows: Sequence[Line]) -> list[Column]:
    """Where the amounts of rows stand below one another."""
    columns: list[Column] = []
    for value in sorted((each for row in rows for each in values_of(row)), key=lambda each: each.x0):
        if columns and value.x0 < columns[-1].x1:
            columns[-1].x1 = max(columns[-1].x1, value.x1)
        else:
            columns.append(Column(value.x0, value.x1))
        columns[-1].ends += _ends_of(value)
        columns[-1].begins.append(value.x0)
    return columns


def _ends_of(value: Segment) -> list[float]:
    """Where an amount ends: a percent sign or a closing bracket may hang out of its column."""
    digits = [word for word in value.words if any(map(str.isdigit, word.text))]
    found = [value.x1, *(word.x1 for word in digits[-1:])]
    return found + [word.x1 - HANGS * word.size for word in digits[-1:] if word.text.endswith(")")]


def _start(lines: list[Line], first: int, end: int, done: int, rules: Sequence[Rule]) -> int:
    """The first of the header lines above the first row; those that run together are parted."""
    rows = [line for line in lines[first:end] if values_of(line)]
    columns = _columns(rows)
    left, edge = _left(rows), min(line.x0 for line in rows)
    right = max(line.x1 for line in rows)
    start, at, labels = first, first - 1, 0
    while at >= done and first - at <= MOST_HEADERS:
        below = lines[at + 1]
        is_head = start <= at + 1 < first or is_heads(below)
        is_stacked = is_head and below.y - below.height - lines[at].y < _STACK * below.size
        line = lines[at] = part_heads(lines[at], columns, below if is_stacked else None)
        if _is_title(line) and not (line.x1 < left and at > done and _dates(lines[at - 1], columns, left)):
            break  # in the middle of the page, or beside the name of the company, and not of the columns below it
        is_over = _is_over(line, columns)
        loosest = _FAR_HEADER if is_over else _HEADER
        is_beside = line.x1 > right + 3 * line.size and not (is_over or _is_flush(line.segments[-1], columns[-1]))
        apart = below.y - below.height - line.y
        if apart > loosest * max(line.size, below.size) or is_beside:
            break
        is_ruled = bool(rules_below(line, rules, left))
        is_far = start == at + 1 < first - 1 and apart > _LOOSER * (lines[start + 1].y - below.y)
        if is_far and not (is_over or is_ruled) and _is_plain(line):
            break  # a title in the middle of the page
        if all(segment.x1 < left for segment in line.segments):  # labels belong to it where more stands above them
            labels += apart > _WRAPPED * line.size
            if labels > _MOST_LABELS:
                break
        elif _is_header(line, edge, left, right, is_over, is_ruled):
            start, labels = at, 0
        else:
            break
        at -= 1
    return start


def _is_title(line: Line) -> bool:
    """Whether a line is the name of a statement, with nothing beside it that says of when it is."""
    title, *beside = line.segments
    is_name = len(beside) < 2 and _NAMES_A_STATEMENT.search(title.text) and not NOTE.search(line.text)
    return bool(is_name) and not any(each.is_value or says_period(each.text) for each in beside)


def _is_plain(line: Line) -> bool:
    """Whether a line is one text that says neither when nor in what unit."""
    return len(line.segments) == 1 and not (says_period(line.text) or NOTE.search(line.text))


def _dates(line: Line, columns: Sequence[Column], left: float) -> bool:
    """Whether a line says of when columns are, and nothing over the labels: the name of a statement below it is a
    sub-heading of its rows."""
    heads = part_heads(line, columns).segments
    return heads[0].center > left - 4 * line.size and all(says_period(head.text) for head in heads)


def _is_flush(head: Segment, column: Column) -> bool:
    """Whether a header, which may be wider than the amounts below it, begins where they do."""
    return abs(head.x0 - column.x0) < _FLUSH and column.is_flush_left


def _is_over(line: Line, columns: Sequence[Column]) -> bool:
    """Whether a line has texts over several columns, each above all over one of its own, and nothing else but one over
    labels."""
    labels = int(bool(columns) and line.segments[0].x1 < columns[0].x0)
    shares = [[column.shared(each) for column in columns] for each in line.segments[labels:]]
    over = {each.index(max(each)) for each in shares if max(each) > 0}
    return len(shares) > 1 and len(over) == len(shares)


def _is_header(line: Line, edge: float, left: float, right: float, is_over: bool, is_ruled: bool) -> bool:
    """Whether a line stands over the amounts, which reach from left to right, and not over the labels from edge on.

    is_over: each of its texts is above a column of its own. is_ruled: there is a rule below it.
    """
    heads = [segment for segment in line.segments if segment.x1 >= left]
    if not is_over and any(segment.x1 - segment.x0 > 0.6 * (right - edge) for segment in heads):
        return False
    if len(heads) > 1 or heads[0].x0 > left - 3 * line.size:
        return all(segment.center > left - 4 * line.size for segment in heads)
    off = abs(heads[0].center - (left + right) / 2) / line.size
    if NOTE.fullmatch(heads[0].text) or says_period(heads[0].text):
        return off < 8
    return is_ruled and off < 3 and heads[0].x0 > edge + 0.2 * (left - edge)


def says_period(text: str) -> bool:
    """Whether a text names months, years or parts of them."""
    return bool(_PERIOD.search(text))
