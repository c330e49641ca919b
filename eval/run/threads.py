"""Conversations that wait for an endpoint, several at a time in one process: waiting needs a thread, not a process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from queue import SimpleQueue

from tieout.agent.backends.bounds import Halted
from tieout.eval.run.work import Job, Progress, Setup, Stopped, Worker, dollars

_PATIENCE = 5.0  # seconds for threads to leave what they wait for; those that do not end with the process

_Told = Progress | BaseException | None  # None: a thread has ended


def run_in_threads(setup: Setup, jobs: Iterator[Job], workers: int) -> Iterator[Progress]:
    """Runs all jobs, and tells of every turn as it is over. Raises what Worker raises."""
    with closing(Worker(setup)) as worker:
        yield from _Crew(worker, jobs).run(workers)


class _Crew:
    """Threads that share one worker and take one job after the other."""

    def __init__(self, worker: Worker, jobs: Iterator[Job]) -> None:
        self._worker = worker
        self._jobs = jobs
        self._lock = threading.Lock()  # of jobs, which are read from files, of spent and of leaving
        self._spent = 0.0
        self._leaving = False
        self._told: SimpleQueue[_Told] = SimpleQueue()

    def run(self, workers: int) -> Iterator[Progress]:
        """Tells of turns until every thread has ended. What stops one stops all: the others end their turn under way,
        which is paid for. A fault, or nobody who listens any more, ends them at once."""
        threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]
        stopped: Stopped | None = None
        for thread in threads:
            thread.start()
        try:
            left = workers
            while left:
                told = self._told.get()
                if told is None:
                    left -= 1
                elif isinstance(told, Stopped):
                    stopped = told
                elif isinstance(told, BaseException):
                    raise told
                else:
                    yield told
        finally:
            self._leave()
            self._worker.halt()
            until = time.monotonic() + _PATIENCE
            for thread in threads:
                thread.join(max(0.0, until - time.monotonic()))
        if stopped is not None:
            raise stopped

    def _work(self) -> None:
        try:
            while (job := self._next()) is not None:
                for progress in self._worker.run(job, lambda: self._spent):
                    with self._lock:
                        self._spent += dollars(progress.usd)
                    self._told.put(progress)
        except Halted:
            pass
        except BaseException as error:  # noqa: BLE001 - the thread that listens raises it
            self._leave()
            self._told.put(error)
        finally:
            self._told.put(None)

    def _next(self) -> Job | None:
        with self._lock:
            return None if self._leaving else next(self._jobs, None)

    def _leave(self) -> None:
        with self._lock:
            self._leaving = True
