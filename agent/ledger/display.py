"""How an entry reads: `60.94 USD`, `2.2 billion USD`, `$2.2 billion`, `27%`, `yes`."""

from __future__ import annotations

from decimal import Decimal, localcontext
from typing import Literal

from tieout.agent.arithmetic.operations import OPERATIONS
from tieout.agent.arithmetic.units import CONTEXT, DECIMALS, SCALES_SHOWN, rounded, shifted
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation, Words
from tieout.data.printed.amount import Unit
from tieout.data.printed.unit import SOME_DOLLAR

Format = Literal["number", "percent", "yes/no"]

UNKNOWN = "?"


def number(value: Decimal) -> str:
    """A value for reading: thousands separated, at most 5 decimals, or 5 significant digits of a smaller one."""
    with localcontext(CONTEXT):
        places = DECIMALS if value == 0 or value.adjusted() >= -1 else DECIMALS - 1 - value.adjusted()
        if -value.as_tuple().exponent > places:  # type: ignore[operator]
            value = rounded(value, places).normalize()
        return f"{value:,f}"


def exact(entry: Entry) -> str:
    """The value of an entry with all its digits, yes or no, or its words."""
    if isinstance(entry.value, Words):
        return entry.value.text
    return ("yes" if entry.value else "no") if isinstance(entry.value, bool) else f"{entry.value:f}"


def display(entry: Entry, form: Format | None = None) -> str:
    """The value of an entry with its scale and unit; form: as a percentage, say, or None for what suits it.

    `?` stands for a scale or a unit of a printed figure that the report does not state: `5,363 ? USD`, `88 ?`.
    """
    if isinstance(entry.value, bool | Words):
        return exact(entry)
    if entry.unit == Unit.PERCENT:
        return f"{number(entry.value)}%" if form != "number" else number(shifted(entry.value, -2))
    if form is None and isinstance(entry.source, FromOperation) and OPERATIONS[entry.source.operation].percent:
        form = "percent"
    if form == "percent" and entry.scale == 1:
        return f"{number(shifted(entry.value, 2))}%"
    unit = None if entry.unit in (Unit.RATIO, Unit.COUNT, Unit.CALENDAR_YEAR) else entry.unit
    unknown = None if entry.scale_known else UNKNOWN
    scale = unknown if entry.scale == 1 else SCALES_SHOWN.get(entry.scale, f"x {entry.scale}").removesuffix("s")
    if entry.unit is None and entry.scale_known and isinstance(entry.source, FromFact):
        scale = " ".join(part for part in (scale, UNKNOWN) if part)
    shown = f"{entry.value:f}" if entry.unit == Unit.CALENDAR_YEAR else number(entry.value)
    return measured(shown, scale, unit)


def measured(number: str, scale: str | None, unit: str | None) -> str:
    """A number in words with its scale and unit: `5 million USD`, and `-$5 million` where no country is said."""
    if unit is None or not unit.startswith(SOME_DOLLAR):
        return " ".join(part for part in (number, scale, unit) if part)
    sign = "-" if number.startswith("-") else ""
    return " ".join(part for part in (f"{sign}{unit[0]}{number.removeprefix('-')}", scale) if part) + unit[1:]
