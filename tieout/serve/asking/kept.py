"""Conversations as they are kept: in one SQLite file beside the store, each turn before its answer is given.

A turn is kept as its events, from which it is made again; the reports of a conversation by their ids and the hash of
their graphs, so that a figure of an answer is looked for in no other reading than the one it is from.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from tieout.agent.log.events import EVENT
from tieout.agent.log.turn import Turn, read_turns

VERSION = 1
TITLE = 80  # characters of a title that is made from a question
SCHEMA = """
CREATE TABLE conversations (key TEXT PRIMARY KEY, title TEXT NOT NULL, begun TEXT NOT NULL, changed TEXT NOT NULL,
                            shared TEXT NOT NULL DEFAULT '');
CREATE TABLE members (conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE, position INTEGER NOT NULL,
                      alias TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, asked INTEGER NOT NULL,
                      PRIMARY KEY (conversation, position));
CREATE TABLE turns (conversation TEXT NOT NULL REFERENCES conversations ON DELETE CASCADE, number INTEGER NOT NULL,
                    question TEXT NOT NULL, answer TEXT NOT NULL, events TEXT NOT NULL,
                    PRIMARY KEY (conversation, number));
CREATE TABLE secret (secret TEXT NOT NULL)
"""


class KeptError(ValueError):
    """Conversations that cannot be read or written."""


@dataclass(frozen=True, slots=True)
class Member:
    """A report of a conversation. alias: in front of the names of its figures. asked: whether it still is one of it."""

    alias: str
    id: str
    digest: str
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Summary:
    """A conversation in a list. begun, changed: UTC, ISO 8601. shared: whether a link shows it. turns: how many."""

    key: str
    title: str
    begun: str
    changed: str
    shared: bool
    turns: int
    members: tuple[Member, ...]


class Kept:
    """The conversations in a file, or in memory where there is none. Close it. Raises KeptError."""

    def __init__(self, path: Path | None = None) -> None:
        self._path, self._lock = path, threading.RLock()
        with self._told():
            if path is not None:
                path.parent.mkdir(parents=True, exist_ok=True)
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what is asked is for nobody else
            self._db = sqlite3.connect(path or ":memory:", isolation_level=None, timeout=30, check_same_thread=False)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")  # what was answered is there after a cut of power too
            self._db.execute("PRAGMA foreign_keys = ON")
            self._prepare()

    def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            self._db.close()

    def _prepare(self) -> None:
        with self._writing():
            (version,) = self._db.execute("PRAGMA user_version").fetchone()
            if version == 0:
                for statement in SCHEMA.split(";\n"):
                    self._db.execute(statement)
                self._db.execute("INSERT INTO secret VALUES (?)", (secrets.token_hex(32),))
                self._db.execute(f"PRAGMA user_version = {VERSION}")
            elif version != VERSION:
                raise KeptError(
                    f"the conversations at {str(self._path)!r} were kept by another version of tieout: move the file "
                    "away, or use that version"
                )

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (OSError, sqlite3.Error) as error:
            raise KeptError(
                f"the conversations at {str(self._path)!r} cannot be used ({error}): move the file away to begin anew"
            ) from error

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock, self._told():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def add_turn(self, key: str, title: str, members: Sequence[Member], turn: Turn) -> None:
        """Keeps a turn, and with the first one the conversation. Raises KeptError, also where it is there already."""
        events = "\n".join(EVENT.dump_json(event).decode() for event in turn.events)
        with self._writing():
            now = _now()
            self._db.execute(
                "INSERT INTO conversations (key, title, begun, changed) VALUES (?, ?, ?, ?) "
                "ON CONFLICT (key) DO UPDATE SET changed = excluded.changed",
                (key, title or title_of(turn.question), now, now),
            )
            self._put_members(key, members)
            self._db.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?)",
                (key, turn.index, turn.question, turn.text or turn.message, events),
            )

    def remove_turn(self, key: str, number: int) -> None:
        """Forgets a turn that was taken back."""
        with self._writing():
            self._db.execute("DELETE FROM turns WHERE conversation = ? AND number = ?", (key, number))

    def put_members(self, key: str, members: Sequence[Member]) -> None:
        """Keeps which reports a conversation has, where it is kept."""
        with self._writing():
            if self._db.execute("SELECT 1 FROM conversations WHERE key = ?", (key,)).fetchone():
                self._put_members(key, members)

    def _put_members(self, key: str, members: Sequence[Member]) -> None:
        self._db.execute("DELETE FROM members WHERE conversation = ?", (key,))
        self._db.executemany(
            "INSERT INTO members VALUES (?, ?, ?, ?, ?, ?)",
            ((key, at, each.alias, each.id, each.digest, each.asked) for at, each in enumerate(members)),
        )

    def rename(self, key: str, title: str) -> None:
        """Gives a conversation another title."""
        with self._writing():
            self._db.execute("UPDATE conversations SET title = ? WHERE key = ?", (title, key))

    def remove(self, key: str) -> None:
        """Forgets a conversation."""
        with self._writing():
            self._db.execute("DELETE FROM conversations WHERE key = ?", (key,))

    def share(self, key: str, on: bool) -> str:
        """Lets a link show a conversation, or no longer: the link that is made next is another one. What stands in the
        link; "" where it is off."""
        with self._writing():
            mark = secrets.token_hex(8) if on else ""
            self._db.execute("UPDATE conversations SET shared = ? WHERE key = ?", (mark, key))
        return self._signed(key, mark) if on else ""

    def shared(self, link: str) -> str | None:
        """The key of the conversation that a link shows; None for one that shows none."""
        key = link.partition(".")[0]
        with self._lock, self._told():
            found = self._db.execute("SELECT shared FROM conversations WHERE key = ?", (key,)).fetchone()
        if not found or not found[0] or not hmac.compare_digest(self._signed(key, found[0]).encode(), link.encode()):
            return None
        return key

    def _signed(self, key: str, mark: str) -> str:
        with self._lock, self._told():
            (secret,) = self._db.execute("SELECT secret FROM secret").fetchone()
        signature = hmac.new(bytes.fromhex(secret), f"{key} {mark}".encode(), hashlib.sha256).hexdigest()[:32]
        return f"{key}.{signature}"

    def list(self, words: Sequence[str] = (), first: int = 0, most: int = 100) -> tuple[int, list[Summary]]:
        """How many conversations have all these words, in title, questions, answers or names of reports, and `most` of
        them from number `first` on, the one that was asked last first."""
        where = " AND ".join(f"({HAS})" for _ in words) or "1"
        parameters = [f"%{_escaped(word)}%" for word in words for _ in range(4)]
        with self._lock, self._told():
            (count,) = self._db.execute(f"SELECT count(*) FROM conversations AS c WHERE {where}", parameters).fetchone()
            keys = self._db.execute(
                f"SELECT key FROM conversations AS c WHERE {where} ORDER BY changed DESC, rowid DESC LIMIT ? OFFSET ?",
                (*parameters, most, first),
            ).fetchall()
            return count, [each for (key,) in keys if (each := self.summary(key)) is not None]

    def summary(self, key: str) -> Summary | None:
        """A conversation; None where there is none."""
        with self._lock, self._told():
            found = self._db.execute(
                "SELECT title, begun, changed, shared <> '', (SELECT count(*) FROM turns WHERE conversation = key) "
                "FROM conversations WHERE key = ?",
                (key,),
            ).fetchone()
            if found is None:
                return None
            members = self._db.execute(
                "SELECT alias, id, digest, asked FROM members WHERE conversation = ? ORDER BY position", (key,)
            ).fetchall()
        title, begun, changed, shared, turns = found
        inside = tuple(Member(alias, identifier, digest, bool(asked)) for alias, identifier, digest, asked in members)
        return Summary(key, title, begun, changed, bool(shared), turns, inside)

    def turns(self, key: str) -> tuple[Turn, ...]:
        """The turns of a conversation in order. Raises KeptError where another version wrote them."""
        with self._lock, self._told():
            found = self._db.execute(
                "SELECT events FROM turns WHERE conversation = ? ORDER BY number", (key,)
            ).fetchall()
        try:
            return read_turns(EVENT.validate_json(line) for (events,) in found for line in events.split("\n"))
        except (ValidationError, KeyError) as error:
            raise KeptError(f"the conversation {key} was kept by another version, and cannot be shown") from error


HAS = """c.title LIKE ? ESCAPE '\\'
OR EXISTS (SELECT 1 FROM turns AS t WHERE t.conversation = c.key AND (t.question LIKE ? ESCAPE '\\'
           OR t.answer LIKE ? ESCAPE '\\'))
OR EXISTS (SELECT 1 FROM members AS m WHERE m.conversation = c.key AND m.id LIKE ? ESCAPE '\\')"""


def title_of(question: str) -> str:
    """What a conversation is called that begins with a question, until somebody says otherwise."""
    words = " ".join(question.split())
    return words if len(words) <= TITLE else f"{words[: TITLE - 1].rstrip()}…"


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
