"""Operations over any number of figures: the greatest, the middle one, the first above a limit, how many are;
of payments the net present value and the internal rate of return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

from tieout.data.arithmetic.operation import OperationError, register
from tieout.data.arithmetic.units import CONTEXT, count_of, one_scale, rate, same, spread_of


@register(
    "min",
    "",
    at_least=1,
    result=same,
    bring_to=one_scale,
    selects=True,
)
def least(*values: Decimal) -> Decimal:
    return min(values)


@register(
    "max",
    "",
    at_least=1,
    result=same,
    bring_to=one_scale,
    selects=True,
)
def greatest(*values: Decimal) -> Decimal:
    return max(values)


@register("median", "", at_least=1, result=same, bring_to=one_scale)
def median(*values: Decimal) -> Decimal:
    ordered = sorted(values)
    upper = ordered[len(ordered) // 2]
    return upper if len(ordered) % 2 else (ordered[len(ordered) // 2 - 1] + upper) / 2


@register("range", "", at_least=1, result=spread_of, bring_to=one_scale)
def spread(*values: Decimal) -> Decimal:
    return max(values) - min(values)


@register("standard_deviation", "", at_least=2, result=spread_of, bring_to=one_scale)
def standard_deviation(*values: Decimal) -> Decimal:
    """With n - 1 in the denominator, as STDEV.S of spreadsheets."""
    middle = mean(values)
    return CONTEXT.sqrt(sum(((value - middle) ** 2 for value in values), start=Decimal(0)) / (len(values) - 1))


@register(
    "rank",
    "of the first among all",
    at_least=2,
    result=count_of,
    bring_to=one_scale,
)
def rank(value: Decimal, *others: Decimal) -> Decimal:
    return Decimal(1 + sum(other > value for other in others))


@register("count", "", at_least=1, result=count_of)
def count(*values: Decimal) -> Decimal:
    return Decimal(len(values))


@register(
    "moving_average",
    "v1, v2, ..., n",
    at_least=2,
    result=same,
    bring_to=one_scale,
    pure=1,
)
def moving_average(*values: Decimal) -> Decimal:
    *series, window = values
    if window != window.to_integral_value() or not 1 <= window <= len(series):
        raise OperationError(
            f"moving_average: the window has to be a whole number from 1 to {len(series)}, not {window:f}"
        )
    return mean(series[len(series) - int(window) :])


@register(
    "percentile",
    "v1, v2, ..., p from 0 to 1",
    at_least=2,
    result=same,
    bring_to=one_scale,
    pure=1,
)
def percentile(*values: Decimal) -> Decimal:
    """Linear interpolation between the closest ranks (method 7 of Hyndman and Fan 1996, as in spreadsheets)."""
    *series, p = values
    if not 0 <= p <= 1:
        raise OperationError(f"percentile: p has to be from 0 to 1, not {p:f}")
    ordered = sorted(series)
    position = (len(ordered) - 1) * p
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


def mean(values: Sequence[Decimal]) -> Decimal:
    return sum(values[1:], start=values[0]) / len(values)


def _beyond(limit: Decimal, above: bool) -> Callable[[Decimal], bool]:
    return (lambda value: value > limit) if above else (lambda value: value < limit)


def _register_limits(side: str) -> None:
    above = side == "above"

    @register(
        f"count_{side}",
        "v1, v2, ..., limit",
        at_least=2,
        result=count_of,
        bring_to=one_scale,
    )
    def count_beyond(*values: Decimal) -> Decimal:
        return Decimal(sum(map(_beyond(values[-1], above), values[:-1])))

    def chosen(which: str, order: int) -> None:
        @register(
            f"{which}_{side}",
            "v1, v2, ..., limit",
            at_least=2,
            result=same,
            bring_to=one_scale,
            selects=True,
        )
        def select(*values: Decimal) -> Decimal:
            passing = [value for value in values[:-1] if _beyond(values[-1], above)(value)]
            if not passing:
                raise OperationError(f"{which}_{side}: none of the values is {side} {values[-1]:f}")
            return passing[order]

    chosen("first", 0)
    chosen("last", -1)


for _side in ("above", "below"):
    _register_limits(_side)


@register(
    "irr",
    "payments, one a period, the first now",
    at_least=2,
    result=rate,
    bring_to=one_scale,
)
def irr(*payments: Decimal) -> Decimal:
    """By pyxirr, which calculates in floating point: right to about 12 digits, not to 60 as the others."""
    try:
        import pyxirr
    except ImportError as error:
        raise OperationError("irr needs pyxirr: pip install 'tieout[finance]'") from error
    try:
        rate = pyxirr.irr([float(payment) for payment in payments])
    except pyxirr.InvalidPaymentsError as error:
        raise OperationError(f"irr: {error}") from error
    if rate is None:
        raise OperationError("irr: these payments have no single internal rate of return")
    return Decimal(repr(rate))


@register(
    "npv",
    "payments, then the rate",
    at_least=2,
    result=same,
    bring_to=one_scale,
    pure=1,
)
def npv(*values: Decimal) -> Decimal:
    """The sum of payment / (1 + rate) ^ period, periods counted from 0 (Brealey, Myers and Allen, ch. 2)."""
    *payments, rate = values
    return sum((payment / (1 + rate) ** period for period, payment in enumerate(payments)), start=Decimal(0))
