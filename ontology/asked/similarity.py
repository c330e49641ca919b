"""How alike a question and the labels and sentences of a report are, as they are written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from tieout.ontology.asked.words import stems
from tieout.ontology.labels.alike import longest_run

MOST = 8  # words in a row: more of them tell no more
MOST_TEXTS = 20_000  # labels and sentences that stay prepared
REACH = 6.0  # words over which the nearness of a word to an amount halves


@lru_cache(maxsize=MOST_TEXTS)
def _stems_of(text: str) -> tuple[str, ...]:
    return tuple(stems(text))


@lru_cache(maxsize=MOST_TEXTS)
def run(sentence: str, asked: str) -> Mapping[str, float]:
    """The longest run that a sentence shares with a question in lower case, as such and as a share of the question,
    both from 0 to 1. Small words and numbers do not count, and do not break a run."""
    own = _stems_of(asked)
    longest = longest_run(own, _stems_of(sentence)) if own else 0
    return {"run": min(longest, MOST) / MOST, "run of all": longest / len(own)} if longest > 1 else {}


def coverage(wanted: Collection[str], there: frozenset[str], weight: dict[str, float]) -> float:
    """The share, by weight, of the wanted stems that the page knows and that are there; 0 where it knows none."""
    if there.isdisjoint(wanted):
        return 0.0  # as for most figures, and quickly said
    total = found = 0.0
    for each in wanted:
        telling = weight.get(each, 0.0)
        total += telling
        if each in there:
            found += telling
    return found / total if total else 0.0


def nearness(wanted: Collection[str], near: dict[str, float], weight: dict[str, float]) -> float:
    """As coverage, each stem found counting the less the farther it stands from the amount."""
    if near.keys().isdisjoint(wanted):
        return 0.0
    total = found = 0.0
    for each in wanted:
        telling = weight.get(each, 0.0)
        total += telling
        if each in near:
            found += telling / (1 + near[each] / REACH)
    return found / total if total else 0.0
