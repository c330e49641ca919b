"""How well a figure fits what is asked: features of a figure of a line against the words and periods of a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

from tieout.agent.offline.operands.grounding import FINE, MOST_LEFT, month_of
from tieout.agent.question.question import Question
from tieout.data.arithmetic.chance import weights_of
from tieout.data.printed.amount import Unit
from tieout.kg.lines import Line, Point, make_lines
from tieout.kg.page import Page
from tieout.ontology.asked.similarity import coverage, nearness, run
from tieout.ontology.labels.alike import spelled

Features = dict[str, float]


class Place:
    """A page prepared for whole questions: its lines, and the words of its labels and sentences.

    said: by name of a fact what stands around it, as far as a question has needed it: stems and years.
    """

    def __init__(self, page: Page, stems: Iterable[str] = ()) -> None:
        """stems: those of the text of the page, of sentences without a figure too."""
        self.page = page
        self.lines = make_lines(page)
        self.weight = _weights(self.lines, page)
        self.known = frozenset(self.weight) | frozenset(stems)
        self.said: dict[str, tuple[frozenset[str], frozenset[int]]] = {}


def _weights(lines: Iterable[Line], page: Page) -> dict[str, float]:
    """How telling each stem of a page is, by how few of its lines have it."""
    places: dict[tuple[object, ...], frozenset[str]] = {}
    for line in lines:
        places[line.name] = line.labels
        places["section", line.section] = line.sections
        places["title", line.name[1]] = line.captions
        if line.is_text:
            places["text", line.name[1]] = line.views[0].bag
    counts = Counter(chain.from_iterable(places.values()))
    return {**page.weight, **weights_of(counts, len(places))}


@dataclass(frozen=True, eq=False)
class Wanted:
    """One thing asked for: the stems that may name it, and all stems of its phrase. It equals itself alone: what fits
    it is looked up by it for every figure."""

    core: tuple[str, ...]
    stems: frozenset[str]
    text: str

    @cached_property
    def words(self) -> frozenset[str]:
        return self.stems.union(self.core)


def whole(ask: Question) -> Wanted:
    """The whole question as one thing."""
    return Wanted(ask.core or ask.stems, frozenset(ask.stems), ask.lower)


def side(stems: Iterable[str], ask: Question) -> Wanted:
    """One side of a comparison."""
    kept = tuple(stems)
    return Wanted(tuple(each for each in kept if each in ask.core) or kept, frozenset(kept), " ".join(kept))


def line_features(line: Line, heads: frozenset[str], wanted: Wanted, place: Place) -> Features:
    """What the words of a line say for its figures, and those that they stand under: alike for all that stand under the
    same. heads: their stems, none in text."""
    weight = place.weight
    if line.is_text:
        return {"text": 1.0}
    label, words = line.labels, line.labels | heads
    every = words | line.sections | line.captions
    found = {
        "no head": float(not heads),
        "left table": _left(wanted, every, weight),
        "no label": float(not label),
        "spelled": spelled(line.label, wanted.text),
    }
    if not every.isdisjoint(wanted.words):
        cover = coverage(wanted.core, words, weight)
        found |= {
            "covers table": cover,
            "covers all table": float(cover > 0.99),
            "covers with section": coverage(wanted.core, words | line.sections, weight),
            "covers with title": coverage(wanted.core, every, weight),
            "head asked": coverage(heads, wanted.stems, weight),
            "whole head": float(bool(heads) and heads <= wanted.stems),
            "label asked": coverage(label, wanted.stems, weight),
            "whole label": float(bool(label) and label <= wanted.stems),
            "section asked": coverage(line.sections, wanted.stems, weight),
        }
    if line.is_total:
        found["total, asked" if "total" in wanted.stems else "total, not asked"] = 1.0
    elif "total" in wanted.stems:
        found["not total, asked"] = 1.0
    return found


def _left(wanted: Wanted, there: frozenset[str], weight: Mapping[str, float]) -> float:
    """How many words of what is wanted, of those that the page knows, are not there; from 0 to 1."""
    left = sum([each not in there and each in weight for each in wanted.core])
    return min(left, MOST_LEFT) / MOST_LEFT


def point_features(point: Point, line: Line, wanted: Wanted, ask: Question, place: Place) -> Features:
    """What the figure adds: its sentence, its period, its unit."""
    weight = place.weight
    found: Features = {}
    kind = "text" if line.is_text else "table"
    view = point.view
    if line.is_text:
        words = view.bag
        cover = coverage(wanted.core, words, weight)
        found["covers text"] = cover
        found["covers all text"] = float(cover > 0.99)
        found["left text"] = _left(wanted, words | view.before, weight)
        found["near"] = nearness(wanted.core, view.near, weight)
        found["with sentence before"] = coverage(wanted.core, words | view.before, weight) - cover
        found["phrase"] = coverage(wanted.core, line.labels, weight)
        if view.lead:
            found[f"after {view.lead}"] = 1.0
            found[f"after {view.lead}, {'a change' if ask.asks_change else 'no change'} asked"] = 1.0
        if point.is_change:
            found["said of a change, asked" if ask.asks_change else "said of a change, not asked"] = 1.0
        found.update(run(view.fact.context, ask.lower))
        found["scaled"] = float(view.fact.scale > 1)
        if view.fact.unit is None and view.fact.scale == 1:
            found["bare small" if abs(view.fact.value) <= 31 else "bare"] = 1.0
    else:
        if view.role:
            found[f"{view.role} row, {ask.when.moment} asked"] = 1.0
        if point.is_change:
            found["calculated head"] = 1.0
            found["calculated head, change asked" if ask.asks_change else "calculated head, no change asked"] = 1.0
    _period(found, point, kind, ask)
    _unit(found, point, kind, ask)
    return found


def _period(found: Features, point: Point, kind: str, ask: Question) -> None:
    if ask.years:
        if point.year is None:
            found[f"no year {kind}"] = 1.0
        elif point.year in ask.when.expanded:
            found[f"year {kind}"] = 1.0
        else:
            found[f"other year {kind}"] = 1.0
    elif point.view.latest:
        found["latest"] = 1.0
    if ask.when.quarters:
        if point.quarter is None:
            found["no quarter"] = 1.0
        else:
            found["quarter" if point.quarter in ask.when.quarters else "other quarter"] = 1.0
    elif point.quarter is not None:
        found["quarter, not asked"] = 1.0
    period = point.fact.period
    if period is not None and ask.when.months and (month := month_of(period)) is not None and period.kind in FINE:
        found[f"month {kind}" if month in ask.when.months else f"other month {kind}"] = 1.0
    if period is not None and period.start and period.end and period.start != period.end:
        found["dated span"] = 1.0
    if ask.says(point.head):
        found["head printed"] = 1.0


def _unit(found: Features, point: Point, kind: str, ask: Question) -> None:
    unit = point.fact.unit
    is_rate = unit == Unit.PERCENT
    name = "percent" if is_rate else "none" if unit is None else unit if isinstance(unit, Unit) else "money"
    found[f"{ask.sort} asked, {name}"] = 1.0
    if is_rate and "percent" not in ask.cues and ask.sort != "rate":
        found[f"percent, not asked {kind}"] = 1.0
