"""Folders beside a store for copies of it (hard links), which are gone afterwards: those of a process that was killed
with the next copy that is made."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from pathlib import Path

SNAPSHOT = ".snapshot-"  # begins the name of the folder of one; the id of the process that made it follows


def make_folder(directory: Path) -> Path:
    """A new folder beside a store, on the same disk, after those of processes that are gone were removed. Raises
    OSError."""
    return own_folder(directory.resolve().parent, SNAPSHOT)


def own_folder(parent: Path, begins: str) -> Path:
    """A new folder whose name says which process made it, after those of processes that are gone were removed. Raises
    OSError."""
    remove_stale(parent, begins)
    return Path(tempfile.mkdtemp(prefix=f"{begins}{os.getpid()}-", dir=parent))


def remove_stale(parent: Path, begins: str) -> None:
    """Removes our folders of this name whose process is gone: one that was killed could not do it."""
    for folder in parent.glob(f"{begins}*"):
        owner = folder.name.removeprefix(begins).partition("-")[0]
        if owner.isdecimal() and not _runs(int(owner)) and _is_ours(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_ours(folder: Path) -> bool:
    """Whether it is a folder, no link to one, and of whoever runs this, where the system tells."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and (not hasattr(os, "getuid") or found.st_uid == os.getuid())


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
