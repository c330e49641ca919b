"""The command `tieout index`: the reports of a folder, read once and kept, to be asked without a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import click

from tieout.agent.indexing import DROPPED, FAILED, KEPT, READ, Step, index_files
from tieout.data.console import errors, one_line, printable
from tieout.data.document import counted
from tieout.data.readers.read import DataError
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import store_option
from tieout.kg.store.store import StoreError
from tieout.ontology.model import OntologyError, default_ontology
from tieout.ontology.options import ontology_option


@click.command("index")
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path), metavar="FOLDER...")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes that read.")
@ontology_option
@store_option
def index(paths: tuple[Path, ...], jobs: int, ontology: Path | None, store: Path) -> None:
    """Keep the reports of FOLDERS and files, for `tieout ask` and `tieout chat` without a file.

    What has not changed is not read again; what is kept from a file that is gone is dropped. Exit code 1 where a file
    cannot be read.
    """
    outcomes: Counter[str] = Counter()
    with one_line(DataError, OntologyError, StoreError, WordIndexError, OSError):
        tbox, _ = default_ontology(ontology)
        for done, step in enumerate(index_files(paths, tbox, store, jobs), 1):
            outcomes[step.outcome] += 1
            _tell(step, done)
    told = ", ".join(f"{outcomes[each]} {each}" for each in (READ, KEPT, DROPPED, FAILED) if outcomes[each])
    click.echo(f"{counted(outcomes.total(), 'file')} in {store}: {told or 'nothing to do'}")
    if outcomes[FAILED]:
        raise click.exceptions.Exit(1)


def _tell(step: Step, done: int) -> None:
    """One line for a file that cannot be read, in part or at all; a progress line where somebody looks on."""
    if step.why:
        errors.print(f"{step.path}: {printable(step.why)}", markup=False, soft_wrap=True, highlight=False)
    elif errors.is_terminal:
        errors.print(
            f"{done} {printable(step.path)}: {step.outcome}", end="\r", markup=False, no_wrap=True, style="dim"
        )
