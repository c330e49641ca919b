"""Processes beside this one, each forked from one that has loaded what they need and has no threads; where there is no
fork, on Windows, each started anew."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext, ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from typing import Any


def start(
    work: Callable[..., None],
    *arguments: Any,  # noqa: ANN401 - for work
    loaded: Sequence[str] = (),
    context: BaseContext | None = None,
) -> tuple[Connection, BaseProcess]:
    """A process that does work, told a pipe and the arguments; with our end of the pipe, which closes when it ends.

    loaded: the modules that it needs; context: how it is made, instead. Ctrl-C, which reaches the whole group, is for
    this process, not for that one.
    """
    context = context or forking(loaded)
    ours, theirs = context.Pipe()
    process: BaseProcess = context.Process(target=_work, args=(work, theirs, *arguments), daemon=True)  # type: ignore[attr-defined]
    with _deaf():
        process.start()
    theirs.close()
    return ours, process


def _work(work: Callable[..., None], *arguments: Any) -> None:  # noqa: ANN401 - for work
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    work(*arguments)


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C waits: what is blocked here stays blocked in a new process, until that knows what to do with it."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def forking(loaded: Sequence[str]) -> ForkServerContext | SpawnContext:
    """How such processes are made; the first that is made loads the modules, for all."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*loaded])
    return context


def end_with_parent(behind: int = 0) -> None:
    """Ends this process as soon as the one that asked for it is gone: killed, it could not say so."""
    if behind and hasattr(os, "nice"):
        os.nice(behind)
    parent = multiprocessing.parent_process()
    assert parent is not None, "is for processes that another has started"

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, name="end with parent", daemon=True).start()
