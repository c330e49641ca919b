"""A question that asks for the figure before in another year: `and the year before?` keeps the line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tieout.agent.protocol.message import PriorTurn
from tieout.kg.fact import Fact
from tieout.kg.figure import sort_of, year_of

MAGNITUDE = "magnitude"
Call = tuple[str, dict[str, Any]]


def same_line(year: int, last: PriorTurn, facts: Sequence[Fact], turn: int) -> list[Call] | None:
    """The calls that look up the line of the figure of the last turn in another year; None where that is no figure of
    a row, or where the row has none or several."""
    if last.operation not in ("lookup", MAGNITUDE, None, "") or len(last.facts) != 1:
        return None
    before = next((fact for fact in facts if fact.name == last.facts[0]), None)
    if before is None or before.table is None:
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
        return [*calls, ("answer", {"value": fact.name})]
    made = f"turn{turn}"  # what is printed as taken off is said without its sign, as before
    calls.append(("calculate", {"operation": MAGNITUDE, "values": [fact.name], "name": made}))
    return [*calls, ("answer", {"value": made})]


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two figures of a row are of one sort and of periods of one kind, in columns of one name."""
    name, other_name = (re.sub(r"\W*\d+\W*", " ", each.header.lower()).strip() for each in (one, other))
    return sort_of(one) == sort_of(other) and name == other_name
