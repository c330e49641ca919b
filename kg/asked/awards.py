"""Which figures of a table of awards of stock a question asks for: by its row, its column and its time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import NamedTuple

from tieout.data.printed.unit import NOT_MEASURES
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, end_of, is_instant, table_of, words_around, words_of, year_of
from tieout.ontology.asked.awards import (
    BALANCE,
    Award,
    events_in,
    is_aside,
    is_of_awards,
    kinds_in,
    left_of,
    said_in,
)

LEAST_EVENTS = 2  # that the rows of a table of awards tell of
KINDS = {"StockOption": "stock option", "RestrictedStock": "restricted stock"}  # by class


class Time(NamedTuple):
    """When a question for awards is of. years, day: that it names; is_first: it asks for the beginning of the time."""

    years: Sequence[int]
    day: date | None
    is_first: bool


def figures_of_awards(
    award: Award, facts: Sequence[Fact], words: frozenset[str], time: Time
) -> tuple[list[Fact], bool]:
    """The figures that a question for awards asks for, one for each of what it wants said, and whether they alone are
    of these awards and of no others; none where the tables do not have all. words: of the question, which stand at or
    around the figures as far as they say more than what is asked of awards."""
    tables: dict[tuple[str, int], list[Fact]] = {}
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.row is not None and fact.unit not in NOT_MEASURES and fact.label:
            tables.setdefault(table_of(fact), []).append(fact)
    left = left_of(words, award.event)
    found: list[tuple[tuple[int, int], list[Fact]]] = []
    for table in tables.values():
        made = [_figure(award, said, table, left, time) for said in award.said]
        chosen = [each for each in made if each is not None]
        if len(chosen) == len(award.said):
            found.append((_others(award, chosen[0], words), chosen))
    if not found:
        return [], False
    found.sort(key=lambda each: each[0])
    apart = [each for other, each in found if other == found[0][0]]
    is_one = all(amount_of(each[0]) == amount_of(apart[0][0]) for each in apart)
    return apart[0], is_one and found[0][0][0] == 0


def _figure(award: Award, said: str, table: Sequence[Fact], left: frozenset[str], time: Time) -> Fact | None:
    """The figure of a table; None where it is none of awards, or has no such figure."""
    across, down = (_happens(texts) for texts in ([each.header for each in table], [each.label for each in table]))
    if max(across, down) < LEAST_EVENTS:
        return None
    rows = [(fact, *((fact.header, fact.label) if across > down else (fact.label, fact.header))) for fact in table]
    rows = [each for each in rows if _is_of(award, each[0], each[2]) and not is_aside(f"{each[1]} {each[2]}".lower())]
    named = [fact for fact, row, column in rows if _says(column, row, said) and award.event in _events(row)]
    if not named and award.event == BALANCE:  # a row that is called by its day alone
        rows = [each for each in rows if is_instant(each[0]) and not _events(each[1])]
        named = [fact for fact, row, column in rows if _says(column, row, said)]
    named = _of_time([fact for fact in named if left <= words_around(fact)], time, is_balance=award.event == BALANCE)
    return min(
        named, key=lambda fact: (_others(award, fact, left), date.max - end_of(fact), fact.row or 0), default=None
    )


def _of_time(facts: list[Fact], time: Time, *, is_balance: bool) -> list[Fact]:
    """Those of the time that is asked for: of a balance at its day, or at the beginning of the last year up to then."""
    if time.day is not None and is_balance:
        return [fact for fact in facts if fact.period is not None and fact.period.end == time.day]
    if time.is_first and is_balance:
        ends = sorted({end_of(fact) for fact in facts if not time.years or end_of(fact).year <= time.years[0]})
        return [fact for fact in facts if ends and end_of(fact) == ends[-2:][0]]
    if time.years:
        return [fact for fact in facts if time.years[0] in (year_of(fact), end_of(fact).year)]
    return facts


def _happens(texts: Iterable[str]) -> int:
    """How many different things happen to awards by the rows or columns of a table."""
    return len({event for text in set(texts) if not is_aside(text.lower()) for event in _events(text)} - {BALANCE})


def _events(text: str) -> list[str]:
    return events_in(text.lower())


def _says(column: str, row: str, said: str) -> bool:
    """Whether a figure says what is asked, by its column, else by its row."""
    own = said_in(column.lower())
    return (own if own != "number" else said_in(row.lower())) == said


def _is_of(award: Award, fact: Fact, column: str) -> bool:
    """Whether a figure is of awards of the kind that is asked for: as its column says, else its row or table, else the
    class of that."""
    around = f"{fact.label} {fact.header} {fact.section} {fact.caption} {fact.heading}".lower()
    classed = KINDS.get(fact.entity_type, "")
    kinds = kinds_in(column) or kinds_in(around) or kinds_in(classed)
    return award.kinds <= kinds and is_of_awards(f"{around} {classed}")


def _others(award: Award, fact: Fact, words: frozenset[str]) -> tuple[int, int]:
    """How many kinds of awards that are not asked for stand at a figure, else above it, and how many words
    do not, as two tables are of awards and of units. words: of the question."""
    over = f"{fact.section} {fact.caption} {fact.heading.rpartition('>')[2]}"
    kinds = kinds_in(f"{fact.label} {fact.header}") or kinds_in(over)
    return len(kinds - award.kinds), len(words - words_of(f"{fact.label} {fact.header} {over}"))
