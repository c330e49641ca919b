"""Conversations spread over processes, one at a time to each, so that memory stays flat however many there are. Those
that wait for an endpoint share one: see `tieout.eval.run.threads`."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from multiprocessing.sharedctypes import Synchronized
from threading import Event
from typing import cast

from tieout.data.system.engine import Lost, run_tasks
from tieout.data.system.processes import forking, start
from tieout.eval.run.manifest import RunError
from tieout.eval.run.work import Job, Progress, Setup, Stopped, Worker, dollars

AT_AN_ENDPOINT = (
    "anthropic:",
    "openai:",
)  # how the names of backends begin that wait for a network and do not calculate
LOADED = ["tieout.eval.run.processes", "tieout.agent.offline.backend"]
_IDLE = None  # what a process says when it wants another conversation


class ProcessError(RuntimeError):
    """A fault of ours in a process, with its traceback."""


def run_jobs(setup: Setup, jobs: Iterator[Job], workers: int, engine: str = "") -> Iterator[Progress]:
    """Runs all jobs in this process, in several threads of it where an endpoint is waited for, or in several processes,
    and tells of every turn as it is over; by an engine, as `run_tasks` has it, of every conversation.

    The log of a conversation does not depend on the number of workers. Raises what Worker raises, RunError when a
    process is killed; of an engine's where a conversation ended two, once all others are over.
    """
    if engine:
        yield from _by_engine(setup, jobs, workers, engine)
    elif workers == 1:
        yield from _here(setup, jobs)
    elif setup.backend.startswith(AT_AN_ENDPOINT):
        from tieout.eval.run.threads import run_in_threads

        yield from run_in_threads(setup, jobs, workers)
    else:
        yield from _Pool(setup, workers).run(jobs)


def _here(setup: Setup, jobs: Iterator[Job]) -> Iterator[Progress]:
    spent = 0.0
    with closing(Worker(setup)) as worker:
        for job in jobs:
            for progress in worker.run(job, lambda: spent):  # noqa: B023 - called before the next round
                spent += dollars(progress.usd)
                yield progress


def _by_engine(setup: Setup, jobs: Iterator[Job], workers: int, engine: str) -> Iterator[Progress]:
    lost = []
    for job, made in run_tasks(partial(_conversation, setup), jobs, workers, engine):
        if isinstance(made, Lost):
            lost.append(f"{job.document.id}: {made}")
        else:
            yield from made
    if lost:
        raise RunError("; ".join(lost))


def _conversation(setup: Setup, job: Job, stop: Event | None = None) -> list[Progress]:
    """Runs a conversation, and lets go of all that it needed: who runs it may be of another run next."""
    with closing(Worker(setup)) as worker:
        return list(worker.run(job, lambda: 0.0))


class _Pool:
    """Processes that wait for one job at a time, and end when their pipe closes, also when this process is killed."""

    def __init__(self, setup: Setup, workers: int) -> None:
        self.spent: Synchronized[float] = forking(LOADED).Value("d", 0.0)
        self.pipes: dict[Connection, BaseProcess] = {}
        self.stopped: Stopped | None = None
        for _ in range(workers):
            pipe, process = start(_serve_jobs, setup, self.spent, loaded=LOADED)
            self.pipes[pipe] = process

    def run(self, jobs: Iterator[Job]) -> Iterator[Progress]:
        try:
            while self.pipes:
                for pipe in wait(list(self.pipes)):
                    yield from self._serve(cast(Connection, pipe), jobs)
            if self.stopped is not None:
                raise self.stopped
        finally:
            for process in self.pipes.values():
                process.terminate()
            for pipe, process in self.pipes.items():
                process.join()
                pipe.close()

    def _serve(self, pipe: Connection, jobs: Iterator[Job]) -> Iterator[Progress]:
        try:
            said = pipe.recv()
        except EOFError:
            raise RunError("a process of the run was ended from outside; the same command goes on") from None
        if isinstance(said, Stopped):
            self.stopped = said  # what stops one stops all: the others end their turn under way, which is paid for
            self._dismiss(pipe)
        elif isinstance(said, BaseException):
            raise said
        elif said is not _IDLE:
            yield said
        else:
            job = None if self.stopped else next(jobs, None)
            pipe.send(job)
            if job is None:
                self._dismiss(pipe)

    def _dismiss(self, pipe: Connection) -> None:
        self.pipes.pop(pipe).join()
        pipe.close()


def _serve_jobs(pipe: Connection, setup: Setup, spent: Synchronized[float]) -> None:
    """What a process does: asks for a job, runs it, tells of every turn, until there is none or nobody listens."""

    with suppress(EOFError, BrokenPipeError):
        try:
            with closing(Worker.in_own_process(setup)) as worker:
                pipe.send(_IDLE)
                while (job := pipe.recv()) is not None:
                    for progress in worker.run(job, lambda: spent.value):
                        with spent.get_lock():
                            spent.value += dollars(progress.usd)
                        pipe.send(progress)
                    pipe.send(_IDLE)
        except (ValueError, OSError, Stopped) as error:
            pipe.send(error)
        except Exception:  # noqa: BLE001 - goes to the main process, which raises it
            pipe.send(ProcessError(traceback.format_exc()))
