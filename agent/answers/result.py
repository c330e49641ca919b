"""The result of a turn as one JSON value, for programs that call tieout."""

from __future__ import annotations

from typing import Any

from tieout.agent.answers.sheet import make_sheet
from tieout.agent.ledger.ledger import FromFact, FromOperation
from tieout.agent.log.events import ToolCalled, Verified
from tieout.agent.log.turn import Turn

STATUS = {"answer": "success", "clarify": "ambiguous"}


def result(turn: Turn) -> dict[str, Any]:
    """What a program wants to know of a turn.

    status: `success`, `failed`, or `ambiguous` where the answer is a question back or independent solves did not agree.
    """
    sheet = make_sheet(turn)
    verified = next((event for event in turn.events if isinstance(event, Verified)), None)
    status = STATUS.get(turn.outcome, "failed")
    number = turn.number
    return {
        "question": turn.question,
        "answer": turn.text,
        "status": "ambiguous" if verified is not None and not verified.agreed and status == "success" else status,
        "outcome": turn.outcome,
        "number": ("yes" if number else "no") if isinstance(number, bool) else number,
        "exact": None if number is None or isinstance(number, bool) else f"{number:f}",
        "program": turn.program,
        "reasoning_visible_to_user": _reasoning(turn),
        "clarification": turn.clarification.model_dump() if turn.clarification else None,
        "confidence": turn.confidence,
        "probability": turn.probability,
        "flags": [flag.model_dump() for flag in turn.flags],
        "sheet": sheet.model_dump(mode="json") if sheet else None,
        "metadata": {
            "plan": [
                {"tool": event.tool, "arguments": event.input} for event in turn.events if isinstance(event, ToolCalled)
            ],
            "checks": {
                "verified": None if verified is None else verified.agreed,
                "flags": [flag.rule for flag in turn.flags],
            },
            "retries": verified.retries if verified is not None else 0,
            "model_calls": turn.model_calls,
            "tool_calls": turn.tool_calls,
            "usage": turn.usage.model_dump(),
            "usd": turn.usd,
            "seconds": turn.seconds,
        },
    }


def _reasoning(turn: Turn) -> str:
    """Two sentences on how the answer came about, made from the ledger alone: what a model thought is not shown."""
    if turn.clarification is not None:
        return turn.clarification.question
    if turn.answer is None:
        return turn.message
    figures = {
        step.entry.source.fact: f"{step.entry.about} ({step.entry.source.raw})"
        for step in turn.ledger.way_to(turn.answer.name)
        if isinstance(step.entry.source, FromFact)
    }
    source = turn.answer.source
    taken = f"The report says: {'; '.join(figures.values())}." if figures else "No figure of the report is used."
    made = f"by {source.operation.replace('_', ' ')}" if isinstance(source, FromOperation) else "as it stands"
    return f"{taken} The answer, {made}, is {turn.text}."
