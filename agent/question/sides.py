"""A question that holds two amounts against each other, with a question for each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from tieout.agent.question.in_full import moved_in, of_itself
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.question.topic import Full, said_in, time_after, time_in
from tieout.ontology.asked.claim import Claim, claims_in
from tieout.ontology.asked.language import language
from tieout.ontology.asked.members import asks_of_parts
from tieout.ontology.asked.tree import is_percent
from tieout.ontology.asked.when import dated, quarter_beside, quarters_in, years_in
from tieout.ontology.asked.wish import asked_part
from tieout.ontology.metrics.formula import Apply


def in_sides(text: str) -> Full | None:
    """A question that holds two amounts against each other, with those for both; with that for the share of some."""
    whole = " ".join(text.split()).rstrip("?!. ")
    asking = language().forms["time ahead"].sub(r"\g<rest> \g<time>", whole)
    plain = language().written_out(asked_part(asking)).strip(" ?!.,")
    for said in dict.fromkeys((whole, asking, plain)) if language().forms["and a claim"].match(whole) is None else ():
        ways = ((operation, way.fullmatch(said)) for operation, way in language().against)
        held = (_held(text, operation, found) for operation, found in ways if found is not None)
        if (made := next(filter(None, held), None)) is not None:
            return made
    if (some := language().forms["some of"].match(asking)) is not None:
        return Full(text, other=f"what share of {asking[some.end() :]}", is_first=True)
    return _of_quarters(text, plain) or _up_or_down(text, asking)


def is_claim(own: Question) -> bool:
    """Whether a question is for yes or no alone."""
    return own.form == "yes or no" and not (own.halves or language().forms["asks for more"].search(own.lower))


def in_claims(text: str) -> Iterator[Claim]:
    """What a question for yes or no may claim, with the questions for its figures in full."""
    own = read_question(text)
    is_moved = own.calculation != "value" or not own.cues.isdisjoint(("up", "down", "more", "fewer"))
    ways = {each.lower().rstrip("?!. "): each for each in (own.lower, own.text)}  # put otherwise too
    for claim in (claim for said in ways.values() for claim in claims_in(said, own.bound) if is_claim(own)):
        one, *others = claim.sides
        sides = one, *(_like(each, one) for each in others)
        if others and not (time_in(read_question(one)) or sides[1].lower().startswith(one.lower())):
            sides = f"{one} {dated(time_in(read_question(sides[1])))}".strip(), sides[1]
        is_open, parts = claim.is_of_any and is_moved, {read_question(each).part_of_year for each in sides}
        parts |= {language().forms["part of a year"].search(text.lower()) is not None} if others else set()
        if all(sides) and not is_open and len(parts) == 1:
            yield replace(claim, sides=sides)


def _like(text: str, other: str) -> str:
    """What something is held against, with what it leaves out: of another time the same is asked for, and of a part
    alone the same measure; "" where that time is not known."""
    that = language().forms["that one"].match(text.lower())
    text = text[that.end() :].strip() if that else text
    known, own = read_question(other), read_question(text)
    time, said = time_in(known), time_in(own) or text.lower() * bool(own.when.back)
    then = time_after(time, said, own)
    if said and not (own.named or (own.open - language().words["of turns"] - {"period", "same"})):
        if not years_in(then):  # `in the second quarter`, `the year before`
            return f"{other.lower()} {said}" if own.when.back else ""
        return other.lower().replace(time, dated(then)) if time and time in other.lower() else ""
    text = f"{known.named[0].said} of {text}" if known.named and own.open and not (own.named or own.told) else text
    return text if said or not time else f"{text} {dated(time)}"


def _held(text: str, operation: str, held: re.Match[str]) -> Full | None:
    """A question that holds two amounts against each other; None where what they are is not known."""
    first = "{how} {one}{tail}".format(**{"how": "", "tail": ""} | held.groupdict("")).strip()
    one, other = _in_words_of(first, held["other"]), _in_words_of(held["other"], first)
    if not (one and other) or any(each.count("(") != each.count(")") for each in held.groups("")):
        return None
    operation, _, wish = operation.partition(" ")
    if wish:
        one, other = (
            language().in_full[wish].format(what=each, moved="grow", time="").strip() for each in (one, other)
        )
    if operation == "less":
        one, other, operation = other, one, "greater"
    own = read_question(text)
    cues = own.cues
    is_spelled = bool(own.named) and "(" in text and "(" not in own.lower
    is_each = bool(own.named) and (own.form == "list" or own.calculation == "average")  # the share of each year
    is_each = is_each or bool(own.halves)  # of a year, and of the year before
    if (operation in ("divide", "percentage") and (isinstance(own.tree, Apply) or is_spelled or is_each)) or (
        operation == "subtract" and {"percent", "without"} <= cues
    ):
        return None  # it calculates what it names itself; what is left without a part, in percent, is of the whole
    if operation == "subtract" and "points" in cues:
        operation = "basis_points" if language().forms["basis points"].search(text.lower()) else "percentage_points"
    elif operation == "subtract" and "percent" in cues:
        operation = "percentage_change"
    elif operation == "divide" and cues & {"percent", "share wanted"}:
        operation = "percentage"
    share = f"{one} as a percentage of {held['other']}" if operation == "percentage" else ""
    return Full(text, other=share, sides=(one, other), operation=operation, is_first=True)


def _in_words_of(text: str, other: str) -> str:
    """One of two things that are held against each other, with what it leaves out, as the other says it: `in 2022`,
    `the one of Europe`; "" where that is not known."""
    that = language().forms["that one"].match(text.lower())
    own, known = read_question(text[that.end() :] if that else text), read_question(other)
    said, time = said_in(own), time_in(known)
    if not said.time and that is None and (said.measure or own.open):
        return f"{text} {dated(time)}".strip()
    is_apart = own.lower.startswith(tuple(language().words["of time"])) or "'s" in own.lower
    if that is None and (said.measure or own.told or (said.part and not is_apart)):
        return text
    if not (said.measure or said.part):
        then = dated(time_after(time, said.time, own))
        return other.lower().replace(time, then) if time and time in other.lower() else ""
    topic = of_itself(known, None)
    return topic.at(said, own).text() if topic is not None and topic.is_all and said.is_all else ""


def _of_quarters(text: str, asking: str) -> Full | None:
    """A question for what is made of one thing in several quarters, each asked for by itself: how it moved from one to
    the next, their sum or average."""
    own, before = read_question(asking), language().forms["from the quarter before"]
    made, is_next = next((each for each in ("average", "sum") if each in own.cues), ""), before.search(own.lower)
    times, rest = quarters_in(before.sub(" ", own.lower), with_between=bool(made))
    if len(times) == 1 and is_next and (last := quarter_beside(times[0], -1)):
        times = *times, last.replace(" ", " fiscal ") if "fiscal" in times[0] else last
    if len({time.split()[0] for time in times}) < 2 or own.kinds[0] != "number" or own.form not in ("figure", "list"):
        return None
    topic = of_itself(read_question(rest), None)
    if topic is None or not topic.is_all or (not made and (len(times) > 2 or not (own.asks_change or is_next))):
        return None
    if not made:
        times = tuple(sorted(times, key=lambda time: time.split()[::-1], reverse=True))
        is_rate, is_amount = "points" in own.cues or is_percent(own.tree), own.calculation == "change"
        made = "percentage_points" if is_rate else "subtract" if is_amount else "percentage_change"
    return Full(
        text,
        sides=tuple(replace(topic, time=time, wish="value").text() for time in times),
        operation=made,
        is_first=True,
    )


def _up_or_down(text: str, asking: str) -> Full | None:
    """A question whether one thing rose or fell: `has the current ratio improved or declined between 2023 and 2024?`"""
    own = read_question(asking)
    is_one = moved_in(own) == "rise or fall" and not (own.halves or asks_of_parts(own.lower))
    topic = of_itself(own, None) if is_one else None
    sides = () if topic is None else replace(topic, wish="value").both_years()
    return Full(text, sides=sides, operation="direction", is_first=True) if sides else None
