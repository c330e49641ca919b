"""A file read onto the shelf, in this process or in one of its own, which tells how far it is."""

from __future__ import annotations

import hashlib
import shutil
import sys
import threading
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal, Protocol

from tieout.agent.opening import LARGEST_PAGE
from tieout.agent.view.card import make_card
from tieout.data.document import Document
from tieout.data.limits import Budget
from tieout.data.readers.apart import LOOK, EndedError, Watch, answer_to, how_ended
from tieout.data.readers.html.original import read_original
from tieout.data.readers.kinds import kind_of
from tieout.data.readers.progress import heard
from tieout.data.readers.read import DataError, Problem, read_conversations
from tieout.data.readers.report import START, is_pages
from tieout.data.system.processes import end_with_parent, start
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology
from tieout.serve.asking.readings import Reading, Readings
from tieout.serve.asking.shelf import Shelf, Source

LOADED = ["tieout.serve.asking.process", "tieout.serve.asking.reading"]  # of every process beside the one that serves
BEHIND = 10  # as in nice(2): however many ask, a file is read with a tenth of a core, and comes to its end
MOST_KEPT = 400 << 20  # bytes that a process may have had and still read the next file
PACKED = (b"PK", b"\xd0\xcf")  # how a workbook begins
PAGE = 24_000  # characters of a card that is shown whole
State = Literal["waiting", "reading", "building", "indexing", "ready", "failed"]


class Told(Protocol):
    """Who hears how the reading of a file goes."""

    def name(self, document_id: str) -> tuple[str, str]:
        """The key of the next report of the file, and the id it shall have: no two have the same."""

    def state(self, key: str, state: State) -> None:
        """How far that report is."""

    def pages(self, done: int, of: int) -> None:
        """How many pages of the file are read."""

    def ready(self, source: Source) -> None:
        """It is on the shelf."""

    def problem(self, message: str) -> None:
        """Something is left out."""


def read_file(path: Path, stem: str, ontology: Ontology, shelf: Shelf, told: Told, kept: Path | None = None) -> None:
    """Reads all reports of a file. stem: what the file is called, "" for its own name. kept: the folder of readings,
    from which one is taken in place of the file; None for none. Raises DataError, OSError."""
    stem = stem or path.stem
    readings = Readings(kept if is_one(path) else None, ontology)
    place = readings.place(path, stem)
    if (found := readings.find(place)) is not None:
        for problem in found.problems:
            told.problem(problem)
        _open(found.document, found, path, ontology, shelf, told)
        return
    problems: list[str] = []

    def left_out(problem: Problem) -> None:
        problems.append(problem.told)
        told.problem(problem.told)

    with heard(told.pages):
        for conversation in read_conversations(path, left_out):
            document = conversation.document
            if document.id == path.stem:
                document = document.model_copy(update={"id": stem})
            reading = _open(document, None, path, ontology, shelf, told)
            if reading.document.id == stem:
                readings.keep(place, replace(reading, problems=tuple(problems)))


def is_one(path: Path) -> bool:
    """Whether a file is one report, and no record of pages, which are small."""
    try:
        return not is_pages(path)
    except DataError:
        return False  # told when it is read


def _open(
    document: Document, kept: Reading | None, path: Path, ontology: Ontology, shelf: Shelf, told: Told
) -> Reading:
    """Puts a report on the shelf: as it was kept, unless another one that is open has its name. Returns its reading."""
    key, identifier = told.name(document.id)
    if identifier != document.id:
        document, kept = document.model_copy(update={"id": identifier}), None
    told.state(key, "building")
    graph = kept.graph if kept else build(document, ontology)
    told.state(key, "indexing")
    contents = kept.contents if kept else read_contents(document, *graph.contents())
    shelf.index.keep(contents)
    digest = hashlib.sha256(graph.triples).hexdigest()
    form, pages = form_of(path, document), len(document.pages)
    source = Source(key, document.id, is_page(document, graph), digest, form, pages, document.company)
    shelf.put(source, document, graph)
    told.ready(source)
    original = keep_original(path, source, document, shelf, kept.original if kept else "")
    return kept or Reading(document, contents, graph, original=original)


def form_of(path: Path, document: Document) -> str:
    """How the original of a report is shown: by the pages of a PDF, as a web page, or by the sheets of a workbook; ""
    of a file that is shown as it was read, such as a web page that places its words on pages by styles."""
    if any("!" in table.place for table in document.tables):
        return "sheets"
    with path.open("rb") as file:
        start = file.read(START)
    if start.startswith(PACKED) or is_pages(path):
        return ""
    kind = kind_of(start, path.suffix).name
    return kind if (kind, bool(document.pages)) in (("pdf", True), ("html", False)) else ""


def keep_original(path: Path, source: Source, document: Document, shelf: Shelf, page: str = "") -> str:
    """Puts beside a report what shows it as it was printed: behind its reading, which nobody has to wait longer for.

    page: a web page as it can be shown, where it was made before. Returns it, "" of other files."""
    at = shelf.original(source)
    made = at.with_suffix(".making")
    if source.form == "pdf":
        shutil.copyfile(path, made)
    elif source.form == "html" and (page or find_spec("nh3") is not None):
        page = page or read_original(path.read_bytes(), document)
        made.write_text(page, "utf-8", errors="replace")
    else:
        return ""
    made.replace(at)
    return page


def is_page(document: Document, graph: Graph) -> bool:
    """Whether a report is short enough to be shown whole."""
    if graph.triples.count(b"#raw> ") >= LARGEST_PAGE:
        return False
    printed = sum(map(len, document.paragraphs))
    printed += sum(len(cell) for table in document.tables for row in table.rows for cell in row)
    return printed < PAGE and len(make_card(graph).text) < PAGE


class Reader:
    """A process that reads one file after another, each within its budget: what is read holds up nobody, and cannot end
    the server.

    Close it, also while another thread waits for a file. ontology: as Turtle. kept: as read_file has it.
    """

    def __init__(self, ontology: str, folder: Path, kept: Path | None = None) -> None:
        self._parts = ontology, folder, kept
        self._closed = False
        self._reading = threading.Lock()  # who holds it has the pipe
        self._pipe, self.process = self._start()

    def close(self) -> None:
        """Ends the process, whatever it reads."""
        self._closed = True
        self.process.kill()  # and with it the wait of who reads
        with self._reading:
            self._end()

    def _end(self) -> None:
        self.process.kill()
        self.process.join()
        self._pipe.close()

    def read(self, path: Path, stem: str, told: Told) -> None:
        """As read_file. Raises what that raises, EndedError for a file that takes more than its budget or ends the
        process, and EOFError where the reader is closed."""
        self._do(path, stem, told)

    def show(self, path: Path, source: Source, document: Document) -> None:
        """As keep_original, of a report that was read before. Raises as `read`."""
        self._do(path, (source, document))

    def _do(self, path: Path, what: str | tuple[Source, Document], told: Told | None = None) -> None:
        with self._reading:
            if self._closed:
                raise EOFError
            try:
                self._told(path, what, told)
            except (EndedError, EOFError, BrokenPipeError, ConnectionResetError) as error:
                self._end()
                if self._closed:
                    raise EOFError from error
                why = str(error) if isinstance(error, EndedError) else how_ended(self.process.exitcode or 0)
                self._pipe, self.process = self._start()
                raise EndedError(f"{path}: {why}") from None

    def _told(self, path: Path, what: str | tuple[Source, Document], told: Told | None) -> None:
        watch = Watch(self.process, Budget.of(path.stat().st_size))
        self._pipe.send((path, what))
        while True:
            while not self._pipe.poll(LOOK):
                watch.look()
            kind, *values = self._pipe.recv()
            if watch.hears(kind, values):
                continue
            if kind == "end":
                failed, used = values
                if used > MOST_KEPT:  # what it took it would keep: the next file is read by another
                    self._end()
                    self._pipe, self.process = self._start()
                if failed is not None:
                    raise failed
                return
            reply = getattr(told, kind)(*values)
            if kind == "name":
                self._pipe.send(reply)

    def _start(self) -> tuple[Connection, BaseProcess]:
        return start(_read_files, *self._parts, loaded=LOADED)


class _Sent:
    """What is told, over a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def name(self, document_id: str) -> tuple[str, str]:
        self._pipe.send(("name", document_id))
        key, identifier = self._pipe.recv()
        return key, identifier

    def state(self, key: str, state: State) -> None:
        self._pipe.send(("state", key, state))

    def pages(self, done: int, of: int) -> None:
        self._pipe.send(("pages", done, of))

    def ready(self, source: Source) -> None:
        self._pipe.send(("ready", source))

    def problem(self, message: str) -> None:
        self._pipe.send(("problem", message))


def _read_files(pipe: Connection, turtle: str, folder: Path, kept: Path | None) -> None:
    """What the process does: reads what is named over the pipe, until it closes."""
    end_with_parent(BEHIND)
    answer_to(pipe)
    ontology, shelf = Ontology.parse(turtle), Shelf(folder)
    with suppress(EOFError, OSError):
        while True:
            path, what = pipe.recv()
            failed: Exception | None = None
            try:
                if isinstance(what, str):
                    read_file(path, what, ontology, shelf, _Sent(pipe), kept)
                else:
                    source, document = what
                    keep_original(path, source, document, shelf)
            except (ValueError, OSError) as error:  # DataError among them
                failed = ValueError(str(error))
            except Exception as error:  # noqa: BLE001 - one file must not end the process that reads all others
                failed = ValueError(f"it could not be read ({type(error).__name__})")
            pipe.send(("end", failed, _memory()))


def _memory() -> int:
    """Bytes that this process had in memory at most, 0 where the system does not tell."""
    try:
        import resource
    except ImportError:
        return 0
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
