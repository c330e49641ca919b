"""A file read onto the shelf, in this process or in one of its own, which tells how far it is."""

from __future__ import annotations

import hashlib
import shutil
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from importlib.util import find_spec
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Literal, Protocol

from tieout.agent.opening import LARGEST_PAGE
from tieout.agent.view.card import make_card
from tieout.data.document import Conversation, Document
from tieout.data.limits import Budget
from tieout.data.readers.apart import LOOK, EndedError, Watch, answer_to, how_ended
from tieout.data.readers.html.original import read_original
from tieout.data.readers.kinds import kind_of
from tieout.data.readers.progress import heard
from tieout.data.readers.read import read_conversations
from tieout.data.readers.report import START, is_pages
from tieout.data.system.processes import end_with_parent, start
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.store.graph import Graph
from tieout.ontology.model import Ontology
from tieout.serve.asking.shelf import Shelf, Source

LOADED = ["tieout.serve.asking.process", "tieout.serve.asking.reading"]  # of every process beside the one that serves
BEHIND = 10  # how much less often a file comes to be read than a question to be answered, as in nice(2)
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


def read_file(path: Path, stem: str, ontology: Ontology, shelf: Shelf, told: Told) -> None:
    """Reads all reports of a file. stem: what the file is called. Raises DataError, OSError."""
    with heard(told.pages):
        conversations = read_conversations(path, lambda problem: told.problem(problem.told))
        _keep(conversations, path, stem, ontology, shelf, told)


def _keep(
    conversations: Iterable[Conversation], path: Path, stem: str, ontology: Ontology, shelf: Shelf, told: Told
) -> None:
    for conversation in conversations:
        document = conversation.document
        wanted = stem if document.id == path.stem and stem else document.id
        key, identifier = told.name(wanted)
        if identifier != document.id:
            document = document.model_copy(update={"id": identifier})
        told.state(key, "building")
        graph = build(document, ontology)
        told.state(key, "indexing")
        shelf.index.keep(read_contents(document, *graph.contents()))
        digest = hashlib.sha256(graph.triples).hexdigest()
        form, pages = form_of(path, document), len(document.pages)
        source = Source(key, document.id, _is_page(document, graph), digest, form, pages)
        shelf.put(source, document, graph)
        told.ready(source)
        keep_original(path, source, document, shelf)


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


def keep_original(path: Path, source: Source, document: Document, shelf: Shelf) -> None:
    """Puts beside a report what shows it as it was printed: behind its reading, which nobody has to wait longer for."""
    at = shelf.original(source)
    made = at.with_suffix(".making")
    if source.form == "pdf":
        shutil.copyfile(path, made)
    elif source.form == "html" and find_spec("nh3") is not None:
        made.write_text(read_original(path.read_bytes(), document), "utf-8", errors="replace")
    else:
        return
    made.replace(at)


def _is_page(document: Document, graph: Graph) -> bool:
    """Whether a report is short enough to be shown whole."""
    if graph.triples.count(b"#raw> ") >= LARGEST_PAGE:
        return False
    printed = sum(map(len, document.paragraphs))
    printed += sum(len(cell) for table in document.tables for row in table.rows for cell in row)
    return printed < PAGE and len(make_card(graph).text) < PAGE


class Reader:
    """A process that reads one file after another, each within its budget: what is read holds up nobody, and cannot end
    the server.

    Close it, also while another thread waits for a file. ontology: as Turtle.
    """

    def __init__(self, ontology: str, folder: Path) -> None:
        self._ontology, self._folder = ontology, folder
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
        with self._reading:
            if self._closed:
                raise EOFError
            try:
                self._read(path, stem, told)
            except (EndedError, EOFError, BrokenPipeError, ConnectionResetError) as error:
                self._end()
                if self._closed:
                    raise EOFError from error
                why = str(error) if isinstance(error, EndedError) else how_ended(self.process.exitcode or 0)
                self._pipe, self.process = self._start()
                raise EndedError(f"{path}: {why}") from None

    def _read(self, path: Path, stem: str, told: Told) -> None:
        watch = Watch(self.process, Budget.of(path.stat().st_size))
        self._pipe.send((path, stem))
        while True:
            while not self._pipe.poll(LOOK):
                watch.look()
            kind, *values = self._pipe.recv()
            if kind == "more":
                watch.allow(*values)
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
        return start(_read_files, self._ontology, self._folder, loaded=LOADED)


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


def _read_files(pipe: Connection, turtle: str, folder: Path) -> None:
    """What the process does: reads what is named over the pipe, until it closes."""
    end_with_parent(BEHIND)
    answer_to(pipe)
    ontology, shelf = Ontology.parse(turtle), Shelf(folder)
    with suppress(EOFError, OSError):
        while True:
            path, stem = pipe.recv()
            failed: Exception | None = None
            try:
                read_file(path, stem, ontology, shelf, _Sent(pipe))
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
