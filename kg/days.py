"""The days on which what a report prints ends, those of its fiscal years among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.data.printed.periods.spans import CLOSING
from tieout.kg.fact import Fact
from tieout.kg.figure import NEAR_DAYS, days_of, is_instant

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


def called_years(named: Iterable[Period], facts: Iterable[Fact]) -> Mapping[int, int]:
    """What a report calls the fiscal years that end on days of these periods, or within a few days of the end of one,
    by the years of the days: of January 28, 2024 2023."""
    closing = [each for each in named if each.kind in (*CLOSING, PeriodKind.SPAN, PeriodKind.MONTH)]
    days = {each.start: 0 for each in closing if each.start and each.kind is not PeriodKind.MONTH}
    days |= {each.end: NEAR_DAYS * (each.kind is not PeriodKind.DATE) for each in closing if each.end}
    if not days:
        return {}
    ends = {each.end: each.year for fact in facts if (each := fact.period) and each.kind in CLOSING}
    known = [(end, year) for end, year in ends.items() if end is not None and year is not None]
    return {day.year: year for day, most in days.items() for end, year in known if abs((end - day).days) <= most}


def is_of_none(facts: Iterable[Fact], day: date) -> bool:
    """Whether figures are of times, and of none that ends on a day, or within a few days of it."""
    ends = [fact.period.end for fact in facts if fact.period is not None and fact.period.end is not None]
    return bool(ends) and all(abs((end - day).days) > NEAR_DAYS for end in ends)
