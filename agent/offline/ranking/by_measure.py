"""What an answer by what a question names comes to, so that the choice between readings knows which of them it is."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from tieout.agent.offline.calculation.reading import calculated
from tieout.agent.protocol.message import Reply
from tieout.data.arithmetic.operations import OperationError, come_to
from tieout.kg.fact import Fact
from tieout.kg.sums import number_of

# As `calculated` knows the operations of calls.
_SAME = {"percentage": "divide", "percentage_points": "subtract", "add": "sum"}


@dataclass(frozen=True, slots=True)
class ByMeasure:
    """figures: that are looked up. value: what it comes to, percentages as decimals; None where that is not known.
    chance: by its own rules, of being right."""

    figures: frozenset[str]
    value: Decimal | bool | None
    chance: float


def by_measure(reply: Reply, facts: Mapping[str, Fact]) -> ByMeasure | None:
    """What a reply by measures comes to; None for one that is no figure and no truth. facts: that are shown."""
    names = [str(call.arguments["fact"]) for call in reply.calls if call.tool == "query_kg"]
    steps = [call.arguments for call in reply.calls if call.tool == "calculate"]
    is_one = bool(names) and all("value" in call.arguments for call in reply.calls if call.tool == "answer")
    if not is_one or not all(name in facts for name in names):
        return None
    value: Decimal | bool | None = None
    if not steps:
        value = calculated("lookup", [facts[names[0]]])
    elif len(steps) == 1 and all(name in facts for name in steps[0]["values"]):
        value = _value(steps[0]["operation"], [facts[name] for name in steps[0]["values"]])
    else:
        with suppress(OperationError, InvalidOperation):  # a number, or a name that is of an answer before
            value = come_to(steps, {name: number_of(facts[name]) for name in names})[steps[-1]["name"]]
    return ByMeasure(frozenset(names), value, reply.chance)


def _value(operation: str, used: list[Fact]) -> Decimal | bool | None:
    if operation == "magnitude":
        found = calculated("lookup", used)
        return found.copy_abs() if isinstance(found, Decimal) else None
    try:
        return calculated(_SAME.get(operation, operation), used)
    except ValueError:
        return None  # an operation that readings do not have
