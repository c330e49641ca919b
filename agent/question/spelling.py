"""Words that are misspelt, or typed without vowels (`invtry`): read as the nearest word of our lists or of a report.

A word that is none of ours is as a rule one of the report's. It is taken for a slip only where another letter makes it
part of a measure, or where two neighbouring letters of a word of grammar stand the wrong way round (`waht`); and where
the report that is asked has it nowhere, and in its labels one that is as near as that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from tieout.agent.question.language import language
from tieout.agent.question.measures import find_measures
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.labels.mistyped import SHORTEST, mistyped, near_words
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

SHORTEST_PRINTED = 3  # letters of a word without its vowels
Words = Collection[str]
Slips = tuple[tuple[str, str], ...]
LONGEST = 40  # letters of what may be a word
_WORD = re.compile(r"[a-z]+")
_TYPED = re.compile(r"(?<![\w&'’.-])[A-Za-z]+(?![\w&'’-])")


def respelled(lower: str, text: str) -> tuple[str, Slips]:
    """A question with its slips put right, and which word is read as which. text: the question as it was typed, in
    which names have capitals."""
    odd = [word for word in dict.fromkeys(_WORD.findall(lower)) if _is_odd(word) and word in text]
    taken = {word: read for word in odd if (read := _of_grammar(word)) is not None}
    near = {word: found for word in odd if word not in taken and (found := near_words(word, _of_measures()))}
    together = {word: found[0] for word, found in near.items()}
    if together and _names_more(lower, together):
        taken |= together
    else:
        for word, found in near.items():
            if (read := next((each for each in found if _names_more(lower, {word: each})), None)) is not None:
                taken[word] = read
    return _put(lower, taken), tuple((word, taken[word]) for word in odd if word in taken)


def as_printed(text: str, left: Words, words: Callable[[], Words], has: Callable[[str], bool]) -> tuple[str, Slips]:
    """A question with the words that a report has nowhere put right by its labels, and which word is read as which.

    left: its words that nothing accounts for, in the singular. words: of the labels, in lower case; has: whether the
    report has a word anywhere."""
    typed = [word for word in dict.fromkeys(_TYPED.findall(text)) if singular(word.lower()) in left]
    odd = [word for word in typed if _is_odd(word.lower(), SHORTEST_PRINTED) and not has(word)]
    known = sorted({*words(), *_of_measures()}) if odd else []
    found = {word: read for word in odd if (read := mistyped(word.lower(), known)) is not None}
    return _TYPED.sub(lambda match: found.get(match[0], match[0]), text), tuple(found.items())


def _is_odd(word: str, least: int = SHORTEST - 1) -> bool:
    return least <= len(word) <= LONGEST and _known().isdisjoint((word, singular(word), f"{word}s"))


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


@lru_cache(maxsize=1)
def _of_measures() -> tuple[str, ...]:
    """The words of all labels of measures."""
    items = [label for item in line_items().values() for label in item.labels]
    labels = [*items, *(label for metric in metrics().values() for label in metric.labels)]
    return tuple(sorted({word for label in labels for word in _WORD.findall(label.lower())}))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_of_measures()).union(*language().words.values())
