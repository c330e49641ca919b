"""One report, read: its document, its graph and its facts, for use from Python.

report = tieout.read("10-K.htm")
for fact in report.facts():
    print(fact.label, fact.value, fact.unit, fact.period)
report.facts().to_pandas()
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.data.document import Document, Table, brief, counted
from tieout.data.markup import table_html
from tieout.data.readers.read import DataError, is_pages, read_conversations
from tieout.data.readers.report import read_report
from tieout.kg.fact import Fact, measures
from tieout.kg.reports.bounded import build_bounded
from tieout.kg.reports.listing import arrow_table, frame, row_of
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology

if TYPE_CHECKING:
    import pandas
    import pyarrow

    from tieout.kg.reports.statements import Statements

SHOWN = ("fact", "label", "header", "value", "scale", "unit", "period", "place")  # of a fact, in a notebook


class Facts(list[Fact]):
    """The facts of a report, in the order in which they are printed: tables first, then text."""

    def __init__(self, facts: tuple[Fact, ...], document: str) -> None:
        super().__init__(facts)
        self._document = document

    def __repr__(self) -> str:
        return f"Facts({brief(self._document)}, {counted(len(self), 'fact')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: the first facts that measure something."""
        rows = self.to_dicts()
        return table_html([["" if row[name] is None else str(row[name]) for name in SHOWN] for row in rows], SHOWN)

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict a fact, with the columns of `tieout kg facts`; those that measure nothing are left out."""
        return [row_of(fact, self._document) for fact in measures(self)]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of the same. Raises ListingError where pandas is not installed."""
        return frame(self.to_dicts())

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table of the same, amounts as decimals. Raises ListingError where pyarrow is not installed."""
        return arrow_table(self.to_dicts())


class Report:
    """One report. document: as it was read; graph: what it says, built when first asked for."""

    def __init__(self, document: Document, ontology: Ontology) -> None:
        self.document, self._ontology = document, ontology

    def __repr__(self) -> str:
        return f"Report({brief(self.document.id)}, {counted(len(self.document.tables), 'table')})"

    def _repr_html_(self) -> str:
        """What a notebook shows: whose report it is, and its tables."""
        return self.document._repr_html_()

    @property
    def id(self) -> str:
        """What the report is called: the name of its file, without the suffix."""
        return self.document.id

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables as they are printed; the first one is `t1` in the names of facts."""
        return self.document.tables

    @cached_property
    def graph(self) -> Graph:
        """The report as a graph in memory that answers SPARQL."""
        return build_bounded(self.document, self._ontology)

    def facts(self) -> Facts:
        """Every printed number with what it means and where it stands."""
        return Facts(self.graph.facts(), self.document.id)

    @cached_property
    def statements(self) -> Statements:
        """Its statements as data frames: `.income`, `.balance`, `.cash_flow`, `.equity`, `.comprehensive`."""
        from tieout.kg.reports.statements import Statements

        return Statements(self.document, *self.graph.contents())


def open_report(path: Path, ontology: Ontology) -> Report:
    """The report in a file. Raises DataError for a file that is not read, or holds several pages."""
    if not is_pages(path):
        return Report(read_report(path), ontology)
    found = [conversation.document for conversation in read_conversations(path)]
    if len(found) != 1:
        raise DataError(f"{path}: holds {len(found)} reports; `tieout.conversation(path, id)` takes one of them")
    return Report(found[0], ontology)
