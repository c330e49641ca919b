"""Why a newer filing states a period otherwise than an older one, as far as the newer one says so in a sentence."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("reasons.toml")
EARLIER = ("prior period", "prior year", "prior-period", "prior-year", "previously reported", "comparative", "earlier")
MOST_REASONS = 2
Sentences = Callable[[Sequence[str]], Iterable[tuple[int, str]]]


@lru_cache(maxsize=1)
def _words() -> tuple[tuple[str, ...], Mapping[str, tuple[str, ...]]]:
    with FILE.open("rb") as file:
        read = tomllib.load(file)
    return tuple(read["changed"]), {reason: tuple(phrases) for reason, phrases in read["reasons"].items()}


def reasons_in(sentences_with: Sentences) -> Iterator[tuple[str, int]]:
    """The reasons that a report gives for stating earlier periods otherwise, each with the number of its sentence.

    sentences_with: gives the sentences of the report that have one of some words, letter by letter, by number. The
    first reasons of `reasons.toml` are the more telling ones.
    """
    changed, reasons = _words()
    told = {number: text.lower() for number, text in sentences_with(changed)}
    about = {number: text for number, text in sorted(told.items()) if any(word in text for word in EARLIER)}
    found = 0
    for reason, phrases in reasons.items():
        number = next((each for each, text in about.items() if any(word.lower() in text for word in phrases)), None)
        if number is not None and found < MOST_REASONS:
            found += 1
            yield reason, number
