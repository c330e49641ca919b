"""What a report in another language says, in the English words that are looked for in a report: one file a language.

>>> with reading_in("de"):
...     in_english("Geschäftsjahr zum 31. Dezember 2024"), in_english("Umsatzerlöse")
('year ended 31 december 2024', 'umsatzerlöse')
>>> language_of(["Der Umsatz stieg auf 5 Mio. EUR und das Ergebnis auf 1 Mio. EUR, wie im Vorjahr."])
'de'

Only what says when, how much and of what statement is put into English: months, periods, notes, headings. The names of
lines are known to `tieout.ontology.metrics`, and what is shown is always as printed.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from tieout.data.printed.pattern import later
from tieout.data.system.compile_cache import read_toml

ENGLISH = "en"
FILES = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in FILES.glob("??.toml")))
TITLES = {
    "IncomeStatement": "income statement",
    "ComprehensiveIncome": "statement of comprehensive income",
    "BalanceSheet": "balance sheet",
    "CashFlow": "cash flow statement",
    "EquityStatement": "statement of changes in equity",
}
_ENOUGH = 40_000  # characters of a report that tell its language
_FEWEST = 4  # words of a language, of which two are different
_TIMES = 2  # so many times more words than English has
_WORD = later(r"[^\W\d_]+")
_DAY_NUMBER = r"(?:3[01]|[12][0-9]|0?[1-9])"
_MARK = r"(?:\.|er|º|°|:e)?"  # of an ordinal number
_YEAR = r"(?:19|20)[0-9]{2}(?![0-9])"
_HOLE = later(r"\{day\}")
PLAIN = str.maketrans({"’": "'", "‘": "'", "´": "'", "`": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " "})


class Glossed(NamedTuple):
    """A text in English. edits: what was put in other words: its span in the English text and in the printed one."""

    text: str
    edits: tuple[tuple[int, int, int, int], ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where a span of the English text is printed."""
        return self._printed(start, is_end=False), self._printed(end, is_end=True)

    def _printed(self, at: int, *, is_end: bool) -> int:
        moved = 0
        for first, last, begin, finish in self.edits:
            if at < first or (is_end and at == first):
                break
            if at < last or (is_end and at == last):
                return finish if is_end else begin
            moved = finish - last
        return at + moved


@dataclass(frozen=True, slots=True)
class Language:
    """One language. told: words that it is told by. months: their English names, by each of their names. crowns: the
    currency that is called by no other name than that of crowns, "" for none."""

    told: frozenset[str]
    months: Mapping[str, str]
    crowns: str = ""


@dataclass(frozen=True, slots=True)
class Phrases:
    """How a language is put into English. pattern, said: what is put in other words, and in which, by the name of its
    group."""

    months: Mapping[str, str]
    pattern: re.Pattern[str]
    said: Mapping[str, str]

    def glossed(self, text: str) -> Glossed:
        """A text in lower case in English."""
        made: list[str] = []
        edits: list[tuple[int, int, int, int]] = []
        at = size = 0
        for match in self.pattern.finditer(text):
            if match.end() == match.start():
                continue
            new = self._in_english(match)
            made += [text[at : match.start()], new]
            begin = size + match.start() - at
            size = begin + len(new)
            edits.append((begin, size, match.start(), match.end()))
            at = match.end()
        return Glossed("".join((*made, text[at:])), tuple(edits)) if edits else Glossed(text)

    def _in_english(self, match: re.Match[str]) -> str:
        name = match.lastgroup or ""
        if name == "date":
            year = f" {match['year']}" if match["year"] else ""
            return f"{match['number']} {self.months[match['month']]}{year}"
        if name == "alone":
            return f"{self.months[match['of']]} "
        days = iter(value for key, value in match.groupdict().items() if key.startswith(f"{name}_") and value)
        return _HOLE.sub(lambda _: self.glossed(next(days, "")).text, self.said[name])


@cache
def _written(name: str) -> dict[str, Any]:
    return read_toml(FILES / f"{name}.toml")


@cache
def language(name: str) -> Language:
    """The language of this name. Raises FileNotFoundError for one that has no file."""
    read = _written(name)
    months = {each: english for english, names in read["months"].items() for each in names.split()}
    return Language(frozenset(read["told"].split()), months, read.get("crowns", ""))


@cache
def phrases_of(name: str) -> Phrases:
    """How a language is put into English: compiled where a report in it is read."""
    read, months = _written(name), language(name).months
    joins = read.get("joins", {})
    month = "|".join(sorted(map(re.escape, months), key=len, reverse=True))
    of_month = f"(?:{'|'.join(joins['month'].split())}) " if "month" in joins else ""
    of_year = f"(?:(?:{'|'.join(joins['year'].split())}) )?" if "year" in joins else ""
    day = rf"{_DAY_NUMBER}{_MARK} ?(?:{of_month})?(?:{month})\.?(?:,? {of_year}{_YEAR})?"
    patterns: list[str] = []
    said: dict[str, str] = {}
    phrases = {
        **read.get("phrases", {}),
        **{pattern: TITLES[kind] for kind, pattern in read.get("statements", {}).items()},
    }
    for number, (pattern, english) in enumerate(phrases.items()):
        name = f"p{number}"
        filled = _numbered(pattern, name, day)
        patterns.append(f"(?P<{name}>{filled.replace('{year}', _YEAR)})")
        said[name] = english
    patterns.append(
        rf"(?P<date>(?P<number>{_DAY_NUMBER}){_MARK} ?(?:{of_month})?(?P<month>{month})\b\.?"
        rf"(?:,? {of_year}(?P<year>{_YEAR}))?)"
    )
    patterns.append(rf"(?P<alone>(?P<of>{month})\.?,? {of_year}(?={_YEAR}))")
    whole = re.compile(rf"(?<![^\W_])(?:{'|'.join(patterns)})(?:(?<=[^\w])|(?![^\W_]))")
    return Phrases(months, whole, said)


def _numbered(pattern: str, name: str, day: str) -> str:
    """A phrase with a pattern of a day in each of its holes, a group of its own."""
    count = itertools.count()
    return _HOLE.sub(lambda _: f"(?P<{name}_{next(count)}>{day})", pattern)


_reading: ContextVar[str] = ContextVar("reading", default="")


@contextmanager
def reading_in(name: str) -> Iterator[str]:
    """Of what language the report is that is read inside: the name of a file beside this one."""
    token = _reading.set(name)
    try:
        yield name
    finally:
        _reading.reset(token)


def current_language() -> str:
    """The language of the report that is read now; English where none is read."""
    return _reading.get() or ENGLISH


def reading_language() -> str:
    """The language of the report that is read now; "" where none is read."""
    return _reading.get()


def is_reading() -> bool:
    """Whether a report is read now, so that its language is known."""
    return bool(_reading.get())


def gloss(text: str) -> Glossed | None:
    """A text in lower case with plain quotes and spaces, in English; None where an English report is read."""
    name = current_language()
    return None if name == ENGLISH else _glossed(name, text)


def in_english(text: str) -> str:
    """A text in lower case in English; the text itself, as it is, where an English report is read."""
    name = current_language()
    return text if name == ENGLISH else _glossed(name, text).text


@lru_cache(maxsize=4096)
def _glossed(name: str, text: str) -> Glossed:
    lower = text.lower()
    return phrases_of(name).glossed((lower if len(lower) == len(text) else text).translate(PLAIN))


def is_month(word: str) -> bool:
    """Whether a word is a month in the language of the report that is read now, or in English."""
    name = current_language()
    return word in language(ENGLISH).months or (name != ENGLISH and word.rstrip(".") in language(name).months)


@cache
def month_abroad() -> re.Pattern[str]:
    """What stands behind the number of a day: a month by its whole name, in any language but English."""
    names = {
        next(each for each, of in months.items() if of == english)  # the whole name stands in front of the short ones
        for months in (language(name).months for name in LANGUAGES if name != ENGLISH)
        for english in set(months.values())
    }
    return later(rf"\.? (?:de |di |d['’])?(?:{'|'.join(sorted(names, key=lambda name: (-len(name), name)))})\b")


def language_of(texts: Iterable[str]) -> str:
    """The language that a report is in, by the words of grammar that it has most of; English in doubt."""
    told: list[str] = []
    left = _ENOUGH
    for text in texts:
        told.append(text[:left])
        left -= len(text)
        if left <= 0:
            break
    counts = dict.fromkeys(LANGUAGES, 0)
    kinds = dict.fromkeys(LANGUAGES, 0)
    known = _told()
    for word, count in Counter(_WORD.findall("\n".join(told).lower())).items():
        for name in known.get(word, ()):
            counts[name] += count
            kinds[name] += 1
    best = max(LANGUAGES, key=lambda name: (counts[name], name == ENGLISH))
    is_sure = counts[best] >= _FEWEST and kinds[best] > 1 and counts[best] >= _TIMES * counts[ENGLISH]
    return best if is_sure else ENGLISH


@cache
def _told() -> Mapping[str, tuple[str, ...]]:
    """The languages by each of the words that they are told by."""
    found: dict[str, list[str]] = {}
    for name in LANGUAGES:
        for word in language(name).told:
            found.setdefault(word, []).append(name)
    return {word: tuple(names) for word, names in found.items()}
