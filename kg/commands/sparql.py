"""The command `tieout sparql`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

import click

from tieout.data.console import (
    Limit,
    errors,
    json_option,
    one_line,
)
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import endpoint_option, one_form, store_option
from tieout.kg.output import FORMATS, write_result
from tieout.kg.store.dataset import open_dataset, reports_of
from tieout.kg.store.endpoint import Endpoint, Place
from tieout.kg.store.guard import QueryError
from tieout.kg.store.query import DEFAULT_ROWS, DEFAULT_SECONDS, MOST_ROWS, MOST_SECONDS, QueryWorker
from tieout.kg.store.store import (
    StoreError,
    nearest,
)
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, document_graph, run_graph


@click.command()
@click.argument("query")
@store_option
@endpoint_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option(
    "--rows", type=click.IntRange(1, MOST_ROWS), default=DEFAULT_ROWS, show_default=True, help="The most rows to print."
)
@click.option(
    "--seconds",
    type=Limit(0.1, MOST_SECONDS),
    default=DEFAULT_SECONDS,
    show_default=True,
    help="Stop the query after so many seconds.",
)
@click.option("--document", multiple=True, metavar="ID", help="See this document (and the TBox) only; can be repeated.")
@click.option("--run", multiple=True, metavar="NAME", help="See this run (and the TBox) only; can be repeated.")
@json_option
@click.pass_context
def sparql(
    context: click.Context,
    query: str,
    store: Path,
    endpoint: str | None,
    form: str,
    rows: int,
    seconds: float,
    document: tuple[str, ...],
    run: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a SPARQL QUERY over what the store holds, read-only. `-` reads it from standard input.

    The store holds the TBox (classes and properties), the documents (a graph each) and the runs (what was asked,
    answered and calculated). SPARQL is the query language of RDF; docs/sparql.md has examples.

    The prefixes kg, prov, qb, unit, rdf, rdfs, owl, xsd, skos and dcterms need not be declared. SERVICE is refused;
    besides, the system forbids the query every socket (Linux on x86-64 and ARM64), or standard error says it cannot.
    """
    one_form(context)
    text = sys.stdin.read() if query == "-" else query
    asked = [*map(document_graph, document), *map(run_graph, run)]
    graphs = [*asked, ONTOLOGY_GRAPH] if asked else None
    with (
        one_line(QueryError, StoreError, WordIndexError),
        Endpoint(Place.read(endpoint)) if endpoint else open_dataset(store, graphs, _tell) as worker,
    ):
        if not worker.forbids_sockets():
            _tell("this system cannot forbid sockets: only the check of its text keeps the query off the network")
        _check(worker, "document", document, document_graph, None if endpoint else store)
        _check(worker, "run", run, run_graph, None if endpoint else store)
        result = worker.query(text, graphs, rows, seconds)
        write_result(result, "json" if as_json else form)


def _tell(message: str) -> None:
    errors.print(f"tieout: {message}", soft_wrap=True)


NAMES = {
    "document": "SELECT ?name { ?graph a kg:Document ; dcterms:identifier ?name } ORDER BY ?name",
    "run": f"SELECT (STRAFTER(STR(?graph), '{run_graph('')}') AS ?name) {{ ?graph a kg:Run }} ORDER BY ?name",
}


def _check(
    worker: QueryWorker | Endpoint, kind: str, names: Iterable[str], graph_of: Callable[[str], str], store: Path | None
) -> None:
    """Raises QueryError for a document or run that there is not. store: None for an endpoint.

    These queries are our own: the limit of seconds is for that of the user, on a busy machine too.
    """
    for name in names:
        if not worker.query("SELECT ?s { ?s ?p ?o } LIMIT 1", [graph_of(name)], seconds=MOST_SECONDS).rows:
            known = {*_known(worker, kind)} if store is None else {*_kept(store, kind)}
            raise QueryError(f"the store has no {kind} {name!r}; {nearest(name, sorted(known))}")


def _known(worker: QueryWorker | Endpoint, kind: str) -> Iterator[str]:
    named = worker.query(NAMES[kind], rows=MOST_ROWS, seconds=MOST_SECONDS).rows
    return (unquote(row[0]["value"]) for row in named if row[0])


def _kept(store: Path, kind: str) -> Iterator[str]:
    """The documents or runs of a store: those that are kept in bundles, and those whose graphs it has."""
    if kind == "document":
        yield from reports_of(store)
    with QueryWorker(store) as whole:
        yield from _known(whole, kind)
