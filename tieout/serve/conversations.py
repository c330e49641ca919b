"""Conversations about the reports that are open, by name; each asked by one thread at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import token_hex

from tieout.agent.backends.choose import make_backend
from tieout.agent.log.events import Event
from tieout.agent.log.log import Log
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.agent.workspace import Settings
from tieout.serve.library import Held, Library

MOST_CONVERSATIONS, MOST_TURNS = 200, 200
Told = Callable[[Event], None]


class ConversationError(ValueError):
    """A conversation that is not there, or has as many turns as it may."""


class BusyError(ConversationError):
    """A conversation that is answering another question."""


class Talk:
    """One conversation. key: its name in addresses. log: the folder where it is logged, None for nowhere."""

    def __init__(self, key: str, held: Sequence[Held], library: Library, backend: str, log: Path | None) -> None:
        self.key, self.held = key, tuple(held)
        self._library, self._backend_name, self._folder = library, backend, log
        self._lock = threading.Lock()
        self._told: Told | None = None
        self._stopped = threading.Event()
        self._logs = 0
        self._log: Log | None = None
        self.backend: Backend = make_backend(backend)
        self.session = self._begin()

    def append(self, event: Event) -> None:
        """Takes in an event of the session: to the log, and to whoever is listening."""
        if self._log is not None:
            self._log.append(event)
        if self._told is not None:
            self._told(event)

    def ask(self, question: str, told: Told | None = None, said: Callable[[str], None] | None = None) -> Turn:
        """Asks; told: hears of every event, said of every piece of text that a language model says.

        Raises BusyError, ConversationError, QuestionError, LogError.
        """
        if not self._lock.acquire(blocking=False):
            raise BusyError("the last question is still being answered")
        try:
            if len(self.session.turns) >= MOST_TURNS:
                raise ConversationError(f"a conversation has {MOST_TURNS} questions at most: begin another")
            self._stopped.clear()
            self._told = told
            if hasattr(self.backend, "on_text"):
                self.backend.on_text = said
            return self.session.ask(question)
        finally:
            self._told = None
            self._lock.release()

    def stop(self) -> None:
        """Ends the question that is being answered before the next call of the backend."""
        self._stopped.set()

    def undo(self) -> Turn | None:
        """Takes the last turn back; None where there is none. A log goes on in a new file. Raises BusyError."""
        if not self._lock.acquire(blocking=False):
            raise BusyError("the last question is still being answered")
        try:
            if not self.session.turns:
                return None
            taken = self.session.turns.pop()
            if self._log is not None:
                turns = list(self.session.turns)
                self.session.close()
                self._log.close()
                self.session = self._begin()
                for turn in turns:
                    for event in turn.events:
                        self.append(event)
                self.session.turns.extend(turns)
            return taken
        finally:
            self._lock.release()

    def close(self) -> None:
        """Ends the conversation and its log, and what the backend has open."""
        self.stop()
        with self._lock:
            self.session.close()
            if self._log is not None:
                self._log.close()
                self._log = None
            close = getattr(self.backend, "close", None)
            if close is not None:
                close()

    def aliases(self) -> dict[str, str]:
        """The report that stands behind each alias in front of the name of a figure, by its key."""
        graph = self.session.graph
        if not isinstance(graph, Reports):
            return {"": self.held[0].key}
        return {alias: held.key for alias, held in zip(graph.open, self.held, strict=True)}

    def _begin(self) -> Session:
        if self._folder is not None:
            self._logs += 1
            number = f"-{self._logs}" if self._logs > 1 else ""
            self._log = Log(self._folder / f"{self.key}{number}.jsonl")
        document = self.held[0].read if len(self.held) == 1 else None
        graph = self._library.session_graph(self.held)
        stop: Callable[[], str | None] = lambda: "stopped" if self._stopped.is_set() else None  # noqa: E731
        return Session(graph, self.backend, Settings(), self, stop=stop, document=document)


class Conversations:
    """The conversations, the longest unused of which gives way where there are too many."""

    def __init__(self, library: Library, backend: str, log: Path | None = None) -> None:
        self.library, self.backend, self._log = library, backend, log
        self._talks: OrderedDict[str, Talk] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, reports: Sequence[str]) -> Talk:
        """A conversation about reports, by key or id. Raises LibraryError, ConversationError, BackendError."""
        held = self.library.find(dict.fromkeys(reports))
        if not held:
            raise ConversationError("name the reports that the conversation is about")
        talk = Talk(token_hex(8), held, self.library, self.backend, self._log)
        with self._lock:
            self._talks[talk.key] = talk
            gone = [self._talks.popitem(last=False)[1] for _ in range(len(self._talks) - MOST_CONVERSATIONS)]
        for each in gone:
            each.close()
        return talk

    def all(self) -> list[Talk]:
        """The conversations, the longest unused first."""
        with self._lock:
            return list(self._talks.values())

    def get(self, key: str) -> Talk:
        """Raises ConversationError for a key of none."""
        with self._lock:
            if key not in self._talks:
                raise ConversationError(f"there is no conversation {key[:60]!r}")
            self._talks.move_to_end(key)
            return self._talks[key]

    def close(self) -> None:
        """Ends all of them."""
        for talk in self.all():
            talk.close()
