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

from tieout.data.document import Document
from tieout.data.readers.read import DataError, is_pages, read_conversations
from tieout.data.readers.report import read_report
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.listing import frame, measures, row_of
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology

if TYPE_CHECKING:
    import pandas


class Facts(list[Fact]):
    """The facts of a report, in the order in which they are printed: tables first, then text."""

    def __init__(self, facts: tuple[Fact, ...], document: str) -> None:
        super().__init__(facts)
        self._document = document

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict a fact, with the columns of `tieout kg facts`; those that measure nothing are left out."""
        return [row_of(fact, self._document) for fact in measures(self)]

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame of the same. Raises ListingError where pandas is not installed."""
        return frame(self.to_dicts())


class Report:
    """One report. document: as it was read; graph: what it says, built when first asked for."""

    def __init__(self, document: Document, ontology: Ontology) -> None:
        self.document, self._ontology = document, ontology

    def __repr__(self) -> str:
        return f"Report({self.document.id!r})"

    @cached_property
    def graph(self) -> Graph:
        """The report as a graph in memory that answers SPARQL."""
        return build(self.document, self._ontology)

    def facts(self) -> Facts:
        """Every printed number with what it means and where it stands."""
        return Facts(self.graph.facts(), self.document.id)


def open_report(path: Path, ontology: Ontology) -> Report:
    """The report in a file. Raises DataError for a file that is not read, or holds several pages."""
    if not is_pages(path):
        return Report(read_report(path), ontology)
    found = [conversation.document for conversation in read_conversations(path)]
    if len(found) != 1:
        raise DataError(f"{path}: holds {len(found)} reports; `tieout.conversation(path, id)` takes one of them")
    return Report(found[0], ontology)
