"""Report files into a store, each read once: in this process or in several, with what was found on the way.

A file is known by the hash of its bytes, of the TBox and of the version that reads it. Pages as JSON, which are small
and many, are built again each time. What reads and builds is imported when there is something to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox

from tieout.data.readers.paths import find_files
from tieout.data.readers.records import DataError
from tieout.data.readers.report import bounded, is_pages, read_report
from tieout.data.system.collecting import without_collecting
from tieout.data.system.engine import Lost, check_engine, run_in_order
from tieout.kg.filings.graph import company_graphs
from tieout.kg.index.passage import Contents
from tieout.kg.index.words import Index
from tieout.kg.reports.bounded import parsed
from tieout.kg.store.bundle import Ready, json_of
from tieout.kg.store.bundles import Bundles
from tieout.kg.store.kept import Mark, check_sums, free_name, free_page, keep_words, mark_of, put_bundle
from tieout.kg.store.store import check_writable, has_ontology, index_path, ontology_quads, open_store, replace_graphs
from tieout.ontology.metrics.scheme import scheme_quads
from tieout.ontology.model import Ontology
from tieout.ontology.vocabulary import CONCEPTS_GRAPH, document_graph

if TYPE_CHECKING:
    from threading import Event

    from tieout.data.document import Document
    from tieout.kg.store.endpoint import Endpoint
    from tieout.kg.store.graph import Graph

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
    """One report that was read. quads, terms: as Graph has them. contents: for the index, None for a page; document: as
    JSON, for its bundle. missing: printed numbers without a fact. unread: what of its file could not be read, in
    words."""

    id: str
    iri: str
    quads: bytes
    terms: bytes
    facts: int
    triples: int
    missing: int
    contents: Contents | None = None
    document: bytes = b""
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a file. problem: why it is not read, "" where it is; kept: it had been read before; key: of
    the bundle of its report, where that is made already."""

    source: Source
    built: tuple[Built, ...] = ()
    mark: Mark | None = None
    problem: str = ""
    kept: str = ""
    key: str = ""


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
        with without_collecting(is_kept=True):  # a report is a tree of a million values
            return _build_report(source, ontology)
    except (DataError, OSError) as error:
        return Outcome(source, problem=" ".join(str(error).split()))


def _build_report(source: Source, ontology: Ontology) -> Outcome:
    """Of a function of its own, so that the report is gone when the search for cycles goes on."""
    mark = mark_of(source.path, ontology)  # before it is read: what is changed meanwhile is read again next time
    document = read_report(source.path, identifier=source.name)
    return Outcome(source, (_built(document, ontology, True),), mark)


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
    made = json_of(document) if whole else b""
    return Built(document.id, graph.iri, quads, graph.terms, count, triples, missing, contents, made, document.unread)


def keep_files(
    sources: Sequence[Source],
    ontology: Ontology,
    store: Path,
    jobs: int = 1,
    endpoint: Endpoint | None = None,
    engine: str = "",
) -> Iterator[Outcome]:
    """Reads what the store does not keep yet and puts it in; tells of each in the order of the files, once it is kept.

    Graphs are put in some at a time: where each comes alone, RocksDB takes 40% longer to put them in order again.
    jobs, engine: as `run_tasks` has them. Pages are read before the store is touched: raises DataError for a file of
    them that was named itself and cannot be read, and for a file of no kind that is known. Raises EngineError,
    StoreError, WordIndexError. endpoint: what holds the graphs in place of the store, beside which their index stays.
    """
    check_engine(engine)
    pages = {source: _read_bounded(source, ontology.turtle()) for source in sources if _holds_pages(source)}
    for source, outcome in pages.items():
        if source.named and outcome.problem:
            raise DataError(outcome.problem)
    if endpoint is None:
        check_writable(store)
        check_sums(store)
    bundles = None if endpoint else Bundles(store)
    with (
        closing(Index(index_path(store if endpoint is None else endpoint.place.index(store)))) as index,
        _opened(store, endpoint, ontology) as (put, holds, has_tbox),
    ):
        pages = dict(_with_own_ids(pages, index, ontology))
        known = {each: _known(each, index, bundles, holds, ontology) for each in sources if each not in pages}
        left = [source for source in sources if source in known and not known[source]]
        there = None if bundles is None else store.absolute()
        fresh = _read_all(list(_named(left, index)), ontology, there, jobs, engine)
        keys = index.bundle_of()

        def outcomes() -> Iterator[Outcome]:
            for source in sources:
                if name := known.get(source):
                    missing = bundles is not None and not holds(document_graph(name))
                    yield _kept(source, name, bundles.graph(keys[name], name) if bundles and missing else None)
                else:
                    yield pages.get(source) or _whole(next(fresh), bundles)

        graphs = [] if has_tbox else [ontology_quads(ontology)]
        for some in _batches(outcomes()):
            put([*graphs, *((built.iri, built.quads) for outcome in some for built in outcome.built)])
            graphs = []
            ids = [each for outcome in some for each in _keep_words(outcome, index, bundles)]
            if ids:
                scheme = [] if holds(CONCEPTS_GRAPH) else [(CONCEPTS_GRAPH, scheme_quads())]
                put([*scheme, *company_graphs(index, ids)])
            yield from (_as_told(outcome) for outcome in some)


def _keep_words(outcome: Outcome, index: Index, bundles: Bundles | None) -> list[str]:
    """Puts what can be found in reports into the index, with bundles of them; of pages, which file they are from.

    Returns the ids of the reports. bundles: None where graphs are kept elsewhere."""
    if outcome.kept:
        return []
    file, mark = outcome.source.path, outcome.mark
    if pages := [built.id for built in outcome.built if built.contents is None]:
        index.keep_pages(pages, str(file.resolve()))
    reports = _ready(outcome)
    if mark is None or not reports:
        return []
    key = outcome.key or (put_bundle(bundles, mark, reports[0]) if bundles else "")
    keep_words(index, bundles, (file, mark, key), (report.contents for report in reports))
    return [report.contents.report.id for report in reports]


def _ready(outcome: Outcome) -> list[Ready]:
    return [
        Ready(built.quads, built.terms, built.contents, built.document)
        for built in outcome.built
        if built.contents is not None
    ]


def _with_own_ids(
    pages: Mapping[Source, Outcome], index: Index, ontology: Ontology
) -> Iterator[tuple[Source, Outcome]]:
    """The pages that were read, those again whose ids pages of other files have: under ids of their own."""
    taken = index.taken()
    for source, outcome in pages.items():
        free = [(built.id, free_page(built.id, source.path, taken)) for built in outcome.built]
        renamed = tuple((own, name) for own, name in free if own != name)
        taken |= {name: str(source.path.resolve()) for _, name in free}
        yield source, _read_bounded(replace(source, renamed=renamed), ontology.turtle()) if renamed else outcome


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


def _as_told(outcome: Outcome) -> Outcome:
    """What is told of a file: of one that was kept before, nothing but that; of others, all but their graphs."""
    built = () if outcome.kept else tuple(replace(each, quads=b"", terms=b"", document=b"") for each in outcome.built)
    return replace(outcome, built=built)


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


def _known(
    source: Source, index: Index, bundles: Bundles | None, holds: Callable[[str], bool], ontology: Ontology
) -> str:
    """The id under which a file is kept, "" where it is not: where its index is left and its graph is gone, too."""
    try:
        found = index.known(mark_of(source.path, ontology).text)
    except (OSError, DataError):
        return ""  # told when it is read
    if found is None or holds(document_graph(found)):
        return found or ""
    return found if bundles is not None and bundles.has(index.bundle_of()[found]) else ""


def _kept(source: Source, name: str, graph: Graph | None) -> Outcome:
    """That a file was kept before under this id. graph: to be put into the store, which has it not."""
    built = () if graph is None else (Built(name, graph.iri, graph.quads, graph.terms, 0, 0, 0),)
    return Outcome(source, built, kept=name)


def _read_all(
    sources: Sequence[Source], ontology: Ontology, store: Path | None, jobs: int, engine: str
) -> Iterator[Outcome]:
    """What is read of each, in this order. store: whose bundles who reads makes, where it is not this process."""
    read = partial(_read_bounded, ontology=ontology.turtle(), store=store if engine or jobs > 1 else None)
    for source, outcome in zip(sources, run_in_order(read, sources, jobs, engine), strict=True):
        yield Outcome(source, problem=f"{source.path}: {outcome}") if isinstance(outcome, Lost) else outcome


def _read_bounded(source: Source, ontology: str, store: Path | None = None, stop: Event | None = None) -> Outcome:
    """As build_source, within the budget of the file. ontology: as Turtle. store: where a bundle is made of the report,
    which holds its graph and contents then in place of what is returned. Raises StoreError where it cannot be."""
    try:
        made = bounded(source.path, _build_there, ontology, source, behind=BEHIND if stop else 0, stop=stop)
    except DataError as error:
        return Outcome(source, problem=" ".join(str(error).split()))
    if store is None or made.mark is None:
        return made
    key = put_bundle(Bundles(store), made.mark, _ready(made)[0])
    return replace(
        made,
        built=tuple(replace(each, quads=b"", terms=b"", contents=None, document=b"") for each in made.built),
        key=key,
    )


def _whole(outcome: Outcome, bundles: Bundles | None) -> Outcome:
    """With what was left in its bundle. Raises StoreError."""
    if bundles is None or not outcome.key:
        return outcome
    (built,), (contents,) = outcome.built, bundles.contents(outcome.key)
    graph = bundles.graph(outcome.key, built.id)
    return replace(outcome, built=(replace(built, quads=graph.quads, terms=graph.terms, contents=contents),))


def _build_there(ontology: str, source: Source) -> Outcome:
    return build_source(source, parsed(ontology))
