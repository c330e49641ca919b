"""The command `tieout list`."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from tieout.data.console import errors, json_option, one_line, print_json, print_table, printable, working
from tieout.data.readers.read import DataError, Problem, read_files
from tieout.data.standard_input import reports_argument


def report_problem(problem: Problem) -> None:
    """Tells on standard error of a record, or a part of a report, that is left out."""
    errors.print(printable(f"tieout: {problem.line}"), markup=False, soft_wrap=True)


@click.command(name="list")
@reports_argument
@json_option
def list_reports(files: tuple[Path, ...], as_json: bool) -> None:
    """List the reports in FILES: the id of each, how many questions come with it, and the first one."""
    with one_line(DataError), working(f"reading {', '.join(each.name for each in files)}"):
        found = [
            (each.id, [question.text for question in each.questions]) for each in read_files(files, report_problem)
        ]
    if as_json:
        print_json(
            [{"id": name, "questions": len(texts), "first": texts[0] if texts else None} for name, texts in found]
        )
        return
    table = Table("id", "questions", "first question", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for name, texts in found:
        table.add_row(*map(printable, (name, str(len(texts)), texts[0] if texts else "")))
    print_table(table)
