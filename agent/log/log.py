"""The event log: one file per conversation, one JSON line per event, each line sealed by a
hash of its own, which covers that of the line before."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from urllib.parse import quote

from pydantic import ValidationError

from tieout.agent.log.events import EVENT, ConversationEnded, Event, TurnEnded
from tieout.data.files import unreadable

FIRST = "0" * 64  # what the first line holds in place of the hash of the one before
OPENING = b'{"at":'  # how a line begins
SEAL = b',"hash":"%b"}'  # how a line ends
LONGEST_NAME = 180


class LogError(ValueError):
    """A log that cannot be read or written: which file, which line, and what is wrong with it."""


def log_path(folder: Path, conversation: str) -> Path:
    """The file of a conversation in the folder of a run: its id percent-encoded, where too long cut, with a hash."""
    name = quote(conversation, safe="")
    if len(name) > LONGEST_NAME:
        name = f"{name[:LONGEST_NAME]}-{hashlib.sha256(conversation.encode()).hexdigest()[:16]}"
    return folder / f"{name}.jsonl"


class Log:
    """Appends events to a file, each with one write. A second process that opens the same file is refused.

    A file that exists is gone on with: a torn last line is cut off, the rest has to be whole, and not have ended. One
    that is no event log is refused, and left as it is.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            os.close(self._file)
            raise LogError(f"{str(path)!r} is being written by another process") from error
        except OSError as error:
            raise LogError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        try:
            content = path.read_bytes()
            if not content.startswith(OPENING[: len(content)]):
                raise LogError(f"{str(path)!r} is no event log: name another file")
            whole = _whole_lines(content)
            self._previous = _end_of(path, whole)
            self._size = sum(len(line) + 1 for line in whole)
            os.ftruncate(self._file, self._size)
        except BaseException:
            os.close(self._file)
            raise

    def append(self, event: Event) -> None:
        """Writes one event whole, or nothing and raises LogError, e.g. on a full disk."""
        fields = {**event.model_dump(mode="json"), "previous": self._previous}
        content = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        own = _hash(content)
        line = content[:-1] + SEAL % own.encode()
        problem = f"no space for {len(line) + 1} bytes"
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


def read_events(path: Path) -> Iterator[Event]:
    """The events of a log, a torn last line dropped. Raises LogError for another line that is no event, and no file."""
    for number, line in enumerate(_lines(path), start=1):
        try:
            fields = json.loads(line)
            del fields["previous"], fields["hash"]
            yield EVENT.validate_python(fields, strict=False)
        except (ValueError, KeyError, TypeError) as error:
            why = error.errors()[0]["msg"] if isinstance(error, ValidationError) else "it is damaged"
            raise LogError(f"{str(path)!r}, line {number} is no event: {why}") from error


def is_log(path: Path) -> bool:
    """Whether a file begins with an event."""
    try:
        return next(read_events(path), None) is not None
    except LogError:
        return False


def is_complete(path: Path) -> bool:
    """Whether the conversation came to its end."""
    lines = _lines(path) if path.exists() else []
    return bool(lines) and _is_end(lines[-1])


def cut_back(path: Path) -> tuple[Event, ...]:
    """Cuts a log that was broken off back to the end of its last whole turn, and gives the events that are left.

    Nothing is left of a log without a whole turn.
    """
    events = list(read_events(path))
    while events and not isinstance(events[-1], TurnEnded | ConversationEnded):
        events.pop()
    size = sum(len(line) + 1 for line in _lines(path)[: len(events)])
    os.truncate(path, size)
    return tuple(events)


def verify(path: Path) -> str | None:
    """What is wrong with a log, or None when every line fits its hash and the line before, and the conversation came to
    its end once.

    It shows that no line was changed, moved or left out by accident, but not that nobody wrote the whole file anew.
    """
    previous = FIRST
    lines = _lines(path)
    for number, line in enumerate(lines, start=1):
        try:
            fields = json.loads(line)
            found, own = fields["previous"], fields["hash"]
        except (ValueError, KeyError, TypeError):
            return f"line {number} is damaged"
        if own != _own_hash(line):
            return f"line {number} was changed"
        if found != previous:
            return f"line {number} does not follow line {number - 1}: a line was moved, or one is missing"
        if number < len(lines) and _is_end(line):
            return f"line {number} ends the conversation, and others follow"
        previous = own
    return None if is_complete(path) else "the conversation did not come to its end"


def _lines(path: Path) -> list[bytes]:
    try:
        return _whole_lines(path.read_bytes())
    except OSError as error:
        raise LogError(unreadable(path, error)) from error


def _whole_lines(content: bytes) -> list[bytes]:
    return content.split(b"\n")[:-1]  # behind the last line break stands nothing, or a line that was torn


def _is_end(line: bytes) -> bool:
    return b'"event":"conversation ended"' in line


def _end_of(path: Path, lines: list[bytes]) -> str:
    """The hash behind which a log goes on. Raises LogError for one that has ended, or whose last line is damaged."""
    if not lines:
        return FIRST
    if _is_end(lines[-1]):
        raise LogError(f"{str(path)!r} holds a conversation that has ended: name another file")
    own = _own_hash(lines[-1])
    if not lines[-1].endswith(SEAL % own.encode()):
        raise LogError(f"{str(path)!r}, line {len(lines)} is damaged")
    return own


def _own_hash(line: bytes) -> str:
    """The hash that a line has to hold: of all that stands before it."""
    return _hash(line[: -len(SEAL % FIRST.encode())] + b"}")


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
