"""Work on files that nobody here wrote, in a process of its own, which is ended where it takes more than its budget.

What a parser of another language does cannot be stopped from inside: its time, its memory and its crashes are bounded
by the process. It is no sandbox against a parser that was taken over.
"""

from __future__ import annotations

import faulthandler
import gc
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tieout.data.limits import Budget, SizeError
from tieout.data.readers.progress import heard, tell
from tieout.data.system.processes import end_with_parent, forking, start

if TYPE_CHECKING:
    import psutil

LOADED = ["tieout.data.readers.html.report", "tieout.kg.build"]  # beside the work, by the process to fork from
LOOK = 0.02  # seconds between two looks at a process
PATIENCE = 20  # times its seconds of a processor that may pass by the clock: a machine has other work too
DAMAGED = "it is damaged or made to do harm: save it again with the program that made it"
Given = TypeVar("Given")


class EndedError(SizeError):
    """Work that was ended for what it took, or that ended its process. The message says why, and the way out."""


_asked_by: Connection | None = None  # in such a process: who waits for it
_is_one_of_many = False  # of such processes at the same time: they have the cores


def is_apart() -> bool:
    """Whether this is a process that another one bounds, or that may have none of its own."""
    return _asked_by is not None or multiprocessing.current_process().daemon


def answer_to(pipe: Connection, *, one_of_many: bool = False) -> None:
    """Makes this a process that is bounded: whoever has the other end of the pipe watches it, and hears ("more",
    seconds) and ("helper", process). What a parser prints is not seen; how it crashes is told by who watches."""
    global _asked_by, _is_one_of_many
    _asked_by, _is_one_of_many = pipe, one_of_many
    faulthandler.disable()
    with Path(os.devnull).open("wb") as nothing:  # a parser prints what it likes; what is wrong goes over the pipe
        for stream in (1, 2):
            os.dup2(nothing.fileno(), stream)


def ask_for(seconds: float) -> None:
    """Asks for more seconds of a processor, for work that is long by its nature; up to what the budget has at most."""
    if _asked_by is not None:
        _asked_by.send(("more", seconds))


def may_have_helper() -> bool:
    """Whether this process is watched, so that another one that it starts is watched with it, and is alone."""
    return _asked_by is not None and not _is_one_of_many


def has_helper(process: int) -> None:
    """Tells who watches this process of another one that it has started: what both take is bounded."""
    if _asked_by is not None:
        _asked_by.send(("helper", process))


def run(
    work: Callable[..., Given],
    *arguments: Any,  # noqa: ANN401 - for work
    budget: Budget,
    behind: int = 0,
    stop: threading.Event | None = None,
) -> Given:
    """What work gives for these arguments, all of which can be pickled. Raises what work raises, and EndedError.

    behind: how much less often than this process it comes to run, as in nice(2). stop: set where nobody waits any more.
    """
    if is_apart():
        return work(*arguments)
    with _without_script():
        pipe, process = start(_work, work, arguments, behind, stop is not None, context=_context(work.__module__))
    try:
        given: Given = _received(pipe, process, budget, stop)
        return given
    finally:
        process.kill()
        process.join()
        pipe.close()


def _context(module: str) -> BaseContext:
    """How such a process is made: forked from this one where that is safe, which is many times as quick."""
    can_fork = sys.platform == "linux" and "fork" in multiprocessing.get_all_start_methods()
    if can_fork and threading.active_count() == 1:
        return multiprocessing.get_context("fork")
    return forking([*LOADED, module])


_STARTING = threading.Lock()


@contextmanager
def _without_script() -> Iterator[None]:
    """Keeps multiprocessing from running the caller's script once more in the new process: what runs there is ours."""
    with _STARTING:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = type(sys)("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def _received(pipe: Connection, process: BaseProcess, budget: Budget, stop: threading.Event | None) -> Any:  # noqa: ANN401
    watch = Watch(process, budget)
    try:
        while True:
            while not pipe.poll(LOOK):
                watch.look()
                if stop is not None and stop.is_set():
                    raise EndedError("it was stopped")
            kind, *values = pickle.loads(pipe.recv_bytes())  # of our own process
            match kind:
                case _ if watch.hears(kind, values):
                    continue
                case "gives":
                    return values[0]
                case "pages":
                    tell(*values)
                case _:
                    error, trace = values
                    error.add_note(trace)
                    raise error
    except (EOFError, ConnectionError):
        process.join()
        raise EndedError(how_ended(process.exitcode or 0)) from None


class Watch:
    """Looks at what a process takes from now on, with its helper: each has its seconds, both have the memory."""

    def __init__(self, process: BaseProcess, budget: Budget) -> None:
        import time

        import psutil

        self._clock, self._gone = time.monotonic, psutil.NoSuchProcess
        self._began = self._clock()
        self._seconds, self._budget = budget.seconds, budget
        self._process: psutil.Process | None = None
        self._helpers: list[psutil.Process] = []
        self._before, self._used = 0, 0.0
        try:
            self._process = psutil.Process(process.pid)
            self._before = self._process.memory_info().rss  # a forked process has what this one has
            self._used = _processor(self._process)
        except psutil.NoSuchProcess:
            pass  # it has ended already: the pipe tells how

    def hears(self, kind: str, values: Sequence[Any]) -> bool:
        """Whether what the process sends is for who watches it: it gives it more time, and looks at its helper too."""
        import psutil

        if kind == "more":
            self._seconds = min(self._seconds + values[0], self._budget.most_seconds)
        elif kind == "helper":
            with suppress(psutil.NoSuchProcess):  # it has ended already
                self._helpers.append(psutil.Process(values[0]))
        return kind in ("more", "helper")

    def look(self) -> None:
        """Raises EndedError where it takes more than its budget."""
        if self._process is None:
            return
        try:
            with self._process.oneshot():
                used, memory = _processor(self._process) - self._used, self._process.memory_info().rss - self._before
        except self._gone:
            return
        for helper in self._helpers:
            with suppress(self._gone):
                used, memory = max(used, _processor(helper)), memory + helper.memory_info().rss
        if used > self._seconds or self._clock() - self._began > PATIENCE * self._seconds:
            raise EndedError(self._budget.time_told(self._seconds))
        if memory > self._budget.memory:
            raise EndedError(self._budget.memory_told())


def _processor(process: psutil.Process) -> float:
    """The seconds of a processor that a process has had."""
    times = process.cpu_times()
    return float(times.user + times.system)


def how_ended(code: int) -> str:
    """Why a process ended that gave nothing, by its exit code."""
    if code >= 0:
        return f"what reads it ended with exit code {code}; {DAMAGED}"
    name = signal.Signals(-code).name if -code in {each.value for each in signal.Signals} else f"signal {-code}"
    if name == "SIGKILL":
        return "what reads it was ended by SIGKILL, as when the machine has no memory left"
    return f"what reads it was ended by {name}; {DAMAGED}"


def _work(
    pipe: Connection, work: Callable[..., object], arguments: tuple[Any, ...], behind: int, one_of_many: bool
) -> None:
    """What the process does."""
    end_with_parent(behind)
    answer_to(pipe, one_of_many=one_of_many)
    gc.freeze()  # what was there before is not looked through for what can be let go, and so not copied
    try:
        with heard(lambda done, of: pipe.send(("pages", done, of))):
            reply = pickle.dumps(("gives", work(*arguments)), pickle.HIGHEST_PROTOCOL)
    except MemoryError:
        reply = pickle.dumps(("raises", EndedError("there is not enough memory to read it"), ""))
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is raised again by whoever waits
        reply = _raised(error)
    pipe.send_bytes(reply)


def _raised(error: BaseException) -> bytes:
    """An error as it goes over the pipe; one that cannot as what Python prints of it."""
    trace = "".join(traceback.format_exception(error))
    try:
        reply = pickle.dumps(("raises", error, trace))
        pickle.loads(reply)
    except Exception:  # noqa: BLE001 - nothing is hidden: it is told in words
        return pickle.dumps(("raises", RuntimeError(trace), ""))
    return reply
