"""The sheets of a workbook into DuckDB, column by column, each with the type that its cells have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.data.datasets.naming import DataFileError, quoted
from tieout.data.datasets.reading.column_types import EXACT, GAPS, narrow
from tieout.data.datasets.reading.header import PEEK, column_names, has_codes_below, has_years_across
from tieout.data.readers.sheets.sheet import column_letters
from tieout.data.readers.sheets.styles import uncalculated_columns

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from numpy.typing import NDArray
    from python_calamine import CalamineSheet

CHUNK = 10_000  # rows that are Python objects at a time
MOST_TOLD = 6  # columns that a message names
ARRAYS = "columns of a sheet"
_GAPS = frozenset(GAPS)
_FIRST_DAY, _NO_DAY = date(1970, 1, 1).toordinal(), -(2**63)  # as numpy counts days, and how it writes none


class SheetTable:
    """The table of a sheet: what is below titles and empty rows. names: of its columns; places: by name the number of
    the column in the sheet, from 0. is_empty: there is nothing below a header."""

    def __init__(self, sheet: CalamineSheet) -> None:
        width = sheet.width
        rows = (row for row in sheet.iter_rows() if row.count("") < width)
        self._rows, first = _below_title(rows)
        texts = [[cell_text(cell) for cell in row] for row in first]
        self.is_empty = len(first) < 2
        has_header = bool(first) and (has_years_across(texts) or _is_header(first))
        skipped = (2 if has_codes_below(texts) else 1) if has_header else 0
        self._rows = islice(self._rows, skipped, None)
        self.names = column_names(texts[0]) if has_header else [f"column{number}" for number in range(width)]
        self.places = {name: (sheet.start or (0, 0))[1] + at for at, name in enumerate(self.names)}

    def load(self, connection: DuckDBPyConnection, table: str) -> None:
        """Makes a table of DuckDB. Raises duckdb.Error."""
        columns = [_Column() for _ in self.names]
        while rows := list(islice(self._rows, CHUNK)):
            for column, cells in zip(columns, zip(*rows, strict=True), strict=True):
                column.add(cells)
        made = {name: column.array() for name, column in zip(self.names, columns, strict=True)}
        casts = [
            f"{quoted(name)}::DATE AS {quoted(name)}" for name, each in zip(made, columns, strict=True) if each.is_days
        ]
        replaced = f" REPLACE ({', '.join(casts)})" if casts else ""
        connection.register(ARRAYS, made)
        try:
            connection.execute(f"CREATE TABLE {quoted(table)} AS SELECT *{replaced} FROM {quoted(ARRAYS)}")
        finally:
            connection.unregister(ARRAYS)
        narrow(connection, table, [name for name, array in made.items() if array.dtype.kind == "f"])


class _Column:
    """The cells of a column, part by part: floats as an array, in which a gap is NaN, all else as it is."""

    def __init__(self) -> None:
        self._parts: list[NDArray[Any] | tuple[Any, ...]] = []
        self._kinds: set[type] = set()

    def add(self, cells: tuple[Any, ...]) -> None:
        """More cells of the column, from above to below."""
        import numpy as np

        kinds = set(map(type, cells))
        if str in kinds and not _GAPS.isdisjoint(cells):
            cells = tuple([None if cell in _GAPS else cell for cell in cells])
            kinds = set(map(type, cells)) - {type(None)}
        self._kinds |= kinds
        self._parts.append(np.array(cells, float) if kinds == {float} else cells)

    @property
    def is_days(self) -> bool:
        """Whether all are dates without a time of day."""
        return self._kinds == {date} or (
            bool(self._kinds) and self._kinds <= {date, datetime} and all(map(_is_day, self._cells()))
        )

    def array(self) -> NDArray[Any]:
        """All cells as one array of the one type that they have; of text where they have several."""
        import numpy as np

        if self._kinds == {float}:
            return np.concatenate([np.array(part, float) for part in self._parts])
        cells = list(self._cells())
        if self._kinds == {str}:
            return np.array(cells, object)
        if self._kinds == {bool}:
            return np.ma.masked_array([bool(cell) for cell in cells], mask=[cell is None for cell in cells])
        if self.is_days:  # ten times quicker than numpy's own way
            days = (_NO_DAY if cell is None else cell.toordinal() - _FIRST_DAY for cell in cells)
            return np.fromiter(days, np.int64, len(cells)).astype("datetime64[D]").astype("datetime64[us]")
        if self._kinds and self._kinds <= {date, datetime}:
            return np.array(cells, "datetime64[us]")
        if self._kinds and self._kinds <= {float, int} and all(cell is None or abs(cell) <= EXACT for cell in cells):
            return np.array(cells, float)
        return np.array([None if cell is None else cell_text(cell) for cell in cells], object)

    def _cells(self) -> Iterator[Any]:
        for part in self._parts:
            if isinstance(part, tuple):
                yield from part
            else:
                yield from (None if cell != cell else cell for cell in part.tolist())


def _is_day(cell: object) -> bool:
    return not isinstance(cell, datetime) or (cell.hour, cell.minute, cell.second, cell.microsecond) == (0, 0, 0, 0)


def _below_title(rows: Iterator[list[Any]]) -> tuple[Iterator[list[Any]], list[list[Any]]]:
    """The rows from the header on, and the first of them. A title stands alone in its row, a header does not; where
    every row has one cell there is no title."""
    alone = []
    for row in rows:
        if len(row) - row.count("") > 1:
            first = [row, *islice(rows, PEEK - 1)]
            return chain(first, rows), first
        alone.append(row)
    return iter(alone), alone[:PEEK]


def _is_header(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether the first row has no cell but text, or one of another kind than all those below it."""
    if all(isinstance(cell, str) for cell in rows[0]):
        return True
    below = zip(*rows[1:], strict=True)
    kinds = ({_kind(cell) for cell in cells if cell not in _GAPS} for cells in below)
    return any(found and cell != "" and _kind(cell) not in found for cell, found in zip(rows[0], kinds, strict=True))


def _kind(cell: object) -> type:
    return date if isinstance(cell, date) else float if type(cell) is int else type(cell)


def cell_text(value: object) -> str:
    """A cell as text: whole numbers without a point, days without a time."""
    match value:
        case datetime() if _is_day(value):
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < EXACT:
            return str(int(value))
        case float():
            return repr(value)
    return str(value)


def sheet_tables(path: Path) -> Iterator[tuple[str, SheetTable]]:
    """The tables of a workbook by the names of their sheets; sheets without rows are left out. Raises DataFileError."""
    from python_calamine import CalamineError, SheetTypeEnum, load_workbook

    try:
        with load_workbook(str(path)) as book:
            for about in book.sheets_metadata:
                if about.typ is SheetTypeEnum.WorkSheet:
                    table = SheetTable(book.get_sheet_by_name(about.name))
                    if not table.is_empty:
                        yield about.name, table
    except CalamineError as error:
        raise DataFileError(f"{str(path)!r} cannot be read as a workbook: {error}") from error


def gaps_told(path: Path, tables: Mapping[str, SheetTable]) -> list[str]:
    """In a line for each sheet how many formulas have no stored result, which leaves gaps, and in which columns."""
    way = "open the file in a spreadsheet program and save it there"
    return [
        f"{path.name}: {_gaps(columns, sheet, tables.get(sheet))}: {way}"
        for sheet, columns in uncalculated_columns(path).items()
        if columns
    ]


def _gaps(columns: Counter[int], sheet: str, table: SheetTable | None) -> str:
    names = {} if table is None else {place: name for name, place in table.places.items()}
    parts = [f"{number:,} in {names.get(at, column_letters(at))!r}" for at, number in sorted(columns.items())]
    more = [f"{len(parts) - MOST_TOLD:,} columns more"] if len(parts) > MOST_TOLD else []
    one = "1 formula of the sheet {} has no stored result and is a gap"
    many = f"{columns.total():,} formulas of the sheet {{}} have no stored results and are gaps"
    where = ", ".join([*parts[:MOST_TOLD], *more])
    return f"{(one if columns.total() == 1 else many).format(repr(sheet))} ({where})"
