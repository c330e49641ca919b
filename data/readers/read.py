"""Files into conversations: those of records, and report files, each one conversation in which nothing is asked yet.

What a file is, and which layout a record has, is told by what it holds, not by the name of the file.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any

from rapidfuzz import fuzz, process

from tieout.data.document import Conversation
from tieout.data.limits import SizeError, check_size
from tieout.data.readers.layouts import (
    Flaw,
    Turns,
    cleaned,
    official,
    official_document,
    read_object,
    read_text,
    turn_number,
    unknown_keys,
)
from tieout.data.readers.paths import find_files
from tieout.data.readers.questions import finqa, is_finqa, is_over_data, is_tatqa, over_data, tatqa
from tieout.data.readers.records import DataError, Record, read_records
from tieout.data.readers.report import is_pages, read_report
from tieout.data.system.engine import Lost, run_in_order

__all__ = ["DataError", "Problem", "Report", "find_conversation", "is_pages", "read_conversations", "read_files"]

_LAYOUT_KEYS = ("doc", "annotation", "table", "tables", "pre_text", "post_text", "qa")
_LONGEST_NAME = 80  # characters of an id in a message


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one record is not read, or several.

    record: its id, or `record 12` (counted from 1) where it has none, or `234 reports`. field: such as `table[3][1]`,
    "" for the whole. is_part: only a part of a report, the rest of which is read.
    """

    file: Path
    record: str
    field: str
    message: str
    is_part: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.told}"

    @property
    def line(self) -> str:
        """What to tell who reads the file: that it, or which part of it, is left out."""
        return f"not all of {self.file} is read: {self.message}" if self.is_part else f"left out {self}"

    @property
    def told(self) -> str:
        """The same without the file."""
        where = f", field {self.field}" if self.field else ""
        return f"{_short(self.record)}{where}: {self.message}"


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}..."


def _name_of(record: dict[str, Any]) -> tuple[object, str]:
    """The id of a record and the field that holds it: that of its table in TAT-QA."""
    if is_tatqa(record) and isinstance(record["table"], dict):
        return record["table"].get("uid"), "table.uid"
    return record.get("id"), "id"


Report = Callable[[Problem], None]


class _Reader:
    """One file: whole conversations are handed on as they come, turn records when the file has ended."""

    def __init__(self, path: Path, report: Report | None) -> None:
        self.path, self.report = path, report
        self.first_problem: Problem | None = None
        self.seen: set[str] = set()
        self.turns: dict[str, Turns] = {}
        self.unknown: Counter[str] = Counter()

    def problem(self, record: str, where: str, message: str) -> None:
        problem = Problem(self.path, record, where, message)
        self.first_problem = self.first_problem or problem
        if self.report:
            self.report(problem)

    def parse(self, record: Record) -> Conversation | None:
        """The conversation of a record, None for a turn record, which is gathered."""
        values = read_object(record.value, "")
        for where, message in record.flaws:
            raise Flaw(where, message)
        given, place = _name_of(values)
        is_nameless = place == "id" and "id" not in values
        identifier = read_text(self._name(record) if is_nameless else given, place)
        if not identifier.strip():
            raise Flaw("id", "is empty")
        if identifier in self.seen:
            raise Flaw("id", "stands in the file twice; the first one is kept")
        self.seen.add(identifier)
        if is_tatqa(values):
            return tatqa(values)
        if is_finqa(values):
            return finqa(identifier, values)
        self.unknown.update(unknown_keys(values))
        if "doc" in values:
            return cleaned(identifier, values)
        if isinstance(values.get("annotation"), dict) and "cur_dial" in values["annotation"]:
            turn = turn_number(values)
            base = identifier.removesuffix(f"_{turn}")
            if base not in self.turns:
                self.turns[base] = Turns(official(base, values))
            self.turns[base].add(official_document(base, values), values, turn)
            return None
        return official(identifier, values)

    def fits(self, conversation: Conversation) -> bool:
        """Whether a document has the size of a report; one that is larger is reported."""
        try:
            check_size(conversation.document)
        except SizeError as error:
            self.problem(conversation.id, "", str(error))
            return False
        return True

    def _name(self, record: Record) -> str:
        """What a record without an id is called: as its file, with its number where it is not the first."""
        return self.path.stem if record.index == 0 else f"{self.path.stem}-{record.index + 1}"

    def _over_data(self, record: dict[str, Any], flaws: Iterable[tuple[str, str]]) -> Iterator[Conversation]:
        for where, message in flaws:
            self.problem("the file", where, message)
        try:
            for name, read in over_data(record):
                if isinstance(read, Flaw):
                    self.problem(name, read.field, read.message)
                else:
                    yield read
        except Flaw as flaw:
            self.problem("the file", flaw.field, flaw.message)

    def report_unknown(self) -> None:
        """Names the keys that were not read, once a file."""
        if self.report is None:
            return
        for key, count in self.unknown.items():
            which = "its report" if len(self.seen) == 1 else f"{count} of {len(self.seen)} reports"
            self.report(Problem(self.path, which, key, "not a key that is known"))

    def conversations(self) -> Iterator[Conversation]:
        found = 0
        for record in read_records(self.path):
            value = record.value
            if is_over_data(value) and isinstance(value, dict):
                for each in self._over_data(value, record.flaws):
                    found += 1
                    yield each
                continue
            name = f"record {record.index + 1}"
            if isinstance(value, dict):
                identifier, _ = _name_of(value)
                name = identifier if isinstance(identifier, str) and identifier.strip() else name
            if record.index == 0 and not (isinstance(value, dict) and any(key in value for key in _LAYOUT_KEYS)):
                raise DataError(
                    f"{self.path}: not a file of reports; its first record is in none of the layouts of"
                    f" ConvFinQA, FinQA "
                    "and TAT-QA"
                )
            try:
                conversation = self.parse(record)
            except Flaw as flaw:
                self.problem(name, flaw.field, flaw.message)
                continue
            if conversation and self.fits(conversation):
                found += 1
                yield conversation
        for base, turns in self.turns.items():
            try:
                conversation = turns.conversation()
            except Flaw as flaw:
                self.problem(base, flaw.field, flaw.message)
                continue
            if self.fits(conversation):
                found += 1
                yield conversation
        self.report_unknown()
        if not found:
            why = f"; the first problem: {self.first_problem.told}" if self.first_problem else ""
            raise DataError(f"{self.path}: holds no report that can be read{why}")


def read_conversations(path: str | Path, report: Report | None = None) -> Iterator[Conversation]:
    """Yields the conversations of a file of any of the three layouts; where nothing is labelled, without gold. A report
    file is one conversation without questions, by the name of the file.

    A record that does not parse, or whose id was there before, is given to `report` and left out. Raises DataError when
    the file cannot be read, is not JSON, or holds no record that can be used.
    """
    path = Path(path)
    if is_pages(path):
        yield from _Reader(path, report).conversations()
    else:
        document = read_report(path)
        if report:
            for what in document.unread:
                report(Problem(path, document.id, "", what, is_part=True))
        yield Conversation(document=document, questions=())


def read_files(
    paths: Iterable[str | Path], report: Report | None = None, jobs: int = 1, engine: str = ""
) -> Iterator[Conversation]:
    """Yields the conversations of several files; those whose ids earlier files had are left out and reported at the
    end of their file, together.

    A folder stands for the files in it; those of them that cannot be read are reported. jobs, engine: as `run_tasks`
    has them. Raises DataError as read_conversations does, EngineError.
    """
    seen: dict[str, Path] = {}
    files = find_files(paths)
    if jobs > 1 or engine:
        files = iter(listed := list(files))
        made = run_in_order(_read_whole, [path for path, _ in listed], jobs, engine)
    for path, is_named in files:
        again: list[str] = []
        whole = next(made) if jobs > 1 or engine else None
        for conversation in _of_file(path, is_named, report, whole):
            if conversation.id in seen and seen[conversation.id] != path and conversation.id == path.stem:
                conversation = _renamed(conversation, path, seen)
            if conversation.id not in seen:
                seen[conversation.id] = path
                yield conversation
            else:
                again.append(conversation.id)
        if again and report:
            name = again[0] if len(again) == 1 else f"{len(again)} reports"
            earlier = ", ".join(dict.fromkeys(str(seen[identifier]) for identifier in again))
            report(Problem(path, name, "", f"read from {earlier} already"))


def _renamed(conversation: Conversation, path: Path, seen: Mapping[str, Path]) -> Conversation:
    """A report that is called by its file, where another file has the same name: with the suffix, or the folder."""
    names = (path.name, f"{path.parent.name}/{path.name}")
    name = next((each for each in names if each not in seen), conversation.id)
    document = conversation.document.model_copy(update={"id": name})
    return conversation.model_copy(update={"document": document})


@dataclass(frozen=True, slots=True)
class _Whole:
    """What was read of a file elsewhere, and what was left out. why: it could not be read."""

    conversations: tuple[Conversation, ...] = ()
    problems: tuple[Problem, ...] = ()
    why: DataError | None = None


def _read_whole(path: Path, stop: Event | None = None) -> _Whole:
    problems: list[Problem] = []
    try:
        return _Whole(tuple(read_conversations(path, problems.append)), tuple(problems))
    except DataError as error:
        return _Whole(problems=tuple(problems), why=error)


def _of_file(path: Path, is_named: bool, report: Report | None, whole: _Whole | Lost | None) -> Iterator[Conversation]:
    """The conversations of a file. One that was not named itself and cannot be read does not stop the others, nor one
    that ends who reads it."""
    try:
        yield from read_conversations(path, report) if whole is None else _given(path, whole, report)
    except DataError as error:
        if is_named and not isinstance(whole, Lost):
            raise
        if report:
            report(Problem(path, "the file", "", str(error).removeprefix(f"{path}: ")))


def _given(path: Path, whole: _Whole | Lost, report: Report | None) -> Iterator[Conversation]:
    if isinstance(whole, Lost):
        raise DataError(f"{path}: {whole}")
    if report:
        for problem in whole.problems:
            report(problem)
    if whole.why is not None:
        raise whole.why
    yield from whole.conversations


def find_conversation(paths: Iterable[str | Path], identifier: str, report: Report | None = None) -> Conversation:
    """The conversation, and with it the document, of this id: the first one, and further ones go to `report`.

    Raises DataError when the record of this id does not parse, or for an unknown id, naming the nearest ones.
    """
    names = [str(path) for path in paths]
    problems: list[Problem] = []
    known: list[str] = []
    found = None
    for conversation in read_files(names, problems.append):
        known.append(conversation.id)
        if conversation.id == identifier:
            found = conversation
    own = [problem for problem in problems if problem.record == identifier]
    if found is not None:
        if report:
            for problem in own:
                report(problem)
        return found
    if own:
        raise DataError(str(own[0]))
    near = [
        repr(_short(name))
        for name, _, _ in process.extract(identifier, known, scorer=fuzz.WRatio, limit=3, score_cutoff=60)
    ]
    hint = f"did you mean {' or '.join(near)}?" if near else f"{len(known)} reports are there."
    shows = f"`tieout list {shlex.join(names)}` shows the ids"
    raise DataError(f"no report {_short(identifier)!r} in {', '.join(names)}; {hint} {shows}")
