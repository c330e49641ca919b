"""How well the lines and sentences of one report fit some words: BM25, weighed by that report alone.

What else an index keeps has no part in it: a word is rare or common in the report that is asked, and a label is short
or long by what is usual in reports. Source of BM25: Robertson and Zaragoza 2009, The Probabilistic Relevance Framework.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tieout.data.printed.pattern import later

SATURATION, BY_LENGTH = 1.2, 0.75  # k1 and b of BM25
AT_ONCE = 120  # rows that are measured in one query, or as many as are wanted
ROUNDING = 1 + 1e-9  # of a score
_WORD = later(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Kind:
    """What is looked through. columns: of its full-text table, with what a word in each counts; usual: the number of
    words in the first of them, as reports have it."""

    name: str
    columns: tuple[tuple[str, float], ...]
    text: str
    usual: int


LINES = Kind("line", (("label", 4.0), ("words", 1.0)), "lines.label", 5)
SENTENCES = Kind("sentence", (("text", 4.0), ("heading", 1.0)), "sentences.text", 25)


def plain_words(words: Sequence[str]) -> list[str]:
    """The words in lower case, each once and apart: what a user writes is never read as syntax of a query."""
    return list(dict.fromkeys(part.lower() for word in words for part in _WORD.findall(word)))


def best_rows(
    database: sqlite3.Connection, kind: Kind, words: Sequence[str], span: tuple[int, int], limit: int
) -> list[tuple[int, float]]:
    """The keys of the rows with any of these words, with their scores, the best first.

    words: in lower case. span: the first and the last key of the report.
    """
    count = span[1] - span[0] + 1
    found: dict[int, list[tuple[float, float]]] = defaultdict(list)
    highest: dict[int, float] = defaultdict(float)  # as they would be, were they of one word
    short = _saturation(1 / kind.usual)
    for word in words:
        inside: dict[int, float] = defaultdict(float)
        for column, counts in kind.columns:
            rows = database.execute(
                f"SELECT rowid FROM {kind.name}_words WHERE {kind.name}_words MATCH ? AND rowid BETWEEN ? AND ?",
                (f'{column}: "{word}"', *span),
            )
            for (key,) in rows.fetchall():
                inside[key] += counts
        telling = math.log(1 + (count - len(inside) + 0.5) / (len(inside) + 0.5))
        for key, often in inside.items():
            found[key].append((telling, often))
            highest[key] += telling * often * (SATURATION + 1) / (often + short)
    # A row counts the more, the shorter it is: none is measured that cannot, however short, be among the best.
    most = sorted(zip(highest.values(), highest, strict=True), reverse=True)
    scored: list[tuple[int, float]] = []
    for start in range(0, len(most), step := max(AT_ONCE, limit)):
        if start and most[start][0] * ROUNDING < scored[limit - 1][1]:
            break
        some = [key for _, key in most[start : start + step]]
        lengths = _lengths(database, kind, some)
        scored += [(key, _score(found[key], lengths.get(key, kind.usual) / kind.usual)) for key in some]
        scored.sort(key=lambda each: (-each[1], each[0]))
    return scored[:limit]


def _saturation(length: float) -> float:
    return SATURATION * (1 - BY_LENGTH + BY_LENGTH * length)


def _score(known: Sequence[tuple[float, float]], length: float) -> float:
    long = _saturation(length)
    return sum([telling * often * (SATURATION + 1) / (often + long) for telling, often in known])


def _lengths(database: sqlite3.Connection, kind: Kind, keys: Sequence[int]) -> dict[int, int]:
    """The number of words of the first column of rows, by key."""
    marks = ", ".join("?" * len(keys))
    table = kind.text.partition(".")[0]
    words = f"1 + length({kind.text}) - length(replace({kind.text}, ' ', ''))"
    return dict(database.execute(f"SELECT key, {words} FROM {table} WHERE key IN ({marks})", keys).fetchall())
