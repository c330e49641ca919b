"""Checks of what an answer rests on that may not be what it looks like: budgets and forecasts, hidden sheets, fiscal
years of which the report does not say when they end."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import date

from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.wording import is_plan
from tieout.data.readers.sheets.sheet import HIDDEN
from tieout.kg.fact import Fact, FactKind

_DECEMBER = 12
# A sentence that says what is to come. What was expected, or is as expected, tells of what has been.
_EXPECTS = re.compile(
    r"\b(?:we|company|group|management|board|bank|trust|it) (?:now |currently |still |also |continues? to )?"
    r"(?:expects?|anticipates?|forecasts?|projects?|guides?)\b|\b(?:is|are) (?:now |currently )?"
    r"(?:expected|forecast|projected|anticipated) to\b|\bguidance\b|\boutlook\b|\bexpects\b",
    re.IGNORECASE,
)
_TITLED = re.compile(r"\b(?:budget|forecast|business plan)s?\b", re.IGNORECASE)


def not_actual(facts: Iterable[Fact]) -> Iterator[str]:
    """Each figure whose header, row or table says that it is planned, as `2025B`, or before which its sentence says
    that it is expected: `We expect net sales of $5 million`."""
    for fact in facts:
        said = next((text for text in _over(fact) if is_plan(text)), "")
        if not said and fact.kind is FactKind.TABLE and _TITLED.search(fact.caption):
            said = fact.caption
        if fact.kind is FactKind.TEXT and (found := _EXPECTS.search(fact.around()[0])):
            yield f"{fact.name} stands behind {found[0]!r}, which says that it is expected and no actual figure"
        if said:
            yield f"{fact.name} stands under {said!r}, which says that it is planned or expected and no actual figure"


def _over(fact: Fact) -> tuple[str, ...]:
    if fact.kind is not FactKind.TABLE:
        return ()
    return fact.header, fact.section, fact.period.label if fact.period else ""


def on_hidden_sheets(facts: Iterable[Fact]) -> Iterator[str]:
    """The figures of sheets that a spreadsheet program does not show."""
    for fact in facts:
        if HIDDEN in fact.caption or HIDDEN in fact.heading:
            yield f"{fact.name} stands on a hidden sheet of the workbook{f' ({fact.place})' if fact.place else ''}"


def of_unknown_years(facts: Iterable[Fact], others: Mapping[str, Fact]) -> Iterator[str]:
    """The fiscal years that a report calls by a number alone in one place and by their last day, which is none of
    December, in another, where nothing tells whether these are the same. others: the facts of the view."""
    ends_of: dict[tuple[str, str], set[date | None]] = defaultdict(set)
    for each in others.values():
        if each.period is not None:
            ends_of[each.name.rpartition(":")[0], each.period.key].add(each.period.end)
    for fact in facts:
        if fact.period is None or fact.period.kind is not PeriodKind.FISCAL_YEAR:
            continue
        if not (fact.heading or fact.place):
            continue  # a page, where nothing dates years
        key = fact.period.key
        ends = ends_of.get((fact.name.rpartition(":")[0], key), set())
        if None in ends and any(end and end.month != _DECEMBER for end in ends):
            yield f"the report dates one {key} and not the other: whether they are the same year it does not say"
