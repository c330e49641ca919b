"""When the figures of a report's table are from: its own dates, the words in front of it, the report's calendar.

`2025 | 2024` below `as of September 27, 2025 and September 28, 2024` are those two days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property, lru_cache

from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods, in_year, part_of, read_period
from tieout.data.printed.periods.timespan import comparison, is_comparison
from tieout.data.printed.wording import is_balance_sheet
from tieout.data.tables.dated_lines import TELLS_CHANGE
from tieout.data.tables.table import Layout, Line, Orientation
from tieout.kg.drafts.fiscal_years import NEAR, ReportCalendar, is_bare_year

INTRODUCTION, DOCUMENT, COLUMN = "introduction", "document", "column header"
DAYS_OF_YEAR = 373  # or fewer: a year of 53 weeks has 371
_FLOW = later(
    r"\b(?:years?|months?|quarters?|weeks?|periods?) (?:ended|ending)\b|\bduring\b|\bfor (?:the )?(?:fiscal|years?)\b",
    re.IGNORECASE,
)
_AT = later(r"\b(?:as (?:of|at)|at) $", re.IGNORECASE)
_OPENING = later(
    r"\b(?:at|as of|,) (?:the )?(?:beginning|start)\b|^(?:beginning|opening)\b|\bbeginning balances?\b"
    r"|\bbeginning of (?:the )?(?:fiscal )?(?:years?|periods?|quarters?)\b"
    r"|\bbalances?,? (?:at |as of |on )?(?:january 1|beginning)\b"
    r"|\bjanuary 1\b(?!(?:, ?[0-9]{4})?(?: ?\([^()]*\))?,? ?(?:[-–—]|to\b|through\b))",
    re.IGNORECASE,
)
_AT_BEGINNING = later(
    r"\b(?:at|,) (?:the )?(?:beginning|start) of (?:the )?(?:fiscal )?(?:years?|periods?)\b|\bbeginning of year\b"
    r"|^(?:beginning|opening) (?!inventor)",
    re.IGNORECASE,
)
# `revenue recognized that was included in the balance at the beginning of the year` is of the year.
_PART_OF_OPENING = later(
    r"\b(?:included in|recogni[sz]ed|portion of|that was|that were|from) [^,;:]{0,60}\b(?:beginning|opening|start)\b",
    re.IGNORECASE,
)
_CLOSING = later(
    r"\b(?:at|as of|,) (?:the )?end of\b|^(?:ending|closing)\b|\bending balances?\b|\bend of (?:the )?(?:fiscal )?"
    r"(?:years?|periods?|quarters?)\b|\bbalances?,? (?:at |as of |on )?(?:december 31|end)\b",
    re.IGNORECASE,
)
_ACQUIRED = later(
    r"\b(?:acqui(?:red|sition)|merger|business combination|purchase (?:price|consideration))", re.IGNORECASE
)
_CHANGE = later(
    r"change|increase|decrease|variance|favou?rable|growth|impact|%|percent|difference|\bvs\b|over|notes?$|total",
    re.IGNORECASE,
)
_FROM_YEAR = later(r"\b(?:from|vs|versus|over|compared (?:to|with))\.? (?:fiscal )?(?:19|20)[0-9]{2}\b", re.IGNORECASE)
_SENTENCE_END = later(r"(?<=[a-z)”][.?!]) ")
# Years of these are a kind of thing, and not when its figure is from.
_NOT_WHEN = later(
    r"\b(?:origination|originated|vintage|(?:annual|performance|incentive) awards?"
    r"|(?:tax|accident|policy|underwriting|model|grant) years?)\b"
)
_BEFORE_ALL = later(
    r"(?:^|\b(?:19|20)[0-9]{2} (?:and|&) |\bpre-?)(?:all )?prior(?: years?)?$|^revolving(?: loans?| lines?.*)?$"
)
_BY_VINTAGE = later(r"\b(?:(?:year of )?origination(?: year)?|accident years?|vintages?)\b", re.IGNORECASE)
_DUE = later(
    r"\b(?:payments?|due|remainder|remaining|matur(?:ity|ities|ing|es?)|expir(?:ations?|ing|es?))\b", re.IGNORECASE
)
_INTRODUCES = later(r"\b(?:following|below|follows?|above|tables?|schedule|summar\w+)\b|:$", re.IGNORECASE)
_NOTE_ABOVE = later(r"\s*(?:[*†‡§]|\([0-9a-z]{1,2}\) ?[A-Z])")
_SENTENCE = later(r"(?<=[^\s.]) ?\. (?=[A-Z(])")
_PARTS_OF_YEARS = (PeriodKind.QUARTER, PeriodKind.SPAN, PeriodKind.FISCAL_YEAR)
# A title with its days and its note in one line: `Acme and subsidiaries balance sheets at May 31, 2025 (in millions)`.
_TITLE_IN_ONE = later(r"\b(?:balance sheets?|statements? of [a-z ]+)\b[^.]{0,160}\([^()]+\)\s*$", re.IGNORECASE)
_LONGEST_LINE = 120  # letters of a title or a note, which is about the table whatever it says

Dated = tuple[Period, str]


class Dating:
    """The dates of one table. layout: with the periods of its lines as the report means them.

    before: the paragraphs in front of the table, of its section. caption: what it is about.
    """

    def __init__(
        self, layout: Layout, introduction: str, before: Sequence[str], calendar: ReportCalendar, caption: str = ""
    ) -> None:
        self.calendar = calendar
        self.introduction, self.before = introduction, before
        about = " . ".join(_about(introduction))
        found = find_periods(about)
        said = [period for period, _, _ in found]
        self.said = [calendar.dated(period) for period in said if period.year is not None]
        days = [period for period in self.said if period.kind is PeriodKind.DATE and not calendar.opens_year(period)]
        self.days = (
            {day.year: day for day in reversed(days)} if len({day.year for day in days}) == len(set(days)) else {}
        )
        self.parts = _parts_of_years(self.said)
        undated = {each.key: each for each in said if each.year is None and each.kind in _PARTS_OF_YEARS}
        self.part = next(iter(undated.values())) if len(undated) == 1 and not self.parts else None
        self.day = _only_day(about, found)
        self.is_balance = is_balance_sheet(caption)
        self.is_flow = not self.is_balance and bool(_FLOW.search(in_english(f"{layout.corner} . {about}")))
        lines = (*layout.rows, *layout.columns)
        self.is_outlook = self._looks_ahead(lines)
        self.is_crossed = self._is_crossed(layout)
        self.is_vintage = self._are_vintages(layout.columns, about)
        self.has_own_years = any(line.period and line.period.year for line in lines)
        self.has_years = self.has_own_years or bool(self.said)
        self.layout = self._mapped(layout)
        self.as_of = self._day_of_outlook(days)

    @staticmethod
    def _are_vintages(columns: Sequence[Line], about: str) -> bool:
        """Whether columns of years are those in which loans were made or accidents happened: one more is of all years
        before, and no years to come are among them."""
        years = [each.period for each in columns if each.period and not each.name and is_bare_year(each.period)]
        is_told = any(_BEFORE_ALL.search(each.label.lower()) for each in columns) or bool(_BY_VINTAGE.search(about))
        return len(years) > 1 and is_told

    def _is_crossed(self, layout: Layout) -> bool:
        """Whether lines of both ways are dated: what is due within a year, as of two days."""
        ended = self.calendar.ended
        return all(
            any(line.period and line.period.end and ended and line.period.end <= ended for line in lines)
            for lines in ((layout.columns,) if any(line.period for line in layout.rows) else (layout.rows,))
        )

    def _looks_ahead(self, lines: Iterable[Line]) -> bool:
        """Whether lines are years to come, with no name or that of payments: what is due in `2026`, `2027` and
        `thereafter`, `payments due in 2026 - 2027`, seen from one day."""
        ended = self.calendar.ended
        plain = [line.period for line in lines if line.period and (not line.name or _DUE.search(line.name))]
        ahead = [
            period
            for period in plain
            if period.kind is PeriodKind.RELATIVE or (ended and period.year and period.year > ended.year)
        ]
        is_listed = len(ahead) > 1 or (len(ahead) == len(plain) == 1 and ahead[0].kind is PeriodKind.RELATIVE)
        return ended is not None and is_listed and 2 * len(ahead) > len(plain)

    def _day_of_outlook(self, days: list[Period]) -> Dated | None:
        if not self.is_outlook or self.is_crossed:
            return None
        if len({day.key for day in days}) == 1:
            return days[0], INTRODUCTION
        own = self.calendar.own_day()
        return (own, DOCUMENT) if own else None

    def of_maturities(self) -> Dated | None:
        """Where columns have days of their own, rows by when something falls due say no day of the others: `May 2028`,
        `3.75%` is the interest rate of today."""
        own = self.calendar.own_day() if self.is_outlook and self.is_crossed else None
        return (own, DOCUMENT) if own else None

    def _mapped(self, layout: Layout) -> Layout:
        rows = {line.index: self._line(line) for line in layout.rows}
        columns = self._up_to_total({each.index: self._line(each) for each in self._behind_a_day(layout.columns)})
        columns |= {each.index: each for each in _with_changes(list(columns.values()))}
        return replace(layout, rows=tuple(rows.values()), columns=tuple(columns.values()), _rows=rows, _columns=columns)

    def _behind_a_day(self, columns: Sequence[Line]) -> Sequence[Line]:
        """Columns of years that count down from a day in front of them, as that day of each: `December 31, 2023` beside
        `2022`. In a table of flows they are years."""
        day = columns[0].period if columns and not columns[0].name else None
        if self.is_flow or day is None or day.kind is not PeriodKind.DATE or day.end is None:
            return columns
        found = list(columns[:1])
        for column in columns[1:]:
            period = column.period
            if column.name or not period or not is_bare_year(period) or period.year != day.end.year - len(found):
                break
            found.append(replace(column, period=self._same_day(day.end, period.year, period.label)))
        return (*found, *columns[len(found) :])

    def _same_day(self, on: date, year: int, label: str) -> Period:
        """The day of another year on which the report's years end, where that is near the same day, else that day."""
        last = self.calendar.fiscal.end_of(year)
        same = in_year(Period(f"{on:%m-%d}", PeriodKind.DATE, label), year)
        is_near = last is not None and same.end is not None and abs((last - same.end).days) <= NEAR
        return self.calendar.named(replace(same, key=f"{last}", start=last, end=last)) if is_near else same

    def _up_to_total(self, columns: dict[int, Line]) -> dict[int, Line]:
        """Columns of vintages with the day of the column of their total, which stands behind them."""
        day: Period | None = None
        for index in sorted(columns, reverse=True) if self.is_vintage else ():
            if (period := columns[index].period) is not None:
                day = period if period.kind is PeriodKind.DATE else None
            elif day:
                columns[index] = replace(columns[index], period=day)
        return columns

    def _line(self, line: Line) -> Line:
        if line.period is None:
            return line
        period = self._in_said_year(line.period)
        is_vintage = self.is_vintage and is_bare_year(period)
        if is_vintage or (line.name and _NOT_WHEN.search(line.name)):
            self.is_vintage = True
            return replace(line, period=None)
        if not self.is_outlook and period.year is not None and is_bare_year(period):
            said = self.parts.get(period.year) if self.is_flow else self._day_of(period, period.year)
            if not said and self.is_flow and self.part:  # `Three Months Ended June 30,` over a table of years
                said = read_period(f"{self.part.label.rstrip(' ,')}, {period.year}")
                said = self.calendar.dated(said) if said else None
            if said:
                return replace(line, period=replace(said, label=period.label))
        if period.year is None and period.key[:1].isdigit() and not self.has_own_years:
            period = self._in_last_year(period)
        dated = self.calendar.dated(period)
        return line if dated is line.period else replace(line, period=dated)

    def _day_of(self, period: Period, year: int) -> Period | None:
        """The day that a year over balances means: one that is said of it, else in a balance sheet its last."""
        if (said := self.days.get(year) or self._that_day(period)) is not None or not self.is_balance:
            return said
        last = self.calendar.fiscal.end_of(year)
        return self._day(last, period) if last is not None else None

    def _that_day(self, period: Period) -> Period | None:
        """`2024` below `as at 31 March`, and below `as at March 31, 2025` where years end on that day."""
        if self.day is None or period.year is None:
            return None
        if self.day.year is None:
            return in_year(self.day, period.year)
        own, that = (self.calendar.fiscal.end_of(year) for year in (self.day.year, period.year))
        return self._day(that, period) if that is not None and own == self.day.end else None

    def _in_said_year(self, period: Period) -> Period:
        """`First half` below `forecast for the year ending March 31, 2026`, the only year that is said."""
        if period.year is not None or period.kind not in _PARTS_OF_YEARS or self.has_own_years:
            return period
        years = {each.key: each for each in self.said if each.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)}
        return part_of(period, next(iter(years.values()))) if len(years) == 1 else period

    def placed(self, period: Period, row: Line | None, column: Line) -> Period:
        """A period that both of its lines say (`first quarter` beside `2024`), on the days of the report's years."""
        lines = (row.period if row else None, column.period)
        span = column.period
        if period.kind is PeriodKind.DATE and period.end and span and span.start == period.end != span.end:
            return self._day(period.end - timedelta(days=1), period)  # `Allowance at April 1` of that quarter
        return period if any(period is each for each in lines) else self.calendar.dated(period)

    def of_row(self, label: str, period: Period, place: str | None) -> Period:
        """A balance at the beginning or the end of a period is that of a day.

        label: of its row, or of the column of `balance at beginning of period` beside rows of years. place: where the
        period is stated; a row that says its own day means that one.
        """
        label = in_english(label)
        if period.kind is PeriodKind.RELATIVE or not _may_be_balance(label):
            return period
        if period.kind is PeriodKind.DATE:
            if place == COLUMN and _AT_BEGINNING.search(label):
                return self._opened(period)
            return self.calendar.night_before(period) if _OPENING.search(label) else period
        if _OPENING.search(label):
            return self._day(period.start - timedelta(days=1), period) if period.start else replace(period, end=None)
        if _CLOSING.search(label) and period.end:
            return self._day(period.end, period)
        return period

    def side(self, label: str) -> str:
        """Whether a label is of the balance at the beginning or at the end of a period; "" for neither."""
        label = in_english(label)
        if not _may_be_balance(label):
            return ""
        return "beginning" if _OPENING.search(label) else "end"

    def _day(self, on: date, period: Period) -> Period:
        """A day, of the fiscal year that ends on it."""
        return self.calendar.named(Period(on.isoformat(), PeriodKind.DATE, period.label, on.year, on, on))

    def _opened(self, period: Period) -> Period:
        """The day before the year that ends on a day, or that has it, where the report has such a year: `Jan 26, 2025`
        over a column that begins with the balance at the beginning of the year."""
        day, fiscal = period.end, self.calendar.fiscal
        ends = map(fiscal.end_of, range(day.year - 1, day.year + 1)) if day else ()
        before = max((end for end in ends if end and day and 0 < (day - end).days < DAYS_OF_YEAR), default=None)
        return self._day(before, period) if before else period

    def _in_last_year(self, period: Period) -> Period:
        """`Nov. 1`, or `Nov. 1 to Nov. 20`, in a table without years of its own, is the last one before the report's
        own period ended, where the words in front of it say no other year."""
        ended = self.calendar.ended
        if ended is None or {each.year for each in self.said} - {ended.year}:
            return period
        placed = in_year(period, ended.year)
        return placed if placed.end and placed.end <= ended else in_year(period, ended.year - 1)

    # What does not depend on the line that is asked about: a table may have as many as it has cells.
    @cached_property
    def _own_days(self) -> dict[str, Period]:
        lines = (*self.layout.columns, *self.layout.rows)
        return {line.period.key: line.period for line in lines if line.period}

    @cached_property
    def _row_ends(self) -> frozenset[date | None]:
        return frozenset(line.period.end for line in self.layout.rows if line.period)

    @cached_property
    def _column_ends(self) -> frozenset[date | None]:
        return frozenset(line.period.end for line in self.layout.columns if line.period)

    @cached_property
    def is_beside_days(self) -> bool:
        """Whether some columns are of several days, whatever the others say: `interest rate` beside what is owed."""
        days = (line.period for line in self.layout.columns if line.period and line.period.kind is PeriodKind.DATE)
        return len({day.end for day in days if day.end}) > 1

    def default(self, name: str = "") -> Dated | None:
        """The period of what no line dates: the only one of the words in front, else that of the report.

        Beside columns of `2008` and `2007` a column `change` is of neither; one of rates or terms is of the last.
        name: of the line that is not dated.
        """
        across = self.layout.orientation is Orientation.INSTANCES_ACROSS or self.is_beside_days
        if self.is_vintage and len(self._own_days) == 1:
            return next(iter(self._own_days.values())), "column header"
        ends = self._column_ends if across else self._row_ends
        if not self.is_vintage and not across and len(ends) > 1:
            return None  # rows between those of several days are of either
        if not self.is_vintage and ends:
            own = self.calendar.own_day()
            is_last = own is not None and own.end in ends and not _CHANGE.search(name)
            return (own, DOCUMENT) if own and is_last and name else None
        keys = {period.key: period for period in self.said if period.end}
        is_said = len(keys) == 1 and any(period.kind is PeriodKind.DATE for period in keys.values())
        if not is_said and _ACQUIRED.search(self.introduction) and (day := self._day_of_acquisition()):
            return day, INTRODUCTION
        if len(keys) == 1:
            return next(iter(keys.values())), INTRODUCTION
        own = self.calendar.own_day()
        return (own, DOCUMENT) if own and not keys else None

    def _day_of_acquisition(self) -> Period | None:
        """The day that the paragraphs in front of the table say something was acquired on, the nearest first."""
        for paragraph in reversed(self.before):
            for sentence in _SENTENCE_END.split(paragraph):
                if _ACQUIRED.search(sentence):
                    days = [each for each, _, _ in find_periods(sentence) if each.kind is PeriodKind.DATE and each.end]
                    if days:
                        return days[0]
        return None


def _with_changes(columns: Sequence[Line]) -> list[Line]:
    """Columns with the two periods that those of a change between them compare: `2023`, `2022`, `% change`.

    They are the two in front of it, or the ones before and behind it: `2023`, `change`, `2022`, `change`, `2021`. A
    third year with a change behind it, `2023`, `2022`, `change`, `2021`, `change`, is what the second is compared with.
    """
    found: list[Line] = []
    groups: list[list[Period]] = [[]]  # the periods between changes
    for at, column in enumerate(columns):
        if _is_change(column):
            behind = next((each.period for each in columns[at + 1 :] if not _is_change(each)), None)
            column = replace(column, period=_compared(_pair(groups, behind)) or column.period)
        elif column.period:
            if at and _is_change(columns[at - 1]):
                groups.append([])
            if not groups[-1] or groups[-1][-1].key != column.period.key:
                groups[-1].append(column.period)
        found.append(column)
    return found


def _pair(groups: Sequence[list[Period]], behind: Period | None) -> list[Period]:
    """The periods in front of a change, the last group, with the one that it is compared with. behind: the period of
    the next column that is no change."""
    own = groups[-1]
    if len(own) != 1:
        return own
    if behind and _starts_before(behind, own[0]):
        return [*own, behind]
    return [groups[-2][-1], *own] if len(groups) > 1 and len(groups[-2]) > 1 else own


def _starts_before(one: Period, other: Period) -> bool:
    return bool(one.end and other.end and one.end < other.end)


def _is_change(column: Line) -> bool:
    """Whether a column tells a change and not of which years."""
    period = column.period
    if period and period.year is not None and (is_comparison(period) or not _FROM_YEAR.search(column.label)):
        return False
    return bool(TELLS_CHANGE.search(in_english(column.name)))


def _compared(pair: Sequence[Period]) -> Period | None:
    """Two periods of one kind, the later compared with the earlier; None for what are no two such."""
    if len(pair) != 2 or pair[0].kind is not pair[1].kind or not all(each.end for each in pair):
        return None
    earlier, later = sorted(pair, key=lambda each: each.end or date.min)
    if earlier.end == later.end:
        return None
    return comparison(later.key, earlier.key, later.label, later.year or 0, later.end)


@lru_cache(maxsize=4096)
def _may_be_balance(label: str) -> bool:
    """Whether a label is of the beginning or the end of a period; each is asked about for every cell of its row."""
    return not _PART_OF_OPENING.search(label) and bool(
        _OPENING.search(label) or _CLOSING.search(label) or _AT_BEGINNING.search(label)
    )


def _parts_of_years(said: Sequence[Period]) -> dict[int, Period]:
    """The part of each year that is said, where it is the only one: the six months of `the six months ended June 30,
    2025 and 2024`."""
    spans = [each for each in said if each.kind is not PeriodKind.DATE and each.end and each.year is not None]
    found = {each.year: each for each in spans if each.year is not None}
    return found if len({each.key for each in spans}) == len(found) else {}


def _only_day(text: str, found: Iterable[tuple[Period, int, int]]) -> Period | None:
    """The day that a table is as at, where nothing else but years is said. found: the periods of the text."""
    days = {period.key: (period, start) for period, start, _ in found if period.kind is not PeriodKind.YEAR}
    day, start = next(iter(days.values())) if len(days) == 1 else (None, 0)
    return day if day is not None and day.kind is PeriodKind.DATE and _AT.search(text[:start]) else None


def _about(introduction: str) -> list[str]:
    """The sentences in front of a table that are about it: those that point to it, and lines like titles. Notes on
    another table above are not."""
    sentences = (each for each in _SENTENCE.split(introduction) if not _NOTE_ABOVE.match(each))
    return [
        each
        for each in sentences
        if len(each) <= _LONGEST_LINE or _INTRODUCES.search(each) or _TITLE_IN_ONE.search(each)
    ]
