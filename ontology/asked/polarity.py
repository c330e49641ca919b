"""Whether a sentence says yes or no to a question, by the words of the question that it has and what denies them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from tieout.ontology.asked.language import language
from tieout.ontology.asked.quoted import LONGEST, YES_OR_NO
from tieout.ontology.asked.words import stem

Hit = tuple[int, str, float]  # the number of a sentence, its text and the share of the words of a question that it has
Word = tuple[Collection[str], Collection[str], float]  # its forms, others that say the same here, and its weight

REACH = 4  # words before the first of a question at which a word still denies it, and behind the last for `zero`
# Of the words of a question in a clause: alone, and with the second share of them in what it stands under too.
LEAST_DENIED, LEAST_SAID = (0.65, 0.45, 0.7), (0.95, 0.6, 0.85)
LEAST_LIKELY, LIKELY = 0.6, 0.65  # of them in a clause that may say so, and how likely that is beside one that does
FEWEST = 2  # words that name something, of which one alone stands in many sentences
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_TOKEN = re.compile(r"[$€£]?\d[\d,.]*\d%?|[$€£]?\d|[a-z]+(?:['’][a-z]+)?")
_OPPOSITE = re.compile(r"(?:un|non)(?=[a-z]{4})")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a question asks. words: the stems of each word, those with others that say the same, and its weight.

    way: `up` or `down` where it asks for a move; is_open: the form of what may be, which tells nothing unless it asks
    for that itself (what is agreed may be to come); plain: its words of those that only deny that something matters."""

    words: tuple[tuple[frozenset[str], frozenset[str], float], ...]
    way: str
    is_open: str
    plain: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Clause:
    """What a clause has of a question. said, meant: the share of its words, and that with those that say the same;
    many: words that name something; is_denied: None where that is not known."""

    said: float
    meant: float
    many: int
    is_denied: bool | None


def told_of_it(
    words: Sequence[Word], question: str, years: Collection[int], hits: Iterable[Hit]
) -> tuple[str, str, float] | None:
    """`yes` or `no`, the sentence that says so, and how much of a question it says: 0 to 1. None where none does.

    question: in lower case, with these words and of these years; hits: sentences that have most of its words, the best
    first, each with the share that it has together with what it stands under."""
    asked, best, likely = _asked(words, question), ("", "", 0.0), ("", "", 0.0)
    for _, text, around in hits:
        said = set(map(int, _YEAR.findall(text)))
        if len(text) > LONGEST or (years and said and said.isdisjoint(years)):
            continue
        for is_so, share, is_sure in _says(asked, text.lower(), around):
            if is_sure and share > best[2] and (not is_so or said.issuperset(years)):
                best = YES_OR_NO[not is_so], text.strip(), share
            elif not is_sure and share > likely[2]:
                likely = YES_OR_NO[not is_so], text.strip(), share
    return best if best[2] else likely if likely[2] else None


def _asked(words: Sequence[Word], question: str) -> _Asked:
    times, way = language().words["of parts"], _way(question)
    moved = {word for found in language().cues[way].finditer(question) for word in found[0].split()} if way else set()
    read = [(_stems(forms), _stems(near), weight) for forms, near, weight in words if moved.isdisjoint(forms)]
    known = [(own, own | near, weight) for own, near, weight in read if own.isdisjoint(times)]  # a time said otherwise
    forms = language().forms
    is_open = (
        "" if forms["is open"].search(question) else "is unsure" if forms["is agreed"].search(question) else "is open"
    )
    return _Asked(tuple(known), way, is_open, language().words["denied aside"].intersection(question.split()))


def _stems(words: Collection[str]) -> frozenset[str]:
    return frozenset(stem(part) for each in words for part in each.split("-"))


def _says(asked: _Asked, sentence: str, around: float) -> Iterable[tuple[bool, float, bool]]:
    """What the clauses of a sentence say: whether it is so, with how much of a question that says, and whether that is
    all but sure; none of those that tell what only may be, or is to be found out."""
    forms = language().forms
    in_all = _read(asked, sentence).said
    for clause in forms["a clause ends"].split(sentence):
        went = _way(clause) if asked.way else ""
        if (asked.is_open and forms[asked.is_open].search(clause)) or (asked.way and not went):
            continue
        found = _read(asked, clause)
        if found.is_denied is None:
            continue
        is_denied = found.is_denied != (went != asked.way)
        is_by_word = is_denied and not asked.way  # what went the other way has to be the same as well
        share = found.meant if is_by_word else found.said
        alone, least, least_around = LEAST_DENIED if is_by_word else LEAST_SAID
        is_sure = share >= alone or (share >= least and around >= least_around and (in_all <= share or is_denied))
        if not is_sure and (asked.way or found.meant < LEAST_LIKELY or around < LEAST_LIKELY):
            continue
        is_vague = forms["is found out"].search(clause) or (asked.is_open and forms["is allowed"].search(clause))
        is_said = found.many >= FEWEST and not is_vague and forms["says something"].search(clause) is not None
        if is_denied or is_said:
            share = share if share >= alone else min(around, 1.0) if is_sure else found.meant * LIKELY
            yield not is_denied, share, is_sure


def _read(asked: _Asked, clause: str) -> _Clause:
    tokens = _TOKEN.findall(clause.replace("n't", " not").replace("n’t", " not"))
    stems = [*map(stem, tokens)]
    taken: set[int] = set()  # where words of the question are
    said, meant, many, opposites = 0.0, 0.0, 0, 0
    for own, near, weight in asked.words:
        at = {number for number, each in enumerate(stems) if each in near}
        opposed = {number for number, each in enumerate(stems) if not at and _OPPOSITE.sub("", each, count=1) in near}
        is_own = any(stems[number] in own for number in at)
        taken |= at | opposed
        said += weight * (is_own or bool(opposed))
        meant += weight * bool(at or opposed)
        many += weight >= 1 and bool(at or opposed)
        opposites += bool(opposed)
    whole = sum(weight for _, _, weight in asked.words) or 1.0
    is_denied = _is_denied(tokens, min(taken), max(taken), asked.plain) if taken else None
    is_denied = is_denied if is_denied is None else is_denied != bool(opposites % 2)
    return _Clause(said / whole, meant / whole, many, is_denied)


def _is_denied(tokens: Sequence[str], first: int, last: int, plain: frozenset[str]) -> bool | None:
    """Whether a clause denies what it says between its first word of a question and the last; None where it denies
    something else, or that it matters. plain: words of that which the question says too."""
    denies, zero, aside = (language().words[each] for each in ("denying", "nothing", "denied aside"))
    aside -= plain
    at = [number for number in range(max(0, first - REACH), last + 1) if tokens[number] in denies]
    at += [number for number in range(first, min(len(tokens), last + REACH + 1)) if tokens[number] in zero]
    if any(not aside.isdisjoint(tokens[number + 1 : number + REACH]) for number in at):
        return None
    return None if not at and not denies.isdisjoint(tokens[last + 1 :]) else bool(at)


def _way(text: str) -> str:
    """Whether a text says that something went `up` or `down`; "" where it says neither or both."""
    ways = [way for way in ("up", "down") if language().cues[way].search(text)]
    return ways[0] if len(ways) == 1 else ""
