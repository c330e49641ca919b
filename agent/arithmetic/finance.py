"""Operations on streams of payments: net present value and internal rate of return."""

from __future__ import annotations

from decimal import Decimal

from tieout.agent.arithmetic.operation import register
from tieout.agent.arithmetic.units import one_scale, rate, same
from tieout.agent.protocol.tool import ToolError


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
        raise ToolError("irr needs pyxirr: pip install 'tieout[finance]'") from error
    try:
        rate = pyxirr.irr([float(payment) for payment in payments])
    except pyxirr.InvalidPaymentsError as error:
        raise ToolError(f"irr: {error}") from error
    if rate is None:
        raise ToolError("irr: these payments have no single internal rate of return")
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
