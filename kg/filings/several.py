"""Whether a line is one of several that a balance is printed in: `Product` and `Materials and supplies` under
`Inventories`, `Cash` above `Cash equivalents`. One of them is not the whole."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items

_TOTAL, _LESS = later(r"total\b", re.IGNORECASE), later(r"less\b", re.IGNORECASE)
# What is no part of a balance: all of it, what of it is due when, or what it is at a day.
_WHOLE = later(r"total\b|(?:non-?)?current\b|(?:long|short)[- ]term\b|.*\bbalances? (?:at|as of)\b", re.IGNORECASE)
_EXPENSE = later(r"^(?!accrued|prepaid).*\bexpense$", re.IGNORECASE)
_NET = later(r"\bnet\b", re.IGNORECASE)
# A question, normalised, that holds one thing against another, and none of what is paid, sold or due to somebody.
_RATIO = later(
    r"^(?!.*\b(?:go|goes|gone|went|came|come|amounted|due|attributable|paid|sold|issued|allocated|related|distributed"
    r"|available|payable) to\b)"
)
_BRACKETS = later(r"\s*\(.*", re.DOTALL)  # of a heading, which may be cut off within them
_MORE = later(r" [–—-] |, ")  # behind the name of an item: of which part of it the line is
MOST_SAID = 80  # characters of a label that are told
NET_INCOME, OF_ALL = "net_income", "net_income_with_noncontrolling"
NEAR = 3  # lines between those that one balance is printed in


def beside(item: LineItem, fact: Fact, column: Sequence[Fact]) -> Sequence[Fact]:
    """The other lines that a balance is printed in beside that of a figure; none where the line is the whole of it.

    column: the figures of the same table and column."""
    if fact.row is None or not item.is_instant or _WHOLE.match(fact.label):
        return ()
    lines = sorted((each for each in column if each.row is not None and each.unit == fact.unit), key=_row)
    others = [each for each in _others(item, fact, lines) if each.row != fact.row and not _is_nothing(each)]
    known = {each.value for each in others}
    is_sum = fact.value == sum((each.value for each in others if _row(each) < fact.row), start=Decimal(0))
    is_left = any(one - other == fact.value for one in known for other in known)
    return () if is_sum or is_left else others


def in_part(names: Sequence[str], used: Sequence[Fact], facts: Iterable[Fact], said: str) -> Iterator[str]:
    """What is said of figures that are less, more or other than the line items that are asked for: one of several lines
    of a balance, net income with what others than the owners have of it, an amount before what is taken off it, a flow
    for a balance, one side of a ratio. said: the question, in which a part may be named."""
    items, taken = [line_items()[name] for name in names if name in line_items()], {fact.name for fact in used}
    at = defaultdict(list)
    for fact in facts:
        at[fact.table, fact.column].append(fact)
    asked = normalise(said)
    for fact in used:
        column = (
            [each for each in at[fact.table, fact.column] if each.name not in taken] if fact.row is not None else []
        )
        label = repr(fact.label[:MOST_SAID])
        found = find_line_item(fact.label)
        for item in items:
            yield from _parts_left(item, fact, column, asked)
            counted = [each for each in map(normalise, item.labels) if each.endswith(" share") and each in asked]
            if counted and is_currency(fact.unit) and counted[0] not in normalise(fact.label):
                yield f"{label} is an amount of money, and shares are asked for"
            is_whole = item.name == NET_INCOME and found == item and OF_ALL not in names
            below = [each for each in column if 0 < _row(each) - _row(fact) <= NEAR]
            if is_whole and "attributable" not in label.lower() and any(map(_is_of_others, below)):
                yield f"{label} takes in what noncontrolling interests have of it"
        less = next((each.label for each in column if _row(each) - _row(fact) == 1 and _LESS.match(each.label)), "")
        if less and "net of" in asked and not _NET.search(fact.label):
            yield f"{label} is before {less[:MOST_SAID]!r}, and what is net of that is asked for"
        own = normalise(fact.label).split()
        is_flow = len(used) == 1 and (not found.is_instant if found else _EXPENSE.search(fact.label) is not None)
        is_flow = is_flow and sum(word in asked.split() for word in own) * 2 <= len(own)  # and is no flow by its name
        if is_flow and items and all(item.is_instant and item.rank(fact.label) is None for item in items):
            yield f"{label} is of a span of time, and a balance is asked for"
    whole = next((item for item in items if _RATIO.search(asked) and _is_over(item, asked)), None)
    if whole is not None and len(used) == 1 and is_currency(used[0].unit):
        yield f"a ratio to {whole.labels[0]} is asked for, and the answer is one amount"


def _parts_left(item: LineItem, fact: Fact, column: Sequence[Fact], asked: str) -> Iterator[str]:
    """That a line stands beside others of a balance, unless a question names it and none of them."""
    others, words = beside(item, fact, column), set(asked.split())
    meant = [each for each in (fact, *others) if words.issuperset(normalise(each.label).split())]
    if others and meant != [fact]:
        yield f"{fact.label[:MOST_SAID]!r} stands beside {others[0].label[:MOST_SAID]!r}: it may be a part alone"


def _is_over(item: LineItem, asked: str) -> bool:
    """Whether a question, normalised, holds something against an item: `allowance to total loan`."""
    return any(
        re.search(rf"\w (?:to|over)(?: the)? {re.escape(label)}\b", asked) for label in map(normalise, item.labels)
    )


def _is_of_others(fact: Fact) -> bool:
    item = find_line_item(fact.label)
    return bool(fact.value) and item is not None and item.name == "net_income_noncontrolling"


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


def _is_nothing(fact: Fact) -> bool:
    return not fact.value


def _row(fact: Fact) -> int:
    return fact.row or 0
