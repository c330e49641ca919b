"""The backend that plays a log back: the same request gets the recorded reply, without key or network.

`replay:LOG,match=question` plays it to other instructions, tools and views too: each question gets the replies that
were given to it, so that what another version of them makes of the same replies is seen.
"""

from __future__ import annotations

import threading
from collections import defaultdict, deque
from collections.abc import Iterable
from pathlib import Path

from tieout.agent.log.events import Event, Fingerprint, ModelCalled, ModelFailed
from tieout.agent.log.fingerprint import fingerprint
from tieout.agent.log.log import LogError, is_log, log_path, read_events
from tieout.agent.log.recorded import read_conversation
from tieout.agent.protocol.message import BackendError, Reply, Request

BY_QUESTION = ",match=question"


def replayed(name: str) -> tuple[Path, bool]:
    """The log or folder that stands behind `replay:`, and whether the question alone has to be the recorded one."""
    return Path(name.removesuffix(BY_QUESTION)), name.endswith(BY_QUESTION)


class ReplayBackend:
    """Gives the replies of a log, or of all logs in the folder of a run, to the requests they were given to.

    A request that was never recorded raises BackendError `not recorded`, saying which part of it differs from the
    recorded one; by_question: only the question and the number of the call have to be those of a recorded one. A call
    that failed when it was recorded fails again in the same way. Raises LogError at once for a file that is no log and
    a folder that holds none.
    """

    def __init__(self, path: Path, *, by_question: bool = False) -> None:
        if not path.exists():
            raise LogError(f"there is no log {str(path)!r} to replay")
        if not any(map(is_log, path.glob("*.jsonl") if path.is_dir() else (path,))):
            why = "holds no log" if path.is_dir() else "is no event log"
            raise LogError(f"{str(path)!r} {why}: name a log, or the folder of one run")
        self.name = f"replay:{path}{BY_QUESTION if by_question else ''}"
        self.path = path
        self._by_question = by_question
        self._tapes = threading.local()  # one conversation at a time in each thread: memory stays flat over a large run

    def reply(self, request: Request) -> Reply:
        """The recorded reply. Raises BackendError."""
        return self._tape(request.card.document_id).reply(request)

    def _tape(self, document: str) -> _Tape:
        if getattr(self._tapes, "document", None) != document:
            file = log_path(self.path, document) if self.path.is_dir() else self.path
            if not file.exists():
                raise BackendError("not recorded", f"{str(self.path)!r} has no conversation about {document!r}")
            try:
                of_a_run = file != self.path
                events = read_conversation(file, document).events if of_a_run else read_events(file)
                self._tapes.tape = _Tape(events, self._by_question)
            except LogError as error:
                raise BackendError("bad log", str(error)) from error
            self._tapes.document = document
        tape: _Tape = self._tapes.tape
        return tape


class _Tape:
    """The calls of one conversation, each to be played once; the last of equal ones again and again.

    by_question: calls are equal that are as many calls behind the same question, whatever the model was told beside it.
    """

    def __init__(self, events: Iterable[Event], by_question: bool) -> None:
        self._by_question = by_question
        self._calls: dict[Fingerprint | tuple[str, int], deque[ModelCalled | ModelFailed]] = defaultdict(deque)
        self._in_order: dict[tuple[int, int], Fingerprint] = {}
        for event in events:
            if isinstance(event, ModelCalled | ModelFailed):
                self._calls[self._key(event.request, event.call)].append(event)
                self._in_order[event.turn, event.call] = event.request

    def _key(self, request: Fingerprint, call: int) -> Fingerprint | tuple[str, int]:
        return (request.question, call) if self._by_question else request

    def reply(self, request: Request) -> Reply:
        wanted = fingerprint(request)
        calls = self._calls.get(self._key(wanted, len(request.exchanges)))
        if not calls:
            raise BackendError("not recorded", self._difference(request, wanted))
        call = calls.popleft() if len(calls) > 1 else calls[0]
        if isinstance(call, ModelFailed):
            raise BackendError(call.outcome, call.message, call.detail)
        return call.reply

    def _difference(self, request: Request, wanted: Fingerprint) -> str:
        turn, call = len(request.history), len(request.exchanges)
        if self._by_question:
            return f"the log has no call {call + 1} of this question"
        recorded = self._in_order.get((turn, call))
        if recorded is None:
            return f"the log has no call {call + 1} in turn {turn + 1}"
        parts = [part for part, value in wanted if value != getattr(recorded, part)]
        told = f"call {call + 1} of turn {turn + 1} is not the recorded one, they differ in {', '.join(parts)}"
        return told if "question" in parts else f"{told}: `replay:LOG{BY_QUESTION}` plays it none the less"
