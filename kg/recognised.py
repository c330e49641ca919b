"""Figures that were read off a picture and do not add up: remarks on the document, of which its graph is made again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from tieout.data.document import CellRemark, Document, Remark
from tieout.data.tables.sums import HALF
from tieout.kg.fact import Fact
from tieout.kg.sums import Sum, find_sums


def is_recognised(document: Document) -> bool:
    """Whether a table of a document was read off a picture."""
    return any(said.remark.recognised is not None for table in document.tables for said in table.remarks)


def with_sums_told(document: Document, facts: Iterable[Fact]) -> Document:
    """A document with a doubt on the recognised figures that may be why a sum does not hold."""
    doubts: dict[int, list[CellRemark]] = {}
    for fact, broken in _suspects(find_sums(facts, HALF)):
        cell = fact.table, fact.row, fact.column
        if fact.recognised is not None and None not in cell:
            table, row, column = (each or 0 for each in cell)
            text = document.tables[table - 1].rows[row][column]
            doubt = f"on a picture, where it does not add up ({broken.whole.label!r} [{broken.whole.name}])"
            remark = Remark(start=0, end=len(text), doubt=doubt)
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
