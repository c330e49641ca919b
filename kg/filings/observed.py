"""A standard concept in one period, as one filing states it, and the figures that may state one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact
from tieout.ontology.metrics.line_item import LineItem

TAG, LABEL, SAID = "tag", "label", "said"
WEEKS = timedelta(days=90)  # of a quarter whose first day is not printed
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)


@dataclass(frozen=True, slots=True)
class Observed:
    """A standard concept in one period, as one filing states it.

    item: name of the line item. start: None for a balance. amount: in full units, signed as it is meant: what is spent
    has none. value, scale: as printed. concept: of the tag, "" for none. found: `tag`, `label` or `said`. probability:
    that the fact is the concept, between 0 and 1.
    """

    item: str
    start: date | None
    end: date
    amount: Decimal
    unit: str
    value: Decimal
    scale: int
    fact: str
    label: str
    place: str
    concept: str
    found: str
    probability: float


Best = dict[tuple[date | None, date], Observed]  # of one line item, by first and last day


def span_of(fact: Fact, item: LineItem, *, in_balance: bool = False) -> tuple[date | None, date] | None:
    """First and last day, the first None for a balance; None where the fact is of another kind than the item.

    in_balance: it is in a balance sheet, where a column headed by a year is of its last day.
    """
    period = fact.period
    assert period and period.end
    is_quarter = period.kind is PeriodKind.QUARTER and not in_balance
    is_day = period.start == period.end or (in_balance and period.kind in _YEARS)
    is_day = is_day or (period.start is None and not is_quarter)
    if item.is_instant:
        return (None, period.end) if is_day or item.unit == "count" else None  # what is counted is so at the end
    return None if is_day else (period.start or period.end - WEEKS, period.end)


def printed_amount(fact: Fact) -> Decimal:
    """The amount of a fact without a tag, in full units, signed as it is printed."""
    amount = fact.value * fact.scale
    return amount / 100 if fact.unit == Unit.PERCENT else amount


def observed(
    item: str,
    fact: Fact,
    span: tuple[date | None, date],
    amount: Decimal,
    concept: str,
    found: str,
    probability: float,
) -> Observed:
    """A fact as what a filing states of a line item. item: its name; amount: in full units, signed as it is meant."""
    return Observed(
        item,
        span[0],
        span[1],
        amount,
        str(fact.unit or ""),
        fact.value,
        fact.scale,
        fact.name,
        fact.label,
        fact.place or fact.heading,
        concept,
        found,
        round(probability, 3),
    )
