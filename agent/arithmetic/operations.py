"""What can be calculated."""

from __future__ import annotations

from decimal import Decimal

from tieout.agent.arithmetic import finance  # noqa: F401 - registers its operations
from tieout.agent.arithmetic.operation import OPERATIONS, Expansion, Step, find, register
from tieout.agent.arithmetic.units import (
    SCALES,
    Measure,
    count_of,
    nothing,
    one_scale,
    product,
    quotient,
    ratio,
    same,
    scale_of_quotient,
    unscaled,
)
from tieout.agent.protocol.tool import ToolError

__all__ = ["OPERATIONS", "find", "register"]

LARGEST_EXPONENT = 100


def steps(*each: str) -> Expansion:
    """The expansion into fixed steps as in FinQA, operands by position: `subtract(0, 1)`, `divide(#0, 1)`."""
    parsed = tuple((opcode, tuple(rest.rstrip(")").split(", "))) for opcode, rest in (step.split("(") for step in each))
    return lambda count: parsed


def chain(count: int) -> tuple[Step, ...]:
    """The sum of count operands as FinQA steps, from left to right."""
    return tuple(("add", (f"#{index - 2}" if index > 1 else "0", str(index))) for index in range(1, count))


def chain_and_divide(count: int) -> tuple[Step, ...]:
    """The average of count operands as FinQA steps."""
    return (*chain(count), ("divide", (f"#{count - 2}" if count > 1 else "0", f"const_{count}")))


@register("add", "a + b", at_least=2, at_most=2, result=same, bring_to=one_scale, expansion=steps("add(0, 1)"))
def add(a: Decimal, b: Decimal) -> Decimal:
    return a + b


@register(
    "subtract", "a - b", at_least=2, at_most=2, result=same, bring_to=one_scale, expansion=steps("subtract(0, 1)")
)
def subtract(a: Decimal, b: Decimal) -> Decimal:
    return a - b


@register("multiply", "a * b", at_least=2, at_most=2, result=product, expansion=steps("multiply(0, 1)"))
def multiply(a: Decimal, b: Decimal) -> Decimal:
    return a * b


@register(
    "divide",
    "a / b",
    at_least=2,
    at_most=2,
    result=quotient,
    bring_to=scale_of_quotient,
    expansion=steps("divide(0, 1)"),
)
def divide(a: Decimal, b: Decimal) -> Decimal:
    return a / b


@register(
    "exp",
    "a to the power of b",
    at_least=2,
    at_most=2,
    result=nothing,
    bring_to=unscaled,
    pure=1,
    expansion=steps("exp(0, 1)"),
)
def exp(a: Decimal, b: Decimal) -> Decimal:
    if b.copy_abs() > LARGEST_EXPONENT:
        raise ToolError(f"exp: the exponent has to be between -{LARGEST_EXPONENT} and {LARGEST_EXPONENT}, not {b:f}")
    return Decimal(a**b)


@register(
    "greater",
    "whether a > b",
    at_least=2,
    at_most=2,
    result=nothing,
    bring_to=one_scale,
    expansion=steps("greater(0, 1)"),
)
def greater(a: Decimal, b: Decimal) -> bool:
    return a > b


@register(
    "percentage",
    "part / whole, as a decimal: percentage(part, whole)",
    at_least=2,
    at_most=2,
    result=ratio,
    bring_to=one_scale,
    expansion=steps("divide(0, 1)"),
    percent=True,
)
def percentage(part: Decimal, whole: Decimal) -> Decimal:
    return part / whole


@register(
    "percentage_change",
    "(new - old) / old, as a decimal: percentage_change(new, old)",
    at_least=2,
    at_most=2,
    result=ratio,
    bring_to=one_scale,
    expansion=steps("subtract(0, 1)", "divide(#0, 1)"),
    percent=True,
)
def percentage_change(new: Decimal, old: Decimal) -> Decimal:
    return (new - old) / old


@register("sum", "the sum of all values", at_least=1, result=same, bring_to=one_scale, expansion=chain)
def total(*values: Decimal) -> Decimal:
    return sum(values[1:], start=values[0])


@register("average", "the mean of all values", at_least=1, result=same, bring_to=one_scale, expansion=chain_and_divide)
def average(*values: Decimal) -> Decimal:
    return sum(values[1:], start=values[0]) / len(values)


@register("min", "the least of all values", at_least=1, result=same, bring_to=one_scale)
def least(*values: Decimal) -> Decimal:
    return min(values)


@register("max", "the greatest of all values", at_least=1, result=same, bring_to=one_scale)
def greatest(*values: Decimal) -> Decimal:
    return max(values)


@register("count", "how many values are given", at_least=1, result=count_of)
def count(*values: Decimal) -> Decimal:
    return Decimal(len(values))


@register(
    "moving_average",
    "the mean of the last n values, in order of time: moving_average(v1, v2, ..., n)",
    at_least=2,
    result=same,
    bring_to=one_scale,
    pure=1,
)
def moving_average(*values: Decimal) -> Decimal:
    *series, window = values
    if window != window.to_integral_value() or not 1 <= window <= len(series):
        raise ToolError(f"moving_average: the window has to be a whole number from 1 to {len(series)}, not {window:f}")
    return average(*series[len(series) - int(window) :])


@register(
    "percentile",
    "the value below which a share p of the values lies, p from 0 to 1: percentile(v1, v2, ..., p)",
    at_least=2,
    result=same,
    bring_to=one_scale,
    pure=1,
)
def percentile(*values: Decimal) -> Decimal:
    """Linear interpolation between the closest ranks (method 7 of Hyndman and Fan 1996, as in spreadsheets)."""
    *series, p = values
    if not 0 <= p <= 1:
        raise ToolError(f"percentile: p has to be from 0 to 1, not {p:f}")
    ordered = sorted(series)
    position = (len(ordered) - 1) * p
    below = int(position)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (position - below)


@register(
    "cagr",
    "compound annual growth rate, (last / first) ^ (1 / years) - 1: cagr(first, last, years)",
    at_least=3,
    at_most=3,
    result=ratio,
    bring_to=one_scale,
    pure=1,
    expansion=steps("divide(1, 0)", "divide(const_1, 2)", "exp(#0, #1)", "subtract(#2, const_1)"),
    percent=True,
)
def cagr(first: Decimal, last: Decimal, years: Decimal) -> Decimal:
    if first <= 0 or last <= 0 or years <= 0:
        raise ToolError("cagr needs positive values and a positive number of years")
    return exp(last / first, 1 / years) - 1


@register("as_decimal", "a percent as a decimal: 27 percent is 0.27", at_least=1, at_most=1, result=ratio)
def as_decimal(percent: Decimal) -> Decimal:
    return percent / 100


def _conversion(scale: int) -> None:
    def convert(amount: Decimal) -> Decimal:
        return amount / scale

    register(
        f"in_{SCALES[scale]}",
        f"the same amount in {SCALES[scale]}" if scale > 1 else "the same amount written out in full",
        at_least=1,
        at_most=1,
        result=lambda measures: Measure(measures[0].unit, scale),
        to_scale=scale,
    )(convert)


for _scale in SCALES:
    _conversion(_scale)
