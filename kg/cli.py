"""The commands `tieout kg` and `tieout sparql`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import click
import pyoxigraph as ox
from click.core import ParameterSource
from rich.progress import track

from tieout.data.console import (
    Failure,
    Limit,
    console,
    errors,
    json_option,
    one_line,
    output_option,
    print_json,
    printable,
)
from tieout.data.files import WriteError, write_whole
from tieout.data.readers.read import DataError, find_conversation, is_pages
from tieout.data.standard_input import reports_argument
from tieout.kg.build import build as build_graph
from tieout.kg.cli_check import check
from tieout.kg.cli_reports import facts, outline
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import endpoint_option, store_option
from tieout.kg.output import FORMATS, write_result
from tieout.kg.reports.library import Outcome, find_sources, keep_files
from tieout.kg.reports.outline import outline_lines
from tieout.kg.reports.part import PartError, find_part
from tieout.kg.reports.report import open_report
from tieout.kg.show import show as show_graph
from tieout.kg.show import show_part
from tieout.kg.store.endpoint import Endpoint, Place
from tieout.kg.store.graph import Graph
from tieout.kg.store.guard import QueryError
from tieout.kg.store.query import DEFAULT_ROWS, DEFAULT_SECONDS, MOST_ROWS, MOST_SECONDS, QueryWorker
from tieout.kg.store.store import (
    StoreError,
    nearest,
    read_graph,
)
from tieout.ontology.cli import read_ontology
from tieout.ontology.model import OntologyError
from tieout.ontology.options import ontology_option
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, document_graph, run_graph

SYNTAXES = {"ttl": ox.RdfFormat.TURTLE, "nq": ox.RdfFormat.N_QUADS, "jsonld": ox.RdfFormat.JSON_LD}


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
@endpoint_option
@ontology_option
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read files.")
@json_option
@click.pass_context
def build(
    context: click.Context,
    files: tuple[Path, ...],
    store: Path,
    endpoint: str | None,
    ontology: Path | None,
    jobs: int,
    as_json: bool,
) -> None:
    """Read the reports in FILES, build their graphs and keep them in the store.

    With them goes the TBox: the classes and properties that reports talk about. A report file that is kept already is
    not read again. Exit code 1 when one of several files cannot be read, or a printed number is in no fact.
    """
    tbox = read_ontology(ontology)
    with one_line(DataError):
        sources = find_sources(files)
    outcomes: list[Outcome] = []
    with one_line(DataError, StoreError, QueryError, WordIndexError, OntologyError):
        there = Endpoint(Place.read(endpoint)) if endpoint else None
        for outcome in track(
            keep_files(sources, tbox, store, jobs, there),
            "reading",
            total=len(sources),
            console=errors,
            transient=True,
            disable=not errors.is_terminal,
        ):
            if outcome.problem and len(sources) == 1:
                raise Failure(printable(outcome.problem))
            outcomes.append(outcome)
    problems = [outcome for outcome in outcomes if outcome.problem]
    for outcome in problems:
        errors.print(printable(f"tieout: left out {outcome.problem}"), markup=False, soft_wrap=True)
    _print_built(outcomes, there.place.query if there else store, as_json)
    if problems or any(built.missing for outcome in outcomes for built in outcome.built):
        context.exit(1)


def _print_built(outcomes: list[Outcome], store: Path | str, as_json: bool) -> None:
    built = [each for outcome in outcomes for each in outcome.built]
    kept = [outcome.kept for outcome in outcomes if outcome.kept]
    counts: dict[str, Any] = {
        "documents": len(built),
        "facts": sum(each.facts for each in built),
        "triples": sum(each.triples for each in built),
    }
    missing = {each.id: each.missing for each in built if each.missing}
    if as_json:
        more = {"kept": kept, "missing": missing, "left_out": [each.problem for each in outcomes if each.problem]}
        print_json({**counts, "store": store, **{name: value for name, value in more.items() if value}})
        return
    console.print(
        f"{counts['documents']} documents, {counts['facts']} facts, {counts['triples']} triples in {store}",
        markup=False,
    )
    if kept:
        console.print(f"{len(kept)} kept already: {', '.join(kept)}", markup=False, soft_wrap=True)
    for name, count in missing.items():
        console.print(f"{name}: {count} printed numbers are in no fact; `tieout kg check` lists them", markup=False)


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

    Of a whole report in a file, name what to show of it behind the file: a table (t12), a sentence (s340), or words of
    a heading; without, its outline is shown. --json gives its facts, with values as exact text; --format the whole
    graph as RDF, as `tieout kg export` does.
    """
    _one_form(context)
    first = files[0] if files else Path(identifier)
    if form == "table" and not as_json and first.is_file() and not _holds_pages(first):
        _show_report(first, " ".join(map(str, (*files[1:], identifier))) if files else "", ontology)
        return
    if files and Path(identifier).is_file() and not files[0].exists():
        raise click.UsageError(f"the file comes first: tieout kg show {identifier} {files[0]}")
    graph = _graph(identifier, files, store, ontology)
    if as_json:
        facts = [fact.model_dump(mode="json") for fact in graph.facts()]
        print_json({"id": graph.document_id, "facts": facts})
    elif form == "table":
        show_graph(graph)
    else:
        click.echo(_as_rdf(graph, form), nl=False)


def _holds_pages(path: Path) -> bool:
    with one_line(DataError):
        return is_pages(path)


def _show_report(path: Path, name: str, ontology: Path | None) -> None:
    """A part of the report in a file, or its outline where none is named."""
    tbox = read_ontology(ontology)
    with one_line(DataError, PartError):
        report = open_report(path, tbox)
        if name:
            show_part(report.graph, find_part(report.graph, name))
            return
    for line in outline_lines(report.document, tbox):
        console.print(printable(line), markup=False, soft_wrap=True)
    errors.print(f"`tieout kg show {path} PART` shows a table (t12) or a section (words of its title)", markup=False)


def _graph(identifier: str, files: tuple[Path, ...], store: Path, ontology: Path | None) -> Graph:
    if not files:
        with one_line(StoreError):
            return read_graph(store, identifier)
    with one_line(DataError, OSError):
        document = find_conversation(files, identifier).document
    return build_graph(document, read_ontology(ontology))


@kg.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.argument("identifier", metavar="[ID]", required=False)
@click.option("--format", "form", type=click.Choice(list(SYNTAXES)), default="ttl", show_default=True)
@output_option(text="File to write; else standard output.")
@store_option
@ontology_option
def export(
    files: tuple[Path, ...],
    identifier: str | None,
    form: str,
    output: Path | None,
    store: Path,
    ontology: Path | None,
) -> None:
    """Write the graph of a report as RDF: that of the file, of the page ID of FILES, or of the report ID in the store.

    RDF is the standard form of such graphs, which other stores and tools read: as Turtle (ttl), N-Quads (nq, in which
    every triple also names its graph) or JSON-LD (jsonld).
    """
    if identifier is None:
        raise click.UsageError("name a file, with the id of a page where it holds several, or an id in the store")
    first = Path(identifier)
    if not files and first.is_file() and not _holds_pages(first):
        with one_line(DataError):
            graph = open_report(first, read_ontology(ontology)).graph
    elif not files and first.is_file():
        raise click.UsageError(f"name a page behind the file: `tieout list {identifier}` shows the ids")
    else:
        graph = _graph(identifier, files, store, ontology)
    text = _as_rdf(graph, form)
    if output is None:
        click.echo(text, nl=False)
        return
    with one_line(WriteError):
        write_whole(output, text)
    errors.print(f"wrote {output}", style="dim", markup=False)


def _as_rdf(graph: Graph, form: str) -> str:
    return graph.nquads().decode() if form == "nq" else f"{graph.serialize(SYNTAXES[form]).rstrip()}\n"


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
    _one_form(context)
    text = sys.stdin.read() if query == "-" else query
    with (
        one_line(QueryError, StoreError),
        Endpoint(Place.read(endpoint)) if endpoint else QueryWorker(store) as worker,
    ):
        if not worker.forbids_sockets():
            errors.print(
                "tieout: this system cannot forbid sockets: only the check of its text keeps the query off the network",
                soft_wrap=True,
            )
        graphs = [*_graphs(worker, "document", document, document_graph), *_graphs(worker, "run", run, run_graph)]
        result = worker.query(text, [*graphs, ONTOLOGY_GRAPH] if graphs else None, rows, seconds)
        write_result(result, "json" if as_json else form)


NAMES = {
    "document": "SELECT ?name { ?graph a kg:Document ; dcterms:identifier ?name } ORDER BY ?name",
    "run": f"SELECT (STRAFTER(STR(?graph), '{run_graph('')}') AS ?name) {{ ?graph a kg:Run }} ORDER BY ?name",
}


def _graphs(
    worker: QueryWorker | Endpoint, kind: str, names: Iterable[str], graph_of: Callable[[str], str]
) -> Iterator[str]:
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


kg.add_command(check)
kg.add_command(facts)
kg.add_command(outline)
