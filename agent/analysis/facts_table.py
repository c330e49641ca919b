"""The facts of the open reports as a table beside those of data files: their values are decimals, and stay so."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.tables.frames import MOST_ROWS, Frame, Origin, make_frame
from tieout.kg.fact import Fact

NAME = "facts"
MOST_DIGITS = 38  # of the engine's decimals


def facts_frame(facts: Sequence[Fact]) -> Frame:
    """One row a fact, in the order of the report; a value of more digits than the engine keeps is a gap."""
    facts = facts[:MOST_ROWS]
    values = [fact.value if len(fact.value.as_tuple().digits) <= MOST_DIGITS // 2 else None for fact in facts]
    columns: dict[str, Sequence[object]] = {
        "fact": [fact.name for fact in facts],
        "label": [fact.label for fact in facts],
        "header": [fact.header for fact in facts],
        "section": [fact.section for fact in facts],
        "property": [fact.property for fact in facts],
        "entity_type": [fact.entity_type for fact in facts],
        "instance": [fact.instance for fact in facts],
        "value": values,
        "unit": [None if fact.unit is None else str(fact.unit) for fact in facts],
        "scale": [fact.scale for fact in facts],
        "period": [fact.period.key if fact.period else None for fact in facts],
        "year": [fact.period.year if fact.period else None for fact in facts],
        "raw": [fact.raw for fact in facts],
    }
    return make_frame(NAME, columns, Origin(tables=(NAME,)))
