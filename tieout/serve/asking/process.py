"""A desk in a process of its own: what calculates for seconds holds up nobody else, and uses a core of its own."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tieout.agent.log.turn import Turn
from tieout.data.system.processes import start
from tieout.serve.asking.desk import DeskHere, Plan, Said, Told, warm
from tieout.serve.asking.reading import LOADED
from tieout.serve.asking.shelf import Shelf, Source

AT_ONCE = 8  # questions that one process has under way where it waits for an endpoint
MOST_PROCESSES = 4
ENDED = "the process that answered was ended from outside: ask again"


class DeskError(ConnectionError):
    """A process that answered questions is gone, or says something that nobody can read."""


def processes() -> int:
    """How many processes answer questions: one for each core, within reason."""
    return max(1, min(MOST_PROCESSES, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2))


@dataclass(slots=True)
class _Asked:
    """What waits for a reply, and who hears meanwhile."""

    reply: Future[Any]
    told: Told | None = None
    said: Said | None = None


class DeskProcess:
    """The desk of another process. Close it."""

    def __init__(self, folder: Path, plan: Plan, lake: Path | None = None) -> None:
        """folder, lake: of the shelf."""
        self._pipe, self._process = start(_work, folder, plan, lake, loaded=LOADED)
        self._numbers = count()
        self._waiting: dict[int, _Asked] = {}
        self._lock = threading.Lock()
        self.is_alive = True
        self._listener = threading.Thread(target=self._listen, name="desk", daemon=True)
        self._listener.start()

    def prepare(self, source: Source) -> None:
        """As Desk has it; nobody waits for it."""
        with suppress(DeskError):
            self._send((next(self._numbers), "prepare", (source,), False))

    def begin(
        self, key: str, sources: Sequence[Source], names: Sequence[str], turns: Sequence[Turn] = (), number: int = 1
    ) -> None:
        """As Desk has it. Raises DeskError."""
        self._call("begin", (key, tuple(sources), tuple(names), tuple(turns), number))

    def ask(self, key: str, question: str, meant: str, told: Told | None = None, said: Said | None = None) -> Turn:
        """As Desk has it. Raises DeskError."""
        turn: Turn = self._call("ask", (key, question, meant), told, said)
        return turn

    def stop(self, key: str) -> None:
        """As Desk has it."""
        with suppress(DeskError):
            self._send((next(self._numbers), "stop", (key,), False))

    def end(self, key: str) -> None:
        """As Desk has it."""
        with suppress(DeskError):
            self._call("end", (key,))

    def close(self) -> None:
        """Ends the process, once it has ended its conversations."""
        self.is_alive = False
        with suppress(DeskError):
            self._send(None)
        self._process.join(3)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._listener.join()
        self._pipe.close()

    def _call(self, name: str, arguments: tuple[Any, ...], told: Told | None = None, said: Said | None = None) -> Any:  # noqa: ANN401 - what the other process gives
        number, asked = next(self._numbers), _Asked(Future(), told, said)
        self._waiting[number] = asked
        try:
            self._send((number, name, arguments, told is not None))
            return asked.reply.result()
        finally:
            self._waiting.pop(number, None)

    def _send(self, message: object) -> None:
        with self._lock:
            try:
                self._pipe.send(message)
            except OSError as error:
                self.is_alive = False  # known here before the listener hears of it
                raise DeskError(ENDED) from error
        if not self.is_alive and message is not None:
            raise DeskError(ENDED)

    def _listen(self) -> None:
        with suppress(EOFError, OSError, pickle.UnpicklingError):
            while True:
                number, kind, value = self._pipe.recv()
                asked = self._waiting.get(number)
                if asked is None:
                    continue
                if kind == "event" and asked.told is not None:
                    asked.told(value)
                elif kind == "said" and asked.said is not None:
                    asked.said(value)
                elif kind == "failed":
                    asked.reply.set_exception(value)
                elif kind == "done":
                    asked.reply.set_result(value)
        self.is_alive = False
        for asked in list(self._waiting.values()):
            if not asked.reply.done():
                asked.reply.set_exception(DeskError(ENDED))


def _work(pipe: Connection, folder: Path, plan: Plan, lake: Path | None) -> None:
    """What the process does: answers what is asked over the pipe, until it closes or nothing more is to come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    desk = DeskHere(Shelf(folder, lake), plan)
    if plan.calculates:
        warm()
        gc.freeze()  # what was loaded stays, as do the reports: to look through it all again and again took a tenth
        gc.set_threshold(200_000, 50, 100)  # less than a question makes is not worth a look
    lock = threading.Lock()

    def reply(number: int, kind: str, value: object) -> None:
        with lock, suppress(OSError):
            pipe.send((number, kind, value))

    def work(number: int, name: str, arguments: tuple[Any, ...], listens: bool) -> None:
        more: tuple[Any, ...] = ()
        if listens:
            more = (lambda event: reply(number, "event", event), lambda text: reply(number, "said", text))
        try:
            reply(number, "done", getattr(desk, name)(*arguments, *more))
        except Exception as error:  # noqa: BLE001 - goes to the process that serves, which raises it
            reply(number, "failed", _as_sent(error))

    with ThreadPoolExecutor(1 if plan.calculates else AT_ONCE) as pool, suppress(EOFError, OSError):
        while (message := pipe.recv()) is not None:
            if message[1] == "stop":
                desk.stop(*message[2])
            else:
                pool.submit(work, *message)
    with suppress(OSError):
        desk.close()


def _as_sent(error: Exception) -> Exception:
    """The error as the other process can read it."""
    try:
        again = pickle.loads(pickle.dumps(error))
    except Exception:  # noqa: BLE001 - an error whose parts cannot be sent is told in words
        return DeskError(f"{type(error).__name__}: {error}")
    return error if str(again) == str(error) else DeskError(str(error))
