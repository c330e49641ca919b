"""Checksums of the files of a store that are written once, kept among them: a disk that loses bits is found out.

RocksDB holds the blocks that it reads against checksums of its own; these are for all that is there, read or not.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pyoxigraph as ox

from tieout.data.files import write_whole
from tieout.kg.store.snapshots import make_folder

WRITTEN_ONCE = "*.sst"
SUMS = "SUMS"  # the file of a store that has them; the engine knows nothing of it


def update_sums(directory: Path, store: ox.Store) -> None:
    """Notes the files of a store that is open which are new, and forgets those that are gone. Raises OSError."""
    before = _read(directory)
    if before.keys() == {path.name for path in directory.glob(WRITTEN_ONCE)}:
        return
    folder = make_folder(directory)
    try:
        store.backup(str(folder / "store"))  # of files that are whole: the engine may be writing others
        now = {path.name: before.get(path.name) or _sum(path) for path in sorted(folder.glob(f"store/{WRITTEN_ONCE}"))}
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if now != before:
        write_whole(directory / SUMS, json.dumps(now, indent=0) + "\n")


def damaged_files(store: Path) -> list[str]:
    """The files of a store whose bytes are others than those that were written, by name. Raises OSError.

    One that is not noted was written by a process that was ended then: RocksDB alone knows whether it is right.
    """
    noted = _read(store)
    there = [path for path in sorted(store.glob(WRITTEN_ONCE)) if path.name in noted]
    return [path.name for path in there if _sum(path) != noted[path.name]]


def _read(store: Path) -> dict[str, str]:
    try:
        noted = json.loads((store / SUMS).read_bytes())
    except (FileNotFoundError, ValueError):
        return {}  # of before there were any, or damaged itself: what is there counts
    return noted if isinstance(noted, dict) else {}


def _sum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
