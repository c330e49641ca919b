"""A question's days as those of a view, and as its fiscal years."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from tieout.agent.protocol.message import Request
from tieout.agent.question.question import Question
from tieout.kg.days import PrintedDays, called_years
from tieout.kg.fact import Fact
from tieout.ontology.asked.days import with_years


def in_fiscal_years(asked: Question, facts: Iterable[Fact]) -> Question:
    """A question for days on which fiscal years end, or near them, as one for these years, as the report calls them: of
    January 28, 2024 as of fiscal 2023."""
    when, called = asked.when, called_years(asked.when.periods, facts)
    years, expanded = (tuple(called.get(one, one) for one in each) for each in (when.years, when.expanded))
    return replace(asked, when=replace(when, years=years, expanded=expanded)) if called else asked


def in_printed_days(request: Request, days: PrintedDays) -> Request:
    """A request whose question names days without their year as one for the latest of these that the report prints."""
    full, text = request.in_full, with_years(request.question, days.ends, days.year_end)
    full = full if full is None else replace(full, text=with_years(full.text, days.ends, days.year_end))
    if text == request.question and full == request.in_full:
        return request
    return request.model_copy(update={"question": text, "in_full": full})
