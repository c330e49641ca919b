"""Whether a line is one of several that a balance is printed in: `Product` and `Materials and supplies` under
`Inventories`, `Cash` above `Cash equivalents`. One of them is not the whole."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item

_TOTAL, _LESS = later(r"total\b", re.IGNORECASE), later(r"less\b", re.IGNORECASE)
# What is no part of a balance: all of it, what of it is due when, or what it is at a day.
_WHOLE = later(r"total\b|(?:non-?)?current\b|(?:long|short)[- ]term\b|.*\bbalances? (?:at|as of)\b", re.IGNORECASE)
_BRACKETS = later(r"\s*\(.*", re.DOTALL)  # of a heading, which may be cut off within them
_MORE = later(r" [–—-] |, ")  # behind the name of an item: of which part of it the line is
NEAR = 3  # lines between those that one balance is printed in


def beside(item: LineItem, fact: Fact, column: Sequence[Fact]) -> Sequence[Fact]:
    """The other lines that a balance is printed in beside that of a figure; none where the line is the whole of it.

    column: the figures of the same table and column."""
    if fact.row is None or not item.is_instant or _WHOLE.match(fact.label):
        return ()
    lines = sorted((each for each in column if each.row is not None and each.unit == fact.unit), key=_row)
    others = [each for each in _others(item, fact, lines) if each.row != fact.row and each.value]
    known = {each.value for each in others}
    is_sum = fact.value == sum((each.value for each in others if _row(each) < fact.row), start=Decimal(0))
    is_left = any(one - other == fact.value for one in known for other in known)
    return () if is_sum or is_left else others


def _others(item: LineItem, fact: Fact, lines: Sequence[Fact]) -> Iterator[Fact]:
    near = [each for each in lines if abs(_row(each) - _row(fact)) <= NEAR]
    head, is_part = _MORE.split(fact.label)[0], _is_part(item, fact)
    if (over := _named_over(item, fact)) and (is_part or find_line_item(fact.label) != item):
        yield from _under(item, over, [each for each in lines if each.section == fact.section])
    elif is_part:
        yield from (each for each in near if _is_part(item, each) and each.section == fact.section)
    elif head != fact.label and find_line_item(head) == item and find_line_item(fact.label) != item:
        yield from (each for each in near if _MORE.split(each.label)[0] == head and each.label != fact.label)


def _under(item: LineItem, heading: str, lines: Sequence[Fact]) -> Iterator[Fact]:
    """The lines of a heading, up to its total or to a line that is another item: it is not said where it ends."""
    for at, each in enumerate(lines):
        other = find_line_item(each.label)
        if _TOTAL.match(each.label) or (at and other is not None and other.statement == "balance" and other != item):
            return
        if normalise(each.label) != heading and not _LESS.match(each.label):
            yield each


def _is_part(item: LineItem, fact: Fact) -> bool:
    is_called = item.beside and re.search(item.beside, normalise(fact.label)) is not None
    return bool(is_called) and not _TOTAL.match(fact.label)


def _named_over(item: LineItem, fact: Fact) -> str:
    """The heading over a line where it names an item, normalised; else ""."""
    heading = _BRACKETS.sub("", fact.section).strip(" :–—-")
    return normalise(heading) if heading and find_line_item(heading) == item else ""


def _row(fact: Fact) -> int:
    return fact.row or 0
