"""Files: one of words and settings, read within bounds; what is wrong with one that cannot be read; one that is put in
place whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

# Windows changes the ends of lines in what is written through a descriptor, unless it is told not to.
BINARY: int = getattr(os, "O_BINARY", 0)
MOST_SMALL = 4 << 20  # bytes of a file that people write by hand


class WriteError(OSError):
    """A file that cannot be written. The message is a line that names it."""


def unreadable(path: str | Path, error: OSError) -> str:
    """Why a file cannot be read, in one line that names it and the way out."""
    match error:
        case FileNotFoundError():
            return f"no such file: {str(path)!r}; check the path"
        case IsADirectoryError():
            return f"a directory, not a file: {str(path)!r}; name the file in it"
    return f"{str(path)!r} cannot be read: {error.strerror}"


def read_bounded(path: Path, most: int) -> bytes:
    """The bytes of a file that somebody may have sent. Raises OSError, and ValueError, which says why, for what is a
    FIFO, to which nobody may ever write, or has more than so many bytes."""
    if stat.S_ISFIFO(path.stat().st_mode):
        raise ValueError("it is a FIFO, and no file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"it has more than {most >> 20} MB")
    return content


def read_small(path: Path, most: int = MOST_SMALL) -> str:
    """The text of such a file. Raises OSError, and ValueError, which says why, also for what is no UTF-8."""
    return read_bounded(path, most).decode()


def read_toml(path: Path, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The tables of a TOML file. Raises OSError, and ValueError, which says why it is none that can be read."""
    try:
        return tomllib.loads(read_small(path), parse_float=parse_float)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def check_folder(target: Path) -> None:
    """Raises WriteError where the folder that a file is to be written to is not there: a name was mistyped, and nobody
    would look for it in a folder that was made for it."""
    if target.parent.is_dir():
        return
    there = next((each for each in target.parents if each.exists()), None)
    if there is not None and not there.is_dir():
        raise WriteError(_through_a_file(target))
    raise WriteError(f"{str(target)!r} cannot be written: there is no folder {str(target.parent)!r}")


def _through_a_file(target: Path) -> str:
    return f"{str(target)!r} cannot be written: a part of {str(target.parent)!r} is a file"


def write_whole(target: Path, content: str | bytes) -> None:
    """Puts a file in place, with its folders, or leaves what was there. Raises WriteError, e.g. on a full disk.

    A file that is there keeps its mode. What is no regular file (a device, a FIFO, a link) stays what it is and is
    written into: nothing can be put in its place without taking it away.
    """
    data = content if isinstance(content, bytes) else content.encode()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        there = _status(target)
        if there is None or stat.S_ISREG(there.st_mode):
            _replace(target, data, None if there is None else stat.S_IMODE(there.st_mode))
        else:
            with target.open("wb") as file:
                file.write(data)
    except OSError as error:
        if isinstance(error, FileExistsError | NotADirectoryError):
            raise WriteError(_through_a_file(target)) from error
        raise WriteError(f"{str(target)!r} cannot be written: {error.strerror}") from error


def _status(target: Path) -> os.stat_result | None:
    """What stands at a path itself, links not followed; None for nothing."""
    try:
        return target.lstat()
    except FileNotFoundError:
        return None


def _replace(target: Path, data: bytes, mode: int | None) -> None:
    """Writes beside a file and renames: under a name that nobody can foresee, made by us or not at all (O_EXCL).

    mode: of the file that is there; None where there is none, so that a new one gets what the umask leaves.
    """
    draft = target.with_name(f".{secrets.token_hex(16)}.new")
    alone = os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY | getattr(os, "O_CLOEXEC", 0)
    handle = os.open(draft, alone, 0o666 if mode is None else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            if mode is not None:
                draft.chmod(mode)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
