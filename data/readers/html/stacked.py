"""Tables that are printed as one, below each other: where a header comes again with other periods, another begins.

`| 2023 | 2022 |` above ten rows and `| 2021 | 2020 |` above ten more are two tables, and so are the three months and
the six months of one statement. Titles and the note in the corner that are printed once, at the top, are those of all.
Below the money of a statement of equity may stand its shares, `(number of shares)`, with titles of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import read_period
from tieout.data.readers.html.grid import Rows, is_value

Words = Sequence[Sequence[str]]
_IN_WHAT = later(r"\((?:in )?(?:number of )?(?:shares|units)\)", re.IGNORECASE)
_FEWEST_TITLES = 2


def parts_of(rows: Rows) -> list[Rows]:
    """The tables that a table is made of, from the top; itself alone for most."""
    words = [rows.words(row) for row in range(len(rows.rows))]
    top = _end_of_header(words, next((at for at, row in enumerate(words) if any(row[1:])), 0))
    headers = _further_headers(words, top)
    known = _periods(words[:top]) if headers else frozenset()
    starts = [0]
    for at, end in headers:
        periods = _periods(words[at:end])
        if (known and periods and periods != known) or _says_in_what(words[at]):
            starts.append(at)
            known = periods or known
    if len(starts) == 1:
        return [rows]
    ends = [*starts[1:], len(words)]
    first = _part(rows, (), starts[0], ends[0])
    return [first, *(_headed(rows, words, top, start, end) for start, end in zip(starts[1:], ends[1:], strict=True))]


def _further_headers(words: Words, top: int) -> list[tuple[int, int]]:
    """The rows from which and up to which another header may stand below the one at the top, which ends at a row."""
    found, at = [], top
    while at < len(words):
        end = _end_of_header(words, at, words[:top])
        if at < end < len(words):
            found.append((at, end))
        at = max(end, at + 1)
    return found


def _end_of_header(words: Words, at: int, header: Words | None = None) -> int:
    """The row behind the header that begins at a row. header: the one at the top, of which another may have rows again;
    other labels it has none."""
    is_own = header is not None and at < len(words) and _says_in_what(words[at])
    while at < len(words) and any(words[at][1:]) and not any(map(is_value, words[at][1:])):
        if header is not None and not is_own and words[at][0] and words[at] not in header:
            break
        at += 1
    return at


def _says_in_what(row: Sequence[str]) -> bool:
    """Whether a row has a note of its unit in the corner, and titles beside it: `(number of shares)` below amounts."""
    return bool(_IN_WHAT.fullmatch(row[0])) and sum(map(bool, row[1:])) >= _FEWEST_TITLES


def _periods(header: Words) -> frozenset[str]:
    """What periods the columns below a header are of, by their keys."""
    found = (read_period(" ".join(dict.fromkeys(filter(None, column)))) for column in [*zip(*header, strict=True)][1:])
    return frozenset(period.key for period in found if period and period.year)


def _headed(rows: Rows, words: Words, top: int, start: int, end: int) -> Rows:
    """A part below the first, with what the header at the top says and its own does not."""
    own = _end_of_header(words, start, words[:top]) - start
    heads = [row for row in range(top) if any(words[row][1:])]
    is_own = _says_in_what(words[start])
    titles = [
        row
        for row in heads
        if not is_own and own < len(heads) and not any(map(read_period, filter(None, words[row][1:])))
    ]
    part = _part(rows, titles, start, end)
    corner = next((cells[0] for cells in rows.rows[:top] if cells[0]), None)
    if corner is not None and not any(cells[0] for cells in part.rows[: len(titles) + own]):
        part.rows[0] = [corner, *part.rows[0][1:]]
        part.repeated.add((0, 0))
    return part


def _part(rows: Rows, titles: Sequence[int], start: int, end: int) -> Rows:
    """The rows from one to another, below titles that are printed further up."""
    chosen = [*titles, *range(start, end)]
    again = {(at, column) for at, row in enumerate(titles) for column, cell in enumerate(rows.rows[row]) if cell}
    below = {(row - start + len(titles), column) for row, column in rows.repeated if start <= row < end}
    return Rows([rows.rows[row] for row in chosen], [rows.bold[row] for row in chosen], again | below)
