"""What a query sees: some graphs of a store in memory, or all of them where the store itself has them.

The store holds the TBox, companies, pages and runs. The graph of a report is in its bundle: a query that names its
graphs gets them in memory, one that asks all of them has those that are missing put into the store before, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pyoxigraph as ox

from tieout.kg.index.words import Index
from tieout.kg.store.bundles import Bundles
from tieout.kg.store.kept import index_path
from tieout.kg.store.query import QueryWorker
from tieout.kg.store.store import StoreError, check_folder, may_write, open_store, open_to_read, replace_graphs
from tieout.ontology.vocabulary import document_graph

MOST_AT_ONCE = 1000  # graphs that are put into a store for a query: some 20 GB
Told = Callable[[str], object]


def open_dataset(store: Path, graphs: Sequence[str] | None = None, told: Told = lambda message: None) -> QueryWorker:
    """What runs queries over these graphs of a store, by their IRIs; None for all of them.

    told: told in a line where that takes a while. Raises StoreError, WordIndexError.
    """
    check_folder(store, must_exist=True)
    missing = _missing(store)
    if graphs is not None:
        wanted = {iri: missing[iri] for iri in graphs if iri in missing}
        return QueryWorker(quads=_quads(store, graphs, wanted)) if wanted else QueryWorker(store)
    if not missing:
        return QueryWorker(store)
    if not may_write(store):
        return QueryWorker(quads=_quads(store, None, missing))
    if len(missing) > MOST_AT_ONCE:
        raise StoreError(
            f"{str(store)!r} keeps {len(missing)} reports whose graphs are made when they are asked: name those that "
            "the query is about, with --document or FROM"
        )
    told(f"making the graphs of {len(missing)} reports, once, for a query that names none")
    _put(store, missing)
    return QueryWorker(store)


def reports_of(store: Path) -> Sequence[str]:
    """The ids of the reports that a store keeps. Raises WordIndexError."""
    if not index_path(store).is_file():
        return ()
    with closing(Index(index_path(store))) as index:
        return [report.id for report in index.reports()]


def _missing(store: Path) -> dict[str, tuple[str, str]]:
    """The reports whose graphs the store has not: by IRI the key of the bundle, and the id."""
    if not index_path(store).is_file():
        return {}
    with closing(Index(index_path(store))) as index:
        kept = {document_graph(report): (key, report) for report, key in index.bundle_of().items() if key}
    with open_to_read(store) as opened:
        there = {graph.value for graph in opened.named_graphs() if isinstance(graph, ox.NamedNode)}
    return {iri: found for iri, found in kept.items() if iri not in there}


def _quads(store: Path, graphs: Iterable[str] | None, bundled: Mapping[str, tuple[str, str]]) -> bytes:
    """Graphs as N-Quads: those of bundles, and of the others what the store has. graphs: None for all."""
    bundles = Bundles(store)
    with open_to_read(store) as opened:
        places = [None] if graphs is None else [ox.NamedNode(iri) for iri in graphs if iri not in bundled]
        found = [quad for place in places for quad in opened.quads_for_pattern(None, None, None, place)]
    parts = [ox.serialize(found, format=ox.RdfFormat.N_QUADS) or b""]
    return b"".join([*parts, *(bundles.graph(*each).quads for each in bundled.values())])


def _put(store: Path, missing: Mapping[str, tuple[str, str]]) -> None:
    bundles = Bundles(store)
    with open_store(store) as opened:
        replace_graphs(opened, ((iri, bundles.graph(*each).quads) for iri, each in missing.items()))
