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
from functools import cache

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.unit import Unit, is_counted
from tieout.kg.fact import Fact, FactKind
from tieout.kg.filings.direction import is_turned
from tieout.kg.filings.eligible import may_be
from tieout.kg.filings.primary import (
    COMPANY,
    LESS_THAN_PRINTED,
    OWNERS,
    UNDILUTED,
    PrintedTable,
    primary_tables,
    readings,
    undiluted,
)
from tieout.kg.filings.totals import (
    Printed,
    Row,
    Total,
    about,
    by_unit,
    equity_balances,
    parts_in_sums,
    sides_of_balance,
    totals,
)
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items

TAG, LABEL, SAID = "tag", "label", "said"
BY_TAG, BY_OTHER_TAG, BY_STATED = 0.99, 0.9, 0.97
IN_STATEMENT, ELSEWHERE, PER_RANK, PER_WAY, SPLIT, AFTER = 0.95, 0.55, 0.008, 0.01, 0.2, 0.05
PREFERRED, OTHERWISE = 0.005, 0.02  # off a line with words that are preferred, and off one without
BELOW = 0.2  # off a line below a sub-heading of some operations, which may reach too far
IN_OTHER = 0.75  # of a line of the cash flow statement in the income statement
IN_SUM = 0.9  # of a line that adds up with others to what it is a part of
AGREEING = 0.85  # of a line elsewhere that states the same wherever both are printed
NAMES = 3  # labels of an item of which a table of it says one
NOTED = 0.85  # of a line of a note that a statement has
BY_SENTENCE = 0.85  # of a figure in a sentence that states it
NET = 0.5  # of what is left of an item, where what it is left of is printed too
BEGINNING = 0.5  # of a line that begins as one of an item, and says more
LEAST = 0.35  # of a fact that is taken for a concept
UNSCALED = 0.6  # of a figure whose scale is not printed
SURE = 0.75  # of a table, that it is a primary statement
STANDARD = ("us-gaap:", "ifrs-full:", "dei:")
MOST_PER_SHARE = 1_000_000  # no amount per share is as large, whatever its label says
_MORE = later(
    r",? (?:and|or|related|due|on|for|of|to|from|under|in|at|including|other than|less|net)\b| [–—-] ", re.IGNORECASE
)
_NET = later(r"\bnet\b", re.IGNORECASE)
_TOTAL = later(r"total\b", re.IGNORECASE)
WEEKS = timedelta(days=90)  # of a quarter whose first day is not printed
_COMMON = later(r"\bcommon (?:stock|share)")
_NONCONTROLLING = later(r"\bnon-?\s?controlling|\bminority", re.IGNORECASE)
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
TOTAL_ASSETS = "total_assets"
_OPERATIONS = ("discontinued", "continuing")  # qualifiers that a sub-heading gives its lines


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


def observe(facts: Sequence[Fact], tables: Sequence[PrintedTable], company: str = "") -> tuple[Observed, ...]:
    """The standard concepts of a report, one fact for each and each period. tables: as the index has them; company:
    whose report it is, as lines name it (`net income attributable to Acme`)."""
    statements = {each.number: (each.statement, each.certainty) for each in tables if each.statement}
    by_concept: dict[str, list[Fact]] = defaultdict(list)
    printed: dict[tuple[int, int, str], list[Fact]] = defaultdict(list)
    parts: dict[tuple[int, int, str], list[Fact]] = defaultdict(list)
    for fact in facts:
        at = fact.table or 0, fact.row or 0, fact.label
        is_cell = fact.kind is FactKind.TABLE and fact.table is not None and bool(fact.column)
        if is_cell and fact.period is not None and not fact.dimensions:
            parts[at].append(fact)
        if not _is_whole(fact):
            continue
        if fact.concept.startswith(STANDARD):
            by_concept[fact.concept].append(fact)
        if is_cell and fact.label:
            printed[at].append(fact)
    rows = list(_rows(printed, company))
    balances, matrices = equity_balances(printed)
    rows += balances
    primary = dict(primary_tables(tables, rows))
    rows += sides_of_balance(printed, tables, primary.get("balance", ()))
    primary["equity"] = (
        *primary.get("equity", ()),
        *(each for each in matrices if each not in primary.get("equity", ())),
    )
    rows = [row for row in rows if not row.facts[0].concept.startswith(STANDARD)]
    assets = _last_of_assets(rows, primary.get("balance", ()))
    every = [total for total in totals(printed, tables) if not total.facts[0].concept.startswith(STANDARD)]
    unnamed = {statement: _unnamed(printed, tables) for statement, tables in primary.items()}
    known: dict[str, _Best] = {}
    for item in sorted(line_items().values(), key=lambda item: bool(item.part_of)):
        best = _by_tags(item, by_concept, statements)
        if not best:
            best = _by_labels(item, rows, primary, assets)
            _add_agreeing(best, item, every)
            _add_parts(best, item, parts, known.get(item.part_of, {}))
            _doubt_net(best, item, rows)
            if not best and not item.unit:
                _add_beginning(best, item, unnamed.get(item.statement, ()))
        if not best and item.said:
            best = _by_sentences(item, facts)
        known[item.name] = best
    found = [known[name][key] for name in line_items() for key in sorted(known[name], key=_in_time)]
    return tuple(_told_apart(_signed(found, facts, primary)))


def _rows(printed: Mapping[tuple[int, int, str], Sequence[Fact]], company: str) -> Iterator[Row]:
    """The lines, those of which no label reads as a standard concept left out; one that states money and shares is one
    of each. A sub-heading ends with its total."""
    closed: set[tuple[int, str]] = set()
    before = (0, "")
    each_share = {at: facts for at, facts in printed.items() if _is_of_shares(facts[0])}
    diluted = {(table, words) for table, _, label in each_share if (words := undiluted(label))}
    for (table, row, label), every in sorted(printed.items(), key=lambda each: each[0]):
        section = every[0].section
        is_closed = (table, section) in closed
        if section and normalise(section) in normalise(label) and _TOTAL.match(label):
            closed.add((table, section))
        above = before[1] if before[0] == table else ""
        before = table, label
        for facts in by_unit(every):
            ways = readings(facts[0], company)
            if _is_of_shares(facts[0]) and (table, normalise(label)) in diluted:
                ways = {UNDILUTED: "basic"}
            if any(find_line_item(way) for way in ways.values()):
                yield Row(table, row, "" if is_closed else section, ways, facts, above)


def _is_of_shares(fact: Fact) -> bool:
    unit = str(fact.unit or "")
    return unit.endswith("/share") or unit == Unit.SHARES


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
        return (None, period.end) if is_day or item.unit == "count" else None  # what is counted is so at the end
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


def _by_sentences(item: LineItem, facts: Sequence[Fact]) -> _Best:
    """By the sentences that state it: of several of one time that with the most, as others are of a part."""
    best: _Best = {}
    for fact in facts:
        if fact.kind is not FactKind.TEXT or not _is_whole(fact) or not (fact.unit is None or is_counted(fact.unit)):
            continue
        assert fact.period and fact.period.end
        at = fact.start - fact.context_start
        stated = (found for said in item.said for found in re.finditer(said, fact.context))
        if any(found.start("amounts") <= at < found.end("amounts") for found in stated):
            span, amount = (None, fact.period.end), _amount(fact)
            if span not in best or best[span].amount < amount:
                stated_so = observed(item.name, fact, span, amount, "", SAID, BY_SENTENCE)
                best[span] = replace(stated_so, unit=item.unit or stated_so.unit)
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


def _last_of_assets(rows: Sequence[Row], balance: Sequence[int]) -> tuple[int, int] | None:
    """Table and row of total assets in the balance sheet: what stands above is an asset."""
    total = line_items()[TOTAL_ASSETS]
    found = (row for row in rows if row.table in balance and any(total.rank(label) == 0 for label in row.labels))
    return next(((row.table, row.row) for row in found), None)


@cache
def _assets() -> frozenset[str]:
    """The line items of assets: those of the balance sheet up to their total, as its file lists them in its order."""
    names = [item.name for item in line_items().values() if item.statement == "balance"]
    return frozenset(names[: names.index(TOTAL_ASSETS) + 1])


def _is_on_other_side(line: Row, item: LineItem, assets: tuple[int, int] | None) -> bool:
    """Whether a line of the balance sheet stands among assets and the item is none, or the other way round."""
    if assets is None or item.statement != "balance":
        return False
    return ((line.table, line.row) <= assets) != (item.name in _assets())


def _by_labels(
    item: LineItem, lines: Sequence[Row], primary: Mapping[str, Sequence[int]], assets: tuple[int, int] | None
) -> _Best:
    """By the labels of lines: in the primary statement of the item, the most telling label first, then elsewhere.

    assets: table and row of total assets in the balance sheet, None where it prints none."""
    scored: list[tuple[float, Row]] = []
    sums = _totals_of(lines)
    for line in lines:
        rank = next(((way, found) for way, label in line.ways.items() if (found := item.rank(label)) is not None), None)
        if rank is None or not may_be(line.facts[0], item, line.section.lower().rstrip(": ")):
            continue
        if line.row < sums.get((line.table, normalise(line.facts[0].label)), 0):
            continue  # a part of what its total below comes to
        if rank[0] in LESS_THAN_PRINTED and line.table not in primary.get(item.statement, ()):
            continue  # elsewhere what a line leaves out makes it another
        place = _place(item, line.table, primary)
        if line.table in primary.get("balance", ()) and _is_on_other_side(line, item, assets):
            continue
        if any(word in line.section.lower() and word not in item.qualifiers for word in _OPERATIONS):
            place -= BELOW
        scored.append((place - _doubt(item, line, *rank), line))
    scored.sort(key=lambda each: (-each[0], each[1].table, each[1].row))
    best: _Best = {}
    taken: set[str] = set()  # labels: the quarter and the half year may stand in tables of their own
    for score, line in scored:
        stated, agrees = _stated(line.facts, item, best, in_balance=line.table in primary.get("balance", ()))
        if agrees is False:
            continue  # another line, of a like name
        label = line.facts[0].label
        sure = max(score, AGREEING) if agrees else score - (SPLIT if best and label not in taken else 0.0)
        _add(best, item, stated, sure)
        taken.add(label)
    return best


def _totals_of(lines: Iterable[Row]) -> Mapping[tuple[int, str], int]:
    """The rows of totals, by table and what they are the total of: `Total cost of sales`."""
    printed = ((line, line.facts[0].label) for line in lines)
    return {
        (line.table, normalise(label[found.end() :])): line.row
        for line, label in printed
        if (found := _TOTAL.match(label)) is not None
    }


def _stated(
    facts: Sequence[Fact], item: LineItem, best: _Best, *, in_balance: bool
) -> tuple[Mapping[tuple[date | None, date], Fact], bool | None]:
    """What a line states of an item, and whether it agrees with what was found before. Columns headed by years are of
    their last days in a balance sheet, and where what they say of others agrees."""
    if item.is_instant and not in_balance:
        closing = _spans(facts, item, in_balance=True)
        if _agrees(closing, best, item):
            return closing, True
    stated = _spans(facts, item, in_balance=in_balance)
    return stated, _agrees(stated, best, item)


def _spans(facts: Iterable[Fact], item: LineItem, *, in_balance: bool) -> Mapping[tuple[date | None, date], Fact]:
    """The facts of a line that may be an item, by first and last day."""
    stated: dict[tuple[date | None, date], Fact] = {}
    for fact in facts:
        span = _span(fact, item, in_balance=in_balance)
        if span is not None and may_be(fact, item, ""):  # beside the amounts of a row stand changes in percent
            stated.setdefault(span, fact)
    return stated


def _agrees(stated: Mapping[tuple[date | None, date], Fact], best: _Best, item: LineItem) -> bool | None:
    """Whether a line states what was found before; None where they have no span in common."""
    common = [span for span in stated if span in best]
    near = (
        abs(abs(_amount(stated[span])) - abs(best[span].amount)) < max(stated[span].scale, best[span].scale, 2)
        if not item.unit
        else abs(_amount(stated[span])) == abs(best[span].amount)
        for span in common
    )
    return all(near) if common else None


def _add(best: _Best, item: LineItem, stated: Mapping[tuple[date | None, date], Fact], sure: float) -> None:
    """Adds what is sure enough for spans that are not known yet."""
    for span, fact in stated.items():
        probability = sure * (1 if fact.scale_known else UNSCALED)
        if span not in best and probability >= LEAST:
            best[span] = observed(item.name, fact, span, _amount(fact), fact.concept, LABEL, probability)


def _add_agreeing(best: _Best, item: LineItem, every: Sequence[Total]) -> None:
    """Adds balances at other days from totals of tables about the item that agree with what was found."""
    if not item.is_instant or not best:
        return
    names = [normalise(label) for label in item.labels[:NAMES]]
    for total in about(every, names):
        stated, agrees = _stated(total.facts, item, best, in_balance=False)
        if agrees:
            _add(best, item, stated, AGREEING)


def _in_time(span: tuple[date | None, date]) -> tuple[date, date]:
    return span[1], span[0] or date.min


def _add_parts(best: _Best, item: LineItem, printed: Printed, whole: _Best) -> None:
    """Adds what lines are called as the part is and add up, with those beside them, to what it is a part of."""
    if not whole or any(each.probability >= SURE for each in best.values()):
        return
    wholes, parts = {each.amount for each in whole.values()}, _Best()
    for row in parts_in_sums(printed, [normalise(label) for label in item.parted], wholes):
        _add(parts, item, _spans(row.facts, item, in_balance=False), IN_SUM)
    best |= {span: part for span, part in parts.items() if span not in best or best[span].probability < IN_SUM}


def _unnamed(printed: Printed, tables: Sequence[int]) -> Sequence[Sequence[Fact]]:
    """The lines of a statement whose label is that of no line item, from the top."""
    lines = sorted(((key, facts) for key, facts in printed.items() if key[0] in tables), key=lambda each: each[0][:2])
    return [facts for (_, _, label), facts in lines if find_line_item(label) is None]


def _add_beginning(best: _Best, item: LineItem, lines: Sequence[Sequence[Fact]]) -> None:
    """Adds, with a doubt, the first line whose label begins as one of the item and says more: `Accounts payable and
    accrued expenses related to trade creditors`. lines: of its statement, those that name no item."""
    for facts in lines:
        label = facts[0].label
        beginnings = (label[: found.start()] for found in _MORE.finditer(label))
        is_begun = any(" " in each and item.rank(each) is not None for each in beginnings)
        if is_begun and may_be(facts[0], item, facts[0].section.lower().rstrip(": ")):
            _add(best, item, _spans(facts, item, in_balance=item.statement == "balance"), BEGINNING)
            return


def _doubt_net(best: _Best, item: LineItem, lines: Sequence[Row]) -> None:
    """Doubts what a line that says `net` states, where a table leads to the same from more of the item without what is
    taken off: interest expense, less interest income, is interest expense, net."""
    if not item.less or not any(_NET.search(each.label) for each in best.values()):
        return
    inside: dict[int, list[Row]] = defaultdict(list)
    for line in lines:
        inside[line.table].append(line)
    less = line_items()[item.less]
    for table in inside.values():
        own = [line for line in table if _is_line_of(line, item)]
        net = next((line for line in own if _NET.search(line.facts[0].label)), None)
        is_split = len(own) > 1 and any(_is_line_of(line, less) for line in table)
        if net and is_split and _agrees(_spans(net.facts, item, in_balance=False), best, item):
            best |= {span: replace(each, probability=min(each.probability, NET)) for span, each in best.items()}


def _is_line_of(line: Row, item: LineItem) -> bool:
    return any(item.rank(label) is not None for label in line.labels)


def _doubt(item: LineItem, line: Row, way: str, rank: int) -> float:
    """What the label of a line takes off: of several that name an item, that with the name of the company or its owners
    is the company's own."""
    if not item.prefer:
        return PER_RANK * rank + PER_WAY * list(line.ways).index(way)
    label = line.facts[0].label.lower()
    if _COMMON.search(label) and not _NONCONTROLLING.search(line.above):  # what is left after preferred dividends
        return OTHERWISE
    if way in (COMPANY, OWNERS) and COMPANY in line.ways:
        return 0.0
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


def _amount(fact: Fact) -> Decimal:
    """The amount of a fact without a tag, in full units, signed as it is printed."""
    amount = fact.value * fact.scale
    return amount / 100 if fact.unit == Unit.PERCENT else amount


def _signed(
    found: Iterable[Observed], facts: Iterable[Fact], primary: Mapping[str, Sequence[int]]
) -> Iterator[Observed]:
    """What was found by labels with the signs that it is meant with."""
    items = line_items()
    statements = {table: statement for statement, tables in primary.items() for table in tables}
    by_name: dict[str, Fact] = {}
    inside: dict[int, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_name[fact.name] = fact
        inside[fact.table or 0].append(fact)
    for each in found:
        if each.found == LABEL:
            fact, item = by_name[each.fact], items[each.item]
            statement = statements.get(fact.table or 0, "")
            around = inside[fact.table or 0] if statement != "equity" else ()  # whose lines are of many things
            if is_turned(item, item.labels[0] if item.spent else "", fact, statement, around):
                each = replace(each, amount=each.amount.copy_negate())
        yield each


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
