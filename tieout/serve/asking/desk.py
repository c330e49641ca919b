"""Conversations of one process: each a session over reports of the shelf, with its log, its data and its memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Protocol

from tieout.agent.backends.choose import make_backend
from tieout.agent.log.events import Event
from tieout.agent.log.log import Log
from tieout.agent.log.turn import Turn
from tieout.agent.opening import Opened, without_report
from tieout.agent.protocol.message import Backend, Reply, Request, ToolCall
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.agent.wiring import Beside, begin
from tieout.data.document import Conversation
from tieout.ontology.model import default_ontology
from tieout.serve.asking.remembered import Remembered
from tieout.serve.asking.shelf import Shelf, Source

Told = Callable[[Event], None]
Said = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How questions are answered. log: the folder of conversations' logs, None for none.

    data, memory, private, show_rows, plots: as the options of `tieout ask`.
    """

    backend: str = "offline"
    log: Path | None = None
    data: tuple[Path, ...] = ()
    memory: Path | None = None
    private: bool = False
    show_rows: int = 0
    plots: Path | None = None

    @property
    def calculates(self) -> bool:
        """Whether a question is answered by calculating here, and not by waiting for an endpoint."""
        return self.backend == "offline"


class Desk(Protocol):
    """Where conversations are held. Whoever calls it sees to it that each is asked one question at a time."""

    def prepare(self, source: Source) -> None:
        """Loads a report that is likely to be asked, so that who asks it first does not wait for that."""

    def begin(
        self, key: str, sources: Sequence[Source], names: Sequence[str], turns: Sequence[Turn] = (), number: int = 1
    ) -> None:
        """Begins a conversation. names: the alias of each report; turns: it had already; number: of its log.

        Raises what opening data and logs does.
        """

    def ask(self, key: str, question: str, meant: str, told: Told | None = None, said: Said | None = None) -> Turn:
        """Asks. meant: the name of the figure that is the answer, by who asks; "" where that is to be found.

        told: hears of every event, said of every piece of text that a model says. Raises QuestionError.
        """

    def stop(self, key: str) -> None:
        """Ends the question that is being answered before the next call of the backend."""

    def end(self, key: str) -> None:
        """Ends a conversation and its log, where it is there."""

    def close(self) -> None:
        """Ends all of them."""


class Correction:
    """Who asks says which figure is meant: it is the answer, traced and checked as any other."""

    name = "correction"

    def __init__(self, figure: str) -> None:
        self._figure = figure

    def reply(self, request: Request) -> Reply:
        """As Backend has it."""
        if request.exchanges:  # there is no such figure
            return Reply(text=request.exchanges[-1].results[-1].content, model=self.name)
        call = ToolCall(id="meant", tool="answer", arguments={"value": self._figure})
        return Reply(calls=(call,), model=self.name)


def log_name(key: str, number: int) -> str:
    """The name of the log of a conversation: of the second and later ones with a number."""
    return f"{key}-{number}.jsonl" if number > 1 else f"{key}.jsonl"


class _Seat:
    """One conversation: its session, and what of its events goes where."""

    def __init__(
        self,
        key: str,
        sources: Sequence[Source],
        names: Sequence[str],
        shelf: Shelf,
        plan: Plan,
        backend: Backend,
        turns: Sequence[Turn],
        number: int,
    ) -> None:
        self.told: Told | None = None
        self.stopped = threading.Event()
        self._open = ExitStack()
        with ExitStack() as opened:
            self._log: Log | None = None
            if plan.log is not None:
                self._log = opened.enter_context(Log(plan.log / log_name(key, number)))
            self.backend = backend
            self.session = self._begin(opened, sources, names, shelf, plan)
            for event in (event for turn in turns for event in turn.events):
                self.append(event)
            self.session.turns.extend(turns)
            if self.session.bench is not None:
                self.session.bench.restore(turns)
            self._open = opened.pop_all()

    def append(self, event: Event) -> None:
        """Takes in an event of the session: to the log, and to whoever is listening."""
        if self._log is not None:
            self._log.append(event)
        if self.told is not None:
            self.told(event)

    def close(self) -> None:
        """Ends the session, its log, and what it has open."""
        self.session.close()
        self._open.close()

    def _begin(
        self, opened: ExitStack, sources: Sequence[Source], names: Sequence[str], shelf: Shelf, plan: Plan
    ) -> Session:
        there = (
            _opened(shelf, sources, names)
            if sources
            else opened.enter_context(without_report(default_ontology(None)[0]))
        )
        beside = Beside(plan.data, plan.memory, plan.private, plan.show_rows, plan.plots)
        stop: Callable[[], str | None] = lambda: "stopped" if self.stopped.is_set() else None  # noqa: E731
        return begin(opened, there, self.backend, beside=beside, log=self, stop=stop)


def _opened(shelf: Shelf, sources: Sequence[Source], names: Sequence[str]) -> Opened:
    """Reports of the shelf; a page with what is printed on it."""
    source = shelf.open(sources, names)
    if isinstance(source, Reports):
        return Opened(source)
    return Opened(source, Conversation(document=shelf.document(sources[0]), questions=()))


def warm() -> None:
    """Answers a question about nothing, so that the first one of a user finds weights and modules loaded."""
    from tieout.data.readers.given import given_document
    from tieout.kg.build import build

    page = given_document(
        {"table": [["", "2013", "2012"], ["net sales", "$ 2.0", "$ 1.0"]], "pre_text": ["in millions"]}
    )
    ontology, _ = default_ontology(None)
    Session(build(page, ontology), make_backend("offline")).ask("what was the change in net sales?")


class DeskHere:
    """The conversations of this process."""

    def __init__(self, shelf: Shelf, plan: Plan) -> None:
        self._shelf, self._plan = shelf, plan
        self._seats: dict[str, _Seat] = {}

    @cached_property
    def _shared(self) -> Backend:
        """The backend of all conversations, where it calculates."""
        return Remembered(make_backend(self._plan.backend))

    def prepare(self, source: Source) -> None:
        """As Desk has it."""
        there = self._shelf.open([source])
        if isinstance(there, Reports):
            there.card()
            self._shelf.loaded(source).store  # noqa: B018 - is filled when first asked

    def begin(
        self, key: str, sources: Sequence[Source], names: Sequence[str], turns: Sequence[Turn] = (), number: int = 1
    ) -> None:
        """As Desk has it."""
        backend = self._shared if self._plan.calculates else make_backend(self._plan.backend)
        self._seats[key] = _Seat(key, sources, names, self._shelf, self._plan, backend, turns, number)

    def ask(self, key: str, question: str, meant: str, told: Told | None = None, said: Said | None = None) -> Turn:
        """As Desk has it."""
        seat = self._seats[key]
        seat.stopped.clear()
        seat.told = told
        if hasattr(seat.backend, "on_text"):
            seat.backend.on_text = said
        usual = seat.session.backend
        try:
            if meant:
                seat.session.backend = Correction(meant)
            return seat.session.ask(question)
        finally:
            seat.told, seat.session.backend = None, usual

    def stop(self, key: str) -> None:
        """As Desk has it."""
        if key in self._seats:
            self._seats[key].stopped.set()

    def end(self, key: str) -> None:
        """As Desk has it."""
        seat = self._seats.pop(key, None)
        if seat is not None:
            seat.close()

    def close(self) -> None:
        """As Desk has it."""
        for key in list(self._seats):
            self.end(key)
