"""Files: what is wrong with one that cannot be read; one that is put in place whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path


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


def write_whole(target: Path, content: str | bytes) -> None:
    """Puts a file in place, with its folders, or leaves what was there. Raises WriteError, e.g. on a full disk."""
    draft = target.with_name(f"{target.name}.new")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            with draft.open("wb") as file:
                file.write(content if isinstance(content, bytes) else content.encode())
                file.flush()
                os.fsync(file.fileno())
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        is_file = isinstance(error, FileExistsError | NotADirectoryError)
        reason = f"a part of {str(target.parent)!r} is a file" if is_file else error.strerror
        raise WriteError(f"{str(target)!r} cannot be written: {reason}") from error
