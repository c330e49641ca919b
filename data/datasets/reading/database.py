"""The tables and views of a SQLite file into DuckDB, as Arrow, without a Python object per cell.

A column of SQLite may hold any kind of value in any row, whatever it is declared as; a column of DuckDB holds one. So a
kind is guessed for each by the first rows, the rows are read, and what the driver lets through is looked for; where the
guess was wrong all rows are asked for their kinds (`typeof`) and read again. Numbers beside text become text.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tieout.data.datasets.naming import quoted, text_literal
from tieout.data.datasets.reading.column_types import EXACT

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Kind = Literal["integer", "real", "text"]

FIRST = 1000  # rows by which kinds are guessed
BATCH, BATCH_CELLS = 65_536, 1_000_000  # rows, and cells, that are read at a time
MOST_ASKED = 900  # columns; SQLite takes 2000 aggregates in a query
LARGE = 100_000  # rows of which two threads read a half each
ROW = "_rowid_"
WAIT = 5000  # milliseconds for somebody who writes
WAL = b"\x02\x02"  # bytes 18 and 19 of a file with a write-ahead log (sqlite.org/fileformat.html)
STREAM = "rows of a file"
TYPES: dict[Kind, str] = {"integer": "BIGINT", "real": "DOUBLE", "text": "VARCHAR"}
FORMS: dict[Kind, str] = {"integer": "0", "real": "0.5", "text": "''"}  # the driver finds its types by a first row


@dataclass(frozen=True)
class _Column:
    """A column. affinity: the kind that SQLite prefers for its values; None where it has none.
    is_mixed: a column of text that holds others too."""

    name: str
    affinity: Kind | None
    kind: Kind = "text"
    is_mixed: bool = False

    @property
    def sql(self) -> str:
        return quoted(self.name)

    @property
    def read(self) -> str:
        """The expression that reads it, all values of one kind."""
        if self.is_mixed:
            return f"CASE typeof({self.sql}) WHEN 'blob' THEN hex({self.sql}) ELSE CAST({self.sql} AS TEXT) END"
        return self.sql


Check = Callable[["DuckDBPyConnection", "_Rows", str, str, Sequence[_Column]], bool]


class DatabaseError(ValueError):
    """A SQLite file that cannot be read, or a table or view of it."""


class _Rows:
    """Asks a SQLite file, for a connection of DuckDB to take the rows."""

    def __init__(self, connection: DuckDBPyConnection, address: str, opened: ExitStack) -> None:
        from adbc_driver_manager import AdbcConnection, Error
        from adbc_driver_sqlite import connect

        self._connection = connection
        try:
            self._base = opened.enter_context(AdbcConnection(opened.enter_context(connect(address))))
        except Error as error:
            raise DatabaseError(str(error)) from error
        self.get(f"PRAGMA busy_timeout = {WAIT}")
        self._base.set_autocommit(False)  # one moment for all that is read

    def get(self, query: str) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        return self.put(query, FIRST, f"FROM {quoted(STREAM)}")

    def put(self, query: str, batch: int, sql: str) -> list[tuple[Any, ...]]:
        """Runs SQL of DuckDB over the rows of a query, a batch at a time, which it finds by the name STREAM."""
        import duckdb
        from adbc_driver_manager import AdbcStatement, Error

        failed = ""
        with AdbcStatement(self._base) as statement:
            try:
                statement.set_options(**{"adbc.sqlite.query.batch_rows": str(batch)})
                statement.set_sql_query(query)
                stream, _ = statement.execute_query()
                self._connection.register(STREAM, stream)
                found: list[tuple[Any, ...]] = self._connection.execute(sql).fetchall()
            except (Error, duckdb.Error) as error:  # which holds the rows as long as it is there
                failed = str(error) or type(error).__name__
            self._connection.unregister(STREAM)
        if failed:
            raise DatabaseError(failed)
        return found


class Database:
    """A SQLite file that is open to be read, as it was at one moment. The file and its folder stay as they are.

    drafts: a folder for a copy, of a file whose log somebody has left behind. Raises DatabaseError, OSError.
    """

    def __init__(self, connection: DuckDBPyConnection, path: Path, drafts: Path) -> None:
        self._connection = connection
        self._opened = ExitStack()
        try:
            self._address, self._can_change = _address(path, drafts, self._opened)
            self._rows = _Rows(connection, self._address, self._opened)
            found = self._rows.get("SELECT name, type FROM sqlite_schema WHERE type IN ('table', 'view') ORDER BY name")
            shadows = {name for (name,) in self._rows.get("SELECT name FROM pragma_table_list WHERE type = 'shadow'")}
        except BaseException:
            self._opened.close()
            raise
        self._views = {name for name, kind in found if kind == "view"}
        self.tables = [name for name, _ in found if not name.startswith("sqlite_") and name not in shadows]

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def read(self, inner: str, table: str) -> None:
        """Makes a table of DuckDB of a table or view of the file. Raises DatabaseError."""
        columns = self._columns(inner)
        guessed = self._with_kinds(inner, columns, f"(SELECT * FROM {self._from(inner)} LIMIT {FIRST}) WHERE true")
        if not any(column.is_mixed for column in guessed):
            try:
                if self._load(inner, table, guessed, _holds):
                    return
            except DatabaseError:
                pass  # a value of another kind, or an error that comes again
        self._load(inner, table, self._with_kinds(inner, columns, self._from(inner)))

    def _columns(self, inner: str) -> list[_Column]:
        about = f"SELECT name, type FROM pragma_table_xinfo({text_literal(inner)}) WHERE hidden <> 1 ORDER BY cid"
        return [
            _Column(name, None if inner in self._views else _affinity(declared))
            for name, declared in self._rows.get(about)
        ]

    def _from(self, inner: str) -> str:
        """All rows, in their order; a condition may follow."""
        return f"{quoted(inner)}{'' if inner in self._views else ' NOT INDEXED'} WHERE true"

    def _with_kinds(self, inner: str, columns: Sequence[_Column], source: str) -> list[_Column]:
        """The columns with the kinds that fit these rows. Of the names of kinds the first and the last by alphabet do:
        blob, integer, real, text."""
        kinds = [f"nullif(typeof({column.sql}), 'null')" for column in columns]
        row: list[str | None] = []
        for start in range(0, len(kinds), MOST_ASKED):
            ends = ", ".join(f"min({kind}) || ' ' || max({kind})" for kind in kinds[start : start + MOST_ASKED])
            row += self._rows.get(f"SELECT {ends} FROM {source}")[0]
        found: list[_Column] = []
        for column, told in zip(columns, row, strict=True):
            low, high = (told or " ").split(" ")
            if not low:
                found.append(_Column(column.name, column.affinity, column.affinity or "text"))
            elif high == "text" or low == "blob":
                found.append(_Column(column.name, column.affinity, "text", not low == high == "text"))
            elif high == "real" and low == "integer" and _has_large(self._rows, column, source):
                found.append(_Column(column.name, column.affinity, "text", True))
            else:
                found.append(_Column(column.name, column.affinity, "real" if high == "real" else "integer"))
        return found

    def _load(self, inner: str, table: str, columns: Sequence[_Column], check: Check | None = None) -> bool:
        """Makes the table, of the halves of a large one at the same time. Whether they are as `check` wants them."""
        sources = self._halves(inner, columns)
        drafts = [table, f"{table} second half"][: len(sources)]

        def load(source: str, draft: str) -> bool:
            with self._connection.cursor() as connection, ExitStack() as opened:
                rows = _Rows(connection, self._address, opened) if len(sources) > 1 else self._rows
                _load(rows, source, draft, columns)
                return check is None or check(connection, rows, source, draft, columns)

        with ThreadPoolExecutor(len(sources)) as pool:
            are_good = all(list(pool.map(load, sources, drafts)))
        for draft in drafts[1:]:
            if are_good:
                self._connection.execute(f"INSERT INTO {quoted(table)} FROM {quoted(draft)}")
            self._connection.execute(f"DROP TABLE IF EXISTS {quoted(draft)}")
        return are_good

    def _halves(self, inner: str, columns: Sequence[_Column]) -> list[str]:
        """A large table as two halves of its rows, where they have numbers and nobody can write between one half and
        the other: who reads holds a lock against it, which a write-ahead log does not need."""
        whole = self._from(inner)
        if self._can_change or inner in self._views or any(column.name.lower() == ROW for column in columns):
            return [whole]
        try:
            ends = (f"(SELECT {end}({ROW}) FROM {whole})" for end in ("min", "max"))  # each alone is found at once
            ((first, last),) = self._rows.get(f"SELECT {', '.join(ends)}")
        except DatabaseError:
            return [whole]  # WITHOUT ROWID
        if first is None or last - first < LARGE:
            return [whole]
        middle = (first + last) // 2
        return [f"{whole} AND {ROW} <= {middle}", f"{whole} AND {ROW} > {middle}"]


def _load(rows: _Rows, source: str, table: str, columns: Sequence[_Column]) -> None:
    form = ", ".join(f"{FORMS[column.kind]} AS {column.sql}" for column in columns)
    query = f"SELECT {form} UNION ALL SELECT {', '.join(column.read for column in columns)} FROM {source}"
    batch = min(BATCH, max(1, BATCH_CELLS // len(columns)))
    rows.put(query, batch, f"CREATE OR REPLACE TABLE {quoted(table)} AS FROM {quoted(STREAM)} OFFSET 1")


def _holds(connection: DuckDBPyConnection, rows: _Rows, source: str, table: str, columns: Sequence[_Column]) -> bool:
    """Whether no value was taken for one of another kind: the driver refuses most, but none where it wants text, no
    whole number where it wants a float, and in its first rows none at all."""
    kinds = [kind for _, kind, *_ in connection.execute(f"DESCRIBE {quoted(table)}").fetchall()]
    if kinds != [TYPES[column.kind] for column in columns]:
        return False
    floats = [column for column in columns if column.kind == "real" and column.affinity != "real"]
    for column in floats:
        query = f"SELECT max(abs({column.sql})) FROM {quoted(table)}"
        ((highest,),) = connection.execute(query).fetchall()
        if highest is not None and highest >= EXACT and _has_large(rows, column, source):
            return False
    texts = [column for column in columns if column.kind == "text"]
    others = [f"{column.sql} COLLATE BINARY >= x''" for column in texts]  # numbers < text < blobs
    others += [f"{column.sql} COLLATE BINARY < ''" for column in texts if column.affinity != "text"]
    parts = (others[start : start + MOST_ASKED] for start in range(0, len(others), MOST_ASKED))
    return not any(rows.get(f"SELECT 1 FROM {source} AND ({' OR '.join(part)}) LIMIT 1") for part in parts)


def _has_large(rows: _Rows, column: _Column, source: str) -> bool:
    """Whether there is a whole number that a float may not hold."""
    large = f"typeof({column.sql}) = 'integer' AND {column.sql} NOT BETWEEN -{EXACT} AND {EXACT}"
    return bool(rows.get(f"SELECT 1 FROM {source} AND {large} LIMIT 1"))


def _affinity(declared: str) -> Kind | None:
    """The kind that SQLite prefers in a column by its declaration (sqlite.org/datatype3.html, 3.1)."""
    upper = declared.upper()
    if "INT" in upper:
        return "integer"
    if any(word in upper for word in ("CHAR", "CLOB", "TEXT")):
        return "text"
    is_real = "BLOB" not in upper and any(word in upper for word in ("REAL", "FLOA", "DOUB"))
    return "real" if is_real else None


def has_log(path: Path) -> bool:
    """Whether rows of a SQLite file are in a write-ahead log beside it."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _address(path: Path, drafts: Path, opened: ExitStack) -> tuple[str, bool]:
    """A file as SQLite is told to open it, and whether it can be written while it is read. Of one with a write-ahead
    log it would write others beside it, even to read: without a log there is nothing but the file to read, and a log
    that nobody has open is read in a copy."""
    with path.open("rb") as file:
        writes_log = file.read(20)[18:] == WAL
    if not writes_log or path.with_name(f"{path.name}-shm").exists():
        return f"{path.as_uri()}?mode=ro", writes_log
    if not has_log(path):
        return f"{path.as_uri()}?mode=ro&immutable=1", False
    place = Path(opened.enter_context(tempfile.TemporaryDirectory(dir=drafts)))
    for name in (path.name, f"{path.name}-wal"):
        shutil.copyfile(path.with_name(name), place / name)
    return f"{(place / path.name).as_uri()}?mode=ro", False
