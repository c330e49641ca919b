"""The file of an index in SQLite: what is wrong with it is one line, and one that may not be written can be read."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

WAIT = 30  # seconds for another process that writes
AT_ONCE = 256  # rows
Given = TypeVar("Given")
Made = TypeVar("Made")


class WordIndexError(OSError):
    """An index that cannot be read or written."""


def connect(path: Path | None) -> tuple[sqlite3.Connection, bool]:
    """A connection to the file, which is made where there is none, and whether it may write; in memory for None.

    Raises WordIndexError, as all does that is done with it; OSError where its folder cannot be made.
    """
    if path is not None and path.exists() and not os.access(path.parent, os.W_OK):
        return _reading(path), False
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    # Python's SQLite is built to be used from several threads; only one of them may keep reports at a time.
    made = _open(path or ":memory:")
    made.execute("PRAGMA journal_mode = WAL")
    made.execute("PRAGMA synchronous = NORMAL")
    return made, True


def _reading(path: Path) -> sqlite3.Connection:
    """Of a file where SQLite cannot write beside it: as it is, or a copy where what was written last is in another."""
    beside = path.with_name(f"{path.name}-wal")
    if not beside.exists() or not beside.stat().st_size:
        return _open(f"{path.absolute().as_uri()}?immutable=1", uri=True)
    with tempfile.TemporaryDirectory(prefix="tieout-index-") as folder:
        for each in (path, beside):
            shutil.copyfile(each, Path(folder) / each.name)
        copy = _open(Path(folder) / path.name)
        made = _open(":memory:")
        copy.backup(made)
        copy.close()
    return made


def _open(place: Path | str, uri: bool = False) -> sqlite3.Connection:
    try:
        return sqlite3.connect(
            place, isolation_level=None, timeout=WAIT, check_same_thread=False, factory=_Connection, uri=uri
        )
    except sqlite3.Error as error:
        raise _told(error, str(place)) from error


class _Cursor(sqlite3.Cursor):
    """A cursor whose errors are WordIndexErrors."""

    def execute(self, statement: str, values: Any = (), /) -> _Cursor:  # noqa: ANN401 - as SQLite has it
        self._tell(super().execute, statement, values)
        return self

    def executemany(self, statement: str, values: Iterable[Any], /) -> _Cursor:
        self._tell(super().executemany, statement, values)
        return self

    def fetchone(self) -> Any:  # noqa: ANN401 - as SQLite has it
        return self._tell(super().fetchone)

    def fetchall(self) -> list[Any]:
        rows: list[Any] = self._tell(super().fetchall)
        return rows

    def __next__(self) -> Any:  # noqa: ANN401 - as SQLite has it
        return self._tell(super().__next__)

    def __iter__(self) -> Iterator[Any]:  # type: ignore[override]
        """Row by row, of which many are read at once."""
        while rows := self._tell(super().fetchmany, AT_ONCE):
            yield from rows

    def _tell(self, do: Callable[..., Any], *given: Any) -> Any:  # noqa: ANN401 - whatever it does
        try:
            return do(*given)
        except sqlite3.Error as error:
            raise _told(error, _file_of(self.connection)) from error


class _Connection(sqlite3.Connection):
    """A connection with such cursors."""

    def execute(self, statement: str, values: Any = (), /) -> _Cursor:  # noqa: ANN401 - as SQLite has it
        return _Cursor(self).execute(statement, values)

    def executemany(self, statement: str, values: Iterable[Any], /) -> _Cursor:
        return _Cursor(self).executemany(statement, values)


def _file_of(connection: sqlite3.Connection) -> str:
    """The file of a connection, as SQLite knows it: where that is damaged it may know none."""
    try:
        rows: Sequence[Any] = sqlite3.Cursor(connection).execute("PRAGMA database_list").fetchall()
    except sqlite3.Error:
        return ""
    return str(rows[0][2]) if rows else ""


def _told(error: sqlite3.Error, place: str) -> WordIndexError:
    """What is wrong, with the way out."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    of = f" at {place!r}" if place else ""
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return WordIndexError(f"the index{of} is in use by another process")
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR):
        way_out = "what it kept before, it keeps; make room, then do the same again"
        return WordIndexError(f"the index{of} cannot be written ({error}): {way_out}")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return WordIndexError(f"the index{of} cannot be used: {error}")
    return damaged(str(error), of)


def damaged(why: str, of: str = "") -> WordIndexError:
    """An index that does not hold what was written."""
    return WordIndexError(f"the index{of} is damaged ({why}): `tieout index --again` makes it again from its files")


def read_with(read: Callable[[Given], Made], value: Given) -> Made:
    """What was written, read back. Raises WordIndexError for what was never written so."""
    try:
        return read(value)
    except (ValueError, TypeError, LookupError, ArithmeticError, AttributeError, zlib.error) as error:
        raise damaged(f"it holds {type(error).__name__}") from error
