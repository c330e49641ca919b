"""A question that asks for the figure before in another year: `and the year before?` keeps the line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tieout.agent.protocol.message import PriorTurn
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.kg.figure import sort_of, year_of

MAGNITUDE = "magnitude"
SURE = 0.97  # that the line is the same, where nothing else is named: it is the right one if the one before was
# Cues of a question for something else than the line before.
_OTHERS = frozenset(("change", "total", "sum", "average", "ratio", "percent", "share", "how many", "growth", "price"))
_OTHERS |= {"points back", "less", "closing", "more", "fewer", "a figure"}
Call = tuple[str, dict[str, Any]]


def same_line(
    question: Question, history: Sequence[PriorTurn], facts: Sequence[Fact]
) -> tuple[list[Call], Fact] | None:
    """The calls that look up the line of the last figure in the year that is named, and its figure; None where the
    question names something else, where the turn before is no figure of a row, or where the row has none or several.
    """
    last = history[-1] if history else None
    if last is None or last.operation not in ("lookup", MAGNITUDE, None, "") or len(last.facts) != 1:
        return None
    if "asks on" not in question.cues or question.core or question.cues & _OTHERS:
        return None
    before = next((fact for fact in facts if fact.name == last.facts[0]), None)
    year = None if before is None else _year(question, before)
    if before is None or before.table is None or year is None:
        return None
    row = [fact for fact in facts if (fact.table, fact.row, fact.section) == (before.table, before.row, before.section)]
    found = [fact for fact in row if year_of(fact) == year and _is_alike(fact, before)]
    if len({fact.value for fact in found}) != 1:
        return None
    fact = found[0]
    said = {"description": f"{fact.label[:200]} ({fact.period.label if fact.period else year})"}
    understood = {**said, "requires_calculation": False, "reasoning": "The same line as before, in another year."}
    understood |= {"entity_type": fact.entity_type, "property": fact.property}
    calls: list[Call] = [("understand", understood), ("query_kg", {"fact": fact.name})]
    if last.operation != MAGNITUDE:
        return [*calls, ("answer", {"value": fact.name})], fact
    made = f"turn{len(history) + 1}"  # what is printed as taken off is said without its sign, as before
    calls.append(("calculate", {"operation": MAGNITUDE, "values": [fact.name], "name": made}))
    return [*calls, ("answer", {"value": made})], fact


def _year(question: Question, before: Fact) -> int | None:
    """The year that is asked for, seen from the figure before."""
    known = year_of(before)
    if question.years or known is None:
        return question.years[0] if len(question.years) == 1 else None
    return known - 1 if "year before" in question.cues else known + 1 if "year after" in question.cues else None


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two figures of a row are of one sort and of periods of one kind, in columns of one name."""
    return sort_of(one) == sort_of(other) and _without_digits(one.header) == _without_digits(other.header)


def _without_digits(text: str) -> str:
    return re.sub(r"\W*\d+\W*", " ", text.lower()).strip()
