"""Conversations about open reports: each is kept, and asked one question at a time, at one of the desks."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any

from tieout.agent.log.turn import Turn
from tieout.agent.view.reports import Reports
from tieout.kg.store.graph import Graph
from tieout.serve.asking.desk import Desk, DeskHere, Plan, Said, Told, log_name
from tieout.serve.asking.kept import Kept, KeptError, Member, Summary, title_of
from tieout.serve.asking.process import DeskError, DeskProcess
from tieout.serve.asking.shelf import MOST_LOADED, Source
from tieout.serve.library import Held, Library

MOST_UNDER_WAY, MOST_TURNS = 200, 200
MOST_WITH_DATA = 16  # conversations with data: each has an engine of its own
DESKS_TRIED = 5  # there are four processes at most, all of which may have been ended, and one made anew


class ConversationError(ValueError):
    """A conversation that is not there, or has as many turns as it may."""


class NoReportError(ConversationError):
    """A conversation about nothing."""


class BusyError(ConversationError):
    """A conversation that is answering another question."""


class Talk:
    """One conversation. key: its name in addresses. turns: so far. library: of all reports that are open. find_desk: a
    desk that works."""

    def __init__(
        self, key: str, library: Library, kept: Kept, find_desk: Callable[[], Desk], log: Path | None = None
    ) -> None:
        self.key = key
        self.title = ""
        self.turns: list[Turn] = []
        self.members: list[Member] = []
        self.library, self._kept, self._find_desk, self._log = library, kept, find_desk, log
        self._lock = threading.Lock()
        self._logs = 0
        self._desk: Desk | None = None

    @classmethod
    def begun(cls, held: Sequence[Held], *parts: Any) -> Talk:  # noqa: ANN401 - those of a conversation
        """A new conversation about reports. Raises what a desk does that cannot begin it."""
        talk = cls(token_hex(8), *parts)
        talk.members = talk._with(held)
        talk._begin()
        return talk

    @classmethod
    def kept(cls, summary: Summary, turns: Sequence[Turn], *parts: Any) -> Talk:  # noqa: ANN401
        """A conversation as it was kept: read at once, gone on with where its reports are open."""
        talk = cls(summary.key, *parts)
        talk.title, talk.members, talk.turns = summary.title, list(summary.members), list(turns)
        return talk

    @property
    def held(self) -> list[Held]:
        """The reports that are asked and open, as they were read then."""
        return [held for each in self.members if each.asked and (held := self.library.same(each)) is not None]

    def ask(self, question: str, told: Told | None = None, said: Said | None = None, meant: str = "") -> Turn:
        """Asks. meant: the name of the figure that is the answer, as who asks corrects it.

        told: hears of every event, said of every piece of text that a language model says.

        The turn is kept when it is returned. Raises BusyError, ConversationError, QuestionError, LogError, KeptError;
        LibraryError where a report is not open.
        """
        with self._alone():
            if len(self.turns) >= MOST_TURNS:
                raise ConversationError(f"a conversation has {MOST_TURNS} questions at most: begin another")
            self._sources()  # all are open still
            desk = self._desk or self._begin()
            try:
                turn = desk.ask(self.key, question, meant, told, said)
            except DeskError as error:
                self._desk = None  # the next question goes on at another desk, with the turns so far
                raise ConversationError(str(error)) from error
            try:
                self._kept.add_turn(self.key, self.title, self.members, turn)
            except KeptError:
                self._leave()  # what is not kept was not answered
                raise
            self.turns.append(turn)
            self.title = self.title or title_of(turn.question)
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
            self._kept.remove_turn(self.key, self.turns[-1].index)
            self._leave()
            return self.turns.pop()

    def about(self, held: Sequence[Held]) -> None:
        """Asks these reports from now on. Raises BusyError, KeptError."""
        with self._alone():
            members = self._with(held)
            self._kept.put_members(self.key, members)
            self.members = members
            self._leave()

    def rename(self, title: str) -> None:
        """Gives it another title. Raises KeptError."""
        self._kept.rename(self.key, title)
        self.title = title

    def close(self) -> None:
        """Ends it here, its log, and what the backend has open; it is kept."""
        self.stop()
        with self._lock:
            self._leave()

    def aliases(self) -> dict[str, Held]:
        """The report that stands behind each alias in front of the name of a figure, where it is open."""
        found = ((each.alias, self.library.same(each)) for each in self.members)
        return {alias: held for alias, held in found if held is not None}

    def source(self) -> Graph | Reports:
        """All reports that its turns rest on. Raises LibraryError where one is not open."""
        return self.library.shelf.open(self._sources(every=True), [each.alias for each in self.members])

    def _sources(self, every: bool = False) -> list[Source]:
        """Raises LibraryError for a report that is not open as it was read then."""
        return [self.library.source_of(each) for each in self.members if every or each.asked]

    def _with(self, held: Sequence[Held]) -> list[Member]:
        """The members, of which these and no others are asked; a report that comes in gets a name of its own."""
        wanted = {(each.source.id, each.source.digest): each for each in held}
        known = [Member(each.alias, each.id, each.digest, (each.id, each.digest) in wanted) for each in self.members]
        new = [each for key, each in wanted.items() if key not in {(member.id, member.digest) for member in known}]
        names = self.library.aliases(new, [each.alias for each in known])
        return [*known, *(Member(name, *_identity(each)) for name, each in zip(names, new, strict=True))]

    @contextmanager
    def _alone(self) -> Iterator[None]:
        if not self._lock.acquire(blocking=False):
            raise BusyError("the last question is still being answered")
        try:
            yield
        finally:
            self._lock.release()

    def _leave(self) -> None:
        """Ends it at its desk; the next question begins it again, with the turns so far."""
        desk, self._desk = self._desk, None
        if desk is not None:
            desk.end(self.key)

    def _begin(self) -> Desk:
        """A desk that has the conversation so far. One that is found ended was asked nothing yet: the next is tried."""
        self._logs = self._free_log(self._logs + 1)
        names = [each.alias for each in self.members if each.asked]
        for left in reversed(range(DESKS_TRIED)):
            desk = self._find_desk()
            try:
                desk.begin(self.key, self._sources(), names, self.turns, self._logs)
                break
            except DeskError as error:
                if not left:
                    raise ConversationError(str(error)) from error
        self._desk = desk
        return desk

    def _free_log(self, number: int) -> int:
        """The number of a log that is not there: a conversation that is gone on with after a start may have some."""
        while self._log is not None and (self._log / log_name(self.key, number)).exists():
            number += 1
        return number


def _identity(held: Held) -> tuple[str, str]:
    return held.source.id, held.source.digest


class Conversations:
    """The conversations. The longest unused ones are ended where there are too many under way; they are kept.

    processes: in how many processes questions are answered, 0 for this one alone. kept: where they are kept, else in
    memory.
    """

    def __init__(self, library: Library, plan: Plan, processes: int = 0, kept: Kept | None = None) -> None:
        self.library, self.plan = library, plan
        self.kept = kept or Kept()
        self._talks: OrderedDict[str, Talk] = OrderedDict()
        self._lock = threading.Lock()
        self._here = DeskHere(library.shelf, plan)
        self._beside = [self._process() for _ in range(processes)]
        self._begun = 0
        library.is_ready = self._prepare
        for held in library.ready():
            self._prepare(held.source)

    def _prepare(self, source: Source) -> None:
        """Lets every process load a report, as long as all of them have room for it."""
        if len(self.library.ready()) <= MOST_LOADED:
            for desk in list(self._beside):
                desk.prepare(source)

    def begin(self, reports: Sequence[str]) -> Talk:
        """A conversation about reports, by their keys or ids; none are needed where there is data.

        Raises LibraryError, LogError, ConversationError, BAD_DATA.
        """
        return self._under_way(Talk.begun(self._about(reports), *self._parts()))

    def change(self, key: str, reports: Sequence[str]) -> Talk:
        """Lets a conversation ask these reports from now on. Raises as `begin`, BusyError, KeptError."""
        talk = self.get(key)
        talk.about(self._about(reports))
        return talk

    def _about(self, reports: Sequence[str]) -> list[Held]:
        held = self.library.find(dict.fromkeys(reports))
        if not held and not self.plan.data:
            raise NoReportError("name the reports that the conversation is about")
        return held

    def under_way(self) -> list[Talk]:
        """The conversations that are in memory, the longest unused first."""
        with self._lock:
            return list(self._talks.values())

    def get(self, key: str) -> Talk:
        """Raises ConversationError for a key of none, KeptError for one that cannot be read."""
        with self._lock:
            if key in self._talks:
                self._talks.move_to_end(key)
                return self._talks[key]
        summary = self.kept.summary(key)
        if summary is None:
            raise ConversationError(f"there is no conversation {key[:60]!r}")
        return self._under_way(Talk.kept(summary, self.kept.turns(key), *self._parts()))

    def remove(self, key: str) -> None:
        """Forgets a conversation; its log stays. Raises ConversationError, KeptError."""
        talk = self.get(key)
        with self._lock:
            self._talks.pop(key, None)
        talk.close()
        self.kept.remove(key)

    def close(self) -> None:
        """Ends all of them, and the processes."""
        for talk in self.under_way():
            talk.close()
        self._here.close()
        for each in self._beside:
            each.close()
        self.kept.close()

    def _parts(self) -> tuple[Any, ...]:
        return self.library, self.kept, self._desk, self.plan.log

    def _under_way(self, talk: Talk) -> Talk:
        most = MOST_WITH_DATA if self.plan.data else MOST_UNDER_WAY
        with self._lock:
            talk = self._talks.setdefault(talk.key, talk)
            self._talks.move_to_end(talk.key)
            gone = [self._talks.popitem(last=False)[1] for _ in range(len(self._talks) - most)]
        for each in gone:
            each.close()
        return talk

    def _process(self) -> DeskProcess:
        shelf = self.library.shelf
        return DeskProcess(shelf.folder, self.plan, shelf.lake)

    def _desk(self) -> Desk:
        """The desks in turn; one whose process is gone is replaced."""
        if not self._beside:
            return self._here
        with self._lock:
            self._begun += 1
            at = self._begun % len(self._beside)
            if not self._beside[at].is_alive:
                self._beside[at].close()
                self._beside[at] = self._process()
            return self._beside[at]
