"""How much of what reports print a TBox names: lines by the way they found a property, tables with a class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tieout.data.document import Document
from tieout.ontology.labels.concept import GAAP
from tieout.ontology.labels.label import normalise
from tieout.ontology.learn.survey import PrintedLine, PrintedTable, survey
from tieout.ontology.tbox.tbox import Ontology
from tieout.ontology.tbox.term import MatchedBy, Measure

# From the surest to none: a line whose amounts are matched in several ways counts as the least sure of them.
_ORDER = (MatchedBy.EXACT, MatchedBy.ALTERNATIVE, MatchedBy.FUZZY, MatchedBy.NARROWER, MatchedBy.MINTED)


@dataclass(slots=True)
class Stats:
    """Counts. rows: lines with amounts, columns where a table runs down, by how all their amounts were matched.

    labels: distinct normalised labels of them. classed: tables with a class. of_class: tables by class.
    tagged: rows with a concept of US-GAAP; by_tag: those of them that no label but their concept names.
    """

    documents: int = 0
    tables: int = 0
    classed: int = 0
    rows: Counter[MatchedBy] = field(default_factory=Counter)
    labels: set[str] = field(default_factory=set)
    of_class: Counter[str] = field(default_factory=Counter)
    tagged: int = 0
    by_tag: int = 0

    @property
    def rows_mapped_with_tags(self) -> float | None:
        """As rows_mapped, with the rows that only the concept of their tags names; None where there are no rows."""
        mapped = self.rows.total() - self.rows[MatchedBy.MINTED] + self.by_tag
        return mapped / self.rows.total() if self.rows else None

    @property
    def rows_mapped(self) -> float | None:
        """Share of rows with a derived property, itself or above their own; None where there are no rows."""
        return 1 - self.rows[MatchedBy.MINTED] / self.rows.total() if self.rows else None

    @property
    def rows_mapped_without_narrower(self) -> float | None:
        """Share of rows with a derived property that is itself theirs; None where there are no rows."""
        own = self.rows.total() - self.rows[MatchedBy.NARROWER] - self.rows[MatchedBy.MINTED]
        return own / self.rows.total() if self.rows else None

    @property
    def tables_classed(self) -> float | None:
        """Share of tables with a class other than the fallback; None where there are no tables."""
        return self.classed / self.tables if self.tables else None


def measure(ontology: Ontology, documents: Iterable[Document]) -> Stats:
    """Counts what the documents print, each page once."""
    stats = Stats()
    named = frozenset(item.close_match for item in ontology.properties if item.close_match)
    for report in survey(documents):
        stats.documents += 1
        for table in report.tables:
            _count(ontology, table, stats, named)
    return stats


def _count(ontology: Ontology, table: PrintedTable, stats: Stats, named: frozenset[str]) -> None:
    classes = ontology.match_class(table.labels, table.text)
    whole = ontology.match_measure([line.label for line in table.lines], table.text, classes[0] if classes else None)
    stats.tables += 1
    stats.classed += bool(classes)
    stats.of_class.update(match.name for match in classes[:1])
    for line in table.lines:
        by = _matched(ontology, line, whole)
        stats.rows[by] += 1
        stats.tagged += bool(line.concept)
        stats.by_tag += by is MatchedBy.MINTED and bool(line.concept) and GAAP + line.concept in named
        stats.labels.add(normalise(line.label))


def _matched(ontology: Ontology, line: PrintedLine, whole: Measure | None) -> MatchedBy:
    unit = line.units[0] if line.units else None
    ways = []
    for header in line.headers:
        found = ontology.match_line(line.label, unit, header=header, section=line.section, measure=whole)
        ways.append(found[0].by if found else MatchedBy.MINTED)
    return max(ways, key=_ORDER.index)


def stats_json(ontology: Ontology, stats: Stats) -> dict[str, object]:
    """The figures under plain names; rates between 0 and 1, null where there is nothing to count."""
    total = stats.rows.total()
    per_class = Counter(name for item in ontology.properties for name in item.domains)
    return {
        "documents": stats.documents,
        "tables": stats.tables,
        "tables_classed": stats.tables_classed,
        "rows": total,
        "rows_mapped": stats.rows_mapped,
        **(
            {"rows_tagged": stats.tagged / total, "rows_mapped_with_tags": stats.rows_mapped_with_tags}
            if stats.tagged
            else {}
        ),
        **{f"rows_{way.value}": stats.rows[way] / total if total else None for way in _ORDER},
        "labels": len(stats.labels),
        "classes": len(ontology.classes),
        "properties": len(ontology.properties),
        "tables_per_class": dict(sorted(stats.of_class.items())),
        "properties_per_class": dict(sorted(per_class.items())),
    }
