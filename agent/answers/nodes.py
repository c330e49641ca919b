"""The way to an answer as a list of nodes, for what draws it: the page, the report of a run, one HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tieout.agent.answers.sheet import frame_words
from tieout.agent.ledger.display import display
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


def make_nodes(turn: Turn) -> list[dict[str, Any]]:
    """Each step with the places of what it is made from, operands first; the answer is the last one."""
    return [] if turn.answer is None else _nodes(turn, turn.ledger.way_to(turn.answer.name))


def make_trees(turn: Turn) -> tuple[list[dict[str, Any]], list[int]]:
    """As make_nodes, also for an answer that is a list or prose: all nodes, and the places of what the answer holds."""
    steps = list(
        {(step.turn, step.entry.name): step for root in turn.roots for step in turn.ledger.way_to(root)}.values()
    )
    place = {(step.turn, step.entry.name): number for number, step in enumerate(steps)}
    ends = [turn.ledger.way_to(root)[-1] for root in turn.roots]
    return _nodes(turn, steps), [place[end.turn, end.entry.name] for end in ends]


def _nodes(turn: Turn, steps: Sequence[Step]) -> list[dict[str, Any]]:
    place = {(step.turn, step.entry.name): number for number, step in enumerate(steps)}
    nodes = []
    for step in steps:
        source = step.entry.source
        fact = source.fact if isinstance(source, FromFact) else None
        nodes.append(
            {
                "shown": display(step.entry),
                "kind": source.kind,
                "how": source_words(step),
                "about": step.entry.about,
                "fact": fact,
                "from": [place[each.turn, each.entry.name] for each in turn.ledger.operands(step)],
            }
        )
    return nodes


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
