"""Which days a part of a year has that a question names by its length, number or month, of those that a report states.

`the first nine months`, `Q2`, `the June quarter`, `quarter end`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta

from tieout.agent.offline.candidates.figure import table_of
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.question.language import language
from tieout.agent.question.question import Question
from tieout.data.printed.periods.spans import QUARTER, Span, is_near, months_of, span_of


def in_latest_part(asked: Question, lines: Lines, report: str) -> Question:
    """A question for a part of a year with the days that the report has for it: of the year that it names, else the
    latest. As it is where it says the days itself, or the quarter of a year, or no statement is of such a part.
    """
    wanted, months = asked.when.wanted, _months(asked)
    has_days = asked.span is not None or asked.when.by_days
    is_numbered = wanted is not None and wanted.quarter is not None and bool(asked.years)
    if not months or has_days or is_numbered or asked.when.last > 1 or len(asked.years) > 1:
        return asked
    known = _known(lines, report)
    number = wanted.quarter if wanted is not None and months == QUARTER else None
    found = [each for each in known if months_of(each) == months and number in (None, _number(each, known))]
    if asked.when.months:
        found = [each for each in found if _last(each).month in asked.when.months]
    if asked.years:
        found = [each for each in found if _last(each).year == asked.years[0]]
    if not found:
        return asked
    days = max(found, key=lambda each: each.until)
    last = _last(days)
    when = replace(
        asked.when, span=(days.start, last), by_days=True, years=(last.year,), expanded=(last.year,), day=None
    )
    return replace(asked, when=when, open=asked.open - language().words["of parts"])


def _months(asked: Question) -> int:
    """How many months the part has that a question names, 0 where it names none."""
    said = language().forms["months of a part"].search(asked.lower) if asked.part_of_year else None
    return 0 if said is None else next(int(name[1:]) for name, text in said.groupdict().items() if text)


def _known(lines: Lines, report: str) -> list[Span]:
    """The spans that the statements of a report are of, each once."""
    found: list[Span] = []
    for fact in lines.of_report(report):
        days = span_of(fact.period) if lines.statements[table_of(fact)].statement else None
        if days is not None and not any(is_near(days, each) for each in found):
            found.append(days)
    return found


def _number(quarter: Span, known: Collection[Span]) -> int:
    """Which quarter of its year it is, by the longest span up to its last day."""
    return max(months_of(each) for each in known if abs(each.until - quarter.until) < timedelta(days=3)) // QUARTER


def _last(days: Span) -> date:
    return days.until - timedelta(days=1)
