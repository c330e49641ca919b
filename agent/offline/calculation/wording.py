"""Readings of the reader of conversations in words: `take sales (2018) [t1r1c2] from sales (2019) [t1r1c1]`."""

from __future__ import annotations

from tieout.agent.offline.calculation.compose import Candidate, Operand
from tieout.kg.fact import Fact

MOST_SHOWN = 80  # characters of a label
VERBS = {
    "lookup": "look up {0}",
    "add": "add {0} and {1}",
    "sum": "add {0} and {1}",
    "subtract": "take {1} from {0}",
    "multiply": "multiply {0} by {1}",
    "divide": "divide {0} by {1}",
    "greater": "see whether {0} is greater than {1}",
    "percentage_change": "the change from {1} to {0}, divided by {1}",
    "average": "the average of {0} and {1}",
}


def said_of(candidate: Candidate) -> str:
    """A calculation with its figures."""
    if candidate.operation.startswith("in_"):
        return f"convert {_said(candidate.operands[0])} to {candidate.operation[3:]}"
    return VERBS[candidate.operation].format(*(_said(operand) for operand in candidate.operands))


def _said(operand: Operand) -> str:
    if operand.view is not None:
        return figure(operand.view.fact)
    if operand.past is not None:
        return f"the answer of {operand.past.age} turn{'s' if operand.past.age > 1 else ''} before"
    return f"{operand.value:f}"


def figure(fact: Fact) -> str:
    """A figure by its label and what it stands under: `Net sales (2024) [t1r1c1]`."""
    where = fact.header or (fact.period.label if fact.period is not None else "")
    return f"{fact.label[:MOST_SHOWN]}{f' ({where[:MOST_SHOWN]})' if where else ''} [{fact.name}]"
