"""Which figures side by side in a table add up to an amount: the parts of a company of which a report prints sales.

A company has several levels of them: `Bulk 7,207 | Industrial 8,440 | Premium 7,164`, and under each what it carries.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from tieout.data.printed.pattern import later
from tieout.kg.drafts.parts.places import REST
from tieout.kg.fact import Fact
from tieout.kg.figure import Found, amount_of, row_of
from tieout.kg.sums import full
from tieout.ontology.metrics.line_item import find_line_item

MOST_PARTS = 40  # figures side by side
LARGE = 1000  # units of the last digit, from which two figures rarely add up by chance
_TOTAL = later(r"^total ", re.IGNORECASE)
_MEASURE = later(r"\b(?:sales|revenues?|income|profit|loss|earnings|ebitd?a|assets)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Addends:
    """Figures that add up to a whole, with what each is called. is_closed: they are all that stand there, or stand at
    their sum: no lines that add up by chance."""

    figures: Sequence[Fact]
    names: Sequence[str]
    is_closed: bool


def addends_beside(facts: Found, whole: Fact, fewest_first: bool) -> Iterator[Addends]:
    """The figures of the report and the time of a whole that add up to it, side by side in a column or in a row.

    fewest_first: of two levels that of the segments first, else that of the products. Parts of a
    company are no line items of their own."""
    beside: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in facts.of_same_time(whole):
        if fact.unit in (whole.unit, None):
            beside["column", fact.table, fact.column].append(fact)
            beside["row", fact.table, fact.row].append(fact)
    least = amount_of(whole) - max(whole.scale, 1)
    for (way, *_), each in beside.items():
        if len(each) < 2 or sum(map(amount_of, each)) < least:
            continue  # before anything is added up in order: few come near to it
        side_by_side = sorted(each, key=lambda fact: (row_of(fact), fact.column or 0))[:MOST_PARTS]
        levels = list(levels_of(side_by_side, whole))
        for level in levels if fewest_first else levels[::-1]:
            figures = run_of(level, whole)
            names = [_TOTAL.sub("", fact.label) if way == "column" else fact.header for fact in figures]
            names = names if way == "column" else without_shared(names)
            items = sum(find_line_item(name) is not None for name in names)  # `Premium` may be a part
            own = [name for name in names if not REST.fullmatch(name.lower())]  # each group may have its `Other`
            if own and len(set(own)) == len(own) and items < 2:
                yield Addends(figures, names, len(figures) == len(level) or _is_at(figures, side_by_side, whole))


def levels_of(facts: Sequence[Fact], whole: Fact) -> Iterator[list[Fact]]:
    """The figures of one column that are no sum of others, and before them those of the groups that they make: the
    segments of a company, and the divisions of each, or products above what they are made of. Neither has the whole."""
    outer, inner = _folded(facts, whole, 2)
    above, _ = _folded(facts[::-1], whole, 1)
    yield from (level for level in (outer, above[::-1]) if len(level) < len(inner))
    yield inner


def _folded(facts: Sequence[Fact], whole: Fact, least: int) -> tuple[list[Fact], list[Fact]]:
    """Figures with those that add up to one behind them left out, where there is that number of such groups; and
    figures without these sums."""
    outer: list[Fact] = []
    inner: list[Fact] = []
    amounts: list[Decimal] = []  # of the outer ones
    of_whole = amount_of(whole)
    for fact in facts:
        amount, unit = full(fact), max(fact.scale, 1)
        sums = list(accumulate(reversed(amounts))) if fact.value else []
        lengths = (length for length in range(len(sums), 1, -1) if abs(sums[length - 1] - amount) <= unit)
        length = next((each for each in lengths if _is_made(sums[each - 1], each, amount, unit)), 0)
        is_line = _MEASURE.search(fact.label) if length else fact.label.lower().startswith("total")
        if abs(amount) == of_whole or is_line:
            continue
        if length:
            del outer[-length:], amounts[-length:]
            least -= 1
        else:
            inner.append(fact)
        outer.append(fact)
        amounts.append(amount)
    return (inner if least > 0 else outer), inner


def _is_made(made: Decimal, many: int, amount: Decimal, unit: int) -> bool:
    """Whether so many figures make an amount, to a unit of the last digit where that is no matter of chance."""
    return abs(made - amount) <= (unit if many > 2 or abs(amount) >= LARGE * unit else 0)


def run_of(facts: Sequence[Fact], whole: Fact) -> Sequence[Fact]:
    """The longest run of at least two figures that adds up to a whole, to a unit of the last digit; () for none."""
    wanted, unit, of_whole = {full(whole), amount_of(whole)}, max(whole.scale, 1), amount_of(whole)
    sums = list(accumulate(map(full, facts), initial=Decimal(0)))  # of those before each
    for length in range(len(facts), 1, -1):
        for start, (before, made) in enumerate(zip(sums, sums[length:], strict=False)):
            run = made - before
            is_near = abs(abs(run) - of_whole) <= unit  # which few are
            if is_near and any(_is_made(run, length, amount, unit) for amount in wanted):
                return facts[start : start + length]
    return ()


def _is_at(figures: Sequence[Fact], beside: Sequence[Fact], whole: Fact) -> bool:
    """Whether the amount of a whole stands before or behind figures."""
    first, last = beside.index(figures[0]), beside.index(figures[-1])
    ends = [*beside[max(first - 1, 0) : first], *beside[last + 1 : last + 2]]
    return any(amount_of(fact) == amount_of(whole) for fact in ends)


def without_shared(names: Sequence[str]) -> list[str]:
    """Headers without the words that all have: the period over all columns."""
    shared = set.intersection(*(set(name.split()) for name in names)) if names else set()
    return [" ".join(word for word in name.split() if word not in shared) for name in names]
