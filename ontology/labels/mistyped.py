"""Which of some words another one stands for: by a slip of the keyboard, or typed without its vowels.

A letter that is doubled, or not, is a slip of spelling in words of any length: `goodwil`, `fullfilment`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tieout.data.printed.pattern import later
from tieout.ontology.labels.lexicon import singular

SHORTEST, LONG = 5, 8  # letters of a word that may have one slip, and of one that may have two
MOST_SLIPS = 2
CERTAIN = 8  # letters of a word that is another one, though it has another letter in place of one
HEARD = 7  # the same where the two letters are heard alike
_ALIKE = ({*"aeiou"}, {*"cs"}, {*"sz"}, {*"iy"})  # letters that are taken for each other within a word: `expence`
MANY = 3  # consonants that no short form leaves out
DOUBLED = 4  # letters of a word that may have one letter of a pair, or a pair for a letter
_SHORT = later(r"[a-z][^aeiou]{2,}")  # a word without its vowels
_PAIR = later(r"(.)\1")


def mistyped(word: str, words: Collection[str]) -> str | None:
    """The one of some words for which another stands, by a slip, without its vowels or two of its letters; None where
    none or several."""
    if _SHORT.fullmatch(word):
        skipped = {each: _skipped(word, each) for each in words if each[:1] == word[0] and each[-1] == word[-1]}
        least = min(skipped.values(), default=MANY)
        near = [each for each, count in skipped.items() if count == least < MANY]
    else:
        near = near_words(word, words, 1) or (near_words(word[:-1], words, 1) if word.endswith("s") else [])
        near = near or [each for each in near_words(word, words) if is_inside(word, each)]
        near = [each for each in near if each[:-1] == word or not (each.startswith(word) or word.startswith(each))]
        near = near or [each for each in words if is_doubled_otherwise(word, each)]
    return near[0] if len({singular(each) for each in near}) == 1 else None


def is_doubled_otherwise(word: str, other: str) -> bool:
    """Whether two words differ by letters that only one of them has twice."""
    return word != other and len(word) >= DOUBLED and word[0] == other[0] and _once(word) == _once(other)


def _once(word: str) -> str:
    return _PAIR.sub(r"\1", word)


def _skipped(short: str, word: str) -> int:
    """How many consonants of a word its short form leaves out; MANY for a form of another word."""
    skipped = len(re.sub("(.)\\1", r"\1", re.sub("(?!^)[aeiou]", "", word))) - len(short)
    return skipped if is_inside(short, word) else MANY


def is_inside(short: str, word: str) -> bool:
    """Whether a word has all letters of a shorter one in their order."""
    letters = iter(word)
    return len(short) < len(word) and all(letter in letters for letter in short)


def near_words(word: str, words: Collection[str], most: int = MOST_SLIPS) -> list[str]:
    """The words that are nearest to another, the nearest first. most: slips in a long one."""
    slips = 0 if len(word) < SHORTEST else 1 if len(word) < LONG else most
    found = process.extract(word, words, scorer=OSA.distance, score_cutoff=slips, limit=3) if slips else []
    return [str(each) for each, _, _ in found if _is_slip(word, str(each))]


def _is_slip(word: str, read: str) -> bool:
    """Whether a word is another one mistyped. One of few letters that has another letter in place of one is as a rule
    another word (`basis`, `basic`); none begins with another letter (`earning`, `gearing`)."""
    is_other = len(word) == len(read) and sorted(word) != sorted(read)
    return word[0] == read[0] and not (is_other and len(word) < (HEARD if _sounds_alike(word, read) else CERTAIN))


def _sounds_alike(word: str, read: str) -> bool:
    """Whether two words of as many letters differ by one within them that is heard as the other."""
    other = [(at, {own, its}) for at, (own, its) in enumerate(zip(word, read, strict=True)) if own != its]
    return len(other) == 1 and other[0][0] < len(word) - 1 and any(other[0][1] <= each for each in _ALIKE)
