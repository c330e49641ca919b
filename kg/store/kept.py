"""Reports that are kept: each read once, its graph in the store, its words in the index beside it.

What is kept is known by a hash of the file's bytes, of the TBox and of the version that read it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pyoxigraph as ox

from tieout.data.document import Document
from tieout.kg.filings.company import COMPANY, Company, companies_of
from tieout.kg.filings.graph import company_graphs
from tieout.kg.index.passage import Contents, read_contents
from tieout.kg.index.words import Index
from tieout.kg.store.graph import Graph
from tieout.kg.store.snapshots import make_folder
from tieout.kg.store.store import (
    StoreError,
    check_folder,
    has_ontology,
    ontology_quads,
    open_store,
    replace_graphs,
    snapshot,
)
from tieout.ontology.metrics.scheme import scheme_quads
from tieout.ontology.model import Ontology
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, document_graph

READERS = 10  # one more whenever readers or graphs change in a way that makes what was kept out of date


class KeptGraph(Graph):
    """The graph of one document in a store that holds many: read where it is, never all at once."""

    def __init__(self, document_id: str, store: ox.Store) -> None:
        super().__init__(document_id, b"")
        self._kept = store

    @property
    def store(self) -> ox.Store:
        """The store that holds the graph, among others."""
        return self._kept


def index_path(store: Path) -> Path:
    """Where the index of a store is."""
    return store.with_name(f"{store.name}.index")


def mark_of(path: Path, ontology: Ontology) -> str:
    """What a file is known by once it is kept: equal for equal bytes, TBox and version. Raises OSError."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256")
    digest.update(ontology.mark.encode())
    digest.update(f"{version('tieout')} {READERS}".encode())
    return digest.hexdigest()


def kept_outline(store: Path, path: Path, ontology: Ontology) -> Any:  # noqa: ANN401 - JSON
    """The outline of the report in a file, where the store keeps it as it is now; else None. Raises OSError."""
    if not index_path(store).is_file() or not path.is_file():
        return None
    index = Index(index_path(store))
    try:
        found = index.known(mark_of(path, ontology))
        return index.outline(found) if found else None
    finally:
        index.close()


def free_name(identifier: str, path: Path, sources: Mapping[str, str]) -> str:
    """What a report is called in a store: as it calls itself, unless one from another file that is still there has the
    name; with its folder then. sources: the files of the reports that are kept, by id."""
    own = str(path.resolve())
    names = (identifier, f"{path.parent.name}/{path.name}", own)
    return next((name for name in names if sources.get(name, own) == own or not Path(sources[name]).exists()), own)


def sources_of(store: Path) -> dict[str, tuple[str, str]]:
    """Of every report that is kept from a file, by its id: the file, and its mark. Raises WordIndexError."""
    if not index_path(store).is_file():
        return {}
    index = Index(index_path(store))
    try:
        return index.sources()
    finally:
        index.close()


@dataclass(frozen=True, slots=True)
class Ready:
    """A report that was read, as it is kept: its graph, by its IRI as N-Quads, and what can be found in it."""

    iri: str
    quads: bytes
    contents: Contents

    @classmethod
    def of(cls, document: Document, graph: Graph) -> Ready:
        """A document with its graph."""
        return cls(graph.iri, graph.quads, read_contents(document, *graph.contents()))


def keep(store: Path, reports: Iterable[tuple[Ready, str, Path]], ontology: Ontology) -> None:
    """Puts reports into a store, each with its mark and the file it is from, in place of those of the same ids.

    Raises StoreError, WordIndexError.
    """
    given = list(reports)
    if not store.exists():
        index_path(store).unlink(missing_ok=True)  # that of a store that was removed tells of graphs that are gone
    with open_store(store) as opened:
        tbox = () if has_ontology(opened, ontology) else (ontology_quads(ontology),)
        replace_graphs(opened, (*tbox, *((report.iri, report.quads) for report, _, _ in given)))
    del opened  # it is opened again for the graphs of companies
    index = Index(index_path(store))
    try:
        for report, mark, path in given:
            index.keep(report.contents, mark, str(path.resolve()))
        refresh(store, index, [report.contents.report.id for report, _, _ in given])
    finally:
        index.close()


def refresh(store: Path, index: Index, reports: Iterable[str], before: Sequence[Company] = ()) -> None:
    """Makes the graphs of the companies of some reports anew, and drops those of companies that are gone.

    before: the companies as they were. Raises StoreError.
    """
    graphs = company_graphs(index, reports, before)
    there = {each.iri for each in companies_of(index.filings())}
    with open_store(store) as opened:
        if graphs and not opened.contains_named_graph(ox.NamedNode(CONCEPTS_GRAPH)):
            graphs.append((CONCEPTS_GRAPH, scheme_quads()))
        for graph in list(opened.named_graphs()):
            if isinstance(graph, ox.NamedNode) and graph.value.startswith(COMPANY) and graph.value not in there:
                opened.remove_graph(graph)
        replace_graphs(opened, graphs)


def drop(store: Path, reports: Iterable[str]) -> None:
    """Takes reports out of a store by their ids. Raises StoreError."""
    gone = list(reports)
    with open_store(store, must_exist=True) as opened:
        for identifier in gone:
            opened.remove_graph(ox.NamedNode(document_graph(identifier)))
    del opened
    index = Index(index_path(store))
    try:
        before = companies_of(index.filings())
        for identifier in gone:
            index.remove(identifier)
        refresh(store, index, gone, before)
    finally:
        index.close()


class Kept:
    """The reports of a store, for reading."""

    def __init__(self, store: ox.Store, index: Index) -> None:
        self._store, self.index = store, index

    def graph(self, document_id: str) -> KeptGraph:
        """The graph of a report of the index."""
        return KeptGraph(document_id, self._store)


@contextmanager
def open_kept(store: Path) -> Iterator[Kept]:
    """What a store keeps, as it is now: others may go on writing. Raises StoreError, WordIndexError."""
    with copied(store) as copy, read_copy(copy, store) as kept:
        yield kept


@contextmanager
def copied(store: Path) -> Iterator[Path]:
    """A copy of a store (hard links) that any number of processes may read, gone afterwards. Raises StoreError."""
    check_folder(store, must_exist=True)
    try:
        folder = make_folder(store)
    except OSError as error:
        raise StoreError(f"the store at {str(store)!r} cannot be copied to be read ({error})") from error
    try:
        snapshot(store, folder / "store")
        yield folder / "store"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def read_copy(copy: Path, store: Path) -> Iterator[Kept]:
    """What a store keeps, read from a copy of it. Raises WordIndexError."""
    read: Any = ox.Store.read_only(str(copy))
    index = Index(index_path(store))
    try:
        yield Kept(read, index)
    finally:
        index.close()
        del read
