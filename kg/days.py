"""The days on which what a report prints ends, and its last fiscal year did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from tieout.kg.fact import Fact
from tieout.kg.figure import days_of, is_instant

SHORTEST_YEAR = 350  # days
_WEEK = timedelta(days=6)


@dataclass(frozen=True, slots=True)
class PrintedDays:
    """ends: up to the day of which most is printed, the day of the report. year_end: of the last fiscal year before it,
    where the report is of a part of a year; None where it is of a whole one, or that is not known."""

    ends: frozenset[date] = frozenset()
    year_end: date | None = None


def printed_days(facts: Iterable[Fact]) -> PrintedDays:
    """The days of a report, by the figures in its tables."""
    timed = [(fact, end) for fact in facts if fact.table is not None and (end := _end(fact)) is not None]
    if not timed:
        return PrintedDays()
    ends, balances = Counter(end for _, end in timed), Counter(end for fact, end in timed if is_instant(fact))
    most = max(ends.values())
    day = max(end for end, count in ends.items() if count * 2 >= most)  # what is ahead, of leases, is printed seldom
    years = (end for fact, end in timed if (days_of(fact) or 0) >= SHORTEST_YEAR)
    is_of_year = any(abs(end - day) <= _WEEK for end in years)
    before = [each for each in balances if 0 < (day - each).days < SHORTEST_YEAR]
    year_end = None if is_of_year or not before else max(before, key=lambda each: (balances[each], each))
    return PrintedDays(frozenset(each for each in ends if each <= day), year_end)


def _end(fact: Fact) -> date | None:
    return None if fact.period is None else fact.period.end
