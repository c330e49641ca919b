"""Cells of frames and values of scripts as entries of the ledger, each with the code, queries and rows behind it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from tieout.agent.ledger.ledger import Entry, FromFrame, Words
from tieout.agent.protocol.tool import ToolError
from tieout.data.datasets.frames import Cell, Frame
from tieout.data.printed.amount import Unit

CELL = re.compile(r"([A-Za-z]\w{0,63})(?:\.([^\[\]]{1,100}))?(?:\[(-?\d{1,6})\])?")
YEAR = re.compile(r"(?:\w+_)?(?:year|yr|jahr|ann[eé]e)", re.IGNORECASE)  # columns whose whole numbers are years
MOST_LISTED = 200


def value_of(cell: Cell) -> bool | Decimal | Words:
    """A cell as a value of the ledger. A binary float becomes the shortest decimal that reads as the same float."""
    match cell:
        case bool() | Decimal():
            return cell
        case int():
            return Decimal(cell)
        case float():
            return Decimal(repr(cell))
        case date():
            return Words(form="date", text=cell.isoformat().removesuffix("T00:00:00"))
    return Words(form="text", text=str(cell))


def cell_entry(frame: Frame, column: str | None, row: int | None) -> Entry:
    """The entry of a cell, or of a whole frame where neither column nor row is given and there is more than one.

    Rows count from 0, negative ones from the end. Raises ToolError where there is no such cell, or a gap.
    """
    if column is None and row is None and (frame.rows != 1 or len(frame.columns) != 1):
        return _whole(frame)
    if column is None:
        if len(frame.columns) != 1:
            raise ToolError(f"frame {frame.name!r} has several columns: name one, as {frame.name}.{frame.names[0]}[0]")
        column = frame.names[0]
    if row is None:
        if frame.rows != 1:
            raise ToolError(f"frame {frame.name!r} has {frame.rows} rows: name one, as {frame.name}.{column}[0]")
        row = 0
    if column not in frame.names:
        raise ToolError(f"frame {frame.name!r} has no column {column!r}; there are: {', '.join(frame.names)}")
    if not -frame.rows <= row < frame.rows:
        raise ToolError(f"frame {frame.name!r} has no row {row}: it has {frame.rows}, counted from 0")
    row %= frame.rows
    cell = frame.column(column)[row]
    if cell is None:
        raise ToolError(f"{frame.name}.{column}[{row}] is a gap: there is no value")
    stem = re.sub(r"\W+", "_", f"{frame.name}_{column}_{row}", flags=re.ASCII)
    return Entry(
        name=stem[:64],
        value=value_of(cell),
        unit=Unit.CALENDAR_YEAR if isinstance(cell, int) and YEAR.fullmatch(column) else None,
        about=column,
        source=_source(frame, column, row, isinstance(cell, float)),
    )


def _whole(frame: Frame) -> Entry:
    if not frame.rows:
        raise ToolError(f"frame {frame.name!r} has no rows")
    rows = [[_written(column[row]) for column in frame.data] for row in range(min(frame.rows, MOST_LISTED))]
    more = [f"and {frame.rows - MOST_LISTED} more"] if frame.rows > MOST_LISTED else []
    if len(frame.columns) == 1:
        words = Words(form="list", text=", ".join([*(row[0] for row in rows), *more]))
    else:
        lines = [" | ".join(frame.names), *(" | ".join(row) for row in rows), *more]
        words = Words(form="table", text="; ".join(lines))
    binary = any(kind == "float" for _, kind in frame.columns)
    return Entry(name=frame.name, value=words, source=_source(frame, None, None, binary))


def _written(cell: Cell) -> str:
    if cell is None:
        return "-"
    value = value_of(cell)
    return ("yes" if value else "no") if isinstance(value, bool) else f"{value}"


def script_entry(
    name: str, cell: Cell, code: str, line: int, frames: Sequence[Frame], rows_hash: str, recipe: str | None
) -> Entry:
    """The entry of a value that a script made of frames. rows_hash: of the rows of these, joined."""
    return Entry(
        name=name,
        value=value_of(cell),
        about=name.replace("_", " "),
        source=FromFrame(
            frame=name,
            code=code,
            line=line,
            queries=tuple(dict.fromkeys(query for frame in frames for query in queries_behind(frame))),
            tables=tuple(dict.fromkeys(table for frame in frames for table in frame.origin.tables)),
            rows_hash=rows_hash,
            binary=isinstance(cell, float),
            recipe=recipe,
        ),
    )


def queries_behind(frame: Frame) -> tuple[str, ...]:
    """The queries that a frame rests on, its own last."""
    own = (frame.origin.query,) if frame.origin.query else ()
    return tuple(dict.fromkeys((*frame.origin.queries, *own)))


def _source(frame: Frame, column: str | None, row: int | None, binary: bool) -> FromFrame:
    return FromFrame(
        frame=frame.name,
        column=column,
        row=row,
        code=frame.origin.code,
        line=len(frame.origin.code.splitlines()) if frame.origin.code else None,
        queries=queries_behind(frame),
        tables=frame.origin.tables,
        rows_hash=frame.hash,
        binary=binary,
        recipe=frame.origin.recipe,
    )
