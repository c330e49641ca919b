"""The line items of financial statements: how people ask for them, how reports print them, how taxonomies name them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from tieout.ontology.labels.label import normalise

# In a normalised label: the words behind `attributable to shareholder` that say of which company.
_OWNER = re.compile(r"(?<=\battributable to (?:share|stock))(owner|holder) of .+$")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ALLOWANCE = re.compile(r" (?:less|net of) (?:allowance|reserve|accumulated)\b.*$")
LINE_ITEMS = Path(__file__).with_name("line_items.toml")


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of a statement, in any report.

    name: as formulas call it. statement: `income`, `balance`, `cash flow`, `equity` or `note`. labels: the most telling
    first. concepts: prefixed names of the US-GAAP and IFRS taxonomies, the usual one first. unit: `shares`,
    `percent` or `per share`, "" for an amount of money. under, not_under: beginnings of sub-headings that tell it from
    a line of equal name. spent: people say it without a sign, however it is printed. prefer: words of the line that is
    meant where a statement has several lines of these labels.
    """

    name: str
    statement: str
    labels: tuple[str, ...]
    concepts: tuple[str, ...]
    unit: str = ""
    under: tuple[str, ...] = ()
    not_under: tuple[str, ...] = ()
    spent: bool = False
    prefer: tuple[str, ...] = ()

    @property
    def is_instant(self) -> bool:
        """Whether it is of a day (a balance) and not of a span of time."""
        return self.statement == "balance"

    def rank(self, label: str) -> int | None:
        """How well a printed label names it: 0 is the best, None not at all. Compared as `normalise` does."""
        words = normalise(label)
        rank = _ranks(self.name).get(words)
        return rank if rank is not None else _ranks(self.name).get(_plainer(words))


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
            each.get("spent", False),
            tuple(each.get("prefer", ())),
        )
        for name, each in found.items()
    }


def _plainer(words: str) -> str:
    """`equity attributable to shareowner of the x company` without whose equity it is; `account receivable less
    allowance` without what is taken off."""
    return _ALLOWANCE.sub("", _OWNER.sub(r"\1", words))


@cache
def _ranks(name: str) -> Mapping[str, int]:
    ranks: dict[str, int] = {}
    for rank, label in enumerate(line_items()[name].labels):
        ranks.setdefault(normalise(label), rank)
    return ranks


@lru_cache(maxsize=1)
def _by_label() -> Mapping[str, str]:
    """Of an item that shares a label with another, the one that has it nearer to the front.

    The words of a concept's own name (`contract with customer liability`) name its item too, where no label does.
    """
    best: dict[str, tuple[int, str]] = {}
    for name in line_items():
        for label, rank in _ranks(name).items():
            if label not in best or rank < best[label][0]:
                best[label] = rank, name
    found = {label: name for label, (_, name) in best.items()}
    for name, item in line_items().items():
        for concept in item.concepts:
            found.setdefault(normalise(_CAPITAL.sub(" ", concept.partition(":")[2])), name)
    return found


def find_line_item(words: str) -> LineItem | None:
    """The line item that these words name, spelling and number aside; None where none has such a label."""
    plain = normalise(words)
    name = _by_label().get(plain) or _by_label().get(_plainer(plain))
    return None if name is None else line_items()[name]
