"""Whether the amount of a line counts the other way than what is asked for: a loss printed below zero in a row of
`(Gain) loss on sale` is a gain.

>>> counted("(Gain) loss on sale of business").way, counted("Net income (loss)").way, counted("Goodwill").way
(-1, 1, 0)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.figure import column_of, table_of
from tieout.kg.filings.primary import readings
from tieout.ontology.labels.label import normalise, words_of_tag
from tieout.ontology.metrics.line_item import LineItem, find_line_item

_MORE = (
    r"\bincome\b(?! tax)|\bearnings\b|\bgains?\b|\bprofits?\b|\bbenefit\b(?! (?:plan|obligation|cost|pension))"
    r"|\bincreases?\b|\bprovided\b|\bgenerated\b|\binflows?\b"
)
# Words that say what an amount below zero is: a loss of that much, and no loss below zero.
_LESS = r"\bloss(?:es)?\b|\bdeficit\b|\bdecreases?\b|\bused\b|\boutflows?\b"
_SPENT = r"(?<!accrued )(?<!prepaid )\bexpenses?\b|\bcosts?\b|\bcharges?\b|\bprovisions?\b"
_WAY_OF_COST = later(rf"^(?!.*\()(?!.*(?:{_MORE})).*(?:{_SPENT})")
_WAY = later(rf"(?P<more>{_MORE})|(?P<less>{_LESS})|(?P<spent>{_SPENT})")
# The other of two ways in brackets: `(loss)`, `(benefit from)`, but not `(net of tax benefit)`.
_OTHER = later(r"\((?!(?:net of|net earnings|net income|less|including|excluding)\b)(?:[a-z-]+ ?){1,3}\)")
_ON_INCOME = later(r"\b(?:up)?on (?:net )?(?:income|earnings|profits?)\b")  # of taxes
_FLOWS = later(r"\bused\b|\bprovided\b|\bgenerated\b|\b(?:in|out)flows?\b")  # in the name of what flows either way
_LOSS = later(r"\bloss(?:es)?\b|\bdeficit\b")
_NET_OF = later(r"[ ,]*\(?\bnet of\b.*")  # what is taken off, which way its amounts count
_BRACKETS = later(r"\([^)]*\)")
_BESIDE = later(r"[ /,-]*(?:and|or)?[ /,-]*")
INCOME_TAX = "income_tax"
SPENT, POSITIVE, OUTFLOW, EITHER = "spent", "positive", "outflow", "either"  # signs of line items


class Way(NamedTuple):
    """Which way the amounts of a label count: 1 as a gain, an income or an increase, -1 as a loss, an expense or a
    decrease, 0 where it says neither. is_said: it names both ways, and which one of them is above zero. is_alone: it
    names a loss alone, as which an amount is meant whatever its sign."""

    way: int
    is_said: bool = False
    is_alone: bool = False


@lru_cache(maxsize=4096)
def counted(label: str) -> Way:
    """Which way the amounts of a line count, as its label or its sub-heading says."""
    text = _ON_INCOME.sub(" ", _NET_OF.sub(" ", label.lower()))
    first = _WAY.search(_BRACKETS.sub(" ", text))
    ways = (_WAY.search(inside[0]) for inside in _OTHER.finditer(text))
    other = next((_sense(way) for way in ways if way is not None), 0)
    if first is None:
        return Way(-other, other != 0)
    way = _sense(first)
    rest = _BRACKETS.sub(" ", text)[first.end() :]
    beside = _WAY.match(rest, beside_at.end()) if (beside_at := _BESIDE.match(rest)) else None
    is_said = -way in (other, 0 if beside is None else _sense(beside))
    return Way(way, is_said, first["less"] is not None and not is_said)


def _sense(found: re.Match[str]) -> int:
    return 1 if found["more"] is not None else -1


@lru_cache(maxsize=512)
def _own_way(concept: str) -> int:
    """Which way a concept counts, by its name: `IncomeTaxExpenseBenefit` as an expense."""
    return counted(words_of_tag(concept)).way


def own_way(item: LineItem) -> int:
    """Which way a line item counts where nobody says otherwise, 0 where it has no two ways."""
    return 0 if item.sign in (SPENT, POSITIVE) else _own_way(item.concepts[0])


def asked_way(said: str, item: LineItem) -> int:
    """Which way a line item counts for somebody who calls it so."""
    own = own_way(item)
    return (counted(_FLOWS.sub(" ", said.lower())).way or own) if own else 0


def is_turned(item: LineItem, said: str, fact: Fact, statement: str, facts: Iterable[Fact]) -> bool:
    """Whether a figure counts the other way than the line item, or than the words that ask for it: a loss on sale, but
    not what was used in investing, which is the name of what flows either way.

    said: those words, "" for none. statement: in which it stands, "" where that is not known. facts: around it.
    """
    if (by_tag := _is_turned_by_tag(item, said, fact)) is not None:
        return by_tag
    label, over = counted(fact.label), counted(fact.section)
    if item.sign == POSITIVE or (item.sign == SPENT and (said or item.statement != "note")):
        is_gain = item.sign == SPENT and label.way > 0 and not label.is_said  # a cost asked for, an income printed
        return fact.value > 0 if is_gain else fact.value < 0 and not _goes_both_ways(fact, facts)
    own, asked = own_way(item), asked_way(said, item)
    is_quoted = asked == label.way and label.is_alone and normalise(said) == normalise(fact.label)
    if not asked or (is_quoted and not _LOSS.search(said.lower())):
        return False  # a net decrease is quoted as it is printed
    is_cash, is_below = statement == "cash flow" and item.sign in (OUTFLOW, EITHER), fact.value < 0
    if (label.is_said and not (is_cash and item.sign == OUTFLOW)) or (label.way and not is_below):
        way = label.way
    elif is_cash:
        way = -1  # what adds to cash is above zero there
    elif over.is_said and item.sign == EITHER:
        way = over.way
    elif item.sign == EITHER and label.way > 0 and _is_beside_a_cost(fact, facts):
        way = -1
    elif label.way:
        way = 1 if label.is_alone or own > 0 else label.way
    else:
        way = own if is_below else asked
    is_off = _OFF.get(item.name)
    return way != asked or (is_below and is_off is not None and is_off(fact, facts))


def _is_turned_by_tag(item: LineItem, said: str, fact: Fact) -> bool | None:
    """The same as its tag says it, None where none does: of an income that is printed below zero among costs."""
    is_asked_so = bool(said) and item.sign != POSITIVE and asked_way(said, item) == own_way(item)
    if not is_asked_so or fact.concept not in item.concepts or not fact.exact:
        return None
    return (
        (fact.exact > 0) == (fact.value < 0)
        if fact.concept not in item.turned
        else (fact.exact > 0) == (fact.value > 0)
    )


def _is_beside_a_cost(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Whether the line above or below is a cost above zero, from which an income below zero is taken off."""
    rows = (table_of(fact), (fact.row or 0) - 1), (table_of(fact), (fact.row or 0) + 1)
    beside = (each for each in facts if (table_of(each), each.row) in rows and each.column == fact.column)
    return any(each.value > 0 and _WAY_OF_COST.search(each.label.lower()) is not None for each in beside)


def _is_taken_off(tax: Fact, facts: Iterable[Fact]) -> bool:
    """Whether a tax that is printed below zero is an expense all the same: its column comes to less after it."""
    column = [fact for fact in facts if column_of(fact) == column_of(tax)]
    known = {item.name: fact.value for fact in reversed(column) if (item := _read_item(fact))}
    before, after = known.get("pretax_income"), known.get("net_income_with_noncontrolling", known.get("net_income"))
    return before is not None and after is not None and after < before


def _read_item(fact: Fact) -> LineItem | None:
    """The line item that a label names, whatever it takes in or leaves out."""
    return next(filter(None, map(find_line_item, readings(fact, "").values())), None)


def _is_between(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Whether an amount below zero leads from the line above it to the line below it: it is taken off."""
    rows = (fact.row or 0) - 1, (fact.row or 0) + 1
    column = {each.row: each.value for each in facts if column_of(each) == column_of(fact)}
    before, after = (column.get(row) for row in rows)
    return before is not None and after is not None and abs(before + fact.value - after) <= 1  # as they are rounded


def _goes_both_ways(fact: Fact, facts: Iterable[Fact]) -> bool:
    """Whether the line of a figure below zero has amounts above zero too: of provisions it is what was released. In a
    note, where costs stand without a sign, one below nothing is a gain."""
    line = (each for each in facts if (table_of(each), each.row) == (table_of(fact), fact.row))
    return fact.row is not None and any(each.column and each.value > 0 and each.unit == fact.unit for each in line)


# Of items that may be printed below zero where they are taken off, whether they are.
_OFF = {
    INCOME_TAX: _is_taken_off,
    "net_income_noncontrolling": _is_between,
    "comprehensive_income_noncontrolling": _is_between,
}


def turned(fact: Fact, name: str) -> tuple[str, list[str]]:
    """The operation that gives a figure its other sign, and its values. name: of the figure."""
    return ("magnitude", [name]) if fact.value < 0 else ("multiply", [name, "-1"])
