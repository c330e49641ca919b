"""What a query sees: some graphs of a store in memory, or all of them where the store itself has them.

The store holds the TBox, pages and runs. The graph of a report is in its bundle, that of a company is made of the
index: a query that names its graphs gets them in memory, one that asks all of them has those that are missing put into
the store before, once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pyoxigraph as ox

from tieout.kg.filings.company import companies_of
from tieout.kg.filings.graph import company_quads
from tieout.kg.index.words import Index
from tieout.kg.store.bundles import Bundles
from tieout.kg.store.query import QueryWorker
from tieout.kg.store.store import (
    StoreError,
    check_folder,
    index_path,
    may_write,
    open_store,
    open_to_read,
    replace_graphs,
)
from tieout.ontology.metrics.scheme import scheme_quads
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, document_graph

MOST_AT_ONCE = 1000  # reports whose graphs are put into a store for a query: some 20 GB
Told = Callable[[str], object]
Missing = Mapping[str, Callable[[], bytes]]  # what makes the N-Quads of graphs, by their IRIs


def open_dataset(store: Path, graphs: Sequence[str] | None = None, told: Told = lambda message: None) -> QueryWorker:
    """What runs queries over these graphs of a store, by their IRIs; None for all of them.

    told: told in a line where that takes a while. Raises StoreError, WordIndexError.
    """
    check_folder(store, must_exist=True)
    with _missing(store) as (reports, companies):
        missing = {**reports, **companies}
        if graphs is not None:
            wanted = {iri: missing[iri] for iri in graphs if iri in missing}
            return QueryWorker(quads=_quads(store, graphs, wanted)) if wanted else QueryWorker(store)
        if not missing:
            return QueryWorker(store)
        if not may_write(store):
            return QueryWorker(quads=_quads(store, None, missing))
        if len(reports) > MOST_AT_ONCE:
            raise StoreError(
                f"{str(store)!r} keeps {len(reports)} reports whose graphs are made when they are asked: name those "
                "that the query is about, with --document or FROM"
            )
        if reports:
            told(f"making the graphs of {len(reports)} reports, once, for a query that names none")
        _put(store, missing)
    return QueryWorker(store)


def reports_of(store: Path) -> Sequence[str]:
    """The ids of the reports that a store keeps. Raises WordIndexError."""
    if not index_path(store).is_file():
        return ()
    with closing(Index(index_path(store))) as index:
        return [report.id for report in index.reports()]


@contextmanager
def _missing(store: Path) -> Iterator[tuple[Missing, Missing]]:
    """The graphs of reports that the store has not, and those of companies and their concepts."""
    if not index_path(store).is_file():
        yield {}, {}
        return
    bundles = Bundles(store)
    with closing(Index(index_path(store))) as index:
        made = {
            document_graph(id): partial(_of_report, bundles, key, id) for id, key in index.bundle_of().items() if key
        }
        companies: dict[str, Callable[[], bytes]] = {
            each.iri: partial(company_quads, each, index) for each in companies_of(index.filings())
        }
        if companies:
            companies[CONCEPTS_GRAPH] = scheme_quads
        there = _graphs(store)
        yield _without(made, there), _without(companies, there)


def _graphs(store: Path) -> set[str]:
    """The graphs that the store itself has, by IRI."""
    with open_to_read(store) as opened:
        return {graph.value for graph in opened.named_graphs() if isinstance(graph, ox.NamedNode)}


def _of_report(bundles: Bundles, key: str, report: str) -> bytes:
    return bundles.graph(key, report).quads


def _without(graphs: Missing, there: Container[str]) -> Missing:
    return {iri: make for iri, make in graphs.items() if iri not in there}


def _quads(store: Path, graphs: Iterable[str] | None, missing: Missing) -> bytes:
    """Graphs as N-Quads: what is missing in the store, and of the others what it has. graphs: None for all."""
    with open_to_read(store) as opened:
        places = [None] if graphs is None else [ox.NamedNode(iri) for iri in graphs if iri not in missing]
        found = [quad for place in places for quad in opened.quads_for_pattern(None, None, None, place)]
    parts = [ox.serialize(found, format=ox.RdfFormat.N_QUADS) or b""]
    return b"".join([*parts, *(make() for make in missing.values())])


def _put(store: Path, missing: Missing) -> None:
    with open_store(store) as opened:
        replace_graphs(opened, ((iri, make()) for iri, make in missing.items()))
