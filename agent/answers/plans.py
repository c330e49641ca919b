"""Checks of what an answer rests on that is no actual figure of a report: budgets and forecasts, and hidden sheets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tieout.data.printed.wording import is_plan
from tieout.data.readers.sheets.sheet import HIDDEN
from tieout.kg.fact import Fact, FactKind

_TITLED = re.compile(r"\b(?:budget|forecast|business plan)s?\b", re.IGNORECASE)


def not_actual(facts: Iterable[Fact]) -> Iterator[str]:
    """Each figure whose header, row or table says that it is planned: `2025B`, `Forecast 2026`."""
    for fact in facts:
        said = next((text for text in _over(fact) if is_plan(text)), "")
        if not said and fact.kind is FactKind.TABLE and _TITLED.search(fact.caption):
            said = fact.caption
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
