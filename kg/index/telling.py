"""Which sentences of a report tell what is asked: those that have all its words, the rare ones above all.

Other than by BM25, what is missing counts: a sentence with three of four words may be of something else, and how many
it has says how far it can be believed.
"""

from __future__ import annotations

import math
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from tieout.data.printed.pattern import later
from tieout.kg.index.relevance import ROUNDING, Looked, Said, keep

NEAR, UNDER = 0.8, 0.5  # what a word counts that says the same, and one of the heading or the sentence before alone
ABOVE = (1, 2, 3)  # sentences behind one that are read with it
NO_NAME, FIGURE = 0.6, 0.03  # times this where a name is missing; added where there is a figure
OTHER_YEAR, LATEST = 0.5, 0.02  # times this where only other years are said; added for the latest
USUAL, BY_LENGTH = 60, 0.1  # words of a sentence beyond which it has some by chance
_FIGURE = later(r"\d[\d,.]*(?!\d)(?<!\b(?:19|20)\d\d)")
_YEAR = later(r"\b(?:19|20)\d\d\b")
OF_A_PAGE = """
CREATE VIRTUAL TABLE sentence_words USING fts5 (text, heading, tokenize="porter unicode61 remove_diacritics 2")
"""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A word that is looked for, in all its forms. near: others that say the same here; opposed: those of them that
    say the opposite, where it is asked whether it is so. weight: what it counts, beside how rare it is. is_name: what
    has it nowhere near is of something else."""

    forms: tuple[str, ...]
    near: tuple[str, ...] = ()
    weight: float = 1.0
    is_name: bool = False
    opposed: tuple[str, ...] = ()


@contextmanager
def kept_in_memory(sentences: Sequence[str]) -> Iterator[sqlite3.Connection]:
    """The sentences of a page, which no index keeps, to be looked through by their places, from 0."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(OF_A_PAGE)
        rows = ((number, text, "") for number, text in enumerate(sentences))
        database.executemany("INSERT INTO sentence_words (rowid, text, heading) VALUES (?, ?, ?)", rows)
        yield database


def telling(
    database: sqlite3.Connection,
    words: Sequence[Wanted],
    years: Sequence[int],
    span: tuple[int, int],
    limit: int,
    known: Looked,
    texts: Callable[[Sequence[int]], Mapping[int, str] | Sequence[str]],
) -> list[tuple[int, float]]:
    """The keys of the sentences from the first to the last key of a span that have most of these words, with the share
    of them that each has, the best first. years: that it shall be about, where it says any. known: what was looked for
    in them; texts: by their keys."""
    shares: dict[int, float] = defaultdict(float)
    named: list[set[int]] = []
    whole = 0.0
    for each in words:
        own = _keys(database, "text", each.forms, span, known)
        near = _keys(database, "text", each.near, span, known) - own
        above = {key + after for key in own | near for after in ABOVE if key + after <= span[1]}
        under = (_keys(database, "heading", (*each.forms, *each.near), span, known) | above) - own - near
        there = len(own) + len(near)
        telling = each.weight * _rare(there, span)
        whole += telling
        for keys, counts in ((own, 1.0), (near, NEAR), (under, UNDER)):
            for key in keys:
                shares[key] += counts * telling
        if each.is_name and there:
            named.append({*own, *near, *under})
    for key in shares if named else ():
        shares[key] *= math.prod(1.0 if key in having else NO_NAME for having in named)
    likely = sorted(shares, key=lambda key: (-shares[key], key))[: 4 * limit]
    scored: list[tuple[int, float]] = []
    for start in range(0, len(likely), limit):
        if start and (shares[likely[start]] / whole + FIGURE + LATEST) * ROUNDING < scored[limit - 1][1]:
            break  # whatever the others say, it is not enough
        some = likely[start : start + limit]
        if unread := [key for key in some if key not in known.said]:
            read = texts(unread)
            known.said.update((key, _said(read[key])) for key in unread)
        scored += [(key, _score(shares[key] / whole, known.said[key], years)) for key in some]
        scored.sort(key=lambda each: (-each[1], each[0]))
    return scored[:limit]


def rarity(database: sqlite3.Connection, words: Sequence[Wanted], span: tuple[int, int], known: Looked) -> list[float]:
    """How telling each of these words is, as `telling` counts it; 0 for one that no sentence has."""
    there = (len(_keys(database, "text", (*each.forms, *each.near), span, known)) for each in words)
    return [each.weight * _rare(count, span) if count else 0.0 for each, count in zip(words, there, strict=True)]


def _rare(there: int, span: tuple[int, int]) -> float:
    return math.log(1 + (span[1] - span[0] + 1.5 - there) / (there + 0.5))


def _keys(
    database: sqlite3.Connection, column: str, words: Sequence[str], span: tuple[int, int], known: Looked
) -> frozenset[int]:
    """The keys of the sentences that have one of these words, in the text or the heading."""
    if not words:
        return frozenset()
    asked = column, tuple(words)
    if (found := known.keys.get(asked)) is None:
        wanted = " OR ".join('"' + word.replace('"', "") + '"' for word in words)
        rows = database.execute(
            "SELECT rowid FROM sentence_words WHERE sentence_words MATCH ? AND rowid BETWEEN ? AND ?",
            (f"{column}: ({wanted})", *span),
        )
        found = keep(known.keys, asked, frozenset(key for (key,) in rows.fetchall()))
    return found


def _said(text: str) -> Said:
    """What counts of a sentence, whatever is asked."""
    return frozenset(map(int, _YEAR.findall(text))), len(text.split()), _FIGURE.search(text) is not None


def _score(share: float, told: Said, years: Sequence[int]) -> float:
    said, count, has_figure = told
    if years and said and not said.intersection(years):
        share *= OTHER_YEAR
    long = max(0.0, count / USUAL - 1)
    share += FIGURE * has_figure
    return share * (1 - min(BY_LENGTH * long, 0.3)) + (LATEST if said.intersection(years) else 0.0)
