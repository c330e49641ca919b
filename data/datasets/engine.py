"""The process that holds the tables, from our side: started when needed, asked, stopped when it overruns."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

from tieout.data.datasets.files import Source
from tieout.data.datasets.frames import MOST_COLUMNS, MOST_ROWS, Cell, Frame, Kind, Origin, shown
from tieout.data.datasets.guard import RefusedError, near_names
from tieout.data.datasets.naming import DataFileError
from tieout.data.system.lines import LineProcess

PROCESS = Path(__file__).with_name("process.py")
# Nothing of the user's environment is known there, but what Windows starts no process without.
ENVIRONMENT = {name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ}
KEPT = Path(".tieout/data")
SECONDS, OPEN_SECONDS, KEEP_SECONDS = 4.0, 600.0, 60.0
MEMORY = 1024**3  # what the engine may hold; more goes to disk
SPACE = 6 * 1024**3  # address space of its process
DISK = 8 * 1024**3
EXTRA = "install tieout[expert] for data files, scripts and plots"
Variables = Mapping[str, date | Decimal | int | float | str]


class ExpertMissing(RuntimeError):  # noqa: N818 - nothing is wrong but that it is not installed
    """The extra `expert` is not installed."""


def need(*modules: str) -> None:
    """Raises ExpertMissing, one line that says what to install, where one of these modules is not there."""
    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise ExpertMissing(f"{' and '.join(missing)} is not installed: {EXTRA}")


class Engine:
    """Tables of data files in a process of their own. To be closed.

    examples: rows of each table that are told, 0 for none. seconds: the longest a query may take. kept: where tables
    of large files are kept, None for nowhere. notes: what of the files is not in the tables, a line each.
    Raises ExpertMissing; DataFileError where a file cannot be read.
    """

    def __init__(
        self, sources: Sequence[Source], examples: int = 3, seconds: float = SECONDS, kept: Path | None = KEPT
    ) -> None:
        need("duckdb", *(["adbc_driver_sqlite"] if any(source.kind == "sqlite" for source in sources) else []))
        self._kept = None if kept is None else str(kept.absolute())
        self._sources = [source.model_dump(mode="json") for source in sources]
        self._seconds = seconds
        self._examples = examples
        self._folder = Path(tempfile.mkdtemp(prefix="tieout-data-"))
        self._process: LineProcess | None = None
        self._is_keeping = False
        self._frames: dict[str, Frame] = {}
        self.described: list[dict[str, Any]] = []
        self.notes: list[str] = []
        try:
            self._start()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Ends the process and removes what it wrote; tables that it is about to keep are kept first."""
        if self._is_keeping and self._process is not None:
            self._process.finish(KEEP_SECONDS)
        self._stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def tables(self) -> set[str]:
        """Names of the tables of files, and of frames that were put."""
        return {*(table["table"] for table in self.described), *self._frames}

    def select(self, text: str, variables: Variables | None = None) -> Frame:
        """The rows of one SELECT, as a frame without a name. Raises RefusedError with the engine's message for a query
        that is refused, wrong, too slow or too big; the next is served none the less."""
        self._start()
        parameters = {name: _parameter(value) for name, value in (variables or {}).items()}
        request = {"select": text, "parameters": parameters, "rows": MOST_ROWS}
        reply = self._exchange(request, self._seconds, "the query")
        if "error" in reply:
            raise RefusedError(str(reply["error"]))
        if len(reply["columns"]) > MOST_COLUMNS:
            raise RefusedError(f"the result has more than {MOST_COLUMNS} columns: name those that are needed")
        columns = tuple((name, cast(Kind, kind)) for name, kind in reply["columns"])
        data = tuple(
            tuple(_cell(cell, kind) for cell in cells) for (_, kind), cells in zip(columns, reply["data"], strict=True)
        )
        return Frame("", columns, data, Origin(query=text, tables=tuple(reply["tables"])))

    def put(self, frame: Frame) -> None:
        """Makes a frame a table of its name. Raises RefusedError where a table of a file has that name."""
        if any(table["table"] == frame.name for table in self.described):
            raise RefusedError(f"the name {frame.name!r} is that of a table: choose another one")
        self._start()
        self._send(frame)
        self._frames[frame.name] = frame

    def forget(self, kept: set[str]) -> None:
        """Lets go of all frames but those kept: a query no longer finds them."""
        self._frames = {name: frame for name, frame in self._frames.items() if name in kept}
        if self._process is not None and self._process.is_running():
            self._exchange({"keep": sorted(kept)}, self._seconds, "forgetting frames")

    def near(self, name: str) -> str:
        """What else a name may have meant."""
        return near_names(name, self.tables)

    def _send(self, frame: Frame) -> None:
        columns = [(name, kind, _scale(cells)) for (name, kind), cells in zip(frame.columns, frame.data, strict=True)]
        data = [[shown(cell) for cell in cells] for cells in frame.data]
        request = {"name": frame.name, "columns": columns, "data": data}
        reply = self._exchange(request, self._seconds, "the frame")
        if "error" in reply:
            raise RefusedError(f"frame {frame.name!r} cannot be kept: {reply['error']}")

    def _start(self) -> None:
        if self._process is not None and self._process.is_running():
            return
        self._stop()
        self._process = LineProcess([sys.executable, "-I", str(PROCESS), str(_package())], self._folder, ENVIRONMENT)
        limits = {"memory": MEMORY, "space": SPACE, "disk": DISK, "folder": str(self._folder), "kept": self._kept}
        try:
            reply = self._exchange(
                {"sources": self._sources, "examples": self._examples, **limits}, OPEN_SECONDS, "loading the data"
            )
        except RefusedError as error:
            raise DataFileError(str(error)) from error
        if "error" in reply:
            self._stop()
            raise DataFileError(str(reply["error"]))
        self.described, self.notes, self._is_keeping = reply["tables"], reply["notes"], reply["keeping"]
        for frame in self._frames.values():
            self._send(frame)

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def _exchange(self, request: dict[str, Any], seconds: float, what: str) -> dict[str, Any]:
        assert self._process is not None
        self._is_keeping = False
        try:
            line = self._process.exchange(json.dumps(request).encode(errors="surrogatepass") + b"\n", seconds)
        except TimeoutError:
            raise RefusedError(f"{what} was stopped after {seconds:g} seconds (--query-seconds)") from None
        except EOFError:
            why = "it needs too much memory or is nested too deep"
            raise RefusedError(f"{what} ended its process: {why}") from None
        reply: dict[str, Any] = json.loads(line)
        return reply


def _package() -> Path:
    """The folder that the package is in."""
    found = find_spec("tieout")
    assert found is not None and found.origin is not None
    return Path(found.origin).parents[1]


def _parameter(value: object) -> Any:  # noqa: ANN401 - JSON
    if isinstance(value, date):
        return {"date": value.isoformat()[:10]}
    return float(value) if isinstance(value, Decimal) else value


def _scale(cells: Sequence[Cell]) -> int:
    """Digits behind the point that a column of decimals needs."""
    exponents = [cell.as_tuple().exponent for cell in cells if isinstance(cell, Decimal)]
    return max((-each for each in exponents if isinstance(each, int) and each < 0), default=0)


def _cell(cell: Any, kind: Kind) -> Cell:  # noqa: ANN401 - JSON
    if cell is None or kind in ("integer", "boolean", "text"):
        return cast(Cell, cell)
    match kind:
        case "float":
            return float(cell)
        case "decimal":
            return Decimal(cell)
        case "date":
            return date.fromisoformat(cell)
    return datetime.fromisoformat(cell)
