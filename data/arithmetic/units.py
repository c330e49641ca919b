"""How units and scales combine: dollars by dollars are a ratio, dollars by shares are dollars a share."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import PARTS_OF_MONEY, is_currency

SCALES = {1: "units", 100: "hundreds", 1000: "thousands", 10**6: "millions", 10**9: "billions", 10**12: "trillions"}
SCALES_SHOWN = SCALES | {10**5: "lakhs", 10**7: "crores"}  # by name; nothing is converted to those of India


class Reckoned(StrEnum):
    """Units of what is calculated of percentages. They enter a calculation as decimals, and their result reads as one
    again: a rate of 0.27 is 27%, a difference of 0.027 between two rates is 2.7 percentage points."""

    RATE = "rate"
    RATE_CHANGE = "difference of rates"


RATE, RATE_CHANGE = Reckoned.RATE, Reckoned.RATE_CHANGE
# What enters a calculation as a decimal: its unit then, and how many places its point moves to the left.
AS_DECIMALS: dict[str, tuple[Reckoned, int]] = {
    Unit.PERCENT: (RATE, 2),
    Unit.PERCENTAGE_POINTS: (RATE_CHANGE, 2),
    Unit.BASIS_POINTS: (RATE_CHANGE, 4),
}
NUMBERS = frozenset({Unit.RATIO, *Reckoned})  # units of what stands at no scale
# What an amount can be divided among, or multiplied with, and stays what it is.
PLAIN = frozenset({*NUMBERS, Unit.COUNT, Unit.YEARS, Unit.MONTHS, Unit.DAYS})

DECIMALS = 5  # to which answers are given and compared, as the official score does
CONTEXT = Context(prec=60, Emax=999, Emin=-999, traps=[InvalidOperation, DivisionByZero, Overflow, Underflow])


def shifted(value: Decimal, places: int) -> Decimal:
    """The value with its decimal point moved, no digit lost: by -2, 27 is 0.27."""
    return value.scaleb(places, CONTEXT)


def rounded(value: Decimal, places: int = DECIMALS) -> Decimal:
    """The value to so many decimals, half to even; one so large that 60 digits do not hold them stays as it is."""
    if value.adjusted() + places >= CONTEXT.prec:
        return value
    return value.quantize(_last_of(places), ROUND_HALF_EVEN, CONTEXT)


@cache
def _last_of(places: int) -> Decimal:
    """One in the last of so many decimals."""
    return Decimal(1).scaleb(-places)


class Measure(NamedTuple):
    """What a number is of: a unit as in `tieout.data.printed.amount` or None where none is known, and a scale."""

    unit: str | None = None
    scale: int = 1

    @property
    def stated(self) -> bool:
        """Whether anything says at which scale the number stands; a plain number and one without a unit say nothing."""
        return self.scale != 1 or (self.unit is not None and self.unit not in NUMBERS)


Measures = Sequence[Measure]


def one_scale(measures: Measures) -> int | None:
    """The scale to which operands that are added or compared are brought: the smallest stated; None when all agree."""
    scales = {measure.scale for measure in measures if measure.stated}
    if len(scales) < 2:
        return None
    return min(scales) if min(scales) in SCALES else 1


def scale_of_quotient(measures: Measures) -> int | None:
    """As one_scale, but an amount in millions may be divided by a plain number as it stands, and stays in millions."""
    a, b = measures
    comparable = a.unit == b.unit or (a.scale > 1 and b.scale > 1)
    return one_scale(measures) if comparable or a.scale % b.scale else None


def as_they_are(measures: Measures) -> int | None:
    """Operands may be of any scale."""
    return None


def unscaled(measures: Measures) -> int | None:
    """A power is taken of the full amount."""
    return 1 if any(measure.scale != 1 for measure in measures) else None


def same(measures: Measures) -> Measure:
    """The unit that all operands with a unit share, if they do. A span of calendar years is in years.

    Beside a rate a plain number and a difference of rates are rates: 1 less 21% is 79%, 20.2% and 2.7 points are 22.9%.
    Beside a named thing what merely counts is of this thing.
    """
    units = {measure.unit for measure in measures if measure.unit is not None}
    units -= {Unit.COUNT} if any(map(is_thing, units)) else set()
    if units <= NUMBERS and len(units) > 1:
        units = {RATE if RATE in units else RATE_CHANGE}
    unit = units.pop() if len(units) == 1 else None
    scale = next((measure.scale for measure in measures if measure.stated), 1)
    return Measure(Unit.YEARS if unit == Unit.CALENDAR_YEAR else unit, scale)


def difference(measures: Measures) -> Measure:
    """As same; what one rate is above another is in points."""
    if measures and all(measure.unit == RATE for measure in measures):
        return Measure(RATE_CHANGE)
    return same(measures)


def rate(measures: Measures) -> Measure:
    """A share, or a growth: a decimal that is read as a percentage, whatever it is made of."""
    return Measure(RATE)


def as_decimals(measures: Measures) -> Measure:
    """What a percentage, or a number of points, is as a decimal."""
    return Measure(AS_DECIMALS.get(measures[0].unit or "", (RATE, 2))[0])


def spread_of(measures: Measures) -> Measure:
    """How far values are apart: of percentages in points, and of years in years."""
    unit, scale = same(measures)
    return Measure(RATE_CHANGE if unit == RATE else unit, scale)


def count_of(measures: Measures) -> Measure:
    """A number of things."""
    return Measure(Unit.COUNT)


def nothing(measures: Measures) -> Measure:
    """No unit: a truth, or a power."""
    return Measure()


def product(measures: Measures) -> Measure:
    """USD by ratio is USD; shares by USD/share is USD; USD by USD is nothing that has a name. Scales multiply."""
    a, b = measures
    return Measure(_product_unit(a.unit, b.unit) or _product_unit(b.unit, a.unit), a.scale * b.scale)


def _product_unit(one: str | None, other: str | None) -> str | None:
    if one in NUMBERS and other in NUMBERS:
        return RATE if one == other == RATE else Unit.RATIO
    if one in PLAIN:
        return other
    if one is not None and other is not None and one.endswith(f"/{one_of(other)}"):
        return one.rpartition("/")[0]
    return None


def quotient(measures: Measures) -> Measure:
    """USD by USD is a ratio, by shares USD/share, by stores USD/store, by USD/share shares, by a plain number USD.

    Scales divide.
    """
    a, b = measures
    return Measure(_quotient_unit(a.unit, b.unit), a.scale // b.scale if a.scale % b.scale == 0 else 1)


def _quotient_unit(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return None
    if a == b or (a in NUMBERS and b in (RATE, RATE_CHANGE)):
        return Unit.RATIO
    if b == Unit.DAYS and is_currency(a):
        return f"{a}/{one_of(b)}"
    if b in PLAIN:
        return a
    if is_currency(a) and (b == Unit.SHARES or is_thing(b)):
        return f"{a}/{one_of(b)}"
    if b == f"{a}/share":
        return Unit.SHARES
    if b == f"{a}/day":
        return Unit.DAYS
    return None


def is_thing(unit: str | None) -> bool:
    """Whether a unit is that of things which are counted or measured, by their name: `stores`, `barrels`."""
    named = unit is not None and unit not in _UNITS and unit not in PARTS_OF_MONEY
    return named and "/" not in str(unit) and not is_currency(unit)


def one_of(unit: str) -> str:
    """One of a thing: `store` of `stores`, `company` of `companies`. What has no plural stays as it is."""
    for ending, one in (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh"), ("ss", "ss")):
        if unit.endswith(ending):
            return unit.removesuffix(ending) + one
    return unit.removesuffix("s")


_UNITS = frozenset({*Unit, *Reckoned})
