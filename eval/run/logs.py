"""The logs of a run: which files there are to be, which there are, and each read with all that can be checked."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from tieout.agent.log.events import ConversationEnded, Event, TurnEnded
from tieout.agent.log.log import NOT_ENDED, LogError, content_of, is_complete, log_path, read_events
from tieout.agent.log.recorded import Recorded, read_conversation
from tieout.agent.log.turn import Turn
from tieout.eval.run.manifest import Manifest, RunError, read_manifest
from tieout.eval.run.seal import start_of


@dataclass(frozen=True, slots=True)
class LogFile:
    """Where the log of a conversation is to be. starts: what it may begin with, what a new one begins with last."""

    path: Path
    conversation: str
    repeat: int
    questions: int
    starts: tuple[str, ...]

    def read(self) -> Recorded:
        """What it tells. Raises LogError where it was altered, or is that of another conversation, run or repeat."""
        recorded = read_conversation(self.path, self.conversation, self.starts)
        turns = len(recorded.turns)
        if turns > self.questions or (recorded.ended and turns != self.questions):
            raise LogError(f"{str(self.path)!r}, {turns} turns for {self.questions} questions")
        return recorded


def repeat_folder(folder: Path, repeat: int) -> Path:
    """Where the logs of a repeat are: the first in the folder of the run itself."""
    return folder if repeat == 1 else folder / f"repeat-{repeat}"


def log_files(folder: Path, manifest: Manifest) -> Iterator[LogFile]:
    """Those of all conversations, repeat by repeat, in the order of the list, whether they were begun or not."""
    extents = [*map(frozenset, manifest.extents), manifest.conversations.keys()]
    known = list(zip(manifest.seals(), extents, strict=True)) if manifest.seal is not None else [(None, extents[-1])]
    for repeat in range(1, manifest.repeat + 1):
        begins = [(start_of(seal, repeat), names) for seal, names in known]
        for name, questions in manifest.conversations.items():
            starts = tuple(start for start, names in begins if name in names)
            yield LogFile(log_path(repeat_folder(folder, repeat), name), name, repeat, questions, starts)


def strangers(folder: Path, manifest: Manifest) -> list[Path]:
    """Logs in the folder of a run that are of no conversation of its list."""
    expected = {each.path for each in log_files(folder, manifest)}
    return sorted({*folder.glob("*.jsonl"), *folder.glob("repeat-*/*.jsonl")} - expected)


def check_strangers(folder: Path, manifest: Manifest) -> None:
    """Raises RunError for a log that the list of conversations lacks."""
    if others := strangers(folder, manifest):
        raise RunError(f"{str(others[0])!r} is the log of no conversation of run {manifest.run!r}: move it elsewhere")


def check_list(folder: Path, manifest: Manifest) -> None:
    """Raises RunError for a log that the list lacks, and where one of a run that was completed is gone or cut short."""
    check_strangers(folder, manifest)
    if manifest.completed is not None:
        for each in log_files(folder, manifest):
            if not is_complete(each.path):
                why = "cut short" if each.path.exists() else "removed"
                raise RunError(f"{str(each.path)!r} was {why} since run {manifest.run!r} was completed; {_AGAIN}")


def check_logs(folder: Path) -> None:
    """Raises RunError, LogError for a run that was altered, also where a data file of it is not there any more."""
    manifest = read_manifest(folder)
    check_list(folder, manifest)
    for each in log_files(folder, manifest):
        if each.path.exists():
            each.read()


_AGAIN = "the `tieout eval run` that made the run asks again what is missing"


def check_question(path: Path, turn: Turn, question: str) -> None:
    """Raises LogError where a turn of a log asked something else than the data file does."""
    if turn.question != question:
        raise LogError(f"{str(path)!r}, turn {turn.index + 1} asked {turn.question!r}, not {question!r}")


def broken_logs(folder: Path, manifest: Manifest) -> list[tuple[Path, str]]:
    """Every log that is missing, was altered, did not come to its end, or is of nothing in the list, with why."""
    wrong = [(path, "the run has no such conversation") for path in strangers(folder, manifest)]
    for each in log_files(folder, manifest):
        try:
            problem = "there is no log" if not each.path.exists() else None if each.read().ended else NOT_ENDED
        except LogError as error:
            problem = str(error).removeprefix(f"{str(each.path)!r}, ")
        if problem is not None:
            wrong.append((each.path, problem))
    return wrong


def cut_back(path: Path, starts: Collection[str] | None = None) -> tuple[Event, ...]:
    """Cuts a log that was broken off back to the end of its last whole turn, and gives the events that are left.

    Nothing is left of a log without a whole turn. starts: as for `read_events`. Raises LogError.
    """
    events = list(read_events(path, starts))
    while events and not isinstance(events[-1], TurnEnded | ConversationEnded):
        events.pop()
    os.truncate(path, sum(len(line) + 1 for line in content_of(path).split(b"\n")[: len(events)]))
    return tuple(events)
