"""A scripted model that behaves like a good one: it knows what to do, and says it as each strategy wants to hear it.

It works from the gold program of a turn, which no part of tieout itself ever sees, and from the facts on the card.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from scripted import says

from tieout.agent.protocol.message import Reply
from tieout.data.document import Conversation
from tieout.data.printed.amount import Unit
from tieout.kg.fact import Fact

STEP = re.compile(r"(\w+)\(([^)]*)\)")
Call = tuple[str, dict[str, Any]]


def fact_for(operand: str, facts: Sequence[Fact]) -> str:
    """The name of the first fact that is printed as this operand, tables before text."""
    percent = operand.endswith("%")
    value = Decimal(operand.rstrip("%"))
    for fact in facts:
        if fact.value == value and (fact.unit == Unit.PERCENT) == percent and fact.unit != Unit.CALENDAR_YEAR:
            return fact.name
    raise LookupError(f"no fact for {operand!r}")


def steps_of(program: str) -> list[tuple[str, list[str]]]:
    """A program as operations with their operands; a lone number is a look-up."""
    found = [(name, arguments.split(", ")) for name, arguments in STEP.findall(program)]
    return found or [("lookup", [program])]


def constant(operand: str) -> str:
    """const_m1 as a model types it."""
    return operand.removeprefix("const_").replace("m", "-")


def tools_reply(program: str, facts: Sequence[Fact]) -> Reply:
    """Understand, calculate, answer, in one reply."""
    calls: list[Call] = [("understand", {"description": "what is asked", "requires_calculation": "(" in program})]
    last = ""
    for number, (operation, operands) in enumerate(steps_of(program)):
        if operation == "lookup":
            last = fact_for(operands[0], facts)
            continue
        values = [
            f"step{operand[1:]}"
            if operand.startswith("#")
            else constant(operand)
            if operand.startswith("const_")
            else fact_for(operand, facts)
            for operand in operands
        ]
        last = f"step{number}"
        calls.append(("calculate", {"operation": operation, "values": values, "name": last}))
    return says(*calls, ("answer", {"value": last}))


def plan_reply(program: str, facts: Sequence[Fact]) -> Reply:
    """The same as a plan."""
    steps: list[dict[str, Any]] = []
    results: list[int] = []

    def operand_of(operand: str) -> dict[str, Any]:
        if operand.startswith("#"):
            return {"step": results[int(operand[1:])]}
        if operand.startswith("const_"):
            return {"literal": constant(operand)}
        steps.append({"action": "extract_value", "fact": fact_for(operand, facts)})
        return {"step": len(steps)}

    for operation, operands in steps_of(program):
        made = [operand_of(operand) for operand in operands]
        if operation != "lookup":
            steps.append({"action": "compute", "operation": operation, "operands": made})
        results.append(len(steps))
    return says(("plan", {"thought": "what is asked", "steps": steps}))


def plain_reply(answer: Decimal | str) -> Reply:
    """The answer, typed."""
    return says(("answer_plainly", {"value": str(answer), "reason": "read and calculated"}))


def replies(conversation: Conversation, facts: Sequence[Fact], strategy: str) -> list[Reply]:
    """One reply for each turn."""
    if strategy == "plain":
        return [plain_reply(gold.answer) for gold in conversation.gold]
    make = {"tools": tools_reply, "plan": plan_reply}[strategy]
    return [make(gold.program, facts) for gold in conversation.gold]
