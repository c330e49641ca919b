"""Questions for how many there are of something (`how many trams does it own, and how many does it lease?`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tieout.data.system.compile_cache import read_toml
from tieout.ontology.asked.language import language
from tieout.ontology.labels.lexicon import singular


def counts_asked(text: str) -> list[str]:
    """The questions for numbers of one thing that a question is, each in full; itself alone where it is one."""
    found = pattern("asked").match(text := text.rstrip("?!. "))
    first, *others = pattern("again").split(text)
    if found is None:
        return [text]
    if others:
        return [first, *(f"how many {found['things'].strip()} {each}" for each in others)]
    if (each := pattern("each").search(text)) is None:
        return [text]
    parts = filter(None, language().forms["between parts"].split(each["parts"]))
    return [f"{text[: each.start()]} {each['join']} {part.strip()}{text[each.end() :]}" for part in parts]


def things_counted(lower: str) -> frozenset[str]:
    """What a question, in lower case, counts, by any of its names; none where it counts nothing."""
    found = pattern("asked").match(lower)
    noun = singular(found["things"].split()[-1].removesuffix("'s")) if found is not None else ""
    return alike(noun) if noun else frozenset()


def words_counted(lower: str, open_: frozenset[str]) -> frozenset[str]:
    """The words of a question that have to stand around what it counts; where it asks for all, those of places have
    not. open_: its words that nothing accounts for."""
    if pattern("all").search(lower) is None:
        return open_
    is_place = language().forms["a place"].search
    return frozenset(word for word in open_ - counting_words("places") if not is_place(word.capitalize()))


def alike(word: str) -> frozenset[str]:
    """A word with those that say the same of what is counted."""
    return next((each for each in _sets() if word in each), frozenset((word,)))


@lru_cache(maxsize=1)
def _read() -> Mapping[str, Any]:
    return read_toml(Path(__file__).with_name("rows") / "counts.toml")


@lru_cache(maxsize=8)
def pattern(name: str) -> re.Pattern[str]:
    return re.compile(_read()[name], 0 if name == "part" else re.IGNORECASE)


@lru_cache(maxsize=8)
def counting_words(name: str) -> frozenset[str]:
    """The words of a list: `held`, `done`, `idle`."""
    return frozenset(_read()[name].split())


@lru_cache(maxsize=1)
def _sets() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(each.split()) for each in _read()["same"])
