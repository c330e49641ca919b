"""Which columns a line of headers stands over: each header is centred over its own; a rule has one header."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import repeat

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.lines import Line, Segment
from tieout.data.readers.geometry.words import Rule

_NEAR = 2.0  # points
_ALIGNED = 0.75  # points between where two amounts of one column begin
_PERIOD_FREE, _RULED_FREE = 0.6, 4.0  # what it costs to leave a column, or a rule, without a header
_MIDDLE = 1.0  # the same, where nothing but its place says that it is over several columns
_CLOSE = 1.2  # how far off the middle a header may stand, of its size
_YEAR = later(r"\b(?:19|20)\d\d\b")
_FLUSH = 0.45  # how far off the end of its last column a header ends that stands flush right, of its size
_MOST_WAYS = 100_000  # of headers over runs of columns that are weighed: twice those of 30 years


@dataclass(slots=True)
class Column:
    """Where one column stands. begins, ends: where its amounts begin, and where they end, with and without what hangs
    out of it behind them. head: what the line below a header has over it alone, which need not be in the middle of its
    amounts."""

    x0: float
    x1: float
    ends: list[float] = field(default_factory=list)
    head: Segment | None = None
    begins: list[float] = field(default_factory=list)

    @property
    def is_flush_left(self) -> bool:
        """Whether most of its amounts, and two at least, begin below one another."""
        alike = sum(at - self.x0 <= _ALIGNED for at in self.begins)
        return alike > 1 and 3 * alike >= 2 * len(self.begins)

    @property
    def center(self) -> float:
        return (self.x0 + self.x1) / 2

    def shared(self, segment: Segment) -> float:
        """How many points of a segment stand over it."""
        return min(self.x1, segment.x1) - max(self.x0, segment.x0)


def under(columns: Sequence[Column], segment: Segment) -> list[int]:
    """The columns that a segment stands over, by their numbers: those of which `shared` is positive."""
    x0, x1 = segment.x0, segment.x1
    if x0 >= x1:
        return []
    return [at for at, each in enumerate(columns) if each.x0 < x1 and x0 < each.x1 and each.x0 < each.x1]


def rules_below(line: Line, rules: Sequence[Rule], left: float) -> list[Rule]:
    """The rules right below a line that are not under the labels, which end at `left`."""
    return [rule for rule in rules_at(line, rules) if rule.x1 > left and _is_header_rule(rule, line, left)]


def _is_header_rule(rule: Rule, line: Line, left: float) -> bool:
    """Whether a rule is below a header: it begins about where the amounts do, or a text stands in the middle over it,
    as over a column that is wider than its amounts."""
    if rule.x0 > left - 4 * line.size and rule.center > left:
        return True
    return any(abs(each.center - rule.center) <= _NEAR and each.x0 > rule.x0 for each in line.segments)


def rules_at(line: Line, rules: Sequence[Rule]) -> list[Rule]:
    """The rules right below a line."""
    return [rule for rule in rules if -0.1 * line.size <= rule.y - line.y < 0.9 * line.size]


def rules_of_stack(heads: Sequence[Segment], lines: Sequence[Line], rules: Sequence[Rule]) -> list[Rule]:
    """The rules below one of the lines of a header, where each of the heads of a line above it stands in the middle of
    one of them, as in cells of several lines; [] for none. lines: those of the header."""
    for line in lines:
        near = rules_at(line, rules)
        over = [at for head in heads for at, rule in enumerate(near) if abs(rule.center - head.center) <= _NEAR]
        is_below = bool(heads) and line.y > heads[0].words[0].y
        if is_below and len(set(over)) == len(over) == len(heads) and 2 * len(heads) > len(near):  # fewer span several
            return [near[at] for at in over]
    return []


def spread(
    heads: Sequence[Segment],
    columns: Sequence[Column],
    rules: Sequence[Rule],
    is_period: bool,
    stacked: int,
    are_years: bool = False,
) -> list[tuple[int, int]]:
    """The first and the last column of each header of a line.

    rules: those below the line. is_period: the headers are years or days, which mostly hold for several columns.
    stacked: how many of the headers may go on in the line above or below.
    are_years: whether a line of the header has a year over each column.
    """
    if is_period and len(rules) != len(heads) and (runs := _of_groups(heads, columns, are_years)):
        return runs
    if len(rules) >= len(heads):
        ruled = [(rule, each) for rule in rules if (each := _under(rule, columns))]
        if len(ruled) >= len(heads) and _are_few(heads, ruled):
            parts = [Column(rule.x0, rule.x1) for rule, _ in ruled]
            chosen = _partition(heads, parts, _RULED_FREE)
            if all(
                parts[first].x0 - _NEAR < head.center < parts[last].x1 + _NEAR
                for head, (first, last) in zip(heads, chosen, strict=True)
            ):
                return [(ruled[first][1][0], ruled[last][1][-1]) for first, last in chosen]
    if len(heads) <= len(columns) and _are_few(heads, columns):
        chosen = _partition(heads, columns, _PERIOD_FREE)
        is_whole = len(heads) > 1 and sum(last - first + 1 for first, last in chosen) == len(columns)
        may_span = not stacked or (is_whole and stacked < len(heads))
        if is_period or (may_span and _is_centred(heads, columns, chosen)):
            return chosen
    return [_over(head, columns) for head in heads]


def _of_groups(heads: Sequence[Segment], columns: Sequence[Column], are_years: bool) -> list[tuple[int, int]]:
    """The runs of as many columns each that headers stand at the end of: each flush right, so that it ends where its
    last column does and says a year, unless all columns have one; or that they stand at the beginning of, each flush
    left. [] for others."""
    wide = len(columns) // len(heads)
    if wide < 2 or len(columns) % len(heads):
        return []
    runs = [(at * wide, at * wide + wide - 1) for at in range(len(heads))]
    if all(_begins(head, columns[first]) for head, (first, _) in zip(heads, runs, strict=True)):
        return runs
    are_whole = are_years or (len(heads) > 1 and all(_YEAR.search(head.text) for head in heads))
    is_flush = are_whole and all(
        abs(head.x1 - columns[last].x1) < _FLUSH * head.words[0].size and head.x0 > columns[first].x1
        for head, (first, last) in zip(heads, runs, strict=True)
    )
    return runs if is_flush else []


def _begins(head: Segment, column: Column) -> bool:
    """Whether a header begins where a column does, or what stands over that column alone."""
    begins = [column.x0, *([column.head.x0] if column.head else [])]
    return any(abs(head.x0 - at) <= _FLUSH * head.words[0].size for at in begins)


def over_again(heads: Sequence[Segment], columns: Sequence[Column]) -> list[tuple[int, int]]:
    """The runs of columns of the same names in the same order, one below each header, beside others: `Gross`, `Net`,
    `Gross`, `Net` behind `Useful life`. [] for none."""
    names = [column.head.text if column.head else "" for column in columns]
    for wide in range(len(columns) // len(heads), 1, -1) if len(heads) > 1 else ():
        for before in range(len(columns) - wide * len(heads) + 1):
            again = names[before : before + wide * len(heads)]
            runs = [(at, at + wide - 1) for at in range(before, before + len(again), wide)]
            if all(again) and again == again[:wide] * len(heads) and all(map(_is_over, heads, repeat(columns), runs)):
                return runs
    return []


def _is_over(head: Segment, columns: Sequence[Column], run: tuple[int, int]) -> bool:
    """Whether a header stands over one of a run of columns, and over none of the others."""
    inside = under(columns, head)
    return bool(inside) and run[0] <= inside[0] and inside[-1] <= run[1]


def _are_few(heads: Sequence[Segment], parts: Sequence[object]) -> bool:
    return len(heads) * len(parts) ** 2 <= _MOST_WAYS


def _is_centred(heads: Sequence[Segment], columns: Sequence[Column], runs: Sequence[tuple[int, int]]) -> bool:
    """Whether each header that is over several columns stands in the middle of them."""
    return all(
        first == last or abs((columns[first].x0 + columns[last].x1) / 2 - head.center) < _MIDDLE * head.words[0].size
        for head, (first, last) in zip(heads, runs, strict=True)
    )


def _under(rule: Rule, columns: Sequence[Column]) -> list[int]:
    return [at for at, column in enumerate(columns) if rule.x0 - _NEAR <= column.center <= rule.x1 + _NEAR]


def _over(head: Segment, columns: Sequence[Column]) -> tuple[int, int]:
    """The columns of which a header covers more than half, else the nearest."""
    over = [at for at, column in enumerate(columns) if column.shared(head) > 0.5 * (column.x1 - column.x0)]
    nearest = _nearest(head, columns)
    return (over[0], over[-1]) if over else (nearest, nearest)


def _nearest(head: Segment, columns: Sequence[Column]) -> int:
    shares = [column.shared(head) for column in columns]
    if max(shares) > 0:
        return shares.index(max(shares))
    distances = [abs(column.center - head.center) for column in columns]
    return distances.index(min(distances))


def _partition(heads: Sequence[Segment], parts: Sequence[Column], free: float) -> list[tuple[int, int]]:
    """Runs of parts, one a header in order, that cost least: headers off the middle of their run, parts left over."""
    count = len(parts)
    # cheapest[at]: (cost, runs) for the headers so far and the first `at` parts
    cheapest: list[tuple[float, tuple[tuple[int, int], ...]] | None] = [(free * at, ()) for at in range(count + 1)]
    for head in heads:
        following: list[tuple[float, tuple[tuple[int, int], ...]] | None] = [None] * (count + 1)
        for first in range(count):
            before = cheapest[first]
            if before is None:
                continue
            for last in range(first, count):
                found = before[0] + _cost(head, parts[first], parts[last]), (*before[1], (first, last))
                best = following[last + 1]
                if best is None or found[0] < best[0]:
                    following[last + 1] = found
        for at in range(1, count + 1):  # or leave the part without a header
            best, before = following[at], following[at - 1]
            if before is not None and (best is None or before[0] + free < best[0]):
                following[at] = before[0] + free, before[1]
        cheapest = following
    chosen = cheapest[count]
    assert chosen is not None  # there are no more headers than parts
    return list(chosen[1])


def _cost(head: Segment, first: Column, last: Column) -> float:
    size = head.words[0].size
    off = abs((first.x0 + last.x1) / 2 - head.center) / size
    if first is last and first.shared(head) > 0:
        return 0.05 * off
    if first is not last and first.head and last.head:
        off = min(off, abs((first.head.x0 + last.head.x1) / 2 - head.center) / size)
    if first is not last and head.x1 - head.x0 > (last.x1 - first.x0) + 2 * size:
        off += 1.0
    return off if off > _CLOSE else 0.1 * off
