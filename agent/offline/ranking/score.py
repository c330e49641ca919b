"""Which candidate fits best: features of the question, of the operands, and of how they go together."""

from __future__ import annotations

from decimal import Decimal

from tieout.agent.offline.calculation.compose import Candidate, Operand
from tieout.agent.offline.operands.grounding import Aim
from tieout.kg.fact import Fact
from tieout.kg.page import Page, View
from tieout.ontology.asked.similarity import coverage

# What the words of a question are signs of for a step of a conversation: the name, and the cues that it is told by.
SIGNS = {
    "difference": {"change"},
    "rate": {"rate of change"},
    "share": {"share"},
    "ratio": {"ratio", "per", "over"},
    "divide by number": {"by number"},
    "sum": {"sum", "plus"},
    "compare": {"compared", "yes or no"},
    "times": {"times", "product"},
    **{
        cue: {cue} for cue in ("total", "including", "average", "less", "without", "in unit", "ends in unit", "hundred")
    },
    **{
        cue: {cue}
        for cue in ("points back", "again", "what about", "value of year", "performance", "range", "and year")
    },
}


ROUND = {Decimal(10**power): name for power, name in ((0, "one"), (2, "hundred"), (3, "thousand"), (6, "million"))}


def cues(goal: Aim) -> list[str]:
    """Features of the question alone that speak for or against a concept: words, pairs of them, the state of talk."""
    words = goal.asked.words
    plain = ["#" if word[0].isdigit() else word for word in words]
    plain = [
        "year" if len(word) == 4 and word.isdigit() and word[:2] in ("19", "20") else mark
        for word, mark in zip(words, plain, strict=True)
    ]
    signs = [name for name, cues_of in SIGNS.items() if cues_of & goal.asked.cues]
    found = [f"sign {name}" for name in signs] + [f"sign {name}, {goal.gate}" for name in signs]
    found += [f"sign {name}, {min(len(goal.asked.years), 3)} years" for name in signs]
    found += [f"signs {' + '.join(signs)}", f"first sign {signs[0] if signs else 'none'}"]
    found += [f"word {word}" for word in dict.fromkeys(plain)]
    found += [
        f"words {first} {second}" for first, second in dict.fromkeys(zip(["^", *plain], [*plain, "$"], strict=True))
    ]
    past = goal.context.past
    found.append("always")
    found.append(f"gate {goal.gate}")
    found.append(f"years {min(len(goal.asked.years), 3)}")
    found.append(f"gate {goal.gate} years {min(len(goal.asked.years), 3)}")
    last = past[0].operation if past else "none"
    before = past[1].operation if len(past) > 1 else "none"
    found.append(f"last {last}")
    found.append(f"last two {last} {before}")
    found.append(f"last {last} gate {goal.gate}")
    lookups = 0
    for each in past:
        if each.calculated:
            break
        lookups += 1
    found.append(f"lookups {min(lookups, 3)}")
    found += [f"sign {name} after {last}" for name in signs]
    if not signs:
        found.append(f"no sign after {last}, {goal.gate}")
    found.append("long" if len(words) > 14 else "short" if len(words) < 7 else "middle")
    return found


def unary(operand: Operand, goal: Aim, page: Page) -> dict[str, float]:
    """Features of one operand; absent is 0."""
    found: dict[str, float] = {f"is {operand.kind}": 1.0}
    last = goal.context.past[0].operation if goal.context.past else "none"
    found[f"is {operand.kind}, {goal.gate}, {min(len(goal.asked.years), 2)} years"] = 1.0
    found[f"is {operand.kind} after {last}"] = 1.0
    found[f"is {operand.kind} after {last}, {goal.gate}"] = 1.0
    if goal.asked.pointing:
        found[f"is {operand.kind}, {goal.asked.pointing} points back"] = 1.0
    if operand.view is not None:
        _figure(found, operand, goal, page)
    elif operand.past is not None:
        _result(found, operand, goal, page)
    else:
        _number(found, operand, goal)
    return {name: value for name, value in found.items() if value}


def _number(found: dict[str, float], operand: Operand, goal: Aim) -> None:
    asked = goal.asked
    found[f"number {ROUND.get(operand.value, 'small' if operand.value <= 12 else 'large')}"] = 1.0
    found["number asked"] = float(operand.value in asked.counts)
    found["another number asked"] = float(bool(asked.counts) and operand.value not in asked.counts)
    found["scale asked"] = float(operand.value in goal.asked.scales)
    under = next((len(past.facts) for past in goal.context.past if past.calculated), 0)
    found["number of summed"] = float(operand.value == under)
    found["number of earlier figures"] = float(operand.value == len(goal.context.used))


def _figure(found: dict[str, float], operand: Operand, goal: Aim, page: Page) -> None:
    view = operand.view
    assert view is not None
    asked, kind = goal.asked, operand.kind
    found[f"score {kind}"] = max(operand.score, -12.0) / 4
    found[f"score {kind} {goal.gate}"] = max(operand.score, -12.0) / 4
    found[f"best {kind}"] = float(operand.rank == 0)
    if view.year is not None and asked.years:
        found["first year asked"] = float(view.year == asked.years[0])
        found["last year asked"] = float(view.year == asked.years[-1])
        found["latest year asked"] = float(view.year == max(asked.years))
        found["earliest year asked"] = float(view.year == min(asked.years))
        found["year not asked"] = float(view.year not in goal.years)
        found["in left year"] = float(view.year in asked.left.years)
        found["in right year"] = float(view.year in asked.right.years)
    if asked.left.stems or asked.right.stems:
        left = coverage(asked.left.stems, view.bag, page.weight)
        right = coverage(asked.right.stems, view.bag, page.weight)
        found["left"], found["right"] = left, right
        found["more left"] = left - right
    found["total"] = float(view.total)
    if kind == "used":
        for past in goal.context.past:
            if view.fact in past.facts:
                place = past.facts.index(view.fact)
                age = min(past.age, 3)
                found[f"used {age}"] = 1.0
                found[f"used {age} by {past.operation} at {min(place, 2)}"] = 1.0
                break
        for past in goal.context.past:
            if past.operation == "lookup" and view.fact in past.facts:
                found[f"looked up {min(past.age, 4)}"] = 1.0
                break
        for past in goal.context.past:
            if past.calculated and len(past.facts) > 1 and view.fact in past.facts:
                found[f"at {min(past.facts.index(view.fact), 3)} of {past.operation}"] = 1.0
                break


def _result(found: dict[str, float], operand: Operand, goal: Aim, page: Page) -> None:
    past = operand.past
    assert past is not None
    results = [each for each in goal.context.past if each.calculated]
    place = results.index(past)
    found[f"result {min(place, 3)}"] = 1.0
    found[f"result age {min(past.age, 4)}"] = 1.0
    found[f"result of {past.operation}"] = 1.0
    found[f"result {min(place, 3)} of {past.operation}"] = 1.0
    if goal.asked.called:
        found["called by its operation"] = float(past.operation in goal.asked.called)
        found["another is called"] = float(past.operation not in goal.asked.called)
    named = frozenset(past.asked.topic)
    if goal.asked.left.stems or goal.asked.right.stems:
        found["left"] = coverage(goal.asked.left.stems, named, page.weight)
        found["right"] = coverage(goal.asked.right.stems, named, page.weight)
    found["named"] = coverage(goal.own, named, page.weight)


def pair(candidate: Candidate, goal: Aim) -> dict[str, float]:
    """Features of how two operands go together; absent is 0."""
    x, y = candidate.operands[0], candidate.operands[-1]
    found: dict[str, float] = {f"{x.kind} {y.kind}": 1.0}
    last = goal.context.past[0].operation if goal.context.past else "none"
    found[f"{x.kind} {y.kind}, {goal.gate}, {min(len(goal.asked.years), 2)} years"] = 1.0
    found[f"{x.kind} {y.kind} after {last}"] = 1.0
    a, b = x.view, y.view
    if a is not None and b is not None:
        _figures(found, x, y, goal)
        _parallel(found, a, b, goal)
    if x.past is not None and b is not None:
        found["under the result"] = float(b.fact in x.past.facts)
        if b.fact in x.past.facts:
            found[f"under the result at {min(x.past.facts.index(b.fact), 2)} of {x.past.operation}"] = 1.0
            if b.year is not None and goal.asked.years:
                found["under the result, year asked"] = float(b.year in goal.years)
    if y.past is not None and a is not None:
        found["over the result"] = float(a.fact in y.past.facts)
    if y.past is not None and x.past is not None:
        found["result order"] = 1.0 if x.past.age > y.past.age else -1.0
    found["smaller by larger"] = float(abs(x.value) < abs(y.value))
    found["equal values"] = float(x.value == y.value)
    return {name: value for name, value in found.items() if value}


def _figures(found: dict[str, float], x: Operand, y: Operand, goal: Aim) -> None:
    a, b, asked = x.view, y.view, goal.asked.years
    assert a is not None and b is not None
    if a.is_text != b.is_text:
        found["text and table"] = 1.0
    elif a.is_text:
        found["same sentence"] = float(a.fact.sentence == b.fact.sentence)
        found["same phrase"] = float(a.fact.label == b.fact.label)
    else:
        found["same row"] = float(a.row == b.row)
        found["same column"] = float(a.column == b.column)
        found["same label"] = float(a.label == b.label and a.row != b.row)
        found["neither"] = float(a.row != b.row and a.column != b.column)
    if a.role and b.role and a.row != b.row:
        found[f"{a.role} with {b.role}"] = 1.0
    if a.year is not None and b.year is not None:
        found["newer less older"] = float(a.year > b.year)
        found["older less newer"] = float(a.year < b.year)
        found["same year"] = float(a.year == b.year)
        found["next year"] = float(a.year == b.year + 1)
        left, right = goal.asked.left.years, goal.asked.right.years
        if left and right and left != right:
            found["years as on the sides"] = float(a.year in left and b.year in right)
            found["years across the sides"] = float(a.year in right and b.year in left)
        if len(asked) > 1:
            found["the years asked" if {a.year, b.year} == {min(asked), max(asked)} else "not the years asked"] = 1.0
    found["same unit"] = float(a.fact.unit == b.fact.unit)
    found["other unit"] = float(None not in (a.fact.unit, b.fact.unit) and a.fact.unit != b.fact.unit)


def _parallel(found: dict[str, float], a: View, b: View, goal: Aim) -> None:
    """Whether the two stand to the two figures of an earlier calculation as one year or line to another."""
    for past in goal.context.past:
        if past.calculated and len(past.facts) == 2:
            c, d = past.facts
            if (a.fact.name, b.fact.name) == (c.name, d.name):
                found["the same two"] = 1.0
            elif _line(a.fact) == _line(c) and _line(b.fact) == _line(d):
                found["other years of the same two lines"] = 1.0
                found[f"other years of the same two lines, {goal.gate}"] = 1.0
            elif _column(a.fact) == _column(c) and _column(b.fact) == _column(d):
                found["other lines of the same two columns"] = 1.0
                found[f"other lines of the same two columns, {goal.gate}"] = 1.0
            return


def _line(fact: Fact) -> tuple[int | None, ...]:
    return (fact.table, fact.row, fact.sentence)


def _column(fact: Fact) -> tuple[int | None, ...]:
    return (fact.table, fact.column, fact.paragraph)


def group(frame: str, slot: int) -> str:
    """Which kind of operand stands there: a figure looked up, or the first or second operand of a calculation."""
    return "lookup" if frame == "lookup" else ("first", "second")[slot]
