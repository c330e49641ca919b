"""The command `tieout kg build`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tieout.data.console import (
    Failure,
    console,
    errors,
    json_option,
    one_line,
    print_json,
    printable,
)
from tieout.data.readers.records import DataError
from tieout.data.standard_input import reports_argument
from tieout.data.system.engine import EngineError, jobs_options
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import endpoint_option, store_option
from tieout.kg.reports.library import Outcome, Source, find_sources, keep_files
from tieout.kg.store.guard import QueryError
from tieout.kg.store.store import (
    StoreError,
)
from tieout.ontology.model import OntologyError
from tieout.ontology.options import ontology_option, read_ontology

if TYPE_CHECKING:
    from tieout.kg.store.endpoint import Endpoint


@click.command()
@reports_argument
@store_option
@endpoint_option
@ontology_option
@jobs_options
@json_option
@click.pass_context
def build(
    context: click.Context,
    files: tuple[Path, ...],
    store: Path,
    endpoint: str | None,
    ontology: Path | None,
    jobs: int,
    engine: str,
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
    with one_line(DataError, EngineError, StoreError, QueryError, WordIndexError, OntologyError):
        there = _endpoint(endpoint) if endpoint else None
        for outcome in _shown(keep_files(sources, tbox, store, jobs, there, engine), len(sources)):
            if outcome.problem and len(sources) == 1:
                raise Failure(printable(outcome.problem))
            outcomes.append(outcome)
    problems = [outcome for outcome in outcomes if outcome.problem]
    for outcome in problems:
        errors.print(printable(f"tieout: left out {outcome.problem}"), markup=False, soft_wrap=True)
    for source, outcome in zip(sources, outcomes, strict=True):
        if outcome.built and outcome.source.name != source.name:
            taken = f"{source.name!r} is the report of another file"
            told = f"tieout: the report of {source.path} is called {outcome.source.name!r}: {taken}"
            errors.print(printable(told), markup=False, soft_wrap=True)
        if outcome.source.renamed:
            errors.print(printable(_told_of_pages(outcome.source)), markup=False, soft_wrap=True)
    for outcome in outcomes:
        for what in (what for built in outcome.built for what in built.unread):
            errors.print(
                printable(f"tieout: not all of {outcome.source.path} is read: {what}"), markup=False, soft_wrap=True
            )
    _print_built(outcomes, there.place.query if there else store, as_json)
    if problems or any(built.missing for outcome in outcomes for built in outcome.built):
        context.exit(1)


def _told_of_pages(source: Source) -> str:
    """That ids of pages are those of other files, too, in one line."""
    own, name = source.renamed[0]
    more = f", {len(source.renamed) - 1} more likewise" if len(source.renamed) > 1 else ""
    return f"tieout: the page {own!r} of {source.path} is called {name!r}{more}: another file has a page of that id"


def _endpoint(url: str) -> Endpoint:
    from tieout.kg.store.endpoint import Endpoint, Place

    return Endpoint(Place.read(url))


def _shown(outcomes: Iterator[Outcome], total: int) -> Iterable[Outcome]:
    """The outcomes as they come, with a bar of progress where somebody sees it."""
    if not errors.is_terminal:
        return outcomes
    from rich.progress import track

    return track(outcomes, "reading", total=total, console=errors, transient=True)


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
