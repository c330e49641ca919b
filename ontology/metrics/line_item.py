"""The line items of financial statements: how people ask for them, how reports print them, how taxonomies name them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from tieout.ontology.labels.label import normalise

LINE_ITEMS = Path(__file__).with_name("line_items.toml")


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of a statement, in any report.

    name: as formulas call it. statement: `income`, `balance`, `cash flow`, `equity` or `note`. labels: the most telling
    first. concepts: prefixed names of the US-GAAP and IFRS taxonomies, the usual one first. unit: `shares` or
    `per share`, "" for an amount of money. under, not_under: beginnings of sub-headings that tell it from a line
    of equal name.
    """

    name: str
    statement: str
    labels: tuple[str, ...]
    concepts: tuple[str, ...]
    unit: str = ""
    under: tuple[str, ...] = ()
    not_under: tuple[str, ...] = ()

    @property
    def is_instant(self) -> bool:
        """Whether it is of a day (a balance) and not of a span of time."""
        return self.statement == "balance"

    def rank(self, label: str) -> int | None:
        """How well a printed label names it: 0 is the best, None not at all. Compared as `normalise` does."""
        return _ranks(self.name).get(normalise(label))


@lru_cache(maxsize=1)
def line_items() -> Mapping[str, LineItem]:
    """All that are known, by name, in the order of their file."""
    with LINE_ITEMS.open("rb") as file:
        found = tomllib.load(file)
    return {
        name: LineItem(
            name,
            each["statement"],
            tuple(each["labels"]),
            tuple(each["concepts"]),
            each.get("unit", ""),
            tuple(each.get("under", ())),
            tuple(each.get("not_under", ())),
        )
        for name, each in found.items()
    }


@cache
def _ranks(name: str) -> Mapping[str, int]:
    ranks: dict[str, int] = {}
    for rank, label in enumerate(line_items()[name].labels):
        ranks.setdefault(normalise(label), rank)
    return ranks


@lru_cache(maxsize=1)
def _by_label() -> Mapping[str, str]:
    """Of an item that shares a label with another, the one that has it nearer to the front."""
    best: dict[str, tuple[int, str]] = {}
    for name in line_items():
        for label, rank in _ranks(name).items():
            if label not in best or rank < best[label][0]:
                best[label] = rank, name
    return {label: name for label, (_, name) in best.items()}


def find_line_item(words: str) -> LineItem | None:
    """The line item that these words name, spelling and number aside; None where none has such a label."""
    name = _by_label().get(normalise(words))
    return None if name is None else line_items()[name]
