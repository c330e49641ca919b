"""Ways to print a label that differ only in words that say the same: `printed.toml` has sets of such words, and forms
of labels in which `{set}` stands for each of them. They would make tens of thousands of labels: none is written out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from tieout.data.system.compile_cache import read_toml

PRINTED = Path(__file__).with_name("printed.toml")
Phrase = tuple[str, ...]


class Part(NamedTuple):
    """What may stand in a place of a form: phrases by their first word, and the words with which one of them ends."""

    phrases: Mapping[str, Sequence[Phrase]]
    ends: frozenset[str]


class Forms(NamedTuple):
    """All forms with the names of their line items, by each word with which one may begin, and all words in them."""

    beginning: Mapping[str, Sequence[tuple[str, Sequence[Part]]]]
    words: frozenset[str]


@lru_cache(maxsize=20_000)
def formed(label: str) -> Sequence[str]:
    """The names of the line items of which a label, normalised, has a form, in the order of the file."""
    words, forms = tuple(label.split()), _forms()
    if not words or not forms.words.issuperset(words):
        return ()
    likely = (each for each in forms.beginning.get(words[0], ()) if words[-1] in each[1][-1].ends)
    return tuple(dict.fromkeys(name for name, parts in likely if _fits(parts, words)))


def _fits(parts: Sequence[Part], words: Phrase) -> bool:
    if not parts or not words:
        return not parts and not words
    for phrase in parts[0].phrases.get(words[0], ()):
        if words[: len(phrase)] == phrase and _fits(parts[1:], words[len(phrase) :]):
            return True
    return False


@cache
def _forms() -> Forms:
    told = read_toml(PRINTED)
    sets = {f"{{{name}}}": _part(phrases) for name, phrases in told["words"].items()}
    found: dict[str, list[tuple[str, Sequence[Part]]]] = defaultdict(list)
    words: set[str] = set()
    for name, forms in told["forms"].items():
        for form in forms:
            parts = [sets.get(each) or _part((each,)) for each in form.split()]
            words.update(each for each in form.split() if each not in sets)
            for first in parts[0].phrases:
                found[first].append((name, parts))
    return Forms(found, frozenset(words).union(*(phrase.split() for each in told["words"].values() for phrase in each)))


def _part(written: Sequence[str]) -> Part:
    found: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in map(tuple, map(str.split, written)):
        found[phrase[0]].append(phrase)
    return Part(dict(found), frozenset(each.split()[-1] for each in written))
