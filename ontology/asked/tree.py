"""What is calculated of what a question names, as a tree: `net debt / EBITDA`, `capex over revenue`, and over time.

The tree of one period is a formula as metrics are written; over time it is a formula of the same parts in earlier
periods: an average of three, a change against the year before, the yearly growth between two.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from decimal import Decimal

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.metrics.formula import Apply, Formula, Operand, before
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

WORDS = Operand("")  # what the words of a question say that name no line item and no metric
PER_SHARE = Operand("shares_diluted")
STRONG = frozenset(("multiply", "divide"))
_ARTICLE = later(r"\b(?:the|its|their|our|of)\b")
_RATE_OF = later(r"(?P<rate>\d+(?:\.\d+)?) ?(?:%|percent) of (?:(?:the|its|their|our) )?$")
_WITH_WORDS = later(r" (?P<join>[a-z]+|[-+–−]) (?!than\b)(?P<rest>.+)")


def join(lower: str, named: Sequence[Named]) -> tuple[Formula | None, tuple[tuple[int, int], ...]]:
    """The tree of what a question names, and where the words stand that join it; None where it names several things
    that nothing joins. lower: the question."""
    if not named:
        return None, ()
    is_sum = language().forms["added up"].search(lower) is not None
    tree: Formula = Operand(named[0].name)
    joined: list[tuple[int, int]] = []
    for left, right in itertools.pairwise(named):
        operation = joined_by(between := lower[left.end : right.start])
        if is_sum and operation is None and language().forms["one and another"].fullmatch(between):
            operation = "add"
        if between.strip() == "/" and left.name == right.name:
            continue  # `net profit / net income`: the same under two names
        if between.strip() == "+" and not is_sum and {left.name, right.name} <= language().words["running totals"]:
            operation = None  # `revenue + net income`: both
        if operation is None:
            return (tree if len({each.name for each in named}) == 1 else None), ()
        joined.append((left.end, right.start))
        tree = _put(tree, operation, Operand(right.name))
    if (per := language().joined["per share"].match(lower, named[-1].end)) is not None:
        tree = _put(tree, "divide", PER_SHARE)
        joined.append(per.span())
    elif (more := _WITH_WORDS.match(lower, named[-1].end)) is not None and names_something(more["rest"]):
        operation = joined_by(more["join"])
        if operation in ("add", "subtract"):
            tree = _put(tree, operation, WORDS)
            joined.append(more.span("join"))
    if (rate := _RATE_OF.search(lower[: named[0].start])) is not None:
        tree = Apply("multiply", (Decimal(rate["rate"]) / 100, tree))
        joined.append(rate.span())
    return tree, tuple(joined)


def names_something(text: str) -> bool:
    """Whether a text has a word that is neither of grammar, nor a way of asking, nor a number."""
    known = language().words
    return any(word.isalpha() and word not in known["function"] | known["asking"] for word in text.split())


def joined_by(text: str) -> str | None:
    """The operation that words between two measures ask for; None for none."""
    said = " ".join(_ARTICLE.sub(" ", text).split())
    known = language().joined
    return next((each for each, ways in known.items() if each != "per share" and ways.fullmatch(said)), None)


def _put(tree: Formula, operation: str, right: Formula) -> Formula:
    """A tree with one more operation behind it: what is multiplied goes before what is added."""
    if isinstance(tree, Apply) and operation in STRONG and tree.operation not in STRONG:
        return Apply(tree.operation, (*tree.operands[:-1], _put(tree.operands[-1], operation, right)))
    return Apply(operation, (tree, right))


def over_time(tree: Formula, calculation: str, years: int, *, falls: bool = False) -> Formula:
    """The tree of a calculation over so many years back from the period that is asked for. falls: the amount is asked
    for by which it fell. Rates change by percentage points."""
    first = before(tree, years)
    match calculation:
        case "change" | "growth" if is_percent(tree):
            return Apply("percentage_points", (first, tree) if falls else (tree, first))
        case "change":
            return Apply("subtract", (first, tree) if falls else (tree, first))
        case "growth" if falls:
            return Apply("percentage", (Apply("subtract", (first, tree)), first))
        case "growth":
            return Apply("percentage_change", (tree, first))
        case "multiple":
            return Apply("divide", (tree, first))
        case "yearly growth":
            return Apply("cagr", (first, tree, Decimal(years)))
        case "average" | "sum":
            return Apply(calculation, tuple(before(tree, back) for back in range(years, -1, -1)))
    return tree


def is_percent(tree: Formula | None) -> bool:
    """Whether a tree comes to a rate that people say in percent, as a margin."""
    if isinstance(tree, Apply):
        return tree.operation == "percentage"
    return isinstance(tree, Operand) and tree.name in metrics() and metrics()[tree.name].unit == "percent"


def parts(tree: Formula) -> Iterator[str]:
    """The names of what a tree needs."""
    match tree:
        case Operand(name=name):
            yield name
        case Apply(operands=each):
            for part in each:
                yield from parts(part)
        case _:
            return


def units_differ(tree: Formula) -> bool:
    """Whether a tree adds up what is not of one kind: money and shares."""
    if not isinstance(tree, Apply) or tree.operation in STRONG:
        return False
    kinds = {line_items()[name].unit for name in parts(tree) if name in line_items()}
    return len(kinds) > 1
