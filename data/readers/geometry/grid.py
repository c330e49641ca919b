"""The lines of a table as rows and columns: columns from where amounts stand below one another, headers from rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf
from statistics import median

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.apart import alike, are_whole
from tieout.data.readers.geometry.lines import VALUE, Line, Segment, ends_bracket, ends_date, is_mark_on, is_year_of
from tieout.data.readers.geometry.spans import Column, over_again, rules_at, rules_below, rules_of_stack, spread, under
from tieout.data.readers.geometry.tables import NOTE, RATIO, YEAR, Region, is_year, says_period, values_of
from tieout.data.readers.geometry.words import CURRENCY, Rule, Word

_NOTE_MARK = r"\((?:[0-9]|[a-z])\)"
_MARK = later(_NOTE_MARK, re.IGNORECASE)
_MARK_BEHIND = later(rf"\s*(?:{_NOTE_MARK}\s*)+$", re.IGNORECASE)
_TOUCHING = 0.4  # of the size: a gap between headers that nearly touch
_BEHIND = 3.0  # of the size: how far behind a label a remark on it may stand
_HALF = 0.3  # of the size: the distance of two parts of one column
_ALIGNED = 6.0  # points between the ends of one column of two tables
_SAME = 0.2  # of the size: between the middles, or the ends, of two lines of one header
_TIGHT = 0.85  # distance of two lines of one label at most, of that of two rows
_JOINS = frozenset(("and", "of", "or", "the", "to"))
_DASHES = frozenset("-–—−")
_SPACE = 0.2  # of the size: between two words
_OPEN_END = later(r"(?:[,–—&/(-]|\b(?:of|and|the|to|for|in|on|from|by|with|or|at|a|an|as|its|than|used|net of))$", re.I)


@dataclass(slots=True)
class Row:
    """One row on its way. cells: texts by column, 0 for the label. words: those of each. repeated: columns whose text
    is printed further left. top, y: of its first and of its last line."""

    top: float
    y: float
    x0: float
    cells: dict[int, str] = field(default_factory=dict)
    words: dict[int, tuple[Word, ...]] = field(default_factory=dict)
    repeated: set[int] = field(default_factory=set)
    has_values: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """rows: texts, all of one length; words: those of each text; repeated: (row, column) of texts that are printed
    once, further left.

    left: where its labels end. begins, ends: the left and the right ends of its columns, but for the labels. heads: how
    many of its rows are above all amounts.
    """

    rows: tuple[tuple[str, ...], ...]
    words: tuple[tuple[tuple[Word, ...], ...], ...]
    repeated: tuple[tuple[int, int], ...]
    left: float = 0.0
    begins: tuple[float, ...] = ()
    ends: tuple[float, ...] = ()
    heads: int = 0


def read_grid(region: Region, rules: Sequence[Rule]) -> Grid:
    """The rows and columns of a table."""
    columns = find_columns(region)
    labels = _label_end(region, columns)
    heads = _headers(region, columns, labels, rules)
    body = [_row(line, columns, labels) for line in region.lines[region.body :]]
    _part_amounts(body, len(columns))
    rows = heads + _merged(body, region)
    width = len(columns) + 1
    _put_over(rows, len(heads), width)
    used = [at for at in range(width) if any(at in row.cells for row in rows)]
    return Grid(
        tuple(tuple(row.cells.get(at, "") for at in used) for row in rows),
        tuple(tuple(row.words.get(at, ()) for at in used) for row in rows),
        tuple((r, c) for r, row in enumerate(rows) for c, at in enumerate(used) if at in row.repeated),
        labels,
        tuple(columns[at - 1].x0 for at in used if at),
        tuple(columns[at - 1].x1 for at in used if at),
        len(heads),
    )


def _put_over(rows: Sequence[Row], heads: int, width: int) -> None:
    """Puts titles over the column beside theirs, where theirs has nothing below and that one has no title: a title of
    two lines may end in a mark, `(1)`, which looks like an amount of a column of its own."""
    while heads < len(rows) and _is_title(rows[heads]):
        heads += 1
    titled, filled = ({at for row in part for at in row.cells} for part in (rows[:heads], rows[heads:]))
    for at in range(1, width):
        beside = [each for each in (at + 1, at - 1) if each in filled - titled and each]
        if at not in titled or at in filled or not beside:
            continue
        titled.add(beside[0])
        for row in rows[:heads]:
            if at in row.cells:
                row.cells[beside[0]], row.words[beside[0]] = row.cells.pop(at), row.words.pop(at, ())


def _is_title(row: Row) -> bool:
    """Whether a row has words behind its label, and no digits but marks of notes: `Segment`, `Footage (1)`, `(1)`."""
    texts = [_MARK.sub("", text) for at, text in row.cells.items() if at]
    return any(map(str.isalpha, "".join(texts))) and not any(map(str.isdigit, "".join(texts)))


def under_periods(grid: Grid, above: Grid) -> Grid:
    """A table without headers under those of one above it on its page, where its columns stand below columns that are
    periods: notes in a row often have their years above the first of them alone, and a table may have some of them."""
    width = len(above.ends)
    if grid.heads or not above.heads or len(grid.rows[0]) - len(grid.ends) != len(above.rows[0]) - width:
        return grid
    over = _columns_over(grid, above)
    heads = [row[-width:] for row in above.rows[: above.heads]]
    if not over or not all(any(says_period(row[at]) for row in heads) for at in over):
        return grid
    first = len(above.rows[0]) - width
    kept = [*range(first), *(first + at for at in over)]
    rows = tuple(tuple(row[at] for at in kept) for row in above.rows[: above.heads])
    again = {
        (r, c)
        for r, row in enumerate(rows)
        for c in range(first + 1, len(kept))
        if (r, kept[c]) in above.repeated and row[c] == row[c - 1]
    }
    return replace(
        grid,
        rows=rows + grid.rows,
        words=tuple(tuple(row[at] for at in kept) for row in above.words[: above.heads]) + grid.words,
        repeated=tuple(sorted(again)) + tuple((r + above.heads, c) for r, c in grid.repeated),
        heads=above.heads,
    )


def _columns_over(grid: Grid, above: Grid) -> list[int]:
    """The columns of a table above that those of one below it end under; [] where they are not all of one of them."""
    width = len(above.ends)
    if len(grid.ends) == width:
        return [*range(width)] if grid.ends and are_aligned(above, grid) else []
    over = [min(range(width), key=lambda at: abs(above.ends[at] - end)) for end in grid.ends]
    are_near = all(abs(above.ends[at] - end) < _ALIGNED for at, end in zip(over, grid.ends, strict=True))
    return over if are_near and 1 < len({*over}) == len(over) else []  # one alone may be anything


def are_aligned(grid: Grid, other: Grid) -> bool:
    """Whether two tables have the same columns: as many, of which two thirds end, or begin, in the same place."""
    sides = ((grid.ends, other.ends), (grid.begins, other.begins))
    most = max(
        sum(abs(at - where) < _ALIGNED for at, where in zip(first, second, strict=False)) for first, second in sides
    )
    return len(grid.ends) == len(other.ends) and 3 * most >= 2 * len(grid.ends)


def find_columns(region: Region) -> list[Column]:
    """The columns of amounts and texts behind the labels, from the left: those of the rows with most amounts first."""
    body = [line for line in region.lines[region.body :] if values_of(line)]
    heads = [line for line in region.lines[: region.body] if values_of(line)]
    columns: list[Column] = []
    for line in sorted(body, key=lambda each: -len(values_of(each))):
        for segment in values_of(line):
            _take(columns, segment)
    for line in heads:  # fewer years than columns stand over several of them each
        for segment in values_of(line) if len(values_of(line)) > len(columns) else ():
            _take(columns, segment)
    for line in body:
        for segment in line.segments[1:]:
            if not segment.is_value and not under(columns, segment):
                _take(columns, segment)
    columns = _without_stray(sorted(columns, key=lambda column: column.x0), region)
    columns = _without_halves(columns, region)
    columns = _without_remark(columns, body)
    return _without_label(columns, body, region.lines[region.body :])


def _without_stray(columns: list[Column], region: Region) -> list[Column]:
    """The columns without those of a single dash that no header stands over: a cell that has two of them."""
    held: list[list[Segment]] = [[] for _ in columns]
    for segment in (each for line in region.lines for each in line.segments):
        if len(over := under(columns, segment)) == 1:
            held[over[0]].append(segment)
    are_stray = [len(each) == 1 and each[0].text in _DASHES for each in held]
    return [column for column, is_stray in zip(columns, are_stray, strict=True) if not is_stray]


def _without_halves(columns: list[Column], region: Region) -> list[Column]:
    """The columns with those put together that nearly touch and of which no row has both: a mark in place of an amount
    may stand beside where the amounts of its column do."""
    size = median(line.size for line in region.lines)
    both: set[tuple[int, int]] = set()
    for line in region.lines[region.body :]:
        filled = {at for value in values_of(line) for at in under(columns, value)}
        both |= {(at - 1, at) for at in filled if at - 1 in filled}
    found = columns[:1]
    for at in range(1, len(columns)):
        if columns[at].x0 - found[-1].x1 < _HALF * size and (at - 1, at) not in both:
            found[-1] = Column(found[-1].x0, columns[at].x1)
        else:
            found.append(columns[at])
    return found


def _without_remark(columns: list[Column], body: Sequence[Line]) -> list[Column]:
    """The columns without the first where that is of one text or mark, which stands right behind the label of its row:
    `Corporate and Financing  (1)`, `Earnings per share  (dollars)`."""
    inside = (
        [line for line in body if any(columns[0].shared(each) > 0 for each in line.segments[1:])] if columns else []
    )
    if len(columns) < 2 or len(inside) != 1 or len(inside[0].segments) < 2:
        return columns
    label, remark = inside[0].segments[:2]
    is_remark = not remark.is_value or _MARK.fullmatch(remark.text) is not None
    is_behind = columns[0].shared(remark) > 0 and remark.x0 - label.x1 < _BEHIND * inside[0].size
    return columns[1:] if is_remark and is_behind else columns


def _take(columns: list[Column], segment: Segment) -> None:
    over = [columns[at] for at in under(columns, segment)]
    if not over:
        columns.append(Column(segment.x0, segment.x1))
    elif len(over) == 1:
        wider = Column(min(over[0].x0, segment.x0), max(over[0].x1, segment.x1))
        if not any(column is not over[0] and min(column.x1, wider.x1) > max(column.x0, wider.x0) for column in columns):
            over[0].x0, over[0].x1 = wider.x0, wider.x1


def _without_label(columns: list[Column], body: Sequence[Line], lines: Sequence[Line]) -> list[Column]:
    """The columns without the first where that is of amounts that label the rows: years down the side."""
    if len(columns) < 2:
        return columns
    first = columns[0]
    starts = [line.segments[0] for line in body]
    labelled = sum(1 for each in starts if not each.is_value and first.shared(each) <= 0)
    labelled += sum(1 for line in lines if line.x1 < first.x0)
    inside = sum(1 for each in starts if first.shared(each) > 0)
    return columns[1:] if not labelled and inside == len(starts) else columns


def _label_end(region: Region, columns: Sequence[Column]) -> float:
    return columns[0].x0 if columns else max(line.x1 for line in region.lines)


def _printed_end(region: Region, labels: float) -> float:
    """Where the longest of the labels ends that stand in front of the first column."""
    ends = (line.segments[0].x1 for line in region.lines[region.body :] if not line.segments[0].is_value)
    return max((end for end in ends if end <= labels), default=labels)


def _row(line: Line, columns: Sequence[Column], labels: float) -> Row:
    row = Row(line.y - line.height, line.y + line.depth, line.segments[0].x0, has_values=bool(values_of(line)))
    for index, segment in enumerate(line.segments):
        at = _column_of(segment, columns, labels, index == 0)
        is_second = at > 0 and segment.is_value and VALUE.fullmatch(row.cells.get(at, "")) is not None
        text = f"; {segment.text}" if is_second else segment.text  # `12 345` would be one number
        _put(row, at, text, segment.words)
    return row


def _part_amounts(rows: Sequence[Row], width: int) -> None:
    """Puts amounts that stand together in one column each in one of its own: those of all of a row that has as many as
    columns, else those of one column with empty ones beside it that other rows fill. A file that tells where they
    begin, and not how wide they are, draws the last of them too far to the left."""
    filled = Counter(at for row in rows for at in row.cells)
    for row in rows:
        parts = {at: _amounts_apart(words) for at, words in row.words.items() if at}
        together = [at for at in sorted(parts) if len(parts[at]) > 1]
        if together and all(parts.values()) and sum(map(len, parts.values())) == width:
            _put_apart(row, range(1, width + 1), [words for at in sorted(parts) for words in parts[at]])
            continue
        for at in together:
            more = len(parts[at]) - 1
            both = (range(at, at + more + 1), range(at - more, at + 1))
            free = [
                each for each in both if each[0] > 0 and each[-1] <= width and not row.cells.keys() & {*each} - {at}
            ]
            best = max(free, key=lambda each: sum(filled[other] for other in each), default=range(0))
            if best and min(filled[other] for other in best) * 2 > filled[at]:
                _put_apart(row, best, parts[at])


def _put_apart(row: Row, places: Sequence[int], parts: Sequence[tuple[Word, ...]]) -> None:
    for at, words in zip(places, parts, strict=False):
        row.cells[at], row.words[at] = " ".join(word.text for word in words), words


def _amounts_apart(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """The words of several amounts and nothing else, each amount with its marks; [] for any others."""
    parts: list[list[Word]] = [[]]
    for word in words:
        begins = word.text[0] in CURRENCY or any(map(str.isdigit, word.text))
        if begins and any(character.isdigit() for each in parts[-1] for character in each.text):
            parts.append([])
        parts[-1].append(word)
    texts = [" ".join(word.text for word in part) for part in parts]
    return [*map(tuple, parts)] if all(VALUE.fullmatch(text) and not _MARK.fullmatch(text) for text in texts) else []


def _put(row: Row, at: int, text: str, words: Iterable[Word]) -> None:
    gap = "" if text.startswith(";") else " "
    row.cells[at] = f"{row.cells[at]}{gap}{text}" if at in row.cells else text
    row.words[at] = (*row.words.get(at, ()), *words)


def _put_all(row: Row, other: Row) -> None:
    """Puts the texts of a row below those of the one above it."""
    for at, text in other.cells.items():
        _put(row, at, text, other.words[at])


def _column_of(segment: Segment, columns: Sequence[Column], labels: float, is_first: bool) -> int:
    """The number of the column of a segment, from 1; 0 for a label."""
    if is_first and not segment.is_value and segment.x0 < labels:
        return 0
    over = under(columns, segment)
    if len(over) == 1:
        return over[0] + 1
    shares = [column.shared(segment) for column in columns]
    if over:
        if segment.is_value:  # amounts end below one another
            ends = [abs(column.x1 - segment.x1) for column in columns]
            return ends.index(min(ends)) + 1
        return shares.index(max(shares)) + 1
    if segment.x1 <= labels or not columns:
        return 0
    return shares.index(max(shares)) + 1


def _headers(region: Region, columns: Sequence[Column], labels: float, rules: Sequence[Rule]) -> list[Row]:
    """The rows of the header, a text over several columns in each of them; lines of one stack are one row."""
    lines = _with_days(region.lines[: region.body])
    printed, widened = _printed_end(region, labels), _widened(columns, lines)
    are_years = any(sum(map(is_year, line.segments)) == len(columns) for line in lines)
    rows: list[Row] = []
    wide: list[bool] = []
    for number, line in enumerate(lines):
        row = Row(line.y, line.y, line.segments[0].x0)
        spans = False
        segments = [part for each in line.segments for part in _split(each, columns, line.size)]
        heads = [each for each in segments if not _is_label(each, columns, labels, rules_at(line, rules))]
        if len(heads) < len(columns) == sum(each.x0 > printed for each in segments):  # set off to the left of amounts
            heads = [each for each in segments if each.x0 > printed]
        if len(heads) == 1 and NOTE.fullmatch(heads[0].text):  # it holds for all of the table
            heads = []
        for segment in segments:
            if segment not in heads:
                _put(row, 0, segment.text, segment.words)
        is_period = all(is_year(each) or says_period(each.text) for each in heads)
        drawn = rules_below(line, rules, labels) or rules_of_stack(heads, lines, rules)
        narrow = [each for each in heads if len(under(columns, each)) < 2]
        near = [*lines[max(0, number - 1) : number], *lines[number + 1 : number + 2]]
        stacked = _stacked(heads, narrow, near)
        below = lines[number + 1].segments if number + 1 < len(lines) else ()
        over = _with_heads(widened, columns, below)
        runs: Sequence[tuple[int, int]] = ()
        is_whole = not any(head.text.endswith(",") for head in heads)  # and no `December 31,` above its year
        if is_period and is_whole and len(drawn) != len(heads):
            called = next((each.segments for each in lines[number + 1 :] if len(each.segments) >= len(columns)), ())
            runs = over_again(heads, _with_heads(widened, columns, called))
        if heads and not runs:
            runs = spread(heads, over, drawn, is_period, stacked, are_years)
        for segment, (first, last) in zip(heads, runs, strict=True):
            spans = spans or last > first
            for at in range(first, last + 1):
                _put(row, at + 1, segment.text, segment.words)
                if at > first:
                    row.repeated.add(at + 1)
        if rows and not spans and not wide[-1]:
            _put_all(rows[-1], row)
        else:
            rows.append(row)
            wide.append(spans)
    return rows


def _with_days(lines: Sequence[Line]) -> list[Line]:
    """The lines of a header with what ends in a month put to its day, where that stands right below it beside other
    headers: `Three months ended June` over `30` and `Six months ended June 30`; and with a note on all of the table
    put together: `(in millions, except` over `per share data)`."""
    found = [replace(line, segments=[*line.segments]) for line in lines]
    for above, line in pairwise(found):
        for at, day in enumerate(line.segments):
            heads = [each for each in above.segments if each.x0 < day.x1 and day.x0 < each.x1]
            if len(heads) != 1:
                continue
            both = Segment([*heads[0].words, *day.words])
            is_day = len(line.segments) > 1 and ends_date(heads[0].text, day.text)
            if is_day or (ends_bracket(day.text, heads[0].text) and NOTE.fullmatch(both.text)):
                line.segments[at] = both
                above.segments.remove(heads[0])
    return [line for line in found if line.segments]


def _stacked(heads: Sequence[Segment], narrow: Sequence[Segment], near: Sequence[Line]) -> int:
    """How many headers of a line may go on in the line above or below: another stands in the middle of it, or ends
    where it does, and is no period of its own. A header over several columns stands over the middle one of them: of a
    line with more headers one at most, unless so many do that are over no two columns that not all can be over three.
    """
    most = 0
    for line in near:
        others = [each for each in line.segments if not is_year(each) and not RATIO.fullmatch(each.text)]
        found = sum(any(_is_same_place(head, other) for other in others) for head in heads)
        fitting = sum(any(_is_same_place(head, other) for other in others) for head in narrow)
        are_stacked = len(others) == len(heads) or (found == fitting and 3 * found > len(others))
        most = max(most, found if are_stacked else min(found, 1))
    return most


def _is_same_place(head: Segment, other: Segment) -> bool:
    near = _SAME * head.words[0].size
    return abs(other.center - head.center) <= near or abs(other.x1 - head.x1) <= near


def _with_heads(widened: Sequence[Column], columns: Sequence[Column], line: Sequence[Segment]) -> list[Column]:
    """The columns with their own headers, where a line has one for each: its middle lies between the columns beside."""
    heads = line[-len(columns) :]
    before, behind = [-inf, *(each.x1 for each in columns)], [*(each.x0 for each in columns[1:]), inf]
    if len(heads) < len(columns) or not all(
        left < head.center < right for left, head, right in zip(before, heads, behind, strict=False)
    ):
        return list(widened)
    return [Column(each.x0, each.x1, each.ends, head) for each, head in zip(widened, heads, strict=True)]


def _widened(columns: Sequence[Column], lines: Sequence[Line]) -> list[Column]:
    """The columns as wide as the headers that stand over one of them alone."""
    found = [Column(column.x0, column.x1) for column in columns]
    for segment in (segment for line in lines for segment in line.segments):
        over = under(columns, segment)
        if len(over) == 1:
            at = over[0]
            left = found[at - 1].x1 if at else segment.x0
            right = found[at + 1].x0 if at + 1 < len(found) else segment.x1
            found[at].x0 = min(found[at].x0, max(segment.x0, left))
            found[at].x1 = max(found[at].x1, min(segment.x1, right))
    return found


def _split(segment: Segment, columns: Sequence[Column], size: float) -> list[Segment]:
    """The headers of neighbouring columns that nearly touch, told apart by a gap that is wider than a space, each in
    the middle of a column of its own, or as they are alike: `Fiscal 2025 Fiscal 2024`. `% change` is one, however wide
    its gap."""
    if len(under(columns, segment)) < 2:
        return [segment]
    same = alike(segment)
    by_gap = _parts(
        segment,
        lambda before, word: (
            word.x0 - before.x1 > _TOUCHING * size and before.text != "%" and not is_mark_on(word, before)
        ),
    )
    for found in (same, by_gap):
        is_of_each = len({_nearest(part, columns) for part in found}) == len(found)
        if len(found) > 1 and is_of_each and are_whole([part.text for part in found]):
            return [each for part in found for each in _split(part, columns, size)]
    return [segment]


def _parts(segment: Segment, is_apart: Callable[[Word, Word], bool]) -> list[Segment]:
    """The words of a segment in runs, parted where that holds for a word and the one behind it."""
    parts = [[segment.words[0]]]
    for before, word in pairwise(segment.words):
        if is_apart(before, word):
            parts.append([word])
        else:
            parts[-1].append(word)
    return [Segment(words) for words in parts]


def _nearest(segment: Segment, columns: Sequence[Column]) -> int:
    """The number of the column whose middle is nearest to that of a segment."""
    return min(range(len(columns)), key=lambda at: abs(columns[at].center - segment.center))


def _is_label(segment: Segment, columns: Sequence[Column], labels: float, rules: Sequence[Rule]) -> bool:
    """Whether a text of the header stands over the labels. rules: those right below it."""
    size = segment.words[0].size
    if not columns or segment.x1 < labels:
        return True
    first = columns[0]
    for rule in rules:  # a wide header over the first column has a rule of its own
        is_own = rule.x0 - 1 <= segment.x0 and segment.x1 <= rule.x1 + 1 and first.x1 <= rule.x1 + 1
        if is_own and (len(columns) == 1 or rule.x1 < columns[1].x0):
            return False
    return segment.x0 < labels - 4 * size and segment.center < labels and abs(segment.x1 - first.x1) > 1


def _merged(rows: list[Row], region: Region) -> list[Row]:
    """The rows with labels that run over several lines put together."""
    steps = [below.top - above.y for above, below in pairwise(rows) if above.has_values and below.has_values]
    pitch = median(steps) if len(steps) > 2 else 0.0
    right = max((word.x1 for row in rows for word in row.words.get(0, ())), default=0.0)
    found: list[Row] = []
    for row, below in zip(rows, [*rows[1:], None], strict=True):
        above = found[-1] if found else None
        if above is not None and (_belongs(above, row, pitch, right) or _ends_label(above, row, below, pitch, right)):
            _put_all(above, row)
            above.has_values = above.has_values or row.has_values
            above.y = row.y
        else:
            found.append(row)
    return found


def _is_bold(row: Row) -> bool:
    return all(word.bold for word in row.words.get(0, ()))


def _belongs(above: Row, row: Row, pitch: float, right: float) -> bool:
    """Whether a row goes on with the one above: the label of one of them is a part of that of the other. right: where
    labels end."""
    upper, lower = above.cells.get(0, ""), row.cells.get(0, "")
    if above.has_values and row.has_values:
        return False
    if len(above.cells) > 1 and len(row.cells) > 1 and not (above.has_values or row.has_values):
        return False
    if not lower:  # amounts alone below their label
        is_near = row.top - above.y < max(1.6 * pitch, 16)
        return bool(upper) and not above.has_values and not upper.endswith(":") and is_near
    if not upper or (row.has_values and (above.cells.keys() & row.cells.keys()) - {0}):
        return False  # the row above has headers over the amounts
    if is_year_of(lower, upper):
        return len(row.cells) == 1
    if above.has_values:
        is_rest = lower[0].islower() or upper.split()[-1] in _JOINS
        return is_rest and len(row.cells) == 1 and (not pitch or row.top - above.y < 1.05 * pitch)
    if upper.endswith(":") or YEAR.fullmatch(upper):
        return False
    if lower[0].islower() or _OPEN_END.search(_MARK_BEHIND.sub("", upper)) or ends_bracket(lower, upper):
        return True
    if _is_bold(above) and not _is_bold(row):
        return False  # a heading: `Diluted Earnings Per Common Share`
    is_tight = bool(pitch) and row.top - above.y < _TIGHT * pitch
    # A heading whose bold letters no picture tells, `Current liabilities`, leaves room.
    return is_tight and row.has_values and row.x0 >= above.x0 - 1 and not _has_room(above, row, right)


def _has_room(above: Row, row: Row, right: float) -> bool:
    """Whether the label of a row ends early enough for the first word of that of the next, as labels end at `right`."""
    last = max(word.y for word in above.words[0])
    end = max(word.x1 for word in above.words[0] if word.y == last)
    first = row.words[0][0]
    return end + first.x1 - first.x0 + _SPACE * first.size <= right


def _ends_label(above: Row, row: Row, below: Row | None, pitch: float, right: float) -> bool:
    """Whether a row is nothing but the next line of the label above it: closer to it than to the row below, where that
    has amounts, and where there was no room for its first word, as labels end at `right`."""
    is_label = set(row.cells) == {0} and 0 in above.cells and above.words[0] and _is_bold(above) == _is_bold(row)
    if not is_label or not row.top - above.y < _TIGHT * pitch or row.x0 < above.x0 - 1:
        return False
    is_nearer = below is None or below.top - row.y > row.top - above.y + 1
    return not _has_room(above, row, right) and (is_nearer or not above.has_values)
