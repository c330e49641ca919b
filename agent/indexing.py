"""Keeping the reports of folders: what is new or changed is read, by several processes; what is gone is dropped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from threading import Event
from types import MappingProxyType

from tieout.data.files import write_whole
from tieout.data.readers.apart import several
from tieout.data.readers.paths import find_files
from tieout.data.readers.read import DataError, Problem, read_files
from tieout.data.readers.report import bounded
from tieout.kg.build import build
from tieout.kg.reports.bounded import parsed
from tieout.kg.store.kept import (
    Mark,
    Ready,
    check_kept,
    drop,
    free_name,
    free_page,
    keep,
    mark_of,
    remove,
    sources_of,
    taken_in,
    unread_files,
)
from tieout.kg.store.store import DEFAULT_STORE, StoreError
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
    that read. Raises DataError for a path that is not there; StoreError, WordIndexError, also where what is kept is not
    what was written.
    """
    known = check_kept(store)
    marks = {mark for _, mark in known.values()}
    seen: set[str] = set()
    new: list[tuple[Path, Mark]] = []
    for path, _ in find_files(_filled(paths, known)):
        seen.add(str(path.resolve()))
        try:
            mark = mark_of(path, ontology)
        except DataError as error:
            yield Step(str(path), FAILED, why=str(error).removeprefix(f"{path}: "))
            continue
        except OSError as error:
            yield Step(str(path), FAILED, why=error.strerror or str(error))
            continue
        if mark.text in marks:
            ids = tuple(id for id, (_, other) in known.items() if other == mark.text)
            yield Step(str(path), KEPT, ids)
        else:
            new.append((path, mark))
    taken = taken_in(store)
    for path, mark, made in _read(_called(new, taken), ontology, jobs):
        yield _keep(path, mark, _with_own_ids(path, made, ontology, taken), ontology, store, known)
    yield from _dropped(paths, seen, known, store)


def listed_files(store: Path) -> list[Path]:
    """The files whose reports a store keeps, those of a making again that was broken off with them. Raises
    WordIndexError."""
    noted = files_path(store)
    files = noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []
    kept = (source for source, _ in sources_of(store).values())
    return [*map(Path, dict.fromkeys([*files, *kept, *unread_files(store)]))]


def files_path(store: Path) -> Path:
    """Where the files of a store are listed while it is made again."""
    return store.with_name(f"{store.name}.files")


def index_again(
    paths: Sequence[Path], ontology: Ontology, store: Path = DEFAULT_STORE, jobs: int = 1
) -> Iterator[Step]:
    """Makes a store anew, damaged or not: from these files and folders, and else from the files that it lists.

    Says of each what became of it. Raises DataError; StoreError where there is nothing to make it of, or the folder is
    no store; WordIndexError where its list cannot be read.
    """
    if not paths:
        paths = listed_files(store)
    if not paths:
        raise StoreError(f"{str(store)!r} lists no files to make it of: name them, or their folders, behind --again")
    files = [path for path, _ in find_files([path for path in paths if path.exists()])]
    yield from (Step(str(path), FAILED, why="is gone") for path in paths if not path.exists())
    write_whole(files_path(store), "".join(f"{path.resolve()}\n" for path in files))
    remove(store)
    yield from index_files(files, ontology, store, jobs)
    files_path(store).unlink()


def _filled(paths: Sequence[Path], known: Mapping[str, tuple[str, str]]) -> Iterator[Path]:
    """The paths without the folders that are empty now, and of whose files something is kept: that is dropped."""
    for path in paths:
        is_known = path.is_dir() and any(path.resolve() in Path(source).parents for source, _ in known.values())
        if not is_known or any(find_files([path], must=False)):
            yield path


def _called(new: Sequence[tuple[Path, Mark]], taken: Mapping[str, str]) -> list[tuple[Path, Mark, str]]:
    """Each file with its mark and the name that its report has where it is called by its file."""
    names = dict(taken)
    called = []
    for path, mark in new:
        name = free_name(path.stem, path, names)
        names[name] = str(path.resolve())
        called.append((path, mark, name))
    return called


def _with_own_ids(path: Path, made: _Made | str, ontology: Ontology, taken: dict[str, str]) -> _Made | str:
    """What was read of a file; read again where pages of other files have ids of its own, under ids that none has.
    taken: the files of what is kept, by id; it learns of these."""
    if isinstance(made, str):
        return made
    ids = [report.contents.report.id for report in made.reports]
    names = {each: free_page(each, path, taken) for each in ids}
    taken.update(dict.fromkeys(names.values(), str(path.resolve())))
    if all(own == name for own, name in names.items()):
        return made
    return _made(path, ontology.turtle(), ids[0], renamed=names)


def _keep(
    path: Path, mark: Mark, made: _Made | str, ontology: Ontology, store: Path, known: dict[str, tuple[str, str]]
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
    files: Sequence[tuple[Path, Mark, str]], ontology: Ontology, jobs: int
) -> Iterator[tuple[Path, Mark, _Made | str]]:
    """Each file with what was read from it, or why it was not; with several jobs in the order in which they end."""
    if jobs == 1 or len(files) < 2:
        yield from ((path, mark, _made(path, ontology.turtle(), name)) for path, mark, name in files)
        return
    todo = iter(files)
    with several(min(jobs, len(files))) as (readers, stop):
        running: dict[Future[_Made | str], tuple[Path, Mark]] = {}

        def start(some: Iterable[tuple[Path, Mark, str]]) -> None:
            for path, mark, name in some:
                running[readers.submit(_made, path, ontology.turtle(), name, stop)] = path, mark

        start(islice(todo, jobs * WAITING))
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                path, mark = running.pop(future)
                start(islice(todo, 1))
                yield path, mark, future.result()


def _made(
    path: Path, ontology: str, name: str, stop: Event | None = None, renamed: Mapping[str, str] = MappingProxyType({})
) -> _Made | str:
    """What is read of a file within its budget; why it cannot be read, as text. name: of a report that is called by its
    file. renamed: ids of pages that are others in the store. ontology: as Turtle."""
    try:
        return bounded(path, _make, path, ontology, name, dict(renamed), stop=stop)
    except DataError as error:
        return str(error)


def _make(path: Path, ontology: str, name: str, renamed: Mapping[str, str]) -> _Made | str:
    """The same, in a process of its own or not."""
    tbox = parsed(ontology)
    problems: list[Problem] = []
    try:
        found = list(read_files([path], problems.append))
    except (DataError, OSError) as error:
        return str(error)
    if len(found) == 1 and found[0].id == path.stem:
        documents = [found[0].document.model_copy(update={"id": name})]
    else:
        documents = [each.document.model_copy(update={"id": renamed.get(each.id, each.id)}) for each in found]
    ready = tuple(Ready.of(document, build(document, tbox)) for document in documents)
    return _Made(ready, tuple(map(str, problems)))
