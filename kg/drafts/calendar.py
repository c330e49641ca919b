"""The fiscal calendar of a report: on which day each of its years ends, and what `2024` over a column means there.

A report names the last day of its own year on its cover, and those of earlier years in headers (`September 28, 2024`).
A year of 52 or 53 weeks begins the day after the last one ended.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta

from tieout.data.document import Document
from tieout.data.printed.period import Period, PeriodKind, find_periods
from tieout.data.printed.wording import MONTHS

NEAR = 10  # days by which the end of a year of weeks moves
HEADER_ROWS = 5
LONGEST_LABEL = 160
_QUARTERLY = re.compile(r"10-?Q", re.IGNORECASE)
_NAMED_YEAR = re.compile(
    r"\bfiscal (?:year )?(20[0-9]{2}|19[0-9]{2})[^.;]{0,50}?\b(?:ended|ending|ends|is the)\b([^.;]{0,60})", re.IGNORECASE
)
_OPENS = re.compile(r"\b(?:balances?|beginning|opening|outstanding|nonvested|unvested)\b", re.IGNORECASE)
_NOT_BARE = re.compile(rf"\b(?:{'|'.join(MONTHS)}|ended|ending|calendar)\b", re.IGNORECASE)


def is_bare_year(period: Period) -> bool:
    """Whether a period is a year that no day or month is said of: `2024`, `2024 Americas`."""
    return (
        period.kind is PeriodKind.YEAR and period.key == str(period.year) and not _NOT_BARE.search(period.label)
    )


class Calendar:
    """ends: of each fiscal year, by the name it has in the report, the last day. ended: that of the report's period."""

    def __init__(self, document: Document, introductions: Sequence[str]) -> None:
        self.ended = document.ended
        self.ends: dict[int, date] = {}
        self.is_calendar = True
        if self.ended is None:
            return
        days = Counter(_days(document, introductions))
        closing = self.ended
        if _QUARTERLY.match(document.form):
            closing = self._year_end_of_quarterly(days) or date(self.ended.year - 1, 12, 31)
        self.is_calendar = (closing.month, closing.day) == (12, 31)
        offset = self._offset(document, closing)
        for day, _ in days.most_common():
            year = _year_ended(day, closing)
            if year is not None:
                self.ends.setdefault(year + offset, day)
        self.ends[closing.year + offset] = closing
        if _is_month_end(closing):
            for year in range(closing.year - 10, closing.year + 11):
                last = date(year, closing.month, monthrange(year, closing.month)[1])
                self.ends.setdefault(year + offset, last)

    def _year_end_of_quarterly(self, days: Counter[date]) -> date | None:
        """Of a quarterly report the year end before it: the day that its balance sheet compares with."""
        assert self.ended
        for day, _ in days.most_common():
            before = (self.ended - day).days
            if 60 < before < 300 and day < self.ended:
                return day
        return None

    def _offset(self, document: Document, closing: date) -> int:
        """By how many years the name of a fiscal year differs from that of the calendar year in which it ends."""
        found: Counter[int] = Counter()
        for text in document.paragraphs:
            if "iscal" not in text:
                continue
            for match in _NAMED_YEAR.finditer(text):
                for period, _, _ in find_periods(match[2])[:1]:
                    if period.end and abs(_distance(period.end, closing)) <= NEAR:
                        found[int(match[1]) - period.end.year] += 1
        best = found.most_common(1)
        return best[0][0] if best and abs(best[0][0]) <= 1 else 0

    def year(self, name: int, label: str) -> Period:
        """The fiscal year of this name; without days where the report does not let one know them."""
        end = self.ends.get(name)
        before = self.ends.get(name - 1)
        start = before + timedelta(days=1) if end and before else None
        if end and start is None:
            return Period(f"FY{name}", PeriodKind.FISCAL_YEAR, label, name, None, end)
        return Period(f"FY{name}", PeriodKind.FISCAL_YEAR, label, name, start, end)

    def dated(self, period: Period) -> Period:
        """A period with the days that the report lets one know."""
        if self.ended is None or period.year is None:
            return period
        if period.kind is PeriodKind.YEAR and not self.is_calendar and is_bare_year(period):
            return self.year(period.year, period.label)
        if period.kind is PeriodKind.FISCAL_YEAR and period.end is None and period.key == f"FY{period.year}":
            return self.year(period.year, period.label)
        if period.kind is PeriodKind.FISCAL_YEAR and period.end:
            return self._begun(period)
        if period.kind is PeriodKind.QUARTER and not self.is_calendar and "-Q" in period.key and "ended" not in period.label.lower():
            return self._quarter(period)
        if period.kind is PeriodKind.DATE and period.end:
            return self._closed(period)
        return period

    def _closed(self, period: Period) -> Period:
        """`Balance at January 1, 2025` is that of the night before, on which the year ended."""
        assert period.end
        before = period.end - timedelta(days=1)
        opens = before in self.ends.values() and _OPENS.search(period.label)
        return replace(period, key=before.isoformat(), year=before.year, start=before, end=before) if opens else period

    def _begun(self, period: Period) -> Period:
        """A year whose last day is printed, from the day after the one before ended."""
        name = next((year for year, end in self.ends.items() if end == period.end), None)
        before = self.ends.get(name - 1) if name is not None else None
        return replace(period, start=before + timedelta(days=1)) if before else period

    def _quarter(self, period: Period) -> Period:
        """A quarter of a fiscal year: months behind the last one where years end with a month, else without days."""
        assert period.year is not None
        end = self.ends.get(period.year)
        number = int(period.key[-1])
        key = f"FY{period.year}-Q{number}"
        if end is None or not _is_month_end(end):
            return Period(key, PeriodKind.QUARTER, period.label, period.year)
        last, first = _months_before(end, 12 - 3 * number), _months_before(end, 15 - 3 * number)
        return Period(key, PeriodKind.QUARTER, period.label, period.year, first + timedelta(days=1), last)

    def own_year(self) -> Period | None:
        """The period that the report is about, None where its cover does not say when it ends."""
        if self.ended is None:
            return None
        day = self.ended
        return Period(day.isoformat(), PeriodKind.DATE, "date of the report", day.year, day, day)


def _days(document: Document, introductions: Sequence[str]) -> Iterator[date]:
    """The days in headers, in labels of the first column, and in the words before tables."""
    for table, introduction in zip(document.tables, introductions, strict=True):
        texts: Iterable[str] = dict.fromkeys(
            [cell for row in table.rows[:HEADER_ROWS] for cell in row] + [row[0] for row in table.rows if row]
        )
        joined = [
            " ".join(dict.fromkeys(row[column] for row in table.rows[:3] if column < len(row) and row[column]))
            for column in range(max(map(len, table.rows), default=0))
        ]
        for text in dict.fromkeys([*texts, *joined, introduction]):
            if len(text) <= LONGEST_LABEL or text is introduction:
                yield from (each.end for each, _, _ in find_periods(text) if each.end and _names_a_day(each))


def _names_a_day(period: Period) -> bool:
    return period.kind is PeriodKind.DATE or (period.kind is PeriodKind.FISCAL_YEAR and period.end is not None)


def _distance(day: date, closing: date) -> int:
    """Days from the nearest anniversary of another day."""
    best = 400
    for year in (day.year - 1, day.year, day.year + 1):
        there = date(year, closing.month, min(closing.day, monthrange(year, closing.month)[1]))
        best = min(best, (day - there).days, key=abs)
    return best


def _year_ended(day: date, closing: date) -> int | None:
    """The calendar year of the fiscal year end that a day is, None for any other day."""
    for year in (day.year, day.year - 1, day.year + 1):
        there = date(year, closing.month, min(closing.day, monthrange(year, closing.month)[1]))
        if _is_month_end(closing) and closing.day > 27:
            near = day == date(year, closing.month, monthrange(year, closing.month)[1])
        else:
            near = abs((day - there).days) <= NEAR and day.weekday() == closing.weekday()
        if near:
            return year
    return None


def _is_month_end(day: date) -> bool:
    return (day + timedelta(days=1)).day == 1


def _months_before(end: date, months: int) -> date:
    """The last day of the month so many months before."""
    index = end.year * 12 + end.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, monthrange(year, month + 1)[1])
