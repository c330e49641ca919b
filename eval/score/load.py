"""A run as it stands in its logs, beside the gold labels of its data files: scored without a model, at any time."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.agent.log.log import content_of
from tieout.agent.log.recorded import Recorded
from tieout.agent.log.turn import Turn
from tieout.data.document import Conversation
from tieout.data.files import WriteError, write_whole
from tieout.eval.run.logs import broken_logs as find_broken_logs
from tieout.eval.run.logs import check_list, check_question, log_files
from tieout.eval.run.manifest import BASELINE, MANIFEST, ONTOLOGY, RUNS, Manifest, RunError, read_manifest, sha256_of
from tieout.eval.run.run import conversations_of
from tieout.eval.score.result import Result, results
from tieout.kg.build import build
from tieout.ontology.model import Ontology


@dataclass(frozen=True, slots=True)
class Run:
    """A scored run. finished: the conversations that came to their end, each with its repeat."""

    manifest: Manifest
    results: tuple[Result, ...]
    finished: frozenset[tuple[str, int]]

    @property
    def name(self) -> str:
        return self.manifest.run

    @property
    def complete(self) -> int:
        """How many conversations came to their end, of all repeats."""
        return len(self.finished)

    @property
    def wanted(self) -> int:
        """How many conversations there are, of all repeats."""
        return len(self.manifest.conversations) * self.manifest.repeat

    @property
    def status(self) -> str:
        """`complete` or `incomplete`."""
        return "complete" if self.complete == self.wanted else "incomplete"

    def status_of(self, conversation: str) -> str:
        """The same of one conversation, in the first repeat."""
        return "complete" if (conversation, 1) in self.finished else "incomplete"


def find_run(name: str, runs: Path = RUNS) -> Path:
    """The folder of a run from its name, or the folder itself. Raises RunError where there is none."""
    folder = Path(name) if "/" in name else runs / name
    read_manifest(folder)
    return folder


def ontology_of(folder: Path) -> Ontology:
    """The TBox the run was made with. Raises RunError where it was changed, OntologyError where it cannot be read."""
    ontology = Ontology.load(folder / ONTOLOGY)
    if sha256_of(ontology.turtle()) != read_manifest(folder).ontology_sha256:
        raise RunError(f"{str(folder / ONTOLOGY)!r} was changed since run {folder.name!r} was made with it")
    return ontology


def recorded(folder: Path, manifest: Manifest) -> Iterator[tuple[Conversation, int, Recorded]]:
    """Each conversation that was begun, with its repeat and what its log tells, all of it checked.

    Raises LogError for a log that was altered, or that is of something else than its place says; RunError for one that
    the list lacks or that is missing though the run was completed, and a data file that has changed; DataError.
    """
    check_list(folder, manifest)
    files = {(each.conversation, each.repeat): each for each in log_files(folder, manifest)}
    for conversation in conversations_of(manifest):
        for repeat in range(1, manifest.repeat + 1):
            file = files[conversation.id, repeat]
            if file.path.exists():
                told = file.read()
                for turn, question in zip(told.turns, conversation.questions, strict=False):
                    check_question(file.path, turn, question.text)
                yield conversation, repeat, told


def conversations(folder: Path, manifest: Manifest) -> Iterator[tuple[Conversation, int, tuple[Turn, ...]]]:
    """Each conversation that was begun, with its repeat and its turns. Raises what `recorded` raises."""
    for conversation, repeat, told in recorded(folder, manifest):
        yield conversation, repeat, told.turns


def load(folder: Path) -> Run:
    """The run in folder, scored. Raises what `recorded` raises."""
    manifest = read_manifest(folder)
    found: list[Result] = []
    finished = set()
    for conversation, repeat, told in recorded(folder, manifest):
        found += results(conversation, told.turns, repeat)
        if told.ended:
            finished.add((conversation.id, repeat))
    return Run(manifest, tuple(found), frozenset(finished))


def graph_statistics(folder: Path, manifest: Manifest) -> dict[str, dict[str, Any]]:
    """By conversation: the triples of the graph of its document, its instances, and how many of each entity type."""
    ontology = ontology_of(folder)
    found: dict[str, dict[str, Any]] = {}
    for conversation in conversations_of(manifest):
        graph = build(conversation.document, ontology)
        types = Counter(kind for kind, _ in {(fact.entity_type, fact.instance) for fact in graph.facts()})
        triples = graph.quads.count(b"\n")
        found[conversation.id] = {
            "triples": triples,
            "instances": types.total(),
            "entity_types": dict(sorted(types.items())),
        }
    return found


def broken_logs(folder: Path) -> list[tuple[Path, str]]:
    """Every log of the run that is missing, was altered, did not come to its end, or is not of it, with why."""
    return find_broken_logs(folder, read_manifest(folder))


def digest(folder: Path) -> str:
    """One hash over a run: noted elsewhere, it shows later whether any was rewritten. Raises RunError, LogError."""
    manifest = read_manifest(folder)
    whole = hashlib.sha256((folder / MANIFEST).read_bytes())
    for each in log_files(folder, manifest):
        whole.update(hashlib.sha256(content_of(each.path) if each.path.exists() else b"").digest())
    return whole.hexdigest()


def mark_baseline(folder: Path) -> None:
    """Makes the run the one that others in its folder are compared with. Raises RunError."""
    try:
        write_whole(folder.parent / BASELINE, folder.name + "\n")
    except WriteError as error:
        raise RunError(str(error)) from error


def baseline(runs: Path = RUNS) -> str:
    """The name of the run that was marked. Raises RunError where none was, or the mark cannot be read."""
    path = runs / BASELINE
    try:
        return path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        raise RunError(
            f"no run in {str(runs)!r} is marked; `tieout eval baseline RUN` marks one, or name two"
        ) from None
    except NotADirectoryError:
        raise RunError(f"{str(runs)!r} is no folder of runs") from None
    except OSError as error:
        raise RunError(f"{str(path)!r} cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise RunError(f"{str(path)!r} is damaged: `tieout eval baseline RUN` marks a run anew") from error
