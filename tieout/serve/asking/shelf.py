"""Reports on disk for as long as they are served: loaded by whichever process needs one, then let go.

What is read here is written into a folder once; what a store keeps is taken from its bundles and its index.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TypeVar

import pyoxigraph as ox
from pydantic import TypeAdapter

from tieout.agent.protocol.message import Card
from tieout.agent.question.question import Question
from tieout.agent.view.notation import ReadTables
from tieout.agent.view.reports import Reports
from tieout.data.document import Document
from tieout.kg.fact import Fact
from tieout.kg.index.words import Index
from tieout.kg.store.bundle import json_of
from tieout.kg.store.bundles import Bundles
from tieout.kg.store.facts import Value
from tieout.kg.store.graph import Graph
from tieout.kg.store.store import index_path

MOST_LOADED = 12  # reports that a process holds in memory; a large one takes about 50 MB
MOST_READ = 10_000  # tables and sentences that are kept for other conversations about the same reports
MOST_VIEWS = 500
WORDS = "words.sqlite"  # the index of the reports of a folder
KINDS = ("nt", "terms", "document", "facts", "original")  # the files of a report
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Source:
    """A report on the shelf. key: of its files. id: of its document. is_page: whether it is shown whole.

    digest: a hash that is another of another reading. form: how the original is shown, `pdf`, `html`, `sheets`, or ""
    where it is not; pages: of a PDF, 0 where nobody has looked. company: whose it is, where it says so. bundle: the key
    of its bundle, where a store keeps it.
    """

    key: str
    id: str
    is_page: bool
    digest: str = ""
    form: str = ""
    pages: int = 0
    company: str = ""
    bundle: str = ""


class Figures:
    """The figures of a report by what a page needs: name, table, paragraph."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.by_name: dict[str, Fact] = {}
        self.by_table: dict[int, list[Fact]] = {}
        self.by_paragraph: dict[int, list[Fact]] = {}
        for fact in facts:
            self.by_name[fact.name] = fact
            if fact.table is not None:
                self.by_table.setdefault(fact.table, []).append(fact)
            if fact.paragraph is not None:
                self.by_paragraph.setdefault(fact.paragraph, []).append(fact)


class ShelfGraph(Graph):
    """The graph of a report on the shelf: loaded when it is asked, and again where it was let go meanwhile."""

    def __init__(self, source: Source, shelf: Shelf) -> None:
        super().__init__(source.id, b"")
        self._source, self._shelf = source, shelf

    @property
    def store(self) -> ox.Store:
        """The store in memory that holds the graph at present."""
        return self._shelf.loaded(self._source).store

    @property
    def quads(self) -> bytes:
        """As Graph has it."""
        return self._shelf.loaded(self._source).quads

    def select_of(self, iri: str, query: str) -> list[dict[str, Value]]:
        """As Graph has it."""
        return self._shelf.loaded(self._source).select_of(iri, query)

    def facts(self) -> tuple[Fact, ...]:
        """Every fact, in the order of print."""
        return self._shelf.loaded(self._source).facts()


@dataclass(slots=True)
class _Shared:
    """What all conversations about the same reports share: tables and sentences, the outline, views of questions, the
    statements."""

    tables: ReadTables = field(default_factory=dict)
    cards: dict[tuple[tuple[str, str], ...], Card] = field(default_factory=dict)
    views: dict[tuple[object, ...], tuple[Card, tuple[str, ...]]] = field(default_factory=dict)
    firsts: dict[tuple[tuple[str, str], ...], dict[str, Card | None]] = field(default_factory=dict)


class ShelfReports(Reports):
    """Reports of which each view is made once for whoever asks the same of them."""

    def __init__(self, sources: Sequence[Source], names: Sequence[str], shelf: Shelf, shared: _Shared) -> None:
        graphs = [ShelfGraph(each, shelf) for each in sources]
        super().__init__(graphs, shelf.index, tables=shared.tables, names=names)
        self._keys = tuple(zip((each.key for each in sources), self.open, strict=True))
        self._shared = shared
        self._firsts = shared.firsts.setdefault(self._keys, self._firsts)

    def card(self) -> Card:
        """As Reports has it."""
        if self._keys not in self._shared.cards:
            self._shared.cards[self._keys] = super().card()
        return self._shared.cards[self._keys]

    def view(self, question: Question, used: Sequence[str] = ()) -> Card:
        """As Reports has it."""
        key = (self._keys, question.text, tuple(used))
        if key not in self._shared.views:
            before = len(self.queries)
            card = super().view(question, used)
            self._shared.views[key] = card, tuple(self.queries[before:])
            if len(self._shared.views) > MOST_VIEWS:
                self._shared.views.pop(next(iter(self._shared.views)))
            return card
        card, queries = self._shared.views[key]
        self.facts.see(card.facts)
        self.queries.extend(queries)
        return card


class Shelf:
    """A folder of reports. Several processes may read it; one puts reports there. lake: a store whose reports stand
    there too."""

    def __init__(self, folder: Path, lake: Path | None = None) -> None:
        self.folder, self.lake = folder, lake
        self._bundles = Bundles(lake or folder)
        self._lock = threading.RLock()
        self._graphs: OrderedDict[str, Graph] = OrderedDict()
        self._documents: OrderedDict[str, Document] = OrderedDict()
        self._figures: OrderedDict[str, Figures] = OrderedDict()
        self._shared = _Shared()

    @cached_property
    def index(self) -> Index:
        """The words of all reports: that of the store itself, as it is now, where the folder has none."""
        if self.lake is None or not self.is_lent:
            return Index(self.folder / WORDS)
        index = Index(index_path(self.lake))
        index.stay()
        return index

    @property
    def is_lent(self) -> bool:
        """Whether the index is that of a store, into which nothing is put here."""
        return self.lake is not None and not (self.folder / WORDS).exists()

    def close(self) -> None:
        """Lets go of the index."""
        if "index" in self.__dict__:
            self.index.close()

    def put(self, source: Source, document: Document, graph: Graph) -> None:
        """Writes a report; its words have to be in the index already."""
        self._path(source, "nt").write_bytes(graph.triples)
        self._path(source, "terms").write_bytes(graph.terms)
        self._path(source, "document").write_bytes(json_of(document))
        self._path(source, "facts").write_bytes(facts_json(graph.facts()))
        with self._lock:
            self._graphs[source.key] = graph
            self._documents[source.key] = document

    def remove(self, source: Source) -> None:
        """Removes what was put there. Another process may hold it in memory until it lets it go."""
        with self._lock:
            for held in (self._graphs, self._documents, self._figures):
                held.pop(source.key, None)
            self._shared = _Shared()
        for kind in KINDS:
            self._path(source, kind).unlink(missing_ok=True)

    def loaded(self, source: Source) -> Graph:
        """The whole graph in memory, which may be let go when others are loaded."""

        def load() -> Graph:
            if source.bundle:
                return self._bundles.graph(source.bundle, source.id)
            return Graph(source.id, self._path(source, "nt").read_bytes(), self._path(source, "terms").read_bytes())

        return self._kept(self._graphs, source, load)

    def document(self, source: Source) -> Document:
        """The report as it was read."""

        def load() -> Document:
            if source.bundle:
                return self._bundles.document(source.bundle, source.id)
            return Document.model_validate_json(self._path(source, "document").read_bytes())

        return self._kept(self._documents, source, load)

    def figures(self, source: Source) -> Figures:
        """The figures of a report."""

        def load() -> Figures:
            if source.bundle:
                return Figures(self.loaded(source).facts())
            return Figures(read_facts(self._path(source, "facts").read_bytes()))

        return self._kept(self._figures, source, load)

    def figure(self, source: Source, name: str) -> Fact | None:
        """One figure of a report by its name: without all others, where the index has it."""
        found = self.index.figure(source.id, name) if source.key not in self._figures else None
        return found or self.figures(source).by_name.get(name)

    def original(self, source: Source) -> Path:
        """Where a PDF itself is, or what of a web page can be shown; it is there a moment after the rest."""
        return self._path(source, "original")

    def quads(self, source: Source) -> bytes:
        """The graph as N-Quads."""
        if source.bundle:
            return self._bundles.graph(source.bundle, source.id).quads
        return Graph(source.id, self._path(source, "nt").read_bytes()).quads

    def open(self, sources: Sequence[Source], names: Sequence[str] = ()) -> Graph | Reports:
        """What a conversation is about: one page whole, or Reports. names: the alias of each, where it has one."""
        if len(sources) == 1 and sources[0].is_page and not any(names):
            return self.loaded(sources[0])
        if len(self._shared.tables) > MOST_READ or len(self._shared.cards) > MOST_VIEWS:
            self._shared = _Shared()
        return ShelfReports(sources, names, self, self._shared)

    def _kept(self, held: OrderedDict[str, T], source: Source, load: Callable[[], T]) -> T:
        with self._lock:
            if source.key not in held:
                held[source.key] = load()
            held.move_to_end(source.key)
            while len(held) > MOST_LOADED:
                held.popitem(last=False)
            return held[source.key]

    def _path(self, source: Source, kind: str) -> Path:
        return self.folder / f"{source.key}.{kind}"


@lru_cache(maxsize=1)
def _facts() -> TypeAdapter[tuple[Fact, ...]]:
    """What writes facts as JSON and reads them: made when it is first needed, which takes a moment."""
    return TypeAdapter(tuple[Fact, ...])


def facts_json(facts: tuple[Fact, ...]) -> bytes:
    """Facts as JSON."""
    return json_of(facts, _facts())


def read_facts(content: bytes) -> tuple[Fact, ...]:
    """Facts that were written as JSON."""
    return _facts().validate_json(content)
