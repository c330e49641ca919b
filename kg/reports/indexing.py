"""Keeping the reports of folders: what is new or changed is read, by several processes; what is gone is dropped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic

from tieout.data.files import write_whole
from tieout.data.readers.paths import find_files
from tieout.data.readers.read import DataError, Problem, read_files
from tieout.data.readers.report import bounded
from tieout.data.system.engine import check_engine, run_tasks
from tieout.kg.reports.bounded import build_bounded, parsed
from tieout.kg.store.bundle import Ready, pack
from tieout.kg.store.bundles import Bundles, key_of
from tieout.kg.store.kept import (
    Mark,
    check_sums,
    drop,
    free_name,
    free_page,
    keep,
    known_files,
    mark_of,
    remove,
    sources_of,
    sweep,
    taken_in,
    unread_files,
)
from tieout.kg.store.store import DEFAULT_STORE, StoreError, origin_of
from tieout.ontology.model import Ontology

MOST, PAUSE = 16, 1.0  # files that are kept together, and seconds for which they wait for each other
READ, KEPT, DROPPED, FAILED = "read", "kept already", "dropped", "not read"


@dataclass(frozen=True, slots=True)
class Step:
    """What became of a file. reports: the ids of its reports. why: where it could not be read, in words."""

    path: str
    outcome: str
    reports: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class _Task:
    """A file to read. name: of a report that is called by its file; renamed: ids of pages that are others in the
    store."""

    path: Path
    mark: Mark
    name: str
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """Of the bundle that is made of it."""
        return key_of(self.mark.text, self.name, dict(self.renamed))


@dataclass(frozen=True, slots=True)
class _Made:
    """A file that was read: the ids of its reports, and what of it could not be read. key: of their bundle."""

    key: str
    reports: tuple[str, ...]
    problems: tuple[str, ...]


def index_files(
    paths: Sequence[Path], ontology: Ontology, store: Path = DEFAULT_STORE, jobs: int = 1, engine: str = ""
) -> Iterator[Step]:
    """Keeps all reports of files and folders, and says of each file what became of it.

    What is kept from a file that is in the same folders no more, or reads otherwise now, is dropped. jobs: processes
    that read; engine: where, as `run_tasks` has it. Raises EngineError; DataError for a path that is not there;
    StoreError, WordIndexError, also where what is kept is not what was written.
    """
    check_engine(engine)
    known = known_files(store)
    marks = {mark for _, mark in known.values()}
    seen: set[str] = set()
    new: list[tuple[Path, Mark]] = []
    kept: list[Step] = []
    for path, _ in find_files(_filled(paths, known)):
        seen.add(str(path.resolve()))
        try:
            mark = mark_of(path, ontology)
        except DataError as error:
            yield Step(str(path), FAILED, why=_why(path, str(error)))
            continue
        except OSError as error:
            yield Step(str(path), FAILED, why=error.strerror or str(error))
            continue
        if mark.text in marks:
            ids = tuple(id for id, (_, other) in known.items() if other == mark.text)
            kept.append(Step(str(path), KEPT, ids))
        else:
            new.append((path, mark))
    check_sums(store, {report for step in kept for report in step.reports})
    yield from kept
    taken = taken_in(store)
    read = partial(_made, ontology=ontology.turtle(), store=origin_of(store) or store.absolute())
    gathered: list[tuple[_Task, _Made | str]] = []
    began = monotonic()
    tasks = _called(new, taken)
    if engine or jobs > 1:
        tasks.sort(key=lambda task: task.mark.size, reverse=True)  # the small ones last: then all end together
    for task, made in run_tasks(read, tasks, jobs, engine):
        gathered.append((task, _with_own_ids(task, made, ontology, store, taken)))
        if len(gathered) == MOST or monotonic() - began > PAUSE:
            yield from _keep(gathered, ontology, store, known)
            gathered, began = [], monotonic()
    yield from _keep(gathered, ontology, store, known)
    yield from _dropped(paths, seen, known, store)
    sweep(store)


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
    paths: Sequence[Path], ontology: Ontology, store: Path = DEFAULT_STORE, jobs: int = 1, engine: str = ""
) -> Iterator[Step]:
    """Makes a store anew, damaged or not: from these files and folders, and else from the files that it lists.

    Says of each what became of it. Raises DataError, EngineError; StoreError where there is nothing to make it of, or
    the folder is no store; WordIndexError where its list cannot be read.
    """
    check_engine(engine)
    if not paths:
        paths = listed_files(store)
    if not paths:
        raise StoreError(f"{str(store)!r} lists no files to make it of: name them, or their folders, behind --again")
    files = [path for path, _ in find_files([path for path in paths if path.exists()])]
    yield from (Step(str(path), FAILED, why="is gone") for path in paths if not path.exists())
    write_whole(files_path(store), "".join(f"{path.resolve()}\n" for path in files))
    remove(store)
    yield from index_files(files, ontology, store, jobs, engine)
    files_path(store).unlink()


def _filled(paths: Sequence[Path], known: Mapping[str, tuple[str, str]]) -> Iterator[Path]:
    """The paths without the folders that are empty now, and of whose files something is kept: that is dropped."""
    for path in paths:
        is_known = path.is_dir() and any(path.resolve() in Path(source).parents for source, _ in known.values())
        if not is_known or any(find_files([path], must=False)):
            yield path


def _called(new: Sequence[tuple[Path, Mark]], taken: Mapping[str, str]) -> list[_Task]:
    """Each file with its mark and the name that its report has where it is called by its file."""
    names = dict(taken)
    called = []
    for path, mark in new:
        name = free_name(path.stem, path, names)
        names[name] = str(path.resolve())
        called.append(_Task(path, mark, name))
    return called


def _with_own_ids(
    task: _Task, made: _Made | str, ontology: Ontology, store: Path, taken: dict[str, str]
) -> _Made | str:
    """What was read of a file; read again where pages of other files have ids of its own, under ids that none has.
    taken: the files of what is kept, by id; it learns of these."""
    if isinstance(made, str):
        return made
    names = {each: free_page(each, task.path, taken) for each in made.reports}
    taken.update(dict.fromkeys(names.values(), str(task.path.resolve())))
    if all(own == name for own, name in names.items()):
        return made
    return _made(replace(task, renamed=tuple(names.items())), ontology.turtle(), origin_of(store) or store)


def _keep(
    files: Sequence[tuple[_Task, _Made | str]], ontology: Ontology, store: Path, known: dict[str, tuple[str, str]]
) -> Iterator[Step]:
    """Keeps files together, as opening a store takes longer than putting one into its index."""
    read = [(task, made) for task, made in files if not isinstance(made, str) and made.reports]
    if read:
        keep(store, [(task.path, task.mark, made.key) for task, made in read], ontology)
    sources = {str(task.path.resolve()): made.reports for task, made in read}
    if before := [id for id, (source, _) in known.items() if id not in sources.get(source, (id,))]:
        drop(store, before)
    for task, made in files:
        if isinstance(made, str):
            yield Step(str(task.path), FAILED, why=_why(task.path, made))
        elif not made.reports:
            yield Step(str(task.path), FAILED, why=_why(task.path, *made.problems) or "holds no report")
        else:
            yield Step(str(task.path), READ, made.reports, _why(task.path, *made.problems))


def _why(path: Path, *told: str) -> str:
    """What is wrong with a file, without its name, which stands before it."""
    return "; ".join(each.removeprefix(f"{path}: ") for each in told)


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


def _made(task: _Task, ontology: str, store: Path | str, stop: Event | None = None) -> _Made | str:
    """Reads a file within its budget and makes its bundle, where that is not there yet; why it cannot be
    read, as text. ontology: as Turtle. Raises StoreError where the bundle cannot be written."""
    bundles, key = Bundles(store), task.key
    if bundles.has(key):
        with suppress(StoreError):  # one that is damaged is made again
            return _Made(key, *bundles.about(key))
    try:
        reports, problems, bundle = bounded(task.path, _bundle, task, ontology, stop=stop)
    except DataError as error:
        return str(error)
    if reports:
        bundles.put(key, bundle, task.path)
    return _Made(key, reports, problems)


def _bundle(task: _Task, ontology: str) -> tuple[tuple[str, ...], tuple[str, ...], bytes]:
    """The ids of the reports of a file, what of it could not be read, and its bundle; in a process of its own or not.

    Raises DataError."""
    tbox = parsed(ontology)
    problems: list[Problem] = []
    try:
        found = list(read_files([task.path], problems.append))
    except OSError as error:
        raise DataError(str(error)) from None
    if len(found) == 1 and found[0].id == task.path.stem:
        documents = [found[0].document.model_copy(update={"id": task.name})]
    else:
        names = dict(task.renamed)
        documents = [each.document.model_copy(update={"id": names.get(each.id, each.id)}) for each in found]
    told = tuple(map(str, problems))
    made = pack((Ready.of(each, build_bounded(each, tbox)) for each in documents), told)
    return tuple(each.id for each in documents), told, made
