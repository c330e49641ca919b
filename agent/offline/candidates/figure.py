"""A question's days as those of a view, and as its fiscal years."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tieout.agent.protocol.message import Request
from tieout.agent.question.question import Question
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import CLOSING
from tieout.kg.days import PrintedDays
from tieout.kg.fact import Fact
from tieout.ontology.asked.days import with_years


def in_fiscal_years(asked: Question, facts: Iterable[Fact]) -> Question:
    """A question for days on which fiscal years end as one for these years, as the report calls them: of January 28,
    2024 as of fiscal 2023."""
    named = (each for each in asked.when.periods if each.kind in (*CLOSING, PeriodKind.SPAN))
    days = {day for each in named for day in (each.start, each.end) if day is not None}
    if not days:
        return asked
    of_facts = (fact.period for fact in facts if fact.period is not None and fact.period.end in days)
    closing = ((each.end.year, each.year) for each in of_facts if each.kind in CLOSING and each.end)
    called = {said: year for said, year in closing if year is not None}
    years, expanded = (
        tuple(called.get(year, year) for year in each) for each in (asked.when.years, asked.when.expanded)
    )
    return replace(asked, when=replace(asked.when, years=years, expanded=expanded))


def in_printed_days(request: Request, days: PrintedDays) -> Request:
    """A request whose question names days without their year as one for the latest of these that the report prints."""
    full, text = request.in_full, with_years(request.question, days.ends, days.year_end)
    full = full if full is None else replace(full, text=with_years(full.text, days.ends, days.year_end))
    if text == request.question and full == request.in_full:
        return request
    return request.model_copy(update={"question": text, "in_full": full})
