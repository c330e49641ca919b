"""Which lines of a report are a line item: by label, statement, unit and sub-heading, else by sums, by what agrees, and
by how a label begins."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import takewhile

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.filings.eligible import assets_named, may_be
from tieout.kg.filings.observed import LABEL, Best, observed, printed_amount, span_of
from tieout.kg.filings.primary import COMPANY, LESS_THAN_PRINTED, OWNERS
from tieout.kg.filings.totals import Printed, Row, Total, about, parts_in_sums
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items, named_by

IN_STATEMENT, ELSEWHERE, PER_RANK, PER_WAY, SPLIT, AFTER = 0.95, 0.55, 0.008, 0.01, 0.2, 0.05
PREFERRED, OTHERWISE = 0.005, 0.02  # off a line with words that are preferred, and off one without
LAST = 0.3  # off a line that is meant where none of the others is there
BESIDE = 0.2  # of a line in a table beside a statement, below one of the statement itself, however well it is named
AFTER_PREFERRED = 0.09  # off what is left after preferred dividends, however the line before them is called
BELOW = 0.2  # off a line below a sub-heading of some operations, which may reach too far
IN_OTHER = 0.75  # of a line of the cash flow statement in the income statement
IN_SUM = 0.9  # of a line that adds up with others to what it is a part of
AGREEING = 0.85  # of a line elsewhere that states the same wherever both are printed
NAMES = 3  # labels of an item of which a table of it says one
NOTED = 0.85  # of a line of a note that a statement has
NET = 0.5  # of what is left of an item, where what it is left of is printed too
BEGINNING = 0.5  # of a line that begins as one of an item, and says more
LEAST = 0.35  # of a fact that is taken for a concept
UNSCALED = 0.6  # of a figure whose scale is not printed
SURE = 0.75  # of a table, that it is a primary statement
_MORE = later(
    r",? (?:and|or|related|due|on|for|of|to|from|under|in|at|including|other than|less|net)\b| [–—-] ", re.IGNORECASE
)
_NET = later(r"\bnet\b", re.IGNORECASE)
_TOTAL = later(r"total\b", re.IGNORECASE)
_COMMON = later(r"\bcommon (?:stock|share)")
_NONCONTROLLING = later(r"\bnon-?\s?controlling|\bminority", re.IGNORECASE)
_LEFT_TO_COMMON = later(
    r"(?:consolidated )?(?:net )?(?:\(?(?:income|earnings|loss|profit)\)?[ /]*)+\b.*\bcommon\b", re.IGNORECASE
)
_OF_OTHERS = later(r"\bnon-?\s?controlling|\bminority|\bsubsidiar|\b(?:preferred|preference)\b.*\bof\b", re.IGNORECASE)
NEAR = 2  # lines between what is taken off and what it is taken off of, or what is left
MOST_BETWEEN = 5  # lines between net income and what is left of it for common shares
TOTAL_ASSETS, NET_INCOME = "total_assets", "net_income"
_OPERATIONS = ("discontinued", "continuing")  # qualifiers that a sub-heading gives its lines
_AFTER_OPERATIONS = ("net_income", "net_income_with_noncontrolling")  # what is left of all of them


def last_of_assets(rows: Sequence[Row], balance: Sequence[int]) -> tuple[int, int] | None:
    """Table and row of total assets in the balance sheet: what stands above is an asset."""
    total = line_items()[TOTAL_ASSETS]
    found = (row for row in rows if row.table in balance and any(total.rank(label) == 0 for label in row.labels))
    return next(((row.table, row.row) for row in found), None)


def _is_on_other_side(line: Row, item: LineItem, assets: tuple[int, int] | None) -> bool:
    """Whether a line of the balance sheet stands among assets and the item is none, or the other way round."""
    if assets is None or item.statement != "balance":
        return False
    return ((line.table, line.row) <= assets) != (item.name in assets_named())


def by_names(lines: Iterable[Row]) -> Mapping[str, Sequence[tuple[str, int, Row]]]:
    """By the names of line items the lines that may be each, in their order, with the first way to read the label of a
    line by which it is, and how well that names it."""
    found: dict[str, list[tuple[str, int, Row]]] = defaultdict(list)
    for line in lines:
        named: dict[str, tuple[str, int]] = {}
        for way, label in line.ways.items():
            for name, rank in named_by(label).items():
                named.setdefault(name, (way, rank))
        for name, (way, rank) in named.items():
            found[name].append((way, rank, line))
    return found


def by_labels(
    item: LineItem,
    lines: Sequence[tuple[str, int, Row]],
    sums: Mapping[tuple[int, str], int],
    primary: Mapping[str, Sequence[int]],
    assets: tuple[int, int] | None,
) -> Best:
    """By the labels of lines: in the primary statement of the item, the most telling label first, then elsewhere.

    lines: as `by_names` tells them of the item. sums: as `rows_of_totals` tells them of all lines. assets: table and
    row of total assets in the balance sheet, None where it prints none."""
    scored: list[tuple[float, Row]] = []
    for way, rank, line in lines:
        if not may_be(line.facts[0], item, line.under):
            continue
        if line.row < sums.get((line.table, normalise(line.facts[0].label)), 0):
            continue  # a part of what its total below comes to
        if way in LESS_THAN_PRINTED and line.table not in primary.get(item.statement, ()):
            continue  # elsewhere what a line leaves out makes it another
        place = _place(item, line.table, primary)
        if line.table in primary.get("balance", ()) and _is_on_other_side(line, item, assets):
            continue
        if item.name not in _AFTER_OPERATIONS and any(
            word in line.section.lower() and word not in item.qualifiers for word in _OPERATIONS
        ):
            place -= BELOW
        scored.append((place - _doubt(item, line, way, rank), line))
    totals = {(line.table, line.section): line.row for _, line in scored if normalise(line.facts[0].label) == "total"}
    beside = dict.fromkeys(primary.get(item.statement, ())[1:], BESIDE)
    scored.sort(key=lambda each: (beside.get(each[1].table, 0) - each[0], each[1].table, each[1].row))
    best: Best = {}
    taken: set[str] = set()  # labels: the quarter and the half year may stand in tables of their own
    for score, line in scored:
        stated, agrees = _stated(line.facts, item, best, in_balance=line.table in primary.get("balance", ()))
        if agrees is False or line.row < totals.get((line.table, line.section), 0):
            continue  # another line, of a like name, or a part of what its sub-heading comes to
        label = line.facts[0].label
        sure = max(score, AGREEING) if agrees else score - (SPLIT if best and label not in taken else 0.0)
        _add(best, item, stated, sure)
        taken.add(label)
    return best


def rows_of_totals(lines: Iterable[Row]) -> Mapping[tuple[int, str], int]:
    """The rows of totals, by table and what they are the total of: `Total cost of sales`, and `cost of products sold`
    above `Total cost of products and services sold`."""
    found: dict[tuple[int, str], int] = {}
    for line in lines:
        if (total := _TOTAL.match(line.facts[0].label)) is not None:
            words = normalise(line.facts[0].label[total.end() :])
            found[line.table, words] = line.row
            head, joined, rest = words.rpartition(" and ")
            if joined and " of " in head:
                found[line.table, head] = found[line.table, f"{head} {rest.partition(' ')[2]}".strip()] = line.row
    return found


def _stated(
    facts: Sequence[Fact], item: LineItem, best: Best, *, in_balance: bool
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
        span = span_of(fact, item, in_balance=in_balance)
        if span is not None and may_be(fact, item, ""):  # beside the amounts of a row stand changes in percent
            stated.setdefault(span, fact)
    return stated


def _agrees(stated: Mapping[tuple[date | None, date], Fact], best: Best, item: LineItem) -> bool | None:
    """Whether a line states what was found before; None where they have no span in common."""
    common = [span for span in stated if span in best]
    near = (
        abs(abs(printed_amount(stated[span])) - abs(best[span].amount)) < max(stated[span].scale, best[span].scale, 2)
        if not item.unit
        else abs(printed_amount(stated[span])) == abs(best[span].amount)
        for span in common
    )
    return all(near) if common else None


def _add(best: Best, item: LineItem, stated: Mapping[tuple[date | None, date], Fact], sure: float) -> None:
    """Adds what is sure enough for spans that are not known yet."""
    for span, fact in stated.items():
        probability = sure * (1 if fact.scale_known else UNSCALED)
        if span not in best and probability >= LEAST:
            best[span] = observed(item.name, fact, span, printed_amount(fact), fact.concept, LABEL, probability)


def add_agreeing(best: Best, item: LineItem, every: Sequence[Total]) -> None:
    """Adds balances at other days from totals of tables about the item that agree with what was found."""
    if not item.is_instant or not best:
        return
    names = [normalise(label) for label in item.labels[:NAMES]]
    for total in about(every, names):
        stated, agrees = _stated(total.facts, item, best, in_balance=False)
        if agrees:
            _add(best, item, stated, AGREEING)


def add_parts(best: Best, item: LineItem, printed: Printed, whole: Best) -> None:
    """Adds what lines are called as the part is and add up, with those beside them, to what it is a part of."""
    if not whole or any(each.probability >= SURE for each in best.values()):
        return
    wholes, parts = {each.amount for each in whole.values()}, Best()
    for row in parts_in_sums(printed, [normalise(label) for label in item.parted], wholes):
        _add(parts, item, _spans(row.facts, item, in_balance=False), IN_SUM)
    best |= {span: part for span, part in parts.items() if span not in best or best[span].probability < IN_SUM}


def add_placed(best: Best, item: LineItem, printed: Printed, lines: Sequence[Row], tables: Sequence[int]) -> None:
    """Adds a line that is called as the item may be where it stands above others: `Total costs` above selling expenses
    leads to gross profit. tables: of its statement."""
    if not item.placed or any(each.probability >= SURE for each in best.values()):
        return
    others = [line_items()[name] for name in item.above]
    for table in tables:
        below = [line.row for line in lines if line.table == table and any(_is_line_of(line, each) for each in others)]
        for (_, row, label), facts in sorted((at, facts) for at, facts in printed.items() if at[0] == table):
            if below and row < min(below) and normalise(label) in map(normalise, item.placed):
                _add(best, item, _spans(facts, item, in_balance=False), IN_SUM)


def unnamed(printed: Printed, tables: Sequence[int]) -> Sequence[Sequence[Fact]]:
    """The lines of a statement whose label is that of no line item, from the top."""
    lines = sorted(((key, facts) for key, facts in printed.items() if key[0] in tables), key=lambda each: each[0][:2])
    return [facts for (_, _, label), facts in lines if find_line_item(label) is None]


def add_beginning(best: Best, item: LineItem, lines: Sequence[Sequence[Fact]]) -> None:
    """Adds, with a doubt, the first line whose label begins as one of the item and says more, `Accounts payable and
    accrued expenses related to trade creditors`, or ends so. lines: of its statement, those that name no item."""
    for facts in lines:
        label = facts[0].label
        beginnings = (label[: found.start()] for found in _MORE.finditer(label))
        is_begun = any(" " in each and item.rank(each) is not None for each in beginnings)
        is_ended = bool(item.ended) and re.search(item.ended, normalise(label)) is not None
        if (is_begun or is_ended) and may_be(facts[0], item, facts[0].section.lower().rstrip(": ")):
            _add(best, item, _spans(facts, item, in_balance=item.statement == "balance"), BEGINNING)
            return


def doubt_net(best: Best, item: LineItem, lines: Sequence[Row]) -> None:
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


def add_net(best: Best, item: LineItem, lines: Sequence[Row], printed: Printed) -> None:
    """Puts what is left in place of what stands above a line that is taken off it: property at cost, less accumulated
    depreciation. Where what is left is not printed, the amount is doubted."""
    if not item.net_of:
        return
    off = [each for each in lines if _is_line_of(each, line_items()[item.net_of])]
    for line in (each for each in lines if _is_line_of(each, item) and not _NET.search(each.facts[0].label)):
        own = {fact.name for fact in line.facts}
        taken = next((each for each in off if each.table == line.table and 0 < each.row - line.row <= NEAR), None)
        if taken is None or not any(each.fact in own for each in best.values()):
            continue
        rest = [facts for at, facts in sorted(printed.items()) if at[0] == line.table and 0 < at[1] - taken.row <= NEAR]
        left = next((facts for facts in rest if _is_left(facts, line.facts, taken.facts)), ())
        doubted = {
            key: replace(each, probability=min(each.probability, NET)) for key, each in best.items() if each.fact in own
        }
        for key in doubted:
            del best[key]
        _add(best, item, _spans(left, item, in_balance=True), IN_SUM)
        best |= {key: each for key, each in doubted.items() if key not in best}


def _is_left(facts: Sequence[Fact], whole: Sequence[Fact], taken: Sequence[Fact]) -> bool:
    """Whether a line is what is left of another one without a third, in the first of its columns."""
    amounts, off = ({fact.column: fact.value for fact in each} for each in (whole, taken))
    column = facts[0].column
    return column in amounts and column in off and abs(amounts[column] - abs(off[column]) - facts[0].value) <= 1


def doubt_owners(best: Best, item: LineItem, lines: Sequence[Row], printed: Printed) -> None:
    """Doubts net income from which what is due to others is taken off along with preferred dividends, up to what is
    left for common shares, and what is left: what the owners of the company have of it is not printed as such."""
    if item.name != NET_INCOME:
        return
    for line in (each for each in lines if _is_line_of(each, item)):
        below = [(row, label) for table, row, label in sorted(printed) if table == line.table and row > line.row]
        between = list(takewhile(lambda each: not _LEFT_TO_COMMON.match(each[1]), below))
        is_near = len(between) <= min(MOST_BETWEEN, len(below) - 1)
        if is_near and any(_OF_OTHERS.search(label) for _, label in between):
            both = (line.row, below[len(between)][0])
            own = {fact.name for each in lines if each.table == line.table and each.row in both for fact in each.facts}
            best |= {
                span: replace(each, probability=min(each.probability, NET))
                for span, each in best.items()
                if each.fact in own
            }


def _is_line_of(line: Row, item: LineItem) -> bool:
    return any(item.rank(label) is not None for label in line.labels)


def _doubt(item: LineItem, line: Row, way: str, rank: int) -> float:
    """What the label of a line takes off: of several that name an item, that with the name of the company or its owners
    is the company's own."""
    if not item.prefer:
        is_of_owners = item.name.endswith("_with_noncontrolling") and way in (COMPANY, OWNERS)
        return PER_RANK * rank + PER_WAY * list(line.ways).index(way) + (LAST if is_of_owners else 0.0)
    label = line.facts[0].label.lower()
    is_after = _NONCONTROLLING.search(line.above) is not None
    if item.is_instant and is_after and item.is_preferred(label):  # a total with those above it
        return LAST
    if _COMMON.search(label) and not is_after:  # what is left after preferred dividends
        return OTHERWISE if item.is_instant else AFTER_PREFERRED
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
