"""The commands `tieout ontology`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import click

from tieout.data.cli import report_problem
from tieout.data.console import (
    console,
    errors,
    json_option,
    one_line,
    output_option,
    print_fitted,
    print_json,
    working,
)
from tieout.data.document import Document
from tieout.data.files import WriteError, write_whole
from tieout.data.readers.read import DataError, read_files
from tieout.data.standard_input import reports_argument
from tieout.data.system.engine import EngineError, jobs_options
from tieout.ontology.build import build as build_ontology
from tieout.ontology.check import check as check_turtle
from tieout.ontology.diagram import svg
from tieout.ontology.learn.advice import Advise, Call
from tieout.ontology.learn.update import Difference, difference
from tieout.ontology.model import DEFAULT, Ontology, OntologyError
from tieout.ontology.options import ontology_option, read_ontology
from tieout.ontology.show import class_json, class_table, find_class, tree
from tieout.ontology.stats import Stats, measure, stats_json

# Makes an adviser of the name of a backend and the file for its calls. What makes it hands it in as the context's
# object, because imports run one way: backends know the ontology, which does not know them.
MakeAdviser = Callable[[str, Path], tuple[Advise, Callable[[Call], None]]]


@click.group()
def ontology() -> None:
    """Derive the ontology from training reports, once; look at it, check it.

    The ontology, or TBox, says what reports talk about: classes (StockOption), properties (exercisePrice) and how they
    are printed. It holds no figure of any report, and is kept as Turtle, a text form of RDF.
    """


def read_documents(files: Iterable[Path], jobs: int = 1, engine: str = "") -> list[Document]:
    """The reports in the files. jobs, engine: as `run_tasks` has them. Raises Failure before any is used where one of
    the files cannot be read."""
    with one_line(DataError, EngineError, OSError), working("reading"):
        return [conversation.document for conversation in read_files(files, report_problem, jobs, engine)]


@ontology.command()
@reports_argument
@output_option(default=Path("ontology.ttl"), show_default=True, text="The Turtle file to write.")
@click.option("--update", type=click.Path(path_type=Path), help="A TBox to extend; nothing in it is renamed.")
@click.option(
    "--backend",
    metavar="NAME",
    help="anthropic:<model> or openai:<model>, to name and merge line items; else no model is asked.",
)
@click.option(
    "--log", type=click.Path(path_type=Path), help="Append every call of it to this file; else OUTPUT.advice.jsonl."
)
@jobs_options
@json_option
@click.pass_obj
def build(
    make_adviser: MakeAdviser | None,
    files: tuple[Path, ...],
    output: Path,
    update: Path | None,
    backend: str | None,
    log: Path | None,
    jobs: int,
    engine: str,
    as_json: bool,
) -> None:
    """Derive a TBox, classes and properties and no figures, from the reports in FILES."""
    with one_line(OntologyError, OSError):
        old = Ontology.load(update) if update else None
        advise, note = _adviser(make_adviser, backend, log, output)
    documents = read_documents(files, jobs, engine)
    with one_line(OntologyError, OSError), working("naming what the reports talk about"):
        made = build_ontology(documents, old=old, advise=advise, log=note)
        if not made.properties:
            raise OntologyError(f"no line item in the tables of {', '.join(map(str, files))}: {output} is not written")
        write_whole(output, made.turtle())
    stats = measure(made, documents)
    changed = difference(old, made) if old else None
    if as_json:
        print_json(_built_json(made, stats, changed))
        return
    ratio = "" if old else f" ({len(stats.labels) / len(made.properties):.2f} labels per property)"
    console.print(
        f"{output}: {len(made.classes)} classes and {len(made.properties)} properties from {stats.documents} pages, "
        f"{stats.tables} tables and {len(stats.labels)} distinct labels{ratio}",
        markup=False,
        soft_wrap=True,
    )
    if changed:
        _print_difference(changed)


def _adviser(
    make: MakeAdviser | None, backend: str | None, log: Path | None, output: Path
) -> tuple[Advise | None, Callable[[Call], None] | None]:
    if backend is None:
        if log:
            raise click.UsageError("--log needs a --backend whose calls it could hold")
        return None, None
    if make is None:
        raise click.UsageError("--backend works only in `tieout ontology build`")
    path = log or output.with_suffix(".advice.jsonl")
    made = make(backend, path)
    errors.print(f"advice: every call of {backend} is logged in {path}", style="dim", markup=False, soft_wrap=True)
    return made


def _built_json(made: Ontology, stats: Stats, changed: Difference | None) -> dict[str, object]:
    built: dict[str, object] = {
        "classes": len(made.classes),
        "properties": len(made.properties),
        "pages": stats.documents,
        "tables": stats.tables,
        "labels": len(stats.labels),
    }
    if changed is None:
        built["labels_per_property"] = len(stats.labels) / len(made.properties)
    else:
        built["new_classes"] = changed.classes
        built["new_properties"] = changed.properties
        built["relabelled_properties"] = changed.relabelled
    return built


def _print_difference(changed: Difference) -> None:
    for what, names in (
        ("new class", changed.classes),
        ("new property", changed.properties),
        ("more labels", changed.relabelled),
    ):
        for name in names:
            console.print(f"{what}: {name}", markup=False)
    if not (changed.classes or changed.properties or changed.relabelled):
        console.print("nothing new")


@ontology.command()
@click.argument("name", metavar="[CLASS]", required=False)
@ontology_option
@json_option
def show(name: str | None, ontology: Path | None, as_json: bool) -> None:
    """Show the tree of classes, or one CLASS with its properties."""
    tbox = read_ontology(ontology)
    if name is None and as_json:
        print_json([class_json(tbox, item) for item in tbox.classes])
    elif name is None:
        console.print(tree(tbox))
    else:
        with one_line(OntologyError):
            item = find_class(tbox, name)
        if as_json:
            print_json(class_json(tbox, item))
        else:
            print_fitted(class_table(tbox, item))


@ontology.command()
@reports_argument
@ontology_option
@json_option
def stats(files: tuple[Path, ...], ontology: Path | None, as_json: bool) -> None:
    """Count how much of what the reports in FILES print the TBox (classes and properties) names.

    rows_mapped counts exact, alternative, fuzzy and narrower rows. A narrower row is no line item of the TBox, but a
    special case or a part of one: its label ends in that of the line item, or the header or sub-heading over it names
    the line item, or it is all that its table measures. --json gives rows_mapped_without_narrower too.
    """
    tbox = read_ontology(ontology)
    documents = read_documents(files)
    with working("counting"):
        measured = measure(tbox, documents)
    counted = stats_json(tbox, measured)
    if as_json:
        print_json(counted | {"rows_mapped_without_narrower": measured.rows_mapped_without_narrower})
        return
    for key, value in counted.items():
        if isinstance(value, dict):
            console.print(f"{key}: " + ", ".join(f"{name} {count}" for name, count in value.items()), soft_wrap=True)
        else:
            console.print(f"{key}: {value:.3f}" if isinstance(value, float) else f"{key}: {value}")


@ontology.command()
@ontology_option
@json_option
def check(ontology: Path | None, as_json: bool) -> None:
    """Check the TBox (classes and properties): labels, domains, ranges, cycles, look-alikes, consistency.

    A domain says which classes have a property, a range what kind of value it takes. Exit code 1 for findings.
    """
    tbox = read_ontology(ontology)
    with one_line(OntologyError, OSError):
        path = ontology or DEFAULT
        text = path.read_text(encoding="utf-8") if path.exists() else tbox.turtle()
        findings = check_turtle(text)
    if as_json:
        print_json({"findings": [{"term": finding.term, "message": finding.message} for finding in findings]})
    else:
        for finding in findings:
            console.print(str(finding), markup=False, soft_wrap=True)
        console.print(f"{len(tbox.classes)} classes, {len(tbox.properties)} properties, {len(findings)} findings")
    if findings:
        raise SystemExit(1)


@ontology.command()
@output_option(required=True, text="The SVG file to write.")
@ontology_option
def diagram(output: Path, ontology: Path | None) -> None:
    """Draw the classes and their most printed properties as SVG."""
    drawn = svg(read_ontology(ontology))
    with one_line(WriteError):
        write_whole(output, drawn)
    console.print(f"{output}: written", markup=False, soft_wrap=True)
