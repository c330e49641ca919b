"""What a company calls a year or a quarter: fiscal 2024 may end in January 2024, or in January 2025."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from tieout.data.document import RELEASE, Document
from tieout.data.printed.periods.period import PeriodKind
from tieout.kg.fact import Fact

DECEMBER = 12
YEAR = range(350, 381)  # days of a year of 52 or 53 weeks too
QUARTER = range(76, 106)
HALF = range(160, 201)
NINE_MONTHS = range(250, 291)
CURRENT = ("8-K", "6-K")  # reports of what happened on a day, which need not close a period
NEAR = 16  # days by which the end of a quarter or year may move
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
SPANS = (("FY", YEAR), ("Q", QUARTER), ("H", HALF), ("9M", NINE_MONTHS))


def length_of(start: date, end: date) -> int:
    """Days from the first to the last, both counted."""
    return (end - start).days + 1


@dataclass(frozen=True, slots=True)
class FiscalYears:
    """month, day: on which fiscal years end, about. offset: what is added to the calendar year of the last day of a
    fiscal year to name it: -1 where fiscal 2023 ends in January 2024."""

    month: int
    day: int
    offset: int

    def end_of(self, calendar_year: int) -> date:
        """About the last day of the fiscal year that ends in or near the end of a calendar year."""
        last = 28 if self.month == 2 else 30 if self.month in (4, 6, 9, 11) else 31
        return date(calendar_year, self.month, min(self.day, last))

    def of_day(self, day: date) -> tuple[int, str]:
        """The fiscal year that a day closes or lies in, and the period that ends on it: `FY`, else `Q1` to `Q3`."""
        for year in (day.year - 1, day.year, day.year + 1):
            left = (self.end_of(year) - day).days
            if -NEAR <= left < 366 - NEAR:
                quarter = 4 - round(left / 91.3)
                return year + self.offset, "FY" if quarter == 4 else f"Q{max(quarter, 1)}"
        raise AssertionError(day)

    def of_instant(self, day: date) -> tuple[int, str] | None:
        """The fiscal year and period that a day closes, within a few days; None for a day in between."""
        year, period = self.of_day(day)
        number = 4 if period == "FY" else int(period[1])
        left = (self.end_of(year - self.offset) - day).days - (4 - number) * 91.3
        return (year, period) if abs(left) <= NEAR else None

    def of_span(self, start: date, end: date) -> tuple[int, str] | None:
        """The fiscal year and the name of a span: `FY`, `Q1` to `Q4`, `H1`, `H2`, `9M`; None for any other."""
        year, closing = self.of_day(end)
        days = length_of(start, end)
        kind = next((name for name, lengths in SPANS if days in lengths), None)
        number = 4 if closing == "FY" else int(closing[1])
        match kind:
            case "FY":
                return (year, "FY") if closing == "FY" else None
            case "Q":
                return year, f"Q{number}"
            case "H":
                return (year, f"H{number // 2}") if number % 2 == 0 else None
            case "9M":
                return (year, "9M") if number == 3 else None
        return None


def fiscal_years(document: Document, facts: Sequence[Fact], focus: str) -> FiscalYears:
    """How the company of a report counts years. focus: the fiscal year that the file says it is of, "" for none.

    The last day of a year is that of most spans of a year in it, or of its own period where it is annual. Where nothing
    tells how a year is called, its name is the calendar year of its last day.
    """
    ends = Counter(
        fact.period.end
        for fact in facts
        if fact.period
        and fact.period.start
        and fact.period.end
        and length_of(fact.period.start, fact.period.end) in YEAR
    )
    is_annual = not document.form.upper().startswith(("10-Q", "10Q", *CURRENT))
    closing = document.ended if is_annual and document.ended else _closing(document, ends, facts)
    if closing is None:
        return FiscalYears(12, 31, 0)
    plain = FiscalYears(closing.month, closing.day, 0)
    if closing.month == DECEMBER:
        return plain
    if focus.isdigit() and document.ended:
        offset = int(focus) - plain.of_day(document.ended)[0]
    else:
        offset = _offset(facts, plain)
    return FiscalYears(closing.month, closing.day, likely_offset(closing.month, offset))


def likely_offset(month: int, offset: int) -> int:
    """What a file adds to the calendar year of its last day to name its year, 0 where that cannot be: a year that
    closes in December is called as the calendar year, whatever the file says, and no other lies two years apart.
    month: in which it closes."""
    return offset if month != DECEMBER and offset in (-1, 0, 1) else 0


def _closing(document: Document, years: Counter[date], facts: Sequence[Fact]) -> date | None:
    """The last day of a fiscal year, of a report that is not annual or does not say of what day it is: the one that its
    balance sheet compares with."""
    ended = document.ended
    days = Counter(
        fact.period.end
        for fact in facts
        if fact.period and fact.period.kind is PeriodKind.DATE and fact.period.end and fact.table
    )
    is_quarter = document.form.upper().startswith("10-Q") or document.form == RELEASE
    if ended is None and days and not is_quarter:
        return _last(days)
    ended = ended or _last(days)
    if ended is not None:
        before = [day for day, _ in days.most_common(6) if 60 < (ended - day).days < 300]
        if before:
            return before[0]
    months = Counter(day.month for day in years.elements())  # beside fiscal years stand twelve months to other quarters
    usual = next((month for month, _ in months.most_common(1)), None)
    return max((day for day in years if day.month == usual), default=ended)


def last_day(facts: Sequence[Fact]) -> date | None:
    """The last day of the period of a report that does not say it: the later of the two of most balances, or that of
    the year of its columns which ends years later: a day is then that of an opening, beside balances headed by years.
    """
    day, year = (_last(Counter(_ends(facts, kinds))) for kinds in ((PeriodKind.DATE,), _YEARS))
    is_opening = day is not None and year is not None and year > day and (year.month, year.day) == (day.month, day.day)
    return year if is_opening else day


def _ends(facts: Sequence[Fact], kinds: Container[PeriodKind]) -> Iterator[date]:
    """The last days of the periods of these kinds, of each figure of a table."""
    for fact in facts:
        if fact.period and fact.period.kind in kinds and fact.period.end and fact.table:
            yield fact.period.end


def _last(days: Counter[date]) -> date | None:
    """The later of the two most often named, the last of all that are named as often: `Balance at` of four years."""
    often = days.most_common()
    return max((day for day, times in often if times >= often[:2][-1][1]), default=None)


def _offset(facts: Sequence[Fact], plain: FiscalYears) -> int:
    """What a report adds to calendar years to name its own, told by columns that name a year and have a last day."""
    told = Counter(
        fact.period.year - plain.of_day(fact.period.end)[0]
        for fact in facts
        if fact.period and fact.period.kind is PeriodKind.FISCAL_YEAR and fact.period.year and fact.period.end
    )
    return next((offset for offset, _ in told.most_common(1)), 0)
