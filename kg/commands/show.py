"""The commands `tieout kg show` and `tieout kg export`."""

from __future__ import annotations

from pathlib import Path

import click
import pyoxigraph as ox
from pydantic_core import to_jsonable_python

from tieout.data.cli import report_problem
from tieout.data.console import (
    console,
    errors,
    json_option,
    one_line,
    output_option,
    print_json,
    printable,
    working,
)
from tieout.data.files import WriteError, write_whole
from tieout.data.readers.read import DataError, Problem, find_conversation, is_pages
from tieout.kg.index.outline import outline_json, outline_lines
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import one_form, store_option
from tieout.kg.reports.bounded import build_bounded
from tieout.kg.reports.part import PartError, find_part
from tieout.kg.reports.report import open_report
from tieout.kg.show import show as show_graph
from tieout.kg.show import show_part
from tieout.kg.store.graph import Graph
from tieout.kg.store.kept import read_graph
from tieout.kg.store.store import StoreError
from tieout.ontology.options import ontology_option, read_ontology

SYNTAXES = {"ttl": ox.RdfFormat.TURTLE, "nq": ox.RdfFormat.N_QUADS, "jsonld": ox.RdfFormat.JSON_LD}


@click.command()
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
    one_form(context)
    first = files[0] if files else Path(identifier)
    if form == "table" and not as_json and first.is_file() and not _holds_pages(first):
        _show_report(first, " ".join(map(str, (*files[1:], identifier))) if files else "", ontology)
        return
    if files and Path(identifier).is_file() and not files[0].exists():
        raise click.UsageError(f"the file comes first: tieout kg show {identifier} {files[0]}")
    graph = _graph(identifier, files, store, ontology)
    if as_json:
        facts = to_jsonable_python(graph.facts())
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
        with working(f"reading {path.name}"):
            report = open_report(path, tbox)
        for what in report.document.unread:
            report_problem(Problem(path, report.id, "", what, is_part=True))
        if name:
            show_part(report.graph, find_part(report.graph, name))
            return
        told = outline_json(report.document, report.facts())
    for line in outline_lines(told):
        console.print(printable(line), markup=False, soft_wrap=True)
    errors.print(
        f"`tieout kg show {path} PART` shows a table (t12), a statement by its name, or a section (words of its title)",
        markup=False,
    )


def _graph(identifier: str, files: tuple[Path, ...], store: Path, ontology: Path | None) -> Graph:
    if not files:
        with one_line(StoreError, WordIndexError):
            return read_graph(store, identifier)
    with one_line(DataError, OSError), working(f"reading {', '.join(each.name for each in files)}"):
        document = find_conversation(files, identifier).document
        return build_bounded(document, read_ontology(ontology))


@click.command()
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
