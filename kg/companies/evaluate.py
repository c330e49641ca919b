"""The value of a measure for a company and a period: stated, following from other spans, or calculated from parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from tieout.kg.companies.library import Library
from tieout.kg.companies.measure import Measure
from tieout.kg.companies.value import CLOSES, FOLLOWS, TO_DATE, Value, apply
from tieout.kg.filings.company import Company
from tieout.kg.filings.observation import split_between
from tieout.ontology.metrics.formula import Formula, evaluate
from tieout.ontology.metrics.line_item import LineItem, line_items
from tieout.ontology.metrics.metric import metrics

UNITS = {"percent": "percent", "ratio": "ratio", "days": "days"}
LTM = "LTM"  # `LTM Q2`: the last twelve months to the end of the second quarter
_AVERAGES = ("shares", "per share", "percent", "count")
BY_SHARE = ("shares", "per share")  # units of what a split of shares changes
TOLD_BY = ("eps_basic", "eps_diluted", "shares_basic", "shares_diluted")  # the lines that tell of a split of shares
ROUNDED, MOST_LINES = 1000, 3  # by how much ways to one amount may differ: a part of it, or units of its lines
_Asked = tuple[str, int, str]


class Evaluator:
    """Values of one company."""

    def __init__(self, library: Library, company: Company) -> None:
        self._library, self.company = library, company
        self._known: dict[_Asked, Value | None] = {}
        self._open: list[_Asked] = []  # what is being calculated: nothing is made of itself

    def value(self, measure: Measure, year: int, period: str = "FY") -> Value | None:
        """The value of a measure; None where it does not follow from what filings state."""
        found = self._formula(measure.formula, year, period)
        if found is None:
            return None
        if measure.unit in UNITS:
            found = replace(found, unit=UNITS[measure.unit], scale=1)
        return found

    def _formula(self, formula: Formula, year: int, period: str) -> Value | None:
        return evaluate(formula, _In(self, year, period))

    def named(self, name: str, year: int, period: str) -> Value | None:
        """The value of a line item or metric, by its name; None where it does not follow from what filings state."""
        asked = (name, year, period)
        if asked in self._known:
            return self._known[asked]
        if asked in self._open:
            return None
        self._open.append(asked)
        try:
            found = self._found(name, year, period)
        finally:
            self._open.pop()
        if not self._open:
            self._known[asked] = found  # what was looked for on the way may have been cut off by what was open
        return found

    def _found(self, name: str, year: int, period: str) -> Value | None:
        item = line_items().get(name)
        found = self._item(item, year, period) if item else None
        metric = metrics().get(name)
        if found is not None or metric is None:
            return found
        ways = (self._formula(formula, year, period) for formula in (*metric.rather, metric.formula))
        there = [made for made in ways if made is not None]
        if not there:
            return None
        is_doubted = bool(metric.doubt) and len(there) == 1  # no formula that is taken rather
        doubts = (metric.doubt,) if is_doubted else tuple(_apart(there))
        made, unit = there[0].flagged(*doubts), UNITS.get(metric.unit)
        return replace(made, unit=unit, scale=1) if unit else made

    def _item(self, item: LineItem, year: int, period: str) -> Value | None:
        if item.is_instant:
            closing = period.removeprefix(f"{LTM} ")
            return self._stated(item.name, year, CLOSES.get(closing, closing))
        if period.startswith(LTM):
            return self._last_twelve_months(item, year, period.removeprefix(f"{LTM} "))
        found = self._stated(item.name, year, period)
        if found is not None or item.unit in _AVERAGES:
            return found
        for spans in FOLLOWS.get(period, ()):
            if (made := self._from_spans(item.name, year, spans)) is not None:
                return made
        return None

    def _stated(self, name: str, year: int, period: str) -> Value | None:
        found = self._library.observation(self.company, name, year, period)
        if found is None:
            return None
        value = Value.of(found)
        if line_items()[name].unit not in BY_SHARE:
            return value
        ended = found.filing.ended
        return value.flagged(*(flag for since, flag in self._splits if ended is not None and ended < since))

    @cached_property
    def _splits(self) -> tuple[tuple[date, str], ...]:
        """The last days of the first filings that state shares as split, with what is said of what older ones state."""
        found: dict[str, date] = {}
        for each in self._library.doubled(self.company, TOLD_BY):
            times = next((split for old in each.restated if (split := split_between(each.stated, old.observed))), 0)
            if times and each.filing.ended:
                told = f"{times} for 1" if times > 0 else f"1 for {-times}"
                flag = f"as stated before shares were split {told}"
                found[flag] = min(found.get(flag, each.filing.ended), each.filing.ended)
        return tuple((since, flag) for flag, since in found.items())

    def _from_spans(self, name: str, year: int, spans: Sequence[str]) -> Value | None:
        """What follows from other spans that filings state, all of one concept."""
        parts = [(self._stated(name, year, span.lstrip("-")), span.startswith("-")) for span in spans]
        there = [(value, is_less) for value, is_less in parts if value is not None]
        concepts = {value.sources[0].observed.concept for value, _ in there} - {""}
        if len(there) < len(spans) or len(concepts) > 1:
            return None
        added = tuple(value for value, is_less in there if not is_less)
        total = added[0] if len(added) == 1 else apply("add", added)
        less = tuple(value for value, is_less in there if is_less)
        made = apply("subtract", (total, *less)) if less and total else total
        if made is None:
            return None
        start, end = _left(added, less)
        return replace(made, start=start, end=end)

    def _last_twelve_months(self, item: LineItem, year: int, closing: str) -> Value | None:
        """The last year, and this one to date, less the last one to the same day."""
        if closing == "FY":
            return self._item(item, year, "FY")
        if item.unit in _AVERAGES:  # of the newest quarter; an amount per share is of its own span
            return None if item.unit == "per share" else self._stated(item.name, year, closing)
        parts = [
            self._item(item, *when)
            for when in ((year - 1, "FY"), (year, TO_DATE[closing]), (year - 1, TO_DATE[closing]))
        ]
        there = tuple(each for each in parts if each is not None)
        if len(there) < len(parts):
            return None
        total = apply("add", there[:2])
        made = total and apply("subtract", (total, there[2]))
        return made and replace(made, start=_after(there[2]), end=there[1].end)


def _apart(ways: Sequence[Value]) -> Iterator[str]:
    """What is said of a value that comes to something else by another of its formulas: a line may be left out, or be
    counted that is no part of it."""
    first = ways[0]
    for other in ways[1:]:
        if abs(first.amount - other.amount) > max(abs(first.amount) / ROUNDED, Decimal(MOST_LINES * first.scale)):
            labels = dict.fromkeys(each.observed.label for each in other.sources)
            yield f"{other.value.normalize():,f} by {' and '.join(map(repr, labels))}"


def _after(value: Value) -> date | None:
    """The day after the last one of a value."""
    return value.end and value.end + timedelta(days=1)


def _left(added: Sequence[Value], less: Sequence[Value]) -> tuple[date | None, date | None]:
    """The first and last day of some spans, less others that lie at their beginning or at their end."""
    start = min((each.start for each in added if each.start), default=None)
    end = max((each.end for each in added if each.end), default=None)
    for each in sorted(less, key=lambda value: value.start or date.min):
        if each.start and start and each.start <= start:
            start = _after(each)
        elif each.start:
            end = each.start - timedelta(days=1)
    return start, end


@dataclass(frozen=True, slots=True)
class _In:
    """The parts of formulas in one period of a company."""

    evaluator: Evaluator
    year: int
    period: str

    def constant(self, value: Decimal) -> Value:
        return Value.constant(value)

    def named(self, name: str, back: int) -> Value | None:
        return self.evaluator.named(name, self.year + back, self.period)

    def optional(self, part: Formula) -> Value | None:
        return evaluate(part, self)

    def together(self, operation: str, values: tuple[Value, ...]) -> Value | None:
        there = tuple(_distinct(values)) if operation == "add" else values
        return there[0] if len(there) == 1 and len(values) > 1 else apply(operation, there)


def _distinct(values: Sequence[Value]) -> Iterator[Value]:
    """A figure that is in a sum already is no further part of it: reports name one line for two."""
    seen: set[str] = set()
    for value in values:
        names = {f"{each.filing.report}:{each.observed.fact}" for each in value.sources}
        if not names or not names & seen:
            yield value
        seen |= names
