"""The line items of financial statements: how people ask for them, how reports print them, how taxonomies name them.

They are data: `line_items/income.toml` has those of the income statement, `balance.toml` those of the balance sheet,
and so on. Knowledge of the trade, not of any report. What an entry may say is what `LineItem` holds; what is left out
is as its default says. A total that a statement need not print has a formula of its name in `metrics.toml`: its parts.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from tieout.ontology.labels.label import normalise

# In a normalised label: the words behind `attributable to shareholder` that say of which company.
_OWNER = re.compile(r"(?<=\battributable to (?:share|stock))(owner|holder) of .+$")
_CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ALLOWANCE = re.compile(r" (?:less|net of) (?:allowance|reserve|accumulated)\b.*$")
LINE_ITEMS = Path(__file__).with_name("line_items")
STATEMENTS = ("income", "balance", "cash flow", "equity", "note")  # in the order in which a label is looked for


@dataclass(frozen=True, slots=True)
class LineItem:
    """One line of a statement, in any report.

    name: as formulas call it. statement: `income`, `balance`, `cash flow`, `equity` or `note`. labels: the most telling
    first. concepts: prefixed names of the US-GAAP and IFRS taxonomies in the order in which they are preferred: the
    first that a filing states is this line. unit: `shares`, `percent`, `per share` or `count`, "" for an amount of
    money. is_instant: it is of a day (a balance) and not of a span of time. sign: `spent` for what people say without
    a sign, however it is printed; `positive` for what is never below nothing; "" for what may be either. qualifiers:
    words, as in `qualifiers.toml`, that make it another measure than one without them. under, not_under: beginnings of
    sub-headings that tell it from a line of equal name. prefer: words of the line that is meant where a statement has
    several lines of these labels.
    """

    name: str
    statement: str
    labels: tuple[str, ...]
    concepts: tuple[str, ...]
    unit: str = ""
    is_instant: bool = False
    sign: str = ""
    qualifiers: frozenset[str] = frozenset()
    under: tuple[str, ...] = ()
    not_under: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()

    @property
    def spent(self) -> bool:
        """Whether people say it without a sign, however it is printed."""
        return self.sign == "spent"

    def rank(self, label: str) -> int | None:
        """How well a printed label names it: 0 is the best, None not at all. Compared as `normalise` does."""
        words = normalise(label)
        rank = _ranks(self.name).get(words)
        return rank if rank is not None else _ranks(self.name).get(_plainer(words))


@lru_cache(maxsize=1)
def line_items() -> Mapping[str, LineItem]:
    """All that are known, by name, statement after statement in the order of their files."""
    return {item.name: item for statement in STATEMENTS for item in _of_statement(statement)}


def _of_statement(statement: str) -> Iterator[LineItem]:
    with (LINE_ITEMS / f"{statement.replace(' ', '_')}.toml").open("rb") as file:
        found = tomllib.load(file)
    for name, each in found.items():
        yield LineItem(
            name,
            statement,
            tuple(each["labels"]),
            tuple(each["concepts"]),
            each.get("unit", ""),
            each.get("is_instant", statement == "balance"),
            each.get("sign", ""),
            frozenset(each.get("qualifiers", ())),
            tuple(each.get("under", ())),
            tuple(each.get("not_under", ())),
            tuple(each.get("prefer", ())),
        )


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
