"""Two runs over the same turns: the difference of a rate, its interval, and whether chance alone would explain it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

_RESAMPLES = 2000
_SEED = 20220101  # any fixed one: the same two runs always give the same interval


@dataclass(frozen=True, slots=True)
class Paired:
    """Turns that both runs have. gained: wrong in the first and right in the second; lost: the other way round."""

    n: int
    first: int
    second: int
    gained: int
    lost: int

    @property
    def difference(self) -> float:
        """The rate of the second less that of the first; 0 where there is no turn."""
        return (self.second - self.first) / self.n if self.n else 0.0

    @property
    def p_value(self) -> float:
        """Of McNemar's exact test: how likely so lopsided flips, or more, are when neither run is better.

        McNemar (1947), Note on the sampling error of the difference between correlated proportions, Psychometrika
        12(2), 153-157, as the two-sided binomial test over the turns that flipped.
        """
        flips = self.gained + self.lost
        tail = sum(comb(flips, few) for few in range(min(self.gained, self.lost) + 1))
        return min(1.0, float(Fraction(2 * tail, 2**flips)))


def paired(outcomes: Sequence[tuple[bool, bool]]) -> Paired:
    """The counts of pairs: right in the first run, right in the second."""
    return Paired(
        n=len(outcomes),
        first=sum(first for first, _ in outcomes),
        second=sum(second for _, second in outcomes),
        gained=sum(second and not first for first, second in outcomes),
        lost=sum(first and not second for first, second in outcomes),
    )


def bootstrap(by_conversation: Mapping[str, Sequence[tuple[bool, bool]]]) -> tuple[float, float]:
    """The 95% percentile interval of the difference, resampling whole conversations: turns of one hang together.

    Efron and Tibshirani (1993), An introduction to the bootstrap, section 13.3; 2,000 resamples from a fixed seed.
    """
    counts = [paired(outcomes) for _, outcomes in sorted(by_conversation.items())]
    if not counts:
        return 0.0, 0.0
    draw = random.Random(_SEED)
    differences = []
    for _ in range(_RESAMPLES):
        chosen = draw.choices(counts, k=len(counts))
        turns = sum(each.n for each in chosen)
        differences.append(sum(each.second - each.first for each in chosen) / turns)
    differences.sort()
    edge = round(0.025 * _RESAMPLES)
    return differences[edge], differences[-1 - edge]
