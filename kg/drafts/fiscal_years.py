"""The fiscal calendar of a report: on which day each of its years ends, and what `2024` over a column means there.

A report names the last day of its own year on its cover, and those of earlier years in headers (`September 28, 2024`).
A year of 52 or 53 weeks begins the day after the last one ended.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tieout.data.document import RELEASE, Document
from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.fiscal import Calendar, find_calendar, resolve, usual_name
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods
from tieout.data.printed.wording import MONTHS
from tieout.data.tables.year_names import headed_offset, said_offset, year_offset

_OFTEN = 3
_WEEK, _NEAREST = 7, 3  # days; how far the day of the week that is nearest to the end of a month may lie from it
LONGEST_LEFT = 300  # days of a year behind the end of its first quarter
NEAR = 10  # days by which the end of a year of weeks moves
HEADER_ROWS = 4
LONGEST_LABEL = 160
_QUARTERLY = later(r"10-?Q", re.IGNORECASE)
_OF_YEAR = later(r"\b(?:(?:twelve|12) months|years?|(?:5[23]|fifty-(?:two|three)) weeks),? end", re.IGNORECASE)
_OPENS = later(
    r"\b(?:balances?|liabilit(?:y|ies)|accruals?|reserves?|beginning|opening|outstanding|nonvested|unvested)\b",
    re.IGNORECASE,
)
_DEFINED = later(r"\byear ended\b", re.IGNORECASE)
_FISCAL = later(r"\bfiscal\b|fy(?![a-z])", re.IGNORECASE)
_NOT_BARE = later(rf"\b(?:{'|'.join(MONTHS)}|ended|ending|calendar)\b", re.IGNORECASE)


def is_bare_year(period: Period) -> bool:
    """Whether a period is a year that no day or month is said of: `2024`, `2024 Americas`."""
    return (
        period.kind is PeriodKind.YEAR
        and period.key == str(period.year)
        and not _NOT_BARE.search(in_english(period.label))
    )


def _is_of_no_year(document: Document) -> bool:
    """Whether a report is a release whose tables are of no whole year: of a quarter."""
    if document.form != RELEASE:
        return False
    heads = (cell for table in document.tables for row in table.rows[:HEADER_ROWS] for cell in row)
    return not any(_OF_YEAR.search(in_english(cell)) for cell in heads)


class ReportCalendar:
    """The fiscal calendar of one report, from its cover, its headers and its notes.

    fiscal: the years and their last days. ended: the last day of the report's own period, None where it is not known.
    is_named: whether it is known which of them is meant by `FY2024` alone.
    """

    def __init__(self, document: Document, introductions: Sequence[str]) -> None:
        self.ended = document.ended
        stated = find_calendar(_texts(document), document.ended)
        stated_last = max(stated.ends.values(), default=None)  # of a release whose cover says no day
        is_whole = bool(document.tables) and document.tables[0].after is not None
        closing = (self.ended or stated_last) if is_whole else None
        closing = closing or _closing_of_page(document, introductions)
        days = Counter(_days(document, introductions)) if closing else Counter()
        if self.ended and closing and _QUARTERLY.match(document.form):
            closing = self._year_end_of_quarterly(days) or stated.ends.get(max(stated.ends, default=0))
        elif self.ended and closing and self.ended in stated.quarters and _is_of_no_year(document):
            closing = self._year_end_of_quarterly(days) or closing
        self.fiscal = self._filled(stated, closing, days) if closing else stated
        # Where nothing says when the years of a page end, its days do: `balance at January 1`, `... at December 31`.
        printed = () if self.fiscal.ends else _days(document, introductions)
        self._ends = frozenset((day.month, day.day) for day in printed)
        self.is_named = True
        is_told = stated.is_named or any(year != day.year for year, day in self.fiscal.ends.items())
        if not self.fiscal.is_of_calendar_years and not is_told:
            offset = self._own_offset(document)
            self.is_named = offset is not None
            self.fiscal = _renamed(self.fiscal, offset) if offset else self.fiscal

    def _own_offset(self, document: Document) -> int | None:
        """How far the report's names of years are from the calendar years in which they end: as its file says, else
        its figures, else its sentences; None where nothing tells, and headers leave it open."""
        if all(12 in (day.month, (day - timedelta(days=NEAR)).month) for day in self.fiscal.ends.values()):
            return 0  # with the calendar year, or within days of it
        ends = self.fiscal.ends
        in_year = max(ends)  # of a release that says no day of its own, its own year
        if (
            self.ended
        ):  # a quarterly report knows the ends of years before its own, and may name one that is yet to come
            own = (name for name, day in ends.items() if 0 <= (day - self.ended).days < LONGEST_LEFT)
            before = max((name for name, day in ends.items() if day < self.ended), default=in_year - 1)
            in_year = next(own, before + 1)
        focus = dict(document.about).get("DocumentFiscalYearFocus", "")
        if focus.isdigit() and int(focus) - in_year in (0, -1):
            return int(focus) - in_year
        if (by_weeks := _offset_by_weeks(self.fiscal)) is not None:
            return by_weeks
        by_figures = year_offset(document)
        found = by_figures or said_offset(document, in_year) or by_figures
        is_open = found is None and document.form.startswith("10-K")
        return headed_offset(document, in_year) if is_open else found

    def _filled(self, stated: Calendar, closing: date, days: Counter[date]) -> Calendar:
        """The calendar that is stated, with the years that headers show: days near the anniversary of the closing."""
        by_weeks = _are_of_weeks(closing, self.ended or closing, days)
        own = {year: day for year, day in stated.ends.items() if abs(_distance(day, closing)) <= NEAR}
        offset = _offset(own, closing, by_weeks)
        ends = {usual_name(closing) + offset: closing}
        for day, _ in days.most_common():
            year = _year_ended(day, closing, by_weeks)
            if year is not None:
                ends.setdefault(year + offset, day)
        ends |= {year: day for year, day in own.items() if year not in ends}
        ends |= {year: day for year, day in _by_weekday(ends).items() if year not in ends}
        whole = not by_weeks and all(_is_month_end(day) for day in ends.values())
        closes = closing.month if whole else None
        return replace(stated, ends=dict(sorted(ends.items())), closes=closes, ended=self.ended)

    def _year_end_of_quarterly(self, days: Counter[date]) -> date | None:
        """Of a quarterly report the year end before it: the day that its balance sheet compares with."""
        assert self.ended
        for day, _ in days.most_common():
            if 60 < (self.ended - day).days < 300:
                return day
        return None

    def dated(self, period: Period) -> Period:
        """A period with the days that the report lets one know."""
        if period.kind is PeriodKind.DATE and period.end:
            return self.named(self._closed(period))
        if period.kind is PeriodKind.FISCAL_YEAR and period.end and not self.fiscal.closes:
            name = self.fiscal.name_of(period.end)  # a year of weeks may end with a month all the same
            first = self.fiscal.days(name)[0] if name is not None else None
            period = replace(period, start=first or period.start)
        if period.kind is PeriodKind.FISCAL_YEAR and period.end is None and not self.is_named:
            return period  # of either of two years
        if period.kind is PeriodKind.QUARTER and not self.fiscal.ends and _FISCAL.search(in_english(period.label)):
            return replace(period, start=None, end=None)  # of a year that nothing says the end of
        found = resolve(period, self.fiscal)
        return self.named(found) if found.kind in (PeriodKind.QUARTER, PeriodKind.SPAN) else found

    def _closed(self, period: Period) -> Period:
        """`Balance at January 1, 2025` is that of the night before, on which the year ended; where years end with a
        month, `balance at April 1` is too."""
        return self.night_before(period) if _OPENS.search(in_english(period.label)) else period

    def night_before(self, period: Period) -> Period:
        """The day before a first day of a year, which is when its opening balances are from; any other day as it is,
        and one without a year."""
        if period.end is None:
            return period
        before = period.end - timedelta(days=1)
        is_first = bool(self.fiscal.closes) and period.end.day == 1
        if not is_first and not self.opens_year(period):
            return period
        return replace(period, key=before.isoformat(), year=before.year, start=before, end=before)

    def opens_year(self, day: Period) -> bool:
        """Whether a day is the first of a year, as that on which something is adopted: a bare year does not mean it."""
        before = day.end - timedelta(days=1) if day.end else None
        is_printed = before is not None and before.day > 1 and (before.month, before.day) in self._ends
        return is_printed or (before is not None and self.fiscal.end_of(before.year) == before)

    def named(self, day: Period) -> Period:
        """The day on which a fiscal year, or its last part, ends, of that year: January 28, 2024 of fiscal 2023, if it
        is called so."""
        name = self.fiscal.name_of(day.end) if day.end and self.is_named else None
        return day if name is None or name == day.year else replace(day, year=name)

    def own_day(self) -> Period | None:
        """The last day that the report is about, None where its cover does not say."""
        if self.ended is None:
            return None
        day = self.ended
        return Period(day.isoformat(), PeriodKind.DATE, day.isoformat(), day.year, day, day)


def _closing_of_page(document: Document, introductions: Sequence[str]) -> date | None:
    """The last day of the year of a page that prints the same figures under `Fiscal 2023` and `January 28, 2024`: the
    newest day in its headers. None for one that does not, whose years are called as those of the calendar."""
    return max(_days(document, introductions), default=None) if year_offset(document) else None


def _are_of_weeks(closing: date, ended: date, days: Counter[date]) -> bool:
    """Whether years end on a day of the week and not with a month. Some such years end with one: then the day on which
    the report's own quarter ended, or most ends of other years in headers, tell."""
    if not _is_month_end(closing) or (not _is_month_end(ended) and ended.weekday() == closing.weekday()):
        return True
    if ended != closing and ended.weekday() == closing.weekday():
        by_weeks = sum(days[ended - timedelta(weeks=weeks)] for weeks in (52, 53))
        if by_weeks > sum(days[day] for day in days if day != ended and not _distance(day, ended)):
            return True  # the same quarter of the year before ended on that day of the week
    near = [day for day in days if day != closing and abs(_distance(day, closing)) <= NEAR]
    by_month = sum(days[day] for day in near if _is_month_end(day))
    by_weekday = sum(days[day] for day in near if day.weekday() == closing.weekday())
    return by_weekday > by_month and _OFTEN * by_weekday >= days[closing]  # and not once: `balance at January 1`


def _offset(own: dict[int, date], closing: date, by_weeks: bool) -> int:
    """By how much the name of a year differs from that of the anniversary of its closing."""
    offsets = Counter(year - (_year_ended(day, closing, by_weeks) or usual_name(day)) for year, day in own.items())
    return min(offsets, key=lambda each: (-offsets[each], each), default=0)


def _offset_by_weeks(calendar: Calendar) -> int | None:
    """What the length of years tells of their names: `fiscal 2022 has 53 weeks` is the year of 371 days. None where
    no year of 53 weeks is named, or both names fit."""
    ends, fits = calendar.ends, []
    for offset in (0, -1):
        lasts = {year: (ends.get(year - offset - 1), ends.get(year - offset)) for year in calendar.weeks}
        known = {year: (last - before).days for year, (before, last) in lasts.items() if before and last}
        if 53 in map(calendar.weeks.get, known) and all(calendar.weeks[year] * 7 == known[year] for year in known):
            fits.append(offset)
    return fits[0] if len(fits) == 1 else None


def _renamed(calendar: Calendar, offset: int) -> Calendar:
    """The calendar with each year called by another number, and the day before the first one known begins."""
    ends = {year + offset: day for year, day in calendar.ends.items()}
    first = min(ends)
    if calendar.closes:
        day = ends[first]
        ends[first - 1] = date(day.year - 1, day.month, monthrange(day.year - 1, day.month)[1])
    return replace(calendar, ends=dict(sorted(ends.items())), closes=None)


def _texts(document: Document) -> Iterator[str]:
    """What may say on which days the years of a report end: its paragraphs, the heads of its tables, and rows that say
    what is meant by a year: `Fiscal 2023 | Fiscal year ended January 28, 2024`."""
    yield from document.paragraphs
    for table in document.tables:
        yield from (text for row in table.rows[:HEADER_ROWS] for text in row)
        yield from (" ".join(row) for row in table.rows if any(map(_DEFINED.search, row)))


def _days(document: Document, introductions: Sequence[str]) -> Iterator[date]:
    """The days in headers, in labels of the first column, and in the words before tables."""
    for table, introduction in zip(document.tables, introductions, strict=True):
        labels = dict.fromkeys(row[0] for row in table.rows if row)
        heads = dict.fromkeys(cell for row in table.rows[:HEADER_ROWS] for cell in row[1:])
        joined = [
            " ".join(dict.fromkeys(row[column] for row in table.rows[:3] if column < len(row) and row[column]))
            for column in range(max(map(len, table.rows), default=0))
        ]
        for text in dict.fromkeys([*heads, *labels, *joined, introduction]):
            is_label = text in labels or text in joined[:1]
            if len(text) <= LONGEST_LABEL or text is introduction:
                days = (each.end for each, _, _ in find_periods(text) if each.end and _names_a_day(each))
                # `Balance at January 1` is of the night before, whatever day of the week it is.
                yield from (day for day in days if not (is_label and day.day == 1))


def _names_a_day(period: Period) -> bool:
    return period.kind is PeriodKind.DATE or (period.kind is PeriodKind.FISCAL_YEAR and period.end is not None)


def _by_weekday(ends: dict[int, date]) -> dict[int, date]:
    """The years before those that are known, where all known ones end on the last Saturday, or the like, of a month, or
    on that nearest to its end."""
    days = list(ends.values())
    weekdays = {day.weekday() for day in days}
    if len(days) < 2 or len(weekdays) > 1 or all(map(_is_month_end, days)):
        return {}
    for after in (0, _NEAREST):  # days that a year may end after the month
        closings = {name: _month_end(day - timedelta(days=after)) for name, day in ends.items()}
        is_so = all((closings[name] - day).days + after < _WEEK for name, day in ends.items())
        if is_so and len({closing.month for closing in closings.values()}) == 1:
            lasts = {
                name - 1: _month_end(closing.replace(year=closing.year - 1, day=1)) + timedelta(days=after)
                for name, closing in closings.items()
            }
            return {
                name: last - timedelta(days=(last.weekday() - min(weekdays)) % _WEEK) for name, last in lasts.items()
            }
    return {}


def _month_end(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def _distance(day: date, closing: date) -> int:
    """Days from the nearest anniversary of another day."""
    best = 400
    for year in (day.year - 1, day.year, day.year + 1):
        there = date(year, closing.month, min(closing.day, monthrange(year, closing.month)[1]))
        best = min(best, (day - there).days, key=abs)
    return best


def _year_ended(day: date, closing: date, by_weeks: bool) -> int | None:
    """What the year that ends on a day is usually called, None for a day that is no anniversary of the closing.

    by_weeks: whether years are of weeks, so that all end on one day of the week; else they end with a month.
    """
    for year in (day.year, day.year - 1, day.year + 1):
        there = date(year, closing.month, min(closing.day, monthrange(year, closing.month)[1]))
        if not by_weeks:
            near = day == date(year, closing.month, monthrange(year, closing.month)[1])
        else:
            near = abs((day - there).days) <= NEAR and day.weekday() == closing.weekday()
        if near:
            return usual_name(there)
    return None


def _is_month_end(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1
