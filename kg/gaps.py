"""Rows whose formulas have no results: a question that asks for one is told so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tieout.data.document import Document
from tieout.ontology.labels.label import normalise


def rows_without_results(document: Document) -> dict[str, str]:
    """The labels of rows with formulas that have no results, as printed, by what questions call them."""
    gaps = frozenset(document.uncalculated)
    found: dict[str, str] = {}
    for table in document.tables if gaps else ():
        for row, places in zip(table.rows, table.places, strict=False):
            if row and row[0] and not gaps.isdisjoint(places[1:]):
                found.setdefault(normalise(row[0]), row[0])
    found.pop("", None)
    return found


def named_gaps(rows: Mapping[str, str], question: str) -> Iterator[str]:
    """What a question asks for of these rows, in words, one text for each."""
    asked = f" {normalise(question)} "
    for words, label in rows.items():
        if f" {words} " in asked:
            yield f"the formulas of the row {label!r} have no stored results: save the file in a spreadsheet program"
