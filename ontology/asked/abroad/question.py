"""A question in another language in English words, by the file of its language: one word or way of asking is one line.

>>> in_english("Um wie viel Prozent stieg der Umsatz 2023?")
'by what percentage rose revenue 2023?'
>>> in_english("What was revenue in 2023?")
'What was revenue in 2023?'

The English need not be good: it is read by what its words are signs of. Names of line items are those of
`tieout.ontology.metrics`, months those by which reports are read; what is in no file, as the name of a segment, stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from tieout.data.printed.languages.language import LANGUAGES as OF_REPORTS
from tieout.data.printed.languages.language import PLAIN, phrases_of
from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.overview import main_figures
from tieout.ontology.asked.words import MONTHS
from tieout.ontology.metrics.line_item import find_line_item, labels_in, line_items

FILES = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in FILES.glob("??.toml")))
FEWEST = 2  # words of a language that tell a question in it; one beside what it has a name of its own for
_WORD = later(r"[^\W\d_]+")
_LETTERS = later(r"\b\w+(?:&\w+)+|\b\w/\w\b")  # `SG&A` and `y/y`, whose letters are no words
_LONG = 4  # letters of a word that may end otherwise than in a list
_SPACES = later(r" {2,}")


@dataclass(frozen=True, slots=True)
class Asked:
    """How questions are asked in one language. pattern: all that its file puts in other words; said: what each of its
    groups is in English; names: which of them name what is measured."""

    pattern: re.Pattern[str]
    said: Mapping[str, str]
    names: frozenset[str]

    def glossed(self, text: str) -> tuple[str, bool]:
        """A text in English, and whether it names what is measured in words that are not English too."""
        found = list(self.pattern.finditer(text))
        made = self.pattern.sub(lambda match: f" {self.said[match.lastgroup or '']} ", text)
        named = [match[0] for match in found if match.lastgroup in self.names]
        return made, any(not _words_in(each) <= _english() for each in named)


@lru_cache(maxsize=1024)
def in_english(text: str) -> str:
    """A question in English words; as it is where it is in English, or in a language that no file is for. One for how a
    company did is one for its main figures."""
    plain = text.translate(PLAIN).lstrip("¿¡ ")
    said = _WORD.findall(_LETTERS.sub(" ", plain.lower()))
    odd = [word[:_LONG] for word in said if word not in _english()]
    made, measures = list[tuple[bool, int, str, str]](), find_measures(plain.lower())
    for name in LANGUAGES:
        told = sum(word in _told(name) for word in said)
        english = sum(word in language().words["function"] and word not in _own(name) for word in said)
        is_told = told > english and told >= FEWEST and 2 * told >= len(said)
        is_english = english > 0 or not {each.said for each in measures} <= _labels(name)  # `Client Group net income`
        if is_told or (told >= english and not _beginnings(name).isdisjoint(odd) and (told or not is_english)):
            put, is_named = asked_in(name).glossed(_dated(plain, name, frozenset(MONTHS)))
            made += [(is_named, told, name, put)] if is_told or is_named else []
    if not made:
        return main_figures(text)
    *_, name, put = max(made)
    return _SPACES.sub(" ", _dated(put, name)).replace(" ?", "?").strip()


@cache
def _told(name: str) -> frozenset[str]:
    """The words that a language is told by: those that its file puts into English and English has not, and others."""
    told = read_toml(FILES / f"{name}.toml")["told"].split()
    return _own(name).difference(_english(), *language().words.values()).union(told)


@cache
def _own(name: str) -> frozenset[str]:
    """The words that the file of a language puts into English."""
    return frozenset(" ".join(read_toml(FILES / f"{name}.toml")["words"].values()).split())


@cache
def _labels(name: str) -> frozenset[str]:
    """The names that line items have in a language."""
    return frozenset(label for every in labels_in(name).values() for label in every)


@cache
def _beginnings(name: str) -> frozenset[str]:
    """How the words of a language's names of line items begin that are no English ones, so that its patterns, which are
    many, are made for a text that may have one alone."""
    labels = " ".join(_labels(name))
    measures = " ".join(read_toml(FILES / f"{name}.toml")["measures"])
    return frozenset(word[:_LONG] for word in _words_in(f"{labels} {measures}") - _english() if len(word) >= _LONG)


def _dated(text: str, name: str, of: frozenset[str] = frozenset()) -> str:
    """A text with months and parts of a year in English. of: words of which one is in all that is put into English, as
    a day is read before `de` is no longer Spanish; () for any."""
    lower = text.lower()
    if len(lower) != len(text) or name not in OF_REPORTS:
        return text
    made, at = "", 0
    glossed = phrases_of(name).glossed(lower)
    for first, last, begin, finish in glossed.edits:
        said = glossed.text[first:last]
        if not of or not of.isdisjoint(said.split()):
            made, at = f"{made}{text[at:begin]}{said}", finish
    return made + text[at:]


@cache
def asked_in(name: str) -> Asked:
    """How questions are asked in a language. Raises FileNotFoundError for one that has no file."""
    read = read_toml(FILES / f"{name}.toml")
    ending = f"(?:{'|'.join(sorted(read['endings'].split(), key=len, reverse=True))})"
    labels = {each: item for item, every in labels_in(name).items() for each in every}
    ordered = sorted(labels, key=len, reverse=True)
    groups = [
        *((f"m{at}", pattern, english) for at, (pattern, english) in enumerate(read["measures"].items())),
        *((f"n{at}", _bent(label, ending), _called(labels[label])) for at, label in enumerate(ordered)),
        *((f"p{at}", pattern, english) for at, (pattern, english) in enumerate(read["phrases"].items())),
        *((f"w{at}", re.escape(word), english) for at, (word, english) in enumerate(_words(read["words"]))),
    ]
    whole = "|".join(f"(?P<{group}>{pattern})" for group, pattern, _ in groups)
    return Asked(
        re.compile(rf"(?<![^\W_])(?:{whole})(?:(?<=')|(?![^\W_]))", re.I),
        {group: english for group, _, english in groups},
        frozenset(group for group, _, _ in groups if group[0] in "mn"),
    )


def _called(item: str) -> str:
    """How people call a line item in English."""
    words = item.replace("_", " ")
    named = find_line_item(words)
    return words if named is not None and named.name == item else line_items()[item].labels[0]


@cache
def _english() -> frozenset[str]:
    """The words of the English names of line items."""
    return _words_in(" ".join(label for item in line_items().values() for label in item.labels))


def _words_in(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _words(said: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Each word with the English for it; the longest first."""
    every = ((word, english) for english, words in said.items() for word in words.split())
    return iter(sorted(every, key=lambda each: -len(each[0])))


def _bent(label: str, ending: str) -> str:
    """A pattern of a label, whose words may end otherwise: of `Operatives Ergebnis` also `operativen Ergebnisses`."""
    return r"[ -]+".join(_stem(word, ending) for word in re.split(r"[ -]+", label) if word)


def _stem(word: str, ending: str) -> str:
    bare = re.sub(f"{ending}$", "", word) if len(word) > _LONG else word
    return f"{re.escape(bare)}{ending}?{ending}?" if len(bare) >= _LONG and word.isalpha() else re.escape(word)
