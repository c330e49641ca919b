"""The sort of answer that a question asks for: a percentage, money, how many there are, a date, a rating."""

from __future__ import annotations

from functools import lru_cache

from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

# What the sorts are called to people. `each` is money for one of many, as a fee per card; "" is any sort.
CALLED = {
    "": "figure",
    "percent": "percentage",
    "ratio": "ratio",
    "points": "difference in percentage points",
    "money": "sum of money",
    "per share": "sum per share",
    "each": "sum for one",
    "shares": "number of shares",
    "count": "count",
    "days": "number of days",
    "date": "date",
    "rating": "rating",
    "name": "name",
}
OF_RATES = frozenset(("percent", "ratio", "points"))
TOLD = frozenset(("date", "rating", "name"))  # no figure answers these
HELD = frozenset(("more", "fewer", "compared", "highest", "lowest", "above", "below"))  # cues of one among others
RATES = frozenset(("percent", "in percent", "rate of change"))  # ... of a growth that is told in percent
OF_NAMES = frozenset(("percent", "ratio", "per share", "days"))  # sorts that what is named tells by itself
LETTERS = 3  # of a short form that may as well be a company: `GM`
OF_CALCULATIONS = {"growth": "percent", "yearly growth": "percent", "share": "percent", "multiple": "ratio"}


@lru_cache(maxsize=4096)
def sort_asked(lower: str, cues: frozenset[str], named: tuple[Named, ...], calculation: str) -> str:
    """The sort that the words of a question ask for.

    lower: the part of it that asks, in lower case. calculation: what is made of what it names.
    """
    sorts = language().sorts
    told = next((name for name in ("rating", "date", "name") if sorts[name].search(lower)), "")
    if told:
        return "" if told != "rating" and cues & HELD else told
    if sorts["several"].search(lower) or "by number" in cues:
        return ""
    if "points" in cues:
        return "points"
    if calculation in OF_CALCULATIONS:
        return "" if calculation == "growth" and cues.isdisjoint(RATES) else OF_CALCULATIONS[calculation]
    said = next((name for name in ("percent", "shares", "count", "per share", "each") if sorts[name].search(lower)), "")
    if said:
        is_of_shares = said == "count" and not language().words["counted in shares"].isdisjoint(lower.split())
        return "shares" if is_of_shares else said
    own = {sort_of(each.name) for each in named if len(each.said) > LETTERS}
    if calculation == "value" and len(own) == 1 and own <= OF_NAMES:
        return own.pop()
    if (
        found := next((name for name in ("ratio", "money") if sorts[name].search(lower)), "")
    ) or calculation != "value":
        return found
    is_money = own == {"money"} and len(named) == 1 and not sorts["of money too"].search(lower)
    return "money" if is_money else ""


def sort_of_figures(lower: str, calculation: str, sort: str) -> str:
    """The sort of the figures that an answer of a sort is made of, "" for any: a growth of how many there are is made
    of counts. lower, calculation: as above."""
    if calculation == "value":
        return sort
    if sort == "points":
        return "percent"
    if language().sorts["counted"].search(lower):
        return "count"
    return "" if sort in ("percent", "ratio") else sort


def is_other(sort: str, name: str) -> bool:
    """Whether the figures of a line item or of a metric are of another sort than is asked for."""
    own = sort_of(name)
    return sort not in ("", "money", own) and not OF_RATES.issuperset((sort, own))


def sort_of(name: str) -> str:
    """The sort that the figures of a line item or of a metric are of."""
    known = line_items().get(name) or metrics()[name]
    return known.unit or "money"
