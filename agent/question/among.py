"""What a question makes of several amounts that were told before it: `which is bigger?`, `all three together?`."""

from __future__ import annotations

from dataclasses import replace

from tieout.agent.question.question import ENDS, Question
from tieout.agent.question.topic import MOVES, Said, Topic
from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import dated, years_in
from tieout.ontology.labels.lexicon import singular

FIGURES = ("value", "share", "share of")  # by how they are asked for


def told_before(known: Topic, count: int = 0) -> tuple[Topic, ...]:
    """The amounts that were asked for last, in their order: those of a list that was asked for at once, so many, else
    all that differ from the last in one and the same thing, as in the part or the time; () for fewer than two."""
    if known.listed:
        return known.listed if count in (0, len(known.listed)) else ()
    asked: list[Topic] = []
    for topic in known.earlier():
        is_alike = topic.wish in FIGURES and (not asked or topic.wish == asked[0].wish)  # a share may stand between
        if is_alike and topic.text() and all(_unlike(topic, each) for each in asked):
            asked.append(topic)
    run = asked[:1]
    for each in asked[1:]:
        unlike = _unlike(asked[0], each)
        if len(unlike) > 1 or (len(run) > 1 and unlike != _unlike(*run[:2])):
            break
        run.append(each)
    if len(run) < count:
        run = asked[:2] if count == 2 else []
    return tuple(run[: count or None][::-1]) if len(run) > 1 else ()


def _unlike(one: Topic, other: Topic) -> list[str]:
    slots = {"measure": one.measure != other.measure, "part": one.part != other.part}
    return [slot for slot, differs in (slots | {"time": dated(one.time) != dated(other.time)}).items() if differs]


def which_one(known: Topic, own: Question, said: Said) -> Topic | None:
    """`which is bigger?`, `which of the three was the lowest?`, `which one grew faster?`"""
    kinds = language().words["of a part"] | language().words["of small parts"]
    is_move, is_of_two = own.calculation in MOVES or "pace" in own.cues, bool(own.cues & {"more", "fewer"})
    is_said = said.part or (own.rate and not said.measure)
    is_said = is_said or own.form == "year" or own.kinds[0] in ("boolean", "period")
    if is_said or "which" not in own.cues or not (own.cues & ENDS or is_of_two or is_move):
        return None
    is_of_two = is_of_two and language().forms["superlative"].search(own.lower) is None
    told = [
        each for each in told_before(known, own.counted or 2 * is_of_two) if each.wish == "value" or not said.measure
    ]
    told = [replace(each, measure=said.measure or each.measure) for each in told]
    if not told or not _unlike(*told[:2]) or any(singular(word) in kinds for word in own.words):
        return None
    slots, names = _unlike(*told[:2]), [each.what for each in told]
    if slots == ["time"]:
        years = [str(*years_in(each.time)[-1:]) for each in told]
        names = years if len({*years} - {""}) == len(told) else [each.time for each in told]
    elif len(slots) == 1:
        names = [getattr(each, slots[0]) for each in told]
    end = "lowest" if own.cues & {"lowest", "fewer", "slower"} or (is_move and "down" in own.cues) else "highest"
    grown = {"wish": "growth", "moved": "change"} if is_move else {}
    sides = tuple(each.text(**(grown or {"wish": each.wish, **each.more})) for each in told)
    wish = "which year" if slots == ["time"] else "which grew" if is_move else "which of two"
    most = end if wish != "which of two" else "smaller" if end == "lowest" else "larger"
    pace = "pace" if "pace" in own.cues else ""
    made = told[-1].asks(wish, sides, end, most=most, other=", ".join(names[:-1]), pace=pace)
    return replace(made, full=replace(made.full, names=tuple(names)), among=tuple(told))


def by_how_much(one: Topic, own: Question, wish: str) -> Topic | None:
    """`which grew faster? by how much?`: by how many points more than the other; `which shrank? by how much?`: how it
    moved itself, which `wish` asks for. one: what was told as the one of them."""
    which = one.before
    is_move = which is not None and which.wish == "which grew"
    if which is None or len(which.among) != 2 or not (is_move or "points" in own.cues):
        return None
    if is_move and not ("points" in own.cues or which.more["pace"]):
        return one.made(wish, moved="change")
    is_first = one.what == which.among[0].what
    told = {"more": "more", "other": which.among[is_first].what, "then": dated(one.time)}
    return one.asks("gap in percent", which.full.sides[:: 1 if is_first else -1], "percentage_points", **told)


def made_of(known: Topic, own: Question, said: Said) -> Topic | None:
    """`together?`, `the sum of all three?`, `the average of these?`"""
    forms, is_mean = language().forms, "average" in own.cues
    these, is_whole = forms["several told"].search(own.lower) is not None, forms["both"].fullmatch(own.lower.strip())
    is_sum = is_whole or "sum" in own.cues or forms["added up"].search(own.lower) or (these and "total" in own.cues)
    is_said = said.measure or said.part or own.whole or (said.time and (own.years or not these))
    if is_said or not (is_sum or (is_mean and these)):
        return None
    if own.calculation not in ("value", "sum", "average") or own.form != "figure":
        return None
    told = told_before(known, own.counted)
    slots = _unlike(*told[:2]) if told else []
    if slots == ["measure"] and len(told) > 2 and not (these or own.counted or known.listed):
        told = told[-2:]  # each on its own line before them
    if slots == ["time"] and not all(years_in(each.time) for each in told):
        return None
    return added_up(*told, mean=is_mean) if told and (slots != ["time"] or not is_sum or is_whole or these) else None


def added_up(*told: Topic, mean: bool = False) -> Topic:
    """The sum of several, or their average; a sum of measures is one itself, of which more may be asked."""
    last, others = told[-1], told[:-1]
    operation = "average" if mean else "add" if len(told) == 2 else "sum"
    if _unlike(*told[:2]) == ["time"]:
        times = ", ".join(map(str, sorted({year for each in told for year in years_in(each.time)})))
        last = replace(last, time=language().in_full["all of"].format(times=times))
        if any(len(years_in(each.time)) != 1 for each in told):
            return last.asks("average" if mean else "sum")
        return last.asks_of(told, "average" if mean else "sum", operation)
    joined = (", " if mean else " plus ").join(each.what for each in others)
    made = last.asks_of(told, "average of" if mean else "both", operation, other=joined)
    measure = " plus ".join(each.measure for each in told)
    return made if mean or any(each.part for each in told) else replace(made, measure=measure, wish="value")
