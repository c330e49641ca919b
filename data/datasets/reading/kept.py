"""Tables of large files, kept as Parquet by the hash of the file's bytes: what takes long to read is read once.

`FOLDER/<size>-<hash>/tables.json` lists what the tables are called within the file, and what is told of it;
`0.parquet` and so on hold them.
Runs in the process of the engine.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.data.datasets.naming import quoted, text_literal
from tieout.data.datasets.reading import loading
from tieout.data.datasets.reading.database import has_log
from tieout.data.datasets.reading.loading import Loaded

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LIST = "tables.json"
READERS = ("loading.py", "delimited.py", "workbook.py", "database.py", "header.py", "column_types.py")
LARGE = {"csv": 8_000_000, "xlsx": 500_000, "sqlite": 2_000_000}  # bytes from which a file of a kind is worth it
STALE = 3600.0  # seconds after which nobody writes any more
MOST = 8 * 1024**3  # bytes of the folder; the longest unused go


Stamp = tuple[int, int, int]


def stamp(path: Path, kind: str) -> Stamp | None:
    """What tells whether a file was changed, without reading it; None for one that is read quickly enough, and for one
    whose latest rows are in a log beside it."""
    try:
        found = path.stat()
        if kind == "sqlite" and has_log(path):
            return None
    except OSError:
        return None  # reading it will tell
    return (found.st_size, found.st_mtime_ns, found.st_ino) if found.st_size >= LARGE.get(kind, float("inf")) else None


def may_be_kept(folder: Path, stamped: Stamp) -> bool:
    """Whether something is kept of a file of this size: else its bytes need not be hashed before it is read."""
    return any(folder.glob(f"{stamped[0]}-*"))


def kept_path(folder: Path, path: Path, kind: str) -> Path:
    """Where the tables of a file are, or would be. The code that reads files is a part of the name: what an earlier
    version kept is not taken for ours. Raises OSError."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
        size = file.tell()
    digest.update(kind.encode())
    for name in READERS:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return folder / f"{size}-{digest.hexdigest()[:40]}"


def open_kept(connection: DuckDBPyConnection, place: Path, stem: str, taken: set[str]) -> Loaded | None:
    """Makes the tables that are kept there, as `loading.load` does; None where there are none, or not whole ones."""
    import duckdb

    try:
        listed = json.loads((place / LIST).read_text(encoding="utf-8"))
        inner, notes = listed["tables"], tuple(listed["notes"])
        names = loading.table_names(stem, inner, taken)
        for number, name in enumerate(names):
            loading.view_parquet(connection, name, place / f"{number}.parquet")
        os.utime(place)
    except (OSError, ValueError, TypeError, KeyError, duckdb.Error):
        return None
    return Loaded(dict(zip(names, inner, strict=True)), notes)


def keep(connection: DuckDBPyConnection, place: Path, loaded: Loaded) -> None:
    """Keeps the tables of a file, whole or not at all: what cannot be written is read again the next time."""
    import duckdb

    if place.exists():  # another process was faster
        return
    draft = place.with_name(f".{place.name}-{os.getpid()}")
    try:
        draft.mkdir(parents=True)
        for number, name in enumerate(loaded.names):
            target = text_literal(str(draft / f"{number}.parquet"))
            connection.execute(f"COPY {quoted(name)} TO {target} (FORMAT parquet)")
        (draft / LIST).write_text(
            json.dumps({"tables": list(loaded.names.values()), "notes": loaded.notes}), encoding="utf-8"
        )
        draft.rename(place)
        _make_room(place.parent)
    except (OSError, duckdb.Error):
        shutil.rmtree(draft, ignore_errors=True)


def _make_room(folder: Path) -> None:
    """Takes away what was used longest ago where there is too much, and what a process that was killed left behind."""
    places = sorted((place for place in folder.iterdir() if place.is_dir()), key=lambda place: -place.stat().st_mtime)
    room = MOST
    for number, place in enumerate(places):
        room -= sum(file.stat().st_size for file in place.iterdir())
        is_left = place.name.startswith(".") and time.time() - place.stat().st_mtime > STALE
        if is_left or (room < 0 and number):
            shutil.rmtree(place, ignore_errors=True)


def parquet_files(places: Sequence[Path]) -> list[Path]:
    """The files behind the tables that are kept in these places."""
    return [path for place in places for path in sorted(place.glob("*.parquet"))]
