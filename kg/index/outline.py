"""What a report holds: its headings with the tables under them, each with its caption, unit, scale and size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tieout.kg.fact import Fact, FactKind, measures

if TYPE_CHECKING:
    from tieout.data.document import Document

INDENT = "  "
MOST_PERIODS = 4


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


def _tables(document: Document, facts: Sequence[Fact]) -> dict[int, TableLine]:
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
            _periods(here),
            len(here),
        )
    return found


def _periods(facts: Sequence[Fact]) -> tuple[str, ...]:
    """The periods of most figures of a table, as they are printed from left to right, or from the top."""
    keys = Counter(fact.period.key for fact in facts if fact.period)
    places: dict[str, tuple[int, int]] = {}
    for fact in facts:
        if fact.period:
            place = fact.column or 0, fact.row or 0
            places[fact.period.key] = min(place, places.get(fact.period.key, place))
    return tuple(sorted((key for key, _ in keys.most_common(MOST_PERIODS)), key=lambda key: places[key]))


def _most(values: Iterator[Any]) -> Any:  # noqa: ANN401 - as it comes in
    return next((value for value, _ in Counter(value for value in values if value is not None).most_common(1)), None)


def outline_json(document: Document, facts: Sequence[Fact]) -> dict[str, Any]:
    """The outline as plain values. facts: those of the document."""
    from tieout.kg.drafts.outline import Outline  # what takes reports in is not needed to show what is kept

    tables = _tables(document, facts)
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
        **({"unread": list(document.unread)} if document.unread else {}),
    }


def outline_lines(outline: Mapping[str, Any]) -> Iterator[str]:
    """An outline, as `outline_json` gives it, for the eye: a line for each heading and each table."""
    said = (outline["company"] or "?", outline["form"] or "form ?", f"ended {outline['ended'] or '?'}")
    yield f"{outline['id']}: {', '.join(said)}"
    tables = {each["table"]: each for each in outline["tables"]}
    inside = {number for section in outline["sections"] for number in section["tables"]}
    yield from (_line(each, 1) for number, each in tables.items() if number not in inside)
    for section in outline["sections"]:
        yield INDENT * section["level"] + section["title"]
        yield from (_line(tables[number], section["level"] + 1) for number in section["tables"])


def _line(table: Mapping[str, Any], level: int) -> str:
    scale = f" ×{table['scale']:,}" if table["scale"] not in (None, 1) else "" if table["scale"] else " ×?"
    said = (f"{table['unit'] or '?'}{scale}", ", ".join(table["periods"]), f"{table['figures']} figures")
    parts = [part for part in (*said, table["place"]) if part]
    return f"{INDENT * level}t{table['table']} {table['caption']} [{'; '.join(parts)}]"
