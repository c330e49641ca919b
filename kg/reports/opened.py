"""A report that is open beside others: its alias stands in front of the names of its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from tieout.kg.fact import Fact
from tieout.kg.index.passage import ReportEntry, TableEntry
from tieout.kg.index.words import Index
from tieout.kg.store.graph import Graph


@dataclass(frozen=True)
class OpenReport:
    """A report that is open. alias: in front of the names of its figures, "" for the only one."""

    alias: str
    graph: Graph
    entry: ReportEntry
    index: Index

    @cached_property
    def tables(self) -> Mapping[int, TableEntry]:
        """Its tables by number, read when they are first asked for."""
        return {table.number: table for table in self.index.tables(self.entry.id)}

    def name(self, local: str) -> str:
        """The name of a figure, a table or a sentence beside those of others."""
        return f"{self.alias}:{local}" if self.alias else local


def renamed(report: OpenReport, facts: Sequence[Fact]) -> list[Fact]:
    """Figures under the names that they have beside those of other reports."""
    if not report.alias:
        return list(facts)
    return [fact.changed(name=report.name(fact.name)) for fact in facts]
