"""Processes that a command has started, for tests that end it."""

from __future__ import annotations

import time
from pathlib import Path


def workers_of(process: int) -> list[int]:
    """The processes that those which it started have started: each is forked from one that has loaded what it needs."""

    def children(parent: int) -> list[int]:
        threads = Path(f"/proc/{parent}/task").glob("*/children")
        return [int(each) for thread in threads for each in thread.read_text().split()]

    return [worker for child in children(process) for worker in children(child)]


def nobody_is_left(group: int) -> bool:
    """Whether every process of the group ends; waits for it. One that ended and that nobody has asked for is gone."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        if not any(_is_under_way(each, group) for each in Path("/proc").glob("[0-9]*/stat")):
            return True
        time.sleep(0.02)
    return False


def _is_under_way(stat: Path, group: int) -> bool:
    """stat: see proc_pid_stat(5): the id, the name in brackets, the state, the parent, the group."""
    try:
        state, _, of = stat.read_text().rpartition(")")[2].split()[:3]
    except OSError:
        return False  # it has ended meanwhile
    return int(of) == group and state not in "ZX"
