"""Ways to print a label that differ only in words that say the same: `printed.toml` has sets of such words, and forms
of labels in which `{set}` stands for each of them. They would make tens of thousands of labels: none is written out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

from tieout.data.system.compile_cache import read_toml

PRINTED = Path(__file__).with_name("printed.toml")
Phrase = tuple[str, ...]
Part = Mapping[str, Sequence[Phrase]]  # what may stand there, by its first word


@lru_cache(maxsize=20_000)
def formed(label: str) -> Sequence[str]:
    """The names of the line items of which a label, normalised, has a form, in the order of the file."""
    words = tuple(label.split())
    forms = _forms().get(words[0], ()) if words else ()
    return tuple(dict.fromkeys(name for name, parts in forms if _fits(parts, words)))


def _fits(parts: Sequence[Part], words: Phrase) -> bool:
    if not parts or not words:
        return not parts and not words
    phrases = parts[0].get(words[0], ())
    return any(words[: len(each)] == each and _fits(parts[1:], words[len(each) :]) for each in phrases)


@cache
def _forms() -> Mapping[str, Sequence[tuple[str, Sequence[Part]]]]:
    """The forms with the names of their line items, by each word with which one may begin."""
    told = read_toml(PRINTED)
    sets = {f"{{{name}}}": _part(phrases) for name, phrases in told["words"].items()}
    found: dict[str, list[tuple[str, Sequence[Part]]]] = defaultdict(list)
    for name, forms in told["forms"].items():
        for form in forms:
            parts = [sets.get(each) or _part((each,)) for each in form.split()]
            for first in parts[0]:
                found[first].append((name, parts))
    return found


def _part(phrases: Sequence[str]) -> Part:
    found: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in map(tuple, map(str.split, phrases)):
        found[phrase[0]].append(phrase)
    return dict(found)
