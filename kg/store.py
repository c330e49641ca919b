"""The store on disk, where graphs are kept to be inspected: TBox, documents, runs, each a named graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pyoxigraph as ox
from rapidfuzz import fuzz, process

from kg.graph import Graph
from ontology.vocabulary import PREFIXES, document_graph

DEFAULT_STORE = Path(".tieout/store")
MARK = "CURRENT"  # the file that every RocksDB database has


IDENTIFIERS = "SELECT ?id { ?document a kg:Document ; dcterms:identifier ?id } ORDER BY ?id"


class StoreError(OSError):
    """A store that is missing, in use by another process, or cannot be read."""


def _check(directory: Path, must_exist: bool) -> None:
    if directory.is_dir() and (directory / MARK).is_file():
        return
    if directory.is_dir() and any(directory.iterdir()):
        raise StoreError(f"{str(directory)!r} holds other files and is not a store")
    if directory.exists() and not directory.is_dir():
        raise StoreError(f"{str(directory)!r} is a file, not a store")
    if must_exist:
        raise StoreError(f"there is no store at {str(directory)!r}: `tieout kg build FILES...` makes one")


@contextmanager
def open_store(directory: Path, must_exist: bool = False) -> Iterator[ox.Store]:
    """The store at directory for reading and writing, made when there is none and must_exist is not set.

    Only one process can have it open. Raises StoreError, saying which of all that can be wrong is the case.
    """
    _check(directory, must_exist)
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        store = ox.Store(str(directory))
    except (OSError, RuntimeError) as error:
        if "lock" in str(error).lower():
            raise StoreError(f"the store at {str(directory)!r} is in use by another process") from error
        raise StoreError(f"the store at {str(directory)!r} cannot be read: {error}") from error
    try:
        yield store
        # Without it the next opening replays the log, which takes many times as long.
        store.flush()
    finally:
        del store


def snapshot(directory: Path, target: Path) -> None:
    """Makes a copy of the store (hard links) that can be read while the store itself is written. Raises StoreError."""
    _check(directory, must_exist=True)
    with open_store(directory, must_exist=True) as store:
        store.backup(str(target))


def read_graph(directory: Path, document_id: str) -> Graph:
    """The graph of one document. Raises StoreError where the store does not have it, naming the nearest ids."""
    iri = str(document_graph(document_id))
    with open_store(directory, must_exist=True) as store:
        quads = list(store.quads_for_pattern(None, None, None, ox.NamedNode(iri)))
        known = [] if quads else [str(row["id"].value) for row in _rows(store, IDENTIFIERS)]
    if not quads:
        near = [
            name for name, _, _ in process.extract(document_id, known, scorer=fuzz.WRatio, limit=3, score_cutoff=60)
        ]
        hint = f"did you mean {' or '.join(map(repr, near))}?" if near else f"it holds {len(known)} documents"
        raise StoreError(f"no document {document_id!r} in the store at {str(directory)!r}; {hint}")
    return Graph(document_id, ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b"")


def _rows(store: ox.Store, query: str) -> list[ox.QuerySolution]:
    found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
    assert isinstance(found, ox.QuerySolutions)
    return list(found)


def replace_graphs(store: ox.Store, graphs: Iterable[tuple[str, bytes]], batch: int = 64 * 1024 * 1024) -> int:
    """Loads graphs, each as its IRI and its N-Quads, in place of what the store has under that IRI; returns how many.

    batch: bytes gathered before they are written. A stop in between leaves whole batches only.
    """
    count, size = 0, 0
    gathered: list[bytes] = []
    known = {graph.value for graph in store.named_graphs() if isinstance(graph, ox.NamedNode)}
    for iri, quads in graphs:
        if iri in known:
            store.remove_graph(ox.NamedNode(iri))
        gathered.append(quads)
        count, size = count + 1, size + len(quads)
        if size >= batch:
            store.bulk_load(b"".join(gathered), ox.RdfFormat.N_QUADS)
            gathered, size = [], 0
    if gathered:
        store.bulk_load(b"".join(gathered), ox.RdfFormat.N_QUADS)
    return count
