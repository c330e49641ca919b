"""Which files are meant: files, folders with what is in them, and patterns such as `reports/*.htm`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from tieout.data.printed.pattern import later
from tieout.data.readers.kinds import kinds
from tieout.data.readers.records import DataError

_HIDDEN = (".", "~$")  # the latter are locks of office programs
_ENVIRONMENT = "pyvenv.cfg"  # lies in every environment of Python, whose thousand files are no reports
_MAGIC = later(r"[*?\[]")


def find_files(paths: Iterable[str | Path], *, must: bool = True) -> Iterator[tuple[Path, bool]]:
    """Yields the files, each with whether it was named itself (and not found in a folder), those of one folder by name.

    Of a folder and the folders in it, those whose suffix is of a kind that is read; no hidden ones, and none of an
    environment of Python that somebody made there. A pattern that the shell did not expand is expanded here. Raises
    DataError for a folder or pattern without such a file; for a folder only where it must have one.
    """
    for path in map(Path, paths):
        if path.is_dir():
            yield from ((each, False) for each in _folder(path, must))
        elif not path.exists() and _MAGIC.search(str(path)):
            anchor = Path(path.anchor) if path.anchor else Path()
            pattern = str(path.relative_to(path.anchor)) if path.anchor else str(path)
            files = [
                each for each in sorted(anchor.glob(pattern)) if each.is_file() and not each.name.startswith(_HIDDEN)
            ]
            if not files:
                raise DataError(f"no file matches {str(path)!r}; check the path")
            yield from ((each, False) for each in files)
        else:
            yield path, True


def _folder(folder: Path, must: bool) -> list[Path]:
    suffixes = {f".{suffix}" for kind in kinds().values() for suffix in kind.suffixes}
    files = sorted(path for path in _inside(folder) if path.suffix.lower() in suffixes and path.is_file())
    if not files and must:
        raise DataError(
            f"a directory without a file of a kind that is read ({', '.join(sorted(suffixes))}): {str(folder)!r}"
        )
    return files


def _inside(folder: Path) -> Iterator[Path]:
    """What is in a folder and the folders in it, but for what is hidden and for environments of Python."""
    for at, folders, names in os.walk(folder):
        folders[:] = [
            each for each in folders if not each.startswith(_HIDDEN) and not Path(at, each, _ENVIRONMENT).exists()
        ]
        yield from (Path(at, each) for each in names if not each.startswith(_HIDDEN))
