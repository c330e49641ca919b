"""Questions for a note, bond or loan that is told by when it falls due or by its rate, and what of it is asked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.system.compile_cache import read_toml


@dataclass(frozen=True, slots=True)
class Debt:
    """What a question asks of a debt. called: what it is (`notes`); year: in which it falls due; rate: in percent.
    said: what of it, in order: `amount`, `rate`, `due`; words: how that is said."""

    called: str
    year: int | None
    rate: Decimal | None
    said: tuple[str, ...]
    words: str


def asked_debt(lower: str) -> Debt | None:
    """What a question, in lower case, asks of one debt; None where it asks for something else."""
    known = _words()
    called, due, rate = known.called.search(lower), known.due.search(lower), known.rate.search(lower)
    if called is None or not (due or rate) or known.none.search(lower):
        return None
    year = int(due["year"] or due["named"]) if due else None
    told = known.rate.sub(" ", known.due.sub(" ", lower))  # by which it is told, which is not asked for
    places = {name: found.start() for name, pattern in known.said.items() if (found := pattern.search(told))}
    asked = [name for name in sorted(places, key=lambda each: places[each]) if not (due and name == "due")]
    said = [name for name in asked if not (rate and name == "rate")] or ["amount"]
    return Debt(called[0], year, Decimal(rate["rate"]) if rate else None, tuple(said), told)


def is_called(text: str, called: str) -> bool:
    """Whether a text tells of what is called so, one or more of it."""
    return re.search(rf"\b{called.removesuffix('s')}s?\b(?! to\b| \d)", text.lower()) is not None  # no `note 5`


@dataclass(frozen=True, slots=True)
class _Words:
    called: re.Pattern[str]
    due: re.Pattern[str]
    rate: re.Pattern[str]
    none: re.Pattern[str]
    said: Mapping[str, re.Pattern[str]]


@lru_cache(maxsize=1)
def _words() -> _Words:
    read: Mapping[str, Any] = read_toml(Path(__file__).with_name("rows") / "debts.toml")

    def whole(pattern: str) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{pattern})(?!\w)")

    said = {name: whole(pattern) for name, pattern in read["said"].items()}
    return _Words(whole(read["called"]), whole(read["due"]), whole(read["rate"]), whole(read["none"]), said)
