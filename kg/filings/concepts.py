"""Which facts of a report are standard concepts: by the tag on them, else by label, statement and unit.

Decided once, when a filing is read. A standard concept is a line item of `tieout.ontology.metrics`; of the consolidated
company, so never a fact that is of a part of it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from functools import cache
from itertools import pairwise

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.unit import Unit, is_counted
from tieout.kg.fact import Fact, FactKind
from tieout.kg.filings.direction import is_turned
from tieout.kg.filings.fiscal import YEAR, length_of
from tieout.kg.filings.labelled import (
    NET,
    add_agreeing,
    add_beginning,
    add_net,
    add_parts,
    add_placed,
    by_labels,
    by_names,
    doubt_net,
    doubt_owners,
    last_of_assets,
    rows_of_totals,
    unnamed,
)
from tieout.kg.filings.observed import LABEL, SAID, TAG, Best, Observed, observed, printed_amount, span_of
from tieout.kg.filings.primary import OF_ABOVE, UNDILUTED, PrintedTable, primary_tables, readings, undiluted
from tieout.kg.filings.several import beside
from tieout.kg.filings.together import hold_together
from tieout.kg.filings.totals import Row, by_unit, equity_balances, sides_of_balance, totals, with_terms
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items

BY_TAG, BY_OTHER_TAG, BY_STATED = 0.99, 0.9, 0.97
BY_SENTENCE = 0.85  # of a figure in a sentence that states it
STANDARD = ("us-gaap:", "ifrs-full:", "dei:")
FLOWS, LIKELY = ("income", "cash flow", "comprehensive"), 0.6  # statements of a span, and how sure a table is one
DAYS = 365  # of a year
Printed = Mapping[tuple[int, int, str], list[Fact]]  # the facts of each line, by its table, row and label
_TOTAL = later(r"total\b", re.IGNORECASE)
_AVERAGE = later(r"\baverage\b", re.IGNORECASE)


def observe(
    facts: Sequence[Fact], tables: Sequence[PrintedTable], company: str = "", *, is_annual: bool = False
) -> tuple[Observed, ...]:
    """The standard concepts of a report, one fact for each and each period. tables: as the index has them; company:
    whose report it is, as lines name it (`net income attributable to Acme`). is_annual: whether it is of a year."""
    facts = tuple(_as_years(facts, tables)) if is_annual else facts
    statements = {each.number: (each.statement, each.certainty) for each in tables if each.statement}
    by_concept, printed, parts = _sorted_out(facts)
    rows = list(_rows(printed, company))
    balances, matrices = equity_balances(printed)
    rows += balances
    primary = dict(primary_tables(tables, rows))
    rows += sides_of_balance(printed, tables, primary.get("balance", ()))
    primary["equity"] = (
        *primary.get("equity", ()),
        *(each for each in matrices if each not in primary.get("equity", ())),
    )
    stating = {table for every in primary.values() for table in every}
    kept = [row for row in rows if _tells_by_label(row, stating)]
    rows = list(with_terms(kept, primary.get("balance", ())))
    assets, sums = last_of_assets(rows, primary.get("balance", ())), rows_of_totals(rows)
    every = [total for total in totals(printed, tables) if not total.facts[0].concept.startswith(STANDARD)]
    unnamed_lines = {statement: unnamed(printed, tables) for statement, tables in primary.items()}
    named = by_names(rows)
    known: dict[str, Best] = {}
    columns: dict[tuple[int, int], list[Fact]] = defaultdict(list)
    in_cells = {fact.name: fact for same in printed.values() for fact in same}
    for fact in in_cells.values():
        columns[fact.table or 0, fact.column or 0].append(fact)
    for item in sorted(line_items().values(), key=lambda item: bool(item.part_of)):
        best = _by_tags(item, by_concept, statements) if by_concept else {}
        if not best:
            lines = named.get(item.name, ())  # of hundreds of items a page has few
            best = by_labels(item, lines, sums, primary, assets) if lines else {}
            add_agreeing(best, item, every)
            add_parts(best, item, parts, known.get(item.part_of, {}))
            add_placed(best, item, printed, rows, primary.get(item.statement, ()))
            add_net(best, item, rows, printed)
            doubt_net(best, item, rows)
            doubt_owners(best, item, rows, printed)
            if not best and not item.unit:
                add_beginning(best, item, unnamed_lines.get(item.statement, ()))
        if not best and item.said:
            best = _by_sentences(item, facts)
        _doubt_parts(best, item, in_cells, columns)
        known[item.name] = best
    hold_together(known)
    found = [known[name][key] for name in line_items() for key in sorted(known[name], key=_in_time)]
    return tuple(_told_apart(_signed(found, facts, primary)))


def _sorted_out(facts: Sequence[Fact]) -> tuple[Mapping[str, list[Fact]], Printed, Printed]:
    """Facts of the whole company by their standard tags, and those of its lines; cells of any time by their lines."""
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
    return by_concept, printed, parts


def _as_years(facts: Sequence[Fact], tables: Sequence[PrintedTable]) -> Iterator[Fact]:
    """The facts of an annual report, those of statements of flows and of tables with averages of shares in the years
    that end on the days over their columns, where these are a year apart and nothing in the table is of a span."""
    of_flows = {each.number for each in tables if each.statement in FLOWS and each.certainty >= LIKELY}
    of_flows |= {fact.table or 0 for fact in facts if fact.unit is Unit.SHARES and _AVERAGE.search(fact.label)}
    ends: dict[int, set[date]] = defaultdict(set)
    for fact in facts:
        if fact.table in of_flows and fact.column and fact.period and fact.period.end:
            is_day = fact.period.start == fact.period.end and not fact.concept
            ends[fact.table].add(fact.period.end if is_day else date.min)
    firsts = {table: _firsts(days) for table, days in ends.items()}
    for fact in facts:
        first = firsts.get(fact.table or 0, {}).get(fact.period.end) if fact.column and fact.period else None
        if fact.period and first is not None:
            fact = fact.changed(period=replace(fact.period, kind=PeriodKind.YEAR, start=first))
        yield fact


def _firsts(ends: Collection[date]) -> Mapping[date | None, date]:
    """The first days of the years that end on these days; none where they are not the ends of years on end."""
    days = sorted(ends)
    if len(days) < 2 or any(length_of(one, other) - 1 not in YEAR for one, other in pairwise(days)):
        return {}
    before = [days[0] - timedelta(days=DAYS), *days]
    return {end: last + timedelta(days=1) for last, end in zip(before, days, strict=False)}


def _rows(printed: Mapping[tuple[int, int, str], Sequence[Fact]], company: str) -> Iterator[Row]:
    """The lines, those of which no label reads as a standard concept left out; one that states money and shares is one
    of each. A sub-heading ends with its total."""
    closed: set[tuple[int, str]] = set()
    before = (0, "")
    each_share = {at: facts for at, facts in printed.items() if _is_of_shares(facts[0])}
    diluted = {(table, words) for table, _, label in each_share if (words := undiluted(label))}
    basic = {
        (at[0], *_said(at[2], facts))
        for at, facts in each_share.items()
        if facts[0].section.lower().startswith("basic")
    }
    for (table, row, label), every in sorted(printed.items(), key=lambda each: each[0]):
        section = every[0].section
        is_closed = (table, section) in closed
        if section and _TOTAL.match(label) and (normalise(section) in normalise(label) or normalise(label) == "total"):
            closed.add((table, section))
        above = before[1] if before[0] == table else ""
        before = table, label
        for facts in by_unit(every):
            ways = readings(facts[0], company)
            is_again = _AVERAGE.search(label) and "dilut" in section.lower() and (table, *_said(label, facts)) in basic
            if is_again or (_is_of_shares(facts[0]) and (table, normalise(label)) in diluted):
                ways = {UNDILUTED: "basic"}
            elif label.lower().startswith("attributable to") and (whole := find_line_item(above)):
                ways = {OF_ABOVE: f"{'comprehensive' if 'comprehensive' in whole.name else 'net'} income {label}"}
            if any(find_line_item(way) for way in ways.values()):
                yield Row(table, row, "" if is_closed else section, ways, facts, above)


def _said(label: str, facts: Sequence[Fact]) -> tuple[str, tuple[Decimal, ...]]:
    """What a line says: that below `Diluted:` too stands first what is below `Basic:` is told by it."""
    return normalise(label), tuple(fact.value for fact in facts)


def _is_of_shares(fact: Fact) -> bool:
    unit = str(fact.unit or "")
    return unit.endswith("/share") or unit == Unit.SHARES


def _is_whole(fact: Fact) -> bool:
    """Whether a fact is of the whole company, of a known time. Where a tag says of what it is, no heading does: `State`
    under `United States` in a table of taxes."""
    is_part = fact.dimensions or (fact.parts and not fact.concept.startswith(STANDARD))
    return not is_part and fact.period is not None and fact.period.end is not None


def _tells_by_label(row: Row, stating: Collection[int]) -> bool:
    """Whether the label of a line may say what no tag says: one with a standard tag that no line item has is what its
    label says in a statement; elsewhere what it means is another thing. stating: the tables of statements."""
    concept = row.facts[0].concept
    return not concept.startswith(STANDARD) or (row.table in stating and concept not in _known_tags())


@cache
def _known_tags() -> frozenset[str]:
    return frozenset(concept for item in line_items().values() for concept in item.concepts)


def _by_tags(item: LineItem, by_concept: Mapping[str, list[Fact]], statements: Mapping[int, tuple[str, float]]) -> Best:
    """By the concepts that are preferred, those of its own statement first."""
    there = [
        (rank, concept, facts)
        for rank, concept in enumerate(item.concepts)
        if (facts := [fact for fact in by_concept.get(concept, ()) if fact.exact is not None])
    ]
    there.sort(key=lambda each: (not any(_is_own(fact, item, statements) for fact in each[2]), each[0]))
    best: Best = {}
    for number, (_, concept, facts) in enumerate(there):
        for fact in sorted(facts, key=lambda fact: _order(fact, item, statements)):
            span = span_of(fact, item)
            if span is None or span in best:
                continue
            assert fact.exact is not None
            probability = BY_TAG if number == 0 else BY_OTHER_TAG
            probability = min(probability, BY_STATED) if fact.kind is FactKind.STATED else probability
            is_turned_tag = concept in item.turned and fact.exact
            amount = fact.exact.copy_negate() if is_turned_tag else fact.exact
            best[span] = observed(item.name, fact, span, amount, concept, TAG, probability)
    return best


def _by_sentences(item: LineItem, facts: Sequence[Fact]) -> Best:
    """By the sentences that state it: of several of one time that with the most, as others are of a part."""
    best: Best = {}
    for fact in facts:
        if fact.kind is not FactKind.TEXT or not _is_whole(fact) or not (fact.unit is None or is_counted(fact.unit)):
            continue
        assert fact.period and fact.period.end
        at = fact.start - fact.context_start
        stated = (found for said in item.said for found in re.finditer(said, fact.context))
        if any(found.start("amounts") <= at < found.end("amounts") for found in stated):
            span, amount = (None, fact.period.end), printed_amount(fact)
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


def _in_time(span: tuple[date | None, date]) -> tuple[date, date]:
    return span[1], span[0] or date.min


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


def _doubt_parts(
    best: Best, item: LineItem, facts: Mapping[str, Fact], columns: Mapping[tuple[int, int], Sequence[Fact]]
) -> None:
    """Doubts a line that is one of several in which a balance is printed. facts: in cells, by name."""
    for span, each in best.items() if item.statement == "balance" else ():
        fact = facts.get(each.fact)
        if fact is not None and each.found != TAG and beside(item, fact, columns[fact.table or 0, fact.column or 0]):
            best[span] = replace(each, probability=min(each.probability, NET))


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
