"""Where work on many files is done: by threads here, each with a process of its own, or by the workers of Dask.

A task is a function of values that can be sent, and writes its result itself where all find it: what comes back is
small, and what was done is found done by who asks again, whoever was ended meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from itertools import chain, islice
from threading import Event
from typing import Any, TypeVar

import click

WAITING = 2  # tasks for each worker that are under way: what is read does not pile up in memory
DASK = "dask"
UNTIL_STARTED = 30  # seconds in which a worker that was ended is there again
LOST = "the scheduler was lost: the same command goes on with what is left"
Task = TypeVar("Task")
Made = TypeVar("Made")
_Submit = Callable[[Any, Any], "Future[Any]"]


class EngineError(ValueError):
    """An engine that there is not, is not installed, is not reached, or was lost."""


class Lost(str):
    """Why a task came to nothing: it ended its workers."""


engine_option = click.option(
    "--engine", default="", metavar="NAME", help="Work on Dask: dask, or dask://HOST:PORT of a scheduler."
)


def jobs_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options --jobs and --engine, which `run_tasks` takes."""
    jobs = click.IntRange(1, 64)
    asked = click.option("--jobs", type=jobs, default=1, show_default=True, help="Processes at a time.")
    return asked(engine_option(command))


def run_tasks(
    work: Callable[..., Made], tasks: Iterable[Task], jobs: int = 1, engine: str = ""
) -> Iterator[tuple[Task, Made | Lost]]:
    """Each task with what work gives for it, in the order in which they end.

    work: called with a task, and with `stop`, set when nobody waits any more, where it is one of several here. engine:
    "" for threads here, `dask` for workers here, `dask://HOST:PORT` for those of a scheduler. Raises EngineError, and
    what work raises.
    """
    check_engine(engine)
    todo = iter(tasks)
    first = list(islice(todo, 2))
    if not engine and (jobs == 1 or len(first) < 2):
        yield from ((task, work(task)) for task in chain(first, todo))
        return
    with _on_dask(jobs, engine) if engine else _in_threads(jobs) as (submit, places):
        yield from _run(work, chain(first, todo), submit, places)


def run_in_order(
    work: Callable[..., Made], tasks: Iterable[Task], jobs: int = 1, engine: str = ""
) -> Iterator[Made | Lost]:
    """What work gives for each task, in the order of the tasks; otherwise as `run_tasks`."""
    ready: dict[int, Made | Lost] = {}
    wanted = 0
    for (number, _), made in run_tasks(partial(_of_numbered, work), enumerate(tasks), jobs, engine):
        ready[number] = made
        while wanted in ready:
            yield ready.pop(wanted)
            wanted += 1


def _of_numbered(work: Callable[..., Made], task: tuple[int, Any], **stop: Event) -> Made:
    return work(task[1], **stop)


def check_engine(engine: str) -> None:
    """Raises EngineError for an engine that there is not."""
    name, _, address = engine.partition("://")
    if engine and (name != DASK or (address == "") != (engine == DASK)):
        raise EngineError(f"there is no engine {engine!r}: it is {DASK} or {DASK}://HOST:PORT")


@contextmanager
def several(jobs: int) -> Iterator[tuple[ThreadPoolExecutor, Event]]:
    """Threads each of which may `run` work apart, and what stops them; it is set where this one is stopped."""
    stop = Event()
    pool = ThreadPoolExecutor(jobs, thread_name_prefix="apart")
    try:
        yield pool, stop
    except BaseException:
        stop.set()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _run(
    work: Callable[..., Made], todo: Iterator[Task], submit: _Submit, places: Callable[[], int]
) -> Iterator[tuple[Task, Made | Lost]]:
    """places: how many tasks are worked on at a time, by now.

    Which of the tasks of a worker ended it is not known: each is tried again when all others are done, one at a time,
    and one that ends its worker then is given up."""
    running: dict[Future[Made], Task] = {}
    suspects: list[Task] = []

    def fill() -> None:
        running.update((submit(work, task), task) for task in islice(todo, max(0, WAITING * places() - len(running))))

    fill()
    while running:
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            task = running.pop(future)
            made = _made(future)
            fill()
            if isinstance(made, Lost):
                suspects.append(task)
            else:
                yield task, made
    for task in suspects:
        yield task, _made(submit(work, task))


def _made(future: Future[Made]) -> Made | Lost:
    try:
        return future.result()
    except CancelledError:
        raise EngineError(LOST) from None
    except Exception as error:
        if type(error).__name__ != "KilledWorker" and not _is_of_dask(error):  # which may not be installed
            raise
        return Lost("it ended its worker twice")


def _is_of_dask(error: Exception) -> bool:
    """Whether Dask itself failed where it hands on what a task made, as it may where the worker of it ends just then:
    no line of the task stands behind its own."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_globals.get("__name__") == "distributed.cfexecutor"


@contextmanager
def _in_threads(jobs: int) -> Iterator[tuple[_Submit, Callable[[], int]]]:
    with several(jobs) as (threads, stop):
        yield lambda work, task: threads.submit(work, task, stop=stop), lambda: jobs


@contextmanager
def _on_dask(jobs: int, engine: str) -> Iterator[tuple[_Submit, Callable[[], int]]]:
    """Workers of Dask, here or of a scheduler. One that is ended is told at once, and started again."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise EngineError("--engine needs the extra `cluster`: pip install 'tieout[cluster]'") from error
    settings = {
        "distributed.scheduler.allowed-failures": 0,
        "distributed.worker.daemon": False,  # each reads a file in a process of its own, which is bounded
        "distributed.worker.profile.enabled": False,  # it looks a hundred times a second at what each does
        "distributed.admin.tick.interval": "1s",  # in place of fifty times a second, in each process
        "distributed.logging.distributed": "critical",
    }
    with ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        here: dict[str, Any] = {"n_workers": jobs, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
        try:
            place = engine.partition("://")[2] or stack.enter_context(distributed.LocalCluster(**here))
            client = stack.enter_context(distributed.Client(place, set_as_default=False))
        except (OSError, ValueError) as error:
            raise EngineError(f"the engine {engine!r} is not reached: {' '.join(str(error).split())[:200]}") from error
        workers = client.get_executor(pure=False)

        def places() -> int:
            try:
                there: int = sum(client.nthreads().values())
                return max(jobs, there)
            except OSError as error:
                raise EngineError(LOST) from error

        yield workers.submit, places
        if not engine.partition("://")[2]:
            with suppress(TimeoutError):  # one that is just being started again cannot be ended: it raises
                client.wait_for_workers(jobs, timeout=UNTIL_STARTED)
