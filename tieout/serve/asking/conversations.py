"""Conversations about the reports that are open, by name; each asked one question at a time, at one of the desks."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from secrets import token_hex

from tieout.agent.log.turn import Turn
from tieout.serve.asking.desk import Desk, DeskHere, Plan, Said, Told
from tieout.serve.asking.process import DeskError, DeskProcess
from tieout.serve.asking.shelf import Source
from tieout.serve.library import Held, Library

MOST_CONVERSATIONS, MOST_TURNS = 200, 200
MOST_WITH_DATA = 16  # conversations with data: each has an engine of its own
DESKS_TRIED = 5  # there are four processes at most, all of which may have been ended, and one made anew


class ConversationError(ValueError):
    """A conversation that is not there, or has as many turns as it may."""


class NoReportError(ConversationError):
    """A conversation about nothing."""


class BusyError(ConversationError):
    """A conversation that is answering another question."""


class Talk:
    """One conversation. key: its name in addresses. turns: so far. find_desk: a desk that works."""

    def __init__(self, key: str, held: Sequence[Held], library: Library, find_desk: Callable[[], Desk]) -> None:
        self.key, self.held = key, tuple(held)
        self.turns: list[Turn] = []
        self._find_desk = find_desk
        self._aliases = library.aliases(self.held)
        self._lock = threading.Lock()
        self._logs = 0
        self._desk: Desk | None = None
        self._begin([each.source for each in self.held])

    def ask(self, question: str, told: Told | None = None, said: Said | None = None) -> Turn:
        """Asks; told: hears of every event, said of every piece of text that a language model says.

        Raises BusyError, ConversationError, QuestionError, LogError; LibraryError where a report was taken out.
        """
        with self._alone():
            sources = [each.source for each in self.held]
            if len(self.turns) >= MOST_TURNS:
                raise ConversationError(f"a conversation has {MOST_TURNS} questions at most: begin another")
            desk = self._desk or self._begin(sources)
            try:
                turn = desk.ask(self.key, question, told, said)
            except DeskError as error:
                self._desk = None  # the next question goes on at another desk, with the turns so far
                raise ConversationError(str(error)) from error
            self.turns.append(turn)
            return turn

    def stop(self) -> None:
        """Ends the question that is being answered before the next call of the backend."""
        if self._desk is not None:
            self._desk.stop(self.key)

    def undo(self) -> Turn | None:
        """Takes the last turn back; None where there is none. A log goes on in a new file. Raises BusyError."""
        with self._alone():
            if not self.turns:
                return None
            sources = [each.source for each in self.held]
            taken = self.turns.pop()
            if self._desk is not None:
                self._desk.end(self.key)
            self._begin(sources)
            return taken

    def close(self) -> None:
        """Ends the conversation and its log, and what the backend has open."""
        self.stop()
        with self._lock:
            if self._desk is not None:
                self._desk.end(self.key)
                self._desk = None

    def aliases(self) -> dict[str, Held]:
        """The report that stands behind each alias in front of the name of a figure."""
        return self._aliases

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise BusyError("the last question is still being answered")
        try:
            yield
        finally:
            self._lock.release()

    def _begin(self, sources: Sequence[Source]) -> Desk:
        """A desk that has the conversation so far. One that is found ended was asked nothing yet: the next is tried."""
        self._logs += 1
        for left in reversed(range(DESKS_TRIED)):
            desk = self._find_desk()
            try:
                desk.begin(self.key, sources, self.turns, self._logs)
                break
            except DeskError as error:
                if not left:
                    raise ConversationError(str(error)) from error
        self._desk = desk
        return desk


class Conversations:
    """The conversations, the longest unused of which gives way where there are too many.

    processes: in how many processes questions are answered, 0 for this one alone.
    """

    def __init__(self, library: Library, plan: Plan, processes: int = 0) -> None:
        self.library, self.plan = library, plan
        self._talks: OrderedDict[str, Talk] = OrderedDict()
        self._lock = threading.Lock()
        self._here = DeskHere(library.shelf, plan)
        self._beside = [DeskProcess(library.shelf.folder, plan) for _ in range(processes)]
        self._begun = 0

    def begin(self, reports: Sequence[str]) -> Talk:
        """A conversation about reports, by their keys or ids; none are needed where there is data.

        Raises LibraryError, LogError, ConversationError, BAD_DATA.
        """
        held = self.library.find(dict.fromkeys(reports))
        if not held and not self.plan.data:
            raise NoReportError("name the reports that the conversation is about")
        talk = Talk(token_hex(8), held, self.library, self._desk)
        most = MOST_WITH_DATA if self.plan.data else MOST_CONVERSATIONS
        with self._lock:
            self._talks[talk.key] = talk
            gone = [self._talks.popitem(last=False)[1] for _ in range(len(self._talks) - most)]
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
        """Ends all of them, and the processes."""
        for talk in self.all():
            talk.close()
        self._here.close()
        for each in self._beside:
            each.close()

    def _desk(self) -> Desk:
        """The desks in turn; one whose process is gone is replaced."""
        if not self._beside:
            return self._here
        with self._lock:
            self._begun += 1
            at = self._begun % len(self._beside)
            if not self._beside[at].is_alive:
                self._beside[at].close()
                self._beside[at] = DeskProcess(self.library.shelf.folder, self.plan)
            return self._beside[at]
