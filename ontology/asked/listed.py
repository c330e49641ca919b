"""A question for the names of several, `what are its segments?`, and the sentence that names them one by one.

Such a sentence says beside them what they are, and often how many: `two of 14 departments: Paint and Lumber`, `sold to
Dell, HP and Lenovo, our three largest customers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.labels.lexicon import singular

MOST_WORDS = 7  # of what is asked for, and of each name
COUNTED = 0.2  # what it counts beside the words of a question that a sentence names as many as it says
ASIDE = 12  # words between what they are, and how many, and names that are as many
BETWEEN = 3  # words between names and what they are, which stands behind them
_WORD = re.compile(r"[^\s,;:?!()]+")
_REMARK = re.compile(r" ?(?:\([^()]*\)|\[[^\[\]]*\])|[®™“”\"*]|<[^<>]*>")
_CAPITAL = r"(?:\(?\d{1,2}\)? )?(?:[A-Z][\w.&’'/+-]*|\d[\w.-]*[A-Za-z]\w*)"
_NAME = rf"{_CAPITAL}(?: (?:(?:of|for|the|&|de) )*(?:{_CAPITAL}))*"
_LONG = rf"{_NAME}(?: (?:and|or) {_NAME})*"
_RUN = later(rf"{_NAME}(?:, {_NAME})*,? (?:and|or|&) {_NAME}")
_BEFORE = re.compile(r"^(?:(?:and|or|&) )?(?:the |our )?(?:\(?(?:\d{1,2}|[a-z]|[ivx]+)[.)] )?")


@dataclass(frozen=True, slots=True)
class Listed:
    """The names of what a question asks for. of: what they are, in the singular; called: as it says that; many: how
    many, 0 where it does not say; rest: the question without what asks, and whose they are. has_figures: a figure is
    asked for beside each; is_told: it tells somebody to name them, or asks who they are."""

    of: str
    called: str
    many: int
    rest: str
    has_figures: bool
    is_told: bool


@dataclass(frozen=True, slots=True)
class Names:
    """What a sentence names one by one. is_counted: it says itself how many, or as many as are asked for; is_open: it
    says that there may be more of them."""

    names: tuple[str, ...]
    is_counted: bool
    is_open: bool

    @property
    def is_sure(self) -> float:
        """How likely they are all that there are: 0 to 1."""
        return 1.0 if self.is_counted else 0.0 if self.is_open else 0.5


@lru_cache(maxsize=1024)
def names_asked(lower: str) -> Listed | None:
    """What a question, in lower case, wants the names of; None where it asks for no names."""
    forms, known = language().forms, language().words
    asks = forms["asks for names"].match(lower)
    if asks is None:
        return None
    said = list[str]()
    for word in _WORD.findall(lower[asks.end() :])[: MOST_WORDS + 1]:
        if word in known["function"]:
            break
        said.append(word)
        if said[1:] and singular(said[-2]) != said[-2] and singular(word) == word:
            said.pop()  # `which companies supply ...`
            break
    many = next(filter(None, map(_number, said)), 0)
    if not said or singular(said[-1]) == said[-1] or said[-1].endswith("'s") or said[-1] in known["no names"]:
        return None
    is_sure = asks["are"] is None or many > 1 or forms["is named"].search(" ".join(said))
    is_measured = any(each.start < asks.end() + len(" ".join(said)) for each in find_measures(lower))
    if is_measured or not is_sure:
        return None
    has_figures = forms["figures beside names"].search(lower) is not None
    return Listed(singular(said[-1]), said[-1], many, lower[asks.end() :], has_figures, asks["which"] is None)


def names_alone(lower: str) -> Listed | None:
    """As `names_asked`, of a question that wants no figure beside them."""
    listed = names_asked(lower)
    return None if listed is None or listed.has_figures else listed


def _number(word: str) -> int:
    """The number that a word says, 0 for none."""
    return language().numbers.get(word) or (int(word) if word.isdigit() and len(word) < 3 else 0)


def names_in(listed: Listed, sentence: str) -> Names | None:
    """The names of what is asked for that a sentence has one beside the other: as many as are asked for before others,
    of those the most; None where it has none."""
    found = [each for each in _found(listed, " ".join(_REMARK.sub("", sentence).split())) if len(each.names) > 1]
    found = [each for each in found if listed.many in (0, len(each.names))]
    return max(found, key=lambda each: (each.is_counted, len(each.names)), default=None)


def likeliest(listed: Listed, sentences: Iterable[tuple[int, str, float]]) -> tuple[Names, str, float] | None:
    """What the sentence names that has most of the words of a question, of those that name what is asked for; with it,
    and the share of the words that it has. None where none does. sentences: each with its number, and
    that share."""
    found = [(names, text, share) for _, text, share in sentences if (names := names_in(listed, text)) is not None]
    return max(found, key=lambda each: (each[2] + COUNTED * each[0].is_sure, len(each[0].names)), default=None)


def _found(listed: Listed, text: str) -> Iterator[Names]:
    forms = language().forms
    for noun in _called(listed.of).finditer(text):
        lead = forms["leads to names"].match(text, noun.end())
        counted = {listed.many} - {0} | {*_counts(text[: noun.start()])}
        if lead is not None:
            names = tuple(_behind(text[lead.end() :], is_led=bool(lead["led"].strip())))
            yield Names(names, len(names) in counted, forms["names some"].search(lead[0]) is not None)
        for run in _RUN.finditer(text, 0, noun.start()):
            if len(text[run.end() : noun.start()].split()) <= BETWEEN:
                names = tuple(_apart(run[0]))
                yield Names(names, len(names) in counted, False)
        for run in _RUN.finditer(text, noun.end()) if counted else ():
            names = tuple(_apart(run[0]))
            if len(names) in counted and len(text[noun.end() : run.start()].split()) <= ASIDE:
                yield Names(names, True, False)
    if forms["of countries"].search(listed.of):
        for run in _RUN.finditer(text):
            names = tuple(_apart(run[0]))
            if all(map(forms["a place"].search, names)):
                yield Names(names, listed.many == len(names), False)


def _counts(before: str) -> Iterator[int]:
    """How many a sentence says right before what they are: `four of our 14 departments`."""
    yield from filter(None, map(_number, before.lower().split()[-MOST_WORDS:]))


def _behind(text: str, *, is_led: bool) -> Iterator[str]:
    """The names behind what they are, up to what goes on from there; is_led: something leads to them, so that they may
    be written small."""
    text = language().forms["names end"].split(text, maxsplit=1)[0]
    joint = ";" if text.count(";") > 1 or (";" in text and "," not in text) else ","
    parts = [each.strip() for each in text.split(joint)]
    is_clear = joint == ";" or re.match(r"(?:and|or|&) ", parts[-1]) is not None  # names may have an `and` themselves
    if not is_clear:
        parts[-1:] = re.split(r" (?:and|or) ", parts[-1], maxsplit=1)
    for part in parts:
        name = _BEFORE.sub("", part)
        own = re.match(_LONG if is_clear else _NAME, name)
        if own is None and not (is_led and name and len(name.split()) <= MOST_WORDS and name[0].isalpha()):
            return
        yield own[0] if own is not None else name
        if own is not None and own.end() < len(name) and joint == "," and not is_led:
            return


def _apart(run: str) -> list[str]:
    """The names of a run of them: `Dell, HP and Lenovo`."""
    first = [each.strip() for each in run.rstrip(".").split(",")]
    last = re.sub(r"^(?:and|or|&) ", "", first[-1])
    return [*first[:-1], *([last] if last != first[-1] else re.split(r" (?:and|or|&) ", last, maxsplit=1))]


@lru_cache(maxsize=256)
def _called(of: str) -> re.Pattern[str]:
    ending = rf"{re.escape(of[:-1])}(?:y|ies)" if of.endswith("y") else rf"{re.escape(of)}(?:e?s)"
    return re.compile(rf"\b{ending}\b", re.IGNORECASE)
