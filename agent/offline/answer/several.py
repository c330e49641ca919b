"""The reply to several questions that are asked in one: the calls of each, and a list of what they come to."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import chain
from math import prod
from typing import Any

from tieout.agent.offline.answer.by_name import reply_of
from tieout.agent.protocol.message import Reply
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.ontology.labels.label import normalise

Call = tuple[str, dict[str, Any]]


def is_one_line(asked: Question, facts: Sequence[Fact]) -> bool:
    """Whether a report prints what is asked for one beside the other in a line of its own: `cash and short-term
    investments`."""
    first, last = asked.several[0].said, asked.several[-1].said
    said = re.search(rf"{re.escape(first)}.*?{re.escape(last)}", asked.lower) if first and last else None
    phrase = normalise(said[0]) if said is not None else ""
    return bool(phrase) and any(phrase in normalise(fact.label) for fact in facts)


def together(asked: Question, replies: Sequence[Reply]) -> Reply:
    """One reply for those to several questions: a list of what they come to, with what of it is not answered. As the
    first, which asks back, where none is answered by figures."""
    made: list[tuple[str, Reply, list[Call], list[str]]] = []
    left: list[str] = []
    for number, (single, reply) in enumerate(zip(asked.several, replies, strict=True)):
        calls, values = _renamed(reply, number)
        if values:
            made.append((single.said, reply, calls, values))
        else:
            left.append(f"{(single.said or single.asked.lower)[:80]!r} is not answered: {_why(reply)}")
    if not made:
        return replies[0]
    names = [name for *_, values in made for name in values]
    words = [_as_written(said, asked.text) for said, _, _, values in made if len(values) == 1]
    answer: dict[str, Any] = {"values": names, "kind": "list"} if len(names) > 1 else {"value": names[0]}
    if len(names) > 1 and len(words) == len(names) and all(words):
        answer["words"] = words
    understood = made[0][2][0][1] | {"description": "; ".join(str(each[2][0][1]["description"]) for each in made)[:400]}
    looked_up: dict[str, Call] = {}
    for name, call in chain.from_iterable(calls[1:] for _, _, calls, _ in made):
        looked_up.setdefault(str(call.get("fact") or call.get("name")), (name, call))
    return reply_of(
        [("understand", understood), *looked_up.values(), ("answer", answer)],
        round(prod(reply.confidence or 0 for _, reply, _, _ in made), 4),
        next((reply.alternative for _, reply, _, _ in made if reply.alternative), ""),
        tuple(dict.fromkeys((*chain.from_iterable(reply.unaccounted for _, reply, _, _ in made), *left))),
    )


def _renamed(reply: Reply, number: int) -> tuple[list[Call], list[str]]:
    """The calls of a reply up to its answer, under names that no other has, and the names of what they come to; none
    where that is no figure."""
    answer = reply.calls[-1].arguments
    if reply.calls[-1].tool != "answer" or answer.get("kind", "table") not in ("table", "list", "number"):
        return [], []
    made = [str(call.arguments["name"]) for call in reply.calls if call.tool == "calculate"]
    names = {name: f"{name}of{number + 1}" if number else name for name in made}
    values = _under([answer["value"]] if "value" in answer else answer.get("values", []), names)
    calls = []
    for call in reply.calls[:-1]:
        arguments = dict(call.arguments)
        if call.tool == "calculate":
            arguments |= {"values": _under(arguments["values"], names), "name": names[str(arguments["name"])]}
            if arguments["name"] in values and answer.get("format") == "percent" and arguments["operation"] == "divide":
                arguments["operation"] = "percentage"
        calls.append((call.tool, arguments))
    return calls, values


def _under(values: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(each, each) for each in values]


def _why(reply: Reply) -> str:
    last = reply.calls[-1].arguments
    return str(last.get("question", "no figure answers it")).removesuffix(" What is meant?")


def _as_written(said: str, question: str) -> str:
    """What is asked for, as a question spells it; "" where it does not, or says its time beside it."""
    found = re.search(re.escape(said), question, re.IGNORECASE)
    return "" if found is None or re.search(r"\d", said) else found[0]
