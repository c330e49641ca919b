"""What is told of a table: columns with their types, ranges, gaps and examples. Runs in the process of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tieout.data.datasets.naming import quoted

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FEW = 40  # values of a column of text that are listed, where there are no more
LONGEST = 80
WIDE = 400  # columns of a table that are told of

KINDS = {
    "BOOLEAN": "boolean",
    "DATE": "date",
    "DOUBLE": "float",
    "FLOAT": "float",
    "VARCHAR": "text",
    "TINYINT": "integer",
    "SMALLINT": "integer",
    "INTEGER": "integer",
    "BIGINT": "integer",
    "HUGEINT": "integer",
    "UTINYINT": "integer",
    "USMALLINT": "integer",
    "UINTEGER": "integer",
    "UBIGINT": "integer",
    "UHUGEINT": "integer",
}


def kind_of(type_name: str) -> str:
    """The kind of a DuckDB type: integer, float, decimal, date, timestamp, boolean, or text for all else."""
    if type_name.startswith("DECIMAL"):
        return "decimal"
    return "timestamp" if type_name.startswith("TIMESTAMP") else KINDS.get(type_name, "text")


def as_json(value: object, kind: str) -> Any:  # noqa: ANN401 - JSON
    """A cell as JSON can carry it without loss: decimals, dates and all that JSON does not know as text; NaN is a
    gap."""
    if value is None or kind in ("integer", "boolean"):
        return value
    if kind == "float":
        number = float(value)  # type: ignore[arg-type]
        return number if number - number == 0 else None
    if kind == "decimal":
        return f"{value:f}"
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def describe(connection: DuckDBPyConnection, table: str, examples: int) -> dict[str, Any]:
    """A table as JSON: `{"table", "rows", "columns": [{name, kind, missing, low, high, values}], "examples": [...]}`.

    examples: how many rows to show; with 0 no value of a column of text is shown either.
    """
    found = [(name, kind_of(kind)) for name, kind, *_ in connection.execute(f"DESCRIBE {quoted(table)}").fetchall()]
    shown = found[:WIDE]
    parts = ["count(*)"]
    for name, kind in shown:
        column = quoted(name)
        ranged = kind in ("integer", "float", "decimal", "date", "timestamp")
        column_or_gap = f"CASE WHEN isfinite({column}) THEN {column} END" if kind == "float" else column
        parts += [f"count({column})", *(f"{way}({column_or_gap})" if ranged else "NULL" for way in ("min", "max"))]
    row = connection.execute(f"SELECT {', '.join(parts)} FROM {quoted(table)}").fetchone()
    assert row is not None
    columns = []
    for number, (name, kind) in enumerate(shown):
        there, low, high = row[1 + 3 * number : 4 + 3 * number]
        values = _values(connection, table, name) if kind == "text" and examples else []
        ends = {"low": as_json(low, kind), "high": as_json(high, kind)}
        columns.append({"name": name, "kind": kind, "missing": row[0] - there, **ends, "values": values})
    rows = connection.execute(f"SELECT * FROM {quoted(table)} LIMIT {examples}").fetchall() if examples else []
    cells = [[_short(as_json(cell, kind)) for cell, (_, kind) in zip(line, shown, strict=False)] for line in rows]
    return {"table": table, "rows": row[0], "columns": columns, "hidden": len(found) - len(shown), "examples": cells}


def _values(connection: DuckDBPyConnection, table: str, name: str) -> list[str]:
    """The values of a column of text, where they are few: in a long table the names of its series."""
    query = f"SELECT DISTINCT {quoted(name)} FROM {quoted(table)} WHERE {quoted(name)} IS NOT NULL LIMIT {FEW + 1}"
    values = sorted(str(value) for (value,) in connection.execute(query).fetchall())
    return values if len(values) <= FEW and all(len(value) <= LONGEST for value in values) else []


def _short(value: object) -> object:
    return f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value
