"""One conversation of a run: its graph, its session, its log. What answers never sees a gold program."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from math import inf, isinf
from pathlib import Path
from typing import Any

from tieout.agent.backends.choose import make_backend
from tieout.agent.backends.endpoint import Endpoint
from tieout.agent.backends.prices import Prices
from tieout.agent.log.log import FIRST, Log, LogError
from tieout.agent.log.recorded import read_conversation
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Backend
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document
from tieout.eval.run.layers import Place, Places
from tieout.eval.run.logs import check_question, cut_back
from tieout.eval.run.manifest import RunError, share_lock
from tieout.eval.run.message_batches import with_replies
from tieout.eval.run.reports import KeptReports, Shelf
from tieout.kg.build import build
from tieout.ontology.model import Ontology

# Outcomes that, where the first turn has them, every further one will have too: only the user can change that.
REFUSED = frozenset({"no key", "unauthorized", "forbidden", "not found", "unreachable"})
BAD_LOG = "bad log"  # the outcome of a turn whose reply was to come from a log that is damaged


class Stopped(Exception):  # noqa: N818 - no error: the run can be gone on with
    """The run has used up what it was allowed, or its endpoint answers nobody."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Of a run. deadline: by `time.time()`. usd: dollars. None for no limit. before: `dollars` of earlier attempts."""

    deadline: float | None = None
    usd: float | None = None
    before: float = 0.0

    def reached(self, spent: float) -> str | None:
        """What is used up, in words, or None. spent: `dollars` of this attempt, of all processes."""
        if self.deadline is not None and time.time() >= self.deadline:
            return "the seconds of --max-seconds are used up"
        if self.usd is not None and isinf(self.before + spent):
            return "a reply has no known price, so that --max-usd cannot be kept"
        if self.usd is not None and self.before + spent >= self.usd:
            return f"the {self.usd:g} dollars of --max-usd are used up"
        return None

    def check_price(self, backend: Backend) -> None:
        """Raises PriceError where dollars are limited and the price of the model is not known."""
        if self.usd is not None and isinstance(backend, Endpoint):
            Prices.load().require(backend.options.model)


def dollars(usd: Decimal | None) -> float:
    """What counts against a limit: an unknown cost is more than any."""
    return inf if usd is None else float(usd)


@dataclass(frozen=True, slots=True)
class Setup:
    """What all conversations of a run share. ontology: file. replies: see `tieout.eval.run.batch`. origin: hashes for
    the log.

    lock: see `share_lock`. shelf: where the whole reports are that questions are about. beside: see
    `tieout.eval.run.manifest.Beside`, as JSON.
    """

    backend: str
    ontology: Path
    settings: Mapping[str, Any]
    replies: Path
    origin: Mapping[str, str]
    lock: Path
    limits: Limits
    shelf: Shelf
    beside: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """One conversation to run. independent, reports: see Conversation. given: the answers that stand in the history
    instead of our own, empty for our own.

    starts: what its log may begin with, what a new one begins with last.
    """

    log: Path
    document: Document
    questions: tuple[str, ...]
    independent: bool
    given: tuple[Decimal | str, ...] = ()
    starts: tuple[str, ...] = (FIRST,)
    reports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """Turns of a conversation that are over, and what they cost, None where a price is not known."""

    conversation: str
    turns: int
    usd: Decimal | None = Decimal(0)


def ready_backend(name: str, limits: Limits) -> Backend:
    """The backend. Raises BackendNameError, BackendError, LogError, PriceError where it could not be asked."""
    made = make_backend(name)
    limits.check_price(made)
    return made


class Worker:
    """Runs conversations, in turn or in several threads; to be closed. Raises OntologyError and what `ready_backend`
    raises."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.ontology = Ontology.load(setup.ontology)
        made = ready_backend(setup.backend, setup.limits)
        self.endpoint = made if isinstance(made, Endpoint) else None
        if self.endpoint is not None:
            self.endpoint.bounds.deadline = setup.limits.deadline
        self.backend = with_replies(made, setup.replies)
        self.settings = Settings.model_validate(setup.settings)
        self.places = None if setup.beside is None else Places(setup.beside)
        self.accepted = False  # whether the endpoint has taken a turn
        self._reports = KeptReports(setup.shelf)

    def close(self) -> None:
        """Closes the connections of the backend, the store of reports, and the data."""
        self._reports.close()
        if self.places is not None:
            self.places.close()
        if self.endpoint is not None:
            self.endpoint.close()

    def halt(self) -> None:
        """Lets nothing wait for the endpoint any more: what is under way ends with Halted."""
        if self.endpoint is not None:
            self.endpoint.bounds.halt()

    @classmethod
    def in_own_process(cls, setup: Setup) -> Worker:
        """The same for a process that was started for it: the run stays locked until it ends."""
        share_lock(setup.lock)
        return cls(setup)

    def run(self, job: Job, spent: Callable[[], float]) -> Iterator[Progress]:
        """Goes on behind the turns that the log has, to the end of the conversation, and tells of every turn it makes.

        Raises LogError where the log cannot be read or written, and where one that is replayed is damaged; RunError
        where the folder of the run is gone; Stopped before a turn when a limit of the run is reached, and where the
        endpoint refuses the first turn it is asked, or a limit lets a turn come to no reply: that turn is asked again.
        """
        limits = self.setup.limits
        about = job.document
        graph = self._reports.open(job.reports, about.id) if job.reports else build(about, self.ontology)
        if not self.setup.ontology.exists():
            raise RunError(f"{str(self.setup.ontology)!r} was removed while the run was under way")
        with Log(job.log, job.starts[-1]):
            cut_back(job.log, job.starts)
        with Log(job.log, job.starts[-1]) as log:
            before = _turns_before(job)
            place = Place(None, None) if self.places is None else self.places.at(graph)
            session = Session(
                graph,
                place.backend(self.backend),
                self.settings,
                log,
                origin=self.setup.origin,
                document=None if job.reports else job.document,
                independent=job.independent,
                resumed=before,
                stop=lambda: limits.reached(spent()),
                bench=place.desk,
                memory=place.memory,
            )
            for index in range(len(before), len(job.questions)):
                if reason := limits.reached(spent()):
                    raise Stopped(reason)
                turn = session.ask(job.questions[index], job.given[index] if job.given else None)
                if self.endpoint is not None and not self.accepted and turn.outcome in REFUSED:
                    _break_off(job.log)
                    raise Stopped(f"{turn.outcome}: {turn.message}")
                if turn.outcome == "limit" and not turn.model_calls and (reason := limits.reached(spent())):
                    _break_off(job.log)  # the run's own limit let it come to nothing
                    raise Stopped(reason)
                if turn.outcome == BAD_LOG:
                    _break_off(job.log)
                    raise LogError(turn.message)
                self.accepted = True
                yield Progress(job.document.id, 1, turn.usd)
            session.close()


def _turns_before(job: Job) -> tuple[Turn, ...]:
    turns = read_conversation(job.log, job.document.id, job.starts).turns
    for turn, question in zip(turns, job.questions, strict=False):
        check_question(job.log, turn, question)
    return turns


def _break_off(log: Path) -> None:
    """Takes the last line of a log away, the end of its turn, so that the turn counts as broken off."""
    os.truncate(log, log.read_bytes().rfind(b"\n", 0, -1) + 1)
