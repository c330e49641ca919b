"""What the report shows of one conversation: its page, and for every turn all that led to the answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tieout.agent.log.events import Failed, ModelCalled, ModelFailed, ToolCalled, Understood
from tieout.agent.log.turn import Turn
from tieout.data.document import Conversation
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import parse, printed
from tieout.eval.score.coverage import by_value
from tieout.eval.show.nodes import make_nodes
from tieout.kg.fact import Fact

Value = dict[str, Any]
_MOST_CHARACTERS = 4000  # of one result of a call: a list of candidates goes on and on


def conversation_details(conversation: Conversation, turns: Sequence[Turn], facts: Iterable[Fact]) -> Value:
    """The page of a conversation with its turns. facts: of its graph."""
    known = {fact.name: fact for fact in facts}
    document = conversation.document
    return {
        "id": conversation.id,
        "tables": [table.rows for table in document.tables],
        "paragraphs": document.paragraphs,
        "before": document.before,
        "turns": [_turn(conversation, turn, known) for turn in turns],
    }


def _turn(conversation: Conversation, turn: Turn, facts: Mapping[str, Fact]) -> Value:
    gold = conversation.gold[turn.index] if conversation.gold else None
    tree = make_nodes(turn)
    return {
        "question": turn.question,
        "text": turn.text,
        "program": turn.program,
        "outcome": turn.outcome,
        "message": turn.message,
        "flags": [f"{flag.rule}: {flag.message}" for flag in turn.flags],
        "clarification": turn.clarification.model_dump() if turn.clarification else None,
        "gold": None
        if gold is None
        else {"answer": str(gold.answer), "program": gold.program, "printed": gold.printed},
        "golden": [] if gold is None else _places(_gold_facts(gold.program, facts)),
        "tree": tree,
        "used": _places(facts[node["fact"]] for node in tree if node["fact"] in facts),
        "events": [value for event in turn.events if (value := _event(event))],
        "seconds": turn.seconds,
        "usd": None if turn.usd is None else str(turn.usd),
        "tokens": sum(turn.usage.model_dump().values()),
    }


def _gold_facts(program: str, facts: Mapping[str, Fact]) -> list[Fact]:
    """The facts that have the value of an operand of the gold program; it does not say which of several it means."""
    try:
        operands = parse(program).operands
    except ProgramError:
        return []
    held = by_value(facts.values())
    return [fact for operand in dict.fromkeys(operands) for fact in held.get(printed(operand), ())]


def _places(facts: Iterable[Fact]) -> list[Value]:
    """Where facts are printed: a cell, or a span of a paragraph."""
    places = []
    for fact in facts:
        if fact.table is not None:
            places.append({"fact": fact.name, "table": fact.table - 1, "row": fact.row, "column": fact.column})
        else:
            places.append({"fact": fact.name, "paragraph": fact.paragraph, "start": fact.start, "end": fact.end})
    return places


def _event(event: object) -> Value | None:
    match event:
        case ModelCalled():
            reply = event.reply
            return {
                "kind": "model",
                "name": reply.model or "backend",
                "text": reply.text[:_MOST_CHARACTERS],
                "seconds": event.seconds,
                "tokens": sum(reply.usage.model_dump().values()),
            }
        case ModelFailed():
            return {"kind": "failed", "name": event.outcome, "text": event.message[:_MOST_CHARACTERS]}
        case Understood():
            return {"kind": "understood", "fields": _filled(event.understanding.model_dump(mode="json"))}
        case ToolCalled() if event.tool != "understand":
            return {
                "kind": "call",
                "name": event.tool,
                "input": json.dumps(event.input, ensure_ascii=False),
                "output": event.output[:_MOST_CHARACTERS],
                "error": event.error,
                "sparql": list(event.sparql),
                "seconds": event.seconds,
            }
        case Failed():
            return {"kind": "failed", "name": event.outcome, "text": event.message[:_MOST_CHARACTERS]}
        case _:
            return None


def _filled(fields: Value) -> Value:
    """Fields that say something, in words."""
    return {name.replace("_", " "): value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for name, value in fields.items() if value not in (None, "", [], {}, False)}  # fmt: skip
