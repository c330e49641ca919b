"""Words that are misspelt, or cut short: read as those of our lists or of a report that they stand for.

A word that nothing accounts for is as a rule one of the report's. It is taken for the short form of its company or of
words of its labels (`exp`, `gos`); else, where the report has it nowhere, for a slip of a word of them or of a measure
(`invtry`), or of a word of grammar of which two neighbouring letters stand the wrong way round (`waht`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache

from tieout.agent.question.language import language
from tieout.agent.question.question import Question
from tieout.data.printed.pattern import later
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.labels.mistyped import mistyped
from tieout.ontology.labels.shortened import stands_for_name, written_out
from tieout.ontology.metrics.line_item import line_items
from tieout.ontology.metrics.metric import metrics

Words = Collection[str]
Slips = tuple[tuple[str, str], ...]
LONGEST = 40  # letters of what may be a word
_WORD = later(r"[a-z]+(?:&[a-z]+)?")
_TYPED = later(r"(?<![\w&'’.-])[A-Za-z]+(?:&[A-Za-z]+)?(?![\w&'’-])")


def as_printed(
    asked: Question, labels: Callable[[], Words], has: Callable[[str], bool], names: Words
) -> tuple[str, Slips]:
    """A question with the words that a report has nowhere put right, or written out, by its labels, and which word is
    read as which.

    labels: of the report. has: whether it has a word anywhere. names: of its company, by which its ticker is short."""
    known = language()
    typed = [word for word in dict.fromkeys(_TYPED.findall(asked.text)) if singular(word.lower()) in asked.open]
    odd = [word for word in typed if _is_odd(word.lower())]
    found = {word: name for word in odd for name in names if stands_for_name(word.lower(), [name])}
    left = [word for word in odd if word not in found]
    printed = sorted(labels()) if left else []
    beside = {singular(each) for each in _WORD.findall(asked.lower)} - known.words["function"]
    words = {word for label in printed for word in _WORD.findall(label.lower())}
    for word, is_last in ((each, is_last) for is_last in (False, True, False) for each in left):  # by what others are
        own, others = word.lower(), beside - {singular(word.lower())}
        is_name = word.istitle() and asked.writes_as_name(own)
        read = None if own in words or is_name else written_out(word, others, printed)
        read = read or (None if is_name else known.cut.get(own))
        if read is None and is_last and own not in words and not has(word):
            read = _of_grammar(own) or mistyped(own, sorted({*words, *_of_measures()}))
            read = read or (None if "&" in own else written_out(word, others, _labels_of_measures()))
        if read is not None and word not in found:
            found[word] = read
            beside |= {singular(each) for each in read.split()}
    slips = tuple(each for each in found.items() if each[1] not in names)
    return _TYPED.sub(lambda match: found.get(match[0], match[0]), asked.text), slips


def _is_odd(word: str) -> bool:
    return 1 < len(word) <= LONGEST and (
        word in language().cut or _known().isdisjoint((word, singular(word), f"{word}s"))
    )


def _of_grammar(word: str) -> str | None:
    """The word of grammar, or of asking, in which two neighbouring letters stand the other way round."""
    swapped = (word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in range(len(word) - 1))
    known = language().words
    return next((each for each in swapped if each in known["function"] or each in known["asking"]), None)


@lru_cache(maxsize=1)
def _of_measures() -> tuple[str, ...]:
    """The words of all labels of measures."""
    return tuple(sorted({word for label in _labels_of_measures() for word in _WORD.findall(label.lower())}))


@lru_cache(maxsize=1)
def _labels_of_measures() -> tuple[str, ...]:
    items = [label for item in line_items().values() for label in item.labels]
    return (*items, *(label for metric in metrics().values() for label in metric.labels))


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_of_measures()).union(*language().words.values())
