"""Figures of a period that is not printed, made of those of others: only of what flows."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import Span, Wanted, is_near, name_offset, path, period_of, span_of
from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.fact import Fact
from tieout.ontology.metrics.line_item import line_items

NO_FLOW = NOT_MEASURES | {Unit.PERCENT, Unit.RATIO, Unit.YEARS, Unit.MONTHS}
_IS_AVERAGE = re.compile(
    r"\b(?:average|weighted|mean|median|rates?|ratios?|margins?|yields?|per (?:\w+ )?(?:share|unit|employee)"
    r"|percent\w*)\b|%"
)
_IS_BALANCE = re.compile(r"\b(?:end|beginning|close|start) of (?:the )?(?:period|year|quarter|month)|\boutstanding\b")
_BALANCE_SHEET = re.compile(r"balance sheet|financial position|financial condition", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Derivation:
    """Figures of one line of which those added less those taken off are of a period that is not printed."""

    wanted: Span
    added: tuple[Fact, ...]
    taken_off: tuple[Fact, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        return (*self.added, *self.taken_off)

    def told(self) -> str:
        """In words: which periods less which."""
        added, taken_off = (
            " + ".join(f"{fact.period.label if fact.period else fact.header} [{fact.name}]" for fact in each)
            for each in (self.added, self.taken_off)
        )
        return f"{period_of(self.wanted).label} = {added}{f' less {taken_off}' if taken_off else ''}"

    def steps(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The operations with the short names of their operands; `#1` is the result of the first."""
        made = 0
        names: list[str] = []
        for each in (self.added, self.taken_off):
            if len(each) > 1:
                made += 1
                yield "sum", tuple(fact.name for fact in each)
            names += [f"#{made}" if len(each) > 1 else each[0].name] if each else []
        if len(names) > 1:
            yield "subtract", tuple(names)


def why_no_flow(fact: Fact) -> str | None:
    """Why a figure of a period cannot be had from those of other periods; None where it can."""
    label = fact.label.lower()
    unit = fact.unit or ""
    if unit in NO_FLOW or "/" in unit:
        return f"it is in {unit}"
    if match := _IS_AVERAGE.search(label):
        return f"{match[0]!r} in its label says that it is an average or a rate"
    items = [item for item in line_items().values() if item.rank(fact.label) is not None]
    if items and all(item.unit == "per share" for item in items):
        return "it is per share"
    is_day = fact.period is not None and fact.period.kind is PeriodKind.DATE
    instant = bool(items) and all(item.is_instant for item in items)
    if is_day or instant or _IS_BALANCE.search(label) or _BALANCE_SHEET.search(fact.caption):
        return "it is a balance of a day"
    return None


def derived_from(facts: Sequence[Fact], wanted: Wanted, *, flows_only: bool = True) -> Derivation | None:
    """The figures of one line that come to what is wanted; None where none do, or where two of one span differ."""
    by_span: dict[Span, list[Fact]] = defaultdict(list)
    for fact in facts:
        days = span_of(fact.period)
        if days is not None:
            by_span[days].append(fact)
    known = {days: each[0] for days, each in by_span.items() if len({(f.value * f.scale, f.unit) for f in each}) == 1}
    spans = list(known)
    for days in wanted.spans(list(by_span), name_offset(fact.period for fact in facts)):
        if any(is_near(each, days) for each in by_span.keys() - known.keys()):
            return None  # it is printed, with several amounts
        terms = path(spans, days)
        if terms:
            added, taken_off = (
                tuple(known[spans[index]] for index, is_added in terms if is_added is sign) for sign in (True, False)
            )
            units = {fact.unit for fact in (*added, *taken_off)}
            if added and (len(units) == 1 or not flows_only):
                return Derivation(days, added, taken_off)
    return None


def with_days(facts: Sequence[Fact]) -> list[Fact]:
    """The figures, those of a fiscal year without days dated by a first half of the same number: `FY24`, `H1 24`."""
    starts: dict[int | None, date] = {
        fact.period.year: fact.period.start
        for fact in facts
        if fact.period is not None and fact.period.kind is PeriodKind.SPAN and fact.period.start is not None
        if fact.period.end is not None and fact.period.start.year == fact.period.end.year == fact.period.year
        if (fact.period.start.month, fact.period.start.day, fact.period.end.month) == (1, 1, 6)
    }
    return [_of_year(fact, starts) for fact in facts]


def _of_year(fact: Fact, starts: Mapping[int | None, date]) -> Fact:
    period = fact.period
    if period is None or period.kind is not PeriodKind.FISCAL_YEAR or period.end is not None:
        return fact
    start = starts.get(period.year)
    if start is None:
        return fact
    days = replace(period, start=start, end=date(start.year, 12, 31))
    return fact.changed(period=days)


def amount_of(made: Derivation) -> Decimal:
    """What a derivation comes to, in full units."""
    return sum((fact.value * fact.scale for fact in made.added), start=Decimal(0)) - sum(
        (fact.value * fact.scale for fact in made.taken_off), start=Decimal(0)
    )
