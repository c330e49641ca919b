"""What operations over figures come to: dollars times dollars are nothing at all, two rates differ by points."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import NUMERAL, Fact

LIKE_WITH_LIKE = frozenset(("add", "sum", "subtract", "average", "median", "percentage_change", "greater"))
MOST_OF_A_SHARE = 1000  # what is printed without a unit and is more than this is taken for an amount


def makes_no_sense(operation: str, used: Sequence[Fact]) -> bool:
    """Whether an operation over figures comes to nothing that has a meaning: dollars times dollars, shares less a rate.

    Figures of which the report does not say the unit may be anything.
    """
    if len(used) < 2:
        return False
    if operation != "lookup" and any(fact.unit in NOT_MEASURES or fact.entity_type == NUMERAL for fact in used):
        return True
    units = [str(fact.unit) for fact in used if fact.unit is not None]
    if operation == "multiply":
        return len(units) == len(used) and all(is_currency(unit) for unit in units)
    if operation in ("divide", "percentage") and not used[0].value:
        return True  # a dash is no part that anybody asks for
    if operation not in LIKE_WITH_LIKE:
        return False
    currencies = {unit for unit in units if is_currency(unit)}
    return len(currencies) > 1 or (Unit.PERCENT in units and (bool(currencies) or Unit.SHARES in units))


def is_change_of_rate(operation: str, used: Sequence[Fact]) -> bool:
    """Whether a difference is of two percentages of one line, which is told in percentage points."""
    is_pair = operation == "subtract" and len(used) == 2
    return is_pair and used[0].label == used[1].label and all(fact.unit == Unit.PERCENT for fact in used)


def is_no_count(fact: Fact) -> bool:
    """Whether a figure says nothing of how many there are: money, or a rate."""
    return is_currency(fact.unit) or fact.unit == Unit.PERCENT


def is_amount(fact: Fact) -> bool:
    """Whether a figure is of money, shares or things, as far as its unit says or its size."""
    if fact.unit is None:
        return fact.value.copy_abs() > MOST_OF_A_SHARE
    return str(fact.unit) not in (Unit.PERCENT, Unit.RATIO)
