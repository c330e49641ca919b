"""Reports that are kept: each read once, its graph in a bundle, its words and what it states in the index.

What is kept is known by a hash of the file's bytes, of the TBox and of the version that read it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pyoxigraph as ox

from tieout.data.document import Document
from tieout.data.readers.records import DataError
from tieout.data.readers.report import check_file
from tieout.data.system import version
from tieout.kg.filings.company import COMPANY
from tieout.kg.index.passage import Contents
from tieout.kg.index.words import Index, Origin, WordIndexError
from tieout.kg.store.bundle import Ready, pack
from tieout.kg.store.bundles import Bundles, KeptGraph, bundles_path, key_of
from tieout.kg.store.graph import Graph
from tieout.kg.store.store import (
    NotOursError,
    StoreError,
    check_folder,
    check_writable,
    damaged,
    documents,
    has_ontology,
    index_path,
    is_store,
    nearest,
    ontology_quads,
    open_store,
    origin_of,
    read_document,
    replace_graphs,
)
from tieout.kg.store.sums import damaged_files
from tieout.ontology.metrics.house import lines_mark
from tieout.ontology.model import Ontology
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, document_graph

FIRST = 3  # files that a line names
READERS = 60  # one more whenever readers or graphs change in a way that makes what was kept out of date


class Mark(NamedTuple):
    """What a file was when it was read. text: a hash of its bytes, a point, and one of the TBox and the version that
    read it; size, in bytes, and modified, in nanoseconds, tell most files that are the same without their bytes."""

    text: str
    size: int
    modified: int


def mark_of(path: Path, ontology: Ontology) -> Mark:
    """What a file is known by once it is kept: its text is equal for equal bytes, TBox, version and lines of the house.

    Raises OSError, and DataError for a file that is larger than any that is read.
    """
    check_file(path)
    status = path.stat()  # before its bytes: what is changed meanwhile counts as changed
    return Mark(f"{_digest(path)}.{_reader(ontology)}", status.st_size, status.st_mtime_ns)


def _reader(ontology: Ontology) -> str:
    """What reads a file, as marks have it."""
    reader = f"{ontology.mark} {version.OWN} {READERS}{lines_mark()}"
    return hashlib.sha256(reader.encode()).hexdigest()[:32]


def read_otherwise(index: Index, ontology: Ontology) -> int:
    """How many of the reports that are kept were read by another version, or with another TBox or lines of a house."""
    reader = _reader(ontology)
    return sum(mark.partition(".")[2] != reader for _, mark in index.sources().values())


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def is_as_read(path: Path, mark: str) -> bool:
    """Whether a file has the bytes that it had when it was read. Raises OSError."""
    return _digest(path) == mark.partition(".")[0]


def find_stale(index: Index) -> dict[str, str]:
    """Of every report that is kept and whose file is another by now, by its id: what became of the file, in words.

    The files of a lake in a bucket may be on another machine."""
    found = {}
    is_lake = index.path is not None and bool(origin_of(index.path.with_suffix("")))
    for identifier, (source, mark, size, modified) in index.seen().items():
        try:
            status = os.stat(source)  # noqa: PTH116 - of thousands
            if status.st_size == size and status.st_mtime_ns == modified:
                continue
            if status.st_size != size or not is_as_read(Path(source), mark):
                found[identifier] = f"{source} was changed"
        except FileNotFoundError:
            if not is_lake:
                found[identifier] = f"{source} is gone"
        except OSError as error:
            found[identifier] = f"{source} cannot be read ({error.strerror})"
    return found


def stale_notes(index: Index) -> tuple[str, ...]:
    """That files are others by now than those that were read, or were read by another version, each in one line with
    the way out; nothing where none is."""
    notes = []
    if stale := list(dict.fromkeys(find_stale(index).values())):
        notes.append(
            f"{_first(stale)}: answers are from what was read then; `tieout index` with the file or its folder reads it"
            " again"
        )
    if unread := index.unread():
        notes.append(f"{_first(unread)}: kept by another version; `tieout index --again` reads all of the store again")
    return tuple(notes)


def _first(told: Sequence[str]) -> str:
    return "; ".join([*told[:FIRST], *([f"{len(told) - FIRST} more"] if len(told) > FIRST else [])])


def unread_files(store: Path) -> list[str]:
    """The files of a store that another version read, and that are not read again yet. Raises WordIndexError."""
    if not index_path(store).is_file():
        return []
    with closing(Index(index_path(store))) as index:
        return index.unread()


def kept_outline(store: Path, path: Path, ontology: Ontology) -> Any:  # noqa: ANN401 - JSON
    """The outline of the report in a file, where the store keeps it as it is now; else None. Raises OSError."""
    if not index_path(store).is_file() or not path.is_file():
        return None
    with closing(Index(index_path(store))) as index:
        found = index.known(mark_of(path, ontology).text)
        return index.outline(found) if found else None


def kept_ids(store: Path, paths: Sequence[Path], ontology: Ontology) -> list[str] | None:
    """The ids of the reports of files, where the store keeps all of them as they are now; else None. Raises
    WordIndexError."""
    if not paths or not index_path(store).is_file() or not all(path.is_file() for path in paths):
        return None
    with closing(Index(index_path(store))) as index:
        try:
            found = [index.known(mark_of(path, ontology).text) for path in paths]
        except (OSError, DataError):
            return None  # told when it is read
    return [each for each in found if each is not None] if None not in found else None


def free_name(identifier: str, path: Path, sources: Mapping[str, str]) -> str:
    """What a report is called in a store: as it calls itself, unless one from another file that is still there has the
    name; with its folder then. sources: the files of the reports that are kept, by id."""
    own = str(path.resolve())
    names = (identifier, f"{path.parent.name}/{path.name}", own)
    return next((name for name in names if sources.get(name, own) == own or not Path(sources[name]).exists()), own)


def named_apart(documents: Sequence[Document], paths: Sequence[Path], store: Path) -> list[Document]:
    """The documents of files by the names under which they can be kept beside those from other files."""
    try:
        sources = {identifier: source for identifier, (source, _) in sources_of(store).items()}
    except WordIndexError:
        return list(documents)  # told where it is needed
    named = []
    for document, path in zip(documents, paths, strict=True):
        name = free_name(document.id, path, sources)
        sources[name] = str(path.resolve())
        named.append(document if name == document.id else document.model_copy(update={"id": name}))
    return named


def free_page(identifier: str, path: Path, sources: Mapping[str, str]) -> str:
    """What a page of a file of pages is called in a store: by its own id, unless one from another file that is still
    there has it; with its file then. sources: as for free_name."""
    own = str(path.resolve())
    names = (identifier, f"{identifier} ({path.parent.name}/{path.name})", f"{identifier} ({own})")
    return next(
        (name for name in names if sources.get(name, own) == own or not Path(sources[name]).exists()), names[-1]
    )


def sources_of(store: Path) -> dict[str, tuple[str, str]]:
    """Of every report that is kept from a file, by its id: the file, and its mark. Raises WordIndexError."""
    if not index_path(store).is_file():
        return {}
    with closing(Index(index_path(store))) as index:
        return index.sources()


def taken_in(store: Path) -> dict[str, str]:
    """The file of every report and page that is kept, by its id. Raises WordIndexError."""
    if not index_path(store).is_file():
        return {}
    with closing(Index(index_path(store))) as index:
        return index.taken()


def put(store: Path, path: Path, mark: Mark, report: Ready) -> tuple[Path, Mark, str]:
    """Makes a bundle of the report of a file, and returns what keep takes. Raises StoreError."""
    check_writable(store)
    return path, mark, put_bundle(Bundles(store), mark, report)


def put_bundle(bundles: Bundles, mark: Mark, report: Ready) -> str:
    """Makes the bundle of a file that is one report, and returns its key. Raises StoreError."""
    key = key_of(mark.text, report.contents.report.id, {})
    bundles.put(key, pack([report]))
    return key


def keep(store: Path, files: Iterable[tuple[Path, Mark, str]], ontology: Ontology) -> None:
    """Keeps the reports of files, each with its mark and the key of its bundle, in place of those of the same ids.

    Raises StoreError, WordIndexError.
    """
    check_writable(store)
    if not store.exists():
        index_path(store).unlink(missing_ok=True)  # that of a store that was removed tells of graphs that are gone
    bundles = Bundles(store)
    given = [(path, mark, key, bundles.contents(key)) for path, mark, key in files]
    ids = [each.report.id for *_, contents in given for each in contents]
    with open_store(store) as opened, closing(Index(index_path(store))) as index:
        if not has_ontology(opened, ontology):
            replace_graphs(opened, [ontology_quads(ontology)])
        before = set(index.digests(ids))
        forget(opened, ids)
        for path, mark, key, contents in given:
            keep_words(index, bundles, (path, mark, key), contents)
        bundles.left(before and before - index.digests().keys())


def keep_words(
    index: Index, bundles: Bundles | None, file: tuple[Path, Mark, str], contents: Iterable[Contents]
) -> None:
    """Puts what can be found in the reports of a file into the index. file: with its mark and the key of its bundle,
    "" where it has none."""
    path, mark, key = file
    origin = Origin(
        mark.text, str(path.resolve()), mark.size, mark.modified, key, bundles.digest(key) if bundles else ""
    )
    for each in contents:
        index.keep(each, origin)


def forget(store: ox.Store, reports: Iterable[str]) -> None:
    """Drops the graphs of reports that are others by now, and those of all companies: a query that asks them has them
    made again."""
    for identifier in reports:
        store.remove_graph(ox.NamedNode(document_graph(identifier)))
    for graph in list(store.named_graphs()):
        if isinstance(graph, ox.NamedNode) and graph.value.startswith(COMPANY):
            store.remove_graph(graph)


def sweep(store: Path) -> None:
    """Takes the bundles away of which no report has been kept for a day. Raises StoreError, WordIndexError."""
    if index_path(store).is_file() and not origin_of(store):  # a lake in a bucket takes away what is in it itself
        with closing(Index(index_path(store))) as index:
            Bundles(store).sweep(index.digests().keys())


def drop(store: Path, reports: Iterable[str]) -> None:
    """Takes reports out of a store by their ids. Raises StoreError."""
    gone = list(reports)
    check_writable(store)
    with open_store(store, must_exist=True) as opened, closing(Index(index_path(store))) as index:
        before = set(index.digests(gone))
        forget(opened, gone)
        for identifier in gone:
            index.remove(identifier)
        Bundles(store).left(before - index.digests().keys())


def remove(store: Path) -> None:
    """Takes away a store, damaged or not, and its index. Raises StoreError where it is none, or another has it."""
    try:
        with open_store(store):
            pass
    except StoreError as error:
        if not store.is_dir() or not is_store(store) or isinstance(error, NotOursError):
            raise
    for end in ("", "-wal", "-shm"):
        index_path(store).with_name(f"{index_path(store).name}{end}").unlink(missing_ok=True)
    shutil.rmtree(bundles_path(store), ignore_errors=True)
    shutil.rmtree(store)


class Kept:
    """The reports of a store, for reading: others may go on writing. Several threads may share it."""

    def __init__(self, store: Path, index: Index) -> None:
        self._store, self._bundles, self.index = store, Bundles(store), index
        self._keys = index.bundle_of()

    def graph(self, document_id: str) -> KeptGraph:
        """The graph of a report of the index. Raises StoreError where the store has lost it."""
        key = self._keys.get(document_id, "")
        if not self._bundles.is_told(key):
            raise StoreError(damaged(self._store, f"{document_id!r}, which its index lists, is gone"))
        return KeptGraph(document_id, self._bundles, key)

    def graphs(self) -> list[KeptGraph]:
        """The graphs of all reports, by id. Raises StoreError where the store has lost one."""
        return [self.graph(each) for each in sorted(self._keys)]


def kept_id(store: Path, words: str) -> str | None:
    """The id of the one kept report whose id these words are, or are a part of, in any case; None where there are none
    or several, or no store."""
    if not index_path(store).is_file():
        return None
    with open_kept(store) as opened:
        ids = [entry.id for entry in opened.index.reports()]
    found = [each for each in ids if each == words] or [each for each in ids if words.lower() in each.lower()]
    return found[0] if len(found) == 1 else None


def read_graph(store: Path, document_id: str) -> Graph:
    """The graph of a report that is kept, or of another document that a store holds.

    Raises StoreError where there is none, naming the nearest ids; WordIndexError.
    """
    check_folder(store, must_exist=True)
    kept: Mapping[str, str] = {}
    if index_path(store).is_file():
        with closing(Index(index_path(store))) as index:
            kept = index.bundle_of()
    if kept.get(document_id):
        return Bundles(store).graph(kept[document_id], document_id)
    found = read_document(store, document_id)
    if found is None:
        known = sorted({*kept, *documents(store)})
        raise StoreError(f"no document {document_id!r} in the store at {str(store)!r}; {nearest(document_id, known)}")
    return found


def known_files(store: Path) -> dict[str, tuple[str, str]]:
    """As sources_of, of the reports whose bundles are there too. Raises StoreError, WordIndexError."""
    check_folder(store)
    sources = sources_of(store)
    if not sources or not store.exists() or not _is_made(store):
        return {}
    bundles = Bundles(store)
    with closing(Index(index_path(store))) as index:
        keys = index.bundle_of()
    there = bundles.there()
    return {identifier: sources[identifier] for identifier, key in keys.items() if key in there}


def _is_made(store: Path) -> bool:
    """Whether a store holds what all hold, and is not one that was begun and never made. Raises StoreError."""
    with open_store(store) as opened:
        return opened.contains_named_graph(ox.NamedNode(ONTOLOGY_GRAPH))


def check_sums(store: Path, reports: Collection[str] | None = None) -> None:
    """Raises StoreError, WordIndexError where a store, its index or one of its bundles does not hold what was written.

    reports: what is looked at in the index, and which bundles; None for all."""
    check_folder(store)
    if others := damaged_files(store):
        raise StoreError(damaged(store, f"{others[0]} holds other bytes than were written"))
    if not index_path(store).is_file():
        return
    bundles = Bundles(store)
    with closing(Index(index_path(store))) as index:
        index.check(reports)
        for key, digest in index.digests(reports).items():
            if bundles.is_here(key) and bundles.digest(key) != digest:
                raise StoreError(damaged(store, f"the bundle {key} holds other bytes than were written"))


@contextmanager
def open_kept(store: Path) -> Iterator[Kept]:
    """What a store keeps, as it is now. Raises StoreError, WordIndexError."""
    check_folder(store, must_exist=True)
    with closing(Index(index_path(store))) as index:
        index.stay()
        yield Kept(store, index)
