"""How places of reports are named: `t12`, `t12-t15`, `ko24:s340`, `s340-s350`, `Note 16`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tieout.kg.index.words import SentenceHit

_RANGE = re.compile(
    r"(?:(?P<alias>[a-z0-9]+):)?(?P<kind>[ts])(?P<first>\d{1,9})"
    r"(?: ?(?:-|–|to) ?(?:[a-z0-9]+:)?[ts]?(?P<last>\d{1,9}))?"
)
_NUMBERED = re.compile(r"(note|item|part)\s+(\d{1,2}[a-z]?|[ivx]{1,4})\b", re.IGNORECASE)
_SECTION = re.compile(r"(?:(?P<alias>[a-z0-9]+): ?)?(?P<section>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Place:
    """alias: of the report, "" for the only one. kind: `t` for tables, `s` for sentences, "" for a section by the words
    of its heading. first, last: numbers, both included."""

    alias: str
    kind: str
    first: int = 0
    last: int = 0
    section: str = ""


def read_place(name: str) -> Place:
    """The place that a name means; whatever is no table or sentence is taken for words of a heading."""
    text = name.strip()
    if match := _RANGE.fullmatch(text):
        first = int(match["first"])
        return Place(match["alias"] or "", match["kind"], first, int(match["last"] or first))
    match = _SECTION.fullmatch(text)
    assert match is not None or not text
    return Place((match and match["alias"]) or "", "", section=" ".join(match["section"].split()) if match else "")


def is_numbered(section: str) -> bool:
    """Whether a section is called by its number, so that the next number ends it: `Note 16`, `Item 7A`."""
    return bool(_NUMBERED.fullmatch(section.strip()))


def until_next(section: str, hits: Iterable[SentenceHit]) -> Iterator[SentenceHit]:
    """The sentences of a numbered section, those under its own headings too: up to the heading of another number."""
    own = _NUMBERED.match(section.strip())
    for hit in hits:
        other = _NUMBERED.match(" ".join(hit.heading.split()))
        if own and other and other[1].lower() == own[1].lower() and other[2].lower() != own[2].lower():
            return
        yield hit


def is_under(section: str, *headings: str) -> bool:
    """Whether one of the headings has these words: `Note 1` is not in `Note 16`."""
    pattern = re.compile(rf"(?<!\w){re.escape(section)}(?!\w)", re.IGNORECASE)
    return bool(section) and any(pattern.search(" ".join(each.split())) for each in headings)
