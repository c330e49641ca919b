"""Which facts of a report are standard concepts: by the tag on them, else by label, statement and unit.

Decided once, when a filing is read. A standard concept is a line item of `tieout.ontology.metrics`; of the consolidated
company, so never a fact that is of a part of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact, FactKind
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, line_items
from tieout.ontology.metrics.qualifier import qualifiers_of

if TYPE_CHECKING:
    from tieout.kg.index.passage import TableEntry

TAG, LABEL = "tag", "label"
BY_TAG, BY_OTHER_TAG, BY_STATED = 0.99, 0.9, 0.97
IN_STATEMENT, ELSEWHERE, PER_RANK, SPLIT = 0.95, 0.55, 0.012, 0.25
SURE = 0.75  # of a table, that it is a primary statement
STANDARD = ("us-gaap:", "ifrs-full:", "dei:")
_LOSS = re.compile(r"\b(?:loss|losses|deficit)\b", re.IGNORECASE)
_INCOME = re.compile(r"\b(?:income|earnings|profit|gains?|benefit|provision|expense|tax)\b|\(", re.IGNORECASE)
_STRANGE = frozenset(("adjusted", "pro forma", "trailing"))  # qualifiers that no line of a statement has


@dataclass(frozen=True, slots=True)
class Observed:
    """A standard concept in one period, as one filing states it.

    item: name of the line item. start: None for a balance. amount: in full units, signed as it is meant: what is spent
    has none. value, scale: as printed. concept: of the tag, "" for none. found: `tag` or `label`. probability: that
    the fact is the concept, between 0 and 1.
    """

    item: str
    start: date | None
    end: date
    amount: Decimal
    unit: str
    value: Decimal
    scale: int
    fact: str
    label: str
    place: str
    concept: str
    found: str
    probability: float


def observe(facts: Sequence[Fact], tables: Sequence[TableEntry]) -> tuple[Observed, ...]:
    """The standard concepts of a report, one fact for each and each period. tables: as the index has them."""
    statements = {each.number: (each.statement, each.certainty) for each in tables if each.statement}
    by_concept: dict[str, list[Fact]] = defaultdict(list)
    by_label: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        if not _is_whole(fact):
            continue
        if fact.concept.startswith(STANDARD):
            by_concept[fact.concept].append(fact)
        elif fact.kind is FactKind.TABLE and fact.label:
            by_label[normalise(fact.label)].append(fact)
    found: list[Observed] = []
    for item in line_items().values():
        best = _by_tags(item, by_concept, statements) or _by_labels(item, by_label, statements)
        found += (best[key] for key in sorted(best, key=lambda key: (key[1], key[0] or date.min)))
    return tuple(_told_apart(found))


_Best = dict[tuple[date | None, date], Observed]


def _is_whole(fact: Fact) -> bool:
    """Whether a fact is of the whole company, of a known time."""
    return not fact.dimensions and not fact.parts and fact.period is not None and fact.period.end is not None


def _span(fact: Fact, item: LineItem) -> tuple[date | None, date] | None:
    """First and last day, the first None for a balance; None where the fact is of another kind than the item."""
    period = fact.period
    assert period and period.end
    is_day = period.start is None or period.start == period.end
    if item.is_instant:
        return (None, period.end) if is_day else None
    return None if is_day else (period.start, period.end)


def _by_tags(
    item: LineItem, by_concept: Mapping[str, list[Fact]], statements: Mapping[int, tuple[str, float]]
) -> _Best:
    """By the concepts that are preferred, those of its own statement first."""
    there = [
        (rank, concept, facts)
        for rank, concept in enumerate(item.concepts)
        if (facts := [fact for fact in by_concept.get(concept, ()) if fact.exact is not None])
    ]
    there.sort(key=lambda each: (not any(_is_own(fact, item, statements) for fact in each[2]), each[0]))
    best: _Best = {}
    for number, (_, concept, facts) in enumerate(there):
        for fact in sorted(facts, key=lambda fact: _order(fact, item, statements)):
            span = _span(fact, item)
            if span is None or span in best:
                continue
            assert fact.exact is not None
            probability = BY_TAG if number == 0 else BY_OTHER_TAG
            probability = min(probability, BY_STATED) if fact.kind is FactKind.STATED else probability
            best[span] = _observed(item, fact, span, fact.exact, concept, TAG, probability)
    return best


def _is_own(fact: Fact, item: LineItem, statements: Mapping[int, tuple[str, float]]) -> bool:
    return statements.get(fact.table or 0, ("", 0.0))[0] == item.statement


def _order(fact: Fact, item: LineItem, statements: Mapping[int, tuple[str, float]]) -> tuple[float, int, int, int, int]:
    """The statement of an item first, the surest before others; then tables, sentences, and what no page has."""
    statement, certainty = statements.get(fact.table or 0, ("", 0.0))
    kind = 0 if fact.kind is FactKind.TABLE else 1 if fact.kind is FactKind.TEXT else 2
    own = certainty if statement == item.statement else 0.0
    return (-own, kind, fact.table or fact.sentence or 0, fact.row or 0, fact.column or 0)


def _by_labels(
    item: LineItem, by_label: Mapping[str, list[Fact]], statements: Mapping[int, tuple[str, float]]
) -> _Best:
    """By the labels of lines, in the item's own statement before others, the most telling label first."""
    scored: dict[tuple[int, int], tuple[float, list[Fact]]] = {}
    for facts in by_label.values():
        rank = item.rank(facts[0].label)
        if rank is None:
            continue
        for fact in facts:
            if not may_be(fact, item):
                continue
            statement, certainty = statements.get(fact.table or 0, ("", 0.0))
            own = statement == item.statement and certainty >= SURE
            if not own and item.statement != "note":
                continue
            meant = not item.prefer or any(words in fact.label.lower() for words in item.prefer)
            score = (IN_STATEMENT if own else ELSEWHERE) - PER_RANK * (0 if item.prefer and meant else rank)
            key = fact.table or 0, fact.row or 0
            if key not in scored or scored[key][0] < score:
                scored[key] = score, scored.get(key, (0.0, []))[1]
            scored[key][1].append(fact)
    best: _Best = {}
    order = sorted(scored.items(), key=lambda each: (-each[1][0], each[0]))
    for number, (_, (score, facts)) in enumerate(order):
        for fact in facts:
            span = _span(fact, item)
            if span is None or span in best:
                continue
            doubt = SPLIT if number and best else 0.0
            best[span] = _observed(item, fact, span, _meant(fact, item), fact.concept, LABEL, max(score - doubt, 0.1))
    return best


def may_be(fact: Fact, item: LineItem) -> bool:
    """Whether unit, sub-heading and qualifiers of a line allow it to be the item."""
    unit = str(fact.unit or "")
    match item.unit:
        case "per share":
            fits = unit.endswith("/share") or unit == ""
        case "shares":
            fits = unit in (Unit.SHARES, "", Unit.COUNT)
        case "percent":
            fits = unit in (Unit.PERCENT, "")
        case "count":
            fits = not unit.endswith("/share") and unit != Unit.PERCENT
        case _:
            fits = unit not in (Unit.SHARES, Unit.PERCENT) and not unit.endswith("/share")
    under = fact.section.lower().rstrip(": ")
    if item.under and not under.startswith(item.under):
        fits = False
    if item.not_under and under.startswith(item.not_under):
        fits = False
    return fits and not (qualifiers_of(fact.label) & _STRANGE)


def _meant(fact: Fact, item: LineItem) -> Decimal:
    """The amount of a fact without a tag, in full units, signed as the item is meant."""
    amount = fact.value * fact.scale
    if fact.unit == Unit.PERCENT:
        amount /= 100
    if item.spent or item.sign == "positive":
        return abs(amount)
    if _LOSS.search(fact.label) and not _INCOME.search(fact.label):
        return -abs(amount)
    return amount


def _observed(
    item: LineItem,
    fact: Fact,
    span: tuple[date | None, date],
    amount: Decimal,
    concept: str,
    found: str,
    probability: float,
) -> Observed:
    return Observed(
        item.name,
        span[0],
        span[1],
        amount,
        str(fact.unit or ""),
        fact.value,
        fact.scale,
        fact.name,
        fact.label,
        fact.place or fact.heading,
        concept,
        found,
        round(probability, 3),
    )


def _told_apart(found: Iterable[Observed]) -> Iterator[Observed]:
    """Of a fact that was read as two concepts by its label, the surer one is kept as it is, the other is doubted."""
    listed = list(found)
    surest: dict[str, float] = {}
    for each in listed:
        surest[each.fact] = max(surest.get(each.fact, 0.0), each.probability)
    for each in listed:
        if each.found == LABEL and each.probability < surest[each.fact]:
            yield replace(each, probability=round(each.probability * 0.6, 3))
        else:
            yield each
