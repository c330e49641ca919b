"""The words in which companies are asked about, as the file of the language has them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from tieout.ontology.labels.lexicon import singular


@dataclass(frozen=True, slots=True)
class Words:
    """The words of companies/en.toml. factors: the number that each word of times, `twice`, stands for."""

    manner: frozenset[str]
    cues: Mapping[str, re.Pattern[str]]
    held: Mapping[str, re.Pattern[str]]
    suffixes: Mapping[str, re.Pattern[str]]
    periods: Mapping[str, re.Pattern[str]]
    follow: Mapping[str, re.Pattern[str]]
    factors: Mapping[str, Decimal]
    listed: tuple[tuple[re.Pattern[str], str], ...]
    plain: tuple[tuple[re.Pattern[str], str], ...]
    turns: tuple[tuple[re.Pattern[str], str], ...]


@lru_cache(maxsize=1)
def spoken() -> Words:
    """How questions over companies are asked."""
    read = tomllib.loads(Path(__file__).with_name("companies").joinpath("en.toml").read_text(encoding="utf-8"))
    manner = frozenset(read["manner"].split())
    kinds = ("cues", "held", "suffixes", "periods")
    cues, held, suffixes, periods = ({name: re.compile(each) for name, each in read[kind].items()} for kind in kinds)
    factors = {word: Decimal(str(number)) for word, number in read["factors"].items()}
    ways = (
        tuple((re.compile(way, re.I), said) for way, said in read[kind].items())
        for kind in ("listed", "plain", "turns")
    )
    follow = {name: re.compile(each, re.I) for name, each in read["follow"].items()}
    return Words(manner | {singular(word) for word in manner}, cues, held, suffixes, periods, follow, factors, *ways)
