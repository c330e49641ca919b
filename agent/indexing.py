"""Keeping the reports of folders: what is new or changed is read, by several processes; what is gone is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tieout.data.readers.paths import find_files
from tieout.data.readers.read import DataError, Problem, read_files
from tieout.data.system.processes import pool
from tieout.kg.build import build
from tieout.kg.store.kept import Ready, drop, free_name, keep, mark_of, sources_of
from tieout.kg.store.store import DEFAULT_STORE
from tieout.ontology.model import Ontology

READ, KEPT, DROPPED, FAILED = "read", "kept already", "dropped", "not read"
WAITING = 2  # files for each process that are under way: what was read does not pile up in memory


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a file. reports: the ids of its reports. why: where it could not be read, in words."""

    path: str
    outcome: str
    reports: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Made:
    """A file that was read: its reports, ready to be kept."""

    reports: tuple[Ready, ...]
    problems: tuple[str, ...]


def index_files(
    paths: Sequence[Path], ontology: Ontology, store: Path = DEFAULT_STORE, jobs: int = 1
) -> Iterator[Step]:
    """Keeps all reports of files and folders, and says of each file what became of it.

    What is kept from a file that is in the same folders no more, or reads otherwise now, is dropped. jobs: processes
    that read. Raises DataError for a path that is not there, StoreError, WordIndexError.
    """
    known = sources_of(store)
    marks = {mark for _, mark in known.values()}
    seen: set[str] = set()
    new: list[tuple[Path, str]] = []
    for path, _ in find_files(_filled(paths, known)):
        seen.add(str(path.resolve()))
        try:
            mark = mark_of(path, ontology)
        except OSError as error:
            yield Step(str(path), FAILED, why=error.strerror or str(error))
            continue
        if mark in marks:
            ids = tuple(id for id, (_, other) in known.items() if other == mark)
            yield Step(str(path), KEPT, ids)
        else:
            new.append((path, mark))
    for path, mark, made in _read(_called(new, known), ontology, jobs):
        yield _keep(path, mark, made, ontology, store, known)
    yield from _dropped(paths, seen, known, store)


def _filled(paths: Sequence[Path], known: Mapping[str, tuple[str, str]]) -> Iterator[Path]:
    """The paths without the folders that are empty now, and of whose files something is kept: that is dropped."""
    for path in paths:
        is_known = path.is_dir() and any(path.resolve() in Path(source).parents for source, _ in known.values())
        if not is_known or any(find_files([path], must=False)):
            yield path


def _called(new: Sequence[tuple[Path, str]], known: Mapping[str, tuple[str, str]]) -> list[tuple[Path, str, str]]:
    """Each file with its mark and the name that its report has where it is called by its file."""
    sources = {identifier: source for identifier, (source, _) in known.items()}
    called = []
    for path, mark in new:
        name = free_name(path.stem, path, sources)
        sources[name] = str(path.resolve())
        called.append((path, mark, name))
    return called


def _keep(
    path: Path, mark: str, made: _Made | str, ontology: Ontology, store: Path, known: dict[str, tuple[str, str]]
) -> Step:
    if isinstance(made, str):
        return Step(str(path), FAILED, why=made)
    if not made.reports:
        return Step(str(path), FAILED, why="; ".join(made.problems) or "holds no report")
    keep(store, [(report, mark, path) for report in made.reports], ontology)
    ids = tuple(report.contents.report.id for report in made.reports)
    before = [id for id, (source, _) in known.items() if source == str(path.resolve()) and id not in ids]
    if before:
        drop(store, before)
    return Step(str(path), READ, ids, "; ".join(made.problems))


def _dropped(paths: Sequence[Path], seen: set[str], known: dict[str, tuple[str, str]], store: Path) -> Iterator[Step]:
    """Drops what is kept from files that are in the folders no more."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    gone: dict[str, list[str]] = {}
    for identifier, (source, _) in known.items():
        if source not in seen and any(folder in Path(source).parents for folder in folders):
            gone.setdefault(source, []).append(identifier)
    if gone:
        drop(store, [each for ids in gone.values() for each in ids])
    yield from (Step(source, DROPPED, tuple(ids)) for source, ids in gone.items())


def _read(
    files: Sequence[tuple[Path, str, str]], ontology: Ontology, jobs: int
) -> Iterator[tuple[Path, str, _Made | str]]:
    """Each file with what was read from it, or why it was not; with several jobs in the order in which they end."""
    if jobs == 1 or len(files) < 2:
        yield from ((path, mark, _make(path, ontology, name)) for path, mark, name in files)
        return
    todo = iter(files)
    with pool(min(jobs, len(files)), loaded=[__name__]) as readers:
        running: dict[Future[_Made | str], tuple[Path, str]] = {}

        def start(some: Iterable[tuple[Path, str, str]]) -> None:
            for path, mark, name in some:
                running[readers.submit(_make, path, ontology.turtle(), name)] = path, mark

        start(islice(todo, jobs * WAITING))
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                path, mark = running.pop(future)
                start(islice(todo, 1))
                try:
                    yield path, mark, future.result()
                except BrokenProcessPool as error:
                    yield path, mark, f"the process that read it ended: {error}"


def _make(path: Path, ontology: Ontology | str, name: str) -> _Made | str:
    """Reads a file, in a process of its own or not; why it cannot be read, as text. name: of a report that is called by
    its file. ontology: as Turtle for another process."""
    tbox = _parsed(ontology) if isinstance(ontology, str) else ontology
    problems: list[Problem] = []
    try:
        found = list(read_files([path], problems.append))
    except (DataError, OSError) as error:
        return str(error)
    if len(found) == 1 and found[0].id == path.stem:
        documents = [found[0].document.model_copy(update={"id": name})]
    else:
        documents = [each.document for each in found]
    ready = tuple(Ready.of(document, build(document, tbox)) for document in documents)
    return _Made(ready, tuple(map(str, problems)))


@lru_cache(maxsize=1)
def _parsed(turtle: str) -> Ontology:
    """The TBox of a process that reads, parsed once for all of its files."""
    return Ontology.parse(turtle)
