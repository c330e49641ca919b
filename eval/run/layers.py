"""Questions over data beside reports in a run: what is to hand in each layer, and the data and memory that are opened.

A run in several layers asks every question in each, as a conversation `<layer>/<question>`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.agent.analysis.workbench import RETRIES, Workbench
from tieout.agent.memory.keep import FOLDER
from tieout.agent.memory.memory import Memory
from tieout.agent.memory.recipes import FOLDER as RECIPES
from tieout.agent.memory.terms import FILE as TERMS
from tieout.agent.protocol.message import Backend
from tieout.agent.view.reports import Reports
from tieout.agent.wiring import facts_of, with_memory, words_of
from tieout.data.datasets.files import find_sources
from tieout.data.document import Conversation
from tieout.eval.run.manifest import Beside, data_files
from tieout.kg.store.graph import Graph


@dataclass(frozen=True)
class Layer:
    """What is to hand. scripts: whether run_script is offered; retries: calls over data that may fail in a turn."""

    name: str
    scripts: bool
    retries: int
    memory: bool


LAYERS = (
    Layer("data", scripts=False, retries=0, memory=False),
    Layer("scripts", scripts=True, retries=0, memory=False),
    Layer("retries", scripts=True, retries=RETRIES, memory=False),
    Layer("memory", scripts=True, retries=RETRIES, memory=True),
)


def beside(
    data: Sequence[Path],
    memory: Path | None,
    layers: bool,
    private: bool,
    show_rows: int,
    query_seconds: float,
    plots: Path | None,
) -> Beside:
    """What a run is asked over beside reports, with the hashes of its files. layers: all of them, else only the last,
    where everything is to hand. Raises DataFileError, RunError."""
    folder = (memory or FOLDER).absolute()
    kept = [folder / TERMS, *sorted((folder / RECIPES).glob("*.toml"))]
    return Beside(
        data=data_files([source.path for source in find_sources(data)] if data else []),
        memory=folder,
        memory_files=data_files([path for path in kept if path.exists()]),
        layers=tuple(layer.name for layer in LAYERS) if layers else (),
        private=private,
        show_rows=show_rows,
        query_seconds=query_seconds,
        plots=plots,
    )


def in_layers(conversations: Iterable[Conversation], layers: Sequence[str]) -> Iterator[Conversation]:
    """The conversations as they are, or all of them in each of the layers, named by it."""
    if not layers:
        yield from conversations
        return
    known = list(conversations)
    for layer in layers:
        for each in known:
            document = each.document.model_copy(update={"id": f"{layer}/{each.id}"})
            yield each.model_copy(update={"document": document})


def layer_of(conversation: str, layers: Sequence[str]) -> Layer:
    """The layer of a conversation by its id."""
    name = conversation.partition("/")[0] if layers else LAYERS[-1].name
    return next(layer for layer in LAYERS if layer.name == name)


@dataclass(frozen=True, slots=True)
class Place:
    """What a conversation is held over beside its report: data, memory, either or both."""

    desk: Workbench | None
    memory: Memory | None

    def backend(self, made: Backend) -> Backend:
        """The backend with what the memory makes of a question."""
        return with_memory(made, self.desk, self.memory, has_report=self.desk is None)


class Places:
    """The data and memory of a run. Data is opened once in each thread that works on it, and for one layer at a time.
    To be closed."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.beside = Beside.model_validate(given)
        self._open: dict[int, tuple[Layer, Workbench]] = {}
        self._lock = threading.Lock()

    def close(self) -> None:
        """Ends the processes that hold the data."""
        with self._lock:
            while self._open:
                self._open.popitem()[1][1].close()

    def at(self, source: Graph | Reports) -> Place:
        """The place for the conversation over what is open, with nothing left of the one before. Raises DataFileError,
        ExpertMissing."""
        if not self.beside.data:
            return Place(None, Memory(self.beside.memory, lambda: words_of(facts_of(source)), fixed=True))
        layer = layer_of(source.document_id, self.beside.layers)
        desk = self._desk(layer)
        desk.clear()
        desk.memory = Memory(self.beside.memory, lambda: [desk.described()], fixed=True) if layer.memory else None
        return Place(desk, desk.memory)

    def _desk(self, layer: Layer) -> Workbench:
        me = threading.get_ident()
        known, desk = self._open.get(me, (None, None))
        if desk is not None and known == layer:
            return desk
        if desk is not None:
            desk.close()
        told = {name: getattr(self.beside, name) for name in ("private", "show_rows", "plots")}
        paths = [file.path for file in self.beside.data]
        seconds = self.beside.query_seconds
        desk = Workbench(paths, retries=layer.retries, scripting=layer.scripts, seconds=seconds, **told)
        with self._lock:
            self._open[me] = (layer, desk)
        return desk
