"""The whole reports of a run: kept once before it begins, then opened by every conversation."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tieout.agent.indexing import FAILED, index_files
from tieout.agent.view.reports import Reports
from tieout.eval.run.manifest import RunError
from tieout.kg.store.kept import Kept, copied, mark_of, read_copy
from tieout.ontology.model import Ontology


@contextmanager
def kept_reports(files: Iterable[Path], ontology: Ontology, store: Path, jobs: int = 1) -> Iterator[Path]:
    """Keeps reports in a store, of which what it has is not read again, and gives a copy of it for processes to read.

    Where there are none it gives the store itself, untouched. Raises RunError for a report that cannot be read,
    StoreError, WordIndexError.
    """
    paths = list(files)
    if not paths:
        yield store
        return
    for step in index_files(paths, ontology, store, jobs):
        if step.outcome == FAILED:
            raise RunError(f"{step.path}: {step.why}")
    with copied(store) as copy:
        yield copy


class KeptReports:
    """The reports of a run, by the names that its questions have for them; to be closed. Several threads may share it.

    files: by these names. store: where they are kept; copy: of it, which processes read. It is opened when it is first
    asked for.
    """

    def __init__(self, files: Mapping[str, Path], ontology: Ontology, store: Path, copy: Path) -> None:
        self._files, self._ontology, self._store, self._copy = files, ontology, store, copy
        self._stack = ExitStack()
        self._lock = threading.Lock()
        self._kept: Kept | None = None
        self._ids: dict[str, str] = {}

    def open(self, names: Sequence[str], called: str) -> Reports:
        """Reports as a conversation of this name uses them. Raises RunError, WordIndexError."""
        with self._lock:
            if self._kept is None:
                self._kept = self._stack.enter_context(read_copy(self._copy, self._store))
            graphs = [self._kept.graph(self._id(self._kept, name)) for name in dict.fromkeys(names)]
            return Reports(graphs, self._kept.index, called=called)

    def close(self) -> None:
        """Lets go of the store."""
        self._stack.close()

    def _id(self, kept: Kept, name: str) -> str:
        if name not in self._ids:
            path = self._files[name]
            found = kept.index.known(mark_of(path.read_bytes(), self._ontology))
            if found is None:
                raise RunError(f"the report {str(path)!r} has changed while the run was under way")
            self._ids[name] = found
        return self._ids[name]
