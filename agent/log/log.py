"""The event log: one file per conversation, one JSON line per event, each line sealed by a
hash of its own, which covers that of the line before. Whoever reads one has every line checked."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol
from urllib.parse import quote

from pydantic import ValidationError

from tieout.agent.log.events import EVENT, Event
from tieout.data.files import BINARY, read_bounded, unreadable
from tieout.data.system.locks import hold

FIRST = "0" * 64  # what the first line holds in place of the hash of the one before, unless it is told another
OPENING = b'{"at":'  # how a line begins
SEAL = b',"hash":"%b"}'  # how a line ends
LONGEST_NAME = 180
MOST = 256 << 20  # bytes of a log that is read: a conversation has some thousands
BEGIN, END = "conversation started", "conversation ended"


class LogError(ValueError):
    """A log that cannot be read or written: which file, which line, and what is wrong with it."""


class _BrokenLineError(ValueError):
    """A line that does not fit: its number, and what is wrong, in words that follow `line 3`."""

    def __init__(self, number: int, why: str) -> None:
        super().__init__(f"line {number} {why}")
        self.number, self.why = number, why


def log_path(folder: Path, conversation: str) -> Path:
    """The file of a conversation in the folder of a run: its id percent-encoded, where too long cut, with a hash."""
    name = quote(conversation, safe="")
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(conversation.encode()).hexdigest()[:16]}"
    return folder / f"{name}.jsonl"


class Appends(Protocol):
    """What takes in the events of a conversation as they happen: a log, or what passes them on."""

    def append(self, event: Event) -> None: ...


class Log:
    """Appends events to a file, each with one write. A second process that opens the same file is refused.

    A file that exists is gone on with: a torn last line is cut off, the rest has to be whole, and not have ended. One
    that is no event log is refused, and left as it is. start: what the first line holds in place of the hash of the
    one before: it binds a log to something else.
    """

    def __init__(self, path: Path, start: str = FIRST) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY, 0o644)
            hold(self._file, wait=False)
        except BlockingIOError as error:
            os.close(self._file)
            raise LogError(f"{str(path)!r} is being written by another process") from error
        except OSError as error:
            raise LogError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        try:
            content = path.read_bytes()
            if not content.startswith(OPENING[: len(content)]):
                raise LogError(f"{str(path)!r} is no event log: name another file")
            self._previous = _end_of(path, content) or start
            self._size = content.rfind(b"\n") + 1  # behind it stands nothing, or a line that was torn
            os.ftruncate(self._file, self._size)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, event: Event) -> None:
        """Writes one event whole, or nothing and raises LogError, e.g. on a full disk or where the file is gone."""
        fields = {**event.model_dump(mode="json"), "previous": self._previous}
        content = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        own = _hash(content)
        line = content[:-1] + SEAL % own.encode()
        problem = f"no space for {len(line) + 1} bytes"
        if not os.fstat(self._file).st_nlink:
            raise LogError(f"{str(self.path)!r} was deleted while it was being written")
        try:
            if os.write(self._file, line + b"\n") == len(line) + 1:
                self._size += len(line) + 1
                self._previous = own
                return
        except OSError as error:
            problem = str(error.strerror)
        with suppress(OSError):  # the next to open the file cuts a torn line off
            os.ftruncate(self._file, self._size)
        raise LogError(f"{str(self.path)!r}: {problem}")

    def close(self) -> None:
        """Ends writing, and lets others write."""
        os.close(self._file)

    def __enter__(self) -> Log:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_events(path: Path, starts: Collection[str] | None = None) -> Iterator[Event]:
    """The events of a log, each checked against its hash and the line before; a torn last line is dropped.

    starts: what the first line may hold in place of the hash of the one before; None where that is not known.
    Raises LogError for a line that is no event, was changed, moved, or follows a line that is missing, and no file.
    """
    try:
        for number, fields in _unsealed(content_of(path), starts):
            try:
                yield EVENT.validate_python(fields, strict=False)
            except ValidationError as error:
                raise _BrokenLineError(number, f"is no event: {error.errors()[0]['msg']}") from error
    except _BrokenLineError as broken:
        why = "is no event: it is damaged" if broken.why == _DAMAGED else broken.why
        raise LogError(f"{str(path)!r}, line {broken.number} {why}") from broken


def is_log(path: Path) -> bool:
    """Whether a file begins with an event."""
    try:
        return next(read_events(path), None) is not None
    except LogError:
        return False


def is_complete(path: Path) -> bool:
    """Whether the last whole line says that the conversation came to its end; whether it is true, reading tells."""
    lines = _whole_lines(content_of(path)) if path.exists() else []
    return bool(lines) and _is_end(lines[-1])


def verify(path: Path) -> str | None:
    """What is wrong with a log, or None when every line fits its hash and the line before, and the conversation came to
    its end once.

    It shows that no line was changed, moved or left out by accident, but not that nobody wrote the whole file anew.
    """
    try:
        for _ in _unsealed(content_of(path), None):
            pass
    except _BrokenLineError as broken:
        return str(broken)
    return None if is_complete(path) else NOT_ENDED


NOT_ENDED = "the conversation did not come to its end"
_DAMAGED = "is damaged"


def content_of(path: Path) -> bytes:
    """The bytes of a log. Raises LogError."""
    try:
        return read_bounded(path, MOST)
    except OSError as error:
        raise LogError(unreadable(path, error)) from error
    except ValueError as error:
        raise LogError(f"{str(path)!r} is no log: {error}") from error


def _whole_lines(content: bytes) -> list[bytes]:
    return content.split(b"\n")[:-1]  # behind the last line break stands nothing, or a line that was torn


def _unsealed(content: bytes, starts: Collection[str] | None) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every whole line with its number, without its hashes, which are checked. Raises _BrokenLineError."""
    previous, ended, number = "", False, 0
    for number, line in enumerate(_whole_lines(content), start=1):
        if ended:
            raise _BrokenLineError(number - 1, "ends the conversation, and others follow")
        fields = _fields(line)
        if fields is None:
            raise _BrokenLineError(number, _DAMAGED)
        found, own = fields.pop("previous"), fields.pop("hash")
        if own != _own_hash(line) or not line.endswith(SEAL % own.encode()):
            raise _BrokenLineError(number, "was changed")
        if found != previous if number > 1 else not _can_begin(fields, found, starts):
            raise _BrokenLineError(number, _out_of_order(number, fields))
        previous, ended = own, fields.get("event") == END
        yield number, fields
    if ended and not content.endswith(b"\n"):
        raise _BrokenLineError(number, "ends the conversation, and more follows")


def _can_begin(fields: dict[str, Any], found: object, starts: Collection[str] | None) -> bool:
    """Whether a first line holds what it may in place of the hash of the one before."""
    if starts is not None:
        return found in starts
    return found == FIRST or fields.get("event") == BEGIN  # what else begins a file is the rest of one


def _out_of_order(number: int, fields: dict[str, Any]) -> str:
    if number == 1 and fields.get("event") == BEGIN:
        return "does not fit run.json: it is the log of another run, or of another repeat, or run.json was changed"
    return f"does not follow line {number - 1}: a line was moved, or one is missing"


def _fields(line: bytes) -> dict[str, Any] | None:
    """What a line holds, None where it is none of a log."""
    try:
        fields = json.loads(line)
        return fields if isinstance(fields["previous"], str) and isinstance(fields["hash"], str) else None
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _is_end(line: bytes) -> bool:
    fields = _fields(line)
    return fields is not None and fields.get("event") == END


def _end_of(path: Path, content: bytes) -> str | None:
    """The hash behind which a log goes on, None where it is empty. Raises LogError for one that ended or is damaged."""
    lines = _whole_lines(content)
    try:
        for _ in _unsealed(content, None):
            pass
    except _BrokenLineError as broken:
        raise LogError(f"{str(path)!r}, line {broken.number} is damaged: it {broken.why}") from broken
    if lines and _is_end(lines[-1]):
        raise LogError(f"{str(path)!r} holds a conversation that has ended: name another file")
    return lines[-1][-len(FIRST) - 2 : -2].decode() if lines else None


def _own_hash(line: bytes) -> str:
    """The hash that a line has to hold: of all that stands before it."""
    return _hash(line[: -len(SEAL % FIRST.encode())] + b"}")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
