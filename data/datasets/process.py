"""The process that holds the tables: DuckDB without files, network or settings once the data is loaded.

Runs as a script (`python -I process.py FOLDER`, FOLDER that of the package). One JSON object per line comes in on
standard input, one goes out. It may be killed at any time.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":  # -I takes no path from outside, and the package may not be installed
    sys.path.insert(0, sys.argv[1])

from tieout.data.datasets.describe import as_json, describe, kind_of
from tieout.data.datasets.guard import Guard, RefusedError, run_guarded
from tieout.data.datasets.naming import DataFileError, quoted, text_literal
from tieout.data.datasets.reading.kept import Stamp, keep, kept_path, may_be_kept, open_kept, parquet_files, stamp
from tieout.data.datasets.reading.loading import Loaded, load

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_CHARACTERS = 64 * 1024 * 1024  # of a reply
MOST_THREADS = 8  # while files are read; each takes memory
READING = 2  # times the memory that queries have: with less the engine reads a file in one thread
SQL_TYPES = {
    "integer": "HUGEINT",
    "float": "DOUBLE",
    "decimal": "DECIMAL(38, {scale})",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
    "text": "VARCHAR",
}
LOCKED = (
    "SET autoinstall_known_extensions = false",
    "SET autoload_known_extensions = false",
    "SET allow_community_extensions = false",
    "SET allow_persistent_secrets = false",
    "SET python_enable_replacements = false",
    "SET threads = 1",  # sums of floats come out the same each time
    "SET enable_external_access = false",
    "SET lock_configuration = true",
)


class Tables:
    """The tables at hand: those of files, and the frames that were put beside them."""

    def __init__(self, request: dict[str, Any]) -> None:
        import duckdb

        folder = Path(request["folder"])
        memory = request["memory"]
        threads = min(MOST_THREADS, os.cpu_count() or 1)
        self.connection: DuckDBPyConnection = duckdb.connect(
            config={"memory_limit": f"{READING * memory}B", "temp_directory": str(folder), "threads": threads}
        )
        self.connection.execute(f"SET max_temp_directory_size = '{request['disk']}B'")
        self.names: dict[str, str] = {}  # of each table: its file
        self.frames: set[str] = set()
        self._kept = None if request["kept"] is None else Path(request["kept"])
        self.to_keep: list[tuple[dict[str, str], Stamp, Loaded]] = []  # sources, with their tables
        self.notes: list[str] = []  # what is not in the tables
        self._read: list[Path] = []  # files that queries read
        for source in request["sources"]:
            others = {each["table"] for each in request["sources"]} - {source["table"]}
            loaded = self._load(source, others | self.names.keys(), folder)
            self.names |= dict.fromkeys(loaded.names, Path(source["path"]).name)
            self.notes += loaded.notes
        with suppress(duckdb.Error):  # more is held than goes to disk: queries have what is left
            self.connection.execute(f"SET memory_limit = '{memory}B'")
        self.guard = Guard(self.connection)

    def _load(self, source: dict[str, str], taken: set[str], folder: Path) -> Loaded:
        path, kind, table = Path(source["path"]), source["kind"], source["table"]
        if kind == "parquet":
            self._read.append(path)
        stamped = stamp(path, kind) if self._kept is not None else None
        if self._kept is not None and stamped is not None and may_be_kept(self._kept, stamped):
            place = kept_path(self._kept, path, kind)
            if (found := open_kept(self.connection, place, table, taken)) is not None:
                self._read += parquet_files([place])
                return found
        loaded = load(self.connection, table, path, kind, folder, taken)
        if stamped is not None:
            self.to_keep.append((source, stamped, loaded))
        return loaded

    def lock(self) -> None:
        """Keeps what is worth it, and from now on reaches nothing but the files behind the tables."""
        for source, stamped, loaded in self.to_keep:
            self._keep(Path(source["path"]), source["kind"], stamped, loaded)
        self.connection.execute(f"SET allowed_paths = [{', '.join(text_literal(str(path)) for path in self._read)}]")
        for setting in LOCKED:
            self.connection.execute(setting)

    def _keep(self, path: Path, kind: str, stamped: Stamp, loaded: Loaded) -> None:
        assert self._kept is not None
        with suppress(OSError):  # the file is gone: there is nothing to keep
            place = kept_path(self._kept, path, kind)
            if stamp(path, kind) == stamped:  # else it was changed after it was read
                keep(self.connection, place, loaded)

    def described(self, examples: int) -> list[dict[str, Any]]:
        """Every table of a file as JSON."""
        return [describe(self.connection, name, examples) | {"file": file} for name, file in self.names.items()]

    def put(self, request: dict[str, Any]) -> dict[str, Any]:
        """Makes a table of columns. request: name, columns (name, kind, scale of decimals), data by column."""
        name, columns = request["name"], request["columns"]
        types = ", ".join(f"{quoted(column)} {SQL_TYPES[kind].format(scale=scale)}" for column, kind, scale in columns)
        self.connection.execute(f"CREATE OR REPLACE TABLE {quoted(name)} ({types})")
        if columns and request["data"][0]:
            casts = ", ".join(
                f"unnest(?::{'VARCHAR' if kind in ('decimal', 'integer') else SQL_TYPES[kind]}[])"
                f"::{SQL_TYPES[kind].format(scale=scale)}"
                for _, kind, scale in columns
            )
            data = [
                [None if cell is None else str(cell) for cell in column] if kind in ("decimal", "integer") else column
                for column, (_, kind, _) in zip(request["data"], columns, strict=True)
            ]
            self.connection.execute(f"INSERT INTO {quoted(name)} SELECT {casts}", data)
        self.frames.add(name)
        return {"rows": len(request["data"][0]) if columns else 0}

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """What a line asks for: to put a frame, to keep only some, or the rows of a query."""
        if "keep" in request:
            for name in self.frames - set(request["keep"]):
                self.connection.execute(f"DROP TABLE {quoted(name)}")
                self.frames.remove(name)
            return {}
        return self.put(request) if "name" in request else self.select(request)

    def select(self, request: dict[str, Any]) -> dict[str, Any]:
        """Runs one SELECT. request: select, parameters, rows (the most there may be). Raises RefusedError."""
        tables = {*self.names, *self.frames}
        read = self.guard.check(request["select"], tables)
        wanted = {name: _parameter(value) for name, value in request["parameters"].items()}
        self.connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            found: dict[str, Any] = run_guarded(lambda: self._rows(request["select"], wanted, request["rows"]))
            return found | {"tables": read}
        finally:
            self.connection.execute("ROLLBACK")

    def _rows(self, select: str, parameters: dict[str, Any], most: int) -> dict[str, Any]:
        statement = self.connection.extract_statements(select)[0]
        used = {name: value for name, value in parameters.items() if name in statement.named_parameters}
        found = self.connection.execute(statement, used)
        columns = [(column[0], kind_of(str(column[1]))) for column in found.description or ()]
        data: list[list[Any]] = [[] for _ in columns]
        size = 0
        while rows := found.fetchmany(10_000):
            for row in rows:
                for place, ((_, kind), value) in enumerate(zip(columns, row, strict=True)):
                    cell = as_json(value, kind)
                    size += len(cell) if isinstance(cell, str) else 8
                    data[place].append(cell)
            if len(data[0]) > most or size > MOST_CHARACTERS:
                raise RefusedError(f"the result has more than {most} rows, or is too big: aggregate, or filter it")
        return {"columns": columns, "data": data}


def _parameter(value: object) -> object:
    """A variable of a recipe: text of the form 2020-12-31 that is marked as a date is one."""
    if isinstance(value, dict):
        return date.fromisoformat(value["date"])
    return value


def main() -> None:
    """Loads, then forbids itself the network and more memory, then answers line by line."""
    from tieout.data.system.confined import forbid_sockets, limit_memory

    sys.path.pop(0)  # a module of someone's own must not come in by a name that a library looks for later
    tables: Tables | None = None
    for line in sys.stdin.buffer:
        request = json.loads(line)
        reply: dict[str, Any]
        try:
            if tables is None:
                tables = Tables(request)
                described = tables.described(request["examples"])
                reply = {"tables": described, "notes": tables.notes, "keeping": bool(tables.to_keep)}
                limit_memory(request["space"])
                reply["sockets_forbidden"] = forbid_sockets()
                _say(reply)
                tables.lock()  # whoever waits for the tables does not wait for this
                continue
            reply = tables.answer(request)
        except (RefusedError, DataFileError) as error:
            reply = {"error": str(error)}
        except MemoryError:
            reply = {"error": "the query needs more memory than it may have"}
        _say(reply)


def _say(reply: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(reply).encode(errors="surrogatepass") + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
