"""Replies: made of calls, of sentences that are quoted, of what is missing; and what one says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.protocol.message import Card, Reply, ToolCall
from tieout.agent.question.question import Question
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact
from tieout.kg.sense import is_of_sort
from tieout.ontology.asked.quoted import YES_OR_NO

Call = tuple[str, dict[str, Any]]
BY_CHANCE = 0.3  # chance below which an answer is as good as none
GUESS = 0.55  # the most that is believed of half an answer, and of one that is of another sort than is asked for


@dataclass(frozen=True, slots=True)
class Missing:
    """What a question names is not there. why: said in a sentence; options: labels that may be meant. is_bound: nothing
    else can be: its line has no figure for the period, or none is qualified so; of_time: the period alone is not."""

    why: str
    options: tuple[str, ...] = ()
    is_bound: bool = False
    of_time: bool = False
    nearest: Reply | None = None


def reply_of(
    calls: Iterable[tuple[str, dict[str, Any]]],
    confidence: float | None,
    alternative: str = "",
    unaccounted: tuple[str, ...] = (),
) -> Reply:
    """One reply with these calls, numbered."""
    made = [ToolCall(id=f"call{at}", tool=tool, arguments=told) for at, (tool, told) in enumerate(calls, start=1)]
    return Reply(
        calls=tuple(made), model="offline", confidence=confidence, alternative=alternative, unaccounted=unaccounted
    )


def worked_out(names: Iterable[str], steps: Sequence[tuple[str, Sequence[str]]], stem: str) -> Iterator[Call]:
    """The calls that look figures up, by name, and answer by what is calculated of them. steps: operations with the
    names of their operands, or the numbers of steps behind a `#`; their results are named by a stem and the number."""
    yield from (("query_kg", {"fact": name}) for name in names)
    for number, (operation, operands) in enumerate(steps, 1):
        values = [f"{stem}{each[1:]}" if each[0] == "#" else each for each in operands]
        yield "calculate", {"operation": operation, "values": values, "name": f"{stem}{number}"}
    yield "answer", {"value": f"{stem}{len(steps)}"}


def ask_back(missing: Missing) -> Reply:
    """The question back that says what is missing."""
    arguments: dict[str, Any] = {"question": f"{missing.why} What is meant?"[:1000]}
    if missing.options:
        arguments["options"] = list(missing.options)
    return reply_of([("clarify", arguments)], 0)


def in_words(texts: Iterable[str], chance: float, facts: Sequence[Fact] = (), sort: str = "") -> Reply:
    """The reply that quotes sentences, with the chance that they answer; or the one amount of money of this sort in a
    sentence that does not print its scale: `for $7` of a report in millions. facts: those that are shown."""
    said = [*texts]
    money = [each for each in facts if [" ".join(each.context.split())] == said and is_currency(each.unit)]
    money = [each for each in money if is_of_sort(each, sort)]
    if len(money) == 1 and money[0].scale > 1 and money[0].scale_from != "sentence":
        name = money[0].name
        return reply_of([("query_kg", {"fact": name}), ("answer", {"value": name})], round(chance, 4))
    return reply_of([("answer", {"words": said, "kind": "prose"})], confidence=round(chance, 4))


def doubtful(reply: Reply, *told: str) -> Reply:
    """A reply that is believed no more than a guess, with what is told of it."""
    return reply.model_copy(update={"confidence": min(reply.chance, GUESS), "unaccounted": (*reply.unaccounted, *told)})


def is_sure(reply: Reply, least: float = SURE_ENOUGH) -> bool:
    return reply.chance >= least and not reply.unaccounted


def says_so(reply: Reply) -> bool:
    """Whether a reply says yes or no: as a comparison of figures, or with a sentence."""
    is_held = reply.done[-1:] == ["greater"] and "value" in reply.told
    return is_held or (reply.told.get("words") or [""])[0] in YES_OR_NO


def used_by(reply: Reply, shown: Card) -> list[Fact]:
    """The figures that a reply looks up, of those that are shown."""
    names = reply.looked_up
    few = shown.facts if len(names) > 1 else filter(None, map(shown.named.get, names))
    return [fact for fact in few if fact.name in names]


def told_of(reply: Reply, asked: Question) -> int:
    """How many things a reply tells: figures and sentences, and what a move is made of."""
    answer, moved = reply.told, reply.looked_up if asked.calculation in ("change", "growth") else ()
    return max(len(moved), len(answer.get("values", ())) + len(answer.get("words", ())) + ("value" in answer))
