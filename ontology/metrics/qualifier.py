"""Which qualifiers words have: `income taxes paid` is another measure than `income taxes`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

QUALIFIERS = Path(__file__).with_name("qualifiers.toml")
_BREAK = later(r"[^a-z0-9]+")


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
