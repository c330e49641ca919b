"""The conversation as a language model is told of it: earlier answers in a line each, in the words of the program; and
a request as a person reads it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from tieout.agent.ledger.ledger import (
    Entry,
    FromConstant,
    FromFact,
    FromFrame,
    FromOperation,
    FromPrior,
    FromQuestion,
    Ledger,
    Ungrounded,
)
from tieout.agent.protocol.message import PriorTurn, Request, ToolSpec

LONGEST = 400


def expression(ledger: Ledger, name: str) -> str:
    """How an entry came about, in names of facts: `divide(subtract(t1r1c1, t1r1c2), t1r1c2)`, conversions left out."""
    known: dict[str, str] = {}
    for step in ledger.way_to(name):  # operands come before what is made of them
        if step.turn == ledger.turn:
            known[step.entry.name] = _made(step.entry, known)
    return known[name]


def _made(entry: Entry, known: Mapping[str, str]) -> str:
    match entry.source:
        case FromFact(fact=fact):
            return fact
        case FromPrior(turn=turn):
            return f"answer {turn + 1}"
        case FromOperation(operation=operation, operands=operands):
            inside = [known[operand] for operand in operands]
            if len(inside) == 1 and (operation == "as_decimal" or operation.startswith("in_")):
                return inside[0]
            made = f"{operation}({', '.join(inside)})"
            return made if len(made) <= LONGEST else f"{operation} of {len(inside)} values"
        case FromFrame(frame=frame, column=column, row=row):
            return f"{frame}.{column}[{row}]" if column is not None else frame
        case FromQuestion() | FromConstant() | Ungrounded():
            return f"{entry.value}"


def record(turn: PriorTurn, number: int) -> str:
    """What came of turn `number` (from 1): `Answer 2: 35.8 USD = subtract(t1r2c1, t1r2c2).`

    It names facts and quotes no label: the text of a document stands in the card alone. It stays the same for the rest
    of the conversation, so that the prefix of later requests is equal to the byte.
    """
    if turn.answer is None:
        return f"Answer {number}: none."
    return f"Answer {number}: {turn.answer}{f' = {turn.made}' if turn.made else ''}{' (given)' if turn.given else ''}."


def asked(request: Request) -> tuple[list[str], list[str]]:
    """The conversation of a request as texts: those that stay as they are in the next turn, and those of this alone.

    The first list alternates question and answer, and ends in the question that is asked.
    """
    lasting = []
    for number, turn in enumerate(request.history, 1):
        lasting += [f"Question {number}: {turn.question}", record(turn, number)]
    count = len(request.history)
    lasting.append(f"Question {count + 1}: {request.question}")
    names = ", ".join(f"prev_{back} is answer {count + 1 - back}" for back in range(1, count + 1))
    passing = [request.view.text] if request.view else []
    return lasting, [*passing, f"({names}.)"] if names else passing


def sections(request: Request) -> dict[str, str]:
    """The parts of a request by name, as they are sent; only the schemas of the tools are told in short."""
    lasting, passing = asked(request)
    if request.must_call:
        passing.append(f"(The tool `{request.must_call}` has to be called.)")
    for exchange in request.exchanges:
        passing += [exchange.reply.text] if exchange.reply.text else []
        for call in exchange.reply.calls:
            given = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())
            passing.append(f"{call.tool}({', '.join(given)})")
        passing += [f"-> {result.content}" for result in exchange.results]
        passing += [exchange.feedback] if exchange.feedback else []
    return {
        "instructions": request.instructions,
        "tools": "\n".join(map(_signature, request.tools)),
        "card": request.card.text,
        "conversation": "\n".join([*lasting, *passing]),
    }


def _signature(tool: ToolSpec) -> str:
    required = tool.parameters.get("required", [])
    names = tool.parameters.get("properties", {})
    shown = ", ".join(name if name in required else f"{name}?" for name in names)
    return f"{tool.name}({shown})\n    {' '.join(tool.description.split())}"
