"""The words around a figure of a view, and a question's days as the fiscal years of a view."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from tieout.agent.question.question import Question
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import CLOSING
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact
from tieout.kg.figure import called_margin, without_inside
from tieout.ontology.labels.label import normalise, with_country
from tieout.ontology.metrics.line_item import find_line_item

# Words with which a measure is another one: earnings are not adjusted ones under a heading `Adjusted earnings`.
OTHER_MEASURE = frozenset(
    "adjusted underlying core normalized normalised comparable organic forma pro recurring".split()
)


@lru_cache(maxsize=20_000)
def words_of(text: str) -> frozenset[str]:
    """The plain words of a label or a question."""
    return frozenset(normalise(with_country(text)).split())


def words_of_label(fact: Fact, wanted: frozenset[str]) -> frozenset[str]:
    """The plain words of the label of a figure, a margin called so where words that are wanted do."""
    label = without_inside(fact.label)
    return words_of(called_margin(label) if "margin" in wanted and fact.unit == Unit.PERCENT else label)


def in_fiscal_years(asked: Question, facts: Iterable[Fact]) -> Question:
    """A question for days on which fiscal years end as one for these years, as the report calls them: of January 28,
    2024 as of fiscal 2023."""
    named = (each for each in asked.when.periods if each.kind in (*CLOSING, PeriodKind.SPAN))
    days = {day for each in named for day in (each.start, each.end) if day is not None}
    if not days:
        return asked
    of_facts = (fact.period for fact in facts if fact.period is not None and fact.period.end in days)
    closing = ((each.end.year, each.year) for each in of_facts if each.kind in CLOSING and each.end)
    called = {said: year for said, year in closing if year is not None and year != said}
    years, expanded = (
        tuple(called.get(year, year) for year in each) for each in (asked.when.years, asked.when.expanded)
    )
    return asked if years == asked.years else replace(asked, when=replace(asked.when, years=years, expanded=expanded))


def words_around(fact: Fact) -> frozenset[str]:
    """The words of all that says what a figure is about; one that makes another measure of it has to stand at it."""
    return _around(fact.label, fact.section, fact.header, fact.caption, fact.heading, fact.unit == Unit.PERCENT)


@lru_cache(maxsize=20_000)
def _around(label: str, section: str, header: str, caption: str, heading: str, is_rate: bool) -> frozenset[str]:
    at: tuple[str, ...] = (without_inside(label), section, header)
    over = frozenset().union(*(words_of(text) for text in (caption, heading) if text))
    if is_rate and over & OTHER_MEASURE and find_line_item(label) is None:
        at = (*at, caption)  # of a part of the company, of which the table alone says the measure
    is_margin = is_rate and any(called_margin(text) != text for text in at if text)
    return (over - OTHER_MEASURE).union(*(words_of(text) for text in at if text), {"margin"} if is_margin else ())
