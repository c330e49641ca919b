"""Which lines of a table add up to which: what a total is the total of, what is taken off on the way to a result.

>>> from decimal import Decimal
>>> lines = [[Decimal(n)] for n in (9, 4, 5, 3, 12)]
>>> parts_of(lines, [False, False, False, False, True])  # 9 is of which 4 and 5
{4: [0, 1, 2, 3]}
>>> addends_of(lines, [False, False, False, False, True])
{4: [(1, 0), (1, 3)]}
>>> statement = [[Decimal(n), Decimal(m)] for n, m in ((100, 90), (60, 57), (40, 33), (15, 12), (25, 21))]
>>> addends_of(statement, [False, False, True, False, True])  # cost is printed without a sign
{2: [(1, 0), (-1, 1)], 4: [(1, 2), (-1, 3)]}
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import product

MOST_PARTS = 30  # of one total
MOST_PLACES = 12  # of each line that are added up
MOST_LINES = 400  # a longer list is no statement
FEWEST_PARTS = 2
MOST_OF, HALF = 0.6, 0.5  # shares of the amounts of a total that have to be the sum of its parts

MOST_SIGNED = 8  # lines between two results of a statement whose signs are looked for
FEWEST_PLACES = 2  # in which lines with signs of their own have to add up: in one they may by chance

Amounts = Sequence[Decimal | None]
Integers = list[int | None]
Addends = list[tuple[int, int]]  # 1 or -1, and the place of a line


def addends_of(lines: Sequence[Amounts], are_totals: Sequence[bool], share: float = MOST_OF) -> dict[int, Addends]:
    """For each line that is a total or a result of lines in front of it, these, each with the sign it is added with.

    lines, are_totals: as for `parts_of`. share: of the amounts of a total that have to be the sum. What is `of which`
    is no addend. Where lines as printed do not add up, some may be taken off (`cost of sales` without brackets).
    """
    if len(lines) > MOST_LINES:
        return {}
    adder = _Adder(lines, are_totals, share)
    found: dict[int, Addends] = {}
    open_lines: list[int] = []
    for at in range(len(lines)):
        if are_totals[at]:
            before = open_lines[-MOST_PARTS:]
            parts = [(1, part) for part in adder.outer_addends(before, at)] or adder.signed(before, at)
        else:
            parts = [(1, part) for part in adder.right_above(at)]
        if parts:
            found[at] = parts
            open_lines = [each for each in open_lines if each < parts[0][1]]
        open_lines.append(at)
    return found


def parts_of(lines: Sequence[Amounts], are_totals: Sequence[bool]) -> dict[int, list[int]]:
    """For each line that is a total of lines in front of it, these, in order, with what they have as `of which`.

    lines: the amounts of each, in as many places, None for none. A total counts as a part of the next total.
    """
    if len(lines) > MOST_LINES:
        return {}
    adder = _Adder(lines, are_totals)
    found: dict[int, list[int]] = {}
    open_lines: list[int] = []
    for at in range(len(lines)):
        if are_totals[at] and (parts := adder.addends(open_lines[-MOST_PARTS:], at)):
            found[at] = parts
            open_lines = [each for each in open_lines if each < parts[0]]
        open_lines.append(at)
    return found


class _Adder:
    """Adds lines up, in integers of the finest unit that is printed in them."""

    def __init__(self, lines: Sequence[Amounts], are_totals: Sequence[bool], share: float = MOST_OF) -> None:
        decimals = [[_decimals(amount) for amount in line[:MOST_PLACES]] for line in lines]
        finest = max((each for line in decimals for each in line), default=0)
        self.lines: list[Integers] = [
            [None if amount is None else int(amount.scaleb(finest)) for amount in line[:MOST_PLACES]] for line in lines
        ]
        self.units = [[10 ** (finest - each) for each in line] for line in decimals]  # of rounding
        self.are_totals, self.share = are_totals, share
        self.inner: dict[int, int] = {}  # behind a line, how many right below it add up to it

    def addends(self, before: Sequence[int], total: int) -> list[int]:
        """The most of the last lines that add up to a total, with what is `of which`; [] for none."""
        return next((group for group, _ in self._groups(before, total)), [])

    def outer_addends(self, before: Sequence[int], total: int) -> list[int]:
        """The last lines, without what is `of which`, that add up to a total in the most places; [] for none. A place
        where but one of them has an amount, which is that of the total, tells nothing."""
        best, most = [], 0
        for _, added in self._groups(before, total):
            told = sum(self._adds_up_in(place, added, total) for place in range(len(self.lines[total])))
            if told > most:
                best, most = added, told
        return best

    def right_above(self, line: int) -> list[int]:
        """The fewest lines right above one, not called a total, that add up to it in all its places; [] for none."""
        places = [place for place, amount in enumerate(self.lines[line]) if amount]
        if len(places) < FEWEST_PLACES:
            return []
        whole, unit = self.lines[line][places[0]] or 0, self.units[line][places[0]]
        made = 0
        for first in range(line - 1, max(-1, line - MOST_SIGNED - 1), -1):
            made += self.lines[first][places[0]] or 0
            is_near = 2 * abs(made - whole) <= (line - first) * unit  # seldom: only then the other places are looked at
            if is_near and all(self._adds_up_in(place, range(first, line), line) for place in places):
                return list(range(first, line))
        return []

    def _adds_up_in(self, place: int, parts: Sequence[int], total: int) -> bool:
        """Whether lines add up to a total in one place, where two of them at least have an amount."""
        said = [amount for part in parts if (amount := self.lines[part][place]) is not None]
        whole = self.lines[total][place]
        allowed = len(said) * self.units[total][place] // 2
        return whole is not None and len(said) >= FEWEST_PARTS and abs(sum(said) - whole) <= allowed

    def _groups(self, before: Sequence[int], total: int) -> Iterator[tuple[list[int], list[int]]]:
        """The groups of last lines that add up to a total, and those of each that are added."""
        for first in range(len(before) - FEWEST_PARTS + 1):
            group = list(before[first:])
            if self._add_up(group, total):
                yield group, group
                continue
            outer = self._outer(group)
            if FEWEST_PARTS <= len(outer) < len(group) and self._add_up(outer, total):
                yield group, outer

    def signed(self, before: Sequence[int], total: int) -> Addends:
        """The fewest of the last lines that make a result where some are taken off; [] for none, or where too few
        places tell."""
        if sum(each is not None for each in self.lines[total]) < FEWEST_PLACES:
            return []
        for count in range(FEWEST_PARTS, min(len(before), MOST_SIGNED) + 1):
            group = list(before[-count:])
            for signs in product((1, -1), repeat=count - 1):
                if self._add_up(group, total, (1, *signs), FEWEST_PLACES):
                    return list(zip((1, *signs), group, strict=True))
        return []

    def _outer(self, group: Sequence[int]) -> list[int]:
        """The lines of a group without those right below a line whose sum they are."""
        kept, at = [], 0
        while at < len(group):
            kept.append(group[at])
            at += 1 + self._below(group[at])
        return kept

    def _below(self, line: int) -> int:
        if line not in self.inner:
            found, below = 0, []
            for other in range(line + 1, min(len(self.lines), line + 1 + MOST_PARTS)):
                if self.are_totals[other]:
                    break
                below.append(other)
                if len(below) >= FEWEST_PARTS and self._add_up(below, line):
                    found = len(below)
                    break
            self.inner[line] = found
        return self.inner[line]

    def _add_up(self, parts: Sequence[int], total: int, signs: Sequence[int] = (), least: int = 1) -> bool:
        """Whether lines add up to a total in most places that have one, up to rounding.

        signs: of each part; () for all 1. least: the number of places in which they have to.
        """
        right = counted = 0
        for place, whole in enumerate(self.lines[total]):
            said = [
                amount * (signs[at] if signs else 1)
                for at, part in enumerate(parts)
                if (amount := self.lines[part][place]) is not None
            ]
            if whole is None or not said:
                continue
            counted += 1
            allowed = len(said) * self.units[total][place] // 2
            right += abs(sum(said) - whole) <= allowed and any(said) and whole != 0
        return right >= least and right >= self.share * counted


def _decimals(amount: Decimal | None) -> int:
    """How many digits of an amount stand behind the point."""
    return 0 if amount is None else max(0, -int(amount.as_tuple().exponent))
