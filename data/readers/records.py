"""Strict JSON, one record at a time: what is not JSON ends the file, what is merely wrong in a record is noted with it.

[{...}, {...}]            a list of records
{"dev": [{...}, {...}]}   lists of records, by split
{"table": [[...]], ...}   one record
[["", "2024"], [...]]     the rows of one table
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, TextIO

from tieout.data.files import unreadable
from tieout.data.limits import MOST_CHARACTERS
from tieout.data.printed.pattern import later

CHUNK = 1 << 20  # characters read at once; a record of a report is 5,000 to 50,000
MAX_DIGITS = 40
MAX_EXPONENT = 30  # beyond it `int()` and plain formatting of a Decimal take seconds and gigabytes

_PAGE_KEYS = frozenset(("id", "pre_text", "post_text", "table", "tables", "annotation", "doc"))
_ROWS = later(r'\[\s*\[\s*(?:"|null|-?\d)')
_FIRST_KEY = later(r'\{\s*"([^"\\]{1,80})"\s*:')
_RECORDS = later(r'"\s*:\s*\[\s*(?:[{\]]|$)')


class DataError(ValueError):
    """A file of reports cannot be used at all. The message is one line that names the file and the way out."""


@dataclass(frozen=True, slots=True)
class Record:
    """One decoded record. index: from 0 in the file. flaws: (key, what is wrong) of repeated keys and bad numbers."""

    index: int
    value: object
    flaws: tuple[tuple[str, str], ...]


class _Decoder(json.JSONDecoder):
    """JSON with Decimals. Takes down what the standard decoder passes over in silence."""

    def __init__(self) -> None:
        self.flaws: list[tuple[str, str]] = []
        super().__init__(
            parse_float=self._number,
            parse_int=self._number,
            parse_constant=self._constant,
            object_pairs_hook=self._object,
        )

    def _number(self, text: str) -> Decimal:
        digits = sum(map(str.isdigit, text.lower().partition("e")[0]))
        try:
            number = Decimal(text)
        except InvalidOperation:  # an exponent of more than 18 digits
            number = Decimal(0)
            digits = MAX_DIGITS + 1
        if digits > MAX_DIGITS or (number and abs(number.adjusted()) > MAX_EXPONENT):
            self.flaws.append(("", f"the number {text[:20]!r}... is too long"))
            return Decimal(0)
        return number

    def _constant(self, name: str) -> None:
        self.flaws.append(("", f"{name} is not a number"))

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) < len(pairs):
            seen: set[str] = set()
            repeated = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
            self.flaws.append((repeated, "the key stands twice"))
        return result


class _Buffer:
    """A window on the file that grows only while the value at its start is not complete."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self.path, self.file, self.decoder = path, file, _Decoder()
        self.text, self.at, self.lines, self.ended = "", 0, 1, False

    def _grow(self) -> bool:
        """Drops what was consumed and at least doubles what is left, so that one long value costs linear time."""
        self.lines += self.text.count("\n", 0, self.at)
        self.text, self.at = self.text[self.at :], 0
        if len(self.text) > 2 * MOST_CHARACTERS:  # with escapes and names of fields
            raise DataError(f"{self.path}: a record has more than {2 * MOST_CHARACTERS:,} characters: no report has")
        more = self.file.read(max(CHUNK, len(self.text)))
        self.text += more
        self.ended = not more
        return bool(more)

    def peek(self) -> str:
        """The next character that is no space, "" at the end of the file."""
        while True:
            while self.at < len(self.text):
                if self.text[self.at] not in " \t\r\n":
                    return self.text[self.at]
                self.at += 1
            if not self._grow():
                return ""

    def take(self, expected: str) -> str:
        """Consumes the next character, which must be one of the expected."""
        found = self.peek()
        if not found or found not in expected:
            self.fail(f"{' or '.join(map(repr, expected))} expected")
        self.at += 1
        return found

    def value(self) -> object:
        """Consumes one JSON value. A number at the edge of the window may go on, so what follows must be in sight."""
        self.peek()
        while True:
            self.decoder.flaws.clear()
            try:
                value, end = self.decoder.raw_decode(self.text, self.at)
            except json.JSONDecodeError as error:
                offset = error.pos - self.at
                if not self._grow():
                    self.at = min(offset, len(self.text))
                    self.fail(error.msg)
                continue
            except RecursionError:
                raise DataError(f"{self.path}: nested too deeply to be a file of reports") from None
            if end == len(self.text) and not self.ended and self._grow():
                continue
            self.at = end
            return value

    def fail(self, reason: str) -> None:
        line = self.lines + self.text.count("\n", 0, self.at)
        what = reason if self.peek() else f"{reason}, but the file ends"
        raise DataError(f"{self.path}: not valid JSON in line {line} ({what}); is the file complete?")


def _list(buffer: _Buffer, index: int) -> Iterator[Record]:
    buffer.take("[")
    if buffer.peek() == "]":
        buffer.take("]")
        return
    while True:
        value = buffer.value()
        yield Record(index, value, tuple(buffer.decoder.flaws))
        index += 1
        if buffer.take(",]") == "]":
            return


def _splits(buffer: _Buffer, unknown: DataError) -> Iterator[Record]:
    index = 0
    buffer.take("{")
    while True:
        if buffer.peek() == "}":
            raise unknown
        if buffer.peek() != '"':
            buffer.fail("a key expected")
        buffer.value()
        buffer.take(":")
        if buffer.peek() != "[":
            buffer.value()
            raise unknown
        for record in _list(buffer, index):
            yield record
            index = record.index + 1
        if buffer.take(",}") == "}":
            return


def _is_single(start: str) -> bool:
    """Whether a file that begins like this holds one page or one table, and no list of records."""
    if _ROWS.match(start):
        return True
    first = _FIRST_KEY.match(start)
    return first is not None and (first[1] in _PAGE_KEYS or not _RECORDS.match(start, first.end(1)))


def _single(buffer: _Buffer) -> Iterator[Record]:
    value = buffer.value()
    yield Record(0, {"table": value} if isinstance(value, list) else value, tuple(buffer.decoder.flaws))


def read_records(path: Path) -> Iterator[Record]:
    """Yields the records of a JSON file that holds a list, or lists by split, with a window of the file in memory.

    A file with one object, or with the rows of one table, is one record. Raises DataError for a file that cannot be
    read, is not UTF-8, is not JSON, is empty, or holds neither.
    """
    unknown = DataError(
        f"{path}: not a file of reports; a ConvFinQA file is a list of records, or an object with a list per split"
    )
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            buffer = _Buffer(path, file)
            first = buffer.peek()
            if not first:
                raise DataError(f"{path}: the file is empty")
            if _is_single(buffer.text[buffer.at :]):
                yield from _single(buffer)
            elif first == "[":
                yield from _list(buffer, 0)
            elif first == "{":
                yield from _splits(buffer, unknown)
            else:
                buffer.value()
                raise unknown
            if buffer.peek():
                buffer.fail("something stands behind the end of the data")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not UTF-8 text ({error.reason}); save it as UTF-8 JSON") from None
    except OSError as error:
        raise DataError(unreadable(path, error)) from None
