"""Which figures may be of a line item: by the label of their line, their unit and the sub-heading over them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache

from tieout.data.printed.languages.language import reading_language
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items, named_by

RATHER = 0.5  # how sure it is from which a figure is rather another line item than any
_LEADS = frozenset(":–—")
_STOP = later(r";|,\s")  # and no comma within an amount
_DAY = later(r"[A-Z][a-z]+ \d{1,2}, \d{4}")
_OTHER_STOCK = frozenset(("preferred", "preference", "treasury"))
_STOCK = _OTHER_STOCK | {"stock", "common"}
MOST_PER_SHARE = 1000  # dollars, or shares below which a count is none of a company's


def rank_of(item: LineItem, fact: Fact) -> int | None:
    """How well the label of a figure names a line item; of earnings in each share, how well the heading over them does:
    `Net income $ 2.76` under `Diluted Earnings Per Common Share`."""
    rank = _ranks(fact.label, fact.section, reading_language()).get(item.name)
    if rank is None and fact.section and item.unit == "per share" and str(fact.unit).endswith("/share"):
        of_money = find_line_item(fact.label)
        return item.rank(fact.section) if of_money is not None and not of_money.unit else None
    return rank


@lru_cache(maxsize=20_000)
def _ranks(label: str, section: str, _: str) -> Mapping[str, int]:
    """How well a label under a heading names each line item that it may be, in a language: by itself, else `Services`
    under `Revenue`, or under what is called otherwise."""
    over = find_line_item(section) if section else None
    said = (section, *(over.labels if over is not None else ())) if section else ()
    found: dict[str, int] = {}
    for text in (*(f"{label} {each}" for each in reversed(said)), label):
        found |= named_by(text)
    return found


def may_be(fact: Fact, item: LineItem, under: str) -> bool:
    """Whether unit and sub-heading let a figure be of a line item. under: the sub-heading, in lower case."""
    unit = str(fact.unit or "")
    if item.unit == "per share" and not unit.endswith("/share"):
        words = normalise(fact.label).split()
        is_said = not unit or ("per" in words and "share" in words and "$" not in fact.label)
        if not is_said or fact.value.copy_abs() >= MOST_PER_SHARE:
            return False
    if fact.value < 0 and item.sign == "positive":
        return False
    if item.unit == "shares" and (unit.endswith("/share") or is_currency(unit) or amount_of(fact) < MOST_PER_SHARE):
        return False
    if item.unit == Unit.PERCENT and unit not in (Unit.PERCENT, ""):
        return False
    if item.unit == "count" and (unit == Unit.PERCENT or (is_currency(unit) and not fact.raw[:1].isdigit())):
        return False
    is_amount = not unit.endswith("/share") and unit not in (Unit.SHARES, Unit.PERCENT)
    if not item.unit and not is_amount and item.statement != "note":
        return False
    if item.under and under and not under.startswith(item.under):
        return False
    return not under.startswith(item.not_under) if item.not_under else True


@cache
def assets_named() -> frozenset[str]:
    """The line items of assets: those of the balance sheet up to their total, as its file lists them in its order."""
    names = [item.name for item in line_items().values() if item.statement == "balance"]
    return frozenset(names[: names.index("total_assets") + 1])


def across(item: LineItem, known: Mapping[str, Mapping[str, float]]) -> frozenset[str]:
    """The names of the figures that are rather of the other side of the balance sheet than an item is, as what is
    called `Deferred income taxes` on either. known: by line item the figures with how sure it is."""
    if item.statement != "balance":
        return frozenset()
    assets = assets_named()
    others = (name for name in known if name in line_items() and line_items()[name].statement == "balance")
    across = (known[name] for name in others if (name in assets) != (item.name in assets))
    return frozenset(figure for figures in across for figure, sure in figures.items() if sure > RATHER)


def is_in_label_of(fact: Fact, item: LineItem) -> bool:
    """Whether a number in the label of a line is of another item, which is told there: shares, or what is taken off."""
    if item.unit == "shares":
        return says_shares(fact, item)
    return is_currency(fact.unit) and re.search(item.inside, normalise(fact.around()[0])) is not None


def says_shares(fact: Fact, item: LineItem) -> bool:
    """Whether a number in a label is of an item of shares: by the words up to the next stop, else those since the last,
    and by what the label begins with, or the heading above where that names no stock.

    `50 shares authorized; 14 and 15 shares issued and outstanding`, `authorized – 50; issued – 14`, `Treasury stock, at
    cost, 804 shares`.
    """
    if fact.unit not in (Unit.SHARES, None):
        return False
    before, behind = (_STOP.split(_DAY.sub("", text))[at] for text, at in zip(fact.around(), (-1, 0), strict=True))
    head = _words(_STOP.split(fact.label)[0]) & _STOCK or _words(fact.section) & _STOCK
    said = _words(behind if _LEADS.isdisjoint(before) else before) | head | {"share"}
    own = next((words for words in map(_words, item.labels) if words <= said), None)
    return own is not None and head & _OTHER_STOCK <= own


def _words(text: str) -> frozenset[str]:
    return frozenset(normalise(text).split())
