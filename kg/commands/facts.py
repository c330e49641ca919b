"""The command `tieout kg facts`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from tieout.data.cli import report_problem
from tieout.data.console import one_line, print_table, printable, waited
from tieout.data.document import Document
from tieout.data.files import WriteError, check_folder, write_whole
from tieout.data.readers.read import DataError, read_files
from tieout.data.standard_input import reports_argument
from tieout.kg.fact import measures
from tieout.kg.reports.bounded import build_bounded
from tieout.kg.reports.listing import (
    FORMATS,
    ListingError,
    row_of,
    write_csv,
    write_jsonl,
    write_parquet,
    write_xlsx,
)
from tieout.ontology.options import ontology_option, read_ontology

SHOWN = ("fact", "value", "scale", "unit", "label", "header", "period", "concept", "place")
TO_FILES = {"parquet": write_parquet, "xlsx": write_xlsx}


def _documents(files: tuple[Path, ...]) -> Iterator[Document]:
    with one_line(DataError, OSError):
        for conversation in read_files(files, report_problem):
            yield conversation.document


@click.command()
@reports_argument
@ontology_option
@click.option("--format", "form", type=click.Choice(FORMATS), default="table", show_default=True)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Write to this file; parquet and xlsx need it.")
@click.option("--all", "everything", is_flag=True, help="Also numbers that measure nothing: years, parts of dates.")
def facts(files: tuple[Path, ...], ontology: Path | None, form: str, output: Path | None, everything: bool) -> None:
    """List the facts of the reports in FILES, one line each, with value, scale, unit, period, place and concept.

    A concept is the name that a file itself gives to what a number is, by a tag in XBRL (us-gaap:Revenues).
    """
    if form in TO_FILES and output is None:
        raise click.UsageError(f"--format {form} is no text: name a file with --output")
    if output is not None:
        with one_line(WriteError):
            check_folder(output)
    tbox = read_ontology(ontology)

    def rows() -> Iterator[dict[str, Any]]:
        built = ((document, build_bounded(document, tbox).facts()) for document in _documents(files))
        for document, found in waited(built, "reading"):
            yield from (row_of(fact, document.id) for fact in (found if everything else measures(found)))

    with one_line(ListingError, DataError, OSError):
        if output is not None and form in TO_FILES:
            TO_FILES[form](rows(), output)
        elif form == "table" and output is None:
            _show(rows())
        else:
            lines = write_csv(rows()) if form == "csv" else write_jsonl(rows())
            _write(lines, output)


def _write(lines: Iterator[str], output: Path | None) -> None:
    if output is None:
        for line in lines:
            click.echo(line)
        return
    write_whole(output, "".join(f"{line}\n" for line in lines))


def _show(rows: Iterator[dict[str, Any]]) -> None:
    table = Table(*SHOWN, box=None, pad_edge=False)
    for row in rows:
        said = {**row, "scale": "?" if row["scale"] is None else f"{row['scale']:,}"}
        table.add_row(*(printable(_cell(said[name])) for name in SHOWN))
    print_table(table)


def _cell(value: object) -> str:
    return "" if value is None else f"{value:,f}" if hasattr(value, "as_tuple") else str(value)
