"""Questions for awards of stock: which awards, what happens to them, and what of that is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.system.compile_cache import read_toml
from tieout.ontology.labels.label import normalise

BALANCE = "outstanding"  # what there is at a day, and does not happen


@dataclass(frozen=True, slots=True)
class Award:
    """What a question asks of awards. kinds: the words by which they are told apart (`restricted`); event: what happens
    to them (`granted`), `BALANCE` for what there is; said: what of it: `number`, `price`, `money`, `years`."""

    kinds: frozenset[str]
    event: str
    said: tuple[str, ...]


def asked_award(lower: str) -> Award | None:
    """What a question, in lower case, asks of awards of stock; None where it asks for something else."""
    known = _words()
    if not known.asked.search(lower) or known.none.search(lower):
        return None
    kinds = kinds_in(lower)
    events = [each for each in events_in(known.asked.sub(" ", lower)) if each != BALANCE]
    said = [each for each in known.said if known.said[each].search(lower)] or ["number"]
    said = [each for each in said if each != "price" or "money" not in said]  # `total fair value`
    is_product = said == ["number"] and known.worth.search(lower) is not None
    if not kinds or len(events) > 1 or len(said) > 2 or is_product:
        return None
    return Award(kinds, events[0] if events else BALANCE, tuple(said))


def events_in(text: str) -> list[str]:
    """What happens to awards by a text, in lower case, `BALANCE` where it says that they are there."""
    known = _words()
    found = []
    for name, pattern in known.events.items():
        text, count = pattern.subn(" ", text)
        found += [name] if count else []
    is_there = known.named.search(text) and not known.other.search(text)
    return [*found, BALANCE] if is_there else found


def is_of_awards(text: str) -> bool:
    """Whether a text, in lower case, tells of awards of stock."""
    return _words().asked.search(text) is not None


def is_aside(text: str) -> bool:
    """Whether a row that is called so is of none that are there, or were."""
    return _words().other.search(text) is not None


def said_in(text: str) -> str:
    """What a column that is called so, in lower case, says of awards."""
    return next((name for name, pattern in _words().said.items() if pattern.search(text)), "number")


@lru_cache(maxsize=4096)
def kinds_in(text: str) -> frozenset[str]:
    """The words of a text by which awards are told apart."""
    known = _words()
    words = (each.removesuffix("s") for each in normalise(text).split())
    return frozenset(kind for each in words for kind in known.alike.get(each, each).split() if kind in known.kinds)


def left_of(words: frozenset[str], event: str) -> frozenset[str]:
    """Words of a question that say neither which awards are asked for, nor what happens to them, nor what of that."""
    known = _words()
    told = known.plain | known.kinds | known.alike.keys()
    pattern = known.events.get(event)
    return frozenset(
        each for each in words if each.removesuffix("s") not in told and not (pattern and pattern.search(each))
    )


@dataclass(frozen=True, slots=True)
class _Words:
    asked: re.Pattern[str]
    none: re.Pattern[str]
    events: Mapping[str, re.Pattern[str]]
    named: re.Pattern[str]
    other: re.Pattern[str]
    said: Mapping[str, re.Pattern[str]]
    worth: re.Pattern[str]
    plain: frozenset[str]
    kinds: frozenset[str]
    alike: Mapping[str, str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    read: Mapping[str, Any] = read_toml(Path(__file__).with_name("rows") / "awards.toml")

    def whole(pattern: str) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{pattern})\b")

    return _Words(
        whole(read["asked"]),
        whole(read["none"]),
        {name: whole(each) for name, each in read["events"].items()},
        whole(read["balances"]["named"]),
        whole(read["balances"]["other"]),
        {name: whole(each) for name, each in read["said"].items()},
        whole(read["worth"]),
        frozenset(read["words"]["plain"].split()),
        frozenset(read["words"]["kinds"].split()),
        read["alike"],
    )
