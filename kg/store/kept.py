"""Reports that are kept: each read once, its graph in the store, its words in the index beside it.

What is kept is known by a hash of the file's bytes, of the TBox and of the version that read it.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from tieout.data.document import Document
from tieout.data.readers.report import check_file
from tieout.kg.filings.company import COMPANY, Company, companies_of
from tieout.kg.filings.graph import company_graphs
from tieout.kg.index.passage import Contents, read_contents
from tieout.kg.index.words import Index
from tieout.kg.store.facts import Value
from tieout.kg.store.graph import Graph
from tieout.kg.store.snapshots import make_folder
from tieout.kg.store.store import (
    StoreError,
    check_folder,
    damaged,
    has_ontology,
    is_store,
    may_write,
    ontology_quads,
    open_store,
    replace_graphs,
    snapshot,
    told,
)
from tieout.kg.store.sums import damaged_files
from tieout.ontology.metrics.scheme import scheme_quads
from tieout.ontology.model import Ontology
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, document_graph

FIRST = 3  # files that a line names
READERS = 11  # one more whenever readers or graphs change in a way that makes what was kept out of date


class KeptGraph(Graph):
    """The graph of one document in a store that holds many: read where it is, never all at once."""

    def __init__(self, document_id: str, store: ox.Store, directory: Path) -> None:
        super().__init__(document_id, b"")
        self._kept, self._directory = store, directory

    @property
    def store(self) -> ox.Store:
        """The store that holds the graph, among others."""
        return self._kept

    def select(self, query: str, **substitutions: Value) -> list[dict[str, Value]]:
        """As Graph has it. Raises StoreError where the store is damaged."""
        with told(self._directory):
            return super().select(query, **substitutions)

    def describe(self, iri: str) -> Iterator[tuple[str, Value]]:
        """As Graph has it. Raises StoreError where the store is damaged."""
        with told(self._directory):
            yield from super().describe(iri)


def index_path(store: Path) -> Path:
    """Where the index of a store is."""
    return store.with_name(f"{store.name}.index")


class Mark(NamedTuple):
    """What a file was when it was read. text: a hash of its bytes, a point, and one of the TBox and the version that
    read it; size, in bytes, and modified, in nanoseconds, tell most files that are the same without their bytes."""

    text: str
    size: int
    modified: int


def mark_of(path: Path, ontology: Ontology) -> Mark:
    """What a file is known by once it is kept: its text is equal for equal bytes, TBox and version.

    Raises OSError, and DataError for a file that is larger than any that is read.
    """
    check_file(path)
    status = path.stat()  # before its bytes: what is changed meanwhile counts as changed
    reader = hashlib.sha256(f"{ontology.mark} {version('tieout')} {READERS}".encode()).hexdigest()
    return Mark(f"{_digest(path)}.{reader[:32]}", status.st_size, status.st_mtime_ns)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def find_stale(index: Index) -> dict[str, str]:
    """Of every report that is kept and whose file is another by now, by its id: what became of the file, in words."""
    found = {}
    for identifier, (source, mark, size, modified) in index.seen().items():
        try:
            status = Path(source).stat()
            if status.st_size == size and status.st_mtime_ns == modified:
                continue
            if status.st_size != size or _digest(Path(source)) != mark.partition(".")[0]:
                found[identifier] = f"{source} was changed"
        except FileNotFoundError:
            found[identifier] = f"{source} is gone"
        except OSError as error:
            found[identifier] = f"{source} cannot be read ({error.strerror})"
    return found


def stale_notes(index: Index) -> tuple[str, ...]:
    """That files are others by now than those that were read, in one line with the way out; nothing where none is."""
    stale = list(dict.fromkeys(find_stale(index).values()))
    if not stale:
        return ()
    told = "; ".join([*stale[:FIRST], *([f"{len(stale) - FIRST} more"] if len(stale) > FIRST else [])])
    return (f"{told}: answers are from what was read then; `tieout index` with the file or its folder reads it again",)


def kept_outline(store: Path, path: Path, ontology: Ontology) -> Any:  # noqa: ANN401 - JSON
    """The outline of the report in a file, where the store keeps it as it is now; else None. Raises OSError."""
    if not index_path(store).is_file() or not path.is_file():
        return None
    index = Index(index_path(store))
    try:
        found = index.known(mark_of(path, ontology).text)
        return index.outline(found) if found else None
    finally:
        index.close()


def free_name(identifier: str, path: Path, sources: Mapping[str, str]) -> str:
    """What a report is called in a store: as it calls itself, unless one from another file that is still there has the
    name; with its folder then. sources: the files of the reports that are kept, by id."""
    own = str(path.resolve())
    names = (identifier, f"{path.parent.name}/{path.name}", own)
    return next((name for name in names if sources.get(name, own) == own or not Path(sources[name]).exists()), own)


def free_page(identifier: str, path: Path, sources: Mapping[str, str]) -> str:
    """What a page of a file of pages is called in a store: by its own id, unless one from another file that is still
    there has it; with its file then. sources: as for free_name."""
    own = str(path.resolve())
    names = (identifier, f"{identifier} ({path.parent.name}/{path.name})", f"{identifier} ({own})")
    return next(
        (name for name in names if sources.get(name, own) == own or not Path(sources[name]).exists()), names[-1]
    )


def sources_of(store: Path) -> dict[str, tuple[str, str]]:
    """Of every report that is kept from a file, by its id: the file, and its mark. Raises WordIndexError."""
    if not index_path(store).is_file():
        return {}
    index = Index(index_path(store))
    try:
        return index.sources()
    finally:
        index.close()


def taken_in(store: Path) -> dict[str, str]:
    """The file of every report and page that is kept, by its id. Raises WordIndexError."""
    if not index_path(store).is_file():
        return {}
    index = Index(index_path(store))
    try:
        return index.taken()
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


def keep(store: Path, reports: Iterable[tuple[Ready, Mark, Path]], ontology: Ontology) -> None:
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
            index.keep(report.contents, mark.text, str(path.resolve()), mark.size, mark.modified)
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


def remove(store: Path) -> None:
    """Takes away a store, damaged or not, and its index. Raises StoreError where the folder is none, or is in use."""
    try:
        with open_store(store):
            pass
    except StoreError as error:
        if not store.is_dir() or not is_store(store) or "in use" in str(error):
            raise
    for end in ("", "-wal", "-shm"):
        index_path(store).with_name(f"{index_path(store).name}{end}").unlink(missing_ok=True)
    shutil.rmtree(store)


class Kept:
    """The reports of a store, for reading."""

    def __init__(self, store: ox.Store, index: Index, directory: Path) -> None:
        self._store, self.index, self._directory = store, index, directory

    def graph(self, document_id: str) -> KeptGraph:
        """The graph of a report of the index. Raises StoreError where the store has lost it."""
        if not _holds(self._store, document_id):
            raise StoreError(damaged(self._directory, f"{document_id!r}, which its index lists, is gone"))
        return KeptGraph(document_id, self._store, self._directory)


def _holds(store: ox.Store, document_id: str) -> bool:
    return store.contains_named_graph(ox.NamedNode(document_graph(document_id)))


def check_kept(store: Path) -> dict[str, tuple[str, str]]:
    """As sources_of, of the reports that the store has too. Raises StoreError, WordIndexError where either does not
    hold what was written."""
    sources = sources_of(store)
    if not sources or not store.exists():
        return {}
    check_sums(store)
    with open_store(store) as opened:
        return {identifier: each for identifier, each in sources.items() if _holds(opened, identifier)}


def check_sums(store: Path) -> None:
    """Raises StoreError, WordIndexError where a store, or its index, does not hold what was written."""
    check_folder(store)
    if others := damaged_files(store):
        raise StoreError(damaged(store, f"{others[0]} holds other bytes than were written"))
    if index_path(store).is_file():
        index = Index(index_path(store))
        try:
            index.check()
        finally:
            index.close()


@contextmanager
def open_kept(store: Path) -> Iterator[Kept]:
    """What a store keeps, as it is now: others may go on writing. Raises StoreError, WordIndexError."""
    check_folder(store, must_exist=True)
    with copied(store) if may_write(store) else nullcontext(store) as copy, read_copy(copy, store) as kept:
        yield kept


@contextmanager
def copied(store: Path) -> Iterator[Path]:
    """A copy of a store (hard links) that any number of processes may read, gone afterwards. Raises StoreError."""
    check_folder(store, must_exist=True)
    with told(store):
        folder = make_folder(store)
    try:
        snapshot(store, folder / "store")
        yield folder / "store"
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def read_copy(copy: Path, store: Path) -> Iterator[Kept]:
    """What a store keeps, read from a copy of it. Raises StoreError, WordIndexError."""
    with told(store):
        read: Any = ox.Store.read_only(str(copy))
    index = Index(index_path(store))
    try:
        yield Kept(read, index, store)
    finally:
        index.close()
        del read
