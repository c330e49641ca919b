"""A report prepared for matching: each fact with its words, and how telling each word is on the page."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from tieout.agent.question.when import years_in
from tieout.agent.question.words import FUNCTION, stem, stems, words
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import row_roles

LEAD = re.compile(
    r"\b(from|to|of|by|was|were|with|than|and|or|at|increased|decreased)"
    r"(?: (?:approximately|about|an?|up to|over|nearly|additional|aggregate))* ?$"
)
MOST_VIEWS = 20_000  # facts that stay prepared for the pages of further questions
NONE = frozenset[str]()
STEPS = 1024  # of the weight of a stem, a power of two, so that sums are exact and come out alike in any order


@dataclass(slots=True, eq=False)
class View:
    """One fact prepared for matching; nobody changes it. (To freeze what is made by the thousand takes a third longer.)

    near: distance in words from the amount to each stem of its sentence. lead: the small word right in front of the
    amount. before: the stems of the sentence before, where that has an amount too.
    """

    fact: Fact
    label: frozenset[str]
    header: frozenset[str]
    bag: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    digits: frozenset[str]
    near: dict[str, float]
    year: int | None
    is_text: bool
    row: tuple[int, int]
    column: tuple[int, int]
    latest: bool
    total: bool
    role: str
    caption: frozenset[str]
    lead: str
    before: frozenset[str]


class Page:
    """All facts of one document, prepared once.

    weight: how telling a stem is, by how few lines of the page have it.
    """

    def __init__(self, facts: Sequence[Fact]) -> None:
        newest: dict[tuple[int, int], int] = {}
        for fact in facts:
            if fact.table is not None and fact.period is not None and fact.period.year is not None:
                key = (fact.table, fact.row or 0)
                newest[key] = max(newest.get(key, 0), fact.period.year)
        roles = row_roles(facts)
        said = {fact.sentence: _stems_of(fact.context) for fact in facts if fact.kind is FactKind.TEXT}
        self.views = tuple(
            _view(
                fact, _is_latest(fact, newest), roles.get(_row_of(fact), ""), said.get((fact.sentence or 0) - 1, NONE)
            )
            for fact in facts
        )
        self.facts = {fact.name: fact for fact in facts}
        lines: dict[tuple[str, int, int], frozenset[str]] = {}
        for view in self.views:
            if view.is_text:
                lines["text", 0, view.fact.sentence or 0] = view.bag
            else:
                lines["row", *view.row] = view.label
                lines["column", *view.column] = view.header
                lines["caption", *view.row[:1], 0] = view.caption
        counts = Counter(stem for line in lines.values() for stem in line)
        self.weight = {stem: round(STEPS * math.log(1 + len(lines) / count)) / STEPS for stem, count in counts.items()}
        self.known = frozenset(self.weight)
        self.values = Counter(fact.value for fact in facts)

    @cached_property
    def years(self) -> frozenset[int]:
        """Those that a fact or its words name."""
        return frozenset(year for fact in self.facts.values() for year in _years(fact))


def _years(fact: Fact) -> Iterator[int]:
    """The years that a fact is of, or that are named beside it; all years of a span."""
    yield from years_in(f"{fact.context} {fact.label} {fact.header}".lower())
    period = fact.period
    if period is not None and period.year is not None:
        yield period.year
    if period is not None and period.start is not None and period.end is not None:
        yield from range(period.start.year, period.end.year + 1)


def _row_of(fact: Fact) -> tuple[int, int]:
    """The table and the row of a fact, as a place of its own for what has none."""
    return fact.table or 0, fact.row if fact.row is not None else -1


def _is_latest(fact: Fact, newest: Mapping[tuple[int, int], int]) -> bool:
    """Whether a fact is of the latest year of its row."""
    year = fact.period.year if fact.period else None
    return year is not None and newest.get(_row_of(fact)) == year


@lru_cache(maxsize=MOST_VIEWS)
def _view(fact: Fact, latest: bool, role: str, before: frozenset[str]) -> View:
    """A fact prepared, once for all pages that show it beside the same."""
    text = fact.kind is FactKind.TEXT
    near, bag, pairs, digits, lead = _words_of(fact)
    year = fact.period.year if fact.period else None
    column = (fact.table or 0, fact.column if fact.column is not None else -1)
    label = _stems_of(fact.label)
    return View(
        fact,
        label,
        _stems_of(fact.header),
        bag,
        pairs,
        digits,
        near,
        year,
        text,
        _row_of(fact),
        column,
        latest,
        "total" in label,
        "" if text else role,
        _stems_of(fact.caption),
        lead,
        before,
    )


def _words_of(fact: Fact) -> tuple[dict[str, float], frozenset[str], frozenset[tuple[str, str]], frozenset[str], str]:
    """What a View has of the words of its fact: near, bag, pairs, digits, lead."""
    before, behind = fact.around()
    if fact.kind is FactKind.TEXT:
        near = _distances(before, behind)
        pairs = neighbours(stems(f"{before[-90:]} {behind[:90]}"))
        return near, frozenset(near), frozenset(pairs), frozenset(), _lead(before)
    bag = _stems_of(fact.label) | _stems_of(fact.header) | _stems_of(fact.section)
    bag |= _initials(fact.label) | _initials(fact.header)
    digits = frozenset(re.findall(r"\d+", f"{fact.label} {fact.header} {fact.section}"))
    return {}, bag, frozenset(neighbours(stems(f"{fact.label} {fact.header}"))), digits, ""


def _lead(before: str) -> str:
    """The small word that leads to an amount: `from` in `from $ 3 to $ 5`."""
    found = LEAD.search(before[-40:].lower())
    return found[1] if found else ""


@lru_cache(maxsize=20_000)
def _stems_of(text: str) -> frozenset[str]:
    """The stems of a label or caption, which many facts of a table share."""
    return frozenset(stems(text))


def neighbours(sequence: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of stems that follow each other."""
    return pairwise(sequence)


@lru_cache(maxsize=4096)
def _initials(label: str) -> frozenset[str]:
    """`united parcel service` may be called `ups`: the first letters of two to five words in a row."""
    letters = "".join(word[0] for word in words(label) if word[0].isalpha() and word not in ("of", "and", "the"))
    return frozenset(letters[:length] for length in range(2, min(len(letters), 5) + 1))


def _distances(before: str, behind: str) -> dict[str, float]:
    near: dict[str, float] = {}
    for distance, word in enumerate(reversed(words(before)[-60:])):
        if word not in FUNCTION and not word[0].isdigit():
            near.setdefault(stem(word), float(distance))
    for distance, word in enumerate(words(behind)[:60]):
        if word not in FUNCTION and not word[0].isdigit():
            key = stem(word)
            near[key] = min(near.get(key, 99.0), distance + 2.0)
    return near
