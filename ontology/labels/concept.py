"""The words a label is told apart by: abbreviations written out, synonyms made one, order ignored.

>>> key("total net sales") == key("Revenues"), key("net income") == key("net interest income")
(True, False)
>>> key("number of shares purchased as part ofpublicly announcedplans")
('announced', 'part', 'plan', 'purchased', 'share')
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from tieout.data.system.compile_cache import read_toml
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import lexicon

CONCEPTS = Path(__file__).parent / "concepts.toml"
GAAP = "http://fasb.org/us-gaap#"  # the taxonomy without the year of a release

Key = tuple[str, ...]


@lru_cache(maxsize=20_000)
def words(label: str) -> str:
    """The label normalised, with abbreviations written out and synonyms made one, its words in their order."""
    known = lexicon()
    found = [known.words.get(word, word) for word in normalise(label).split()]
    text = " ".join(found)
    rules = known.rules_for(text)
    while rules:
        number = rules.pop()
        text, changes = known.rules[number].pattern.subn(known.rules[number].to, text)
        if changes:
            rules = [each for each in known.rules_for(text) if each > number]
    return " ".join(text.split())


@lru_cache(maxsize=20_000)
def key(label: str) -> Key:
    """The words that tell the label from others, sorted: equal keys are one line item. Empty where it names nothing."""
    every = words(label).split()
    strong = {word for word in every if word not in lexicon().stop}
    return tuple(sorted(strong))


def strong(words: Key) -> Key:
    """A key without the words that it may have or lack, or the key itself where nothing else is in it."""
    return tuple(word for word in words if word not in lexicon().weak) or words


def same(one: str, other: str) -> bool:
    """Whether two labels name one line item.

    >>> same("Net sales", "total revenues"), same("net income", "net interest income"), same("basic", "diluted")
    (True, False, False)
    """
    return bool(key(one)) and strong(key(one)) == strong(key(other))


class Concept(NamedTuple):
    """A line item of the hand-written core. close_match: an IRI, None where none is certain."""

    label: str
    close_match: str | None


@cache
def concepts() -> dict[Key, Concept]:
    """The line items of `concepts.toml` by key; of two with one key the first."""
    found: dict[Key, Concept] = {}
    for section in read_toml(CONCEPTS).values():
        for label, name in section.items():
            found.setdefault(strong(key(label)), Concept(label, GAAP + name if name else None))
    return found
