"""Figures of periods that are not printed but follow from printed ones: only of what flows, and as a calculation."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.ledger import Entry, FromFact, FromOperation, Ledger
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import candidates, choose, narrow, plain
from tieout.data.arithmetic.operations import find as find_operation
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import (
    Span,
    Wanted,
    is_near,
    name_offset,
    path,
    period_of,
    read_wanted,
    span_of,
    together,
)
from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.fact import Fact, FactKind
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


def derive(facts: Sequence[Fact], wanted: Wanted) -> Derivation | None:
    """The figures of a line that come to what is wanted; None where none do.

    facts: those that may be the line. Where several lines are among them, each is tried by itself. Raises ToolError
    where they do not flow, or where two lines come to different amounts.
    """
    printed = [fact for fact in facts if fact.kind is not FactKind.TEXT]
    flows = [fact for fact in printed if why_no_flow(fact) is None and span_of(fact.period) is not None]
    for key in _KEYS:
        groups: dict[object, list[Fact]] = defaultdict(list)
        for fact in flows:
            groups[key(fact)].append(fact)
        found = [made for each in groups.values() if (made := _of_line(each, wanted)) is not None]
        if len({_amount(made) for made in found}) > 1:
            raise ToolError(
                f"{wanted.text!r} is not printed, and follows for several lines with different amounts",
                candidates=candidates([made.facts[0] for made in found]),
                suggestion="say which line: add a filter, or calculate it from the facts of one",
            )
        if found:
            return found[0]
    if (
        not flows
        and len(printed) > 1
        and (why := why_no_flow(printed[0]))
        and _of_line(printed, wanted, flows_only=False) is not None
    ):
        raise ToolError(f"{wanted.text!r} is not printed, and cannot be had from other periods: {why}")
    return None


_KEYS: tuple[Callable[[Fact], object], ...] = (
    lambda fact: "",
    lambda fact: plain(fact.label),
    lambda fact: (plain(fact.label), plain(fact.section), fact.dimensions),
    lambda fact: (plain(fact.label), plain(fact.section), fact.dimensions, fact.name.rpartition("r")[0], fact.row),
)


def _of_line(facts: Sequence[Fact], wanted: Wanted, *, flows_only: bool = True) -> Derivation | None:
    """As derive, of facts of which no two may be of one span with different amounts."""
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


def find_derivation(
    facts: Sequence[Fact],
    entity_type: str | None,
    property: str | None,
    filters: Mapping[str, str],
    labels: Mapping[str, Iterable[str]],
) -> Derivation | None:
    """The derivation of what `find` did not find, by the period or year of its filters; None where none is named, or
    where it does not follow. Raises ToolError as `derive`."""
    named = " ".join(filters[key] for key in ("period", "year") if key in filters)
    wanted = read_wanted(named) if property is not None else None
    if wanted is None or property is None:
        return None
    left = [fact for fact in facts if entity_type is None or plain(fact.entity_type) == plain(entity_type)]
    known: dict[str, set[str]] = defaultdict(set)
    for fact in left:
        known[fact.property].add(fact.label)
    try:
        names = choose("property", property, {name: (*own, *labels.get(name, ())) for name, own in known.items()}).names
        left = [fact for fact in left if fact.property in names]
        for key, text in sorted(filters.items()):
            left = left if key in ("period", "year") else narrow(left, key, text)
    except ToolError:
        return None
    exact = [fact for fact in left if plain(fact.label) == plain(property)]
    return derive(exact or left, wanted)


def carried_out(
    made: Derivation, entry: Callable[[Fact], Entry], ledger: Ledger, name: str | None = None
) -> tuple[Entry, tuple[str, ...]]:
    """The result of a derivation, its figures and its calculation added to the ledger; and the names of its figures."""
    entries = {fact.name: entry(fact) for fact in made.facts}
    steps = list(made.steps())
    results: list[Entry] = []
    for number, (operation, operands) in enumerate(steps, 1):
        values = [results[int(each[1:]) - 1] if each[0] == "#" else entries[each] for each in operands]
        is_last = number == len(steps)
        period = period_of(made.wanted).key if is_last else None
        results.append(calculate(ledger, find_operation(operation), values, name if is_last else None, period))
    return results[-1], tuple(each.name for each in entries.values())


def period_that_follows(
    ledger: Ledger, operation: str, operands: Sequence[Entry], facts: Mapping[str, Fact]
) -> str | None:
    """The key of the period that a difference of figures of one line is of, where none of them is of it; else None."""
    if operation != "subtract":
        return None
    terms = list(_terms(ledger, operands))
    used = [facts[source.fact] for entry, _ in terms if isinstance(source := entry.source, FromFact)]
    if len(used) != len(terms) or len({plain(fact.label) for fact in used}) != 1:
        return None
    days = [span_of(fact.period) for fact in used]
    known = [each for each in days if each is not None]
    if len(known) != len(days):
        return None
    left = together((each, added) for each, (_, added) in zip(known, terms, strict=True))
    return None if left is None else period_of(left).key


def _terms(ledger: Ledger, operands: Sequence[Entry]) -> Iterator[tuple[Entry, bool]]:
    """The figures under a difference, and whether each is added, sums and conversions looked through."""
    waiting = [(entry, index == 0) for index, entry in enumerate(operands)]
    while waiting:
        entry, added = waiting.pop(0)
        source = entry.source
        if isinstance(source, FromOperation) and (source.operation in ("sum", "add") or source.operation[:3] == "in_"):
            waiting += [(ledger[name], added) for name in source.operands]
        elif isinstance(source, FromOperation) and source.operation == "subtract":
            waiting += [(ledger[name], added == (index == 0)) for index, name in enumerate(source.operands)]
        else:
            yield entry, added


def _amount(made: Derivation) -> Decimal:
    return sum((fact.value * fact.scale for fact in made.added), start=Decimal(0)) - sum(
        (fact.value * fact.scale for fact in made.taken_off), start=Decimal(0)
    )
