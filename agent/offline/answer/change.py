"""How much something rose or fell, and its average over all years: a cost rises where more is spent."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tieout.agent.offline.answer.reply import Call, worked_out
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.kg.figure import year_of
from tieout.kg.moves import is_taken_off, year_before
from tieout.ontology.asked.language import language

MOST_YEARS = 20
UNCERTAIN = 0.6  # of the line that a reading found, whatever it does with it
LEAST_SURE = 0.8  # of the year before, which the question does not name


@dataclass(frozen=True, slots=True)
class Move:
    """The calls that say by how much something rose or fell. told: what the question does not say of it."""

    calls: tuple[Call, ...]
    chance: float
    told: tuple[str, ...]


def move(
    question: Question, operation: str, used: Sequence[Fact], facts: Sequence[Fact], chance: float, turn: int
) -> Move | None:
    """By how much something rose or fell, where a reading has only its level, or takes a cost for an income; None where
    a question asks for something else, or the reading says it. operation, used: of the reading, with its chance."""
    forms = language().forms
    asked, than = forms["how much it moved"].search(question.lower), forms["how much more than"].search(question.lower)
    is_compared = asked is None and than is not None and (than["last"] is None or than["last"] > than["first"])
    asked = than if is_compared else asked
    if asked is None or "percent" in question.cues or not used:  # earlier answers alone: they are calculated with
        return _fall(question, operation, used, chance, turn)
    *_, last = ordered = sorted(used, key=lambda fact: year_of(fact) or 0)
    first: Fact | None = ordered[0]
    if operation == "lookup":
        first, chance = next(iter(year_before(last, facts)), None), min(chance, LEAST_SURE)
    elif operation != "subtract" or not _is_one_line(used):
        return None
    elif (year_of(ordered[0]),) == question.years:  # what something fell by in a year is counted from the year before
        last, first = ordered[0], next(iter(year_before(ordered[0], facts)), None)
    elif not (is_taken_off(used) or is_compared or question.calculation == "growth"):
        return None
    if first is None or year_of(last) == year_of(first):
        return None
    rises, spent = asked["rose"] is not None, is_taken_off((last, first))
    grows = (last.value * last.scale > first.value * first.scale) != spent
    told = () if grows == rises else (_told(last, grows),)
    steps = _steps(last, first, rises, spent, grows)
    if question.calculation == "growth":  # what grows does so by a rate, what increases by an amount
        steps = [("percentage_change", [last.name, first.name])]
    return Move(tuple(_calls([last, first], steps, turn)), chance, told)


def _fall(question: Question, operation: str, used: Sequence[Fact], chance: float, turn: int) -> Move | None:
    """By how many percent something fell, where a reading has the change, which is below zero; and how much more is
    spent of a line that is printed as what is taken off."""
    if operation not in ("percentage_change", "subtract") or not _is_one_line(used):
        return None
    first, last = sorted(used, key=lambda fact: year_of(fact) or 0)
    if year_of(first) == year_of(last):
        return None
    if operation == "subtract":
        steps = _steps(last, first, rises=True, spent=True, grows=True)
        is_more = "up" in question.cues and is_taken_off(used)
        return Move(tuple(_calls([last, first], steps, turn)), chance, ()) if is_more else None
    if question.moved != "fell" or last.value * last.scale >= first.value * first.scale or first.value < 0:
        return None
    steps = [("subtract", [first.name, last.name]), ("percentage", ["#1", first.name])]
    return Move(tuple(_calls([last, first], steps, turn)), chance, ())


def went_otherwise(question: Question, facts: Sequence[Fact]) -> Iterator[str]:
    """What is told where a question asks how far something rose, or fell, and it did the other."""
    line = {(fact.label, fact.unit) for fact in facts}
    if not question.moved or len(facts) != 2 or len(line) != 1 or year_of(facts[0]) == year_of(facts[1]):
        return
    first, last = sorted(facts, key=lambda fact: year_of(fact) or 0)
    before, after = first.value * first.scale, last.value * last.scale
    if before != after and ((after > before) != is_taken_off(facts)) != (question.moved == "rose"):
        yield _told(last, question.moved == "fell")


def _told(fact: Fact, grows: bool) -> str:
    return f"{fact.label!r} {'rose' if grows else 'fell'}, and is asked to have done the other"


def _is_one_line(used: Sequence[Fact]) -> bool:
    """Whether two figures are of one line."""
    return len(used) == 2 and used[0].label == used[1].label


def mean_of_range(
    question: Question, used: Sequence[Fact], facts: Sequence[Fact], chance: float, turn: int
) -> Move | None:
    """The average of a line over all years of a range that a question names, where a reading has its ends alone.

    used: the figures of the reading. None where another thing is asked, or where a year between has no figure.
    """
    if (
        "average" not in question.cues
        or question.cues & {"change", "percent", "ratio"}
        or len({(fact.table, fact.row, fact.unit) for fact in used}) != 1
        or used[0].table is None
    ):
        return None
    years = question.when.expanded if len(question.years) == 2 else ()
    line = {
        year_of(fact): fact
        for fact in reversed(facts)
        if (fact.table, fact.row, fact.unit) == (used[0].table, used[0].row, used[0].unit)
    }
    if not 2 < len(years) <= MOST_YEARS or not all(year in line for year in years):
        return None
    values = [line[year] for year in years]
    if {fact.name for fact in used} == {fact.name for fact in values}:
        return None
    return Move(tuple(_calls(values, [("average", [fact.name for fact in values])], turn)), max(chance, UNCERTAIN), ())


def _steps(last: Fact, first: Fact, rises: bool, spent: bool, grows: bool) -> list[tuple[str, list[str]]]:
    """The calculations. What is printed negative is less where more is spent: its fall is the later figure less the
    earlier."""
    if rises and spent:
        return [("magnitude", [last.name]), ("magnitude", [first.name]), ("subtract", ["#1", "#2"])]
    if rises or spent:
        return [("subtract", [last.name, first.name])]
    if grows:
        return [("subtract", [first.name, last.name])]
    return [("subtract", [last.name, first.name]), ("magnitude", ["#1"])]


def _calls(values: Sequence[Fact], steps: Sequence[tuple[str, list[str]]], turn: int) -> Iterator[Call]:
    names = [fact.name for fact in values]
    operation = "average" if steps[0][0] == "average" else "subtract"
    how = "the average of {}" if operation == "average" else "by how much {} rose or fell"
    described = {
        "description": how.format(values[0].label[:200]),
        "requires_calculation": True,
        "operation": operation,
        "operands": names,
    }
    yield "understand", described | {"entity_type": values[0].entity_type, "property": values[0].property}
    yield from worked_out(names, steps, f"turn{turn}step")
