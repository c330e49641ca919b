"""What a word that nothing accounts for may be, by what a report prints: a part of its company's name, letters that it
says what they stand for, a word of its labels or of a measure."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.ontology.labels.mistyped import is_doubled_otherwise, mistyped
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

Words = Collection[str]
LEAST_OF_NAME, MOST_LETTERS = 4, 6  # letters of a part of a company's name, and of what a report shortens to letters
WORD = later(r"[a-z]+(?:&[a-z]+)?")


@dataclass(frozen=True, slots=True)
class Printed:
    """What a report prints. labels: all of it. has: whether it has a word anywhere. names: of its company, by which its
    ticker is short. words: of its sentences, that begin as another does. defined: what it says letters stand for."""

    labels: Callable[[], Words]
    has: Callable[[str], bool]
    names: Words = ()
    words: Callable[[str], Words] = lambda _: ()
    defined: Callable[[str], str | None] = lambda _: None


def of_name(word: str, names: Words) -> str | None:
    """The word of a company's name that another one is without its last letter, or by a slip: `depo`, `colgte`."""
    own = [each for name in names for each in WORD.findall(name.lower()) if len(each) > len(word) >= LEAST_OF_NAME]
    return next((each for each in own if each[:-1] == word), None) or mistyped(word, own)


def of_letters(word: str, words: Words, report: Printed) -> str | None:
    """What a report says that letters stand for, where that is what it prints in its labels. words: of these."""
    said = report.defined(word.upper()) if 1 < len(word) <= MOST_LETTERS else None
    return said if said is not None and {*WORD.findall(said.lower())} <= {*words} else None


def is_of_same_stem(word: str, words: Words) -> bool:
    """Whether a word differs from one of others, or of a measure, by a letter that is doubled, or by its last letter
    alone: an index of stems takes the two for one."""
    others = (*words, *words_of_measures())
    return any(is_doubled_otherwise(word, each) or (each[:-1] == word and each[-1] not in "sd") for each in others)


@lru_cache(maxsize=1)
def words_of_measures() -> tuple[str, ...]:
    """The words of all labels of measures."""
    return tuple(sorted({word for label in labels_of_measures() for word in WORD.findall(label.lower())}))


@lru_cache(maxsize=1)
def labels_of_measures() -> tuple[str, ...]:
    """The labels of all line items and metrics."""
    items = [label for item in line_items().values() for label in item.labels]
    return (*items, *(label for metric in metrics().values() for label in metric.labels))
