"""Report files into a store, each read once: in this process or in several, with what was found on the way.

A file is known by the hash of its bytes, of the TBox and of the version that reads it. Pages as JSON, which are small
and many, are built again each time. What reads and builds is imported when there is something to read.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from tieout.data.readers.apart import several
from tieout.data.readers.paths import find_files
from tieout.data.readers.records import DataError
from tieout.data.readers.report import bounded, is_pages, read_report
from tieout.kg.filings.graph import company_graphs
from tieout.kg.index.passage import Contents
from tieout.kg.index.words import Index
from tieout.kg.reports.bounded import parsed
from tieout.kg.store.kept import Mark, check_sums, free_name, free_page, index_path, mark_of
from tieout.kg.store.store import has_ontology, ontology_quads, open_store, replace_graphs
from tieout.ontology.metrics.scheme import scheme_quads
from tieout.ontology.model import Ontology
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, document_graph

if TYPE_CHECKING:
    from threading import Event

    from tieout.data.document import Document
    from tieout.kg.store.endpoint import Endpoint

BEHIND = 5  # how much further back those that read stand than the one that writes, so that it never waits
BATCH = 64 * 1024 * 1024  # bytes of graphs that are put in at a time: some three filings


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read. name: what its report is called; named: it was named itself, not found in a folder. renamed: the
    ids of its pages that are others in the store, each with that."""

    path: Path
    name: str
    named: bool
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Built:
    """One report that was read. contents: for the index, None for a page. missing: printed numbers without a
    fact. unread: what of its file could not be read, in words."""

    id: str
    iri: str
    quads: bytes
    facts: int
    triples: int
    missing: int
    contents: Contents | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file. problem: why it is not read, "" where it is; kept: it had been read before."""

    source: Source
    built: tuple[Built, ...] = ()
    mark: Mark | None = None
    problem: str = ""
    kept: str = ""


def find_sources(paths: Iterable[Path]) -> list[Source]:
    """The files that are meant, each with a name of its own: that of the file, with its suffix or its folder where
    several have the same. Raises DataError."""
    found: list[Source] = []
    names: set[str] = set()
    for path, named in find_files(paths):
        wanted = (path.stem, path.name, f"{path.parent.name}/{path.name}", str(path))
        name = next((each for each in wanted if each not in names), str(path))
        names.add(name)
        found.append(Source(path, name, named))
    return found


def build_source(source: Source, ontology: Ontology) -> Outcome:
    """Reads a file, builds its graphs, and looks whether a number was lost on the way."""
    try:
        if is_pages(source.path):
            from tieout.data.readers.read import read_conversations

            names = dict(source.renamed)
            pages = (each.document for each in read_conversations(source.path))
            called = (each.model_copy(update={"id": names[each.id]}) if each.id in names else each for each in pages)
            return Outcome(source, tuple(_built(each, ontology, False) for each in called))
        with _without_collecting():
            return _build_report(source, ontology)
    except (DataError, OSError) as error:
        return Outcome(source, problem=" ".join(str(error).split()))


def _build_report(source: Source, ontology: Ontology) -> Outcome:
    """Of a function of its own, so that the report is gone when the search for cycles goes on."""
    mark = mark_of(source.path, ontology)  # before it is read: what is changed meanwhile is read again next time
    document = read_report(source.path, identifier=source.name)
    return Outcome(source, (_built(document, ontology, True),), mark)


@contextmanager
def _without_collecting() -> Iterator[None]:
    """Python's search for cycles is off: a report is a tree of a million values, all of which it would look through
    again and again."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()  # what is left counts as old, and is not looked through at once
        gc.unfreeze()
        if was_on:
            gc.enable()


def _built(document: Document, ontology: Ontology, whole: bool) -> Built:
    from tieout.kg.build import build
    from tieout.kg.check import find_loss
    from tieout.kg.index.passage import read_contents

    graph = build(document, ontology)
    facts, printed = graph.contents() if whole else ((), {})
    contents = read_contents(document, facts, printed) if whole else None
    missing = len(find_loss(document, facts).missing) if whole else 0
    quads = graph.quads
    count, triples = len(facts) if whole else quads.count(b"#raw> "), quads.count(b"\n")
    return Built(document.id, graph.iri, quads, count, triples, missing, contents, unread=document.unread)


def keep_files(
    sources: Sequence[Source], ontology: Ontology, store: Path, jobs: int = 1, endpoint: Endpoint | None = None
) -> Iterator[Outcome]:
    """Reads what the store does not keep yet and puts it in; tells of each in the order of the files, once it is kept.

    Graphs are put in some at a time: where each comes alone, RocksDB takes 40% longer to put them in order again.
    jobs: how many processes read. Pages are read before the store is touched: raises DataError for a file of them that
    was named itself and cannot be read, and for a file of no kind that is known. Raises StoreError, WordIndexError.
    endpoint: what holds the graphs in place of the store, beside which their index stays.
    """
    pages = {source: _read_bounded(ontology.turtle(), None, source) for source in sources if _holds_pages(source)}
    for source, outcome in pages.items():
        if source.named and outcome.problem:
            raise DataError(outcome.problem)
    if endpoint is None:
        check_sums(store)
    index = Index(index_path(store if endpoint is None else endpoint.place.index(store)))
    try:
        with _opened(store, endpoint, ontology) as (put, holds, has_tbox):
            pages = dict(_with_own_ids(pages, index, ontology))
            known = {source: "" if source in pages else _known(source, index, holds, ontology) for source in sources}
            left = [source for source in sources if source not in pages and not known[source]]
            fresh = _read_all(list(_named(left, index)), ontology, jobs)
            done = pages | {source: Outcome(source, kept=name) for source, name in known.items() if name}
            graphs = [] if has_tbox else [ontology_quads(ontology)]
            for some in _batches(done.get(source) or next(fresh) for source in sources):
                put([*graphs, *((built.iri, built.quads) for outcome in some for built in outcome.built)])
                graphs = []
                for outcome in some:
                    _keep_words(outcome, index)
                ids = [built.id for outcome in some for built in outcome.built if built.contents is not None]
                if ids:
                    scheme = [] if holds(CONCEPTS_GRAPH) else [(CONCEPTS_GRAPH, scheme_quads())]
                    put([*scheme, *company_graphs(index, ids)])
                yield from (_without_quads(outcome) for outcome in some)
    finally:
        index.close()


def _keep_words(outcome: Outcome, index: Index) -> None:
    """Puts what can be found in a report into the index; of pages, which file they are from."""
    file, mark = str(outcome.source.path.resolve()), outcome.mark
    for built in outcome.built:
        if built.contents is not None and mark is not None:
            index.keep(built.contents, mark.text, file, mark.size, mark.modified)
    if pages := [built.id for built in outcome.built if built.contents is None]:
        index.keep_pages(pages, file)


def _with_own_ids(
    pages: Mapping[Source, Outcome], index: Index, ontology: Ontology
) -> Iterator[tuple[Source, Outcome]]:
    """The pages that were read, those again whose ids pages of other files have: under ids of their own."""
    taken = index.taken()
    for source, outcome in pages.items():
        free = [(built.id, free_page(built.id, source.path, taken)) for built in outcome.built]
        renamed = tuple((own, name) for own, name in free if own != name)
        taken |= {name: str(source.path.resolve()) for _, name in free}
        yield source, _read_bounded(ontology.turtle(), None, replace(source, renamed=renamed)) if renamed else outcome


def _named(sources: Iterable[Source], index: Index) -> Iterator[Source]:
    """The files, each with a name that no report has that is kept from another one."""
    taken = index.taken()
    for source in sources:
        name = free_name(source.name, source.path, taken)
        taken[name] = str(source.path.resolve())
        yield replace(source, name=name)


def _batches(outcomes: Iterable[Outcome]) -> Iterator[list[Outcome]]:
    gathered: list[Outcome] = []
    size = 0
    for outcome in outcomes:
        gathered.append(outcome)
        size += sum(len(built.quads) for built in outcome.built)
        if size >= BATCH:
            yield gathered
            gathered, size = [], 0
    if gathered:
        yield gathered


def _without_quads(outcome: Outcome) -> Outcome:
    return replace(outcome, built=tuple(replace(each, quads=b"") for each in outcome.built))


_Put = Callable[[Sequence[tuple[str, bytes]]], object]


@contextmanager
def _opened(
    store: Path, endpoint: Endpoint | None, ontology: Ontology
) -> Iterator[tuple[_Put, Callable[[str], bool], bool]]:
    """What puts graphs, given as their IRIs and N-Quads, where they are kept, what tells whether one is there, and
    whether the TBox is."""
    if endpoint is None:
        with open_store(store) as opened:
            yield (
                lambda graphs: replace_graphs(opened, graphs),
                lambda iri: opened.contains_named_graph(ox.NamedNode(iri)),
                has_ontology(opened, ontology),
            )
        return

    def put(graphs: Sequence[tuple[str, bytes]]) -> None:
        for iri, quads in graphs:
            endpoint.put(iri, quads.replace(f" <{iri}> .\n".encode(), b" .\n"))

    yield put, endpoint.holds, False


def _holds_pages(source: Source) -> bool:
    try:
        return is_pages(source.path)
    except DataError:
        if source.named:
            raise
        return False  # told when it is read


def _known(source: Source, index: Index, holds: Callable[[str], bool], ontology: Ontology) -> str:
    """The id under which a file is kept, "" where it is not: where its index is left and its store is gone, too."""
    try:
        found = index.known(mark_of(source.path, ontology).text)
    except (OSError, DataError):
        return ""  # told when it is read
    return found if found and holds(document_graph(found)) else ""


def _read_all(sources: Sequence[Source], ontology: Ontology, jobs: int) -> Iterator[Outcome]:
    if jobs == 1 or len(sources) < 2:
        yield from (_read_bounded(ontology.turtle(), None, source) for source in sources)
        return
    with several(min(jobs, len(sources))) as (threads, stop):
        yield from threads.map(partial(_read_bounded, ontology.turtle(), stop), sources)


def _read_bounded(ontology: str, stop: Event | None, source: Source) -> Outcome:
    """As build_source, within the budget of the file. ontology: as Turtle."""
    try:
        return bounded(source.path, _build_there, ontology, source, behind=BEHIND if stop else 0, stop=stop)
    except DataError as error:
        return Outcome(source, problem=" ".join(str(error).split()))


def _build_there(ontology: str, source: Source) -> Outcome:
    return build_source(source, parsed(ontology))
