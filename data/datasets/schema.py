"""What a backend is told of the data: tables, columns, types, units, ranges, gaps, and examples unless private."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tieout.data.datasets.files import ColumnNote
from tieout.data.frozen import Frozen
from tieout.data.printed.harmless import harmless
from tieout.data.printed.pattern import later

OPEN, CLOSE = "<data>", "</data>"
IN_BRACKETS = later(r"[(\[]([^()\[\]]{1,40})[)\]]\s*$")
MOST_SHOWN = 60  # columns of a table; of a wider one the others by name


class Column(Frozen):
    """A column of a table. low, high: its range; values: those of a column of text that has few."""

    name: str
    kind: str
    missing: int = 0
    low: Any = None
    high: Any = None
    values: tuple[str, ...] = ()
    unit: str = ""
    title: str = ""


class TableSchema(Frozen):
    """A table. file: of which it is made, "" for one of our own. hidden: columns that are not told of."""

    name: str
    rows: int
    columns: tuple[Column, ...]
    file: str = ""
    hidden: int = 0
    examples: tuple[tuple[Any, ...], ...] = ()


def make_schema(described: Mapping[str, Any], notes: Mapping[str, ColumnNote]) -> TableSchema:
    """The schema from what the engine says of a table and a data package of its columns."""
    columns = []
    for each in described["columns"]:
        note = notes.get(each["name"], ColumnNote())
        bracket = IN_BRACKETS.search(each["name"])
        title = ", ".join(part for part in (note.title, note.description) if part)
        columns.append(Column(**each, unit=note.unit or (bracket[1] if bracket else ""), title=title))
    return TableSchema(
        name=described["table"],
        rows=described["rows"],
        columns=tuple(columns),
        file=described["file"],
        hidden=described["hidden"],
        examples=tuple(tuple(row) for row in described["examples"]),
    )


def as_text(tables: Sequence[TableSchema]) -> str:
    """The tables between two marks that their own text cannot write."""
    return "\n".join([OPEN, *(line for table in tables for line in _table(table)), CLOSE])


def _table(table: TableSchema) -> list[str]:
    said = f"table {table.name}: {table.rows:,} rows{f', from {harmless(table.file)}' if table.file else ''}"
    lines = [said, *(f"- {_column(column)}" for column in table.columns[:MOST_SHOWN])]
    if rest := table.columns[MOST_SHOWN:]:
        lines.append(f"- and: {', '.join(harmless(column.name) for column in rest)}")
    if table.hidden:
        lines.append(f"- and {table.hidden} more columns")
    if table.examples:
        rows = (["-" if cell is None else harmless(str(cell)) for cell in row[:MOST_SHOWN]] for row in table.examples)
        lines.append("- first rows: " + "; ".join(map(" | ".join, rows)))
    return lines


def _column(column: Column) -> str:
    parts = [f"{harmless(column.name)} {column.kind}"]
    parts += [harmless(column.unit)] if column.unit else []
    parts += [harmless(column.title)] if column.title else []
    parts += [f"{column.low} to {column.high}"] if column.low is not None else []
    parts += [f"one of {', '.join(map(harmless, column.values))}"] if column.values else []
    parts += [f"{column.missing} missing"] if column.missing else []
    return "; ".join(parts)
