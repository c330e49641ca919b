"""Words that are misspelt: read as the nearest word of our lists, where that makes a measure of them.

A word that is none of ours is as a rule one of the report's. It is taken for a slip only where another letter makes it
part of a measure, or where two neighbouring letters of a word of grammar stand the wrong way round (`waht`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from tieout.agent.question.language import language
from tieout.agent.question.measures import find_measures
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

SHORTEST, LONG = 5, 8  # letters of a word that may have one slip, and of one that may have two
MOST_SLIPS = 2
LONGEST = 40  # letters of what may be a word
CERTAIN = 8  # letters of a word that is another one, though it has another letter in place of one
_WORD = re.compile(r"[a-z]+")


def respelled(lower: str, text: str) -> tuple[str, tuple[tuple[str, str], ...]]:
    """A question with its slips put right, and which word is read as which. text: the question as it was typed, in
    which names have capitals."""
    odd = [word for word in dict.fromkeys(_WORD.findall(lower)) if _is_odd(word) and word in text]
    taken = {word: read for word in odd if (read := _of_grammar(word)) is not None}
    near = {word: found for word in odd if word not in taken and (found := _nearest(word))}
    together = {word: found[0] for word, found in near.items()}
    if together and _names_more(lower, together):
        taken |= together
    else:
        for word, found in near.items():
            if (read := next((each for each in found if _names_more(lower, {word: each})), None)) is not None:
                taken[word] = read
    return _put(lower, taken), tuple((word, taken[word]) for word in odd if word in taken)


def _is_odd(word: str) -> bool:
    return SHORTEST - 1 <= len(word) <= LONGEST and _known().isdisjoint((word, singular(word), f"{word}s"))


def _put(lower: str, taken: Mapping[str, str]) -> str:
    return _WORD.sub(lambda match: taken.get(match[0], match[0]), lower)


def _names_more(lower: str, taken: Mapping[str, str]) -> bool:
    """Whether a question names a measure that has all these words, and that it does not name as it was typed."""
    named = {each.name for each in find_measures(lower)}
    new = [each for each in find_measures(_put(lower, taken)) if each.name not in named]
    return all(any(read in each.said for each in new) for read in taken.values())


def _of_grammar(word: str) -> str | None:
    """The word of grammar, or of asking, in which two neighbouring letters stand the other way round."""
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    known = language().words
    return next((each for each in swapped if each in known["function"] or each in known["asking"]), None)


def _nearest(word: str) -> list[str]:
    """The words of measures that are nearest to a word, the nearest first."""
    slips = 0 if len(word) < SHORTEST else 1 if len(word) < LONG else MOST_SLIPS
    found = process.extract(word, _of_measures(), scorer=OSA.distance, score_cutoff=slips, limit=3) if slips else []
    return [str(each) for each, _, _ in found if _is_slip(word, str(each))]


def _is_slip(word: str, read: str) -> bool:
    """Whether a word is another one mistyped. One of few letters that has another letter in place of one is as a rule
    another word (`basis`, `basic`); none begins with another letter (`earning`, `gearing`)."""
    is_other = len(word) == len(read) and sorted(word) != sorted(read)
    return word[0] == read[0] and not (is_other and len(word) < CERTAIN)


@lru_cache(maxsize=1)
def _of_measures() -> tuple[str, ...]:
    """The words of all labels of measures."""
    items = [label for item in line_items().values() for label in item.labels]
    labels = [*items, *(label for metric in metrics().values() for label in metric.labels)]
    return tuple(sorted({word for label in labels for word in _WORD.findall(label.lower())}))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_of_measures()).union(*language().words.values())
