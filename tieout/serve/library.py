"""The reports that are open: those of a store as it keeps them, others read once, in the background."""

from __future__ import annotations

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from tieout.agent.view.reports import Reports
from tieout.data.document import Document
from tieout.kg.companies.library import Library as Companies
from tieout.kg.fact import Fact
from tieout.kg.index.aliases import aliases
from tieout.kg.index.passage import ReportEntry, TableEntry
from tieout.kg.index.words import Index, SentenceHit
from tieout.kg.store.graph import Graph
from tieout.kg.store.snapshots import own_folder
from tieout.kg.store.store import StoreError, index_path, ontology_quads
from tieout.serve.asking.kept import Member
from tieout.serve.asking.lent import File, Lent, file_as_read, lend, lend_one, listed
from tieout.serve.asking.reading import Reader, State, keep_original, read_file
from tieout.serve.asking.shelf import WORDS, Figures, Shelf, Source

if TYPE_CHECKING:
    from tieout.ontology.model import Ontology

MOST_REPORTS = 500
FOLDER = "tieout-serve-"  # begins the name of the folder of what is served; the id of the process follows


class LibraryError(ValueError):
    """A report that is not there, not ready yet, or one too many."""


@contextmanager
def _lost() -> Iterator[None]:
    """Turns what is wrong with what a store keeps into a LibraryError."""
    try:
        yield
    except StoreError as error:
        raise LibraryError(str(error)) from error


class Held:
    """One report. key: its short name in addresses. message: why it has failed. done: while a PDF is read, how many of
    its pages are, and of how many."""

    def __init__(self, key: str, name: str, shelf: Shelf) -> None:
        self.key, self.name = key, name
        self.state: State = "waiting"
        self.message = ""
        self.done = 0, 0
        self._shelf = shelf
        self._source: Source | None = None

    @property
    def id(self) -> str:
        """The id of the document, or the name of the file until it is read."""
        return self._source.id if self._source is not None else self.name

    @property
    def is_page(self) -> bool:
        """Whether it is short enough to be shown whole to whoever answers."""
        return self._source is not None and self._source.is_page

    @property
    def source(self) -> Source:
        """Where it is on the shelf. Raises LibraryError while it is not."""
        if self._source is None or self.state != "ready":
            raise LibraryError(f"{self.id!r} is not ready: {self.message or self.state}")
        return self._source

    @property
    def graph(self) -> Graph:
        """Raises LibraryError while there is none."""
        with _lost():
            return self._shelf.loaded(self.source)

    @property
    def read(self) -> Document:
        """The document. Raises LibraryError while there is none."""
        with _lost():
            return self._shelf.document(self.source)

    @property
    def facts(self) -> Mapping[str, Fact]:
        """Every figure by its name."""
        return self._figures.by_name

    def fact(self, name: str) -> Fact | None:
        """The figure of this name, without a look at all others where that can be."""
        with _lost():
            return self._shelf.figure(self.source, name)

    @property
    def by_table(self) -> Mapping[int, list[Fact]]:
        """The figures of each table, counted from 1."""
        return self._figures.by_table

    @property
    def by_paragraph(self) -> Mapping[int, list[Fact]]:
        """The figures of each paragraph."""
        return self._figures.by_paragraph

    @property
    def _figures(self) -> Figures:
        with _lost():
            return self._shelf.figures(self.source)

    def sentences(self, number: int) -> tuple[SentenceHit, ...]:
        """The sentence of this number, where there is one."""
        return self._shelf.index.sentences(self.source.id, number, number)

    def finish(self, source: Source) -> None:
        """Takes in where the report is; it can be asked then."""
        self._source = source
        self.state = "ready"


class Library:
    """The reports, read one after the other in the background. Use it in a `with`, or close it.

    problem: told what is wrong with a file that cannot be read, or a record in it. apart: read in a process of its own.
    kept: the folder where what was read is kept for the next time; None for nowhere. lake: a store whose reports are
    open from the start, as it keeps them; where not opened, each can be opened. Raises StoreError, WordIndexError.
    """

    def __init__(
        self,
        ontology: Ontology,
        problem: Callable[[str], None] = lambda message: None,
        apart: bool = False,
        kept: Path | None = None,
        lake: Path | None = None,
        opened: bool = True,
    ) -> None:
        self.ontology = ontology
        self.shelf = Shelf(own_folder(Path(tempfile.gettempdir()), FOLDER), lake)
        self.version = 0  # one more with each report that is ready
        self._identified: tuple[int, dict[tuple[str, str], Held]] = (0, {})
        self._companies: tuple[int, Companies] | None = None
        self._entries: tuple[int, dict[str, ReportEntry]] = (0, {})
        self.problem = problem
        self.is_ready: Callable[[Source], None] = lambda source: None  # hears of each report that can be asked
        self._apart, self._kept = apart, kept
        self._reader: Reader | None = None
        self._held: dict[str, Held] = {}
        self._files: dict[str, File] = {}  # of the reports of a store, by their keys
        self._begun = 0  # reports, also those that were taken out: no key is given twice
        self._lock, self._opening = threading.Lock(), threading.Lock()
        self._reading = ThreadPoolExecutor(1, thread_name_prefix="read")
        if lake is not None and opened:
            self._open(lake)
        elif lake is not None:
            Index(self.shelf.folder / WORDS).close()  # of what is opened here: that of the store is only looked at

    def _open(self, lake: Path) -> None:
        for source, file in lend(lake, self.shelf, MOST_REPORTS, self.problem):
            self._files[source.key] = file
            held = self._held[source.key] = Held(source.key, source.id, self.shelf)
            held.finish(source)
        self._begun = len(self._held)
        self.version += 1

    def kept(self, words: Sequence[str] = ()) -> list[Lent]:
        """What the store keeps and is not open: reports whose id, company, form or last day have all these words.

        Raises StoreError, WordIndexError."""
        if self.shelf.lake is None:
            return []
        if self.shelf.is_lent:
            all_kept = listed(self.index)
        else:
            with closing(Index(index_path(self.shelf.lake))) as index:
                all_kept = listed(index)
        there = {held.id for held in self.all()}
        return [each for each in all_kept if each.entry.id not in there and has(each.entry, words)]

    def open_kept(self, report: str) -> Held:
        """Opens a report that the store keeps, as it keeps it. Raises LibraryError, StoreError, WordIndexError."""
        with self._opening:
            if (held := next((each for each in self.all() if each.id == report), None)) is not None:
                return held
            lent = next((each for each in self.kept() if each.entry.id == report), None)
            if lent is None or self.shelf.lake is None:
                raise LibraryError(f"the store keeps no report {report[:60]!r}")
            held = self.new(report)
            try:
                source = lend_one(lent, self.shelf.lake, held.key, self.shelf)
            except StoreError:
                self._held.pop(held.key, None)
                raise
            self._files[held.key] = lent.file
            held.finish(source)
            self.version += 1
        self.is_ready(source)
        return held

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stops reading, and removes what is on the shelf."""
        if self._reader is not None:
            self._reader.close()
        self._reading.shutdown(wait=True, cancel_futures=True)
        if self._reader is not None:
            self._reader.close()
        self.shelf.close()
        shutil.rmtree(self.shelf.folder, ignore_errors=True)

    @property
    def index(self) -> Index:
        """The words of all reports."""
        return self.shelf.index

    def all(self) -> list[Held]:
        """The reports in the order in which they came."""
        return list(self._held.values())

    def ready(self) -> list[Held]:
        """Those that can be asked."""
        return [held for held in self.all() if held.state == "ready"]

    def get(self, key: str) -> Held:
        """Raises LibraryError for a key of none."""
        held = self._held.get(key)
        if held is None:
            raise LibraryError(f"there is no report {key[:60]!r}")
        return held

    def remove(self, key: str) -> None:
        """Takes a report out: nobody can ask it any more. Raises LibraryError, also while it is being read."""
        held = self.get(key)
        if held.state not in ("ready", "failed"):
            raise LibraryError(f"{held.id!r} is being read: it can be taken out afterwards")
        with self._lock:
            self._held.pop(key, None)
        if held.state == "ready":
            if not self.shelf.is_lent:
                self.index.remove(held.id)
            self.shelf.remove(held.source)
            held.state, held.message = "failed", "it was taken out"
            self.version += 1

    def find(self, names: Iterable[str]) -> list[Held]:
        """The reports of these keys or ids. Raises LibraryError."""
        by_id = {held.id: held for held in self.all()}
        return [by_id[name] if name in by_id and name not in self._held else self.get(name) for name in names]

    def add(self, path: Path, name: str = "", done: Callable[[], None] = lambda: None) -> tuple[Held, Future[None]]:
        """Begins to read a file; a file of records becomes as many reports as it has.

        name: what the file is called, where path is but a copy. done: called when it is read. Raises LibraryError.
        """
        held = self.new(name or path.name)
        return held, self.begin(held, path, name, done)

    def begin(self, held: Held, path: Path, name: str = "", done: Callable[[], None] = lambda: None) -> Future[None]:
        """Begins to read the file of a report that is waiting for it; as `add`."""

        def work() -> None:
            try:
                self._read(path, held, Path(name).stem)
            finally:
                done()

        return self._reading.submit(work)

    def session_graph(self, held: Sequence[Held]) -> Graph | Reports:
        """What a session is about: one page whole, or Reports. Raises LibraryError."""
        return self.shelf.open([each.source for each in held])

    def aliases(self, held: Sequence[Held], given: Sequence[str] = ()) -> list[str]:
        """What a conversation has in front of the names of figures of these reports. given: names that others have.

        Raises LibraryError for one that is not ready.
        """
        entries = self._entries_now()
        return aliases([entries[each.source.id] for each in held], given) if held else []

    def same(self, member: Member) -> Held | None:
        """The report of a conversation as it was read then; None where it is not open."""
        version, open_now = self._identified
        if version != self.version:
            version = self.version
            open_now = {(held.source.id, held.source.digest): held for held in self.ready()}
            self._identified = version, open_now
        return open_now.get((member.id, member.digest))

    def source_of(self, member: Member) -> Source:
        """Where the report of a conversation is. Raises LibraryError."""
        held = self.same(member)
        if held is not None:
            return held.source
        another = any(each.id == member.id for each in self.ready())
        why = "is open as it was not read then" if another else "is not open"
        raise LibraryError(f"{member.id!r} {why}: open its file, or go on with other reports")

    def tables(self, held: Held) -> tuple[TableEntry, ...]:
        """What the index knows of the tables of a report."""
        return self.index.tables(held.id)

    def companies(self) -> Companies:
        """The companies of all reports; what is read of them is kept until another report is ready."""
        version = self.version
        if self._companies is None or self._companies[0] != version:
            self._companies = version, Companies(self.index, self.keys().keys())
        return self._companies[1]

    def keys(self) -> dict[str, str]:
        """The key of each report that can be shown, by its id."""
        return {held.id: held.key for held in self.ready()}

    def entry(self, held: Held) -> ReportEntry | None:
        """What the index knows of a report; None while it is being read."""
        return self._entries_now().get(held.id)

    def _entries_now(self) -> dict[str, ReportEntry]:
        version = self.version
        if self._entries[0] != version:
            self._entries = version, {entry.id: entry for entry in self.index.reports()}
        return self._entries[1]

    def original(self, held: Held) -> Path:
        """What of the file of a report is shown, where there is such; of a report of a store it is made when it is
        first asked for. Raises LibraryError where its file is another by now."""
        path, file = self.shelf.original(held.source), self._files.get(held.key)
        if file is None or self.shelf.lake is None or path.is_file():
            return path
        try:
            self._show(held, file_as_read(self.shelf.lake, file))
        except (ValueError, OSError, EOFError) as error:
            raise LibraryError(f"the original of {held.id!r} cannot be shown: {error}") from error
        return path

    def _show(self, held: Held, file: Path) -> None:
        if self._apart:
            self._reader_now().show(file, held.source, held.read)
        else:
            keep_original(file, held.source, held.read, self.shelf)

    def _reader_now(self) -> Reader:
        with self._lock:
            self._reader = self._reader or Reader(self.ontology.turtle(), self.shelf.folder, self._kept)
            return self._reader

    def quads(self) -> bytes:
        """The graphs of all reports that are ready, and the TBox, as N-Quads."""
        reports = (self.shelf.quads(held.source) for held in self.ready())
        return b"".join([ontology_quads(self.ontology)[1], *reports])

    def new(self, name: str) -> Held:
        """A report that is to be read. Raises LibraryError."""
        with self._lock:
            if len(self._held) >= MOST_REPORTS:
                raise LibraryError(f"there are {MOST_REPORTS} reports open already, and no more can be")
            self._begun += 1
            held = Held(f"r{self._begun}", name, self.shelf)
            self._held[held.key] = held
            return held

    def _read(self, path: Path, first: Held, stem: str) -> None:
        first.state = "reading"
        told = _OfFile(self, first)
        try:
            if self._apart:
                self._reader_now().read(path, stem, told)
            else:
                read_file(path, stem, self.ontology, self.shelf, told, self._kept)
        except (ValueError, OSError) as error:  # DataError among them
            self._fail(first, str(error).replace(str(path), first.name))
        except EOFError:
            pass  # it is closed: nobody waits for the file any more
        except Exception as error:  # noqa: BLE001 - one file must not end the thread that reads all others
            self._fail(first, f"it could not be read ({type(error).__name__})")

    def _fail(self, held: Held, message: str) -> None:
        if held.state == "ready":  # some of its records are there; what is wrong is told none the less
            self.problem(message)
            return
        held.state, held.message = "failed", message
        self.problem(message)

    def name(self, held: Held, document_id: str) -> str:
        """An id for a report that no other has."""
        taken = {other.id for other in self.all() if other is not held}
        identifier, number = document_id, 2
        while identifier in taken:
            identifier, number = f"{document_id} ({number})", number + 1
        held.name = identifier
        return identifier


def has(entry: ReportEntry, words: Sequence[str]) -> bool:
    """Whether all words stand in what a report is called."""
    said = f"{entry.id} {entry.company} {entry.form} {entry.ended}".lower()
    return all(word.lower() in said for word in words)


class _OfFile:
    """What the reading of a file tells, taken into the library."""

    def __init__(self, library: Library, first: Held) -> None:
        self._library = library
        self._next: Held | None = first
        self._held: dict[str, Held] = {}

    def name(self, document_id: str) -> tuple[str, str]:
        held, self._next = self._next or self._library.new(document_id), None
        self._held[held.key] = held
        return held.key, self._library.name(held, document_id)

    def state(self, key: str, state: State) -> None:
        self._held[key].state = state

    def pages(self, done: int, of: int) -> None:
        if self._next is not None:
            self._next.done = done, of

    def ready(self, source: Source) -> None:
        self._held[source.key].finish(source)
        self._library.version += 1
        self._library.is_ready(source)

    def problem(self, message: str) -> None:
        self._library.problem(message)
