"""What a report holds: its headings with the tables under them, each with its caption, unit, scale and size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tieout.data.document import Document
from tieout.kg.build import build
from tieout.kg.drafts.outline import Outline
from tieout.kg.fact import Fact, FactKind
from tieout.kg.listing import measures
from tieout.ontology.model import Ontology

INDENT = "  "


@dataclass(frozen=True, slots=True)
class TableLine:
    """One table. unit, scale: what most of its figures have, None where it is not known."""

    number: int
    caption: str
    place: str
    unit: str | None
    scale: int | None
    periods: tuple[str, ...]
    figures: int


def _tables(document: Document, facts: tuple[Fact, ...]) -> dict[int, TableLine]:
    by_table: dict[int, list[Fact]] = {}
    for fact in measures(facts):
        if fact.kind is FactKind.TABLE and fact.table is not None:
            by_table.setdefault(fact.table, []).append(fact)
    found = {}
    for number, table in enumerate(document.tables, start=1):
        here = by_table.get(number, [])
        scale = _most(fact.scale if fact.scale_known else None for fact in here)
        found[number] = TableLine(
            number,
            here[0].caption if here else table.title,
            table.place,
            _most(str(fact.unit) if fact.unit else None for fact in here),
            scale if isinstance(scale, int) else None,
            tuple(key for key, _ in Counter(fact.period.key for fact in here if fact.period).most_common(4)),
            len(here),
        )
    return found


def _most(values: Iterator[Any]) -> Any:  # noqa: ANN401 - as it comes in
    return next((value for value, _ in Counter(value for value in values if value is not None).most_common(1)), None)


def outline_json(document: Document, ontology: Ontology) -> dict[str, Any]:
    """The outline as plain values."""
    tables = _tables(document, build(document, ontology).facts())
    outline = Outline(document)
    return {
        "id": document.id,
        "company": document.company,
        "form": document.form,
        "ended": document.ended.isoformat() if document.ended else None,
        "sections": [
            {
                "title": section.title,
                "level": section.level,
                "path": path,
                "concept": section.concept,
                "tables": [
                    each.number for each in tables.values() if document.tables[each.number - 1].section == index
                ],
            }
            for index, (section, path) in enumerate(zip(outline.sections, outline.paths, strict=True))
        ],
        "tables": [
            {
                "table": each.number,
                "caption": each.caption,
                "place": each.place,
                "unit": each.unit,
                "scale": each.scale,
                "periods": list(each.periods),
                "figures": each.figures,
            }
            for each in tables.values()
        ],
    }


def outline_lines(document: Document, ontology: Ontology) -> Iterator[str]:
    """The outline for the eye, a line for each heading and each table."""
    tables = _tables(document, build(document, ontology).facts())
    ended = document.ended.isoformat() if document.ended else "?"
    yield f"{document.id}: {document.company or '?'}, {document.form or 'form ?'}, ended {ended}"
    yield from (_line(each, 1) for each in tables.values() if document.tables[each.number - 1].section is None)
    for index, section in enumerate(document.sections):
        yield INDENT * section.level + section.title
        for each in tables.values():
            if document.tables[each.number - 1].section == index:
                yield _line(each, section.level + 1)


def _line(table: TableLine, level: int) -> str:
    scale = f" ×{table.scale:,}" if table.scale not in (None, 1) else "" if table.scale else " ×?"
    parts = [f"{table.unit or '?'}{scale}", ", ".join(table.periods), f"{table.figures} figures", table.place]
    return f"{INDENT * level}t{table.number} {table.caption} [{'; '.join(part for part in parts if part)}]"
