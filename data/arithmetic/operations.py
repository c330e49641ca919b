"""What can be calculated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from tieout.data.arithmetic import series  # noqa: F401 - they register their operations
from tieout.data.arithmetic.operation import OPERATIONS, Expansion, OperationError, Step, catalogue, find, register
from tieout.data.arithmetic.units import (
    SCALES,
    Measure,
    as_decimals,
    difference,
    nothing,
    one_scale,
    product,
    quotient,
    rate,
    same,
    scale_of_quotient,
    unscaled,
)
from tieout.data.printed.unit import Unit

__all__ = ["OPERATIONS", "OperationError", "catalogue", "come_to", "find", "register"]

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


@register("add", "", at_least=2, at_most=2, result=same, bring_to=one_scale, expansion=steps("add(0, 1)"))
def add(a: Decimal, b: Decimal) -> Decimal:
    return a + b


@register(
    "subtract", "", at_least=2, at_most=2, result=difference, bring_to=one_scale, expansion=steps("subtract(0, 1)")
)
def subtract(a: Decimal, b: Decimal) -> Decimal:
    return a - b


@register("multiply", "", at_least=2, at_most=2, result=product, expansion=steps("multiply(0, 1)"))
def multiply(a: Decimal, b: Decimal) -> Decimal:
    return a * b


@register(
    "divide",
    "",
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
    "a to the power b",
    at_least=2,
    at_most=2,
    result=nothing,
    bring_to=unscaled,
    pure=1,
    expansion=steps("exp(0, 1)"),
)
def exp(a: Decimal, b: Decimal) -> Decimal:
    if b.copy_abs() > LARGEST_EXPONENT:
        raise OperationError(
            f"exp: the exponent has to be between -{LARGEST_EXPONENT} and {LARGEST_EXPONENT}, not {b:f}"
        )
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
    "a / b as a decimal",
    at_least=2,
    at_most=2,
    result=rate,
    bring_to=one_scale,
    expansion=steps("divide(0, 1)"),
)
def percentage(part: Decimal, whole: Decimal) -> Decimal:
    return part / whole


@register(
    "percentage_change",
    "(a - b) / b as a decimal",
    at_least=2,
    at_most=2,
    result=rate,
    bring_to=one_scale,
    expansion=steps("subtract(0, 1)", "divide(#0, 1)"),
)
def percentage_change(new: Decimal, old: Decimal) -> Decimal:
    return (new - old) / old


@register("sum", "", at_least=1, result=same, bring_to=one_scale, expansion=chain)
def total(*values: Decimal) -> Decimal:
    return sum(values[1:], start=values[0])


@register("average", "", at_least=1, result=same, bring_to=one_scale, expansion=chain_and_divide)
def average(*values: Decimal) -> Decimal:
    return sum(values[1:], start=values[0]) / len(values)


@register(
    "cagr",
    "first, last, years",
    at_least=3,
    at_most=3,
    result=rate,
    bring_to=one_scale,
    pure=1,
    expansion=steps("divide(1, 0)", "divide(const_1, 2)", "exp(#0, #1)", "subtract(#2, const_1)"),
)
def cagr(first: Decimal, last: Decimal, years: Decimal) -> Decimal:
    if first <= 0 or last <= 0 or years <= 0:
        raise OperationError("cagr needs positive values and a positive number of years")
    return exp(last / first, 1 / years) - 1


@register(
    "percentage_points",
    "a - b of rates",
    at_least=2,
    at_most=2,
    result=lambda measures: Measure(Unit.PERCENTAGE_POINTS),
    expansion=steps("subtract(0, 1)", "multiply(#0, const_100)"),
)
def percentage_points(new: Decimal, old: Decimal) -> Decimal:
    return (new - old) * 100


@register(
    "basis_points",
    "a - b of rates",
    at_least=2,
    at_most=2,
    result=lambda measures: Measure(Unit.BASIS_POINTS),
    expansion=steps("subtract(0, 1)", "multiply(#0, const_10000)"),
)
def basis_points(new: Decimal, old: Decimal) -> Decimal:
    return (new - old) * 10_000


@register("magnitude", "without its sign", at_least=1, at_most=1, result=same)
def magnitude(amount: Decimal) -> Decimal:
    return amount.copy_abs()


@register(
    "in_percent",
    "0.27 is 27%",
    at_least=1,
    at_most=1,
    result=lambda measures: Measure(Unit.PERCENT),
    expansion=steps("multiply(0, const_100)"),
)
def in_percent(decimal: Decimal) -> Decimal:
    return decimal * 100


@register("as_decimal", "27% is 0.27", at_least=1, at_most=1, result=as_decimals)
def as_decimal(percent: Decimal) -> Decimal:
    return percent / 100


def _conversion(scale: int) -> None:
    def convert(amount: Decimal) -> Decimal:
        return amount / scale

    register(
        f"in_{SCALES[scale]}",
        "",
        at_least=1,
        at_most=1,
        result=lambda measures: Measure(measures[0].unit, scale),
        to_scale=scale,
    )(convert)


for _scale in SCALES:
    _conversion(_scale)


def come_to(calculations: Iterable[Mapping[str, Any]], known: Mapping[str, Decimal]) -> dict[str, Decimal]:
    """What calculations come to, by their names: each has `operation`, `values` and `name`, and may take what comes of
    those before it. known: the other amounts that they take, by name. Raises OperationError."""
    amounts = {**known}
    for made in calculations:
        values = [amounts[each] if each in amounts else Decimal(each) for each in made["values"]]
        amounts[made["name"]] = Decimal(OPERATIONS[made["operation"]].apply(values))
    return amounts
