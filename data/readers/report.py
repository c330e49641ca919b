"""One report file into its document, whatever it is called: what it is, is told by its bytes.

Whether a file that is kept is the same needs no reader: they are imported when a file is read.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tieout.data.files import unreadable
from tieout.data.limits import Budget, SizeError, check_size
from tieout.data.readers.encoding import decode_start
from tieout.data.readers.kinds import KINDS, Kind, kind_of, kinds
from tieout.data.readers.records import DataError
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.xbrl.facts import is_facts

if TYPE_CHECKING:
    from threading import Event

    from tieout.data.document import Document

Given = TypeVar("Given")
START = 1 << 16  # bytes that tell what a file is
# A file of fewer bytes that is not packed (a web page, text, JSON) is read in this process: what of it takes longest is
# of one second, and a process of its own costs more than most take.
SMALL = 1 << 17
_PACKED = (b"PK", b"\xd0\xcf", b"%PDF-")


def read_report(path: str | Path, kind: Kind | None = None, identifier: str | None = None) -> Document:
    """The document in a report file: HTML, PDF, workbook, separated values, text, or XBRL as JSON.

    kind: what the file is, where that is known. identifier: of the document; the name of the file without suffix where
    it is None. Raises DataError, one line, for what cannot be read.
    """
    path = Path(path)
    return bounded(path, _read, path, kind, path.stem if identifier is None else identifier)


def bounded(
    path: Path,
    work: Callable[..., Given],
    *arguments: Any,  # noqa: ANN401 - for work
    behind: int = 0,
    stop: Event | None = None,
) -> Given:
    """What work, which reads this file, gives; within the budget of the file, as `apart.run` does it.

    stop: of work that is one of several at the same time.
    Raises DataError, one line, for a file that cannot be read, or not within its budget.
    """
    from tieout.data.readers.apart import is_apart, run

    _check_name(path)
    try:
        size = path.stat().st_size
        _bound(size, _largest())
        is_small = size <= SMALL and not any(each in _start_of(path)[:1024] for each in _PACKED)
        if is_apart() or (is_small and stop is None):
            return work(*arguments)
        return run(work, *arguments, budget=Budget.of(size), behind=behind, stop=stop)
    except (UnreadableError, SizeError) as error:
        raise DataError(f"{path}: {error}") from None
    except OSError as error:
        raise DataError(unreadable(path, error)) from None


def _check_name(path: Path) -> None:
    """Raises DataError for a file whose name, or a folder's above it, has bytes that are no text: nothing that is kept
    could say where it is from."""
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        raise DataError(f"{str(path)!r}: bytes of its name are no text; give it another") from None


def _read(path: Path, kind: Kind | None, name: str) -> Document:
    """The document, in this process. Raises UnreadableError, SizeError, OSError."""
    with path.open("rb") as file:
        content = file.read(_largest() + 1)  # a file may grow, and a device has no size
    kind = kind or kind_of(content, path.suffix)
    _bound(len(content), kind.most)
    document = kind.read(content, name)
    check_size(document)
    return document


def check_file(path: Path) -> None:
    """Raises DataError for a file that is larger than any that is read: for use before all of its bytes are looked at.
    Raises OSError."""
    try:
        _bound(path.stat().st_size, _largest())
    except UnreadableError as error:
        raise DataError(f"{path}: {error}") from None


def _largest() -> int:
    """The bytes of the largest file of any kind that is read. Raises PluginError."""
    return max(each.most for each in kinds().values())


def _bound(size: int, most: int) -> None:
    if size > most:
        raise UnreadableError(
            f"the file has {size >> 20:,} MB, and of its kind at most {most >> 20} MB are read; "
            "give the part with the report"
        )


def is_pages(path: Path) -> bool:
    """Whether a file holds pages as JSON, of which there may be several. Raises DataError for what is not read."""
    start = _start_of(path)
    text = decode_start(start).lstrip()
    kind = _kind(path, start) if start.strip() else KINDS["json"]
    return kind is KINDS["json"] and not is_facts(text)


def _kind(path: Path, start: bytes) -> Kind | None:
    """What a file is; None where that takes more than its first bytes. Raises DataError for what is not read."""
    if start.startswith((b"PK", b"\xd0\xcf")):
        return None
    try:
        return kind_of(start, path.suffix)
    except UnreadableError as error:
        raise DataError(f"{path}: {error}") from None


def _start_of(path: Path) -> bytes:
    """The first bytes of a file. Raises DataError."""
    try:
        with path.open("rb") as file:
            return file.read(START)
    except OSError as error:
        raise DataError(unreadable(path, error)) from None
