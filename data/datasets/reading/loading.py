"""How a data file becomes tables of DuckDB: dates are dates, gaps are NULL."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.data.datasets.naming import DataFileError, free_name, quoted, text_literal
from tieout.data.datasets.reading.column_types import drop_empty_rows, find_types
from tieout.data.datasets.reading.delimited import read_csv
from tieout.data.datasets.reading.header import PEEK, column_names, has_codes_below, has_years_across

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


@dataclass(frozen=True)
class Loaded:
    """The tables of a file by their names, each with what it is called within the file. notes: what of the file is not
    in them, a line each."""

    names: dict[str, str]
    notes: tuple[str, ...] = ()


def load(connection: DuckDBPyConnection, table: str, path: Path, kind: str, drafts: Path, taken: set[str]) -> Loaded:
    """Makes the tables of a file.

    drafts: a folder for files in between. taken: names that other tables have.
    Raises DataFileError for a file that is not what its name says, or holds no table.
    """
    import duckdb

    try:
        match kind:
            case "parquet":
                view_parquet(connection, table, path)
                return Loaded({table: ""})
            case "csv":
                _from_csv(connection, table, path)
                return Loaded({table: ""})
            case "xlsx":
                found, notes = _from_workbook(connection, path)
            case _:
                found, notes = _from_database(connection, path, drafts)
    except DataFileError:
        raise
    except (duckdb.Error, ValueError, OSError) as error:
        raise DataFileError(f"{str(path)!r} cannot be read as {kind}: {_line(error)}") from error
    if not found:
        raise DataFileError("; ".join((f"{str(path)!r} holds no table", *notes)))
    names = table_names(table, list(found.values()), taken)
    for name, draft in zip(names, found, strict=True):
        connection.execute(f"ALTER TABLE {quoted(draft)} RENAME TO {quoted(name)}")
    return Loaded(dict(zip(names, found.values(), strict=True)), tuple(notes))


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
    drop_empty_rows(connection, table)
    find_types(connection, table)


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
    """What to tell the reader where the header has years over amounts, which look like a row of data, and where a row
    of codes stands below it. "" for a file like any other."""
    if has_years_across(rows):
        return ", header=true"
    if has_codes_below(rows):
        return f", skip=2, header=false, names=[{', '.join(map(text_literal, column_names(rows[0])))}]"
    return ""


def _from_workbook(connection: DuckDBPyConnection, path: Path) -> tuple[dict[str, str], list[str]]:
    """Makes a table of every sheet that has one. Gives them by draft names, and what is to be told of them."""
    from tieout.data.datasets.reading.workbook import gaps_told, sheet_tables

    tables = {}
    for number, (sheet, table) in enumerate(sheet_tables(path)):
        draft = f"{path} {number}"
        table.load(connection, draft)
        drop_empty_rows(connection, draft)
        find_types(connection, draft)
        tables[sheet] = table
    return {f"{path} {number}": sheet for number, sheet in enumerate(tables)}, gaps_told(path, tables)


def _from_database(connection: DuckDBPyConnection, path: Path, drafts: Path) -> tuple[dict[str, str], list[str]]:
    """Makes a table of every table and view of a SQLite file. Gives them by draft names; of those that cannot be read,
    why."""
    import duckdb

    from tieout.data.datasets.reading.database import Database

    found: dict[str, str] = {}
    notes: list[str] = []
    with Database(connection, path, drafts) as base:
        for number, inner in enumerate(base.tables):
            draft = f"{path} {number}"
            try:
                base.read(inner, draft)
                find_types(connection, draft)
                found[draft] = inner
            except (duckdb.Error, ValueError) as error:
                connection.execute(f"DROP TABLE IF EXISTS {quoted(draft)}")
                notes.append(f"{inner!r} of {path.name!r} is left out: {_line(error)}")
    return found, notes


def _line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__)
