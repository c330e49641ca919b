"""What is looked for to answer a question in reports: its own words, those by which reports say the same, its years."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from tieout.agent.question.question import Question
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import find_periods
from tieout.data.system.compile_cache import read_toml
from tieout.kg.index.telling import Wanted
from tieout.ontology.asked.language import language
from tieout.ontology.asked.words import MONTHS, stem
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

FILE = Path(__file__).with_name("near.toml")
MOST_LABELS = 2  # of a measure that is named
_WORD = re.compile(r"[a-z0-9&]+(?:[-'][a-z0-9&]+)*")
ASKING, BINDING = 0.2, 1.5  # what a word counts that may only say how something is asked, and one that makes it another
_POSSESSIVE = re.compile(r"'s?$")
_DATED = re.compile(r"&|fye? ?['’]?\d*|q[1-4]|10-?[kq]|8-?k")


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for.

    asked: words of the question, without names of companies. own: those that not any question may have; near: the
    others, and what reports say instead. phrases: names of measures that it asks for. years: those it names, also as
    `FY2018`; parts: keys of parts of years.
    """

    asked: tuple[str, ...]
    own: tuple[str, ...]
    near: tuple[str, ...]
    phrases: tuple[str, ...]
    years: tuple[int, ...]
    parts: frozenset[str]


@dataclass(frozen=True, slots=True)
class Subject:
    """What questions in words are about. words: by which reports tell of it; under: headings of where they do."""

    asked: re.Pattern[str]
    words: tuple[str, ...]
    under: re.Pattern[str]


def subjects_of(question: Question, companies: Collection[str]) -> list[Subject]:
    """The subjects that a question is about. companies: as of `sought`."""
    plain = _WORD.sub(lambda word: "" if word[0] in companies else word[0], question.lower)
    return [each for each in _subjects() if each.asked.search(plain)]


def sought(question: Question, companies: Collection[str]) -> Sought:
    """What to look for. companies: words by which companies are called, in small letters: they stand everywhere."""
    text = f"{question.text.lower()} | {question.lower}"  # as it was typed, and as it is read
    known = language().words
    vague = known["common"] | known["weak"]
    asked = [word for word in question.search if word not in companies and not _DATED.fullmatch(word)]
    own = tuple(word for word in asked if word not in vague)
    words = _WORD.findall(text)
    said = {*words, *map(" ".join, pairwise(words))}
    near = dict.fromkeys(each for word, others in _file()["near"].items() if word in said for each in others.split())
    periods = [period for period, _, _ in find_periods(question.text)]
    return Sought(
        tuple(asked),
        own,
        tuple(word for word in dict.fromkeys((*asked, *near)) if word not in own),
        tuple(dict.fromkeys(label for each in question.named for label in _labels(each.name)[:MOST_LABELS])),
        tuple(dict.fromkeys((*question.years, *(each.year for each in periods if each.year is not None)))),
        frozenset(each.key for each in periods if not each.key.isdigit()),
    )


def telling_words(question: Question, companies: Collection[str]) -> list[Wanted]:
    """The words of which a sentence that answers a question has most, each with those that say the same in reports;
    those that say how something is asked, and years, count for less. companies: as of `sought`."""
    known, near = language(), _file()["near"]
    named = {form for word in companies for form in (word, f"{word}s", word.replace("'", ""))}
    manner = known.words["asking"] | known.words["of what is named"] | {*_file()["manner"]}
    manner |= frozenset() if question.form == "yes or no" else known.words["weak"]  # `a single customer`
    words: dict[str, Wanted] = {}
    for word in (_POSSESSIVE.sub("", each) for each in _WORD.findall(question.lower)):
        if (word in known.words["function"] and word not in near) or word in named or _DATED.fullmatch(word):
            continue
        base = known.same.get(word, word)
        forms = {word, base, known.short.get(word, word), *(one for one, other in known.same.items() if other == base)}
        opposed = tuple(map("un{}".format, sorted(forms))) if question.form == "yes or no" else ()
        others = {*near.get(word, "").split(), *opposed} - forms
        counts = ASKING if word in manner or word.isdigit() else BINDING if word in _file()["binding"] else 1.0
        is_name = counts == 1.0 and bool(companies) and question.writes_as_name(word) and word not in MONTHS
        words.setdefault(stem(word), Wanted(tuple(sorted(forms)), tuple(sorted(others)), counts, is_name, opposed))
    return [*words.values(), *(Wanted((f"{day:%B} {day.day} {day.year}",)) for day in question.when.days)]


@lru_cache(maxsize=20_000)
def may_be(text: str) -> bool:
    """Whether a text says what may happen, and not what did."""
    unsure = _file()["unsure"]
    return any(map(text.__contains__, unsure)) and not set(_WORD.findall(text)).isdisjoint(unsure)


def is_beside(title: str, own: Collection[str]) -> bool:
    """Whether what stands under this title answers hardly any question, and not one with these words either."""
    lower = title.lower()
    return any(each in lower and not set(each.split()) & set(own) for each in _file()["beside"]["headings"])


@lru_cache(maxsize=20_000)
def is_summary(title: str) -> bool:
    """Whether a title is that of the highlights of a report."""
    lower = title.lower()
    return any(each in lower for each in _file()["beside"]["highlights"])


def _labels(name: str) -> tuple[str, ...]:
    known = line_items().get(name) or metrics().get(name)
    return known.labels if known else ()


@lru_cache(maxsize=1)
def _subjects() -> tuple[Subject, ...]:
    return tuple(
        Subject(later(rf"\b(?:{each['asked']})\b"), tuple(each["words"].split()), later(each["under"], re.I))
        for each in _file()["subjects"].values()
    )


@lru_cache(maxsize=1)
def _file() -> Mapping[str, Any]:
    return read_toml(FILE)
