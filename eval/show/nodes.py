"""The way to an answer as a list of nodes, for what draws it: the page, the report of a run, one HTML file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tieout.agent.answers.sheet import frame_words
from tieout.agent.ledger.display import display
from tieout.agent.ledger.form import operand_form
from tieout.agent.ledger.ledger import (
    FromConstant,
    FromFact,
    FromFrame,
    FromOperation,
    FromPrior,
    FromQuestion,
    Step,
    Ungrounded,
)
from tieout.agent.log.turn import Turn

SIGN = re.compile(r"(?<=[$€£¥]) (?=[\d(])")  # what a line is not broken at


def make_nodes(turn: Turn) -> list[dict[str, Any]]:
    """Each step with the places of what it is made from, operands first; an answer that is one entry is the last one.

    Of an answer that is no single number, all that it rests on.
    """
    way = turn.ledger.way_to(*turn.roots)
    drawn = {(each.turn, each.entry.name) for step in way for each in turn.ledger.made_from(step)}
    drawn |= {(turn.index, root) for root in turn.roots}
    steps = [step for step in way if (step.turn, step.entry.name) in drawn]
    place = {(step.turn, step.entry.name): number for number, step in enumerate(steps)}
    forms: dict[tuple[int, str], str | None] = {}
    for step in reversed(steps):
        form = turn.format if step.entry == turn.answer else forms.get((step.turn, step.entry.name))
        forms[step.turn, step.entry.name] = form
        for each in turn.ledger.made_from(step):
            forms.setdefault((each.turn, each.entry.name), operand_form(step.entry, form))
    nodes = []
    for step in steps:
        source = step.entry.source
        fact = source.fact if isinstance(source, FromFact) else None
        nodes.append(
            {
                "shown": display(step.entry, forms[step.turn, step.entry.name]),
                "kind": source.kind,
                "how": SIGN.sub("\u00a0", source_words(step)),
                "about": _about(step),
                "fact": fact,
                "from": [place[each.turn, each.entry.name] for each in turn.ledger.made_from(step)],
            }
        )
    return nodes


def _about(step: Step) -> str:
    """What it measures, and in which period where its words do not say that."""
    about, period = step.entry.about, step.entry.period or ""
    return ", ".join(part for part in (about, "" if period in about else period) if part)


def tops(nodes: Sequence[dict[str, Any]]) -> list[int]:
    """The places of the nodes that nothing else is made from: the answer, or all that a list or prose rests on."""
    below = {place for node in nodes for place in node["from"]}
    return [place for place in range(len(nodes)) if place not in below]


def source_words(step: Step) -> str:
    """Where a step is from, in words."""
    match step.entry.source:
        case FromFact() as source:
            return f"printed as “{source.raw}”, {source.place}"
        case FromQuestion() as source:
            return f"stated in question {source.turn + 1}: “{source.raw}”"
        case FromConstant() as source:
            return f"constant: {source.meaning}"
        case FromPrior() as source:
            return f"{'given as ' if source.given else ''}the answer of question {source.turn + 1}"
        case FromOperation() as source:
            return source.operation.replace("_", " ")
        case FromFrame() as source:
            return frame_words(source)
        case Ungrounded():
            return "not grounded: nothing accounts for this number"
