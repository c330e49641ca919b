"""How a data file becomes a table of DuckDB: dates are dates, gaps are NULL. Runs in the process of the engine."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tieout.agent.tables.files import DataFileError, free_name

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

GAPS = ("", ".", "..", "...", "-", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "None")
READ = "read_csv(?, nullstr={gaps}, allow_quoted_nulls=false, dateformat='%Y-%m-%d'{more})"
PEEK = 8  # lines of a file that are looked at to find its header
DATES = ("%Y-%m-%d", "%Y/%m/%d", "%m/%d/%Y", "%d/%m/%Y", "%d.%m.%Y", "%Y-%m", "%YM%m", "%b-%y", "%b-%Y", "%b %Y",
         "%B %Y", "%d-%b-%Y", "%b %d, %Y", "%d %B %Y")  # fmt: skip
QUARTERS = (r"^(?P<year>\d{4})[-: ]?Q(?P<quarter>[1-4])$", r"^Q(?P<quarter>[1-4])[-: /]?(?P<year>\d{4})$")
THOUSANDS = r"^-?\$?\d{1,3}(,\d{3})*(\.\d+)?$"


def quoted(name: str) -> str:
    """A name as an identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'


def text_literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def load(connection: DuckDBPyConnection, table: str, path: Path, kind: str, drafts: Path) -> list[str]:
    """Makes the tables of a file, and gives their names. drafts: a folder for files in between.

    Raises DataFileError for a file that is not what its name says, or holds no table.
    """
    import duckdb

    try:
        match kind:
            case "csv":
                _from_csv(connection, table, path)
                names = [table]
            case "parquet":
                source = f"read_parquet({text_literal(_plain_path(path))})"
                connection.execute(f"CREATE VIEW {quoted(table)} AS FROM {source}")
                return [table]
            case "xlsx":
                names = _from_rows(connection, table, _sheets(path), drafts)
            case _:
                names = _from_rows(connection, table, _sqlite_tables(path), drafts)
        for name in names:
            _find_types(connection, name)
    except DataFileError:
        raise
    except (duckdb.Error, ValueError, OSError, sqlite3.Error) as error:
        raise DataFileError(f"{str(path)!r} cannot be read as {kind}: {str(error).splitlines()[0]}") from error
    if not names:
        raise DataFileError(f"{str(path)!r} holds no table")
    return names


def _plain_path(path: Path) -> str:
    """A path as the engine takes it. Raises DataFileError where it would be taken for a pattern."""
    if any(char in "*?[" for char in str(path)):
        raise DataFileError(f"{str(path)!r} has one of the characters * ? [ in its path: rename it")
    return str(path)


def _from_csv(connection: DuckDBPyConnection, table: str, path: Path) -> None:
    import duckdb

    gaps = "[" + ", ".join(map(text_literal, GAPS)) + "]"
    more = _header(path)
    attempts = (
        "",
        ", sample_size=-1",
        ", sample_size=-1, encoding='latin-1'",
        ", all_varchar=true, null_padding=true, strict_mode=false",
    )
    for number, attempt in enumerate(attempts):
        read = READ.format(gaps=gaps, more=more + attempt)
        try:
            connection.execute(f"CREATE TABLE {quoted(table)} AS FROM {read}", [_plain_path(path)])
            return
        except duckdb.Error:  # the last attempt's is told
            if number == len(attempts) - 1:
                raise


def _header(path: Path) -> str:
    """What to tell the reader where behind the header stands a row that is no data, such as `Transform:,5,5` of
    FRED-MD: a first cell that is neither date nor number while those below it are. "" for a file like any other."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        lines = [line for _, line in zip(range(PEEK), file, strict=False)]
    delimiter = max(",;\t|", key=lambda char: lines[0].count(char) if lines else 0)
    rows = [row for row in csv.reader(lines, delimiter=delimiter) if row]
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


# Workbooks and SQLite files: their rows become a CSV file in between, so that types are found as in any other.


def _sheets(path: Path) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    from python_calamine import CalamineError, load_workbook

    try:
        book = load_workbook(str(path))
        for name in book.sheet_names:
            rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
            filled = [row for row in rows if any(cell != "" for cell in row)]
            if len(filled) > 1:
                yield name, _below_title(filled)
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
                rows = base.execute(f"SELECT * FROM {quoted(name)}")
                yield name, _with_header(rows)


def _with_header(rows: sqlite3.Cursor) -> Iterator[Sequence[object]]:
    yield [column[0] for column in rows.description]
    yield from rows


def _from_rows(
    connection: DuckDBPyConnection,
    stem: str,
    tables: Iterable[tuple[str, Iterable[Sequence[object]]]],
    drafts: Path,
) -> list[str]:
    found = list(_drafted(tables, stem, drafts))
    names: list[str] = []
    for name, draft in found:
        table = stem if len(found) == 1 else free_name(f"{stem}_{name}", set(names))
        _from_csv(connection, table, draft)
        names.append(table)
        draft.unlink()
    return names


def _drafted(
    tables: Iterable[tuple[str, Iterable[Sequence[object]]]], stem: str, drafts: Path
) -> Iterator[tuple[str, Path]]:
    for number, (name, rows) in enumerate(tables):
        draft = drafts / f"{stem}-{number}.csv"
        with draft.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file)
            writer.writerows([_cell(value) for value in row] for row in rows)
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
        case bytes():
            return value.hex()
    return str(value)


# Types that the reader does not find: dates as people write them, amounts with thousands separated, a year beside a
# quarter.


def _find_types(connection: DuckDBPyConnection, table: str) -> None:
    columns = {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {quoted(table)}").fetchall()}
    empty = " AND ".join(f"{quoted(name)} IS NULL" for name in columns)
    connection.execute(f"DELETE FROM {quoted(table)} WHERE {empty}")  # lines of delimiters alone are no rows
    for name, kind in columns.items():
        if kind == "VARCHAR" and (reading := _reading(connection, table, name)):
            kind, expression = reading
            column = quoted(name)
            connection.execute(f"ALTER TABLE {quoted(table)} ALTER {column} TYPE {kind} USING {expression}")
            columns[name] = kind
    _add_date(connection, table, columns)


def _reading(connection: DuckDBPyConnection, table: str, name: str) -> tuple[str, str] | None:
    """The type of a column of text, and the expression that reads it, where every value of it can be read."""
    column = quoted(name)
    ways: list[tuple[str, str]] = [("DATE", f"try_strptime({column}, {text_literal(form)})::DATE") for form in DATES]
    ways += [("DATE", _quarter(column, pattern)) for pattern in QUARTERS]
    ways.append(
        (
            "DOUBLE",
            f"CASE WHEN regexp_full_match({column}, '{THOUSANDS}') THEN try_cast(regexp_replace({column}, "
            "'[$,]', '', 'g') AS DOUBLE) END",
        )
    )
    some = f"(SELECT {column} FROM {quoted(table)} WHERE {column} IS NOT NULL LIMIT 50)"
    likely = [way for way in ways if _fits(connection, way[1], column, some)]
    fitting = [way for way in likely if _fits(connection, way[1], column, quoted(table))]
    if len(fitting) < 2:
        return fitting[0] if fitting else None
    regular = [way for way in fitting if _same_day(connection, way[1], table)]  # month first, or day first?
    return regular[0] if len(regular) == 1 else None


def _quarter(column: str, pattern: str) -> str:
    plain = re.sub(r"\?P<\w+>", "", pattern)
    year, quarter = (1, 2) if pattern.index("year") < pattern.index("quarter") else (2, 1)
    parts = [f"try_cast(regexp_extract({column}, '{plain}', {group}) AS INTEGER)" for group in (year, quarter)]
    return f"make_date({parts[0]}, {parts[1]} * 3 - 2, 1)"


def _fits(connection: DuckDBPyConnection, expression: str, column: str, source: str) -> bool:
    found = connection.execute(f"SELECT count({column}), count({expression}) FROM {source}").fetchone()
    return found is not None and found[0] == found[1] > 0


def _same_day(connection: DuckDBPyConnection, expression: str, table: str) -> bool:
    found = connection.execute(f"SELECT count(DISTINCT day({expression})) FROM {quoted(table)}").fetchone()
    return found is not None and found[0] == 1


def _add_date(connection: DuckDBPyConnection, table: str, columns: dict[str, str]) -> None:
    """Adds a column `date` where a table has none but says year and quarter or month in whole numbers."""
    if any(kind in ("DATE", "TIMESTAMP") for kind in columns.values()) or "date" in {name.lower() for name in columns}:
        return
    by_name = {name.lower(): name for name in columns}
    for part, most, months in (("quarter", 4, 3), ("month", 12, 1)):
        if part in by_name and "year" in by_name:
            year, number = quoted(by_name["year"]), quoted(by_name[part])
            fits = f"bool_and({number} BETWEEN 1 AND {most} AND {number} % 1 = 0 AND {year} BETWEEN 1000 AND 9999)"
            if connection.execute(f"SELECT {fits} FROM {quoted(table)}").fetchone() == (True,):
                day = f"make_date({year}::INTEGER, ({number}::INTEGER - 1) * {months} + 1, 1)"
                connection.execute(
                    f"CREATE OR REPLACE TABLE {quoted(table)} AS SELECT {day} AS date, * FROM {quoted(table)}"
                )
            return
