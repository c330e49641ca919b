"""Workbenches for tests: over data of the same content one process is started, and used again by who asks for it."""

from __future__ import annotations

from pathlib import Path

from tieout.agent.analysis.workbench import Workbench
from tieout.data.datasets.files import find_sources


class WarmDesks:
    """Makes workbenches as Workbench does; one that was closed is given out again for the same names and bytes."""

    def __init__(self) -> None:
        self._free: dict[object, list[Workbench]] = {}
        self._all: list[Workbench] = []

    def __call__(self, paths, facts=(), **options):
        sources = find_sources(paths)
        files = tuple((source.table, source.path.name, source.path.read_bytes()) for source in sources)
        notes = tuple(note.read_bytes() for p in paths if (note := Path(p) / "datapackage.json").exists())
        key = (files, notes, tuple(sorted(options.items(), key=str)))
        free = self._free.setdefault(key, [])
        if free and not facts:
            desk = free.pop()
        else:
            desk = Workbench(paths, facts, **({"seconds": 60} | options))
            self._all.append(desk)
        if not facts:
            desk.close = lambda: self._take_back(desk, free)
        return desk

    def _take_back(self, desk, free) -> None:
        desk.clear()
        desk.memory = None
        desk.recipe, desk.variables = None, {}
        free.append(desk)

    def end(self) -> None:
        """Ends all processes."""
        for desk in self._all:
            Workbench.close(desk)
