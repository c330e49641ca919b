"""What a run is made of, in `runs/<run>/run.json`: a run that is gone on with has to be the same run."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from tieout.agent.offline.ranking.model import WEIGHTS
from tieout.agent.offline.ranking.weigh import WEIGHTS as READING_WEIGHTS
from tieout.data.files import read_bounded, unreadable, write_whole
from tieout.data.frozen import Frozen
from tieout.data.system.locks import ease, hold, share
from tieout.eval.run.seal import seals

MANIFEST = "run.json"
ONTOLOGY = "ontology.ttl"
LOCK = ".lock"
RUNS = Path("runs")
MOST = 256 << 20  # bytes of the list of a run
BASELINE = "baseline"  # the file beside the runs that holds the name of the one that others are compared with
_PATIENCE = 3.0  # seconds in which the processes of a run that was killed end their turn under way
# What changes of a run, and what is sealed in another form.
_UNSEALED = frozenset({"seal", "extents", "conversations", "files", "reports", "completed", "lost_usd"})
_EXPERT = ("duckdb", "pydantic-monty")
_LIBRARIES = ("tieout", "anthropic", "pydantic", "pyoxigraph", "rapidfuzz", "rdflib")

History = Literal["own", "gold"]


class RunError(ValueError):
    """A run that is missing, damaged, in use, or not the same any more. The message is a line that says what to do."""


class DataFile(Frozen):
    """A file of reports. path: absolute."""

    path: Path
    sha256: str


class Beside(Frozen):
    """Data and memory beside reports. layers: the names of those of LAYERS in `tieout.eval.run.layers` that are run."""

    data: tuple[DataFile, ...]
    memory: Path
    memory_files: tuple[DataFile, ...]
    layers: tuple[str, ...]
    private: bool = False
    show_rows: int = 0
    query_seconds: float = 4
    plots: Path | None = None

    def sealed(self) -> dict[str, Any]:
        """What does not change of it, as JSON: a file may be moved."""
        told = self.model_dump(mode="json", exclude={"data", "memory", "memory_files", "plots"})
        return told | {name: [each.sha256 for each in getattr(self, name)] for name in ("data", "memory_files")}


class Manifest(Frozen):
    """One run.

    ontology: which TBox, in words. ontology_sha256: of its Turtle, kept beside as `ontology.ttl`. prompt_sha256: of
    the instructions for language models. settings: see `tieout.agent.workspace.Settings`. history: whose answers
    later turns see. conversations: ids, in the order of the files, with their numbers of questions. started,
    completed: UTC, ISO 8601. weights_sha256: of the model of the backend `offline`, None for others. lost_usd:
    dollars of turns that were broken off and had to be asked again, None where a price is not known. extents: the ids
    that the run had before it was extended, each time. reports: the files of whole reports that are asked about, by the
    name that the questions have for them. beside: data and memory that questions are asked over, None for reports
    alone. seal: see `tieout.eval.run.seal`, None in a run of version 0.1.
    """

    run: str
    files: tuple[DataFile, ...]
    ontology: str
    ontology_sha256: str
    prompt_sha256: str
    backend: str
    settings: dict[str, Any]
    history: History
    repeat: int
    conversations: dict[str, int]
    versions: dict[str, str]
    started: str
    completed: str | None = None
    weights_sha256: str | None = None
    lost_usd: Decimal | None = Decimal(0)
    extents: tuple[tuple[str, ...], ...] = ()
    reports: dict[str, DataFile] = Field(default={})
    seal: str | None = None
    beside: Beside | None = None

    @property
    def turns(self) -> int:
        """How many questions there are, of all repeats."""
        return sum(self.conversations.values()) * self.repeat

    def seals(self) -> tuple[str, ...]:
        """The seal that each extent of the run has to have, the latest last. Raises RunError."""
        fixed = self.model_dump(mode="json", exclude=set(_UNSEALED))
        if self.beside is None:
            del fixed["beside"]  # runs of before there was any have no such key
        else:
            fixed["beside"] = self.beside.sealed()
        fixed["files"] = [file.sha256 for file in self.files]  # a file may be moved
        if self.reports:
            fixed["reports"] = {name: file.sha256 for name, file in sorted(self.reports.items())}
        try:
            before = [{name: self.conversations[name] for name in names} for names in self.extents]
        except KeyError as error:
            raise RunError(f"run.json of run {self.run!r} was changed: it has lost the conversation {error}") from error
        return seals(fixed, [*before, self.conversations])

    def sealed(self, known: Manifest | None = None) -> Manifest:
        """The same run with its seal. known: what it was until now, with fewer conversations or as many.

        A run of before there were seals stays without one: its logs do not begin with any.
        """
        if known is not None and known.seal is None:
            return self
        extents = known.extents if known is not None else ()
        if known is not None and known.conversations != self.conversations:
            extents = (*extents, tuple(known.conversations))
        whole = self.model_copy(update={"extents": extents})
        return whole.model_copy(update={"seal": whole.seals()[-1]})

    def check_same(self, other: Manifest) -> None:
        """Raises RunError, naming the difference, unless other is this run or this run with more conversations."""
        for mine, theirs in zip(self.files, other.files, strict=False):
            if mine.sha256 != theirs.sha256:  # it may be elsewhere by now, as where a run was copied
                changed = "has changed" if mine.path == theirs.path else f"is not {str(theirs.path)!r}"
                raise RunError(f"the data file {str(mine.path)!r} of run {self.run!r} {changed}; {_ANOTHER}")
        if len(self.files) != len(other.files):
            raise RunError(f"run {self.run!r} has {len(self.files)} data files, not {len(other.files)}; {_ANOTHER}")
        for name in self.reports.keys() & other.reports.keys():
            if self.reports[name].sha256 != other.reports[name].sha256:
                raise RunError(f"the report {name!r} of run {self.run!r} has changed; {_ANOTHER}")
        if self.ontology_sha256 != other.ontology_sha256:
            raise RunError(f"run {self.run!r} was started with another ontology; {_ANOTHER}")
        if self.prompt_sha256 != other.prompt_sha256:
            raise RunError(f"run {self.run!r} was started with another prompt; {_ANOTHER}")
        for name in ("backend", "history", "repeat"):
            if getattr(self, name) != getattr(other, name):
                was, now = getattr(self, name), getattr(other, name)
                raise RunError(f"run {self.run!r} was started with --{name} {was}, not {now}; {_ANOTHER}")
        for name in sorted(self.settings | other.settings):
            if self.settings.get(name) != other.settings.get(name):
                was, now = self.settings.get(name), other.settings.get(name)
                raise RunError(f"run {self.run!r} was started with {name} {was!r}, not {now!r}; {_ANOTHER}")
        for name in sorted(self.versions | other.versions):
            if self.versions.get(name) != other.versions.get(name):
                was, now = self.versions.get(name), other.versions.get(name)
                raise RunError(f"run {self.run!r} was started with {name} {was}, not {now}; {_ANOTHER}")
        _check_beside(self.beside, other.beside, self.run)
        if self.weights_sha256 != other.weights_sha256:
            raise RunError(f"run {self.run!r} was started with other weights of the offline backend; {_ANOTHER}")
        if not set(self.conversations) <= set(other.conversations):
            raise RunError(f"run {self.run!r} has conversations that are not asked for now; {_ANOTHER}")


def _check_beside(mine: Beside | None, theirs: Beside | None, run: str) -> None:
    """Raises RunError where data, memory, layers or what is told of them are not the same."""
    if mine == theirs:
        return
    if mine is None or theirs is None:
        raise RunError(f"run {run!r} was started {'without' if mine is None else 'with'} --data; {_ANOTHER}")
    for name, what in (("data", "data files of run {!r} have"), ("memory_files", "memory of run {!r} has")):
        if [each.sha256 for each in getattr(mine, name)] != [each.sha256 for each in getattr(theirs, name)]:
            raise RunError(f"the {what.format(run)} changed since it was started; {_ANOTHER}")
    for name in ("layers", "private", "show_rows", "query_seconds"):
        if getattr(mine, name) != getattr(theirs, name):
            raise RunError(f"run {run!r} was started with {name} {getattr(mine, name)!r}; {_ANOTHER}")


_ANOTHER = "choose another name with --run"


def versions(over_data: bool = False) -> dict[str, str]:
    """Of Python and of what answers depend on. over_data: of what runs queries and scripts too."""
    libraries = (*_LIBRARIES, *(_EXPERT if over_data else ()))
    return {"python": platform.python_version(), **{name: _version(name) for name in libraries}}


@cache
def _version(library: str) -> str:
    return version(library)


def data_files(paths: Sequence[Path]) -> tuple[DataFile, ...]:
    """The files with their hashes. Raises RunError where one cannot be read."""
    return tuple(DataFile(path=path.resolve(), sha256=_sha256(path)) for path in paths)


def weights_hash(backend: str) -> str | None:
    """The hash of the weights of the backend `offline`, None for other backends."""
    if backend != "offline":
        return None
    return sha256_of(_sha256(WEIGHTS) + _sha256(READING_WEIGHTS))


def sha256_of(text: str) -> str:
    """The hash of a text, as hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise RunError(unreadable(path, error)) from error


def write_manifest(folder: Path, manifest: Manifest, ontology: str) -> None:
    """Puts manifest and TBox in place, each whole or not at all. Raises WriteError, e.g. when the disk is full."""
    write_whole(folder / ONTOLOGY, ontology)
    write_whole(folder / MANIFEST, json.dumps(manifest.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n")


def read_manifest(folder: Path) -> Manifest:
    """Raises RunError where there is no run, none that can be read, and one that does not fit its seal."""
    manifest = _parsed(folder / MANIFEST)
    if manifest.seal is not None and manifest.seal != manifest.seals()[-1]:
        path = str(folder / MANIFEST)
        raise RunError(f"{path!r} was changed after the run was begun: it does not fit its seal")
    return manifest


def _parsed(path: Path) -> Manifest:
    folder = path.parent
    try:
        return Manifest.model_validate_json(read_bounded(path, MOST))
    except FileNotFoundError:
        there = sorted(each.parent.name for each in folder.parent.glob(f"*/{MANIFEST}"))
        hint = f"there are: {', '.join(there[:10])}" if there else "`tieout eval run FILES...` makes one"
        raise RunError(f"there is no run {folder.name!r} in {str(folder.parent)!r}; {hint}") from None
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise RunError(f"{str(path)!r} is damaged: {where or 'JSON'}: {first['msg']}") from error
    except ValueError as error:
        raise RunError(f"{str(path)!r} is no list of a run: {error}") from error


@contextmanager
def locked(folder: Path) -> Iterator[Path]:
    """Holds a run; processes that this one starts share the lock by `share_lock`. Raises RunError if another has it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise RunError(f"{str(folder)!r} cannot be written ({error.strerror})") from error
    try:
        _take(file, folder)
        ease(file)
        yield folder / LOCK
    finally:
        os.close(file)


def _take(file: int, folder: Path) -> None:
    deadline = time.monotonic() + _PATIENCE
    while True:
        try:
            return hold(file, wait=False)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise RunError(f"run {folder.name!r} is being written by another process") from None
            time.sleep(0.05)


def share_lock(path: Path) -> None:
    """Keeps a run locked until this process ends, however it ends."""
    share(os.open(path, os.O_RDWR))
