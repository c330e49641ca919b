"""The command `tieout kg check`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.progress import track

from tieout.data.console import console, errors, json_option, one_line, print_json, printable
from tieout.data.document import Document
from tieout.data.readers.kinds import kind_of
from tieout.data.readers.read import DataError, is_pages
from tieout.data.readers.report import bounded, read_report
from tieout.data.standard_input import reports_argument
from tieout.kg.check import Checked, CheckError
from tieout.kg.proof import EXTRACTORS
from tieout.kg.reports.bounded import build_bounded
from tieout.kg.reports.library import Source, find_sources
from tieout.ontology.cli import read_documents
from tieout.ontology.model import Ontology
from tieout.ontology.options import ontology_option, read_ontology

MOST_LISTED = 50


@click.command()
@reports_argument
@ontology_option
@click.option(
    "--shapes/--no-shapes",
    default=None,
    help="Hold graphs against the SHACL shapes: slow, and else done for pages alone.",
)
@json_option
@click.pass_context
def check(
    context: click.Context, files: tuple[Path, ...], ontology: Path | None, shapes: bool | None, as_json: bool
) -> None:
    """Check that every number printed in FILES is in its graph, and that every graph keeps to the shapes.

    Report files are read a second time by other means, to see that no number was lost on the way to the graph; and
    where tags say something else than print, that is listed. Totals, balance sheets, changes of cash and earnings per
    share that do not add up are listed too: they are misread, or printed so. The shapes, in SHACL, are rules of what a
    fact has to have. Exit code 1 when something is missing or misformed.
    """
    tbox = read_ontology(ontology)
    with one_line(DataError, OSError):
        sources = find_sources(files)
        pages = [source.path for source in sources if is_pages(source.path)]
    whole = [source for source in sources if source.path not in set(pages)]
    documents = read_documents(pages) if pages else []
    checked = Checked(violations=[] if shapes or (shapes is None and not whole) else None)
    with one_line(CheckError, DataError, OSError):
        _check_all(checked, documents, whole, tbox)
    if as_json:
        print_json(checked.summary())
    else:
        _print_check(checked)
    if not checked.fine:
        context.exit(1)


def _check_all(checked: Checked, documents: Sequence[Document], sources: Sequence[Source], tbox: Ontology) -> None:
    given: list[Document | Source] = [*documents, *sources]
    for each in track(given, "checking", console=errors, transient=True, disable=not errors.is_terminal):
        if isinstance(each, Document):
            checked.add(each, build_bounded(each, tbox))
        else:
            document = read_report(each.path, identifier=each.name)
            checked.add(document, build_bounded(document, tbox))
            _prove(checked, document, each.path)


def _prove(checked: Checked, document: Document, path: Path) -> None:
    """Holds a report against the text of its file, where there is a second reader for its kind."""
    text = bounded(path, _text_of, path)
    if text is not None:
        checked.prove(document, text)


def _text_of(path: Path) -> str | None:
    """The text of a file as the second reader sees it; None where there is none for its kind."""
    content = path.read_bytes()
    extract = EXTRACTORS.get(kind_of(content, path.suffix).name)
    return extract(content) if extract else None


def _print_check(checked: Checked) -> None:
    console.print(f"{checked.documents} documents, {checked.found + len(checked.missing)} numbers printed")
    console.print(f"  {checked.found} in the span of a fact, {len(checked.missing)} missing")
    if checked.uncalculated:
        console.print(f"  {len(checked.uncalculated)} formulas without a stored result, whose figures are not there")
    if checked.unseen:
        console.print(f"  {len(checked.unseen)} texts with digits that nobody sees are left out; --json lists them")
    if checked.furniture:
        console.print(
            f"  {checked.furniture} of them are page numbers, running heads and contents, and measure nothing"
        )
    for rule, count in sorted(checked.rules.items()):
        console.print(f"  {count} digits that are no amount: {rule}")
    if checked.proven:
        console.print(f"  {checked.proven} files read a second time: {len(checked.lost)} numbers lost on the way")
    if checked.differences:
        console.print(f"  {len(checked.differences)} facts whose tag says something else than print; --json lists them")
    if checked.sums or checked.unsummed:
        console.print(f"  {checked.sums} sums hold, {len(checked.unsummed)} do not")
    if checked.violations is None:
        console.print("  shapes not checked")
    else:
        console.print(f"  {len(checked.violations)} violations of the shapes")
    lines = [f"missing: {name}, {each.place}: {each.text!r} in {each.around!r}" for name, each in checked.missing]
    lines += [f"no result: {name}, {place}: a formula" for name, place in checked.uncalculated]
    lines += [f"lost: {name}: {text!r} in {around!r}" for name, text, around in checked.lost]
    lines += [f"wrong: {name}, {line}" for name, line in checked.wrong]
    lines += [f"violation: {name}, {line}" for name, line in checked.violations or ()]
    lines += [f"does not add up: {name}, {line}" for name, line in checked.unsummed]
    lines[:0] = [f"not read: {name}: {what}" for name, what in checked.unread]
    for line in lines[:MOST_LISTED]:
        console.print(printable(line), markup=False, soft_wrap=True)
    if len(lines) > MOST_LISTED:
        console.print(f"... and {len(lines) - MOST_LISTED} more; --json lists all")
