"""Which printed facts fit a question: features of each fact against the question and the conversation."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from tieout.agent.offline.operands.context import Context, placed
from tieout.agent.question.question import Question
from tieout.data.printed.amount import Unit
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.kg.page import Page, View
from tieout.ontology.asked.similarity import coverage, nearness, run
from tieout.ontology.labels.alike import spelled

MOST_LEFT = 5  # words of a question that a figure does not have: more of them tell no more
Parts = tuple[dict[str, float], dict[str, float], dict[str, float]]  # of words, of form, of place


@dataclass(frozen=True, slots=True)
class Aim:
    """What to look for: the question and its context brought together once per question.

    both: its own words and those of the measure that it inherits, where it has both. matches: of each view that has a
    word of it all, by its id(), how much of the question it covers; best: the most that any does.
    """

    asked: Question
    context: Context
    own: tuple[str, ...]
    question: frozenset[str]
    everything: frozenset[str]
    gate: str
    years: frozenset[int]
    form: str
    asks_percent: bool
    both: tuple[str, ...]
    matches: Mapping[int, Mapping[str, float]]
    best: Mapping[str, float]


def aim(asked: Question, context: Context, page: Page) -> Aim:
    """Decides whether the question names a measure of its own (`gate`: first, bare, follow)."""
    asked = placed(asked, context.years)
    own = tuple(each for each in asked.topic if each in page.known)
    gate = "first" if not context.past else ("follow" if own else "bare")
    question = frozenset(asked.topic) | frozenset(asked.manner)
    everything = question | frozenset(context.topic)
    goal = Aim(
        asked=asked,
        context=context,
        own=own,
        question=question,
        everything=everything,
        gate=gate,
        years=frozenset(asked.years),
        form=_asked_form(asked),
        asks_percent=bool(asked.cues & {"percent", "rate"}),
        both=tuple(dict.fromkeys((*own, *context.topic))) if gate != "first" and context.topic else (),
        matches={},
        best={},
    )
    alike: dict[object, dict[str, float]] = {}
    equal: dict[object, dict[str, float]] = {}  # each that is the same in numbers is one
    matches: dict[int, Mapping[str, float]] = {}
    for view in page.views:
        if view.bag.isdisjoint(everything):
            continue
        key = view if view.is_text else (view.words, view.year in goal.years)
        found = alike.get(key)
        if found is None:
            made = _matches(view, goal, page)
            found = alike[key] = equal.setdefault(tuple(made.items()), made)
        matches[id(view)] = found
    best: dict[str, float] = {}
    for name, value in (each for found in alike.values() for each in found.items()):
        best[name] = max(best.get(name, 0.0), value)
    return replace(goal, matches=matches, best=best)


def _asked_form(asked: Question) -> str:
    """What sort of amount is asked for, as far as it tells figures of a conversation apart."""
    if "period" in asked.kinds:
        return "year"
    if "how many" in asked.cues:
        return "number"
    return "price" if asked.cues & {"price", "per share"} else "plain"


def _matches(view: View, goal: Aim, page: Page) -> dict[str, float]:
    """How much of the question, and of that and the measure it inherits (`both`), the words of a fact cover."""
    found = {"own": coverage(goal.own, view.bag, page.weight)}
    if view.year in goal.years:
        found["own in the year"] = found["own"]
    if goal.both:
        found["both"] = coverage(goal.both, view.bag, page.weight)
        if view.year in goal.years:
            found["both in the year"] = found["both"]
    return found


def features(goal: Aim, page: Page, worth: Callable[[dict[str, float]], float]) -> list[tuple[Parts, float]]:
    """The features of each fact of a page, by name, with what they are worth; absent is 0. Each counts twice
    (`gated`): for all questions, and for those of the gate. They are worked out once for all figures of tables that are
    alike, as most are that have no word of the question."""
    of_words, of_form, of_place = (dict[object, tuple[dict[str, float], float]]() for _ in range(3))
    matches, digits, past, years = goal.matches, goal.asked.digits, goal.context.past, goal.years
    again = {number for number, count in page.values.items() if count > 1}

    def added(add: Callable[..., None], view: View) -> tuple[dict[str, float], float]:
        made: dict[str, float] = {}
        add(made, view, goal, page)
        own = {name: value for name, value in made.items() if value}
        return own, worth(own)

    found: list[tuple[Parts, float]] = []
    for view in page.views:
        words: object = view
        form: object = view
        place: object = view
        said: object = None
        if not view.is_text:
            match = matches.get(id(view))
            said = None if match is None else view.words
            words = said or (view.fact.label, view.caption)
            form = view.form, view.number in again
            is_of_words = view.role or view.year in years or (view.header and view.fact.period is None)
            at = said if is_of_words else id(match)  # where it stands is told by words, or by how much they cover
            is_apart = not digits or view.digits.isdisjoint(digits)
            place = view.place, at, is_apart, _beside(view, goal) if past else None
        own_words, own_form, own_place = of_words.get(words), of_form.get(form), of_place.get(place)
        if own_words is None:
            sort = words if view.is_text else _sort(view, goal, said)
            own_words = of_words[words] = of_words[sort] = of_words.get(sort) or added(_words, view)
        if own_form is None:
            own_form = of_form[form] = added(_form, view)
        if own_place is None:
            own_place = of_place[place] = added(_place, view)
        parts = own_words[0], own_form[0], own_place[0]
        found.append((parts, own_words[1] + own_form[1] + own_place[1]))
    return found


def _sort(view: View, goal: Aim, said: object) -> object:
    """The same for all figures of tables that have the same words of the question, or none. said: its own words."""
    if said is not None:
        is_above = not view.header.isdisjoint(goal.everything)
        return said if is_above else (view.fact.label, view.bag & goal.everything, view.caption)
    caption = None if view.caption.isdisjoint(goal.own) else view.caption
    return caption, not view.label, spelled(view.fact.label, goal.asked.lower), view.total


def _beside(view: View, goal: Aim) -> object:
    """The same for all figures of tables that stand alike to what earlier turns used; itself where it is near that."""
    fact, last = view.fact, goal.context.last_facts
    if not last:
        return fact.name in goal.context.used
    if fact.table in [each.table for each in last] or fact.name in goal.context.used:
        return view
    return fact.kind is last[0].kind, fact.unit == last[0].unit


def gated(name: str, gate: str) -> str:
    """The name under which a feature has a weight for the questions of a gate alone."""
    return f"{name}|{gate}"


def _words(found: dict[str, float], view: View, goal: Aim, page: Page) -> None:
    kind, question = "text" if view.is_text else "table", goal.question
    if not view.is_text and id(view) not in goal.matches:
        left = sum([each not in view.caption for each in goal.own])
        found["left table"] = min(left, MOST_LEFT) / MOST_LEFT
        found["no label"] = float(not view.label)
        found["label spelled in question"] = spelled(view.fact.label, goal.asked.lower)
        found["caption covers question"] = coverage(goal.own, view.caption, page.weight)
    else:
        _said_words(found, view, goal, page.weight, kind)
    if view.total:
        found["total asked" if "total" in question else "total not asked"] = 1.0
    elif "total" in question and not view.is_text:
        found["total asked but not there"] = 1.0


def _said_words(found: dict[str, float], view: View, goal: Aim, weight: dict[str, float], kind: str) -> None:
    """Of what has words of the question, or is text."""
    asked, topic, label, question = goal.asked, goal.context.topic, view.label, goal.question
    found[f"label covers question {kind}"] = coverage(goal.own, label, weight)
    found[f"bag covers question {kind}"] = bag = coverage(goal.own, view.bag, weight)
    beside = view.before if view.is_text else view.caption
    left = sum(each not in view.bag and each not in beside for each in goal.own)
    found[f"left {kind}"] = min(left, MOST_LEFT) / MOST_LEFT
    found[f"asking words {kind}"] = coverage(asked.manner, label | view.header, weight)
    if asked.pairs:
        both = view.pairs_in(asked.pairs)
        found[f"phrases {kind}"] = len(both) / len(asked.pairs)
        found[f"a phrase {kind}"] = float(bool(both))
    if view.is_text:
        found["near question"] = nearness(goal.own, view.near, weight)
        with_before = coverage(goal.own, view.bag | view.before, weight) if view.before else bag
        found["sentence before adds"] = with_before - bag
        found["sentence before completes"] = float(with_before > 0.99 > bag)
        found["near asking"] = nearness(asked.manner, view.near, weight)
        found.update(run(view.fact.context, goal.asked.lower))
    else:
        found["question covers label"] = coverage(label, question, weight)
        found["question covers header"] = coverage(view.header, question, weight)
        found["label is in question"] = float(bool(label) and label <= question)
        found["no label"] = float(not label)
        found["label spelled in question"] = spelled(view.fact.label, goal.asked.lower)
        found["caption covers question"] = coverage(goal.own, view.caption | view.bag, weight)
    if topic and goal.context.past:
        found[f"label covers topic {kind}"] = coverage(topic, label, weight)
        found[f"bag covers topic {kind}"] = coverage(topic, view.bag, weight)
        if view.is_text:
            found["near topic"] = nearness(topic, view.near, weight)
        else:
            found["everything covers label"] = coverage(label, goal.everything, weight)


def _period(found: dict[str, float], view: View, goal: Aim) -> None:
    year, years = view.year, goal.asked.years
    kind = "text" if view.is_text else "table"
    if years:
        if year is None:
            found[f"no year {kind}"] = 1.0
        elif year in goal.years:
            found[f"year {kind}"] = 1.0
            found["first year"] = float(year == years[0])
            found["last year"] = float(year == years[-1])
        else:
            found[f"other year {kind}"] = 1.0
            found["year before"] = float(year == years[0] - 1)
    else:
        found["latest"] = float(view.latest)
        if goal.context.years and year is not None:
            found["year of the conversation"] = float(year in goal.context.years)
            found["last year of the conversation"] = float(year == goal.context.years[-1])
            found["before the conversation"] = float(year == min(goal.context.years) - 1)
            found["after the conversation"] = float(year == max(goal.context.years) + 1)


def _best(found: dict[str, float], view: View, goal: Aim, page: Page) -> None:
    kind = "text" if view.is_text else "table"
    for name, value in (goal.matches.get(id(view)) or _matches(view, goal, page)).items():
        if best := goal.best.get(name):
            found[f"short of the best, {name} {kind}"] = best - value
            found[f"best, {name} {kind}"] = float(value == best)
    if goal.years and view.year in goal.years:
        label = coverage(goal.own, view.label | view.header, page.weight)
        found[f"year and label {kind}"] = label
        found[f"year and whole label {kind}"] = float(label > 0.99)


def _place(found: dict[str, float], view: View, goal: Aim, page: Page) -> None:
    """How much of the question it covers beside others, and where it stands in its table and the conversation."""
    found["a number of the label is asked"] = float(not view.digits.isdisjoint(goal.asked.digits))
    _best(found, view, goal, page)
    _row(found, view, goal, page)
    if goal.context.past:
        _conversation(found, view, goal, page.weight)


def _row(found: dict[str, float], view: View, goal: Aim, page: Page) -> None:
    """The row in its table, the introduction of the table, and the period against those the question names."""
    fact = view.fact
    if view.role:
        named = coverage(goal.own, view.label, page.weight)
        found[f"{view.role} row, {goal.asked.when.moment} asked"] = 1.0
        found[f"{view.role} row named, {goal.asked.when.moment} asked"] = named
    if view.header and not view.is_text and fact.period is None:
        found["an item heads the column"] = 1.0
        found["header covers question"] = coverage(goal.own, view.header, page.weight)
        found["label and header covered"] = min(
            coverage(view.header, goal.question, page.weight), coverage(view.label, goal.question, page.weight)
        )
    if fact.period is not None:
        if fact.period.key in [period.key for period in goal.asked.when.periods]:
            found["same period"] = 1.0
            found["same fine period"] = float(fact.period.kind in FINE)
        finer = [period for period in goal.asked.when.periods if period.kind in FINE]
        start, end = fact.period.start, fact.period.end
        is_short = start is not None and end is not None and (end - start).days < WEEKS
        if finer and (fact.period.kind in FINE or is_short):
            found["month agrees" if month_of(fact.period) in map(month_of, finer) else "month differs"] = 1.0
        if fact.period.kind is PeriodKind.RELATIVE:
            numbers = frozenset(re.findall(r"\d+", fact.period.label))
            found["relative period agrees"] = float(bool(numbers) and numbers <= goal.asked.digits)


WEEKS = 45  # days
FINE = (PeriodKind.QUARTER, PeriodKind.MONTH, PeriodKind.DATE)  # shorter than a year


def month_of(period: Period) -> int | None:
    """The month in which a period ends, where it says."""
    if period.end is not None:
        return period.end.month
    if period.kind is PeriodKind.QUARTER:
        return 3 * int(period.key[-1])
    return int(period.key[:2]) if period.kind is PeriodKind.DATE else None


def _form(found: dict[str, float], view: View, goal: Aim, page: Page) -> None:
    _period(found, view, goal)
    fact = view.fact
    found["text"] = float(view.is_text)
    if fact.unit == Unit.PERCENT:
        found["percent asked" if goal.asks_percent else "percent not asked"] = 1.0
    elif goal.asks_percent:
        found["not percent, asked"] = 1.0
    unit = "none" if fact.unit is None else fact.unit if isinstance(fact.unit, Unit) else "money"
    found[f"{goal.form} asked, unit {unit}"] = 1.0
    found["calendar year"] = float(fact.unit == Unit.CALENDAR_YEAR)
    if view.is_text and fact.unit is None and fact.scale == 1:
        found["bare small number" if abs(fact.value) <= 31 else "bare number"] = 1.0
    found["scaled"] = float(view.is_text and fact.scale > 1)
    if view.lead:
        found[f"after {view.lead}"] = 1.0
        found[f"after {view.lead}, {'a change' if goal.asked.asks_change else 'no change'} asked"] = 1.0
    if not view.is_text:
        found["first column"] = float(fact.column == 1)
        found["printed again"] = float(page.values[view.number] > 1)


def _conversation(found: dict[str, float], view: View, goal: Aim, weight: dict[str, float]) -> None:
    fact, last = view.fact, goal.context.last_facts
    found["used"] = float(fact.name in goal.context.used)
    if not last:
        return
    found["the last"] = float(fact.name == last[-1].name)
    if fact.kind is last[0].kind:
        found["same kind"] = 1.0
        found["same unit"] = float(fact.unit == last[0].unit)
    if view.is_text:
        found["same sentence"] = float(any(fact.sentence == each.sentence for each in last))
    else:
        beside = [each for each in last if each.table == fact.table]
        same_row = fact.row in [each.row for each in beside]
        same_column = fact.column in [each.column for each in beside]
        found["same row"] = float(same_row)
        found["same column"] = float(same_column)
        if goal.asked.years:
            found["same row, year asked"] = float(same_row and view.year in goal.years)
        elif goal.own:
            found["same column, named"] = float(same_column) * coverage(goal.own, view.label, weight)
        found["same column, year asked"] = float(same_column and not goal.asked.years)
