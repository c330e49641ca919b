"""The reply to several questions that are asked in one: to each of them, with a list of what they come to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import prod
from typing import Any

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.offline.answer.reply import GUESS, Call, doubtful, reply_of, told_of, used_by
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.in_full import Asked, in_full
from tieout.agent.question.question import Question, Single
from tieout.agent.question.read import read_question
from tieout.agent.question.sides import in_sides
from tieout.kg.asked.side_by_side import figures_side_by_side
from tieout.kg.fact import Fact
from tieout.kg.figure import words_of
from tieout.kg.filings.naming import THE_COMPANY
from tieout.kg.lineup import is_one_line
from tieout.ontology.asked.apart import taken_apart
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.several import dated_as, of_one
from tieout.ontology.asked.tree import is_percent
from tieout.ontology.asked.when import years_in

_QUOTED = re.compile(r"\s*[\"“”]\s*")  # what is quoted itself is a quotation of its own
# The chance of what one line of a table has of all that is asked for: each by itself too, or one by its name alone.
SIDE_BY_SIDE, FILLED = 0.88, 0.8
EVEN = 0.5  # the chance below which one of a list is left out, as not found


def in_one_line(asked: Question, facts: Sequence[Fact]) -> Question:
    """A question for several things as one for the line in which a report prints them one beside the other: `cash and
    short-term investments`; as it is where no line is called so."""
    things = asked.several or (asked.named if asked.tree is None and asked.calculation in ("change", "growth") else ())
    if asked.halves or not things:
        return asked
    said = asked.lower[asked.named[0].start : asked.named[-1].end] if len(asked.named) > 1 else ""
    labels = (fact.label for fact in facts if fact.table is not None)
    if not is_one_line(said, [each.said for each in things], labels):
        return asked
    named = () if said else asked.named
    return replace(asked, several=(), named=named, tree=asked.tree if named else None, open=asked.open | words_of(said))


def together(asked: Question, replies: Sequence[Reply], chance: float | None = None) -> Reply:
    """One reply for those to several questions: a list of what they come to, with what of it is not answered. As the
    first, which asks back, where none is answered by figures. chance: of all of them, where that is known."""
    made: list[_Made] = []
    left: list[str] = []
    done = {each for reply in replies for each in reply.done}
    for number, (single, reply) in enumerate(zip(asked.several, replies, strict=True)):
        calls, values, words = _renamed(reply, sum(len(each.calls) for each in replies[:number]))
        is_likely = len(replies) < 3 or chance is not None or reply.chance >= EVEN
        if (values or words) and is_likely:
            is_called = done <= {"magnitude"} or len(single.asked.named) != 1 or as_written(single.said, asked.text)
            said = single.said if is_called else single.asked.named[0].said  # not the first line that it is made of
            made.append(_Made(said, single.asked, reply, calls, values, words))
        else:
            why = str(reply.told.get("question", "no figure answers it"))
            said = (single.said or single.asked.lower)[:80]
            left.append(f"{said!r} is not answered: {why.removesuffix(' What is meant?')}")
    if not made:
        return replies[0]
    looked = [each.calls[1:] for each in made if any("fact" in call for _, call in each.calls)]
    ways = [[call.get("fact", call.get("operation")) for _, call in each] for each in looked]
    if any(way in ways[:number] for number, way in enumerate(ways)):
        left.append("two of what is asked for come to the same figures")
    answer = _in_one(asked, made)
    calls = [call for each in made for call in each.calls]
    understood = [call[1] for call in calls if call[0] == "understand"]
    told = "; ".join(str(each["description"]) for each in understood)[:400]
    looked_up: dict[str, Call] = {}
    for name, call in calls:
        if name != "understand":
            looked_up.setdefault(str(call.get("fact") or call.get("name")), (name, call))
    first = [("understand", understood[0] | {"description": told})] if understood else []
    falling = sorted(made, key=lambda each: each.reply.chance, reverse=True)  # the least counts, of one thing
    sure = {(each.asked.items, each.asked.open): each.reply.chance for each in falling}
    chance = prod(sure.values()) if chance is None else chance
    return reply_of(
        [*first, *looked_up.values(), ("answer", answer)],
        round(min(chance, GUESS) if left else chance, 4),
        next((each.reply.alternative for each in made if each.reply.alternative), ""),
        tuple(dict.fromkeys((*chain.from_iterable(each.reply.unaccounted for each in made), *left))),
    )


@dataclass(frozen=True, slots=True)
class _Made:
    """What one of several questions comes to: figures, and words of the report. said: what it asks for."""

    said: str
    asked: Question
    reply: Reply
    calls: list[Call]
    values: list[str]
    words: list[str]


def _in_one(asked: Question, made: Sequence[_Made]) -> dict[str, Any]:
    """The arguments of one answer of all: a list of figures, and prose where one of them is told in words."""
    names = [name for each in made for name in each.values]
    if not any(each.words for each in made):
        is_told = len(asked.named) == 1 and all(name != "calculate" for each in made for name, _ in each.calls)
        words = [as_written(each.said, asked.text) for each in made if len(each.values) == 1 and not is_told]
        answer: dict[str, Any] = {"values": names, "kind": "list"} if len(names) > 1 else {"value": names[0]}
        return answer | ({"words": words} if len(names) > 1 and len({*words} - {""}) == len(names) else {})
    if not names:
        return {"words": [*dict.fromkeys(word for each in made for word in each.words)], "kind": "prose"}
    quoted = [[f'"{part}"' for word in each.words for part in _QUOTED.split(word) if len(part) > 1] for each in made]
    texts = [
        ", ".join([*quotes, *(f"{{{v}}}" for v in each.values)]) for quotes, each in zip(quoted, made, strict=True)
    ]
    return {"words": [f"{text};" for text in texts[:-1]] + texts[-1:], "kind": "prose"}


def completed(asked: Question, reply: Reply, turn: int) -> Reply | None:
    """A reply to the first half of a question, with what is asked behind it of the same: how much it was, by how much
    it was more. None where that is not known."""
    last, said = reply.calls[-1], asked.halves[-1] if asked.halves else ""
    if not said or last.tool != "answer" or last.arguments.get("kind") == "prose":
        return reply
    answer, is_gap = dict(last.arguments), language().forms["by how much"].search(said) is not None
    words, values, gap = answer.get("words", []), answer.get("values", []), f"turn{turn}gap"
    made: list[tuple[str, list[str]]] = []
    named, lower = {each.name for each in asked.named}, said.lower()
    if language().forms["words"].match(lower) or any(each.name not in named for each in find_measures(lower)):
        return None  # of what was highest it asks for another measure
    if find_measures(said) and (asked.calculation != "value" or len(words) != 1 or {*years_in(said)} - {*asked.years}):
        return None  # what grew fastest has its growth beside it
    if len(words) == 1 and values and (not is_gap or asked.calculation != "value" or "pace" in asked.cues):
        answer["kind"] = "name with value"
    elif is_gap and len(words) == 1 and len(values) == 2:
        made = [("percentage_points" if is_percent(asked.tree) else "subtract", values)]
        answer = {"values": [values[0], gap], "words": [words[0], said], "kind": "list"}
    elif is_gap and (compared := _compared(asked, reply)):
        made, answer = _moved(asked, compared, gap), {"values": [answer["value"], gap], "kind": "list"}
    else:
        return None
    calls = [(call.tool, call.arguments) for call in reply.calls[:-1]]
    for number, (operation, operands) in enumerate(made, 1):
        name = gap if number == len(made) else f"{gap}{number}"
        calls.append(("calculate", {"operation": operation, "values": operands, "name": name}))
    return reply_of([*calls, ("answer", answer)], reply.confidence, reply.alternative, reply.unaccounted)


def half(asked: Question, reply: Reply) -> Reply:
    """A reply over several companies or reports: a guess where more is asked behind it than who it is."""
    is_whole = not asked.halves or reply.asks_back
    is_whole = is_whole or reply.told.get("kind") in ("name with value", "list")
    return reply if is_whole else doubtful(reply, f"{asked.halves[-1]!r} is not answered")


def _compared(asked: Question, reply: Reply) -> list[str]:
    """The two amounts of which a reply says whether the first is more; () where it says something else."""
    made = [call.arguments for call in reply.calls if call.tool == "calculate"]
    is_of_two = made and made[-1]["operation"] == "greater" and not asked.cues & {"each", "yearly", "pace"}
    return list(made[-1]["values"]) if is_of_two and asked.bound is None else []


def _moved(asked: Question, compared: Sequence[str], gap: str) -> list[tuple[str, list[str]]]:
    """The steps that say by how much the first of two amounts is more, in percent where that is asked for; by how much
    they differ where the question is whether something fell."""
    in_percent = "percent" in language().cues_of(asked.halves[-1])
    operation = "percentage_points" if is_percent(asked.tree) else "percentage_change" if in_percent else "subtract"
    if not asked.less:
        return [(operation, [*compared])]
    return [(operation, [*compared[::-1]]), ("magnitude", [f"{gap}1"])]


def _renamed(reply: Reply, number: int) -> tuple[list[Call], list[str], list[str]]:
    """The calls of a reply up to its answer, under own names, with those and words of what they come to, if any."""
    answer = reply.told
    if reply.asks_back:
        return [], [], []
    made = [str(call.arguments["name"]) for call in reply.calls if call.tool == "calculate"]
    names = {name: f"{name}of{number + 1}" if number else name for name in made}
    values = [names.get(v, v) for v in ([answer["value"]] if "value" in answer else answer.get("values", []))]
    is_worded = answer.get("kind", "table") not in ("table", "list", "number")
    words = [str(word) for word in answer.get("words", ()) if is_worded]
    calls = []
    for call in reply.calls[:-1]:
        arguments = dict(call.arguments)
        if call.tool == "calculate":
            own = [names.get(each, each) for each in arguments["values"]]
            arguments |= {"values": own, "name": names[str(arguments["name"])]}
            if arguments["name"] in values and answer.get("format") == "percent" and arguments["operation"] == "divide":
                arguments["operation"] = "percentage"
        calls.append((call.tool, arguments))
    return calls, values[: len(words) or None], words


def as_written(said: str, question: str) -> str:
    """What is asked for, as a question spells it; "" where it does not, says its time or calls the company so."""
    found = re.search(re.escape(said), question, re.IGNORECASE)
    return "" if found is None or re.search(rf"\d|{THE_COMPANY}", said) else found[0]


Ask = Callable[[Request], Reply]  # a question that stands by itself


def of_each(request: Request, asked: Question, ask: Ask) -> Reply:
    """One reply to the several questions that are asked in one, each as if it stood alone; by the line of a table that
    has what is asked of all, where that is likelier."""
    replies = [_alone(request, each, ask) for each in asked.several]
    made, names = together(asked, replies), [each.said for each in asked.several]
    used = {at: used_by(reply, request.shown) for at, reply in enumerate(replies) if "value" in reply.told}
    likely = {at: (facts[0], replies[at].chance) for at, facts in used.items() if len(facts) == 1}
    are_lines = any("," in name or find_measures(name.lower()) for name in names)  # of their own, or several
    if are_lines or made.chance >= SIDE_BY_SIDE:
        return made
    measures = {each.name for single in asked.several for each in single.asked.named}
    found = figures_side_by_side(names, measures, asked.several[0].asked.years, likely, request.shown.facts)
    if found is None or made.chance >= found[1]:
        return made
    by_line = [reply_of([("query_kg", {"fact": each.name}), ("answer", {"value": each.name})], 0) for each in found[0]]
    told = [one if one.looked_up == other.looked_up else other for one, other in zip(replies, by_line, strict=True)]
    is_other = any(reply.chance >= CERTAIN for reply, own in zip(replies, told, strict=True) if own is not reply)
    return made if is_other else together(asked, told, min(found[1], SIDE_BY_SIDE if told == replies else FILLED))


def _alone(request: Request, single: Single, ask: Ask) -> Reply:
    """The reply to one of several questions that are asked in one, in full."""
    text, after = single.asked.text, single.after
    request = request.alone(text, in_sides(text) if after is None else in_full(text, [Asked(after.text)]))
    reply = ask(request)
    if single.plain is None or not (reply.asks_back or reply.chance < CERTAIN):
        return reply
    plain = _alone(request, replace(single, asked=single.plain, plain=None), ask)
    left = f"it is not known whether {single.said!r} is asked of a part"
    return plain.model_copy(update={"unaccounted": (*plain.unaccounted, left)})


def likelier_apart(request: Request, asked: Question, reply: Reply, ask: Ask) -> Reply:
    """The reply to a question, or to each of several that it may be, where those are likelier."""
    times = {fact.period and fact.period.key for fact in used_by(reply, request.shown)}
    is_mixed = "values" in reply.told and len(times) > 1 and not (asked.years[1:] or asked.named[1:] or reply.done)
    chance = 0 if reply.unaccounted and not asked.several else reply.chance
    for way in () if is_of_all(reply, asked) else taken_apart(asked.text):
        chance = 0 if is_mixed and all(way.said) else chance  # of things, and no times
        is_less = way.is_plain and told_of(reply, asked) < len(way.texts)
        if (chance >= SURE_ENOUGH and not is_less) or (request.history and not way.is_plain):
            break  # behind other questions, of another time alone
        singles = tuple(Single(said, read_question(text)) for said, text in zip(way.said, way.texts, strict=True))
        made = of_each(request, replace(asked, several=singles, named=(), halves=()), ask)
        least = (0 if _tells_beside(made, reply) else min(chance, GUESS)) if is_less else max(chance, SURE_ENOUGH)
        is_more = told_of(made, asked) > told_of(reply, asked) or not (is_less or made.unaccounted)
        if is_more and made.chance > least:
            reply, chance, is_mixed = made, made.chance, False
    return reply


def of_the_one(request: Request, asked: Question, reply: Reply, ask: Ask) -> Reply | None:
    """A reply that tells which one it is, with what is measured of that one; None where nothing of it is asked."""
    words, then = reply.told.get("words", ()), asked.halves[-1]
    if len(words) != 1 or not find_measures(then.lower()):
        return None
    first, second = read_question(asked.halves[0]), of_one(then, words[0])
    own = request.model_copy(update={"question": dated_as(second, asked.halves[0], first.when)})
    both = (Single(words[0], first), Single(then, read_question(own.question)))
    made = together(replace(asked, several=both), [reply, ask(own)])
    return made if len(made.calls) > len(reply.calls) else None


def is_of_all(reply: Reply, asked: Question) -> bool:
    """Whether a reply is the total, or the average, of all that is asked for."""
    done = {*reply.done} & {"sum", "add", "average"}
    by_name = language().forms["an average by name"].search(asked.lower)
    return by_name is None and bool(done and asked.cues & {"total", "sum", "average"})


def _tells_beside(made: Reply, reply: Reply) -> bool:
    """Whether one reply, with nothing left open, tells all that another does."""
    said, own = (words_of(" ".join(map(str, each.told.get("words", ())))) for each in (made, reply))
    return own <= said and reply.looked_up <= made.looked_up and not made.unaccounted
