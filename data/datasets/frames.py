"""Named frames: columns of equal length that a query or a script made, with the hash of their rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal

Kind = Literal["integer", "float", "decimal", "date", "timestamp", "boolean", "text"]
Cell = int | float | Decimal | date | datetime | bool | str | None
MOST_ROWS = 100_000
MOST_COLUMNS = 200


class FrameError(ValueError):
    """Columns that are no frame: of unequal length, too many, of mixed or other types."""


@dataclass(frozen=True)
class Origin:
    """How a frame came about. query: its SELECT. code: the script. tables: of data files, all that it rests on.

    frames: what the script was given. queries: those behind these frames, in order.
    """

    query: str | None = None
    code: str | None = None
    tables: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    recipe: str | None = None


@dataclass(frozen=True)
class Frame:
    """Rows under a name. columns: names with their kinds; data: the cells by column, a gap is None."""

    name: str
    columns: tuple[tuple[str, Kind], ...]
    data: tuple[tuple[Cell, ...], ...]
    origin: Origin = Origin()

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.data[0]) if self.data else 0

    @cached_property
    def hash(self) -> str:
        """SHA-256 of columns and rows: the same for the same cells in every process and on every machine."""
        digest = hashlib.sha256(json.dumps(self.columns).encode())
        for column in self.data:
            digest.update(json.dumps([_text(cell) for cell in column]).encode(errors="surrogatepass"))
        return digest.hexdigest()

    def column(self, name: str) -> tuple[Cell, ...]:
        """The cells of a column. Raises FrameError that names those there are."""
        for (known, _), cells in zip(self.columns, self.data, strict=True):
            if known == name:
                return cells
        raise FrameError(f"frame {self.name!r} has no column {name!r}; there are: {', '.join(self.names)}")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the columns."""
        return tuple(name for name, _ in self.columns)

    def kind(self, name: str) -> Kind:
        """The kind of a column."""
        return dict(self.columns)[name]

    def shape(self) -> dict[str, Any]:
        """What may be told of a frame without telling its rows: types, gaps, how many."""
        columns = [
            {"name": name, "type": kind, "missing": sum(cell is None for cell in cells)}
            for (name, kind), cells in zip(self.columns, self.data, strict=True)
        ]
        return {"frame": self.name, "rows": self.rows, "columns": columns}

    def first(self, rows: int) -> list[list[Any]]:
        """The first rows as text and numbers."""
        return [[shown(column[row]) for column in self.data] for row in range(min(rows, self.rows))]


def shown(cell: Cell) -> Any:  # noqa: ANN401 - JSON
    """A cell as results tell it: decimals and dates as text."""
    return cell if cell is None or isinstance(cell, bool | int | float | str) else _text(cell)


def _text(cell: Cell) -> str | None:
    match cell:
        case None:
            return None
        case float():
            return repr(cell)
        case date():
            return cell.isoformat()
        case Decimal():
            return f"{cell:f}"
    return str(cell)


def make_frame(name: str, columns: Mapping[str, Sequence[object]], origin: Origin) -> Frame:
    """A frame of columns. Whole numbers beside floats are floats; a float that is no number is a gap.

    Raises FrameError for anything else that is mixed, unequal or too much.
    """
    if not columns:
        raise FrameError("a frame needs a column")
    if len(columns) > MOST_COLUMNS:
        raise FrameError(f"{len(columns)} columns are more than {MOST_COLUMNS}")
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) > 1:
        raise FrameError(f"columns of unequal length: {', '.join(f'{key} {len(c)}' for key, c in columns.items())}")
    if lengths.pop() > MOST_ROWS:
        raise FrameError(f"more than {MOST_ROWS} rows")
    made = {column: _typed(column, cells) for column, cells in columns.items()}
    kinds = tuple((column, kind) for column, (kind, _) in made.items())
    return Frame(name, kinds, tuple(cells for _, cells in made.values()), origin)


KIND_OF: tuple[tuple[type, Kind], ...] = (
    (bool, "boolean"),
    (int, "integer"),
    (float, "float"),
    (Decimal, "decimal"),
    (datetime, "timestamp"),
    (date, "date"),
    (str, "text"),
)


def kind_of(value: object) -> Kind | None:
    """The kind of a value; None for one that no frame can hold."""
    return next((kind for type_, kind in KIND_OF if isinstance(value, type_)), None)


def _typed(name: str, cells: Sequence[object]) -> tuple[Kind, tuple[Cell, ...]]:
    kinds = {kind_of(cell) for cell in cells if cell is not None}
    if None in kinds:
        other = next(type(cell).__name__ for cell in cells if cell is not None and kind_of(cell) is None)
        raise FrameError(f"column {name!r} holds {other}: numbers, dates, text and yes or no can be kept")
    if kinds == {"integer", "float"}:
        kinds = {"float"}
    if len(kinds) > 1:
        hint = ": convert one, binary floats and decimals are not mixed" if kinds == {"float", "decimal"} else ""
        raise FrameError(f"column {name!r} mixes {' and '.join(sorted(map(str, kinds)))}{hint}")
    kind: Kind = kinds.pop() if kinds else "text"  # type: ignore[assignment]
    if kind == "float":
        return kind, tuple(_float(cell) for cell in cells)
    return kind, tuple(cells)  # type: ignore[arg-type]


def _float(cell: object) -> float | None:
    if not isinstance(cell, int | float):
        return None
    number = float(cell)
    return number if number - number == 0 else None
