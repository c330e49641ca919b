"""The reports that are open: each read once, in the background, shown and asked from memory."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from tieout.agent.view.card import make_card
from tieout.agent.view.reports import ReadTables, Reports
from tieout.data.document import Document
from tieout.data.readers.read import DataError, read_conversations
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.index.passage import ReportEntry, TableEntry, read_contents
from tieout.kg.index.words import Index
from tieout.kg.store.store import ontology_quads

if TYPE_CHECKING:
    from tieout.kg.store.graph import Graph
    from tieout.ontology.model import Ontology

PAGE = 24_000  # characters of a card that is shown whole
MOST_REPORTS = 500
State = Literal["waiting", "reading", "building", "indexing", "ready", "failed"]


class LibraryError(ValueError):
    """A report that is not there, not ready yet, or one too many."""


class Held:
    """One report. key: its short name in addresses. message: why it has failed."""

    def __init__(self, key: str, name: str) -> None:
        self.key, self.name = key, name
        self.state: State = "waiting"
        self.message = ""
        self.document: Document | None = None
        self._graph: Graph | None = None
        self.is_page = False

    @property
    def id(self) -> str:
        """The id of the document, or the name of the file until it is read."""
        return self.document.id if self.document is not None else self.name

    @property
    def graph(self) -> Graph:
        """Raises LibraryError while there is none."""
        if self._graph is None or self.state != "ready":
            raise LibraryError(f"{self.id!r} is not ready: {self.message or self.state}")
        return self._graph

    @property
    def read(self) -> Document:
        """The document. Raises LibraryError while there is none."""
        if self.document is None:
            raise LibraryError(f"{self.id!r} is not ready: {self.message or self.state}")
        return self.document

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """Every figure by its name."""
        return {fact.name: fact for fact in self.graph.facts()}

    @cached_property
    def by_table(self) -> dict[int, list[Fact]]:
        """The figures of each table, counted from 1."""
        found: dict[int, list[Fact]] = {}
        for fact in self.facts.values():
            if fact.table is not None:
                found.setdefault(fact.table, []).append(fact)
        return found

    @cached_property
    def by_paragraph(self) -> dict[int, list[Fact]]:
        """The figures of each paragraph."""
        found: dict[int, list[Fact]] = {}
        for fact in self.facts.values():
            if fact.paragraph is not None:
                found.setdefault(fact.paragraph, []).append(fact)
        return found

    def finish(self, graph: Graph) -> None:
        """Takes in the graph; the report can be asked then."""
        self._graph = graph
        self.state = "ready"


class Library:
    """The reports, read by one thread of its own. Use it in a `with`, or close it.

    problem: told what is wrong with a file that cannot be read, or a record in it.
    """

    def __init__(self, ontology: Ontology, problem: Callable[[str], None] = lambda message: None) -> None:
        self.ontology = ontology
        self.index = Index()
        self.version = 0  # one more with each report that is ready
        self._problem = problem
        self._held: dict[str, Held] = {}
        self._tables: ReadTables = {}
        self._lock = threading.Lock()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="read")

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops reading, and lets go of the index."""
        self._reading.shutdown(wait=True, cancel_futures=True)
        self.index.close()

    def all(self) -> list[Held]:
        """The reports in the order in which they came."""
        return list(self._held.values())

    def ready(self) -> list[Held]:
        """Those that can be asked."""
        return [held for held in self.all() if held.state == "ready"]

    def get(self, key: str) -> Held:
        """Raises LibraryError for a key of none."""
        held = self._held.get(key)
        if held is None:
            raise LibraryError(f"there is no report {key[:60]!r}")
        return held

    def find(self, names: Iterable[str]) -> list[Held]:
        """The reports of these keys or ids. Raises LibraryError."""
        by_id = {held.id: held for held in self.all()}
        return [by_id[name] if name in by_id and name not in self._held else self.get(name) for name in names]

    def add(self, path: Path, name: str = "", done: Callable[[], None] = lambda: None) -> tuple[Held, Future[None]]:
        """Begins to read a file; a file of records becomes as many reports as it has.

        name: what the file is called, where path is but a copy. done: called when it is read. Raises LibraryError.
        """
        held = self._new(name or path.name)

        def work() -> None:
            try:
                self._read(path, held, Path(name).stem)
            finally:
                done()

        return held, self._reading.submit(work)

    def session_graph(self, held: Sequence[Held]) -> Graph | Reports:
        """What a session is about: one page whole, or Reports. Raises LibraryError."""
        if len(held) == 1 and held[0].is_page:
            return held[0].graph
        return Reports([each.graph for each in held], self.index, tables=self._tables)

    def tables(self, held: Held) -> tuple[TableEntry, ...]:
        """What the index knows of the tables of a report."""
        return self.index.tables(held.id)

    def entry(self, held: Held) -> ReportEntry | None:
        """What the index knows of a report; None while it is being read."""
        return next((entry for entry in self.index.reports() if entry.id == held.id), None)

    def quads(self) -> bytes:
        """The graphs of all reports that are ready, and the TBox, as N-Quads."""
        return b"".join([ontology_quads(self.ontology)[1], *(held.graph.quads for held in self.ready())])

    def _new(self, name: str) -> Held:
        with self._lock:
            if len(self._held) >= MOST_REPORTS:
                raise LibraryError(f"there are {MOST_REPORTS} reports open already, and no more can be")
            held = Held(f"r{len(self._held) + 1}", name)
            self._held[held.key] = held
            return held

    def _read(self, path: Path, first: Held, stem: str) -> None:
        try:
            first.state = "reading"
            conversations = read_conversations(path, lambda problem: self._problem(problem.told))
            for number, conversation in enumerate(conversations):
                document = conversation.document
                if document.id == path.stem and stem:
                    document = document.model_copy(update={"id": stem})
                held = self._new(document.id) if number else first
                held.document = self._unlike(document, held)
                self._finish(held)
        except (DataError, LibraryError, OSError) as error:
            self._fail(first, str(error).replace(str(path), first.name))
        except Exception as error:  # noqa: BLE001 - one file must not end the thread that reads all others
            self._fail(first, f"it could not be read ({type(error).__name__})")

    def _fail(self, held: Held, message: str) -> None:
        if held.state == "ready":  # some of its records are there; what is wrong is told none the less
            self._problem(message)
            return
        held.state, held.message = "failed", message
        self._problem(message)

    def _unlike(self, document: Document, held: Held) -> Document:
        """The document under an id that no other has."""
        taken = {other.id for other in self.all() if other is not held}
        identifier, number = document.id, 2
        while identifier in taken:
            identifier, number = f"{document.id} ({number})", number + 1
        return document if identifier == document.id else document.model_copy(update={"id": identifier})

    def _finish(self, held: Held) -> None:
        document = held.read
        held.state = "building"
        graph = build(document, self.ontology)
        held.state = "indexing"
        self.index.keep(read_contents(document, graph.facts()))
        printed = sum(map(len, document.paragraphs))
        printed += sum(len(cell) for table in document.tables for row in table.rows for cell in row)
        held.is_page = printed < PAGE and len(make_card(graph).text) < PAGE
        held.finish(graph)
        self.version += 1
