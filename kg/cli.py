"""The commands `tieout kg` and `tieout sparql`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

import click
import pyoxigraph as ox
from click.core import ParameterSource
from rdflib import URIRef
from rich.progress import track

from tieout.data.console import Limit, console, errors, json_option, one_line, print_json, printable
from tieout.data.readers.read import DataError, find_conversation
from tieout.data.standard_input import reports_argument
from tieout.kg.build import build as build_graph
from tieout.kg.check import Checked, CheckError
from tieout.kg.output import FORMATS, write_result
from tieout.kg.show import show as show_graph
from tieout.kg.store.graph import Graph
from tieout.kg.store.guard import QueryError
from tieout.kg.store.query import DEFAULT_ROWS, DEFAULT_SECONDS, MOST_ROWS, MOST_SECONDS, QueryWorker
from tieout.kg.store.store import (
    DEFAULT_STORE,
    StoreError,
    nearest,
    ontology_quads,
    open_store,
    read_graph,
    replace_graphs,
)
from tieout.ontology.cli import ontology_option, read_documents, read_ontology
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, document_graph, run_graph

SYNTAXES = {"ttl": ox.RdfFormat.TURTLE, "nq": ox.RdfFormat.N_QUADS, "jsonld": ox.RdfFormat.JSON_LD}
MOST_LISTED = 50

store_option = click.option(
    "--store",
    type=click.Path(path_type=Path),
    default=DEFAULT_STORE,
    show_default=True,
    help="Folder of the store.",
)


def _one_form(context: click.Context) -> None:
    """Raises click.UsageError where --json and another --format are given: one would be dropped in silence."""
    given = context.get_parameter_source("form") is ParameterSource.COMMANDLINE
    if context.params["as_json"] and given and context.params["form"] != "json":
        raise click.UsageError("give either --json or --format")


@click.group()
def kg() -> None:
    """Turn reports into graphs; look at them, check that nothing is lost.

    A graph holds one fact for each amount that a report prints (value, unit, scale, period, what it measures, and its
    cell or sentence), as RDF: in triples of subject, property and value.
    """


@kg.command()
@reports_argument
@store_option
@ontology_option
@json_option
def build(files: tuple[Path, ...], store: Path, ontology: Path | None, as_json: bool) -> None:
    """Build the graphs of all reports in FILES and keep them in the store.

    With them goes the TBox: the classes and properties that reports talk about.
    """
    tbox = read_ontology(ontology)
    documents = read_documents(files)
    counts = {"documents": len(documents), "facts": 0, "triples": 0}

    def graphs() -> Iterator[tuple[str, bytes]]:
        yield ontology_quads(tbox)
        for document in documents:
            graph = build_graph(document, tbox)
            counts["facts"] += graph.triples.count(b"#raw> ")
            counts["triples"] += graph.triples.count(b" .\n")
            yield graph.iri, graph.quads

    with one_line(StoreError), open_store(store) as opened:
        replace_graphs(opened, graphs())
    if as_json:
        print_json({**counts, "store": store})
    else:
        console.print(
            f"{counts['documents']} documents, {counts['facts']} facts, {counts['triples']} triples in {store}",
            markup=False,
        )


@kg.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.argument("identifier", metavar="ID")
@store_option
@ontology_option
@click.option("--format", "form", type=click.Choice(["table", *SYNTAXES]), default="table", show_default=True)
@json_option
@click.pass_context
def show(
    context: click.Context,
    files: tuple[Path, ...],
    identifier: str,
    store: Path,
    ontology: Path | None,
    form: str,
    as_json: bool,
) -> None:
    """Show the report ID as it was understood: from FILES when given, else from the store.

    --json gives its facts, with values as exact text; --format the whole graph.
    """
    _one_form(context)
    if files and Path(identifier).is_file() and not files[0].exists():
        raise click.UsageError(f"the file comes first: tieout kg show {identifier} {files[0]}")
    graph = _graph(identifier, files, store, ontology)
    if as_json:
        facts = [fact.model_dump(mode="json") for fact in graph.facts()]
        print_json({"id": graph.document_id, "facts": facts})
    elif form == "table":
        show_graph(graph)
    elif form == "nq":
        click.echo(graph.nquads().decode(), nl=False)
    else:
        click.echo(graph.serialize(SYNTAXES[form]))


def _graph(identifier: str, files: tuple[Path, ...], store: Path, ontology: Path | None) -> Graph:
    if not files:
        with one_line(StoreError):
            return read_graph(store, identifier)
    with one_line(DataError, OSError):
        document = find_conversation(files, identifier).document
    return build_graph(document, read_ontology(ontology))


@kg.command()
@reports_argument
@ontology_option
@click.option(
    "--shapes/--no-shapes", default=True, show_default=True, help="Hold graphs against the SHACL shapes (slow)."
)
@json_option
@click.pass_context
def check(context: click.Context, files: tuple[Path, ...], ontology: Path | None, shapes: bool, as_json: bool) -> None:
    """Check that every number printed in FILES is in its graph, and that every graph keeps to the shapes.

    The shapes, in SHACL, are rules of what a fact has to have. Exit code 1 when something is missing or misformed.
    """
    tbox = read_ontology(ontology)
    checked = Checked(violations=[] if shapes else None)
    documents = read_documents(files)
    for document in track(documents, "checking", console=errors, transient=True, disable=not errors.is_terminal):
        with one_line(CheckError):
            checked.add(document, build_graph(document, tbox))
    if as_json:
        print_json(checked.summary())
    else:
        _print_check(checked)
    if not checked.fine:
        context.exit(1)


def _print_check(checked: Checked) -> None:
    console.print(f"{checked.documents} documents, {checked.found + len(checked.missing)} numbers printed")
    console.print(f"  {checked.found} in the span of a fact, {len(checked.missing)} missing")
    for rule, count in sorted(checked.rules.items()):
        console.print(f"  {count} digits that are no amount: {rule}")
    if checked.violations is None:
        console.print("  shapes not checked")
    else:
        console.print(f"  {len(checked.violations)} violations of the shapes")
    lines = [f"missing: {name}, {each.place}: {each.text!r} in {each.around!r}" for name, each in checked.missing]
    lines += [f"wrong: {name}, {line}" for name, line in checked.wrong]
    lines += [f"violation: {name}, {line}" for name, line in checked.violations or ()]
    for line in lines[:MOST_LISTED]:
        console.print(printable(line), markup=False, soft_wrap=True)
    if len(lines) > MOST_LISTED:
        console.print(f"... and {len(lines) - MOST_LISTED} more; --json lists all")


@click.command()
@click.argument("query")
@store_option
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
    form: str,
    rows: int,
    seconds: float,
    document: tuple[str, ...],
    run: tuple[str, ...],
    as_json: bool,
) -> None:
    """Run a SPARQL QUERY over what the store holds, read-only. `-` reads it from standard input.

    The store holds the TBox (classes and properties), the documents (a graph each) and the runs (what was asked,
    answered and calculated). SPARQL is the query language of RDF; the README has examples.

    The prefixes kg, prov, qb, unit, rdf, rdfs, owl, xsd, skos and dcterms need not be declared. SERVICE is refused;
    besides, the system forbids the query every socket (Linux on x86-64 and ARM64), or standard error says it cannot.
    """
    _one_form(context)
    text = sys.stdin.read() if query == "-" else query
    with one_line(QueryError, StoreError), QueryWorker(store) as worker:
        if not worker.forbids_sockets():
            errors.print(
                "tieout: this system cannot forbid sockets: only the check of its text keeps the query off the network",
                soft_wrap=True,
            )
        graphs = [*_graphs(worker, "document", document, document_graph), *_graphs(worker, "run", run, run_graph)]
        result = worker.query(text, [*graphs, str(ONTOLOGY_GRAPH)] if graphs else None, rows, seconds)
        write_result(result, "json" if as_json else form)


NAMES = {
    "document": "SELECT ?name { ?graph a kg:Document ; dcterms:identifier ?name } ORDER BY ?name",
    "run": f"SELECT (STRAFTER(STR(?graph), '{run_graph('')}') AS ?name) {{ ?graph a kg:Run }} ORDER BY ?name",
}


def _graphs(worker: QueryWorker, kind: str, names: Iterable[str], graph_of: Callable[[str], URIRef]) -> Iterator[str]:
    """The named graphs of these documents or runs. Raises QueryError for one that the store does not have.

    These queries are our own: the limit of seconds is for that of the user, on a busy machine too.
    """
    for name in names:
        graph = str(graph_of(name))
        if not worker.query("SELECT ?s { ?s ?p ?o } LIMIT 1", [graph], seconds=MOST_SECONDS).rows:
            named = worker.query(NAMES[kind], rows=MOST_ROWS, seconds=MOST_SECONDS).rows
            known = [unquote(row[0]["value"]) for row in named if row[0]]
            raise QueryError(f"the store has no {kind} {name!r}; {nearest(name, known)}")
        yield graph
