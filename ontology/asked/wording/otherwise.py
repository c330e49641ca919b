"""A question in other words of its own: what it says twice is said once, and its verb is left out."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from itertools import chain, pairwise

from tieout.data.printed.pattern import later
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.asked.several import dated_as
from tieout.ontology.asked.when import YEAR, read_when
from tieout.ontology.asked.wish import plainer
from tieout.ontology.labels.lexicon import singular

_BRACKET = later(r"\s*\((?P<inside>[^()]{3,60})\)")
_WORD, _STAYS, _NAME = later(r"\S+"), later(r"\d|^[A-Z]|[?,;:]"), later(r"(?<=\S )[A-Z][\w&.'’-]*")
_APPOSED = later(
    r"\b(?P<head>(?:[Tt]he|[Ii]ts|[Tt]heir|an?|of|for) )"
    r"(?P<kind>(?!(?:the|its|their|an?) )(?:[a-z-]+ ){1,3})(?=[A-Z][a-z])"
)
_TOKEN = later(r"[^\s(),;:?!]+|[(),;:?!]")
MOST_TRIED = 8
MOST_REPLACED = 8  # words that what stands in brackets behind them may be another name of


def otherwise(question: str, printed: Container[str]) -> Iterator[str]:
    """A question as it may be asked too, the nearest to it first. printed: the words of the lines of the report."""
    alone = (plainer, _in_brackets, _clauses, _without_kinds)
    made = dict.fromkeys((*chain.from_iterable(way(question) for way in alone), *_without_verb(question, printed)))
    yield from [text for text in made if text != question][:MOST_TRIED]


def _in_brackets(question: str) -> Iterator[str]:
    """A question with what it says in brackets in the place of the words before them, and without it; a name or a
    number before them stays."""
    function = language().words["function"]
    for found in _BRACKET.finditer(question):
        inside, before, after = found["inside"], question[: found.start()], question[found.end() :]
        if language().forms["a bracket that narrows"].search(inside) or YEAR.search(inside):
            continue
        yield f"{before} {after.lstrip()}"
        last: re.Match[str] | None = None
        for word in [*reversed([*_WORD.finditer(before)][-MOST_REPLACED:]), None]:
            is_end = word is None or _STAYS.search(word[0]) is not None
            if last is not None and (is_end or (word is not None and word[0].lower() in function)):
                yield f"{before[: last.start()]}{inside}{after}"
            if is_end:
                break
            last = word if word is not None and word[0].lower() not in function else None


def _clauses(question: str) -> Iterator[str]:
    """A question without where to look, and each of its clauses alone, at the time of the whole, where the others name
    nothing that it does not."""
    whole = question.rstrip(" ?!.")
    when = read_when(whole, language().cues_of(whole.lower()))
    if (plain := language().forms["where it is told"].sub("", whole)) != whole:
        yield plain
    pieces = [piece for piece in language().forms["between clauses"].split(whole) if piece]
    for piece in pieces if len(pieces) > 1 else ():
        others = [other for other in pieces if other is not piece]
        is_all = all(name in piece for other in others for name in _NAME.findall(other))
        if find_measures(piece.lower()) and is_all and all(map(_asks, others)):
            yield dated_as(piece, whole, when)


def _asks(clause: str) -> bool:
    """Whether a clause names a measure, or begins as a question does, and is not what all is asked of."""
    return bool(find_measures(clause.lower())) or language().forms["a whole question"].match(clause.lower()) is not None


def _without_kinds(question: str) -> Iterator[str]:
    """A question without what it says of what kind something is that it calls by its name: `the pill Alderin`, `pet
    food`."""
    known = language().words
    kept = _APPOSED.sub(lambda found: found["head"] if _names_nothing(found["kind"]) else found[0], question)
    yield kept
    yield " ".join(
        word
        for before, word in pairwise(["", *kept.split()])
        if before.lower() in {"", *known["function"]} or word.lower().strip(",.?") not in known["of a kind"]
    )


def _names_nothing(said: str) -> bool:
    """Whether words are neither of grammar nor of a time, and none of them is measured."""
    known = language().words
    return (known["function"] | known["of time"]).isdisjoint(said.split()) and not find_measures(said)


def _without_verb(question: str, printed: Container[str]) -> Iterator[str]:
    """A question without the verb of what somebody did, where no line of the report has that word."""
    known = language().words
    tokens = list(_TOKEN.finditer(question))
    at = next((i for i, each in enumerate(tokens) if each[0].lower() in ("did", "does", "do")), len(tokens))
    for number in range(at + 2, len(tokens)):
        word, before = tokens[number][0], tokens[number - 1][0].lower()
        behind = tokens[number + 1][0].lower() if number + 1 < len(tokens) else "?"
        is_word = word.isalpha() and word.islower() and word not in known["function"] | known["asking"]
        if not is_word or before in known["function"] or singular(word) in printed:
            continue
        if behind in known["function"] or not behind.isalpha():
            start, end = tokens[number].start(), tokens[number].end()
            yield f"{question[:start]}{question[end:].lstrip()}"
            break
