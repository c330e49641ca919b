"""A question's days as the fiscal years of a view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tieout.agent.question.question import Question
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import CLOSING
from tieout.kg.fact import Fact


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
