"""Totals that no label of a line names: what balances on one axis and parts on the other come to, what both sides of a
balance sheet come to, and what agrees with a statement at the other days that it prints."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit
from tieout.data.printed.wording import MONTHS
from tieout.kg.fact import Fact
from tieout.kg.filings.primary import PRINTED, PrintedTable
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import find_line_item

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_BALANCE = later(
    rf"(?:opening |beginning |ending |closing )?balances?\b|(?:as of |at )?(?:{_MONTH})\.? \d\d?,? (?:19|20)\d\d\W*$",
    re.IGNORECASE,
)
_BRACKET = later(r"\([^()]*\)")
_OF_OWNERS = later(
    r"(?:stock|share)-?\s?(?:holders|owners)\W*\s*(?:equity|investment|deficit|deficiency)$", re.IGNORECASE
)
_ALL = later(r"\btotal(?: equity)?$", re.IGNORECASE)
_OF_ALL = {PRINTED: "total equity", "with all owners": "total equity including noncontrolling interests"}
_OF_EQUITY = later(
    r"\b(?:retained|reinvested) (?:earnings|income|profits?|loss(?:es)?)\b|\bpaid-in\b|\baccumulated deficit\b"
    r"|\b(?:earnings|income|profits?) (?:retained|employed|invested|reinvested)\b",
    re.IGNORECASE,
)
_LESS = later(r"less\b", re.IGNORECASE)
_TOTAL = later(r"\btotal\b", re.IGNORECASE)
_CLOSING = later(
    r"\bbalances?,? (?:at|as of) |\b(?:beginning|end) of (?:the )?(?:fiscal )?(?:year|period)\b", re.IGNORECASE
)
_SIDES = ("total assets", "total liabilities and equity")  # of a balance sheet, in the order in which it prints them
_KINDS = frozenset((Unit.SHARES, Unit.PERCENT))
# What stands above a total of a balance sheet, below the total before it.
_TERMS = {
    "current_assets": "current assets",
    "noncurrent_assets": "noncurrent assets",
    "total_assets": "noncurrent assets",
    "current_liabilities": "current liabilities",
    "noncurrent_liabilities": "noncurrent liabilities",
    "total_liabilities": "noncurrent liabilities",
    "liabilities_and_equity": "noncurrent liabilities",
}
PARTS_OF_SUM = (2, 3)  # how many lines beside each other come to a total
FEWEST_BALANCES = 2  # of a statement of changes in equity

Printed = Mapping[tuple[int, int, str], Sequence[Fact]]  # by table, row and label


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. ways: to read its label, by what is left out, the printed one first. above: the label of the
    line above it. term: what the next total of a balance sheet says of it, `current liabilities`."""

    table: int
    row: int
    section: str
    ways: Mapping[str, str]
    facts: tuple[Fact, ...]
    above: str = ""
    term: str = ""

    @property
    def under(self) -> str:
        """The sub-heading that it stands under, in lower case; in a balance sheet that without says its total."""
        section = self.section.lower().rstrip(": ")
        return section if "current" in section else self.term or section

    @property
    def labels(self) -> tuple[str, ...]:
        """The ways to read its label."""
        return tuple(self.ways.values())


@dataclass(frozen=True, slots=True)
class Total:
    """A column or row of totals. about: the words of its table and of its own, normalised."""

    about: str
    facts: tuple[Fact, ...]


def with_terms(rows: Sequence[Row], balance: Collection[int]) -> Iterator[Row]:
    """The lines, those of a balance sheet with what the totals of what is current say of those above them: `Debt` above
    `Current liabilities` is due within a year, below it is not. balance: its tables."""
    ends: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for row in rows:
        item = next(filter(None, map(find_line_item, row.labels)), None) if row.table in balance else None
        if item is not None and item.name in _TERMS:
            ends[row.table].append((row.row, _TERMS[item.name]))
    begins: dict[tuple[int, str], int] = {}
    for row in reversed(rows):
        begins[row.table, row.section.lower().rstrip(": ")] = row.row
    for row in rows:
        term = next((term for end, term in sorted(ends.get(row.table, ())) if row.row <= end), "")
        if row.row < begins.get((row.table, term), 0):
            term = ""  # capital and long-term debt in front of `Current liabilities:`
        is_divided = any(each == term.removeprefix("non") for _, each in ends.get(row.table, ()))
        yield replace(row, term=term) if is_divided else row


def by_unit(facts: Sequence[Fact]) -> Iterator[tuple[Fact, ...]]:
    """The figures of a line by what they are of: money, shares, an amount per share, percent."""
    kinds: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        unit = str(fact.unit or "")
        kinds["per share" if unit.endswith("/share") else unit if unit in _KINDS else ""].append(fact)
    return map(tuple, kinds.values())


def equity_balances(printed: Printed) -> tuple[list[Row], list[int]]:
    """Equity in statements of its changes, which have balances on one axis and the parts of equity on the other: the
    lines of balances whose columns are of all of it, and the tables.

    A line that is labelled by the part, with balances as columns, is a line like any other.
    """
    said: dict[int, set[str]] = defaultdict(set)
    for (table, _, label), facts in printed.items():
        said[table] |= {label, *(fact.header for fact in facts)}
    tables = sorted(
        table
        for table, texts in said.items()
        if sum(_BALANCE.match(text) is not None for text in texts) >= FEWEST_BALANCES
        and any(map(_OF_EQUITY.search, texts))
    )
    rows = []
    for (table, row, label), facts in printed.items():
        if table in tables and _BALANCE.match(label):
            beside = [
                each for (at, line, _), others in printed.items() if (at, line) == (table, row) for each in others
            ]
            rows += [Row(table, row, "", _OF_ALL, (fact,)) for fact in _sum_of_others(beside) if not fact.header]
            for fact in facts:
                if ways := _of_column(_BRACKET.sub("", fact.header).strip()):
                    rows.append(Row(table, row, "", ways, (fact,)))
    return rows, tables


def _of_column(of: str) -> Mapping[str, str]:
    """Ways to read what a column of a statement of changes in equity is of; none for one that is no line."""
    if _OF_OWNERS.search(of):
        return {PRINTED: "total stockholders equity"}
    if _ALL.search(of):
        return _OF_ALL
    item = find_line_item(of)
    return {PRINTED: of} if item is not None and item.is_instant and not item.unit else {}


def _sum_of_others(facts: Sequence[Fact]) -> Iterator[Fact]:
    """The figure of a line that all others of its unit come to."""
    for fact in facts:
        others = [each.value for each in facts if each.unit == fact.unit and each is not fact]
        if len(others) >= FEWEST_BALANCES and sum(others) == fact.value:
            yield fact


def sides_of_balance(printed: Printed, tables: Sequence[PrintedTable], balance: Sequence[int]) -> Iterator[Row]:
    """The lines without a label of their own that a balance sheet ends its two sides with: amounts that stand twice.

    balance: the numbers of its tables; a line without a label is called by the title of its table."""
    titles = {each.number: each.title for each in tables if each.number in balance}
    unnamed = [(key, facts) for key, facts in sorted(printed.items()) if key[0] in titles and key[2] == titles[key[0]]]
    by_amounts: dict[frozenset[tuple[object, object]], list[Row]] = defaultdict(list)
    for (table, row, _), facts in unnamed:
        amounts = frozenset((fact.period and fact.period.end, fact.value) for fact in facts)
        by_amounts[amounts].append(Row(table, row, "", {}, tuple(facts)))
    for twice in by_amounts.values():
        if len(twice) == len(_SIDES):
            for side, line in zip(_SIDES, twice, strict=True):
                yield Row(line.table, line.row, "", {PRINTED: side}, line.facts)


def parts_in_sums(printed: Printed, labels: Collection[str], wholes: Collection[Decimal]) -> Iterator[Row]:
    """The lines of one of these labels that, with one or two lines beside them, add up to one of the amounts of what
    they are a part of. labels: normalised; wholes: in full units."""
    inside: dict[int, list[tuple[int, str, Sequence[Fact]]]] = defaultdict(list)
    for (table, row, label), facts in sorted(printed.items()):
        inside[table].append((row, label, facts))
    for table, lines in inside.items():
        for at, (row, label, facts) in enumerate(lines):
            if normalise(label) not in labels:
                continue
            begun = ((first, many) for many in PARTS_OF_SUM for first in range(max(0, at - many + 1), at + 1))
            groups = (lines[first : first + many] for first, many in begun)
            if any(len(group) > 1 and _adds_up(group, facts, wholes) for group in groups):
                yield Row(table, row, "", {PRINTED: label}, tuple(facts))


def _adds_up(
    lines: Sequence[tuple[int, str, Sequence[Fact]]], facts: Sequence[Fact], wholes: Collection[Decimal]
) -> bool:
    """Whether lines come to one of these amounts in the first column of one of them."""
    column = [[fact for fact in line[2] if fact.column == facts[0].column] for line in lines]
    amounts = [each[0].value * each[0].scale * (-1 if _is_less(each[0]) else 1) for each in column if each]
    near = facts[0].scale * len(lines)
    return len(amounts) == len(lines) and any(abs(sum(amounts) - whole) <= near / 2 for whole in wholes if whole)


def _is_less(fact: Fact) -> bool:
    """Whether a line is taken off by its label, and not by its sign: `Less: accumulated depreciation 9,233`."""
    return fact.value > 0 and _LESS.match(fact.label) is not None


def totals(printed: Printed, tables: Sequence[PrintedTable]) -> Iterator[Total]:
    """Rows of totals, and columns of totals that stand across balances."""
    titles = {each.number: each.title for each in tables}
    columns: dict[tuple[int, str], list[Fact]] = defaultdict(list)
    for (table, _, label), facts in sorted(printed.items()):
        if _TOTAL.search(label) or _CLOSING.search(label):
            heading = facts[0].heading.rpartition(">")[2]
            headers = " ".join(dict.fromkeys(fact.header for fact in facts))
            closing = [fact for fact in facts if _BALANCE.match(fact.header)]  # beside changes between them
            yield Total(normalise(f"{titles.get(table, '')} {heading} {label} {headers}"), tuple(closing or facts))
        for fact in facts:
            if _BALANCE.match(label) and _TOTAL.search(fact.header):
                columns[table, fact.header].append(fact)
            elif label == titles.get(table) and _BALANCE.match(fact.header):  # a total is called by its table
                columns[table, label].append(fact)
    for (table, header), column in columns.items():
        heading = column[0].heading.rpartition(">")[2]
        yield Total(normalise(f"{titles.get(table, '')} {heading} {header}"), tuple(column))


def about(every: Iterable[Total], names: Sequence[str]) -> Iterator[Total]:
    """The totals in whose words one of these names stands; names: normalised."""
    named = _any_of(tuple(names))
    return (each for each in every if named.search(each.about))


@lru_cache(maxsize=64)
def _any_of(names: Sequence[str]) -> re.Pattern[str]:
    return later(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
