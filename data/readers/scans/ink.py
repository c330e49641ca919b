"""What of a page only its picture tells: the rules drawn on it, and how large its letters are.

A rule tells which columns a header stands over. The box of a word is up to twice as high as its letters, and of another
height beside them for a long label and a short number: its ink is measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Any, NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.words import Rule
from tieout.data.readers.scans.engine import Sign

_LEAST = 16.0  # points: no stroke of a letter of running text is as long
_THIN = 2.5  # points; what is thicker is a bar or a ground
_DASH = 2.5, 14.0  # points of a dash in place of an amount, the short one is a hyphen
_MIDDLE = 0.2  # of the height of a row: how far from its middle a dash may stand
_NEAR = 0.2  # of that height, above and below: what is there may belong to other rows
_DARK = 0.6  # of the way from the darkest to the lightest: the ground of every other row is lighter
_FEW = 3  # marks whose shapes are looked for
_LEAST_ALIKE = 0.6  # of the ink of two marks is common to both
_GROWN = 1.35  # how much larger one of them may be
_AMOUNT = later(r"\(?\d")
MARK = later(r"(?:\([0-9a-z]{1,2}\))+")
_TALL = later(r"[A-Zbdfhklt0-9]")  # letters as high as digits
_LOW = later(r"[^\w%]|[gjpqyQJ_]")  # signs that reach below the line, or stand high above it
_STRONG = 0.3  # of the ink of a usual row: the tail of a comma has less
_OF_CAPITALS, _OF_BRACKETS = 1.62, 1.28  # size of letters, from the line to the next, of the height of such a sign


class _Run(NamedTuple):
    """A dark stretch in pixels: its ends, and its first and last row."""

    x0: int
    x1: int
    top: int
    foot: int


class Letters(NamedTuple):
    """x0, x1: where a word begins and ends; foot: its line; size: of its letters, None where they do not tell it."""

    x0: float
    x1: float
    foot: float
    size: float | None


class Ink:
    """Where a picture is dark, and its rules in points, from top to foot. points: of a pixel."""

    def __init__(self, picture: Any, points: float) -> None:  # noqa: ANN401 - an array of pixels
        grey = picture.reshape(*picture.shape[:2], -1).mean(axis=2)
        darkest, lightest = float(grey.min()), float(grey.max())
        self.dark = grey < darkest + _DARK * (lightest - darkest)
        self.points = points
        runs = _runs(self.dark, round(_LEAST / points))
        self.rules = [
            Rule(each.x0 * points, each.x1 * points, (each.top + each.foot + 1) / 2 * points)
            for each in runs
            if each.foot - each.top < _THIN / points
        ]
        for each in runs:  # what is below a word is no part of it
            self.dark[each.top : each.foot + 1, each.x0 : each.x1] = False

    def dashes(self, line: Sequence[Sign]) -> list[Sign]:
        """The dashes in place of amounts on a line of words and beside it, which engines pass over: short strokes with
        white all around. line: the words of one row."""
        top, foot = _edges(line)
        strip = self.dark[top:foot]
        near = round(_NEAR * len(strip))
        found = []
        for run in _runs(strip, round(_DASH[0] / self.points)):
            is_short = run.x1 - run.x0 < _DASH[1] / self.points and run.foot - run.top < _THIN / self.points
            is_read = any(run.x0 < each.x1 and each.x0 < run.x1 for each in line)
            is_middle = abs((run.top + run.foot) / 2 - len(strip) / 2) < _MIDDLE * len(strip)
            around = strip[near : len(strip) - near, max(0, run.x0 - 2) : run.x1 + 2].sum()
            if (
                is_short
                and is_middle
                and not is_read
                and around == strip[run.top : run.foot + 1, run.x0 : run.x1].sum()
            ):
                found.append(Sign("—", run.x0, top, run.x1, foot, Decimal(1)))
        return found

    def marks(self, line: Sequence[Sign], others: Sequence[Sign]) -> list[Sign]:
        """The marks of money on a line of words that engines pass over: ink in front of an amount, of the shape that a
        mark has. others: marks that were read, with the surest first."""
        top, foot = _edges(line)
        near = round(_NEAR * (foot - top))
        shapes = [self._shape(other, 0) for other in others[:_FEW]]
        found: list[Sign] = []
        for x0, x1 in _parts(self.dark[top + near : foot - near].any(axis=0)) if shapes else ():
            sign = Sign("$", x0, top, x1, foot, others[0].sure)
            is_read = any(each.x0 < x1 and x0 < each.x1 for each in line)
            behind = min((each for each in line if each.x0 >= x1), key=lambda each: each.x0, default=None)
            if not is_read and behind and _AMOUNT.match(behind.text):
                shape = self._shape(sign, near)
                if any(_alike(shape, each) > _LEAST_ALIKE for each in shapes):
                    found.append(sign)
        return found

    def _shape(self, sign: Sign, near: int) -> Any:  # noqa: ANN401 - an array
        """The ink of a sign without what is white around it. near: rows above and below that are none of its own."""
        dark = self.dark[round(sign.y0) + near : round(sign.y1) - near, round(sign.x0) : round(sign.x1)]
        rows = dark.any(axis=1).nonzero()[0]
        return dark[rows[0] : rows[-1] + 1] if len(rows) else dark

    def letters(self, line: Sequence[Sign]) -> list[Letters]:
        """Where the letters of each word of a line stand, in pixels: two words are parted by the widest gap between
        their middles. [] where there is no ink."""
        left, right = max(0, round(line[0].x0)), round(line[-1].x1)
        top, foot = _edges(line)
        rows = _band(self.dark[top:foot, left:right].sum(axis=1), least=1.0)
        if rows is None:
            return []
        inked = self.dark[top + rows[0] : top + rows[1] + 1, left:right].any(axis=0).nonzero()[0] + left
        middles = [(each.x0 + each.x1) / 2 for each in line]
        gaps = [_widest(inked, before, behind) for before, behind in pairwise(middles)]
        starts = [int(inked[0]), *(start for _, start in gaps)]
        ends = [*(end for end, _ in gaps), int(inked[-1]) + 1]
        return [self._word(each, x0, x1, top, foot) for each, x0, x1 in zip(line, starts, ends, strict=True)]

    def _word(self, sign: Sign, x0: int, x1: int, top: int, foot: int) -> Letters:
        rows = self.dark[top:foot, x0:x1].sum(axis=1)
        band = _band(rows, _STRONG * float(rows[rows > 0].mean()) if _LOW.search(sign.text) and rows.any() else 1.0)
        if band is None:
            return Letters(x0, x1, foot, None)
        high = _OF_BRACKETS if MARK.fullmatch(sign.text) else _OF_CAPITALS
        size = high * (band[1] - band[0] + 1) if _TALL.search(sign.text) else None
        return Letters(x0, x1, top + band[1] + 1, size)


def _edges(line: Sequence[Sign]) -> tuple[int, int]:
    """The first row of pixels of a line of words, and the one behind the last."""
    return max(0, round(min(each.y0 for each in line))), round(max(each.y1 for each in line))


def _parts(inked: Any) -> list[tuple[int, int]]:  # noqa: ANN401 - a row of an array
    """Where ink begins and ends that is parted by columns without any."""
    import numpy

    edges = numpy.flatnonzero(numpy.diff(inked, prepend=False, append=False))
    return [(int(x0), int(x1)) for x0, x1 in zip(edges[::2], edges[1::2], strict=True)]


def _alike(shape: Any, other: Any) -> float:  # noqa: ANN401 - arrays
    """How much of the ink of two shapes is common to both, where the middles of both lie on one another."""
    import numpy

    high, wide = (max(each) for each in zip(shape.shape, other.shape, strict=True))
    if high > _GROWN * min(len(shape), len(other)) or wide > _GROWN * min(shape.shape[1], other.shape[1]):
        return 0.0
    best = 0.0
    for down in (0, 1):
        for across in (0, 1):
            laid = numpy.zeros((2, high + 1, wide + 1), dtype=bool)
            laid[0, : len(shape), : shape.shape[1]] = shape
            laid[1, down : down + len(other), across : across + other.shape[1]] = other
            best = max(best, float(laid.all(axis=0).sum() / laid.any(axis=0).sum()))
    return best


def _band(rows: Any, least: float) -> tuple[int, int] | None:  # noqa: ANN401 - an array
    """The first and last row of letters: those around the darkest in the middle that have so much ink each."""
    third = len(rows) // 3
    if not rows[third : len(rows) - third].any():
        return None
    first = last = third + int(rows[third : len(rows) - third].argmax())
    while first > 0 and rows[first - 1] >= max(1.0, least):
        first -= 1
    while last < len(rows) - 1 and rows[last + 1] >= max(1.0, least):
        last += 1
    return first, last


def _widest(inked: Any, first: float, last: float) -> tuple[int, int]:  # noqa: ANN401 - an array
    """Where the widest gap between two places begins and ends. inked: the columns with ink, in order."""
    between = [int(each) for each in inked if first <= each <= last]
    if len(between) < 2:
        middle = round((first + last) / 2)
        return middle, middle
    before, behind = max(pairwise(between), key=lambda each: each[1] - each[0])
    return before + 1, behind


def _runs(dark: Any, least: int) -> list[_Run]:  # noqa: ANN401 - an array
    """The dark stretches of a picture that are as long as rules, those put together that touch, from top to foot."""
    found: list[_Run] = []
    opened: list[_Run] = []
    for row in (int(each) for each in (dark.sum(axis=1) >= least).nonzero()[0]):
        found += [each for each in opened if each.foot < row - 1]
        opened = [each for each in opened if each.foot >= row - 1]
        for first, end in _stretches(dark[row], least):
            touched = [other for other in opened if other.x0 <= end and first <= other.x1]
            opened = [other for other in opened if other not in touched]
            opened.append(_joined([_Run(first, end, row, row), *touched]))
    return sorted([*found, *opened], key=lambda each: each.top)


def _stretches(dark: Any, least: int) -> list[tuple[int, int]]:  # noqa: ANN401 - a row of an array
    """The first and last pixel of each dark stretch of a row that is at least so long."""
    import numpy

    edges = numpy.flatnonzero(numpy.diff(dark, prepend=False, append=False))
    return [(int(x0), int(x1)) for x0, x1 in zip(edges[::2], edges[1::2], strict=True) if x1 - x0 >= least]


def _joined(runs: list[_Run]) -> _Run:
    x0, x1, top, foot = zip(*runs, strict=True)
    return _Run(min(x0), max(x1), min(top), max(foot))
