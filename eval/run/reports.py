"""The whole reports of a run: kept once before it begins, then opened by every conversation."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tieout.agent.view.reports import Reports
from tieout.eval.run.manifest import RunError
from tieout.kg.reports.indexing import FAILED, index_files
from tieout.kg.store.kept import Kept, open_kept
from tieout.ontology.model import Ontology

MOST_READING = 2


@dataclass(frozen=True, slots=True)
class Shelf:
    """Where the reports of a run are. ids: of the reports by the names that questions have for them. store: that keeps
    them, which any number of processes may read."""

    ids: Mapping[str, str]
    store: Path


@contextmanager
def kept_reports(
    files: Mapping[str, Path], ontology: Ontology, store: Path, jobs: int = 1, engine: str = ""
) -> Iterator[Shelf]:
    """Keeps reports in a store, of which what it has is not read again. files: by the names that questions have.

    jobs: processes that read, of which no more than MOST_READING do: conversations wait for a language model and need
    no process, a report that is read takes hundreds of megabytes. engine: as `run_tasks` has it. Raises EngineError,
    RunError for a report that cannot be read,
    StoreError, WordIndexError.
    """
    if not files:
        yield Shelf({}, store)
        return
    ids: dict[str, str] = {}
    for step in index_files(list(dict.fromkeys(files.values())), ontology, store, min(jobs, MOST_READING), engine):
        if step.outcome == FAILED:
            raise RunError(f"{step.path}: {step.why}")
        ids |= {name: step.reports[0] for name, path in files.items() if str(path) == step.path and step.reports}
    yield Shelf(ids, store)


class KeptReports:
    """The reports of a run, opened when they are first asked for; to be closed. Several threads may share it."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._kept: Kept | None = None

    def open(self, names: Sequence[str], called: str) -> Reports:
        """Reports as a conversation of this name uses them. Raises WordIndexError."""
        with self._lock:
            if self._kept is None:
                self._kept = self._stack.enter_context(open_kept(self._shelf.store))
            graphs = [self._kept.graph(self._shelf.ids[name]) for name in dict.fromkeys(names)]
            return Reports(graphs, self._kept.index, called=called)

    def close(self) -> None:
        """Lets go of the store."""
        self._stack.close()
