"""Which qualifiers words have: `income taxes paid` is another measure than `income taxes`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

QUALIFIERS = Path(__file__).with_name("qualifiers.toml")
_BREAK = later(r"[^a-z0-9]+")
_NO_DAY = later(r"(?<![\d.,])\d{1,3}\b(?!,? ?20\d\d)")
_IN_NAME = later(r"(?<![\d.,])(\d{1,3}) ?(?:\+|(?:days )?(?:or|and) (?:more|over|greater|above|later)\b)")


@lru_cache(maxsize=1)
def qualifiers() -> Mapping[str, tuple[str, ...]]:
    """All that are known, by name: the ways of saying each, in lower case with single spaces for all punctuation."""
    return {name: tuple(ways) for name, ways in read_toml(QUALIFIERS).items()}


@lru_cache(maxsize=4096)
def qualifiers_of(words: str) -> frozenset[str]:
    """The names of the qualifiers that a label or a question says.

    >>> sorted(qualifiers_of("Cash paid for income taxes, net")), sorted(qualifiers_of("Diluted EPS"))
    (['net', 'paid'], ['diluted', 'per share'])
    """
    said = f" {_BREAK.sub(' ', words.lower()).strip()} "
    found = {(name, way) for name, ways in qualifiers().items() for way in ways if f" {way} " in said}
    # `noncurrent` as `non current` is no `current`.
    return frozenset(
        name for name, way in found if not any(way != other and f" {way} " in f" {other} " for _, other in found)
    )


def numbers_not_said(words: str, said: str) -> list[str]:
    """The numbers from which on a question counts (`30+ days`) that what is printed around its figures does not say; a
    day of the month says none.

    >>> numbers_not_said("30+ days", "90+ days past due, June 30, 2024"), numbers_not_said("60+ days", "over 60 days")
    (['30'], [])
    """
    known = set(_NO_DAY.findall(said))
    return [number for number in _IN_NAME.findall(words.lower()) if number not in known]
