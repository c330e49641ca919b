"""Folders beside a store for copies of it (hard links), which are gone afterwards: those of a process that was killed
with the next copy that is made."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

SNAPSHOT = ".snapshot-"  # begins the name of the folder of one; the id of the process that made it follows


def make_folder(directory: Path) -> Path:
    """A new folder beside a store, on the same disk, after those of processes that are gone were removed. Raises
    OSError."""
    remove_stale(directory)
    return Path(tempfile.mkdtemp(prefix=f"{SNAPSHOT}{os.getpid()}-", dir=directory.resolve().parent))


def remove_stale(directory: Path) -> None:
    """Removes the snapshots beside a store whose process is gone: one that was killed could not do it."""
    for folder in directory.resolve().parent.glob(f"{SNAPSHOT}*"):
        owner = folder.name.removeprefix(SNAPSHOT).partition("-")[0]
        if owner.isdecimal() and not _runs(int(owner)) and not folder.is_symlink():
            shutil.rmtree(folder, ignore_errors=True)


def _runs(process: int) -> bool:
    if os.name == "nt":  # where os.kill ends it, whatever the signal
        import psutil

        return bool(psutil.pid_exists(process))
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True
