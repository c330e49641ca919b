"""Lines whose qualifiers stand around them: `Federal` under `Current`, `Deferred` in a column `International`.

What makes a measure another one may be said by the label of a line, its sub-heading or its column. A line without a
qualifier of a line item, or with another one that the item does not have, is another measure.
"""

from __future__ import annotations

import re
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.labels.label import normalise, with_country
from tieout.ontology.metrics.line_item import LineItem
from tieout.ontology.metrics.qualifier import qualifiers, qualifiers_of

# What makes another measure of one: `net sales` is not named by `cost of net sales`.
BESIDES = later(
    r"%|\b(?:percent\w*|margin|change|growth|increase|decrease|cost|deferred|per|ratio|share)\b", re.IGNORECASE
)
# Qualifiers that labels add and leave out without meaning anything else.
LOOSE = frozenset(("total", "net", "operating", "investing", "financing", "attributable", "available to common"))
# Words of labels that say nothing beside their qualifiers: `Total current provision`.
_FILLING = frozenset("total provision benefit expense expenses income tax taxes and local net amount".split())
_PLACES = frozenset(("domestic", "federal"))  # `United States` is where both are said


@lru_cache(maxsize=20_000)
def binds(item: LineItem, words: str) -> bool:
    """Whether words say all qualifiers of a line item, and none that makes another measure of it."""
    said = qualifiers_of(words)
    known = item.qualifiers.union(*(qualifiers_of(label) for label in item.labels))
    return item.qualifiers <= said and not said - known - LOOSE


def is_qualified(item: LineItem, label: str, around: str, over: str) -> bool:
    """Whether the label of a figure with what stands around it, its sub-heading and column, says the qualifiers of a
    line item, and what else names it stands over its table.

    over: title and headings of the table, and the total below the figure.
    """
    if not (wanted := item.qualifiers - LOOSE):
        return False
    said = (qualifiers_of(label) | qualifiers_of(around)) - LOOSE
    if said & _PLACES and wanted & _PLACES:
        said = (said - _PLACES) | (wanted & _PLACES)
    if said != wanted:
        return False
    words = frozenset(normalise(label).split())
    if words - _words_of_qualifiers() - _FILLING:
        return False
    above = frozenset(normalise(with_country(over)).split())
    return any(_rest(each) and _rest(each) <= above | words for each in item.labels) and _other(item) not in above


@lru_cache(maxsize=512)
def _rest(label: str) -> frozenset[str]:
    """The words of a label that no qualifier accounts for."""
    return frozenset(normalise(label).split()) - _words_of_qualifiers() - {"expense", "provision"}


@lru_cache(maxsize=1)
def _words_of_qualifiers() -> frozenset[str]:
    return frozenset(word for ways in qualifiers().values() for way in ways for word in normalise(way).split())


def _other(item: LineItem) -> str:
    """A word over a table that makes its lines another measure: income before tax is no tax."""
    return "" if any("before" in label or "pretax" in label for label in item.labels) else "before"


def names_item(item: LineItem, text: str) -> bool:
    """Whether a heading names a line item, and nothing that is reckoned from it."""
    words = f" {normalise(text)} "
    named = [label for label in map(normalise, item.labels) if f" {label} " in words]
    for label in named:
        words = words.replace(f" {label} ", "  ")
    return bool(named) and not BESIDES.search(words)
