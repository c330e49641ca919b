"""The figures of a view that are of the time that a question asks for, and what speaks against each of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from tieout.agent.question.question import Question
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact
from tieout.kg.figure import (
    NEAR_DAYS,
    Found,
    amount_of,
    is_anniversary,
    is_instant,
    is_near,
    is_of_odd_length,
    is_of_part_of_year,
    names_a_part,
    report_of,
    table_of,
    year_of,
)
from tieout.kg.sense import is_of_sort
from tieout.kg.tables import Tables
from tieout.ontology.labels.label import normalise

SEGMENT, RATE, PART = 1.0, 0.8, 0.5  # taken off a line of a part of the company, of a rate, of part of a year
SURE_STATEMENT = 0.9
MOST_TIMES = 50  # of which the figures stay found


class Figures(Tables):
    """The figures of a view, by table and period."""

    @cached_property
    def _of_times(self) -> dict[tuple[object, ...], Found]:
        return {}

    def _in(self, report: str, year: int | None, instant: bool | None, asked: Question) -> Found:
        sort = asked.asks_of_figures
        key = report, year, instant, asked.span, asked.when.by_days, asked.when.day, sort
        if key not in self._of_times:
            if len(self._of_times) == MOST_TIMES:
                self._of_times.clear()
            some = self.of_report(report)
            some = some if year is None or (asked.when.by_days and asked.span) else some.of_year(year)
            days = [None] * len(some) if instant is None else some.are_of_days
            of_days = (each for each, is_of_day in zip(some, days, strict=True) if is_of_day in (instant, None))
            found = (each for each in of_days if is_of_sort(each, sort) and _is_of_time(each, year, asked))
            own = self.statements  # a year at the head of a column of balances is of the last day
            fit = (each for each in found if instant is not False or own[table_of(each)].statement != "balance")
            self._of_times[key] = Found(fit)
        return self._of_times[key]

    def of_time(self, report: str, asked: Question) -> Sequence[Fact]:
        """The figures of the time that a question asks for."""
        return self._in(report, asked.years[0] if asked.years else None, None, asked)

    def _fits(self, fact: Fact, year: int | None, report: str, instant: bool | None, asked: Question) -> bool:
        """Whether a figure in no column is of the time that is asked for, and of no odd one where none is."""
        is_of_year = year in (None, year_of(fact)) or bool(asked.when.by_days and asked.span)
        is_of_day = instant is None or is_instant(fact) in (instant, None)
        if report_of(fact) != report or not (is_of_year and is_of_day and _is_of_time(fact, year, asked)):
            return False
        if not is_of_sort(fact, asked.asks_of_figures):
            return False
        return asked.span is not None or not is_of_odd_length(fact)

    def _is_of_another_day(self, fact: Fact, asked: Question) -> bool:
        """Whether a balance is of a day within a year, where a question names a year and no part of it; or of another
        day than the last, where it names no time at all."""
        end = fact.period.end if fact.period and is_instant(fact) else None
        if end is None or asked.part_of_year or asked.when.day is not None or asked.when.back:
            return False
        if not asked.years:
            return abs(((self.newest(report_of(fact)) or end) - end).days) > NEAR_DAYS
        closings = self.closings(report_of(fact))
        return bool(closings) and not any(is_anniversary(end, day) for day in closings)

    def _off(self, fact: Fact, asked: Question) -> float:
        """What speaks against a figure: it is of a segment or a part of the year that the question does not name."""
        off = 0.0
        part = fact.section and not set(normalise(fact.section).split()) & asked.open and names_a_part(fact)
        # The sub-headings of a statement say where in it a line stands, not of what part of the company it is.
        of_part = any(not set(normalise(each).split()) & asked.open for each in fact.parts)
        if fact.dimensions or of_part or (part and self.statements[table_of(fact)].score < SURE_STATEMENT):
            off += SEGMENT / 2
        if fact.unit == Unit.PERCENT:
            off += RATE
        if (not asked.part_of_year and is_of_odd_length(fact)) or self._is_of_another_day(fact, asked):
            off += PART
        return off

    def blank(self, fact: Fact, year: int | None, asked: Question) -> Fact | None:
        """A figure of the period that is asked for, in the table and not in the line of another figure, where that line
        prints none in its column: a dash, or nothing. None where the line has one, or the table no such period."""
        report, table = table_of(fact)
        wanted = [each for each in self._in(report, year, None, asked) if table_of(each) == (report, table)]
        columns = {each.column for each in self.facts if table_of(each) == (report, table) and each.row == fact.row}
        return next((each for each in wanted if each.column not in columns and each.row != fact.row), None)

    def namesake(self, said: str, best: Fact, asked: Question) -> Fact | None:
        """A figure of another amount in the same period whose label is what was said, where that of the best is not, or
        both are balances of notes, each of which may be the part of the other: `Deferred revenue`, current or not."""
        words = normalise(said)
        plain = words.replace("net loss", "net income")  # as `Net (loss) income` is compared
        wanted = (words, plain, f"{plain} including noncontrolling interest")
        is_said = words == normalise(best.label)
        is_noted = best.table is not None and self.statements[table_of(best)].score < SURE_STATEMENT
        if not words or best.period is None or (is_said and not (is_noted and is_instant(best))):
            return None
        for fact in (each for each in self.of_report(report_of(best)) if normalise(each.label) in wanted):
            alike = fact.period == best.period and fact.unit == best.unit and not (is_said and fact.table == best.table)
            if alike and self._off(fact, asked) <= self._off(best, asked) and amount_of(fact) != amount_of(best):
                return fact
        return None


def _is_of_time(fact: Fact, year: int | None, asked: Question) -> bool:
    """Whether a figure of a year is of the time that is asked for in it."""
    if fact.period is None:
        return False
    if asked.span is not None and not is_of_part_of_year(fact, asked.span, year, asked.when.by_days):
        return False
    day = asked.when.day
    if day is not None and year is not None:  # `at June 30, 2024, and a year before`
        day = day.replace(year=year, day=min(day.day, 28) if day.month == 2 else day.day)
    return day is None or is_near(fact, day)
