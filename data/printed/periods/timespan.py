"""One period of time: how to make one, place it in a year, and join two into a span.

>>> in_year(quarter(None, 1, "first quarter"), 2010).key, of_year(day(2008, 12, 31, "12/31/08"), 2007).key
('2010-Q1', '2007-12-31')
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

_AGAINST = " vs "  # in the key of a comparison
FULL_YEAR = "FY"  # the key of all of a year that is stated elsewhere


class PeriodKind(StrEnum):
    YEAR = "year"
    FISCAL_YEAR = "fiscal year"
    QUARTER = "quarter"
    MONTH = "month"
    DATE = "date"
    SPAN = "span"  # several years, months or days: 2012-2016; also a comparison, `2015 vs 2014`
    RELATIVE = "relative"  # less than 1 year, thereafter


@dataclass(frozen=True, slots=True)
class Period:
    """One period.

    key: canonical and sortable: `2007`, `FY2012`, `2007-Q1`, `2007-03`, `2007-12-31`, `2012/2016`, `Q1` or `12-31`
        where no year is stated, or the label itself for a relative period. Two labels with one key mean the same
        period.
    label: as printed.
    year: the calendar (or fiscal) year it lies or ends in, None where none is stated.
    start, end: its first and last day where they are known.
    """

    key: str
    kind: PeriodKind
    label: str
    year: int | None = None
    start: date | None = None
    end: date | None = None

    def __hash__(self) -> int:
        """By what mostly tells periods apart: each figure is found by its own."""
        return hash((self.key, self.label))

    @property
    def told(self) -> str:
        """As printed; by its key where no label says it, as it follows from others."""
        return self.label or self.key


def calendar_year(year: int, label: str) -> Period:
    """The whole of a year."""
    return Period(str(year), PeriodKind.YEAR, label, year, date(year, 1, 1), date(year, 12, 31))


def fiscal_year(year: int, label: str) -> Period:
    """A fiscal year, whose days the label does not say."""
    return Period(f"FY{year}", PeriodKind.FISCAL_YEAR, label, year)


def quarter(year: int | None, number: int, label: str) -> Period:
    """Quarter 1 to 4, of a year or, for None, of any."""
    if year is None:
        return Period(f"Q{number}", PeriodKind.QUARTER, label)
    last = date(year, 3 * number, monthrange(year, 3 * number)[1])
    return Period(f"{year}-Q{number}", PeriodKind.QUARTER, label, year, date(year, 3 * number - 2, 1), last)


def month(year: int, number: int, label: str) -> Period:
    """The whole of a month, 1 to 12."""
    last = date(year, number, monthrange(year, number)[1])
    return Period(f"{year}-{number:02}", PeriodKind.MONTH, label, year, last.replace(day=1), last)


def day(year: int | None, of_month: int, number: int, label: str) -> Period:
    """One day, of a year or, for None, of any. A day that the month does not have makes it the month."""
    if year is None:
        return Period(f"{of_month:02}-{number:02}", PeriodKind.DATE, label)
    if not 1 <= of_month <= 12 or not 1 <= number <= monthrange(year, of_month)[1]:
        return month(year, min(max(of_month, 1), 12), label)  # a slip: june 31
    on = date(year, of_month, number)
    return Period(on.isoformat(), PeriodKind.DATE, label, year, on, on)


def span(first: Period, second: Period, label: str) -> Period:
    """From the start of one period to the end of another. A whole month, quarter or year is just that."""
    start, end = first.start, second.end
    if (
        start
        and end
        and start.day == 1
        and second.kind is PeriodKind.DATE
        and end.day == monthrange(end.year, end.month)[1]
    ):
        if (start.year, start.month) == (end.year, end.month):
            return month(end.year, end.month, label)
        if start.year == end.year and end.month % 3 == 0 and start.month == end.month - 2:
            return quarter(end.year, end.month // 3, label)
        if (start.month, end.month) == (1, 12) and start.year == end.year:
            return calendar_year(end.year, label)
    return Period(f"{first.key}/{second.key}", PeriodKind.SPAN, label, second.year, start, end)


def comparison(later: str, earlier: str, label: str, year: int, end: date | None = None) -> Period:
    """What is told of one period against another, `2015 vs 2014`: of the end of the later one, where it is known."""
    return Period(f"{later}{_AGAINST}{earlier}", PeriodKind.SPAN, label, year, None, end)


def is_comparison(period: Period) -> bool:
    """Whether a period is one compared with another."""
    return _AGAINST in period.key


def year_before(period: Period, year: int) -> Period:
    """The same part of the year before `year`, its own. Of a day inside a month only the month is kept."""
    if period.kind is PeriodKind.DATE and period.end and period.end.day != monthrange(year, period.end.month)[1]:
        return month(year - 1, period.end.month, period.label)
    return of_year(period, year - 1)


def in_year(period: Period, year: int) -> Period:
    """A period without a year (`Q1`, `12-31`), placed in one; any other stays as it is."""
    if period.year is not None or period.kind is PeriodKind.RELATIVE:
        return period
    if period.key == FULL_YEAR:
        return fiscal_year(year, period.label)
    if period.key[0] == "H":
        return Period(f"FY{year}-{period.key}", PeriodKind.SPAN, period.label, year)
    if period.key[0] == "Q":
        return quarter(year, int(period.key[1:]), period.label)
    if "/" in period.key:
        first, second = (in_year(replace(period, key=key, kind=PeriodKind.DATE), year) for key in period.key.split("/"))
        return span(first if first.key <= second.key else of_year(first, year - 1), second, period.label)
    placed = day(year, int(period.key[:2]), int(period.key[3:]), period.label)
    if period.kind is PeriodKind.YEAR:
        return calendar_year(year, period.label) if period.key.startswith("12") else _year_to(placed)
    return placed


def part_of(period: Period, whole: Period) -> Period:
    """A period without a year (`full year`, `first half`, `Q1`), placed in the year that is stated beside it.

    Of a fiscal year whose days are known its halves and quarters have theirs; what says its own last month, as
    `quarter ended march 31`, has that one.
    """
    if period.year is not None or period.kind is PeriodKind.RELATIVE or whole.year is None:
        return period
    if period.key == FULL_YEAR and whole.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR):
        return replace(whole, label=period.label)
    placed = in_year(period, whole.year)
    start, end = whole.start, whole.end
    if placed.kind is PeriodKind.DATE and placed.end and end and placed.end > end:
        return in_year(period, whole.year - 1)  # `balance as of May 1` of a year that ends in April
    if start is None or end is None or whole.kind not in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR):
        return placed
    if period.key[0] not in "QH" or start.day != 1 or (end + timedelta(days=1)).day != 1:
        return placed
    if "end" in period.label.lower():
        return placed if placed.end is None or placed.end <= end else in_year(period, whole.year - 1)
    months = 3 if period.key[0] == "Q" else 6
    number = int(period.key[1])
    return replace(placed, start=_months_on(start, months * (number - 1)), end=_before(start, months * number))


def _months_on(first: date, months: int) -> date:
    number = first.year * 12 + first.month - 1 + months
    return date(number // 12, number % 12 + 1, 1)


def _before(first: date, months: int) -> date:
    return _months_on(first, months) - timedelta(days=1)


def _year_to(last: Period) -> Period:
    """The fiscal year that ends on a day; its days are known where that is the last one of a month."""
    found = fiscal_year(last.year or 0, last.label)
    if last.end is None or (last.end.day != monthrange(last.end.year, last.end.month)[1]):
        return found
    begins = date(last.end.year - 1, last.end.month + 1, 1)
    return replace(found, start=begins, end=last.end)


def of_year(period: Period, year: int) -> Period:
    """The same part of another year: `2008-12-31` in 2007 is `2007-12-31`."""
    label = period.label
    if period.kind is PeriodKind.DATE and period.end:
        return day(year, period.end.month, period.end.day, label)
    if period.kind is PeriodKind.MONTH and period.end:
        return month(year, period.end.month, label)
    if period.kind is PeriodKind.QUARTER and period.year is not None and "-Q" in period.key:
        return quarter(year, int(period.key[-1]), label)
    if period.kind is PeriodKind.FISCAL_YEAR:
        return fiscal_year(year, label)
    return calendar_year(year, label) if period.kind is PeriodKind.YEAR else in_year(period, year)
