"""How a data file becomes a table of DuckDB: dates are dates, gaps are NULL. Runs in the process of the engine."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date, datetime
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.agent.tables.column_types import find_types
from tieout.agent.tables.delimited import GAPS, read_csv
from tieout.agent.tables.naming import DataFileError, free_name, quoted, text_literal

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
PEEK = 8  # lines of a file that are looked at to find its header


def load(
    connection: DuckDBPyConnection, table: str, path: Path, kind: str, drafts: Path, taken: set[str]
) -> dict[str, str]:
    """Makes the tables of a file, and gives their names, each with what it is called within the file.

    drafts: a folder for files in between. taken: names that other tables have.
    Raises DataFileError for a file that is not what its name says, or holds no table.
    """
    import duckdb

    try:
        match kind:
            case "csv":
                _from_csv(connection, table, path)
                names = {table: ""}
            case "parquet":
                view_parquet(connection, table, path)
                return {table: ""}
            case "xlsx":
                names = _from_rows(connection, table, _sheets(path), drafts, taken)
            case _:
                names = _from_rows(connection, table, _sqlite_tables(path), drafts, taken)
        for name in names:
            find_types(connection, name)
    except DataFileError:
        raise
    except (duckdb.Error, ValueError, OSError, sqlite3.Error) as error:
        raise DataFileError(f"{str(path)!r} cannot be read as {kind}: {str(error).splitlines()[0]}") from error
    if not names:
        raise DataFileError(f"{str(path)!r} holds no table")
    return names


def view_parquet(connection: DuckDBPyConnection, table: str, path: Path) -> None:
    """Makes a table of a Parquet file without reading its rows: queries do, as far as they need them."""
    source = f"read_parquet({text_literal(_plain_path(path))})"
    connection.execute(f"CREATE VIEW {quoted(table)} AS FROM {source}")


def table_names(stem: str, inner: Sequence[str], taken: set[str]) -> list[str]:
    """Names for the tables of one file: its own for an only one, else with what each is called within the file."""
    if len(inner) == 1:
        return [stem]
    names: list[str] = []
    for each in inner:
        names.append(free_name(f"{stem}_{each}", taken | set(names)))
    return names


def _plain_path(path: Path) -> str:
    """A path as the engine takes it. Raises DataFileError where it would be taken for a pattern."""
    if any(char in "*?[" for char in str(path)):
        raise DataFileError(f"{str(path)!r} has one of the characters * ? [ in its path: rename it")
    return str(path)


def _from_csv(connection: DuckDBPyConnection, table: str, path: Path) -> None:
    rows, delimiter = _peek(path)
    hints = f", delim={text_literal(delimiter)}, quote='\"', escape='\"'" if _is_regular(rows) else ""
    read_csv(connection, table, _plain_path(path), _header(rows), hints)


def _peek(path: Path) -> tuple[list[list[str]], str]:
    """The first rows of a file that are not empty, and what delimits their cells as far as the header tells."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        lines = [line for _, line in zip(range(PEEK), file, strict=False)]
    delimiter = max(",;\t|", key=lambda char: lines[0].count(char) if lines else 0)
    return [row for row in csv.reader(lines, delimiter=delimiter) if row], delimiter


def _is_regular(rows: Sequence[Sequence[str]]) -> bool:
    """Whether all rows have as many cells as the header, two at least: the engine need not guess then."""
    return len(rows) > 1 and len(rows[0]) > 1 and all(len(row) == len(rows[0]) for row in rows)


def _header(rows: Sequence[Sequence[str]]) -> str:
    """What to tell the reader where the header has years over amounts, which look like a row of data; and where behind
    it stands a row that is no data, such as `Transform:,5,5` of FRED-MD: a first cell that is neither date nor number
    while those below it are. "" for a file like any other."""
    if _has_years_across(rows):
        return ", header=true"
    if len(rows) < 4 or any(len(row) != len(rows[0]) for row in rows[:4]):
        return ""
    first = [row[0].strip() for row in rows[1:]]
    if (
        first[0] in GAPS
        or any(map(str.isdigit, first[0]))
        or not all(any(map(str.isdigit, cell)) for cell in first[1:] if cell not in GAPS)
    ):
        return ""
    names, taken = [], set()
    for number, name in enumerate(rows[0], 1):
        stem = chosen = name.strip() or f"column{number}"
        copies = 0
        while chosen.lower() in taken:
            copies += 1
            chosen = f"{stem}_{copies}"
        taken.add(chosen.lower())
        names.append(chosen)
    return f", skip=2, header=false, names=[{', '.join(map(text_literal, names))}]"


def _has_years_across(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row is a header with years, as in `Region,2021,2022,2023`: two at least, up or down, words
    in all other cells, and amounts below that are no years themselves. A row of data has words and years like that only
    where those below it have years in the same columns."""
    if len(rows) < 2:
        return False
    cells = [cell.strip() for cell in rows[0]]
    years = [at for at, cell in enumerate(cells) if _YEAR.fullmatch(cell)]
    values = [cells[at] for at in years]
    words = [cell.casefold() for at, cell in enumerate(cells) if at not in years]
    if len(years) < 2 or values not in (sorted(set(values)), sorted(set(values), reverse=True)):
        return False
    if len(set(words)) < len(words) or any(any(map(str.isdigit, word)) for word in words):
        return False
    below = [row[at].strip() for row in rows[1:] for at in years if at < len(row) and row[at].strip() not in GAPS]
    return any(map(_is_number, below)) and sum(1 for cell in below if _YEAR.fullmatch(cell)) * 2 < len(below)


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text))


# Workbooks and SQLite files: their rows become a CSV file in between, so that types are found as in any other.


def _sheets(path: Path) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(str(path))
        for name in book.sheet_names:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
            filled = [row for row in rows if any(cell != "" for cell in row)]
            if len(filled) > 1:
                yield name, ([_cell(value) for value in row] for row in _below_title(filled))
    except CalamineError as error:
        raise DataFileError(f"{str(path)!r} cannot be read as a workbook: {error}") from error


def _below_title(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows from the header on: a title stands alone in its row, a header does not."""
    start = next((at for at, row in enumerate(rows) if sum(cell != "" for cell in row) > 1), 0)
    return rows[start:]


def _sqlite_tables(path: Path) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as base:
        names = [name for (name,) in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        for name in names:
            if not name.startswith("sqlite_"):
                columns = [row[1] for row in base.execute(f"PRAGMA table_info({quoted(name)})")]
                cells = (f"CASE typeof({c}) WHEN 'blob' THEN hex({c}) ELSE {c} END" for c in map(quoted, columns))
                rows = base.execute(f"SELECT {', '.join(cells)} FROM {quoted(name)}")
                yield name, chain([columns], rows)


def _from_rows(
    connection: DuckDBPyConnection,
    stem: str,
    tables: Iterable[tuple[str, Iterable[Sequence[object]]]],
    drafts: Path,
    taken: set[str],
) -> dict[str, str]:
    found = list(_drafted(tables, stem, drafts))
    inner = [name for name, _ in found]
    names = table_names(stem, inner, taken)
    for table, (_, draft) in zip(names, found, strict=True):
        _from_csv(connection, table, draft)
        draft.unlink()
    return dict(zip(names, inner, strict=True))


def _drafted(
    tables: Iterable[tuple[str, Iterable[Sequence[object]]]], stem: str, drafts: Path
) -> Iterator[tuple[str, Path]]:
    for number, (name, rows) in enumerate(tables):
        draft = drafts / f"{stem}-{number}.csv"
        with draft.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(rows)
        yield name, draft


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case datetime() if (value.hour, value.minute, value.second, value.microsecond) == (0, 0, 0, 0):
            return value.date().isoformat()
        case date():
            return value.isoformat()
        case float() if value.is_integer() and abs(value) < 2**53:
            return str(int(value))
        case float():
            return repr(value)
    return str(value)
