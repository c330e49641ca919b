"""Which lines of a table add up to which: what a total is the total of.

>>> from decimal import Decimal
>>> lines = [[Decimal(n)] for n in (9, 4, 5, 3, 12)]
>>> parts_of(lines, [False, False, False, False, True])  # 9 is of which 4 and 5
{4: [0, 1, 2, 3]}
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

MOST_PARTS = 30  # of one total
MOST_PLACES = 12  # of each line that are added up
MOST_LINES = 400  # a longer list is no statement
FEWEST_PARTS = 2
_SHARE = 0.6  # of the amounts of a total that have to be the sum of its parts

Amounts = Sequence[Decimal | None]
Integers = list[int | None]


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

    def __init__(self, lines: Sequence[Amounts], are_totals: Sequence[bool]) -> None:
        decimals = [[_decimals(amount) for amount in line[:MOST_PLACES]] for line in lines]
        finest = max((each for line in decimals for each in line), default=0)
        self.lines: list[Integers] = [
            [None if amount is None else int(amount.scaleb(finest)) for amount in line[:MOST_PLACES]] for line in lines
        ]
        self.units = [[10 ** (finest - each) for each in line] for line in decimals]  # of rounding
        self.are_totals = are_totals
        self.inner: dict[int, int] = {}  # behind a line, how many right below it add up to it

    def addends(self, before: Sequence[int], total: int) -> list[int] | None:
        """The most of the last lines that add up to a total, with or without what is `of which`."""
        for first in range(len(before) - FEWEST_PARTS + 1):
            group = list(before[first:])
            if self._add_up(group, total):
                return group
            outer = self._outer(group)
            if FEWEST_PARTS <= len(outer) < len(group) and self._add_up(outer, total):
                return group
        return None

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

    def _add_up(self, parts: Sequence[int], total: int) -> bool:
        """Whether lines add up to a total in most places that have one, up to rounding."""
        right = counted = 0
        for place, whole in enumerate(self.lines[total]):
            said = [amount for part in parts if (amount := self.lines[part][place]) is not None]
            if whole is None or not said:
                continue
            counted += 1
            allowed = len(said) * self.units[total][place] // 2
            right += abs(sum(said) - whole) <= allowed and any(said) and whole != 0
        return right > 0 and right >= _SHARE * counted


def _decimals(amount: Decimal | None) -> int:
    """How many digits of an amount stand behind the point."""
    return 0 if amount is None else max(0, -int(amount.as_tuple().exponent))
