"""When the figures of a report's table are from: its own dates, with the words in front of it and the report's calendar.

>>> # `2025 | 2024` below `as of September 27, 2025 and September 28, 2024` are those two days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from tieout.data.printed.period import Period, PeriodKind, find_periods
from tieout.data.tables.table import Layout, Line
from tieout.kg.drafts.calendar import ReportCalendar, is_bare_year

INTRODUCTION, DOCUMENT = "introduction", "document"
_FLOW = re.compile(
    r"\b(?:years?|months?|quarters?|weeks?|periods?) (?:ended|ending)\b|\bduring\b|\bfor (?:the )?(?:fiscal|years?)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\b(?:at|as of|,) (?:the )?(?:beginning|start)\b|^(?:beginning|opening)\b|\bbeginning (?:balances?|of (?:the )?(?:fiscal )?"
    r"(?:years?|periods?|quarters?))\b|\bbalances?,? (?:at |as of |on )?(?:january 1|beginning)\b|\bjanuary 1\b",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"\b(?:at|as of|,) (?:the )?end of\b|^(?:ending|closing)\b|\bending balances?\b|\bend of (?:the )?(?:fiscal )?"
    r"(?:years?|periods?|quarters?)\b|\bbalances?,? (?:at |as of |on )?(?:december 31|end)\b",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(r"\b(?:following|below|follows?|above|tables?|schedule|summar\w+)\b|:$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[^\s.]) ?\. (?=[A-Z(])")
_LONGEST_LINE = 120  # letters of a title or a note, which is about the table whatever it says

Dated = tuple[Period, str]


class Dating:
    """The dates of one table. layout: with the periods of its lines as the report means them."""

    def __init__(self, layout: Layout, introduction: str, calendar: ReportCalendar) -> None:
        self.calendar = calendar
        about = " . ".join(_about(introduction))
        said = [period for period, _, _ in find_periods(about)]
        self.said = [calendar.dated(period) for period in said if period.year is not None]
        days = [period for period in self.said if period.kind is PeriodKind.DATE]
        self.days = (
            {day.year: day for day in reversed(days)} if len({day.year for day in days}) == len(set(days)) else {}
        )
        self.is_flow = bool(_FLOW.search(about))
        lines = (*layout.rows, *layout.columns)
        self.is_outlook = self._looks_ahead(lines)
        self.layout = self._mapped(layout)
        self.as_of = self._day_of_outlook(days)

    def _looks_ahead(self, lines: Iterable[Line]) -> bool:
        """Whether lines are years to come: what is due in `2026`, `2027` and `thereafter`, seen from one day."""
        ended = self.calendar.ended
        plain = [line.period for line in lines if line.period and not line.name]
        ahead = [
            period
            for period in plain
            if period.kind is PeriodKind.RELATIVE or (ended and period.year and period.year > ended.year)
        ]
        return ended is not None and len(ahead) > 1 and 2 * len(ahead) > len(plain)

    def _day_of_outlook(self, days: list[Period]) -> Dated | None:
        if not self.is_outlook:
            return None
        if len({day.key for day in days}) == 1:
            return days[0], INTRODUCTION
        own = self.calendar.own_day()
        return (own, DOCUMENT) if own else None

    def _mapped(self, layout: Layout) -> Layout:
        rows = {line.index: self._line(line) for line in layout.rows}
        columns = {line.index: self._line(line) for line in layout.columns}
        return replace(layout, rows=tuple(rows.values()), columns=tuple(columns.values()), _rows=rows, _columns=columns)

    def _line(self, line: Line) -> Line:
        if line.period is None:
            return line
        period = line.period
        if not self.is_flow and not self.is_outlook and is_bare_year(period):
            day = self.days.get(period.year)
            if day:
                return replace(line, period=replace(day, label=period.label))
        dated = self.calendar.dated(period)
        return line if dated is period else replace(line, period=dated)

    def of_row(self, label: str, period: Period) -> Period:
        """A balance at the beginning or the end of a period is that of a day."""
        if period.kind in (PeriodKind.DATE, PeriodKind.RELATIVE):
            return period
        if _OPENING.search(label):
            return _day(period.start - timedelta(days=1), period) if period.start else replace(period, end=None)
        if _CLOSING.search(label) and period.end:
            return _day(period.end, period)
        return period

    def default(self) -> Dated | None:
        """The period of what no line dates: the only one of the words in front, else that of the report."""
        keys = {period.key: period for period in self.said if period.end}
        if len(keys) == 1:
            return next(iter(keys.values())), INTRODUCTION
        own = self.calendar.own_day()
        return (own, DOCUMENT) if own and not keys else None


def _day(on: date, period: Period) -> Period:
    return Period(on.isoformat(), PeriodKind.DATE, period.label, on.year, on, on)


def _about(introduction: str) -> list[str]:
    """The sentences in front of a table that are about it: those that point to it, and lines like titles."""
    sentences = _SENTENCE.split(introduction)
    return [each for each in sentences if len(each) <= _LONGEST_LINE or _INTRODUCES.search(each)]
