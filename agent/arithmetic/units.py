"""How units and scales combine: dollars by dollars are a ratio, dollars by shares are dollars a share."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_EVEN, Context, Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow
from typing import NamedTuple

from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import is_currency

SCALES = {1: "units", 100: "hundreds", 1000: "thousands", 10**6: "millions", 10**9: "billions", 10**12: "trillions"}
SCALES_SHOWN = SCALES | {10**5: "lakhs", 10**7: "crores"}  # by name; nothing is converted to those of India
PLAIN = frozenset({Unit.RATIO, Unit.COUNT, Unit.YEARS, Unit.MONTHS, Unit.DAYS})  # what an amount can be divided among

DECIMALS = 5  # to which answers are given and compared, as the official score does
CONTEXT = Context(prec=60, Emax=999, Emin=-999, traps=[InvalidOperation, DivisionByZero, Overflow, Underflow])


def shifted(value: Decimal, places: int) -> Decimal:
    """The value with its decimal point moved, no digit lost: by -2, 27 is 0.27."""
    return value.scaleb(places, CONTEXT)


def rounded(value: Decimal, places: int = DECIMALS) -> Decimal:
    """The value to so many decimals, half to even; one so large that 60 digits do not hold them stays as it is."""
    if value.adjusted() + places >= CONTEXT.prec:
        return value
    return value.quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN, CONTEXT)


class Measure(NamedTuple):
    """What a number is of: a unit as in `tieout.data.printed.amount` or None where none is known, and a scale."""

    unit: str | None = None
    scale: int = 1

    @property
    def stated(self) -> bool:
        """Whether anything says at which scale the number stands; a plain number and one without a unit say nothing."""
        return self.scale != 1 or self.unit not in (None, Unit.RATIO)


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
    """The unit that all operands with a unit share, if they do. A span of calendar years is in years."""
    units = {measure.unit for measure in measures if measure.unit is not None}
    unit = units.pop() if len(units) == 1 else None
    scale = next((measure.scale for measure in measures if measure.stated), 1)
    return Measure(Unit.YEARS if unit == Unit.CALENDAR_YEAR else unit, scale)


def ratio(measures: Measures) -> Measure:
    """A quotient that is read as a share or a rate, whatever it is made of."""
    return Measure(Unit.RATIO)


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
    if one in PLAIN:
        return other
    if one is not None and one.endswith("/share") and other == Unit.SHARES:
        return one.removesuffix("/share")
    return None


def quotient(measures: Measures) -> Measure:
    """USD by USD is a ratio, by shares USD/share, by USD/share shares, by a plain number USD. Scales divide."""
    a, b = measures
    return Measure(_quotient_unit(a.unit, b.unit), a.scale // b.scale if a.scale % b.scale == 0 else 1)


def _quotient_unit(a: str | None, b: str | None) -> str | None:
    if a is None or b is None:
        return None
    if a == b:
        return Unit.RATIO
    if b in PLAIN:
        return a
    if b == Unit.SHARES and is_currency(a):
        return f"{a}/share"
    if b == f"{a}/share":
        return Unit.SHARES
    return None
