"""Figures of pictures that do not add up, or have lost what they are of: remarks, with which a graph is made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tieout.data.document import CellRemark, Document, Remark
from tieout.data.printed.unit import is_currency
from tieout.data.tables.sums import HALF
from tieout.kg.fact import Fact
from tieout.kg.sums import Sum, find_sums


def is_recognised(document: Document) -> bool:
    """Whether a table of a document was read off a picture."""
    return any(said.remark.recognised is not None for table in document.tables for said in table.remarks)


def with_doubts_told(document: Document, facts: Iterable[Fact]) -> Document:
    """A document with a doubt on the recognised figures that may be why a sum does not hold, and on those of a table of
    money of which no mark says what they are."""
    facts = [*facts]
    broken = {fact.name: each for fact, each in _suspects(find_sums(facts, HALF))}
    of_money = {fact.table for fact in facts if is_currency(fact.unit)}
    doubts: dict[int, list[CellRemark]] = {}
    for fact in facts:
        cell = fact.table, fact.row, fact.column
        if fact.recognised is None or None in cell:
            continue
        doubt = ""
        if each := broken.get(fact.name):
            doubt = f"on a picture, where it does not add up ({each.whole.label!r} [{each.whole.name}])"
        elif fact.unit is None and fact.scale != 1 and fact.table in of_money:
            doubt = "on a picture, where no mark says of what it is"
        if doubt:
            table, row, column = (each or 0 for each in cell)
            remark = Remark(start=0, end=len(document.tables[table - 1].rows[row][column]), doubt=doubt)
            doubts.setdefault(table, []).append(CellRemark(row=row, column=column, remark=remark))
    tables = tuple(
        table.model_copy(update={"remarks": table.remarks + tuple(doubts.get(number, ()))})
        for number, table in enumerate(document.tables, start=1)
    )
    return document.model_copy(update={"tables": tables}) if doubts else document


def _suspects(sums: Sequence[Sum]) -> Iterator[tuple[Fact, Sum]]:
    """Yields each fact that may be why a sum does not hold, with the first such sum: those of it that another sum
    proves are not, unless that leaves none."""
    proven = {fact.name for each in sums if each.holds for fact in each.facts}
    told = set()
    for each in sums:
        if not each.holds:
            inside = list(each.facts)
            for fact in [fact for fact in inside if fact.name not in proven] or inside:
                if fact.name not in told:
                    told.add(fact.name)
                    yield fact, each
