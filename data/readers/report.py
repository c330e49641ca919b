"""One report file into its document, whatever it is called: what it is, is told by its bytes.

Whether a file that is kept is the same needs no reader: they are imported when a file is read.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tieout.data.files import unreadable
from tieout.data.limits import SizeError, check_size
from tieout.data.readers.encoding import decode_start
from tieout.data.readers.kinds import KINDS, Kind, kind_of, kinds
from tieout.data.readers.records import DataError
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.xbrl.facts import is_facts

if TYPE_CHECKING:
    from tieout.data.document import Document

START = 1 << 16  # bytes that tell what a file is


def read_report(path: str | Path, kind: Kind | None = None, identifier: str | None = None) -> Document:
    """The document in a report file: HTML, PDF, workbook, separated values, text, or XBRL as JSON.

    kind: what the file is, where that is known. identifier: of the document; the name of the file without suffix where
    it is None. Raises DataError, one line, for what cannot be read.
    """
    path = Path(path)
    name = path.stem if identifier is None else identifier
    try:
        size = path.stat().st_size
        most = kind.most if kind else max(each.most for each in kinds().values())
        _bound(size, most)
        content = path.read_bytes()
        kind = kind or kind_of(content, path.suffix)
        _bound(size, kind.most)
        document = kind.read(content, name)
        check_size(document)
        return document
    except (UnreadableError, SizeError) as error:
        raise DataError(f"{path}: {error}") from None
    except OSError as error:
        raise DataError(unreadable(path, error)) from None


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
