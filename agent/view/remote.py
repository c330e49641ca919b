"""Reports whose graphs are at a SPARQL endpoint, ready to be asked: read and put there where they are not yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tieout.agent.view.reports import BUDGET, Reports
from tieout.data.readers.read import DataError
from tieout.kg.index.words import Index
from tieout.kg.reports.library import find_sources, keep_files
from tieout.kg.store.endpoint import Endpoint, EndpointGraph, Place
from tieout.kg.store.graph import Graph
from tieout.kg.store.store import DEFAULT_STORE, StoreError, index_path
from tieout.ontology.model import Ontology


@contextmanager
def remote_reports(
    paths: Sequence[Path],
    ontology: Ontology,
    place: str,
    *,
    identifier: str | None = None,
    store: Path = DEFAULT_STORE,
    budget: int = BUDGET,
) -> Iterator[Graph | Reports]:
    """The reports in files, or all that were put at the endpoint from here where none is given.

    identifier: of a page where a file holds several, or a part of it. store: beside its place the index is kept.
    Raises DataError, EndpointError, StoreError, WordIndexError, QueryError.
    """
    with Endpoint(Place.read(place)) as endpoint:
        named: list[str] = []
        for outcome in keep_files(find_sources(paths), ontology, store, endpoint=endpoint) if paths else ():
            if outcome.problem:
                raise DataError(outcome.problem)
            if outcome.built and outcome.built[0].contents is None:  # a page, which is shown whole
                yield EndpointGraph(_page([built.id for built in outcome.built], identifier, paths), endpoint)
                return
            named += [outcome.kept] if outcome.kept else [built.id for built in outcome.built]
        with closing(Index(index_path(endpoint.place.index(store)))) as index:
            chosen = named if paths else [entry.id for entry in index.reports()]
            if not chosen:
                raise StoreError(f"no report was put at {endpoint.place.query!r} from here: give a file")
            yield Reports([EndpointGraph(each, endpoint) for each in chosen], index, budget)


def _page(ids: Sequence[str], identifier: str | None, paths: Sequence[Path]) -> str:
    """The one page that is meant. Raises DataError where it is none, or several."""
    named = [each for each in ids if identifier in (None, each)]
    chosen = named or [each for each in ids if identifier and identifier.lower() in each.lower()]
    if len(chosen) != 1 or len(paths) > 1:
        raise DataError(f"{', '.join(map(str, paths))}: give the id of one page; `tieout list` shows them")
    return chosen[0]
