"""Data, frames and scripts of one conversation: what the tools over data work on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tieout.agent.analysis.cells import CELL, cell_entry, queries_behind, script_entry
from tieout.agent.ledger.ledger import Entry, Ledger
from tieout.agent.log.events import ToolCalled
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Card
from tieout.agent.protocol.tool import ToolError, as_tool_errors
from tieout.data.datasets.engine import KEPT, SECONDS, Engine, Variables
from tieout.data.datasets.files import column_notes, find_sources
from tieout.data.datasets.frames import Frame, FrameError, Origin, make_frame
from tieout.data.datasets.guard import RefusedError
from tieout.data.datasets.schema import Column, TableSchema, as_text, make_schema
from tieout.data.datasets.scripts import ScriptError, run
from tieout.kg.fact import Fact
from tieout.kg.reports.listing import FRAME, facts_frame

EXAMPLES = 3
RETRIES = 3


class Workbench:
    """The data of a conversation, and the frames and values made of it. To be closed.

    paths: data files and folders. facts: of the open reports. private: no row and no text of the data is told to a
    backend. show_rows: how many rows of a result are. plots: folder for pictures. retries: how many calls over data may
    fail in a turn before no more are made; scripting: whether scripts are offered. seconds: for a query. kept:
    where tables of large files are kept, None for nowhere.
    Raises DataFileError, ExpertMissing.
    """

    def __init__(
        self,
        paths: Sequence[Path],
        facts: Sequence[Fact] = (),
        *,
        private: bool = False,
        show_rows: int = 0,
        plots: Path | None = None,
        retries: int = RETRIES,
        scripting: bool = True,
        seconds: float = SECONDS,
        kept: Path | None = KEPT,
    ) -> None:
        sources = find_sources(paths)
        self.show_rows = 0 if private else show_rows
        self.plots = plots
        self.retries = retries
        self.scripting = scripting
        self.frames: dict[str, Frame] = {}
        self.values: dict[str, Entry] = {}
        self.variables: Variables = {}
        self._made: dict[str, set[str]] = {}  # by script: names of its values and frames
        self.recipe: str | None = None
        self.memory: object | None = None
        self.failures = 0
        self.engine = Engine(sources, 0 if private else EXAMPLES, seconds, kept)
        notes = column_notes(sources)
        self.schema = [make_schema(each, notes.get(each["table"], {})) for each in self.engine.described]
        if facts:
            self.keep(facts_frame(facts))
            self.schema.append(_facts_schema(self.frames[FRAME]))

    def close(self) -> None:
        """Ends the process of the engine."""
        self.engine.close()

    def described(self) -> str:
        """The schema as a backend is told it."""
        return as_text(self.schema)

    @property
    def notes(self) -> Sequence[str]:
        """What of the files is not in the tables, a line each."""
        return self.engine.notes

    @property
    def names(self) -> set[str]:
        """Names of tables and columns."""
        return {name for table in self.schema for name in (table.name, *(column.name for column in table.columns))}

    def clear(self) -> None:
        """Forgets frames and values, all but the facts of reports: another conversation begins."""
        self.frames = {name: frame for name, frame in self.frames.items() if name == FRAME}
        self.values, self._made, self.failures = {}, {}, 0
        self.engine.forget(set(self.frames))

    @contextmanager
    def aside(self) -> Iterator[None]:
        """What is made meanwhile is gone afterwards, and what there was is as it was: something is tried out."""
        before = dict(self.frames), dict(self.values), dict(self._made)
        try:
            yield
        finally:
            made = self.frames
            self.frames, self.values, self._made = before
            with as_tool_errors(RefusedError):
                self.engine.forget(set(self.frames))
                for name, frame in self.frames.items():
                    if made.get(name) is not frame:
                        self.engine.put(frame)

    def begin_turn(self) -> None:
        """Counts failures anew."""
        self.failures = 0

    def failed(self, error: ToolError) -> ToolError:
        """The error, counted."""
        self.failures += 1
        return error

    def check_tries(self) -> None:
        """Raises ToolError where so many calls failed in this turn that no more are made."""
        if self.failures > self.retries:
            raise ToolError(f"{self.failures} calls over data failed in this turn: no more are made, answer or clarify")

    @as_tool_errors(RefusedError)
    def keep(self, frame: Frame) -> None:
        """Keeps a frame under its name for later calls and queries. Raises ToolError where a table has that name."""
        self.engine.put(frame)
        self.frames[frame.name] = frame

    @as_tool_errors(RefusedError)
    def query(self, select: str, columns: Sequence[str], name: str) -> Frame:
        """The rows of a SELECT, kept as frame `name`. columns: names for them in order, or none. Raises ToolError."""
        found = self.engine.select(select, self.variables)
        names = list(columns) or list(found.names)
        if len(names) != len(found.names):
            raise ToolError(f"{len(names)} names for {len(found.names)} columns: {', '.join(found.names)}")
        if len(set(names)) != len(names):
            raise ToolError(f"a column name comes twice: {', '.join(names)}; name them by AS, or by `columns`")
        behind = [self.frames[table] for table in found.origin.tables if table in self.frames and table != FRAME]
        origin = Origin(
            query=select,
            tables=_of_files(found.origin.tables, self.frames),
            queries=tuple(dict.fromkeys(query for frame in behind for query in queries_behind(frame))),
            recipe=self.recipe,
        )
        kinds = tuple(zip(names, (kind for _, kind in found.columns), strict=True))
        frame = Frame(name, kinds, found.data, origin)
        self.keep(frame)
        return frame

    @as_tool_errors(ScriptError, FrameError)
    def script(self, code: str, frames: Sequence[str], name: str, ledger: Ledger) -> tuple[list[Entry], list[Frame]]:
        """Runs code over frames; single values become entries of the ledger, columns frames. Raises ToolError."""
        given = [self.frame(each) for each in frames]
        result = run(code, given, self.variables)
        origin = Origin(
            code=code,
            tables=tuple(dict.fromkeys(table for frame in given for table in frame.origin.tables)),
            frames=tuple(frames),
            queries=tuple(dict.fromkeys(query for frame in given for query in queries_behind(frame))),
            recipe=self.recipe,
        )
        made = [make_frame(_joined(name, key), columns, origin) for key, columns in result.frames.items()]
        rows_hash = hashlib.sha256("".join(frame.hash for frame in given).encode()).hexdigest()
        entries = [
            script_entry(_joined(name, key), cell, code, result.lines[key], given, rows_hash, self.recipe)
            for key, cell in result.values.items()
        ]
        self._forget(name)
        for frame in made:
            self.keep(frame)
        added = [ledger.add(entry) for entry in entries]
        self.values.update({entry.name: entry for entry in added})
        self._made[name] = {*(entry.name for entry in added), *(frame.name for frame in made)}
        return added, made

    def _forget(self, name: str) -> None:
        """Takes away what an earlier script of that name made: what is not made again must not be taken for new."""
        for old in self._made.pop(name, ()):
            self.values.pop(old, None)
            self.frames.pop(old, None)

    def frame(self, name: str) -> Frame:
        """The frame of that name. Raises ToolError with those there are."""
        if name not in self.frames:
            have = ", ".join(sorted(self.frames)) or "none yet: make one with query_sql"
            raise ToolError(f"there is no frame {name!r}; there are: {have}")
        return self.frames[name]

    def cell(self, text: str) -> Entry | None:
        """The entry that `frame.column[row]`, a frame or a value of an earlier script means; None for other text."""
        if text in self.values:
            return self.values[text]
        match = CELL.fullmatch(text)
        if match is None or match[1] not in self.frames:
            return None
        return cell_entry(self.frames[match[1]], match[2], None if match[3] is None else int(match[3]))

    def restore(self, turns: Sequence[Turn]) -> None:
        """Makes the frames of earlier turns again, by the calls that their logs hold. What cannot be made any more,
        because data has changed, is not there."""
        for turn in turns:
            for event in turn.events:
                if isinstance(event, ToolCalled) and not event.error:
                    self._again(event)

    def _again(self, event: ToolCalled) -> None:
        given = event.input
        with suppress(ToolError):
            if event.tool == "query_sql":
                self.query(given["select"], given.get("columns", ()), given["name"])
            elif event.tool == "run_script":
                self.script(given["code"], given.get("frames", ()), given["name"], Ledger())

    def under(self, heading: str, variables: Variables) -> None:
        """What comes now is made by a recipe, with values for its variables."""
        self.recipe, self.variables = heading, variables


def with_data(card: Card, desk: Workbench | None) -> Card:
    """A card with the schema of the data behind the report."""
    if desk is None:
        return card
    return card.model_copy(update={"text": "\n".join(part for part in (card.text, desk.described()) if part)})


def shape(frame: Frame, rows: int) -> dict[str, Any]:
    """What a backend is told of a frame."""
    told = frame.shape()
    return told | {"first_rows": frame.first(rows)} if rows else told


def _joined(name: str, key: str) -> str:
    return f"{name}_{key}"[:64] if key else name


def _of_files(read: Sequence[str], frames: dict[str, Frame]) -> tuple[str, ...]:
    """The tables of data files behind those that a query reads, looked for through frames."""
    tables = [frames[table].origin.tables if table in frames else (table,) for table in read]
    return tuple(dict.fromkeys(table for each in tables for table in each))


def _facts_schema(frame: Frame) -> TableSchema:
    columns = tuple(Column(name=name, kind=kind) for name, kind in frame.columns)
    return TableSchema(name=FRAME, rows=frame.rows, columns=columns, file="the open report")
