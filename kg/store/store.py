"""The store on disk, where graphs are kept to be inspected: TBox, documents, runs, each a named graph."""

from __future__ import annotations

import gc
import os
import shlex
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from tieout.data.printed.pattern import later
from tieout.kg.store.sums import update_sums
from tieout.ontology.vocabulary import ONTOLOGY_GRAPH, PREFIXES, document_graph

if TYPE_CHECKING:
    from tieout.kg.store.graph import Graph
    from tieout.ontology.model import Ontology

DEFAULT_STORE = Path(".tieout/store")
PART = 16 * 1024 * 1024  # bytes that are given to the store at a time
OURS = later(
    r"CURRENT|IDENTITY|SUMS|\.[0-9a-f]{32}\.new|LOCK|LOG(\.old\.\d+)?|\d+\.(dbtmp|log|sst)|(MANIFEST|OPTIONS)-\d+(\.dbtmp)?|.*\.sst"
)
LOCK = "LOCK"  # the file that a process locks which has a store open
PATIENCE = 10  # seconds that one waits for another, which may stand in line for a processor itself
READ_ONLY = "Read-only file system"
FULL = ("No space left on device", "Disk quota exceeded", "File too large", "Input/output error")
MARK, MARKED = "CURRENT", b"MANIFEST-"  # the file that every RocksDB database has, and how it begins
WORK = "work-"  # how the folders begin in which states of a lake are made and written
IDENTIFIERS = "SELECT ?id { ?document a kg:Document ; dcterms:identifier ?id } ORDER BY ?id"


class StoreError(OSError):
    """A store that is missing, in use by another process, or cannot be read."""


class NotOursError(StoreError):
    """A store that may be whole, and that this process cannot open now."""


def index_path(store: Path) -> Path:
    """Where the index of a store is."""
    return store.with_name(f"{store.name}.index")


def origin_path(store: Path) -> Path:
    """Where it is noted of which lake in a bucket a store is a state."""
    return store.with_name(f"{store.name}.origin")


def origin_of(store: Path) -> str:
    """The URL of the lake in a bucket that a store is a state of, "" for a store of its own."""
    try:
        return origin_path(store).read_text()
    except (OSError, ValueError):  # no folder has an empty name
        return ""


def shown(store: Path) -> str:
    """What a store is called by its user."""
    return origin_of(store) or str(store)


def check_writable(store: Path) -> None:
    """Raises StoreError for a state of a lake that others read."""
    if origin_of(store) and not store.parent.name.startswith(WORK):
        raise StoreError(f"{shown(store)!r} is written by `tieout index` and `tieout get` alone")


def check_folder(directory: Path, must_exist: bool = False) -> None:
    """Raises StoreError where the folder holds something else than a store, or where none can be made."""
    try:
        problem = _problem(directory, must_exist)
    except OSError as error:
        problem = f"the store at {str(directory)!r} cannot be read ({error.strerror})"
    if problem:
        raise StoreError(problem)


def _problem(directory: Path, must_exist: bool) -> str | None:
    try:
        str(directory).encode()
    except UnicodeEncodeError:
        return f"{str(directory)!r} can be no store: bytes of its name are no text; name another with --store"
    if directory.is_dir():
        mark = directory / MARK
        if mark.is_file():
            return None if mark.read_bytes().startswith(MARKED) else damaged(directory, f"its {MARK} is none")
        if not is_store(directory):
            return f"{str(directory)!r} holds other files and is not a store: name another with --store"
        if any(directory.glob("*.sst")):
            return damaged(directory, f"its {MARK} is gone")
        return _nothing(directory) if must_exist else None  # one that was begun and never made
    if directory.exists():
        return f"{str(directory)!r} is a file, not a store"
    if must_exist:
        return _nothing(directory)
    parent = next(parent for parent in directory.absolute().parents if parent.exists())
    if not parent.is_dir() or not os.access(parent, os.W_OK | os.X_OK):
        return f"no store can be made at {str(directory)!r}: {str(parent)!r} is no folder to write in"
    return None


def is_store(directory: Path) -> bool:
    """Whether a folder holds nothing but files as the engine writes them."""
    return all(OURS.fullmatch(path.name) for path in directory.iterdir())


def _nothing(directory: Path) -> str:
    return f"there is no store at {str(directory)!r}: `tieout index FILES...` makes one"


def damaged(directory: Path, why: str) -> str:
    """That a store is damaged, and the way out."""
    where = "" if directory == DEFAULT_STORE else f" --store {shlex.quote(shown(directory))}"
    again = f"`tieout index --again{where}` makes it again from the files that it lists"
    return f"the store at {shown(directory)!r} is damaged ({why}): {again}"


@contextmanager
def told(directory: Path) -> Iterator[None]:
    """Turns what the engine says of a store into StoreErrors, which say what is wrong and the way out."""
    try:
        yield
    except (OSError, RuntimeError) as error:
        if type(error).__module__ != "builtins" or getattr(error, "errno", None) is not None:
            raise  # it is of something else, and says so itself
        kind = NotOursError if is_locked(str(error)) else StoreError
        raise kind(_told(directory, str(error))) from error


def _told(directory: Path, said: str) -> str:
    place = f"the store at {str(directory)!r}"
    if is_locked(said):
        return f"{place} is in use by another process"
    reason = next((each for each in FULL if each in said), None)
    if reason is not None:
        return (
            f"{place} cannot be written ({reason.lower()}): what it kept before, it keeps; make room, then do the same "
            "again"
        )
    if READ_ONLY in said or "Permission denied" in said:
        return f"{place} cannot be written: it is read-only here; name another with --store"
    return damaged(directory, " ".join(said.split())[:200])


def is_locked(said: str) -> bool:
    """Whether the engine says that another has the store open: its file LOCK, and no damaged block."""
    return LOCK in said and not said.startswith("Corruption")


@contextmanager
def open_store(directory: Path, must_exist: bool = False) -> Iterator[ox.Store]:
    """The store at directory for reading and writing, made when there is none and must_exist is not set.

    Only one process can have it open: another one waits a moment. Raises StoreError, saying which of all that can be
    wrong is the case.
    """
    check_folder(directory, must_exist)
    with told(directory):
        directory.parent.mkdir(parents=True, exist_ok=True)
        store = _open(directory)
        try:
            yield store
            # Without it the next opening replays the log, which takes many times as long.
            store.flush()
            update_sums(directory, store)
        finally:
            del store


def may_write(directory: Path) -> bool:
    """Whether something can be written where a store is: one on a read-only disk is read as it is."""
    return os.access(directory, os.W_OK)


@contextmanager
def open_to_read(directory: Path) -> Iterator[ox.Store]:
    """A store that is there, for reading alone. Raises StoreError."""
    if not _is_forked() and (may_write(directory) or not directory.exists()):
        with open_store(directory, must_exist=True) as store:
            yield store
        return
    check_folder(directory, must_exist=True)
    with told(directory):
        read: Any = ox.Store.read_only(str(directory))
        yield read


_opened_in: int | None = None  # the process that opened a store for writing


def _is_forked() -> bool:
    """Whether this process was forked from one that had a store open: it has the engine, but not the engine's threads,
    and would wait for them for ever."""
    return _opened_in not in (None, os.getpid())


def _open(directory: Path) -> ox.Store:
    """Opens it, as soon as nobody else has it open: an error that was caught may have kept a store of ours open, which
    is so until what nobody refers to any more is looked for."""
    global _opened_in
    if _is_forked():
        raise NotOursError(
            f"the store at {str(directory)!r} cannot be written by a process that was forked from one that had a store "
            'open: start it with multiprocessing.get_context("spawn")'
        )
    _opened_in = os.getpid()
    until, collected = time.monotonic() + PATIENCE, False
    while True:
        try:
            return ox.Store(str(directory))
        except (OSError, RuntimeError) as error:
            if not is_locked(str(error)) or time.monotonic() > until:
                raise
        if not collected:
            gc.collect()
            collected = True
        time.sleep(0.05)


def check_store(directory: Path) -> None:
    """Raises StoreError where `open_store` would. Makes no store."""
    check_folder(directory)
    if (directory / MARK).exists():
        with open_store(directory):
            pass


def snapshot(directory: Path, target: Path) -> None:
    """Makes a copy of the store (hard links) that can be read while the store itself is written. Raises StoreError."""
    with open_store(directory, must_exist=True) as store:
        store.backup(str(target))


def read_document(directory: Path, document_id: str) -> Graph | None:
    """The graph of one document that the store holds, None where it has none. Raises StoreError."""
    from tieout.kg.store.graph import Graph

    iri = document_graph(document_id)
    with open_to_read(directory) as store:
        quads = list(store.quads_for_pattern(None, None, None, ox.NamedNode(iri)))
    triples = ox.serialize((quad.triple for quad in quads), format=ox.RdfFormat.N_TRIPLES) or b""
    return Graph(document_id, triples) if quads else None


def documents(directory: Path) -> list[str]:
    """The ids of the documents whose graphs the store holds. Raises StoreError."""
    with open_to_read(directory) as store:
        return [str(row["id"].value) for row in _rows(store, IDENTIFIERS)]


def nearest(wanted: str, known: Sequence[str]) -> str:
    """A hint at what there is in place of a name that is not there."""
    from rapidfuzz import fuzz, process

    near = [name for name, _, _ in process.extract(wanted, known, scorer=fuzz.WRatio, limit=3, score_cutoff=60)]
    if near:
        return f"did you mean {' or '.join(map(repr, near))}?"
    some = ", ".join(map(repr, known[:3]))
    return f"there are {len(known)}: {some}{', ...' if len(known) > 3 else ''}" if known else "there is none"


def _rows(store: ox.Store, query: str) -> list[ox.QuerySolution]:
    found = store.query(query, prefixes=PREFIXES, use_default_graph_as_union=True)
    assert isinstance(found, ox.QuerySolutions)
    return list(found)


def ontology_quads(ontology: Ontology) -> tuple[str, bytes]:
    """The named graph of the TBox and its N-Quads, with the mark by which it is known again."""
    graph = ox.NamedNode(ONTOLOGY_GRAPH)
    triples = ox.parse(ontology.turtle(), format=ox.RdfFormat.TURTLE)
    quads = [ox.Quad(each.subject, each.predicate, each.object, graph) for each in triples]
    quads.append(_marked(ontology))
    return graph.value, ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


def has_ontology(store: ox.Store, ontology: Ontology) -> bool:
    """Whether the store has this TBox."""
    return _marked(ontology) in store


def read_ontology(store: ox.Store) -> tuple[str, bytes]:
    """The mark of the TBox that a store has, and its graph as N-Quads."""
    quads = store.quads_for_pattern(None, None, None, _ONTOLOGY)
    marks = store.quads_for_pattern(_ONTOLOGY, _IDENTIFIER, None, _ONTOLOGY)
    return "".join(str(quad.object) for quad in marks), ox.serialize(quads, format=ox.RdfFormat.N_QUADS) or b""


_ONTOLOGY, _IDENTIFIER = ox.NamedNode(ONTOLOGY_GRAPH), ox.NamedNode(f"{PREFIXES['dcterms']}identifier")


def _marked(ontology: Ontology) -> ox.Quad:
    return ox.Quad(_ONTOLOGY, _IDENTIFIER, ox.Literal(ontology.mark), _ONTOLOGY)


def replace_graphs(store: ox.Store, graphs: Iterable[tuple[str, bytes]], batch: int = 64 * 1024 * 1024) -> int:
    """Loads graphs, each as its IRI and its N-Quads, in place of what the store has under that IRI; returns how many.

    A graph may come in several parts. batch: bytes gathered before they are written; until then the store is as it was.
    """
    old = {graph.value for graph in store.named_graphs() if isinstance(graph, ox.NamedNode)}
    gathered: list[tuple[str, bytes]] = []
    count = size = 0
    for iri, quads in graphs:
        gathered.append((iri, quads))
        count, size = count + 1, size + len(quads)
        if size >= batch:
            _load(store, gathered, old)
            gathered, size = [], 0
    _load(store, gathered, old)
    return count


def _load(store: ox.Store, graphs: Sequence[tuple[str, bytes]], old: set[str]) -> None:
    """old: the graphs that are to be replaced, from which those that were are taken."""
    for iri in old.intersection(iri for iri, _ in graphs):
        store.remove_graph(ox.NamedNode(iri))
        old.remove(iri)
    quads = graphs[0][1] if len(graphs) == 1 else b"".join(quads for _, quads in graphs)
    for part in _parts(quads):  # written by ourselves, so that IRIs need not be looked at again
        store.bulk_load(part, ox.RdfFormat.N_QUADS, lenient=True)


def _parts(quads: bytes) -> Iterator[bytes]:
    """N-Quads in parts of whole lines: the store takes six times the size of what it is given at a time."""
    start = 0
    while start < len(quads):
        end = quads.rfind(b"\n", start, start + PART) + 1 if len(quads) - start > PART else len(quads)
        end = end or quads.find(b"\n", start) + 1 or len(quads)
        yield quads[start:end]
        start = end
