"""The reader of whole questions on one page: the best reading, what it leaves open, and the calls that say it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.calculation.spans import make_prose
from tieout.agent.offline.operands.fitting import Place
from tieout.agent.offline.ranking.account import Open, left_open
from tieout.agent.offline.ranking.weigh import Weighed, Weigher, load_weigher
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.kg.figure import figure
from tieout.kg.page import Page
from tieout.kg.sense import is_change_of_rate

Call = tuple[str, dict[str, Any]]
MOST_SHOWN = 4  # figures of a list in a description
MOST_LEFT = 6  # readings of which it is told what they leave open
MANY = 60  # operands that one call takes
NAMES = {"period": "period", "name": "name", "names": "list", "words": "prose"}
DONE = {
    "subtract": "the difference of",
    "percentage_change": "the change in percent from the second to the first of",
    "divide": "the first divided by the second of",
    "sum": "the sum of",
    "average": "the average of",
    "median": "the median of",
    "multiply": "the product of",
    "greater": "whether the first is greater than the second of",
}


@dataclass(frozen=True, slots=True)
class Found:
    """The readings of a question, the best one first, and what each of the first ones leaves open."""

    ask: Question
    ranked: list[Weighed]
    lefts: tuple[Open, ...]

    @property
    def best(self) -> Reading:
        return self.ranked[0].reading

    @property
    def left(self) -> Open:
        """What the best reading leaves open."""
        return self.lefts[0]


class WholeReader:
    """Reads whole questions on one page, prepared once."""

    def __init__(self, page: Page, sentences: Sequence[str], weigher: Weigher | None = None) -> None:
        self.prose = make_prose(sentences)
        self.place = Place(page, self.prose.weight)
        self.weigher = weigher or load_weigher()

    def read(self, question: Question, is_meant: Callable[[Sequence[Fact]], bool] = lambda _: True) -> Found | None:
        """The readings of a question, of figures that may be meant if one of these is of the line of the likeliest:
        what it lacks may follow. None where the page has nothing to answer from."""
        ranked = self.weigher.weighed(question, self.place, self.prose)
        meant = [each for each in ranked if is_meant(each.reading.facts)]
        if meant and len(meant) < len(ranked):
            dated = {fact.label for each in meant for fact in each.reading.facts if fact.period and fact.period.start}
            ranked = meant if dated.issuperset(fact.label for fact in ranked[0].reading.facts) else ranked
        lefts = tuple(left_open(question, each.reading, self.place) for each in ranked[:MOST_LEFT])
        return Found(question, ranked, lefts) if ranked else None


def calls_of(reading: Reading, turn: int) -> list[Call]:
    """The calls that look the figures up, calculate, and answer."""
    facts = list(dict.fromkeys(point.fact.name for point in reading.points))
    calls: list[Call] = [("query_kg", {"fact": name}) for name in facts]
    name = f"turn{turn}"
    if reading.kind == "number" and reading.operation == "lookup":
        return [*calls, ("answer", {"value": facts[0]})]
    if reading.kind in ("number", "boolean"):
        operands = [point.fact.name for point in reading.points][:MANY]
        operation = "percentage" if _is_share(reading) else reading.operation
        if turn == 1 and is_change_of_rate(operation, reading.facts):
            operation = "percentage_points"
        calls.append(("calculate", {"operation": operation, "values": operands, "name": name}))
        return [*calls, ("answer", {"value": name})]
    if reading.kind == "list":
        return [*calls, ("answer", {"values": facts, "kind": "list"})]
    if reading.kind == "count" and facts:
        calls.append(("calculate", {"operation": "count", "values": facts[:MANY], "name": name}))
        return [*calls, ("answer", {"value": name, "kind": "count"})]
    if reading.kind == "count":
        return [("answer", {"value": f"{len(reading.texts)}", "kind": "count"})]
    kind = NAMES[reading.kind]
    return [*calls, ("answer", {"words": list(reading.texts), "values": facts[: len(reading.texts)], "kind": kind})]


def _is_share(reading: Reading) -> bool:
    """Whether a quotient is of two amounts of one unit, which reads as a percentage."""
    if reading.operation != "divide":
        return False
    return bool({"is number divide, share", "is number divide, percent"} & reading.own.keys())


def in_words(reading: Reading) -> str:
    """A reading for people: what is looked up, or done with which figures."""
    said = [figure(point.fact) for point in reading.points[:MOST_SHOWN]]
    figures = " and ".join(said) + (" and more" if len(reading.points) > MOST_SHOWN else "")
    if reading.kind == "words":
        return f"the words {reading.texts[0][:120]!r}"
    if reading.texts and reading.kind != "count":
        return (
            f"{', '.join(reading.texts[:MOST_SHOWN])[:120]}, by {figures}"
            if figures
            else ", ".join(reading.texts)[:120]
        )
    if reading.operation == "lookup":
        return f"look up {figures}"
    if reading.kind == "list":
        return f"list {figures}"
    if reading.kind == "count":
        return f"count {figures}" if figures else "count none"
    return f"{DONE.get(reading.operation, reading.operation)} {figures}"
