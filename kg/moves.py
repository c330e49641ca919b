"""How a line of a report moved from one time to another: its figure a year before, whether it is of what is spent and
printed as what is taken off, and whether a difference, or what is said around it, says that it moved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import is_anniversary, report_of, sort_of, year_of
from tieout.ontology.metrics.line_item import find_line_item

_NUMBERS = later(r"\d")
_SPENT = later(
    r"expens|\bcosts?\b|expenditure|\bcharges?\b|\btax|\bpurchases?\b|payments?\b|dividends?\b|depreciation|amorti[sz]ation"
    r"|\binterest\b|sg&a|aufwand|abschreibung|kosten|\bloss(?:es)?\b",
    re.IGNORECASE,
)
_EARNED = later(r"income|profit|earning|revenue|\bsales\b(?!.*expens)|\bcash\b|\bchanges?\b|benefit", re.IGNORECASE)
_NET = later(r"\bnet\b|\bgains?\b|\bother\b|\bloss(?:es)?\b|adjustments?\b|translation", re.IGNORECASE)
_MOVED = r"(?:increas|decreas|declin|improv|reduc|drop|gr[eo]w|growth|r[io]se|f[ae]ll|change)\w*"
_OF_CHANGES = later(r"\W*(?:net )?(?:changes?|increases?|decreases?)\b", re.IGNORECASE)  # over lines of balances
_LED_BY_MOVE = later(rf"\b{_MOVED}(?: (?:of|by|was|were|in))?(?: (?:approximately|about|an?|nearly|over))* ?[$€£]? ?$")
_THEN_MOVE = later(rf"^(?:[\d.,%$€£ ]|\b(?:million|billion|thousand|percent|or|and|year over year)\b)* ?{_MOVED}", re.I)
OF_CHANGE = later(r"change|increase|decrease|variance|growth|% of|percent of", re.IGNORECASE)  # headings of changes
_REACH = 60  # characters before an amount in which the word for its movement stands


def year_before(fact: Fact, facts: Iterable[Fact]) -> list[Fact]:
    """The figures of the same line a year before: first those in its row under a header that is the same but for its
    numbers, the others of its row, and those in its column that are called the same."""
    year, head = year_of(fact), _NUMBERS.sub("", fact.header)
    if year is None or fact.table is None:
        return []
    found: list[tuple[int, Fact]] = []
    for other in facts:
        if (other.table, *sort_of(other)) != (fact.table, *sort_of(fact)) or year_of(other) != year - 1:
            continue
        ends = [each.period.end for each in (other, fact) if each.period is not None and each.period.end is not None]
        if len(ends) == 2 and not is_anniversary(*ends):  # the same quarter
            continue
        if other.row == fact.row:
            found.append((int(_NUMBERS.sub("", other.header) != head), other))
        elif (other.column, other.label, report_of(other)) == (fact.column, fact.label, report_of(fact)):
            found.append((2, other))
    return [other for _, other in sorted(found, key=lambda each: each[0])]


def is_taken_off(facts: Sequence[Fact]) -> bool:
    """Whether figures of a line are of what is spent, printed as what is taken off."""
    label = facts[0].label
    item = find_line_item(label)
    is_cost = (item is not None and item.spent) or (_SPENT.search(label) is not None and not _EARNED.search(label))
    return is_cost and all(fact.value < 0 for fact in facts)


def is_of_result(label: str) -> bool:
    """Whether a line may be of a gain, an income or a net amount, which is below zero where it is a loss."""
    return find_line_item(label) is not None or _EARNED.search(label) is not None or _NET.search(label) is not None


def is_growth(fact: Fact) -> bool:
    """Whether a figure is a change in percent, as its line or its table says."""
    said = f"{fact.label} {fact.section} {fact.caption}"
    return fact.unit == Unit.PERCENT and OF_CHANGE.search(said) is not None


def says_a_rise(minuend: Sequence[Fact], subtrahend: Sequence[Fact], *, is_below: bool) -> bool | None:
    """Whether a difference above zero says that a line rose; None where its sides are of several lines, or of one time.

    is_below: both amounts are below zero, which only those of costs are that are taken off."""
    ends = [
        max((each.period.end for each in side if each.period and each.period.end), default=None)
        for side in (minuend, subtrahend)
    ]
    lines = {frozenset((each.label, each.parts, report_of(each)) for each in side) for side in (minuend, subtrahend)}
    if ends[0] is None or ends[1] is None or ends[0] == ends[1] or len(lines) > 1:
        return None
    is_spent = is_below and is_taken_off([*minuend, *subtrahend])
    return (ends[0] > ends[1]) != is_spent if is_below == is_spent else None


def is_moved(fact: Fact) -> bool:
    """Whether a sentence says by how much something changed with an amount: `increased $ 3 million`, `a 5% decline`; or
    a line stands under changes."""
    if fact.kind is not FactKind.TEXT:
        return _OF_CHANGES.match(fact.section) is not None
    before, behind = fact.around()
    return bool(_LED_BY_MOVE.search(before[-_REACH:].lower())) or bool(_THEN_MOVE.search(behind[:_REACH]))
