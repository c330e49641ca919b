"""How well the lines and sentences of one report fit some words: BM25, weighed by that report alone.

What else an index keeps has no part in it: a word is rare or common in the report that is asked, and a label is short
or long by what is usual in reports. Source of BM25: Robertson and Zaragoza 2009, The Probabilistic Relevance Framework.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from tieout.data.printed.pattern import later

SATURATION, BY_LENGTH = 1.2, 0.75  # k1 and b of BM25
AT_ONCE = 120  # rows that are measured in one query, or as many as are wanted
ROUNDING = 1 + 1e-9  # of a score
MOST_LOOKED, MOST_WORDS = 16, 1000  # kinds of rows of reports in which what was found stays known, and words of each
_WORD = later(r"[^\W_]+")
Key = TypeVar("Key")
Value = TypeVar("Value")
Said = tuple[frozenset[int], int, bool]


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


@dataclass(slots=True, eq=False)
class Looked:
    """What was looked for in the lines or sentences of a report, and stays found as long as the report is the same.

    words: of each, how telling it is, what it counts in each row by its key, and at the most, were the row of one word.
    lengths: of rows, in words, by key. rows: what is shown of them. keys: of those with one of several words, by these.
    said: the years that a sentence names, how many words it has, and whether it has a figure.
    """

    words: dict[str, tuple[float, dict[int, float], dict[int, float]]] = field(default_factory=dict)
    lengths: dict[int, int] = field(default_factory=dict)
    rows: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    keys: dict[tuple[str, tuple[str, ...]], frozenset[int]] = field(default_factory=dict)
    said: dict[int, Said] = field(default_factory=dict)


def keep(found: dict[Key, Value], key: Key, value: Value) -> Value:
    """Keeps what was found, in place of all that was before where that is too much."""
    if len(found) >= MOST_WORDS:
        found.clear()
    return found.setdefault(key, value)


@lru_cache(maxsize=MOST_LOOKED)
def looked(digest: str, kind: str, first: int, last: int) -> Looked:
    """What was looked for in a report that is kept as this digest says, between these keys."""
    return Looked()


def best_rows(
    database: sqlite3.Connection, kind: Kind, words: Sequence[str], span: tuple[int, int], limit: int, known: Looked
) -> list[tuple[int, float]]:
    """The keys of the rows with any of these words, with their scores, the best first.

    words: in lower case. span: the first and the last key of the report. known: what was looked for in it.
    """
    told = [_word(database, kind, word, span, known) for word in words]
    highest: dict[int, float] = {}  # as they would be, were they of one word
    for _, _, most_of in told:
        if not highest:
            highest = dict(most_of)
            continue
        for key, worth in most_of.items():
            highest[key] = highest.get(key, 0.0) + worth
    # A row counts the more, the shorter it is: none is measured that cannot, however short, be among the best.
    most = sorted(zip(highest.values(), highest, strict=True), reverse=True)
    scored: list[tuple[float, int]] = []  # below zero, so that the best is the least
    for start in range(0, len(most), step := max(AT_ONCE, limit)):
        if start and most[start][0] * ROUNDING < -scored[limit - 1][0]:
            break
        some = [key for _, key in most[start : start + step]]
        lengths = _lengths(database, kind, some, known)
        long = {key: _saturation(lengths.get(key, kind.usual) / kind.usual) for key in some}
        scores = dict.fromkeys(some, 0.0)
        for telling, often, _ in told:
            for key in often.keys() & scores.keys():
                scores[key] += telling * often[key] * (SATURATION + 1) / (often[key] + long[key])
        scored += [(-score, key) for key, score in scores.items()]
        scored.sort()
    return [(key, -score) for score, key in scored[:limit]]


def _word(
    database: sqlite3.Connection, kind: Kind, word: str, span: tuple[int, int], known: Looked
) -> tuple[float, dict[int, float], dict[int, float]]:
    """What a word tells of the rows of a report, as `Looked` has it."""
    if (found := known.words.get(word)) is not None:
        return found
    inside: dict[int, float] = defaultdict(float)
    for column, counts in kind.columns:
        rows = database.execute(
            f"SELECT rowid FROM {kind.name}_words WHERE {kind.name}_words MATCH ? AND rowid BETWEEN ? AND ?",
            (f'{column}: "{word}"', *span),
        )
        for (key,) in rows.fetchall():
            inside[key] += counts
    count, short = span[1] - span[0] + 1, _saturation(1 / kind.usual)
    telling = math.log(1 + (count - len(inside) + 0.5) / (len(inside) + 0.5))
    most_of = {key: telling * often * (SATURATION + 1) / (often + short) for key, often in inside.items()}
    return keep(known.words, word, (telling, dict(inside), most_of))


def _saturation(length: float) -> float:
    return SATURATION * (1 - BY_LENGTH + BY_LENGTH * length)


def _lengths(database: sqlite3.Connection, kind: Kind, keys: Sequence[int], known: Looked) -> dict[int, int]:
    """The number of words of the first column of rows, by key."""
    if unknown := [key for key in keys if key not in known.lengths]:
        marks = ", ".join("?" * len(unknown))
        table = kind.text.partition(".")[0]
        words = f"1 + length({kind.text}) - length(replace({kind.text}, ' ', ''))"
        known.lengths.update(database.execute(f"SELECT key, {words} FROM {table} WHERE key IN ({marks})", unknown))
    return known.lengths
