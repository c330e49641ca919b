"""The command `tieout index`: the reports of a folder, read once and kept, to be asked without a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TypeVar

import click
from rich.control import Control
from rich.segment import ControlType

from tieout.data.console import errors, one_line, printable, waited
from tieout.data.document import counted
from tieout.data.readers.read import DataError
from tieout.data.system.engine import EngineError, jobs_options
from tieout.kg.index.words import WordIndexError
from tieout.kg.options import lake_option
from tieout.kg.reports.indexing import DROPPED, FAILED, KEPT, READ, Step, index_again, index_files
from tieout.kg.store.kept import drop, sources_of
from tieout.kg.store.lake import read_store, write_lake
from tieout.kg.store.store import StoreError, shown
from tieout.ontology.model import Ontology, OntologyError, default_ontology
from tieout.ontology.options import ontology_option

Made = TypeVar("Made")


@click.command("index")
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path), metavar="FOLDER...")
@click.option("--list", "is_listed", is_flag=True, help="List what is kept, and the file of each report.")
@click.option("--forget", metavar="REPORT", multiple=True, help="Drop a report by its name or file; again and again.")
@click.option("--again", is_flag=True, help="Make the store anew: of FOLDERS, else of the files that it lists.")
@jobs_options
@ontology_option
@lake_option
def index(
    paths: tuple[Path, ...],
    is_listed: bool,
    forget: tuple[str, ...],
    again: bool,
    jobs: int,
    engine: str,
    ontology: Path | None,
    store: Path | str,
) -> None:
    """Keep the reports of FOLDERS and files, for `tieout ask` and `tieout chat` without a file.

    What has not changed is not read again, and what is kept of it is held against its checksums; what is kept from a
    file that is gone is dropped. Whole reports that `tieout ask FILE` has read are kept too. Exit code 1 where a file
    cannot be read.
    """
    if not (paths or is_listed or forget or again):
        raise click.UsageError("name a folder or file to keep, or give --list, --forget or --again")
    with one_line(StoreError, WordIndexError, OSError):
        if forget:
            for count in _on(store, partial(_forget, forget)):
                click.echo(f"{counted(count, 'report')} dropped from {store}")
        if paths or again:
            read = partial(index_again if again else index_files, paths, jobs=jobs, engine=engine)
            _keep(ontology, store, read, again)
        for name, (source, _) in sources_of(read_store(store)).items() if is_listed else ():
            click.echo(f"{printable(name)}  {printable(source)}")


def _on(store: Path | str, work: Callable[[Path], Iterable[Made]], again: bool = False) -> Iterable[Made]:
    """What some work on a store yields; of a lake in a bucket, what comes of it is put in."""
    return work(store) if isinstance(store, Path) else write_lake(store, work, again)


def _forget(names: tuple[str, ...], store: Path) -> Iterator[int]:
    """Drops reports by their names or files, and yields how many; raises StoreError for one that is not kept, and drops
    nothing then."""
    kept = sources_of(store)
    gone: list[str] = []
    for name in names:
        meant = [each for each, (file, _) in kept.items() if name == each or str(Path(name).resolve()) == file]
        if not meant:
            raise StoreError(f"no report {name!r} is kept in {shown(store)!r}; `tieout index --list` shows what is")
        gone += meant
    drop(store, dict.fromkeys(gone))
    yield len(set(gone))


def _keep(
    ontology: Path | None, store: Path | str, read: Callable[[Ontology, Path], Iterator[Step]], again: bool
) -> None:
    outcomes: Counter[str] = Counter()
    with one_line(DataError, EngineError, OntologyError, StoreError, WordIndexError, OSError):
        tbox, _ = default_ontology(ontology)
        for done, step in enumerate(waited(_on(store, partial(read, tbox), again), "reading"), 1):
            outcomes[step.outcome] += 1
            _tell(step, done)
    _tell_instead()
    told = ", ".join(f"{outcomes[each]} {each}" for each in (READ, KEPT, DROPPED, FAILED) if outcomes[each])
    click.echo(f"{counted(outcomes.total(), 'file')} in {store}: {told or 'nothing to do'}")
    if outcomes[FAILED]:
        raise click.exceptions.Exit(1)


def _tell(step: Step, done: int) -> None:
    """One line for a file that cannot be read, in part or at all; a progress line where somebody looks on."""
    _tell_instead()
    if step.why:
        errors.print(f"{step.path}: {printable(step.why)}", markup=False, soft_wrap=True, highlight=False)
    elif errors.is_terminal:
        errors.print(f"{done} {printable(step.path)}: {step.outcome}", end="", markup=False, no_wrap=True, style="dim")


def _tell_instead() -> None:
    """What is told next takes the place of the progress line."""
    if errors.is_terminal:
        errors.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
