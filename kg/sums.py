"""Which sums that financial tables have to keep hold among the facts of a report, and which do not: facts -> relations.

Where a sum holds, its columns, signs, units and scales are read right, or all of them wrong alike; where it does not,
something is misread, or does not add up in print.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cached_property
from itertools import product

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import LONGEST_LABEL
from tieout.data.printed.unit import Unit, is_currency
from tieout.data.tables.sums import FEWEST_PARTS, MOST_OF, addends_of
from tieout.kg.fact import Fact, FactKind, measures
from tieout.ontology.metrics.line_item import find_line_item

_TOTAL = later(r"\b(?:sub-?)?totals?\b|\bconsolidated\b", re.IGNORECASE)
_RESULT = later(
    r"^net (?:cash|income|loss|earnings|profit|sales|revenue|increase|decrease|change)|^(?:gross|operating) (?:profit|"
    r"margin|income|loss|earnings)|^(?:income|loss|earnings|profit)\b.*\b(?:before|from|continuing|operations)\b"
    r"|^(?:total )?comprehensive (?:income|loss)|^cash (?:provided|used|generated)",
    re.IGNORECASE,
)
_NET_INCOME = later(r"\bnet (?:income|loss|earnings|profit)|\b(?:income|earnings|profit|loss) (?:available|attrib)")
_CHANGE_IN_CASH = later(r"\b(?:increase|decrease|change)\b.*\bcash\b", re.IGNORECASE)
_CASH_AT = later(
    r"\bcash\b.*\b(?:beginning|opening|start|end|ending|closing)\b|\b(?:beginning|opening|start|end|ending|closing)\b.*\bcash\b",
    re.IGNORECASE,
)
_AT_START = later(r"\b(?:beginning|opening|start)\b", re.IGNORECASE)
_EXCHANGE = later(r"\b(?:exchange|currency|translation)\b", re.IGNORECASE)
_ONE_CLASS = later(r"\bclass [a-z]\b|\bdiscontinued\b", re.IGNORECASE)
OTHER_EARNINGS = Decimal(
    "0.02"
)  # share of earnings that unvested stock and preferred dividends may take (ASC 260-10-45)
_UNITS = (Unit.SHARES, Unit.COUNT, None)


class Rule(StrEnum):
    """Why amounts have to add up."""

    BALANCE = "balance sheet"  # total assets = liabilities and equity
    TOTAL = "total"  # lines = their total, or what is left of them
    PARTS = "parts"  # columns = the column of their total
    CASH = "cash"  # at the beginning + change = at the end
    PER_SHARE = "per share"  # earnings per share * shares = earnings


@dataclass(frozen=True, slots=True)
class Sum:
    """One relation between facts. whole: what the parts have to make, each with the sign it is added with (of
    PER_SHARE: the price and the shares, which are multiplied). made: what they make; allowed: by how much that may
    differ from the whole, as all are rounded; both in full units."""

    rule: Rule
    whole: Fact
    parts: tuple[tuple[int, Fact], ...]
    made: Decimal
    allowed: Decimal

    @property
    def difference(self) -> Decimal:
        """What is printed less what the parts make, in full units."""
        return full(self.whole) - self.made

    @property
    def holds(self) -> bool:
        return abs(self.difference) <= self.allowed

    @property
    def facts(self) -> Iterator[Fact]:
        """The facts that it is between, the whole first."""
        yield self.whole
        yield from (fact for _, fact in self.parts)

    def __str__(self) -> str:
        sign = " * " if self.rule is Rule.PER_SHARE else " + "
        made = sign.join(f"{'-' if each < 0 else ''}{fact.raw} [{fact.name}]" for each, fact in self.parts)
        when = f" ({self.whole.period.label})" if self.whole.period else ""
        said = "" if self.holds else f": differs by {self.difference.normalize():,f}"
        return f"{self.rule}: {self.whole.label}{when} {self.whole.raw} [{self.whole.name}] = {made}{said}"


def full(fact: Fact) -> Decimal:
    """A printed amount in full units, with the sign as printed."""
    return fact.value * fact.scale


def number_of(fact: Fact) -> Decimal:
    """A figure in full units, of a percentage its decimal."""
    return fact.value.scaleb(-2) if fact.unit == Unit.PERCENT else full(fact)


def find_sums(facts: Iterable[Fact], share: float = MOST_OF) -> list[Sum]:
    """The sums among the facts of one report, table by table, those that hold and those that do not.

    A total is only told not to hold where its lines make it in most other columns; a balance sheet, the change of cash
    and earnings per share have to hold anywhere. share: of the columns, in which they have to make it at least.
    """
    tables: dict[int, list[Fact]] = {}
    for fact in measures(facts):
        if fact.kind is FactKind.TABLE and fact.table is not None and fact.label != fact.context[:LONGEST_LABEL]:
            tables.setdefault(fact.table, []).append(fact)
    return [found for _, inside in sorted(tables.items()) for found in _Table(inside, share).sums()]


class _Table:
    """The facts of one table by row and column, each cell's first."""

    def __init__(self, facts: Sequence[Fact], share: float) -> None:
        self.share = share
        self.cells: dict[tuple[int, int], Fact] = {}
        for fact in facts:
            self.cells.setdefault((fact.row or 0, fact.column or 0), fact)
        self.rows = sorted({row for row, _ in self.cells})
        self.columns = sorted({column for _, column in self.cells})

    def sums(self) -> Iterator[Sum]:
        seen = set()
        for found in (*self._named(), *self._totals(), *self._parts()):
            key = found.whole.name, tuple(fact.name for _, fact in found.parts)
            if key not in seen:
                seen.add(key)
                yield found

    @cached_property
    def labels(self) -> Mapping[int, str]:
        """What each row is called: what all its facts have in common, where the table runs across or down."""
        found = {}
        for row in self.rows:
            here = [self.cells[row, column] for column in self.columns if (row, column) in self.cells]
            same = len({fact.label for fact in here}) == 1
            found[row] = here[0].label if same or not here[0].header else here[0].header
        return found

    @cached_property
    def heads(self) -> Mapping[int, str]:
        """What each column is called."""
        found: dict[int, str] = {}
        for row, column in self.cells:
            fact = self.cells[row, column]
            found.setdefault(column, fact.header if fact.label == self.labels[row] else fact.label)
        return found

    @cached_property
    def items(self) -> Mapping[str, list[int]]:
        """The rows of each line item."""
        found: dict[str, list[int]] = {}
        for row, label in self.labels.items():
            if item := find_line_item(label):
                found.setdefault(item.name, []).append(row)
        return found

    def _amount(self, row: int, column: int) -> Decimal | None:
        """An amount as printed that can be added to others."""
        fact = self.cells.get((row, column))
        return fact.value if fact and (is_currency(fact.unit) or fact.unit in _UNITS) else None

    def _totals(self) -> Iterator[Sum]:
        lines = [[self._amount(row, column) for column in self.columns] for row in self.rows]
        are_totals = [
            bool(_TOTAL.search(label) or _RESULT.search(label)) and not label.endswith("?")  # nor a question: it asks
            for label in self.labels.values()
        ]
        for total, parts in addends_of(lines, are_totals, self.share).items():
            for column in self.columns:
                rows = [(sign, self.rows[part]) for sign, part in parts]
                yield from self._sum(Rule.TOTAL, (self.rows[total], column), [(s, (r, column)) for s, r in rows])

    def _parts(self) -> Iterator[Sum]:
        lines = [[self._amount(row, column) for row in self.rows] for column in self.columns]
        are_totals = [bool(_TOTAL.search(self.heads[column])) for column in self.columns]
        for total, parts in addends_of(lines, are_totals, self.share).items():
            for row in self.rows:
                columns = [(sign, self.columns[part]) for sign, part in parts]
                yield from self._sum(Rule.PARTS, (row, self.columns[total]), [(s, (row, c)) for s, c in columns])

    def _sum(self, rule: Rule, whole: tuple[int, int], parts: Sequence[tuple[int, tuple[int, int]]]) -> Iterator[Sum]:
        """The sum of cells, where the whole and some part have an amount."""
        said = [(sign, self.cells[place]) for sign, place in parts if self._amount(*place) is not None]
        if not said or self._amount(*whole) is None:
            return
        fact = self.cells[whole]
        made = sum((sign * full(part) for sign, part in said), Decimal(0))
        rounded = max(map(_rounding, (fact, *(part for _, part in said))))
        allowed = Decimal(0) if rule is Rule.BALANCE else rounded * (len(said) + 1) / 2  # one figure printed twice
        found = Sum(rule, fact, tuple(said), made, allowed)
        if found.holds or len(said) == len(parts) or 2 * len(said) > max(len(parts), FEWEST_PARTS):
            yield found  # where most parts are not printed, the total may be of something else

    def _named(self) -> Iterator[Sum]:
        """What the lines of statements have to make, whatever else is printed."""
        for column in self.columns:
            yield from self._balance(column)
            yield from self._cash(column)
            yield from self._per_share(column)

    def _row(self, column: int, *items: str) -> int | None:
        """The only row of one of some line items with an amount in a column."""
        rows = [row for item in items for row in self.items.get(item, ()) if self._amount(row, column) is not None]
        return rows[0] if len(rows) == 1 else None

    def _balance(self, column: int) -> Iterator[Sum]:
        assets, both = self._row(column, "total_assets"), self._row(column, "liabilities_and_equity")
        if assets is not None and both is not None:
            yield from self._sum(Rule.BALANCE, (assets, column), [(1, (both, column))])

    def _cash(self, column: int) -> Iterator[Sum]:
        named = {
            row: label
            for row, label in self.labels.items()
            if "cash" in label.lower() and self._amount(row, column) is not None
        }
        balances = [row for row, label in named.items() if _CASH_AT.search(label)]
        changes = [row for row, label in named.items() if row not in balances and _CHANGE_IN_CASH.search(label)]
        changes = [row for row in changes if not _EXCHANGE.search(named[row])] or changes
        if len(balances) != 2 or len(changes) != 1 or not _AT_START.search(named[balances[0]]):
            return
        opening, closing = balances
        if not _AT_START.search(named[closing]):
            yield from self._sum(Rule.CASH, (closing, column), [(1, (opening, column)), (1, (changes[0], column))])

    def _per_share(self, column: int) -> Iterator[Sum]:
        """Earnings per share, where the table has shares of all the company and earnings: one of those fits."""
        here = {row: self.cells[row, column] for row in self.rows if (row, column) in self.cells}
        earned = [fact for row, fact in here.items() if _is_earned(fact, self.labels[row])]
        for kind in ("basic", "diluted"):
            named = {row: f"{fact.section} {self.labels[row]}".lower() for row, fact in here.items()}
            own = [row for row, name in named.items() if kind in name and not _ONE_CLASS.search(name)]
            prices = [here[row] for row in own if str(here[row].unit).endswith("/share")]
            shares = [here[row] for row in own if here[row].unit is Unit.SHARES]
            if len(prices) == len(shares) == 1 and earned and full(shares[0]):
                found = [_earnings(*each) for each in product(earned, prices, shares)]
                yield min(found, key=lambda each: abs(each.difference))


def _is_earned(fact: Fact, label: str) -> bool:
    return is_currency(fact.unit) and bool(_NET_INCOME.search(label.lower())) and not _ONE_CLASS.search(label)


def _earnings(earned: Fact, price: Fact, shares: Fact) -> Sum:
    """Earnings as price times shares: a loss may be printed with brackets in one of them alone."""
    made = full(price).copy_abs() * full(shares)
    made = made.copy_negate() if earned.value < 0 else made
    rounded = _rounding(price) * full(shares) + _rounding(shares) * full(price).copy_abs() + _rounding(earned)
    allowed = max(rounded, full(earned).copy_abs() * OTHER_EARNINGS)
    return Sum(Rule.PER_SHARE, earned, ((1, price), (1, shares)), made, allowed)


def _rounding(fact: Fact) -> Decimal:
    """One unit of the last digit that is printed, in full units."""
    return Decimal(1).scaleb(int(fact.value.as_tuple().exponent)) * fact.scale
