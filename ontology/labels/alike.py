"""How alike two texts are: the longest run of words that both have, and how much of a label stands in a text letter by
letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from rapidfuzz import fuzz

MOST_TEXTS = 20_000  # labels that stay prepared


def longest_run(asked: Sequence[str], said: Iterable[str]) -> int:
    """The length of the longest run of stems that both have."""
    places: dict[str, list[int]] = {}
    for place, each in enumerate(asked):
        places.setdefault(each, []).append(place)
    longest, before = 0, dict[int, int]()
    for each in said:
        now = {place: before.get(place - 1, 0) + 1 for place in places.get(each, ())}
        if now:
            longest = max(longest, *now.values())
        before = now
    return longest


@lru_cache(maxsize=MOST_TEXTS)
def spelled(label: str, asked: str) -> float:
    """How much of a label stands in a question in lower case letter by letter, from 0 to 1."""
    plain = _plain(label)
    return fuzz.partial_ratio(plain, asked) / 100 if plain else 0.0


@lru_cache(maxsize=MOST_TEXTS)
def _plain(label: str) -> str:
    """A label without its signs and what it says in brackets; "" of a few letters, which stand anywhere."""
    lower = re.sub(r"\([^)]*\)|[^a-z0-9 ]", " ", label.lower())
    return " ".join(lower.split()) if len(lower.strip()) > 3 else ""
