"""Which facts of a report are standard concepts: by the tag on them, else by label, statement and unit.

Decided once, when a filing is read. A standard concept is a line item of `tieout.ontology.metrics`; of the consolidated
company, so never a fact that is of a part of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact, FactKind
from tieout.kg.filings.primary import COMPANY, OWNERS, PRINTED, PrintedTable, primary_tables, readings
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.qualifier import qualifiers_of

TAG, LABEL = "tag", "label"
BY_TAG, BY_OTHER_TAG, BY_STATED = 0.99, 0.9, 0.97
IN_STATEMENT, ELSEWHERE, PER_RANK, PER_WAY, SPLIT, AFTER = 0.95, 0.55, 0.008, 0.01, 0.2, 0.05
PREFERRED, OTHERWISE = 0.005, 0.02  # off a line with words that are preferred, and off one without
BELOW = 0.2  # off a line below a sub-heading of discontinued operations, which may reach too far
IN_OTHER = 0.75  # of a line of the cash flow statement in the income statement
NOTED = 0.85  # of a line of a note that a statement has
LEAST = 0.35  # of a fact that is taken for a concept
UNSCALED = 0.6  # of a figure whose scale is not printed
SURE = 0.75  # of a table, that it is a primary statement
STANDARD = ("us-gaap:", "ifrs-full:", "dei:")
_LOSS = re.compile(r"\b(?:loss|losses|deficit)\b", re.IGNORECASE)
_INCOME = re.compile(r"\b(?:income|earnings|profit|gains?|benefit|provision|expense|tax)\b|\(", re.IGNORECASE)
MOST_PER_SHARE = 1_000_000  # no amount per share is as large, whatever its label says
_TOTAL = re.compile(r"total\b", re.IGNORECASE)
_BALANCE = re.compile(r"(?:opening |beginning |ending |closing )?balances?\b", re.IGNORECASE)
_BRACKET = re.compile(r"\([^()]*\)")
_OF_OWNERS = re.compile(r"(?:stock|share)-?\s?(?:holders|owners)\W*\s*(?:equity|deficit|deficiency)$", re.IGNORECASE)
_ALL = re.compile(r"\btotal(?: equity)?$", re.IGNORECASE)
_OF_ALL = {PRINTED: "total equity", "with all owners": "total equity including noncontrolling interests"}
_OF_EQUITY = re.compile(r"\b(?:retained|reinvested) earnings\b|\bpaid-in\b|\baccumulated deficit\b", re.IGNORECASE)
FEWEST_BALANCES = 2  # of a statement of changes in equity
WEEKS = timedelta(days=90)  # of a quarter whose first day is not printed
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
_DISCONTINUED = "discontinued"
_STRANGE = frozenset(("adjusted", "pro forma", "trailing"))  # qualifiers that no line of a statement has


@dataclass(frozen=True, slots=True)
class Observed:
    """A standard concept in one period, as one filing states it.

    item: name of the line item. start: None for a balance. amount: in full units, signed as it is meant: what is spent
    has none. value, scale: as printed. concept: of the tag, "" for none. found: `tag` or `label`. probability: that
    the fact is the concept, between 0 and 1.
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


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. ways: to read its label, by what is left out, the printed one first."""

    table: int
    row: int
    section: str
    ways: Mapping[str, str]
    facts: tuple[Fact, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The ways to read its label."""
        return tuple(self.ways.values())


def observe(facts: Sequence[Fact], tables: Sequence[PrintedTable], company: str = "") -> tuple[Observed, ...]:
    """The standard concepts of a report, one fact for each and each period. tables: as the index has them; company:
    whose report it is, as lines name it (`net income attributable to Acme`)."""
    statements = {each.number: (each.statement, each.certainty) for each in tables if each.statement}
    by_concept: dict[str, list[Fact]] = defaultdict(list)
    printed: dict[tuple[int, int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        if not _is_whole(fact):
            continue
        if fact.concept.startswith(STANDARD):
            by_concept[fact.concept].append(fact)
        if fact.kind is FactKind.TABLE and fact.label and fact.table is not None and fact.column:
            printed[fact.table, fact.row or 0, fact.label].append(fact)
    rows = list(_rows(printed, company))
    balances, matrices = _balances(printed)
    rows += balances
    primary = dict(primary_tables(tables, rows))
    primary["equity"] = (
        *primary.get("equity", ()),
        *(each for each in matrices if each not in primary.get("equity", ())),
    )
    rows = [row for row in rows if not row.facts[0].concept.startswith(STANDARD)]
    found: list[Observed] = []
    for item in line_items().values():
        best = _by_tags(item, by_concept, statements) or _by_labels(item, rows, primary)
        found += (best[key] for key in sorted(best, key=lambda key: (key[1], key[0] or date.min)))
    return tuple(_told_apart(found))


def _rows(printed: Mapping[tuple[int, int, str], Sequence[Fact]], company: str) -> Iterator[Row]:
    """The lines, those of which no label reads as a standard concept left out. A sub-heading ends with its total."""
    closed: set[tuple[int, str]] = set()
    for (table, row, _), facts in sorted(printed.items(), key=lambda each: each[0]):
        section = facts[0].section
        ways = readings(facts[0], company)
        is_closed = (table, section) in closed
        if section and normalise(section) in normalise(facts[0].label) and _TOTAL.match(facts[0].label):
            closed.add((table, section))
        if any(find_line_item(label) for label in ways.values()):
            yield Row(table, row, "" if is_closed else section, ways, tuple(facts))


def _balances(printed: Mapping[tuple[int, int, str], Sequence[Fact]]) -> tuple[list[Row], list[int]]:
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
                of = _BRACKET.sub("", fact.header).strip()
                ways = (
                    {PRINTED: "total stockholders equity"}
                    if _OF_OWNERS.search(of)
                    else _OF_ALL
                    if _ALL.search(of)
                    else {}
                )
                if ways:
                    rows.append(Row(table, row, "", ways, (fact,)))
    return rows, tables


def _sum_of_others(facts: Sequence[Fact]) -> Iterator[Fact]:
    """The figure of a line that all others of its unit come to."""
    for fact in facts:
        others = [each.value for each in facts if each.unit == fact.unit and each is not fact]
        if len(others) >= FEWEST_BALANCES and sum(others) == fact.value:
            yield fact


_Best = dict[tuple[date | None, date], Observed]


def _is_whole(fact: Fact) -> bool:
    """Whether a fact is of the whole company, of a known time."""
    return not fact.dimensions and not fact.parts and fact.period is not None and fact.period.end is not None


def _span(fact: Fact, item: LineItem, *, in_balance: bool = False) -> tuple[date | None, date] | None:
    """First and last day, the first None for a balance; None where the fact is of another kind than the item.

    in_balance: it is in a balance sheet, where a column headed by a year is of its last day.
    """
    period = fact.period
    assert period and period.end
    is_quarter = period.kind is PeriodKind.QUARTER and not in_balance
    is_day = period.start == period.end or (in_balance and period.kind in _YEARS)
    is_day = is_day or (period.start is None and not is_quarter)
    if item.is_instant:
        return (None, period.end) if is_day else None
    return None if is_day else (period.start or period.end - WEEKS, period.end)


def _by_tags(
    item: LineItem, by_concept: Mapping[str, list[Fact]], statements: Mapping[int, tuple[str, float]]
) -> _Best:
    """By the concepts that are preferred, those of its own statement first."""
    there = [
        (rank, concept, facts)
        for rank, concept in enumerate(item.concepts)
        if (facts := [fact for fact in by_concept.get(concept, ()) if fact.exact is not None])
    ]
    there.sort(key=lambda each: (not any(_is_own(fact, item, statements) for fact in each[2]), each[0]))
    best: _Best = {}
    for number, (_, concept, facts) in enumerate(there):
        for fact in sorted(facts, key=lambda fact: _order(fact, item, statements)):
            span = _span(fact, item)
            if span is None or span in best:
                continue
            assert fact.exact is not None
            probability = BY_TAG if number == 0 else BY_OTHER_TAG
            probability = min(probability, BY_STATED) if fact.kind is FactKind.STATED else probability
            best[span] = observed(item.name, fact, span, fact.exact, concept, TAG, probability)
    return best


def _is_own(fact: Fact, item: LineItem, statements: Mapping[int, tuple[str, float]]) -> bool:
    return statements.get(fact.table or 0, ("", 0.0))[0] == item.statement


def _order(fact: Fact, item: LineItem, statements: Mapping[int, tuple[str, float]]) -> tuple[float, int, int, int, int]:
    """The statement of an item first, the surest before others; then tables, sentences, and what no page has."""
    statement, certainty = statements.get(fact.table or 0, ("", 0.0))
    kind = 0 if fact.kind is FactKind.TABLE else 1 if fact.kind is FactKind.TEXT else 2
    own = certainty if statement == item.statement else 0.0
    if fact.kind is FactKind.STATED:  # of facts gathered from several filings the last is the newest
        return (-own, kind, -int(fact.name[1:]), 0, 0)
    return (-own, kind, fact.table or fact.sentence or 0, fact.row or 0, fact.column or 0)


def _by_labels(item: LineItem, lines: Sequence[Row], primary: Mapping[str, Sequence[int]]) -> _Best:
    """By the labels of lines: in the primary statement of the item, the most telling label first, then elsewhere."""
    scored: list[tuple[float, Row]] = []
    for line in lines:
        rank = next(((way, found) for way, label in line.ways.items() if (found := item.rank(label)) is not None), None)
        if rank is None or not may_be(line.facts[0], item, line.section):
            continue
        place = _place(item, line.table, primary)
        if _DISCONTINUED in line.section.lower() and _DISCONTINUED not in item.qualifiers:
            place -= BELOW
        scored.append((place - _doubt(item, line, *rank), line))
    scored.sort(key=lambda each: (-each[0], each[1].table, each[1].row))
    best: _Best = {}
    for number, (score, line) in enumerate(scored):
        for fact in line.facts:
            span = _span(fact, item, in_balance=line.table in primary.get("balance", ()))
            if span is None or span in best or not may_be(fact, item, line.section):
                continue  # beside the amounts of a row stand changes in percent
            doubt = SPLIT if number and best else 0.0
            probability = (score - doubt) * (1 if fact.scale_known else UNSCALED)
            if probability < LEAST:
                continue
            best[span] = observed(item.name, fact, span, _meant(fact, item), fact.concept, LABEL, probability)
    return best


def _doubt(item: LineItem, line: Row, way: str, rank: int) -> float:
    """What the label of a line takes off: of several that name an item, that with the name of the company or its owners
    is the company's own."""
    if not item.prefer:
        return PER_RANK * rank + PER_WAY * list(line.ways).index(way)
    if way in (COMPANY, OWNERS) and COMPANY in line.ways:
        return 0.0
    label = line.facts[0].label.lower()
    return PREFERRED if any(words in label for words in item.prefer) else OTHERWISE + PER_RANK * rank


def _place(item: LineItem, table: int, primary: Mapping[str, Sequence[int]]) -> float:
    """How sure a line is for standing in a table: of the item's own statement, or, of a note, in any statement."""
    own = primary.get(item.statement, ())
    if table in own:
        return IN_STATEMENT - AFTER * own.index(table)
    is_noted = item.statement == "note" and any(table in each for each in primary.values())
    # Cash at the end of the year, equity after each of its changes.
    is_closing = item.is_instant and any(table in primary.get(each, ()) for each in ("cash flow", "equity"))
    if is_noted or is_closing:
        return NOTED
    # What is added back is a line of the income statement too, where that prints it.
    is_added_back = item.statement == "cash flow" and table in primary.get("income", ())
    return IN_OTHER if is_added_back else ELSEWHERE


def may_be(fact: Fact, item: LineItem, section: str) -> bool:
    """Whether unit, sub-heading and qualifiers of a line allow it to be the item."""
    unit = str(fact.unit or "")
    match item.unit:
        case "per share":
            fits = (unit.endswith("/share") or unit == "") and abs(fact.value) < MOST_PER_SHARE
        case "shares":
            fits = unit in (Unit.SHARES, "", Unit.COUNT)
        case "percent":
            fits = unit in (Unit.PERCENT, "")
        case "count":
            fits = not unit.endswith("/share") and unit != Unit.PERCENT
        case _:
            fits = unit not in (Unit.SHARES, Unit.PERCENT) and not unit.endswith("/share")
    under = section.lower().rstrip(": ")
    if item.under and not under.startswith(item.under):
        fits = False
    if item.not_under and under.startswith(item.not_under):
        fits = False
    return fits and not (qualifiers_of(fact.label) & _STRANGE)


def _meant(fact: Fact, item: LineItem) -> Decimal:
    """The amount of a fact without a tag, in full units, signed as the item is meant."""
    amount = fact.value * fact.scale
    if fact.unit == Unit.PERCENT:
        amount /= 100
    if item.spent or item.sign == "positive":
        return abs(amount)
    if _LOSS.search(fact.label) and not _INCOME.search(fact.label):
        return -abs(amount)
    return amount


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


def _told_apart(found: Iterable[Observed]) -> Iterator[Observed]:
    """Of a fact that was read as two concepts by its label, the surer one is kept as it is, the other is doubted."""
    listed = list(found)
    surest: dict[str, float] = {}
    for each in listed:
        surest[each.fact] = max(surest.get(each.fact, 0.0), each.probability)
    for each in listed:
        if each.found == LABEL and each.probability < surest[each.fact]:
            yield replace(each, probability=round(each.probability * 0.6, 3))
        else:
            yield each
