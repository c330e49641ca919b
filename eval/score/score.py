"""One answer against the gold one under three rules, and rates of them with their n and interval.

With the same stored answers the rule alone moves accuracy by twenty points, so a rate names its rule, n and interval.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Context, Decimal
from enum import StrEnum
from math import sqrt

Answer = Decimal | bool | None  # what a run says: an amount, a truth, or nothing

# Enough digits that neither a quotient of 60 digits nor a product with 100 is rounded before it is compared.
_EXACT = Context(prec=120)
_HALF_OF_THE_FIFTH_DECIMAL = Decimal("0.000005")
_HUNDRED = Decimal(100)
_NEAR_ZERO = Decimal("0.0001")
_Z = 1.959963984540054  # the 97.5% quantile of the normal distribution, for intervals of 95%


class Rule(StrEnum):
    """How equal an answer has to be to the gold one.

    STRICT: the official execution accuracy of ConvFinQA (Chen et al. 2022): equal after rounding to 5 decimals.
    MAIN: within 0.5% of it, or within 0.0001 for amounts about zero; 14.2 and 0.142 are the same; the sign counts.
    LENIENT: within 1%, and the sign does not count. For diagnosis only.
    """

    STRICT = "strict"
    MAIN = "main"
    LENIENT = "lenient"


RULES = tuple(Rule)


def correct(rule: Rule, answer: Answer, gold: Decimal | str) -> bool:
    """Whether the answer is right. gold: an amount, or `yes` or `no`, which only a truth matches, under every rule."""
    if answer is None:
        return False
    if isinstance(gold, str) or isinstance(answer, bool):
        return isinstance(answer, bool) and gold == ("yes" if answer else "no")
    if not answer.is_finite():
        return False
    if rule is Rule.STRICT:
        return _equal_rounded(answer, gold)
    if rule is Rule.MAIN:
        return _near(answer, gold, Decimal("0.005"))
    return _near(answer.copy_abs(), gold.copy_abs(), Decimal("0.01"))


def _equal_rounded(answer: Decimal, gold: Decimal) -> bool:
    """Equal after rounding to 5 decimals. The official rounding is of binary floats, where a tie falls either way."""
    rounded = gold.quantize(Decimal("0.00001"), context=_EXACT)
    return _EXACT.subtract(answer, rounded).copy_abs() <= _HALF_OF_THE_FIFTH_DECIMAL


def _near(answer: Decimal, gold: Decimal, tolerance: Decimal) -> bool:
    """Within a share of gold, of a hundred times gold, or of a hundredth of it, or within 0.0001 of gold itself."""
    if _EXACT.subtract(answer, gold).copy_abs() <= _NEAR_ZERO:
        return True
    targets = (gold, _EXACT.multiply(gold, _HUNDRED), _EXACT.divide(gold, _HUNDRED))
    return any(
        _EXACT.subtract(answer, target).copy_abs() <= _EXACT.multiply(target.copy_abs(), tolerance)
        for target in targets
    )


def scores(answer: Answer, gold: Decimal | str) -> dict[Rule, bool]:
    """Whether the answer is right, under each rule."""
    return {rule: correct(rule, answer, gold) for rule in RULES}


@dataclass(frozen=True, slots=True)
class Rate:
    """A share with what it was counted from. low, high: its 95% Wilson interval. All three are None when n is 0."""

    hits: int
    n: int

    @property
    def value(self) -> float | None:
        return self.hits / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        return wilson(self.hits, self.n) if self.n else None

    def __str__(self) -> str:
        if self.value is None or self.interval is None:
            return "- (n=0)"
        low, high = self.interval
        return f"{self.value:.1%} ({low:.1%} to {high:.1%}, n={self.n})"

    def numbers(self) -> dict[str, float | int | None]:
        """The same for JSON: hits, n, low and high."""
        low, high = self.interval or (None, None)
        return {"hits": self.hits, "n": self.n, "low": low, "high": high}


def rate(outcomes: Iterable[bool]) -> Rate:
    """How many of the outcomes are true."""
    values = list(outcomes)
    return Rate(sum(values), len(values))


def wilson(hits: int, n: int, z: float = _Z) -> tuple[float, float]:
    """The Wilson score interval of a proportion; n has to be above 0.

    Wilson, E. B. (1927), Probable inference, the law of succession, and statistical inference, JASA 22(158), 209-212,
    as in Brown, Cai and DasGupta (2001), Interval estimation for a binomial proportion, Statistical Science 16(2).
    """
    share = hits / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, centre - half), min(1.0, centre + half)
