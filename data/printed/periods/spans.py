"""Spans of time that follow from others: the second quarter is six months less the first, by first and last days.

>>> half, first = (Span(date(2024, 1, 1), date(2024, 7, 1)), Span(date(2024, 1, 1), date(2024, 4, 1)))
>>> path([half, first], Span(date(2024, 4, 1), date(2024, 7, 1)))
((1, False), (0, True))
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods, read_period
from tieout.data.printed.periods.timespan import day, span

NEAR = timedelta(days=7)  # within which two days are one boundary: years of 52 and 53 weeks end on a weekday
LONG_WEEK = timedelta(days=10)  # a week more, in a year of 53, and the days by which weeks fall short of months
MOST_TERMS = 4  # a fourth quarter is the year less three
QUARTER, HALF, YEAR = 3, 6, 12  # months
CLOSING = (PeriodKind.DATE, PeriodKind.FISCAL_YEAR)  # what may end with a fiscal year, and then is of it
_MONTHS = later(r"(\d{4})-(\d\d)/(\d{4})-(\d\d)")
_TRAILING = later(r"\b(?:ltm|ttm|(?:last|past|trailing|latest|rolling)[ -](?:twelve|12)[ -]months?)\b", re.IGNORECASE)
_NAMED = later(
    r"\b(?:h[12]|(?:the )?(?:first|second|1st|2nd) half|(?:first |the )*(?P<months>six|nine|6|9)[ -]months)\b"
    r"(?:.{0,30}?\b(?:\d{4}|fy ?'?\d\d)\b)?",
    re.IGNORECASE,
)
_HALF_SAID = later(r"(?:the )?(?:(?P<first>h1|first|1st)|h2|second|2nd)\b(?! (?:six|nine|6|9))", re.IGNORECASE)
_COUNT = {"six": 6, "6": 6, "nine": 9, "9": 9}
_OF_DAY = later(r"\b\d{1,2}\b(?!:)|/")
_ENDED = later(r"\b(?:end(?:ed|ing)|to|at|as of)\b", re.IGNORECASE)


LEAST_OF_A_YEAR, LONGEST_MONTH = 350, 35  # days: of a short year, of five weeks


class Span(NamedTuple):
    """From a day on, until before another."""

    start: date
    until: date


@dataclass(frozen=True, slots=True)
class Wanted:
    """A span that a question names. quarter: 1 to 4 of the fiscal year, None for the last twelve months and for days
    that are named themselves. year: the fiscal one, None where none is named. days: as named, None where they are not;
    until: the day behind twelve months, where named. months: of one part of the year, which is a half where they are 6.
    by_month: the days are those of whole months, as no day is named.
    """

    text: str
    quarter: int | None = None
    year: int | None = None
    days: Span | None = None
    until: date | None = None
    months: int = QUARTER
    by_month: bool = field(default=False, repr=False)

    def tells_start(self, days: Span) -> bool:
        """Whether a known span begins with the year that it is a part of: a quarter may begin anywhere in it."""
        return months_of(days) >= max(self.months, HALF)

    def spans(self, known: Sequence[Span], offset: int = 0) -> Iterator[Span]:
        """The spans that it may mean among the days of known ones, the latest first. offset: what is added to the
        calendar year in which a fiscal year ends to name it."""
        if self.days is not None:
            yield next((each for each in known if self._may_mean(each, self.days)), self.days)
            return
        if self.quarter is None:
            ends = sorted({each.until for each in known}, reverse=True)
            yield from (Span(months_on(end, -YEAR), end) for end in ([self.until] if self.until else ends[:1]))
            return
        starts = sorted({each.start for each in known if self.tells_start(each)}, reverse=True)
        bounds = {day for each in known for day in each}
        for start in starts:
            if self.year in (None, (months_on(start, YEAR) - 2 * NEAR).year + offset):
                days = (months_on(start, self.months * count) for count in (self.quarter - 1, self.quarter))
                yield Span(*(_at_bound(day, bounds) for day in days))

    def _may_mean(self, each: Span, days: Span) -> bool:
        """Whether days that are named mean a known span: near it, or of as many months that end in the same one."""
        if not self.by_month:
            return is_near(each, days)
        ends = [one.until - timedelta(days=1) for one in (each, days)]
        return months_of(each) == months_of(days) and ends[0].timetuple()[:2] == ends[1].timetuple()[:2]

    def may_be(self, days: Span) -> bool:
        """Whether these days may be what is named: for days that are named they, else as many months."""
        if self.days is not None:
            return is_near(self.days, days)
        return months_of(days) == (self.months if self.quarter is not None else YEAR)


def read_wanted(text: str) -> Wanted | None:
    """The quarter, the twelve months or the months up to a day that a text names; None where it names none.

    `Q2 2024` is of the fiscal year, wherever that begins; `three months ended June 30, 2024` says its days itself.
    """
    if match := _TRAILING.search(text):
        dated = [period for period, _, _ in find_periods(text) if period.end and period.kind is not PeriodKind.YEAR]
        return Wanted(match[0], until=_behind(dated[-1].end) if dated and dated[-1].end else None)
    found = [period for period, _, _ in find_periods(text)]
    for period in found:
        if _ENDED.search(period.label) and (days := span_of(period)) is not None and months_of(days) < YEAR:
            for other in found:  # of two years the later
                later = span_of(other) if _ENDED.search(other.label) else None
                if later is not None and months_of(later) == months_of(days) and later.until > days.until:
                    period, days = other, later
            return Wanted(period.label, days=days, by_month=_OF_DAY.search(period.label) is None)
        if period.kind is PeriodKind.QUARTER and (match := re.search(r"Q([1-4])$", period.key)):
            years = [period.year, *(other.year for other in found)]
            return Wanted(period.label, int(match[1]), next((year for year in years if year is not None), None))
    whole = read_period(text)
    named = _NAMED.search(text)
    if whole is not None and named is not None:
        text = named[0]
    year = next((period.year for period in (whole, *found) if period is not None and period.year), None)
    if named is not None and named["months"] and not _ENDED.search(named[0]):
        return Wanted(named[0], 1, year, months=_COUNT[named["months"].lower()])
    if named is not None and (half := _HALF_SAID.match(named[0])) is not None:
        return Wanted(named[0], 1 if half["first"] else 2, year, months=HALF)
    days = span_of(whole) if whole is not None and whole.kind is PeriodKind.SPAN else None
    return Wanted(text, days=days) if days is not None and months_of(days) < YEAR else None


def span_of(period: Period | None) -> Span | None:
    """The span of a period of some length whose last day is known, its first day reckoned by its months where it is
    not printed; None for a day and for what has no days."""
    if period is None or period.end is None or period.kind is PeriodKind.DATE:
        return None
    until = _behind(period.end)
    if period.start is not None:
        return Span(period.start, until) if until - period.start > timedelta(days=1) else None
    match = _MONTHS.fullmatch(period.key)
    if match:
        months = (int(match[3]) - int(match[1])) * YEAR + int(match[4]) - int(match[2]) + 1
        months -= period.end.day <= NEAR.days  # in its first week a month has not begun
    else:
        months = {PeriodKind.QUARTER: QUARTER, PeriodKind.FISCAL_YEAR: YEAR}.get(period.kind, 0)
    return Span(months_on(until, -months), until) if months else None


def is_of_a_day(period: Period) -> bool:
    """Whether a period is a day."""
    return period.kind is PeriodKind.DATE or (period.start is not None and period.start == period.end)


def is_part_of_year(period: Period) -> bool:
    """Whether a period is longer than a day and shorter than a year."""
    if is_of_a_day(period) or period.start is None or period.end is None:
        return False
    return (period.end - period.start).days < LEAST_OF_A_YEAR


def is_of_other_month(period: Period, month: Period) -> bool:
    """Whether a period is of another month than one that is named; what is of a day may be of the month's end."""
    if period.end is None or month.end is None:
        return False
    if period.kind is PeriodKind.MONTH:
        return period.key != month.key
    if period.start is not None and (period.end - period.start).days > LONGEST_MONTH:
        return True
    return period.end.year != month.end.year or period.end.month != month.end.month


def name_offset(periods: Iterable[Period | None]) -> int:
    """What a report adds to the calendar years in which its fiscal years end to name them, by periods of it: -1 where
    fiscal 2023 ends in January 2024, else 0."""
    ends = ((each.year, each.end) for each in periods if each is not None and each.kind in CLOSING)
    told = (year - (end - 2 * NEAR).year for year, end in ends if year is not None and end is not None)
    return max(min(told, default=0), -1)


def _at_bound(here: date, bounds: Iterable[date]) -> date:
    """The day at which a known span begins or ends, where one does near this: of 14 weeks too, and not of 13 alone."""
    near = min(bounds, key=lambda each: (abs(each - here), each), default=here)
    return near if abs(near - here) <= LONG_WEEK else here


def months_of(each: Span) -> int:
    """The length in months, to the nearest."""
    return round((each.until - each.start).days / 30.44)


def months_on(start: date, months: int) -> date:
    """The same day so many months on, or the last of that month."""
    number = start.year * 12 + start.month - 1 + months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(start.day, monthrange(year, month + 1)[1]))


def period_of(each: Span) -> Period:
    """The span as a period, a whole quarter or year under that name."""
    last = each.until - timedelta(days=1)
    label = f"{each.start.isoformat()} to {last.isoformat()}"
    first = day(each.start.year, each.start.month, each.start.day, label)
    return span(first, day(last.year, last.month, last.day, label), label)


def path(known: Sequence[Span], wanted: Span) -> tuple[tuple[int, bool], ...]:
    """The fewest known spans that add up to the wanted one, by index, and whether each is added or taken off; () where
    none do.

    Each day is a place, each span a way from its first day to the day behind its last, walked backwards to take it off.
    """
    places = _places((*known, wanted))
    ways = [(places[each.start], places[each.until]) for each in known]
    start, end = places[wanted.start], places[wanted.until]
    waiting: deque[tuple[date, tuple[tuple[int, bool], ...]]] = deque([(start, ())])
    seen = {start}
    while waiting:
        here, made = waiting.popleft()
        if len(made) == MOST_TERMS:
            continue
        for index, (first, until) in enumerate(ways):
            for there, added in ((until, True), (first, False)):
                if here != (first if added else until) or there in seen:
                    continue
                if there == end:
                    return (*made, (index, added))
                seen.add(there)
                waiting.append((there, (*made, (index, added))))
    return ()


def is_near(one: Span, other: Span) -> bool:
    """Whether two spans begin and end on the same days, or within a few."""
    return abs(one.start - other.start) <= NEAR and abs(one.until - other.until) <= NEAR


def together(terms: Iterable[tuple[Span, bool]]) -> Span | None:
    """The one span that spans added and taken off come to, None where they come to none: a year less the year before.

    It needs something taken off: the sum of two years is no period that could have been printed.
    """
    kept = list(terms)
    if all(added for _, added in kept):
        return None
    places = _places(each for each, _ in kept)
    counts: dict[date, int] = {}
    for each, added in kept:
        for place, sign in ((places[each.until], 1), (places[each.start], -1)):
            counts[place] = counts.get(place, 0) + (sign if added else -sign)
    left = sorted((place, count) for place, count in counts.items() if count)
    if [count for _, count in left] != [-1, 1]:
        return None
    return Span(left[0][0], left[1][0])


def _places(spans: Iterable[Span]) -> dict[date, date]:
    """The first of the days that are one boundary, by each of them."""
    found: dict[date, date] = {}
    first = date.min
    for each in sorted({boundary for span_ in spans for boundary in span_}):
        if each - first > NEAR:
            first = each
        found[each] = first
    return found


def _behind(last: date) -> date:
    return last + timedelta(days=1)
