"""Files of the memory: changed under a lock, put in place whole, so that no kill and no second process loses one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tieout.data.system.locks import hold

FOLDER = Path(".tieout/memory")
LOCK = ".lock"


class KeepError(ValueError):
    """A term or recipe that cannot be read, kept, found or run. The message names it."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Nobody else changes the memory in folder meanwhile; who comes second waits. Raises KeepError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / LOCK).open("a") as file:
            hold(file.fileno())
            yield
    except OSError as error:
        raise KeepError(f"the memory in {str(folder)!r} cannot be changed: {error.strerror or error}") from error
