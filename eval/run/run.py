"""Conversations into `runs/<run>/`, a log each, beside `run.json`; what is complete is not run again."""

from __future__ import annotations

import re
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count
from pathlib import Path

from tieout.agent.log.events import Event, ModelCalled, TurnEnded
from tieout.agent.log.log import is_complete, log_path, read_events
from tieout.agent.log.turn import read_turns
from tieout.agent.strategies.prompt import prompt_hash
from tieout.agent.workspace import Settings
from tieout.data.document import Conversation
from tieout.data.readers.read import Report, read_files
from tieout.eval.run.batch import prefetch
from tieout.eval.run.manifest import (
    BASELINE,
    MANIFEST,
    ONTOLOGY,
    History,
    Manifest,
    RunError,
    data_files,
    locked,
    read_manifest,
    sha256_of,
    versions,
    weights_hash,
    write_manifest,
)
from tieout.eval.run.processes import run_jobs
from tieout.eval.run.sample import Selection
from tieout.eval.run.work import Job, Limits, Progress, Setup, dollars
from tieout.ontology.model import Ontology

REPLIES = "batch.tsv"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def new_name(runs: Path, backend: str) -> str:
    """The first of `offline-1`, `offline-2`, ... that no run has."""
    stem = re.sub(r"[^A-Za-z0-9.]+", "-", backend).strip("-.")[:60] or "run"
    return next(name for number in count(1) if not (runs / (name := f"{stem}-{number}")).exists())


def check_name(name: str) -> str:
    """The name. Raises RunError for one that cannot be a folder's everywhere, or is that of the baseline's mark."""
    if not _NAME.fullmatch(name):
        raise RunError(f"{name!r} cannot be the name of a run: letters, digits, dot, dash and underscore, at most 100")
    if name.lower() == BASELINE:  # some file systems make no difference between a and A
        raise RunError(f"{name!r} cannot be the name of a run: the file that marks the baseline has it")
    return name


def plan(
    name: str,
    files: Sequence[Path],
    ontology: Ontology,
    ontology_name: str,
    backend: str,
    settings: Settings,
    history: History,
    repeat: int,
    selection: Selection,
    report: Report | None = None,
) -> Manifest:
    """What the run is to be. report: is told of records that cannot be read. Raises RunError, DataError."""
    hashed = data_files(files)
    conversations = read_files(files, report)
    if history == "gold":
        conversations = _all_labelled(conversations)
    chosen = selection.choose(conversations)
    return Manifest(
        run=check_name(name),
        files=hashed,
        ontology=ontology_name,
        ontology_sha256=sha256_of(ontology.turtle()),
        prompt_sha256=prompt_hash(),
        backend=backend,
        settings=settings.model_dump(mode="json"),
        history=history,
        repeat=repeat,
        conversations=chosen,
        versions=versions(),
        started=_now(),
        weights_sha256=weights_hash(backend),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _all_labelled(conversations: Iterator[Conversation]) -> Iterator[Conversation]:
    for conversation in conversations:
        if conversation.questions and not conversation.gold:
            raise RunError(f"--history gold needs gold answers, and {conversation.id!r} has none")
        yield conversation


def execute(
    runs: Path,
    wanted: Manifest,
    ontology: Ontology,
    workers: int = 1,
    max_seconds: float | None = None,
    max_usd: float | None = None,
    batch: bool = False,
) -> Iterator[Progress]:
    """Runs what is left of a run, and tells of all turns, those that were over before first.

    batch: ask for the first turns of all conversations in one batch before.

    Raises RunError when the run exists and is not this one, is held by another process, or cannot be written;
    LogError, BackendError; Stopped at a limit, or where the endpoint refuses every turn. After any of these, and after
    Ctrl-C or a kill, the same call goes on.
    """
    folder = runs / wanted.run
    deadline = None if max_seconds is None else time.time() + max_seconds
    with locked(folder) as lock:
        if (folder / MANIFEST).exists():
            known = read_manifest(folder)
            known.check_same(wanted)
            same = known.conversations == wanted.conversations
            kept = {"started": known.started, "completed": known.completed if same else None}
            wanted = wanted.model_copy(update=kept | {"lost_usd": _lost(folder, known)})
        write_manifest(folder, wanted, ontology.turtle())
        setup = Setup(
            backend=wanted.backend,
            ontology=folder / ONTOLOGY,
            settings=wanted.settings,
            replies=folder / REPLIES,
            origin={"ontology": wanted.ontology_sha256, "prompt": wanted.prompt_sha256},
            lock=lock,
            limits=Limits(deadline, max_usd, 0.0 if max_usd is None else _spent(folder, wanted)),
        )
        if batch:
            prefetch(setup, _jobs(folder, wanted, frozenset()))
        complete = {path for path, _ in _logs(folder, wanted) if is_complete(path)}
        for path, conversation in _logs(folder, wanted):
            if turns := _turns_over(path):
                yield Progress(conversation, turns)
        yield from run_jobs(setup, _jobs(folder, wanted, complete), workers)
        if wanted.completed is None or len(complete) < len(wanted.conversations) * wanted.repeat:
            write_manifest(folder, wanted.model_copy(update={"completed": _now()}), ontology.turtle())


def repeat_folder(folder: Path, repeat: int) -> Path:
    """Where the logs of a repeat are: the first in the folder of the run itself."""
    return folder if repeat == 1 else folder / f"repeat-{repeat}"


def _logs(folder: Path, manifest: Manifest) -> Iterator[tuple[Path, str]]:
    for repeat in range(1, manifest.repeat + 1):
        for conversation in manifest.conversations:
            yield log_path(repeat_folder(folder, repeat), conversation), conversation


def _turns_over(path: Path) -> int:
    return sum(isinstance(event, TurnEnded) for event in read_events(path)) if path.exists() else 0


def _spent(folder: Path, manifest: Manifest) -> float:
    """The dollars of turns that are over and of those that were broken off."""
    paths = (path for path, _ in _logs(folder, manifest) if path.exists())
    kept = sum(dollars(turn.usd) for path in paths for turn in read_turns(read_events(path)))
    return kept + dollars(manifest.lost_usd)


def _lost(folder: Path, manifest: Manifest) -> Decimal | None:
    """The dollars of turns that were broken off, those that are about to be cut off their logs included."""
    lost = manifest.lost_usd
    for path, _ in _logs(folder, manifest):
        for event in _behind_last_turn(read_events(path)) if path.exists() and not is_complete(path) else ():
            if isinstance(event, ModelCalled):
                lost = None if lost is None or event.usd is None else lost + event.usd
    return lost


def _behind_last_turn(events: Iterable[Event]) -> list[Event]:
    """What stands in a log behind its last whole turn."""
    behind: list[Event] = []
    for event in events:
        behind.append(event)
        if isinstance(event, TurnEnded):
            behind = []
    return behind


def _jobs(folder: Path, manifest: Manifest, complete: Container[Path]) -> Iterator[Job]:
    for repeat in range(1, manifest.repeat + 1):
        for conversation in conversations_of(manifest):
            path = log_path(repeat_folder(folder, repeat), conversation.id)
            if path not in complete:
                questions = tuple(question.text for question in conversation.questions)
                given = tuple(gold.answer for gold in conversation.gold) if manifest.history == "gold" else ()
                yield Job(path, conversation.document, questions, given)


def conversations_of(manifest: Manifest) -> Iterator[Conversation]:
    """The conversations of a run from its data files. Raises RunError where a file was moved or has changed since."""
    for known in manifest.files:
        (now,) = data_files([known.path])
        if now.sha256 != known.sha256:
            raise RunError(f"the data file {str(known.path)!r} of run {manifest.run!r} has changed since it was run")
    left = set(manifest.conversations)
    for conversation in read_files([known.path for known in manifest.files]):
        if conversation.id in left:
            left.remove(conversation.id)
            yield conversation
        if not left:
            return
