"""Where work on many files is done: by threads here, each with a process of its own, or by the workers of Dask.

A task is a function of values that can be sent, and writes its result itself where all find it: what comes back is
small, and what was done is found done by who asks again, whoever was ended meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import ExitStack
from functools import partial
from itertools import islice
from threading import Event
from typing import Any, TypeVar

from tieout.data.readers.apart import several

WAITING = 2  # tasks for each worker that are under way: what is read does not pile up in memory
DASK = "dask"
AGAIN = 1  # times that a task is tried again whose worker was ended
Task = TypeVar("Task")
Made = TypeVar("Made")


class EngineError(ValueError):
    """An engine that there is not, is not installed, or is not reached."""


class Lost(str):
    """Why a task came to nothing: it ended its workers."""


def run_tasks(
    work: Callable[..., Made], tasks: Sequence[Task], jobs: int = 1, engine: str = ""
) -> Iterator[tuple[Task, Made | Lost]]:
    """Each task with what work gives for it, in the order in which they end.

    work: called with a task, and with `stop`, set when nobody waits any more, where it is one of several here. engine:
    "" for threads here, `dask` for workers here, `dask://HOST:PORT` for those of a scheduler. Raises EngineError, and
    what work raises.
    """
    if engine:
        yield from _on_dask(work, tasks, jobs, engine)
    elif jobs == 1 or len(tasks) < 2:
        yield from ((task, work(task)) for task in tasks)
    else:
        yield from _in_threads(work, tasks, min(jobs, len(tasks)))


def check_engine(engine: str) -> None:
    """Raises EngineError for an engine that there is not."""
    name, _, address = engine.partition("://")
    if engine and (name != DASK or (address == "") != (engine == DASK)):
        raise EngineError(f"there is no engine {engine!r}: it is {DASK} or {DASK}://HOST:PORT")


def _in_threads(work: Callable[..., Made], tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Made]]:
    todo = iter(tasks)
    with several(jobs) as (threads, stop):
        running: dict[Future[Made], Task] = {}
        _start(threads.submit, work, islice(todo, jobs * WAITING), stop, running)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                task = running.pop(future)
                _start(threads.submit, work, islice(todo, 1), stop, running)
                yield task, future.result()


def _start(
    submit: Callable[..., Future[Made]],
    work: Callable[..., Made],
    tasks: Iterable[Task],
    stop: Event,
    running: dict[Future[Made], Task],
) -> None:
    for task in tasks:
        running[submit(partial(work, task, stop=stop))] = task


def _on_dask(
    work: Callable[..., Made], tasks: Sequence[Task], jobs: int, engine: str
) -> Iterator[tuple[Task, Made | Lost]]:
    """A task that ends its worker is tried again, elsewhere; one that ends that too is given up."""
    check_engine(engine)
    try:
        import dask
        import distributed
    except ImportError as error:
        raise EngineError("--engine needs the extra `cluster`: pip install 'tieout[cluster]'") from error
    # Workers are no daemons: each reads a file in a process of its own, which is bounded.
    settings = {"distributed.scheduler.allowed-failures": AGAIN, "distributed.worker.daemon": False}
    with ExitStack() as stack:
        stack.enter_context(dask.config.set({**settings, "distributed.logging.distributed": "critical"}))
        here: dict[str, Any] = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": None}
        try:
            place = engine.partition("://")[2] or stack.enter_context(distributed.LocalCluster(**here))
            client = stack.enter_context(distributed.Client(place, set_as_default=False))
        except (OSError, ValueError) as error:
            raise EngineError(f"the engine {engine!r} is not reached: {' '.join(str(error).split())[:200]}") from error
        futures = {client.submit(work, task, pure=False): task for task in tasks}
        for future in distributed.as_completed(list(futures), loop=client.loop):
            task = futures.pop(future)
            try:
                yield task, future.result()
            except distributed.KilledWorker:
                yield task, Lost(f"reading it ended {AGAIN + 1} workers")
