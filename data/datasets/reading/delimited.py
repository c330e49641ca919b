"""Separated values into a table of DuckDB, in the process of the engine. No value may become another one: the engine
finds the types of columns by the first rows, and would round a 0.5 further down to a whole number.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.data.datasets.naming import quoted, text_literal
from tieout.data.datasets.reading.column_types import GAPS, narrow

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# What the engine finds in text. No booleans, of which it takes letters (t, f) and `yes` for some: `find_types` does.
FOUND = ("NULL", "TIME", "DATE", "TIMESTAMP", "TIMESTAMPTZ", "BIGINT", "DOUBLE", "VARCHAR")
SEEN_WHOLE = 40_000  # bytes: a file of fewer has no row that the engine does not look at (it looks at 20,480)
SAMPLE = ", sample_size=2048"  # for all others: what comes later is held against what was found, so few are enough


def read_csv(connection: DuckDBPyConnection, table: str, path: str, header: str, hints: str) -> None:
    """Makes a table of a file. header, hints: options of DuckDB's read_csv; where it cannot be read with the hints, it
    is read without them. Raises duckdb.Error."""
    import duckdb

    is_seen_whole = Path(path).stat().st_size < SEEN_WHOLE
    ways = (
        hints if is_seen_whole else hints + SAMPLE,
        ", sample_size=-1",
        ", sample_size=-1, encoding='latin-1'",
        ", all_varchar=true, null_padding=true, strict_mode=false",
    )
    for number, way in enumerate(ways):
        file = _File(connection, table, path, header + way, is_seen_whole or "sample_size=-1" in way)
        try:
            file.read()
            return
        except duckdb.ConversionException:
            if number == 0 and file.read_late_text():
                return
        except duckdb.Error:  # the last one's is told
            if number == len(ways) - 1:
                raise


class _File:
    """One file, with one set of options. is_seen_whole: types are found by all of its rows."""

    def __init__(
        self, connection: DuckDBPyConnection, table: str, path: str, options: str, is_seen_whole: bool
    ) -> None:
        self._connection, self._table, self._path, self._options = connection, table, path, options
        self._is_seen_whole = is_seen_whole

    def read(self, types: Mapping[str, str] | None = None) -> None:
        """Makes the table. types: of columns, the others are found. Columns that look whole are read as floats, and
        become whole where all of their values are."""
        types = types or {}
        if self._is_seen_whole:
            self._make(types)
            return
        wholes = dict.fromkeys(self._whole_columns(f"({self._from(types)})"), "DOUBLE")
        self._make({**wholes, **types})
        while missed := self._whole_columns(quoted(self._table)):  # those that begin with gaps
            wholes |= dict.fromkeys(missed, "DOUBLE")
            self._make({**wholes, **types})
        if large := narrow(self._connection, self._table, wholes.keys() - types.keys()):
            self.read({**types, **dict.fromkeys(large, "VARCHAR")})

    def read_late_text(self) -> bool:
        """Makes the table with those columns as text in which a value far down is not of the type that the first rows
        have. False where something else is wrong with a row."""
        self._make({}, ", store_rejects=true, rejects_limit=10000")
        found = self._connection.execute(
            "SELECT DISTINCT column_name, error_type::VARCHAR FROM reject_errors"
        ).fetchall()
        for each in ("reject_errors", "reject_scans"):
            self._connection.execute(f"DROP TABLE {each}")
        if not found or any(what != "CAST" for _, what in found):
            return False
        self.read({name: "VARCHAR" for name, _ in sorted(found)})
        return True

    def _from(self, types: Mapping[str, str], more: str = "") -> str:
        gaps = "[" + ", ".join(map(text_literal, GAPS)) + "]"
        given = ", ".join(f"{text_literal(name)}: {text_literal(kind)}" for name, kind in types.items())
        typed = f", types={{{given}}}" if given else ""
        found = "[" + ", ".join(map(text_literal, FOUND)) + "]"
        common = f"nullstr={gaps}, allow_quoted_nulls=false, dateformat='%Y-%m-%d', auto_type_candidates={found}"
        options = f"{common}{self._options}{typed}{more}"
        return f"FROM read_csv({text_literal(self._path)}, {options})"

    def _make(self, types: Mapping[str, str], more: str = "") -> None:
        self._connection.execute(f"CREATE OR REPLACE TABLE {quoted(self._table)} AS {self._from(types, more)}")

    def _whole_columns(self, source: str) -> list[str]:
        found = self._connection.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        return [name for name, kind, *_ in found if kind == "BIGINT"]
