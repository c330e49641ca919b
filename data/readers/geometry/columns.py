"""The columns of text in which a page, or a part of one, is set: prose beside prose, or a table beside prose."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import groupby

from tieout.data.readers.geometry.lines import VALUE, Line, read_lines
from tieout.data.readers.geometry.words import Word

_FIRST, _LAST = 35, 66  # percent of the width between which columns are parted
_WHITE = 3.0  # points on each side of where they are
_APART = 2.0  # of the size: white above the last line of a page, or below the first
_FEWEST = 8  # lines that stand beside one another
_FEWEST_PROSE = 6
_MOST_OF, _LEAST = 0.5, 0.01  # share of lines that are prose: where they make a column, where it is on the left alone
_FILLED = 0.6  # share of its column that a line of prose fills
_LETTERS = 0.6  # share of its signs

Sides = tuple[list[Word], list[Word]]


def split_columns(words: Sequence[Word], width: float) -> list[list[Line]]:
    """The lines of a page in reading order of its columns.

    A part of a page is set in two where a white strip in its middle has prose on its right, or on its left beside what
    begins with words on each line: the amounts of a table belong to the labels on their left.
    """
    lines = read_lines(words)
    gutter, runs = _gutter(lines, width)
    if not runs and sum(len(line.words) for line in lines) == len(words):
        return [lines]
    parts: list[list[Word]] = [[]]
    at = 0
    for first, end in runs:
        parts[-1] += [word for line in lines[at:first] for word in line.words]
        parts += [*_sides(lines[first:end], gutter), []]
        at = end
    parts[-1] += [word for line in lines[at:] for word in line.words]
    return [read_lines(part) for part in parts if part]


def _sides(lines: Sequence[Line], gutter: float) -> Sides:
    words = [word for line in lines for word in line.words]
    return [word for word in words if word.x0 < gutter], [word for word in words if word.x0 >= gutter]


def _gutter(lines: Sequence[Line], width: float) -> tuple[float, list[tuple[int, int]]]:
    """Where a white strip parts lines, and which: from the first to the line behind the last; [] for none."""
    best: tuple[float, list[tuple[int, int]]] = (0.0, [])
    if len(lines) < _FEWEST:
        return best
    places = [width * step / 100 for step in range(_FIRST, _LAST)]
    crossing = _crossing(lines, places)
    known: dict[tuple[tuple[int, int], int], float] = {}  # by the lines, and how many of their words are on the left

    def share_of(run: tuple[int, int], at: float) -> float:
        within = lines[run[0] : run[1]]
        key = run, sum(word.x0 < at for line in within for segment in line.segments for word in segment.words)
        if key not in known:
            known[key] = _prose_beside(within, at)
        return known[key]

    edges = _edges(lines)
    most = (0, 0.0)  # lines that stand beside one another, and how much of the text on the right is prose
    for at, over in zip(places, crossing, strict=True):
        crossed = [number in edges or number in over for number in range(len(lines))]
        shares = {run: share_of(run, at) for run in _runs(crossed)}
        runs = [run for run, share in shares.items() if share]
        found = sum(end - first for first, end in runs), min((shares[run] for run in runs), default=0.0)
        if found > most:
            most, best = found, (at, runs)
    return best


def _crossing(lines: Sequence[Line], places: Sequence[float]) -> list[set[int]]:
    """The lines that have a word, or the white beside it, at each of the places, which are in order."""
    found: list[set[int]] = [set() for _ in places]
    for number, line in enumerate(lines):
        for word in line.words:
            for at in range(bisect_right(places, word.x0 - _WHITE), bisect_left(places, word.x1 + _WHITE)):
                found[at].add(number)
    return found


def _edges(lines: Sequence[Line]) -> set[int]:
    """The first and the last line of a page where they stand apart from the others, as its number does."""
    apart = {1: 0, len(lines) - 1: len(lines) - 1}  # by the line below the white, the line that it sets apart
    return {
        edge for below, edge in apart.items() if lines[below].y - lines[below - 1].y > _APART * lines[below - 1].size
    }


def _runs(crossed: Sequence[bool]) -> Iterator[tuple[int, int]]:
    """Yields the runs of lines that nothing crosses."""
    for is_crossed, group in groupby(range(len(crossed)), key=crossed.__getitem__):
        run = list(group)
        if not is_crossed and len(run) >= _FEWEST:
            yield run[0], run[-1] + 1


def _prose_beside(lines: Sequence[Line], gutter: float) -> float:
    """How much of the text on the right of lines set in two columns is prose; 0 for lines that are not."""
    sides = _sides(lines, gutter)
    if not _has_letters(sides[1]):  # as the amounts of most tables
        return 0.0
    left, right = (read_lines(words) for words in sides)
    if min(len(left), len(right)) < _FEWEST_PROSE:
        return 0.0
    share = _prose(right)
    begins = [line.segments[0] for line in right]
    is_own = sum(not VALUE.fullmatch(each.text) for each in begins) > 0.8 * len(begins)
    return share if share >= _MOST_OF else _LEAST * (is_own and _prose(left) >= _MOST_OF)


def _prose(lines: Sequence[Line]) -> float:
    """The share of lines that are prose: of words that fill the column that they make, and hardly a number."""
    wide = max(line.x1 for line in lines) - min(line.x0 for line in lines)
    found = 0
    for line in lines:
        filled = sum(segment.x1 - segment.x0 for segment in line.segments)
        found += len(line.segments) <= 2 and filled > _FILLED * wide and _has_letters(line.words)
    return found / len(lines) if found >= _FEWEST_PROSE else 0.0


def _has_letters(words: Sequence[Word]) -> bool:
    """Whether words are mostly letters."""
    text = "".join(word.text for word in words)
    return sum(map(str.isalpha, text)) > _LETTERS * len(text)
