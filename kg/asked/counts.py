"""Which figure counts what a question asks the number of: in a row of a table, or right before its name in a sentence.

Money, rates, and numbers of something else are none; the number of all goes before that of a part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.fact import NUMERAL, Fact, FactKind
from tieout.kg.figure import amount_of, end_of, not_among, words_of, year_of
from tieout.kg.sense import is_of_sort
from tieout.ontology.asked.counts import alike, counting_words, pattern, things_counted, words_counted
from tieout.ontology.asked.language import language

BEFORE, BEHIND = 4, 5  # words around a number in a sentence among which stands what it counts
LEAST_PREFIX = 4
MOST_FAR = 2  # words beyond which something else is counted
_WORD = re.compile(r"[^\W\d_][\w&'’-]*|[,;.:()]")


class _Count(NamedTuple):
    """A figure that counts what is asked for. off: words at it that are of something else, and words of the question
    that stand only around it; far: those of them that say more than that there are some."""

    off: int
    far: int
    fact: Fact


def figures_counted(
    lower: str, open_: frozenset[str], facts: Sequence[Fact], years: Sequence[int]
) -> tuple[list[Fact], bool]:
    """The number that a question, in lower case, asks for, and whether no other may be meant; none where no figure has
    all its words. open_: its words; years: those that it names, else the latest time is meant."""
    things = things_counted(lower)
    words = words_counted(lower, open_) - things
    found = [each for fact in facts if things and (each := _count(fact, things, words)) is not None]
    last = max((end_of(each.fact) for each in found), default=date.min)
    timed = [each for each in found if (year_of(each.fact) in years if years else end_of(each.fact) == last)]
    if not timed:
        return [], False
    best = min(timed, key=lambda each: (each.off, -amount_of(each.fact)))
    if best.far > MOST_FAR:
        return [], False
    again = (each.fact for each in timed if each.fact.value == best.fact.value)  # in a table that says its scale
    return [max(again, key=lambda fact: fact.scale)], len(
        {amount_of(each.fact) for each in timed if each.off == best.off}
    ) == 1


def _count(fact: Fact, things: frozenset[str], words: frozenset[str]) -> _Count | None:
    """A figure as one that counts some things, with all these words around it; None where it does not."""
    if fact.unit in NOT_MEASURES or fact.entity_type == NUMERAL or amount_of(fact) % 1 or not fact.value > 0:
        return None
    at = _at(fact, things)
    if at is None or fact.unit == Unit.SHARES or not is_of_sort(fact, "count"):
        return None
    around = at | words_of(f"{fact.caption} {fact.heading} {' '.join(fact.parts)} {fact.context}")
    held, acts = counting_words("held"), counting_words("done")
    aside = {word for word in words if not _is_told(word, at)}
    if any(not _is_told(word, around) for word in aside - held):
        return None
    if any(not_among(alike(word) - acts, around) == alike(word) - acts for word in aside & acts):
        return None  # what was opened is said right at it; what is `pending` may be said elsewhere
    named = frozenset(each for word in words for each in alike(word))
    left = not_among(at, things | named | held | counting_words("idle") | language().words["function"])
    if any(not not_among(frozenset((word,)), acts) for word in left):
        return None
    return _Count(len(left) + len(aside), len(left) + len(aside - held), fact)


def _is_told(word: str, words: frozenset[str]) -> bool:
    """Whether a word is among some, by another name, or as the beginning of a longer one: `talc`, `talcum`."""
    names = alike(word)
    starts = tuple(each for each in names if len(each) >= LEAST_PREFIX)
    return not_among(names, words) != names or any(each.startswith(starts) for each in words if starts)


def _at(fact: Fact, things: frozenset[str]) -> frozenset[str] | None:
    """The words right at a figure, where it counts these things; None where it counts others."""
    if fact.kind is FactKind.TABLE:
        at = words_of(f"{fact.label} {'' if fact.period and fact.period.label == fact.header else fact.header}")
        over = words_of(f"{fact.section} {fact.caption} {fact.heading.rpartition('>')[2]}")
        is_moved = pattern("moved").search(f"{fact.label} {fact.header}") is not None
        return None if is_moved or not _is_of(things, at | over) else at
    if fact.kind is not FactKind.TEXT:
        return None
    before, behind = (_WORD.findall(text.lower()) for text in fact.around())
    ends = (at for at, word in enumerate(behind) if word in counting_words("joining") or not word[0].isalpha())
    behind = behind[: min(next(ends, BEHIND), BEHIND)]
    end = next((at for at, word in enumerate(behind) if _is_of(things, words_of(word))), None)
    near = before[-BEFORE:]
    near = near[max((at + 1 for at, word in enumerate(near) if not word[0].isalpha()), default=0) :]
    if end is not None and not _is_of(things, words_of(" ".join(near[-1:]))):  # no `iPhone 14`
        acts = (word for word in (*near, *behind) if not not_among(words_of(word), counting_words("done")))
        part = pattern("part").match(" ".join(_WORD.findall(fact.around()[1])[end + 1 :]))
        return words_of(" ".join([*near[-1:], *behind[: end + 1], *acts, part[0] if part else ""]))
    start = next((number for number, word in enumerate(near) if _is_of(things, words_of(word))), None)
    if start is None or {"count", "number"}.isdisjoint(near):
        return None
    return words_of(" ".join(near[max(0, start - 2) :]))


def _is_of(things: frozenset[str], words: frozenset[str]) -> bool:
    return not_among(things, words) != things
