"""Processes beside the one that serves, each forked from one that has loaded what they need and has no threads."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

LOADED = ["tieout.serve.asking.process", "tieout.serve.asking.reading"]


def start(work: Callable[..., None], *arguments: Any) -> tuple[Connection, BaseProcess]:  # noqa: ANN401 - for work
    """A process that does work, told a pipe and the arguments; with our end of the pipe."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, *arguments), daemon=True)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # Ctrl-C is for the process that serves
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return ours, process
