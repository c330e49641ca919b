"""What the conversation so far has to offer: figures, results, and the measure that a short question inherits."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from tieout.agent.offline.candidates.figure import sort_of, year_of
from tieout.agent.protocol.message import PriorTurn
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.fact import Fact

LAST_STEP = {"percentage_change": "divide", "percentage": "divide", "average": "divide", "sum": "add"}
MAGNITUDE = "magnitude"
SURE = 0.97  # that the line is the same, where nothing else is named: it is the right one if the one before was
# Cues of a question for something else than the line before.
_OTHERS = frozenset(("change", "total", "sum", "average", "ratio", "percent", "share", "how many", "growth", "price"))
_OTHERS |= {"points back", "less", "closing", "more", "fewer", "a figure"}
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Past:
    """An earlier turn.

    facts: the printed figures under its answer, in the order of the operands. age: 1 for the turn just before.
    """

    asked: Question
    age: int
    operation: str
    facts: tuple[Fact, ...]
    value: Decimal | bool | None
    entry: str | None

    @property
    def scale(self) -> int | None:
        """The scale of the figures under it, where one is stated; a quotient has none."""
        if not self.facts or self.operation not in ("lookup", "add", "subtract", "sum", "average"):
            return None
        fact = self.facts[-1]
        return fact.scale if fact.unit is not None or fact.scale != 1 else None

    @property
    def calculated(self) -> bool:
        """Whether its answer was calculated, not looked up."""
        return self.operation not in ("lookup", "")


@dataclass(frozen=True, slots=True)
class Context:
    """The conversation before a question.

    past: latest first. topic, asking: stems of the measure last named. years: those last named. used: names of facts.
    """

    past: tuple[Past, ...]
    topic: tuple[str, ...]
    asking: tuple[str, ...]
    years: tuple[int, ...]
    last_facts: tuple[Fact, ...]
    used: frozenset[str]


def recall(history: Sequence[PriorTurn], facts: Mapping[str, Fact], known: frozenset[str]) -> Context:
    """The context from the history of a request.

    facts: those of the document by name. known: the stems in the document, so that a topic is one it can hold.
    """
    past: list[Past] = []
    topic: tuple[str, ...] = ()
    asking: tuple[str, ...] = ()
    years: tuple[int, ...] = ()
    for index, turn in enumerate(history):
        asked = placed(read_question(turn.question), years)
        under = tuple(dict.fromkeys(facts[name] for name in turn.facts if name in facts))
        past.insert(0, Past(asked, len(history) - index, _opcode(turn.operation or ""), under, turn.value, turn.entry))
        named = tuple(stem for stem in asked.topic if stem in known)
        if named:
            topic, asking = named, asked.manner
        if asked.years:
            years = asked.years
    last_facts = next((turn.facts for turn in past if turn.facts), ())
    used = frozenset(fact.name for turn in past for fact in turn.facts)
    return Context(tuple(past), topic, asking, years, last_facts, used)


def placed(asked: Question, years: tuple[int, ...]) -> Question:
    """The question with the year that `the year before` or `the next year` means, where it names none.

    years: those that the conversation named last.
    """
    if asked.years or not years:
        return asked
    if "year before" in asked.cues:
        meant = min(years) if len(years) > 1 else years[0] - 1
    elif "year after" in asked.cues:
        meant = max(years) if len(years) > 1 else years[0] + 1
    else:
        return asked
    return replace(asked, when=replace(asked.when, years=(meant,), expanded=(meant,), back=0))


def _opcode(operation: str) -> str:
    """The last step of an operation in the language of FinQA, in which the weights know them."""
    return "multiply" if operation.startswith("in_") else LAST_STEP.get(operation, operation)


def same_line(
    question: Question, history: Sequence[PriorTurn], facts: Sequence[Fact]
) -> tuple[list[Call], Fact] | None:
    """The calls that look up the line of the last figure in the year that is named, and its figure; None where the
    question names something else, where the turn before is no figure of a row, or where the row has none or several.
    """
    last = history[-1] if history else None
    if last is None or last.operation not in ("lookup", MAGNITUDE, None, "") or len(last.facts) != 1:
        return None
    if "asks on" not in question.cues or question.core or question.cues & _OTHERS:
        return None
    before = next((fact for fact in facts if fact.name == last.facts[0]), None)
    year = None if before is None else _year(question, before)
    if before is None or before.table is None or year is None:
        return None
    row = [fact for fact in facts if (fact.table, fact.row, fact.section) == (before.table, before.row, before.section)]
    found = [fact for fact in row if year_of(fact) == year and _is_alike(fact, before)]
    if len({fact.value for fact in found}) != 1:
        return None
    fact = found[0]
    said = {"description": f"{fact.label[:200]} ({fact.period.label if fact.period else year})"}
    understood = {**said, "requires_calculation": False, "reasoning": "The same line as before, in another year."}
    understood |= {"entity_type": fact.entity_type, "property": fact.property}
    calls: list[Call] = [("understand", understood), ("query_kg", {"fact": fact.name})]
    if last.operation != MAGNITUDE:
        return [*calls, ("answer", {"value": fact.name})], fact
    made = f"turn{len(history) + 1}"  # what is printed as taken off is said without its sign, as before
    calls.append(("calculate", {"operation": MAGNITUDE, "values": [fact.name], "name": made}))
    return [*calls, ("answer", {"value": made})], fact


def _year(question: Question, before: Fact) -> int | None:
    """The year that is asked for, seen from the figure before."""
    known = year_of(before)
    if question.years or known is None:
        return question.years[0] if len(question.years) == 1 else None
    return known - 1 if "year before" in question.cues else known + 1 if "year after" in question.cues else None


def _is_alike(one: Fact, other: Fact) -> bool:
    """Whether two figures of a row are of one sort and of periods of one kind, in columns of one name."""
    return sort_of(one) == sort_of(other) and _without_digits(one.header) == _without_digits(other.header)


def _without_digits(text: str) -> str:
    return re.sub(r"\W*\d+\W*", " ", text.lower()).strip()
