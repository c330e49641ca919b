"""Which rows of a table something is made of: those under a heading, or those directly above that add up to it."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tieout.data.printed.unit import NOT_MEASURES
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, table_of
from tieout.ontology.asked.words import content, stem

TOTAL = stem("total")
ENDING = frozenset(map(stem, ("total", "gross", "subtotal")))  # the first word of a sum
Row = dict[int | None, Fact]  # its figures by their column


def rows_made_of(what: str, facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """A figure of each row under the heading that a text is, up to their sum, else of each row above the one that it is
    which add up to that; () where there are none, or one alone."""
    wanted = frozenset(content(what)) - {TOTAL}
    found: dict[tuple[str, int], dict[int, Row]] = {}
    for fact in facts:
        if fact.kind is FactKind.TABLE and fact.row is not None and fact.label and fact.unit not in NOT_MEASURES:
            found.setdefault(table_of(fact), {}).setdefault(fact.row, {})[fact.column] = fact
    tables = [[rows[at] for at in sorted(rows)] for rows in found.values() if wanted]
    for rows in tables:
        under = [row for row in rows if frozenset(content(_first(row).section)) - {TOTAL} == wanted]
        ends = (at for at, row in enumerate(under) if _is_sum(row) or _adds_up(under[:at], row))
        parts = under[: next(ends, len(under))]
        if len(parts) > 1:
            return tuple(map(_first, parts))
    for rows in tables:
        for at, row in enumerate(rows):
            if frozenset(content(_first(row).label)) - {TOTAL} == wanted and (count := _adds_up(rows[:at], row)):
                return tuple(map(_first, rows[at - count : at]))
    return ()


def _first(row: Row) -> Fact:
    return next(iter(row.values()))


def _is_sum(row: Row) -> bool:
    return not ENDING.isdisjoint(content(_first(row).label)[:1])


def _adds_up(above: Sequence[Row], row: Row) -> int:
    """How many rows directly above one add up to it, to the digit, in one of its columns: two or more, 0 where they do
    not."""
    for column, fact in row.items():
        total, known = Decimal(0), 0
        for count, each in enumerate(reversed(above), start=1):
            if column in each:
                total, known = total + amount_of(each[column]), known + 1
            if known > 1 and total == amount_of(fact) != 0:
                return count
    return 0
