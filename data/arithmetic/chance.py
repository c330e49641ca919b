"""Scores and probabilities of what may be meant: log-linear sums, and what comes to the same taken together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

STEPS = 1024  # of the weight of a stem, a power of two, so that sums are exact and come out alike in any order
LEAST = 1e-4  # a probability is kept away from 0 and 1 by this much
Each = TypeVar("Each")


def dot(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """The weighted sum of features."""
    get, total = weights.get, 0.0
    for name, value in values.items():  # a loop: on the hottest path
        total += get(name, 0.0) * value
    return total


def log_softmax(scores: Sequence[float]) -> list[float]:
    """Log probabilities in proportion to exp(score)."""
    if not scores:
        return []
    most = max(scores)
    total = math.log(sum(map(math.exp, [score - most for score in scores]))) + most
    return [score - total for score in scores]


def softmax(scores: Sequence[float]) -> list[float]:
    """Probabilities in proportion to exp(score)."""
    return list(map(math.exp, log_softmax(scores)))


def alike(
    chances: Iterable[tuple[Each, float]], key: Callable[[Each], Any], least: float
) -> list[tuple[Any, Each, float]]:
    """Of those that come to the same the most probable, with the probability of all of them, most probable first.

    key: what one comes to, None for nothing. least: the probability below which one is left out."""
    best: dict[object, tuple[float, float, Each]] = {}
    for each, probability in chances:
        found = key(each) if probability >= least else None
        if found is None:
            continue
        total, most, kept = best.get(found, (0.0, 0.0, each))
        if probability > most:
            most, kept = probability, each
        best[found] = (total + probability, most, kept)
    ranked = sorted(best.items(), key=lambda item: -item[1][0])
    return [(found, kept, total) for found, (total, _, kept) in ranked]


def log_odds(probability: float) -> float:
    """The logarithm of the odds of a probability, kept away from those of 0 and 1."""
    kept = min(max(probability, LEAST), 1 - LEAST)
    return math.log(kept / (1 - kept))


def share_of(odds: float) -> float:
    """The probability of the logarithm of odds, to two decimals."""
    return round(1 / (1 + math.exp(-max(min(odds, 30.0), -30.0))), 2)


def along(knots: Sequence[tuple[float, float]], at: float) -> float:
    """The value at a point of the line through `knots`, points with their values in rising order; beyond them that of
    the nearest."""
    for (one, low), (other, high) in pairwise(knots):
        if one <= at < other:
            return low + (high - low) * (at - one) / (other - one)
    return knots[0][1] if at < knots[0][0] else knots[-1][1]


def weights_of(stems: Mapping[str, int], lines: int) -> dict[str, float]:
    """How telling each stem is. stems: in how many of so many lines each stands."""
    weight = {count: round(STEPS * math.log(1 + lines / count)) / STEPS for count in set(stems.values())}
    return {stem: weight[count] for stem, count in stems.items()}
