"""What a short form stands for (`exp`, `mgn`, `gos`, `datacenter`), by the labels that have it written out: above all
by those that have the words which stand beside it too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.labels.mistyped import is_inside

LONGEST = 7  # letters of a short form of one word, or of the first letters of several
HALF = 4  # letters that one of two words has at the least of which a longer one is made
LEAST_LEFT_OUT = 2  # letters that the beginning of a word spares
MOST_SKIPPED = 2  # consonants that a form without vowels leaves out, one that has some of them fewer
LEAST = 3  # letters of a short form that no word beside it explains
MOST_LEFT = 4  # words of a label that a question need not have
MOST_OF_NAME = 8  # words of what a report shortens to letters
_WORD = later(r"[a-z]+(?:['’&][a-z]+)*")
_CONSONANTS = later(r"(?<=.)[aeiou]|(.)(?=\1)")  # what is left out to have them alone, each of two once
_CAPITALS = later(r"\b[A-Z]{2,}\b")
_SMALL = frozenset("a an and as at by for from in of on or the to with".split())
Read = tuple[int, int, str]  # words beside it that a label has, those of it that are left, and what it stands for


def written_out(typed: str, beside: Collection[str], labels: Iterable[str]) -> str | None:
    """What a short form stands for: what the labels that have most of the words beside it call so; None where none or
    several do. One in capitals has the first letters of several words.

    beside: the other words of a question, in the singular."""
    short = typed.lower()
    begun = (label for label in labels if may_have(short, label))
    found = [read for label in begun for read in _reads(short, beside, label, is_of_several=typed.isupper())]
    if not found:
        return None
    most = max((shared, -left) for shared, left, _ in found)
    often = Counter(singular(said) for shared, left, said in found if (shared, -left) == most)
    first = often.most_common(2)
    if len(first) > 1 and first[0][1] == first[1][1]:
        return None
    return next(said for shared, left, said in found if (shared, -left) == most and singular(said) == first[0][0])


def may_have(short: str, label: str) -> bool:
    """Whether a label may have what a short form stands for: words that begin as it does, or two that are one in it."""
    if len(short) <= LONGEST:
        return short[0] in _heads(label)
    lower = label.lower()
    return any(half in lower for half in (short[:HALF], short[-HALF:], short[-HALF - 1 : -1]))


def _reads(short: str, beside: Collection[str], label: str, *, is_of_several: bool) -> Iterator[Read]:
    told = _words(label)
    initials = _initials(short, label, told)
    for start, end in initials if is_of_several else (*_spans(short, told), *initials):
        others = {singular(word) for word in (*told[:start], *told[end:])} - _SMALL
        shared, left = len(others & {*beside}), len(others - {*beside})
        if (shared and left <= MOST_LEFT) or (not left and (is_of_several or len(short) >= LEAST)):
            yield shared, left, " ".join(told[start:end])


def _spans(short: str, told: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where the words of a label may be what a short form stands for."""
    for at, word in enumerate(told):
        if _shortens(short, word):
            yield at, at + 1
        if at + 1 < len(told) and short in (word + told[at + 1], word + told[at + 1] + "s"):
            yield at, at + 2


def _initials(short: str, label: str, told: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The words at the head of a label of which a short form has the first letters: all of what is in capitals there,
    `Data Center and AI`, and one for the `Group` that the label of a segment may leave out."""
    letters, capitals = short.replace("&", ""), frozenset(each.lower() for each in _CAPITALS.findall(label))
    for skipped in ((), _SMALL) if 1 < len(short) <= LONGEST and not label.isupper() else ():
        own = [at for at, word in enumerate(told) if word not in skipped and (at or word != "total")]
        heads = [told[at] if told[at] in capitals else told[at][0] for at in own]
        for count in range(1, len(own) + 1):
            is_group = count == len(own) > 1 and letters == "".join(heads) + "g"
            if letters == "".join(heads[:count]) or is_group:
                yield own[0], own[count - 1] + 1


def _shortens(short: str, word: str) -> bool:
    """Whether a short form is the beginning of a word, with its last letter or not, or the word without its vowels."""
    if not (1 < len(short) <= LONGEST and short[0] == word[0] and len(short) < len(word)):
        return False
    return any(_is_cut(each, singular(word)) for each in {short, singular(short)})


def _is_cut(short: str, word: str) -> bool:
    if word.startswith(short):
        return len(word) - len(short) >= LEAST_LEFT_OUT
    if len(short) > LEAST and _is_begun(short, word):
        return len(word) > len(short)
    own, plain = _CONSONANTS.sub("", short), _CONSONANTS.sub("", word)
    most = MOST_SKIPPED - (len(own) < len(short))
    return len(own) > 1 and own[-1] == plain[-1:] and is_inside(short, word) and len(plain) - len(own) <= most


def _is_begun(short: str, word: str) -> bool:
    return word.startswith(short[:-1]) and word.endswith(short[-1])  # `govt`


@lru_cache(maxsize=65_536)
def _words(label: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(label.lower()))


@lru_cache(maxsize=65_536)
def _heads(label: str) -> str:
    """The first letters of the words of a label."""
    return "".join([word[0] for word in _words(label)])


def stands_for_name(short: str, names: Iterable[str]) -> bool:
    """Whether a short form, in lower case, may be that of a name: the first letters of its words, or some of the first
    word in their order."""
    return any(_shortens_name(short, _words(name)) for name in names)


def are_initials_of(short: str, name: str) -> bool:
    """Whether letters, in lower case, are the first ones of the words of a name, two at the least."""
    return len(short) > 1 and "".join(word[0] for word in _words(name)).startswith(short)


def _shortens_name(short: str, told: tuple[str, ...]) -> bool:
    if not told or not 1 < len(short) <= LONGEST or short[0] != told[0][0]:
        return False
    if "".join(word[0] for word in told).startswith(short):
        return True
    return is_inside(short, told[0])


def defined_as(short: str, texts: Iterable[str]) -> str | None:
    """What a report says that letters stand for: `Data Center and AI (DCAI)`; None where none of these texts has it.
    A word in capitals gives all its letters."""
    pattern = re.compile(rf"((?:[\w.,&’'-]+ ){{1,{MOST_OF_NAME}}})\([“\"]?{re.escape(short)}[”\"]?\)")
    for match in (match for text in texts for match in pattern.finditer(" ".join(text.split()))):
        words = match[1].split()
        for start in range(len(words) - 1, -1, -1):
            own = [word for word in words[start:] if word.lower() not in {*_SMALL, "&"}]
            letters = "".join(word if word.isupper() and len(word) > 1 else word[:1] for word in own)
            if words[start][:1].isupper() and letters.replace(".", "").upper() == short:
                return " ".join(words[start:])
    return None
