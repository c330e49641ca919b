"""An index as parts that are written once: each holds some of its pages, and of a page the last part that has it holds.

What was changed since a state is a few parts, so that adding a report sends what it changes, and a reader takes that.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

IN_PART = 1024  # pages
SIZE_AT, LARGEST = 16, 65_536  # where SQLite says how large a page is, and the size that it says as 1
NUMBER = ">I"


def page_size(index: Path) -> int:
    """The bytes of a page of an index."""
    with index.open("rb") as file:
        file.seek(SIZE_AT)
        (size,) = struct.unpack(">H", file.read(2))
    return LARGEST if size == 1 else int(size)


def changed(index: Path, before: Path | None) -> Iterator[bytes]:
    """The parts of what is in an index and not in an earlier state of it, or of all."""
    numbers: list[int] = []
    pages: list[bytes] = []
    for number, page in _changed(index, before, page_size(index)):
        numbers.append(number)
        pages.append(page)
        if len(numbers) == IN_PART:
            yield _part(numbers, pages)
            numbers, pages = [], []
    if numbers:
        yield _part(numbers, pages)


def count(part: bytes) -> int:
    """How many pages a part holds."""
    (found,) = struct.unpack_from(NUMBER, part)
    return int(found)


def write_part(part: bytes, size: int, file: BinaryIO) -> None:
    """Puts the pages of a part into an index. size: bytes of a page. Raises ValueError for what is no part."""
    many = count(part)
    told = zlib.decompress(part[struct.calcsize(NUMBER) :])
    start = many * struct.calcsize(NUMBER)
    if len(told) != start + many * size:
        raise ValueError("it holds other pages than it says")
    for at, (number,) in enumerate(struct.iter_unpack(NUMBER, told[:start])):
        file.seek(number * size)
        file.write(told[start + at * size : start + (at + 1) * size])


def _changed(index: Path, before: Path | None, size: int) -> Iterator[tuple[int, bytes]]:
    step, number = size * IN_PART, 0
    with index.open("rb") as new, (before or Path("/dev/null")).open("rb") as old:
        while found := new.read(step):
            was = old.read(step)
            for at in range(0, 0 if found == was else len(found), size):
                if found[at : at + size] != was[at : at + size]:
                    yield number + at // size, found[at : at + size]
            number += IN_PART


def _part(numbers: list[int], pages: list[bytes]) -> bytes:
    told = b"".join([*(struct.pack(NUMBER, number) for number in numbers), *pages])
    return struct.pack(NUMBER, len(numbers)) + zlib.compress(told, 3)
