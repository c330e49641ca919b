"""The command `tieout kg outline`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tieout.data.console import Failure, console, errors, json_option, one_line, print_json, printable, working
from tieout.data.readers.records import DataError
from tieout.data.standard_input import report_argument
from tieout.kg.index.outline import outline_json, outline_lines
from tieout.kg.options import store_option
from tieout.kg.store.kept import kept_outline
from tieout.ontology.model import Ontology
from tieout.ontology.options import ontology_option, read_ontology


@click.command()
@report_argument
@store_option
@ontology_option
@json_option
def outline(file: Path, store: Path, ontology: Path | None, as_json: bool) -> None:
    """Show the sections, statements, notes and tables of the report in FILE, with caption, unit and scale.

    A report that the store keeps is not read again.
    """
    tbox = read_ontology(ontology)
    with one_line(DataError, OSError):
        kept = kept_outline(store, file, tbox)
        with working(f"reading {file.name}"):
            told = kept or _read(file, tbox)
    if as_json:
        print_json(told)
        return
    for what in kept.get("unread", ()) if kept else ():  # what is read says it itself
        errors.print(printable(f"tieout: not all of {file} is read: {what}"), markup=False, soft_wrap=True)
    for line in outline_lines(told):
        console.print(printable(line), markup=False, soft_wrap=True)


def _read(file: Path, ontology: Ontology) -> dict[str, Any]:
    from tieout.data.cli import report_problem
    from tieout.data.readers.read import read_files
    from tieout.kg.reports.bounded import build_bounded

    documents = [conversation.document for conversation in read_files((file,), report_problem)]
    if len(documents) != 1:
        raise Failure(f"{file} holds {len(documents)} reports; an outline is of one")
    return outline_json(documents[0], build_bounded(documents[0], ontology).facts())
