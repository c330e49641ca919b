"""Questions for what falls due, is paid or amortized in years ahead (`lease payments due in 2026 and after 2028`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tieout.data.system.compile_cache import read_toml

KINDS = (
    "share",
    "span",
    "later",
    "total",
    "interest",
    "present",
    "year",
    "each",
)  # in the order in which they are read
OF_TIME = ("year", "span", "later", "each")


class Part(NamedTuple):
    """What of a schedule is asked for: a `year`, or all up to the last of a `span`; what is `later` than one, 0 for all
    that is behind the last; `each` year; the `total` of all; the `interest` in it; its `present` value."""

    kind: str
    year: int = 0
    last: int = 0


@dataclass(frozen=True, slots=True)
class Scheduled:
    """What a question asks of a schedule. words: of what; parts: in its order. shares: of the total: `alone`, `beside`
    the amount, or "" where none is asked for. is_sum: several of them together."""

    words: str
    parts: tuple[Part, ...]
    shares: str
    is_sum: bool


def asked_schedule(lower: str, last: int) -> Scheduled | None:
    """What a question, in lower case, asks of what falls due in the years ahead; None where it asks for something else.
    last: the year that is over."""
    asked, none, ahead, one = (_words()[name] for name in ("asked", "none", "ahead", "one"))
    found, rest = list[tuple[int, Part]](), _words()["day"].sub(" ", lower)
    shares = [-1]
    for kind in KINDS:
        for match in _words()[kind].finditer(rest):
            shares += [match.start()] if kind == "share" else []
            found += [(match.start(), part) for part in _parts(kind, match)]
        rest = _words()[kind].sub(lambda match: " " * len(match[0]), rest)
    parts = tuple(dict.fromkeys(part for _, part in sorted(found, key=lambda each: each[0])))
    if any(part.year for part in parts):
        parts = tuple(part for part in parts if part.kind != "each")
    is_dated = any(part.kind in OF_TIME for part in parts)
    if not is_dated and ahead.search(lower):
        parts = parts if Part("total") in parts or (parts and not shares[1:]) else (Part("total"), *parts)
    elif not is_dated:
        return None
    last -= _words()["rest"].search(lower) is not None
    is_past = any(0 < part.year < last + (part.kind != "later") for part in parts)
    is_other = not asked.search(lower) or none.search(rest) or (len(parts) == 1 and parts[0].year and one.search(rest))
    if not parts or is_past or is_other or (shares[1:] and len(parts) != 1):
        return None
    first = min((at for at, part in found if part in parts), default=0)
    told = "" if not shares[1:] else "alone" if shares[-1] <= first else "beside"
    return Scheduled(without_bare(rest), parts, told, _words()["together"].search(lower) is not None)


def without_bare(lower: str) -> str:
    """A question or a label, in lower case, without the words that say nothing of what it is of."""
    return _words()["bare"].sub(" ", _words()["asked"].sub(" ", lower))


def _parts(kind: str, match: re.Match[str]) -> Iterator[Part]:
    if kind == "span" and match["later"]:
        yield Part("each")
    elif kind == "span" and _words()["apart"].search(match.string):
        yield from (Part("year", year) for year in range(int(match["first"]), int(match["last"]) + 1))
    elif kind == "span":
        yield Part("span", int(match["first"]), int(match["last"]))
    elif kind == "later":
        yield Part("later", int(match["year"] or int(match["after"] or 1) - 1))
    elif kind == "year":
        yield Part("year", int(match["year"]))
    elif kind != "share":
        yield Part(kind)


@lru_cache(maxsize=1)
def _words() -> Mapping[str, re.Pattern[str]]:
    read: Mapping[str, Any] = read_toml(Path(__file__).with_name("rows") / "schedules.toml")
    said = {name: text for name, text in (read | read["parts"]).items() if name != "parts"}
    return {name: re.compile(rf"(?<!\w)(?:{text})(?!\w)") for name, text in said.items()}
