"""The result of a turn as one JSON value, for programs that call tieout; docs/json.md says what each key holds;
what else it may mean where it is doubted, and the pictures that it drew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from tieout.agent.answers.checks.check import MAY_MEAN, is_unsure
from tieout.agent.answers.sheet import make_sheet
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation, Ledger, Words
from tieout.agent.log.events import ToolCalled, Verified
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Item, Kind
from tieout.data.arithmetic.units import CONTEXT, NUMBERS
from tieout.data.printed.unit import Unit
from tieout.ontology.asked.quoted import YES_OR_NO

KEPT = 15  # digits of a whole number that a double holds exactly
STATUS = {"answer": "success", "clarify": "ambiguous"}


def result(turn: Turn) -> dict[str, Any]:
    """What a program wants to know of a turn, first of all the answer, how sure it is, and where it is from.

    value, unit, scale: as the answer is held, `-71.8`, `USD`, 1000000; amount: value times scale. All four are None
    where there is no answer, and for yes and no all but value.
    status: `success`, `failed`, or `ambiguous` where the answer is a question back or independent solves did not agree.
    """
    sheet = make_sheet(turn)
    verified = next((event for event in turn.events if isinstance(event, Verified)), None)
    status = STATUS.get(turn.outcome, "failed")
    number = turn.number
    return {
        **_answer(turn),
        "probability": turn.probability,
        "flags": [flag.model_dump() for flag in turn.flags],
        "outcome": turn.outcome,
        "answer": turn.text,
        "places": _places(turn),
        "question": turn.question,
        "status": "ambiguous" if verified is not None and not verified.agreed and status == "success" else status,
        "number": ("yes" if number else "no") if isinstance(number, bool) else number,
        "exact": None if number is None or isinstance(number, bool) else f"{number:f}",
        "program": turn.program,
        "reasoning_visible_to_user": _reasoning(turn),
        "clarification": turn.clarification.model_dump() if turn.clarification else None,
        "check_score": turn.check_score,
        "sheet": sheet.model_dump(mode="json") if sheet else None,
        **_plots(turn),
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


def _plots(turn: Turn) -> dict[str, list[str]]:
    """The paths of pictures that were drawn, where there are any."""
    paths = [str(path) for picture in pictures(turn) for path in (picture.png, picture.svg)]
    return {"plots": paths} if paths else {}


def _answer(turn: Turn) -> dict[str, Any]:
    """The kind of answer, and what it is: items for one that is no single number."""
    entry = turn.answer
    if turn.kind is not None and entry is None:
        items = [_item(turn.ledger, item) for item in turn.items]
        is_said = bool(items) and items[0]["text"] in YES_OR_NO  # by what is quoted behind it
        told = {"kind": "yes/no", "value": items[0]["text"]} if is_said else {"kind": str(turn.kind), "value": None}
        return {**told, "unit": None, "scale": None, "amount": None, "items": items}
    kind = {"kind": "count"} if turn.kind is Kind.COUNT else {}
    return _number_of(entry) | kind


def _item(ledger: Ledger, item: Item) -> dict[str, Any]:
    figure = ledger[item.entry] if item.entry is not None else None
    told: dict[str, Any] = {"text": item.text} | ({} if item.sentence is None else {"sentence": item.sentence})
    told |= {} if item.row is None else {"row": item.row, "column": item.column}
    return told | ({} if figure is None else _number_of(figure) | {"period": figure.period})


def _number_of(entry: Entry | None) -> dict[str, Any]:
    if entry is None:
        return {"kind": None, "value": None, "unit": None, "scale": None, "amount": None}
    if isinstance(entry.value, Words):
        return {"kind": entry.value.form, "value": entry.value.text, "unit": None, "scale": None, "amount": None}
    if isinstance(entry.value, bool):
        value = "yes" if entry.value else "no"
        return {"kind": "yes/no", "value": value, "unit": None, "scale": None, "amount": None}
    amount = Context(prec=CONTEXT.prec).multiply(entry.value, entry.scale)
    number = {"value": _number(entry.value), "unit": told_unit(entry), "scale": entry.scale, "amount": _number(amount)}
    return {"kind": "number", **number}


def told_unit(entry: Entry | None) -> str | None:
    """The unit of an answer as programs are told it, who were promised `ratio` for whatever is a decimal of one."""
    return None if entry is None else Unit.RATIO.value if entry.unit in NUMBERS else entry.unit


def _number(value: Decimal) -> int | Decimal:
    """A whole number is one in JSON too, as far as its digits are few enough for every reader to keep them."""
    return int(value) if value.adjusted() < KEPT and value == value.to_integral_value() else value


def _places(turn: Turn) -> list[dict[str, Any]]:
    """The printed figures under an answer, in the order in which they enter it, also those of earlier turns."""
    found = [step.entry for step in turn.ledger.way_to(*turn.roots) if isinstance(step.entry.source, FromFact)]
    return [
        {"fact": source.fact, "place": source.place, "raw": source.raw, "about": entry.about, "period": entry.period}
        for entry in {entry.source.fact: entry for entry in found if isinstance(entry.source, FromFact)}.values()
        if isinstance(source := entry.source, FromFact)
    ]


def _reasoning(turn: Turn) -> str:
    """Two sentences on how the answer came about, made from the ledger alone: what a model thought is not shown."""
    if turn.clarification is not None:
        return turn.clarification.question
    if turn.text is None:
        return turn.message
    figures = {
        step.entry.source.fact: f"{step.entry.about} ({step.entry.source.raw})"
        for step in turn.ledger.way_to(*turn.roots)
        if isinstance(step.entry.source, FromFact)
    }
    source = None if turn.answer is None else turn.answer.source
    taken = f"The report says: {'; '.join(figures.values())}." if figures else "No figure of the report is used."
    if turn.answer is None:
        cited = "; ".join(turn.sentences_under())
        return f"{taken}{f' It says so in {cited}.' if cited else ''} The answer is {turn.text}."
    made = f"by {source.operation.replace('_', ' ')}" if isinstance(source, FromOperation) else "as it stands"
    return f"{taken} The answer, {made}, is {turn.text}."


def doubt(turn: Turn) -> str:
    """What is said in front of the readings of an answer that is doubted; "" where it is not."""
    return f"not sure ({turn.probability:.0%}): the question can be read as" if readings(turn) else ""


def readings(turn: Turn) -> tuple[str, ...]:
    """What the question may mean, in words; () of an answer that is not doubted, and of none."""
    if turn.text is None or not is_unsure(turn.probability):
        return ()
    described = turn.understanding.description if turn.understanding is not None else "the answer"
    others = [flag.message.partition(MAY_MEAN)[2] for flag in turn.flags if flag.rule == "unsure"]
    return (f"{described}: {turn.text}", *(other for other in others if other))


@dataclass(frozen=True, slots=True)
class Picture:
    """A plot. about: what it shows, in words, for whoever cannot see it."""

    about: str
    png: Path
    svg: Path


def pictures(turn: Turn) -> Iterator[Picture]:
    """Those of a turn, in the order in which they were drawn."""
    for event in turn.events:
        if isinstance(event, ToolCalled) and event.tool == "plot" and not event.error:
            png, svg = map(Path, json.loads(event.output)["plots"])
            given = event.input
            over = f"{', '.join(map(str, given.get('y', ())))} over {given.get('x', '')}"
            yield Picture(": ".join(part for part in (str(given.get("title", "")), over) if part), png, svg)
