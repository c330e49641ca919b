"""Conversations into `runs/<run>/`, a log each, beside `run.json`; what is complete is not run again."""

from __future__ import annotations

import re
import time
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal
from itertools import count, takewhile
from pathlib import Path

from tieout.agent.log.events import ModelCalled, TurnEnded
from tieout.agent.log.log import is_complete
from tieout.agent.workspace import Settings
from tieout.data.document import Conversation
from tieout.data.readers.read import Report
from tieout.data.system.engine import check_engine
from tieout.eval.gold.report_questions import find_report, read_asked
from tieout.eval.run.batch import prefetch
from tieout.eval.run.layers import in_layers
from tieout.eval.run.logs import LogFile, check_strangers, log_files
from tieout.eval.run.manifest import (
    BASELINE,
    MANIFEST,
    ONTOLOGY,
    Beside,
    DataFile,
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
from tieout.eval.run.prompts import prompt_hash
from tieout.eval.run.reports import kept_reports
from tieout.eval.run.sample import Selection
from tieout.eval.run.work import Job, Limits, Progress, Setup, dollars
from tieout.ontology.model import Ontology

REPLIES = "batch.tsv"
REPORTS = "reports"  # the store of whole reports in the folder of a run
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
    reports: Path | None = None,
    beside: Beside | None = None,
) -> Manifest:
    """What the run is to be. report: is told of records that cannot be read. reports: the folder of whole reports.
    beside: data that is asked over, for files of such questions.

    Raises RunError, DataError, QuestionsError.
    """
    hashed = data_files(files)
    asked: dict[str, tuple[str, ...]] = {}
    read = _all_over_data(read_asked(files, report), beside is not None and bool(beside.data))
    conversations = _noted(read, asked)
    if history == "gold":
        conversations = _all_labelled(conversations)
    chosen = selection.choose(conversations)
    docs = tuple(dict.fromkeys(doc for name in chosen for doc in asked[name]))
    layers = () if beside is None else beside.layers
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
        conversations={f"{layer}/{name}": n for layer in layers for name, n in chosen.items()} or chosen,
        versions=versions(over_data=beside is not None and bool(beside.data)),
        started=_now(),
        weights_sha256=weights_hash(backend),
        reports=_report_files(docs, reports),
        beside=beside,
    )


def _noted(conversations: Iterable[Conversation], asked: dict[str, tuple[str, ...]]) -> Iterator[Conversation]:
    """The same conversations; asked: takes in which reports each of them is about."""
    for conversation in conversations:
        asked[conversation.id] = conversation.reports
        yield conversation


def _report_files(docs: Sequence[str], folder: Path | None) -> dict[str, DataFile]:
    """The files of reports by the names that questions have for them."""
    if docs and folder is None:
        raise RunError(f"the questions are about whole reports, such as {docs[0]!r}: --reports names their folder")
    if folder is None:
        return {}
    return dict(zip(docs, data_files([find_report(folder, doc) for doc in docs]), strict=True))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _all_over_data(conversations: Iterator[Conversation], has_data: bool) -> Iterator[Conversation]:
    for conversation in conversations:
        document = conversation.document
        is_report = bool(conversation.reports or document.tables or document.paragraphs or document.unprinted)
        if is_report is has_data:
            raise RunError(
                f"{conversation.id!r} is of a report, and a run over --data is of questions over data alone"
                if has_data
                else "questions over data need their data: give --data"
            )
        yield conversation


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
    store: Path | None = None,
    engine: str = "",
) -> Iterator[Progress]:
    """Runs what is left of a run, and tells of all turns, those that were over before first.

    batch: ask for the first turns of all conversations in one batch before. store: where whole reports are kept, else
    in the folder of the run. engine: as `run_tasks` has it; dollars cannot be limited there.

    Raises RunError when the run exists and is not this one, is held by another process, or cannot be written;
    EngineError, LogError, BackendError; Stopped at a limit, or where the endpoint refuses every turn. After any of
    these, and after Ctrl-C or a kill, the same call goes on.
    """
    check_engine(engine)
    if engine and max_usd is not None:
        raise RunError("--max-usd needs one machine: several would each spend as much; leave --engine out")
    runs, store = runs.absolute(), store and store.absolute()  # as others see them
    folder = runs / wanted.run
    deadline = None if max_seconds is None else time.time() + max_seconds
    with locked(folder) as lock:
        wanted, begun = _gone_on_with(folder, wanted)
        write_manifest(folder, wanted, ontology.turtle())
        spent = sum(each.usd for each in begun.values()) + dollars(wanted.lost_usd)
        files = {name: file.path for name, file in wanted.reports.items()}
        with kept_reports(files, ontology, store or folder / REPORTS, workers, engine) as shelf:
            setup = Setup(
                backend=wanted.backend,
                ontology=folder / ONTOLOGY,
                settings=wanted.settings,
                replies=folder / REPLIES,
                origin={"ontology": wanted.ontology_sha256, "prompt": wanted.prompt_sha256},
                lock=lock,
                limits=Limits(deadline, max_usd, 0.0 if max_usd is None else spent),
                shelf=shelf,
                beside=None if wanted.beside is None else wanted.beside.model_dump(mode="json"),
            )
            if batch:
                prefetch(setup, _jobs(folder, wanted, frozenset()))
            complete = {path for path, each in begun.items() if each.ended}
            for each in begun.values():
                if each.turns:
                    yield Progress(each.conversation, each.turns)
            yield from run_jobs(setup, _jobs(folder, wanted, complete), workers, engine)
        _check_whole(folder, wanted)
        if wanted.completed is None:
            write_manifest(folder, wanted.model_copy(update={"completed": _now()}), ontology.turtle())


@dataclass(frozen=True, slots=True)
class _Begun:
    """What the log of a conversation holds when a run is gone on with. usd: `dollars` of its turns that are over.

    lost: dollars of a turn that was broken off, None where a price is not known.
    """

    conversation: str
    turns: int
    ended: bool
    usd: float
    lost: Decimal | None


def _gone_on_with(folder: Path, wanted: Manifest) -> tuple[Manifest, dict[Path, _Begun]]:
    """The manifest as it is to be written, and what there is by log. Raises RunError, LogError."""
    if not (folder / MANIFEST).exists():
        return wanted.sealed(), {}
    known = read_manifest(folder)
    known.check_same(wanted)
    # A run that was copied to another name is the run that it was: its name is sealed.
    kept = {"run": known.run, "started": known.started, "ontology": known.ontology, "lost_usd": known.lost_usd}
    wanted = wanted.model_copy(update=kept).sealed(known)
    check_strangers(folder, wanted)
    files = list(log_files(folder, wanted))
    begun = {each.path: _look_at(each) for each in files if each.path.exists()}
    lost = [known.lost_usd, *(each.lost for each in begun.values())]
    whole = len(begun) == len(files) and all(each.ended for each in begun.values())
    update = {"lost_usd": _sum(lost), "completed": known.completed if whole else None}
    return wanted.model_copy(update=update), begun


def _look_at(file: LogFile) -> _Begun:
    recorded = file.read()
    behind = takewhile(lambda event: not isinstance(event, TurnEnded), reversed(recorded.events))
    broken_off = () if recorded.ended else tuple(behind)
    lost = _sum(event.usd for event in broken_off if isinstance(event, ModelCalled))
    usd = sum(dollars(turn.usd) for turn in recorded.turns)
    return _Begun(file.conversation, len(recorded.turns), recorded.ended, usd, lost)


def _sum(parts: Iterable[Decimal | None]) -> Decimal | None:
    """None where one of them is not known."""
    total = Decimal(0)
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def _check_whole(folder: Path, manifest: Manifest) -> None:
    """Raises RunError where something that the run wrote is not there any more."""
    logs = (each.path for each in log_files(folder, manifest))
    gone = [path for path in logs if not is_complete(path)]
    if not (folder / MANIFEST).exists():
        gone.insert(0, folder / MANIFEST)
    if gone:
        raise RunError(f"{str(gone[0])!r} was removed or cut while run {manifest.run!r} was under way")


def _jobs(folder: Path, manifest: Manifest, complete: Container[Path]) -> Iterator[Job]:
    files = {(each.conversation, each.repeat): each for each in log_files(folder, manifest)}
    for repeat in range(1, manifest.repeat + 1):
        for conversation in conversations_of(manifest):
            file = files[conversation.id, repeat]
            if file.path not in complete:
                questions = tuple(question.text for question in conversation.questions)
                given = tuple(gold.answer for gold in conversation.gold) if manifest.history == "gold" else ()
                about = conversation.document, questions, conversation.independent, given
                yield Job(file.path, *about, file.starts, conversation.reports)


def conversations_of(manifest: Manifest) -> Iterator[Conversation]:
    """The conversations of a run from its data files. Raises RunError where a file was moved or has changed since."""
    for known in manifest.files:
        (now,) = data_files([known.path])
        if now.sha256 != known.sha256:
            raise RunError(f"the data file {str(known.path)!r} of run {manifest.run!r} has changed since it was run")
    left = set(manifest.conversations)
    layers = () if manifest.beside is None else manifest.beside.layers
    for conversation in in_layers(read_asked([known.path for known in manifest.files]), layers):
        if conversation.id in left:
            left.remove(conversation.id)
            yield conversation
        if not left:
            return
