"""A figure of a company in a period: stated by filings, or calculated from what they state, with what it rests on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Self

from tieout.kg.filings.observation import Observation, Source

# What follows for a flow from other spans of its fiscal year: those added, and those taken off with a minus.
FOLLOWS: dict[str, tuple[tuple[str, ...], ...]] = {
    "FY": (("9M", "Q4"), ("H1", "H2"), ("Q1", "Q2", "Q3", "Q4")),
    "Q1": (("H1", "-Q2"),),
    "Q2": (("H1", "-Q1"),),
    "Q3": (("9M", "-H1"), ("9M", "-Q1", "-Q2")),
    "Q4": (("FY", "-9M"), ("FY", "-H1", "-Q3"), ("FY", "-Q1", "-Q2", "-Q3")),
    "H1": (("Q1", "Q2"), ("9M", "-Q3")),
    "H2": (("FY", "-H1"), ("Q3", "Q4")),
    "9M": (("H1", "Q3"), ("Q1", "Q2", "Q3"), ("FY", "-Q4")),
}
TO_DATE = {"Q1": "Q1", "Q2": "H1", "Q3": "9M"}
CLOSES = {"Q4": "FY", "H1": "Q2", "H2": "FY", "9M": "Q3"}  # the balance at the end of a span


@dataclass(frozen=True, slots=True)
class Value:
    """amount: in full units, a rate as a decimal. unit: `USD`, `USD/share`, `shares`, `percent`, `ratio`, `days`.
    scale: a power of ten that its figures are printed in. program: how it comes about, over short names of facts.
    sources: the statements that it rests on. restated: those that a newer filing revised. probability: that all of
    its facts are what they are taken for. flags: what to look at, in words."""

    amount: Decimal
    unit: str
    scale: int
    program: str
    sources: tuple[Source, ...]
    restated: tuple[Source, ...] = ()
    probability: float = 1.0
    flags: tuple[str, ...] = ()
    start: date | None = None
    end: date | None = None
    derived: bool = True

    @property
    def value(self) -> Decimal:
        """The amount in its scale; a percentage in percent."""
        return self.amount * 100 if self.unit == "percent" else self.amount / self.scale

    @classmethod
    def of(cls, found: Observation) -> Self:
        """What filings state."""
        stated = found.stated
        name = f"{found.filing.report}:{stated.fact}"
        return cls(
            stated.amount,
            stated.unit,
            stated.scale,
            name,
            (found.sources[0],),
            found.restated,
            stated.probability,
            (),
            stated.start,
            stated.end,
            derived=False,
        )

    @classmethod
    def constant(cls, number: Decimal) -> Self:
        """A number of a formula."""
        return cls(number, "", 1, f"{number:f}", ())

    def flagged(self, *flags: str) -> Self:
        """The same with flags."""
        return replace(self, flags=tuple(dict.fromkeys((*self.flags, *flags))))


def apply(operation: str, values: tuple[Value, ...]) -> Value | None:
    """The result of an operation; None where there is none, as of a division by nothing."""
    amounts = [each.amount for each in values]
    match operation:
        case "add":
            amount = sum(amounts, start=Decimal(0))
        case "subtract":
            amount = amounts[0] - sum(amounts[1:], start=Decimal(0))
        case "multiply":
            amount = amounts[0] * amounts[1]
        case "divide":
            if not amounts[1]:
                return None
            amount = amounts[0] / amounts[1]
        case "average":
            amount = sum(amounts, start=Decimal(0)) / len(amounts)
        case "magnitude":
            amount = abs(amounts[0])
        case _:
            raise AssertionError(operation)
    unit = _unit(operation, [each.unit for each in values])
    probability = 1.0
    for each in values:
        probability *= each.probability
    sources = tuple(dict.fromkeys(source for each in values for source in each.sources))
    restated = tuple(dict.fromkeys(source for each in values for source in each.restated))
    dated = [each for each in values if each.end is not None]
    first = dated[0] if dated else None
    return Value(
        amount,
        unit,
        max((each.scale for each in values), default=1) if unit not in ("ratio", "percent", "days") else 1,
        f"{operation}({', '.join(each.program for each in values)})",
        sources,
        restated,
        round(probability, 3),
        tuple(dict.fromkeys(flag for each in values for flag in each.flags)),
        next((each.start for each in dated if each.start is not None), None),
        first.end if first else None,
    )


def _unit(operation: str, units: list[str]) -> str:
    plain = [unit for unit in units if unit not in ("", "ratio", "percent")]
    if operation == "divide":
        if len(units) == 2 and plain and units[0] == units[1]:
            return "ratio"
        if len(plain) == 2 and plain[1] == "shares":
            return f"{plain[0]}/share"
        return plain[0] if len(plain) == 1 and units[0] == plain[0] else "ratio" if not plain else "/".join(plain)
    return plain[0] if plain else units[0] if units else ""
