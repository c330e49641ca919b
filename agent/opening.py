"""From files to something that can be asked: a page that is shown whole, or whole reports with an outline and views.

A whole report is read once and kept, in the store and its index, by a hash of its bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tieout.agent.view.card import make_card
from tieout.agent.view.reports import BUDGET, CHARACTERS_PER_TOKEN, Reports
from tieout.data.document import Conversation, Document
from tieout.data.readers.read import DataError, Problem, read_files
from tieout.data.system.collecting import without_collecting
from tieout.kg.index.words import Index, WordIndexError
from tieout.kg.store.bundle import Ready
from tieout.kg.store.graph import Graph
from tieout.kg.store.kept import Kept, keep, kept_ids, mark_of, named_apart, open_kept, put, stale_notes
from tieout.kg.store.store import DEFAULT_STORE, StoreError, index_path
from tieout.ontology.model import Ontology

NO_REPORT = "data"  # the id of a conversation about data alone
LARGEST_PAGE = 300  # figures above which a document is no page, without making its card first
Tell = Callable[[Problem], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """What can be asked. source: a graph that is shown whole, or reports. conversation: the page with its questions."""

    source: Graph | Reports
    conversation: Conversation | None = None

    @property
    def document(self) -> Document | None:
        """The page, where it is one."""
        return self.conversation.document if self.conversation else None


@contextmanager
def open_any(
    paths: Sequence[Path],
    ontology: Ontology,
    *,
    endpoint: str | None = None,
    has_data: bool = False,
    identifier: str | None = None,
    store: Path = DEFAULT_STORE,
    budget: int = BUDGET,
    tell: Tell | None = None,
) -> Iterator[Opened]:
    """What is asked: reports at an endpoint, in files, none where there is data alone, or those that the store keeps.

    As for `open_files`; raises what it and the others raise."""
    with ExitStack() as stack:
        if endpoint:
            found = open_remote(paths, ontology, endpoint, identifier=identifier, store=store, budget=budget)
        elif paths:
            found = open_files(paths, ontology, identifier=identifier, store=store, budget=budget, tell=tell)
        else:
            found = without_report(ontology) if has_data else open_store_reports(store, identifier, budget=budget)
        yield stack.enter_context(found)


@contextmanager
def without_report(ontology: Ontology) -> Iterator[Opened]:
    """No report: a conversation about data alone."""
    from tieout.kg.build import build

    empty = Document(id=NO_REPORT, paragraphs=(), before=0, tables=())
    yield Opened(build(empty, ontology), Conversation(document=empty, questions=()))


@contextmanager
def open_files(
    paths: Sequence[Path],
    ontology: Ontology,
    *,
    identifier: str | None = None,
    store: Path = DEFAULT_STORE,
    budget: int = BUDGET,
    tell: Tell | None = None,
) -> Iterator[Opened]:
    """What files hold, ready to be asked.

    identifier: of one page where a file holds several, or an unambiguous part of it. store: where whole reports are
    kept. tell: told of what is left out. Raises DataError for files that hold nothing to ask, or several pages.
    """
    with ExitStack() as stack:
        known = _known(stack, paths, ontology, store, budget, tell) if identifier is None else None
        if known is not None:
            yield Opened(known)
            return
        from tieout.kg.reports.bounded import build_bounded

        with without_collecting(is_kept=True):  # as where reports are taken in
            chosen = _chosen(list(read_files(paths, tell)), identifier, paths)
            graph = build_bounded(chosen[0].document, ontology) if len(chosen) == 1 else None
            if graph is not None and _is_page(graph, budget):
                opened = Opened(graph, chosen[0])
            else:
                opened = Opened(_reports(stack, chosen, paths, ontology, store, budget, graph))
        yield opened


@contextmanager
def open_remote(paths: Sequence[Path], ontology: Ontology, endpoint: str, **options: Any) -> Iterator[Opened]:  # noqa: ANN401
    """Reports whose graphs are at a SPARQL endpoint; see `tieout.agent.view.remote`."""
    from tieout.agent.view.remote import remote_reports

    with remote_reports(paths, ontology, endpoint, **options) as source:
        yield Opened(source)


@contextmanager
def open_store_reports(
    store: Path = DEFAULT_STORE, identifier: str | None = None, *, budget: int = BUDGET
) -> Iterator[Opened]:
    """All the reports that a store keeps, or the one of this id, with a note where their files are others by now.
    Raises StoreError where there is none."""
    if not index_path(store).is_file():
        raise StoreError(f"no report is kept in {str(store)!r}: give a file, or `tieout index FOLDER` first")
    with open_kept(store) as opened:
        graphs = opened.graphs() if identifier is None else [opened.graph(identifier)]
        if not graphs:
            nothing = f"no report is kept in {str(store)!r}: give a file, or `tieout index FOLDER` first"
            raise StoreError("; ".join(stale_notes(opened.index)) or nothing)
        yield Opened(Reports(graphs, opened.index, budget, notes=stale_notes(opened.index)))


@contextmanager
def open_reports(
    paths: Sequence[Path], ontology: Ontology, *, store: Path = DEFAULT_STORE, tell: Tell | None = None
) -> Iterator[Reports]:
    """Every report that is in files, or that a store keeps where no path is given; those that are kept are not read.

    Raises DataError for files that hold none, StoreError for a store that holds none.
    """
    with ExitStack() as stack:
        if not paths:
            opened = stack.enter_context(open_store_reports(store)).source
            assert isinstance(opened, Reports)
            yield opened
            return
        kept = _known(stack, paths, ontology, store)
        if kept is None:
            found = list(read_files(paths, tell))
            if not found:
                raise DataError(f"{', '.join(map(str, paths))}: holds no report")
            kept = _reports(stack, found, paths, ontology, store, BUDGET)
        yield kept


def _known(
    stack: ExitStack,
    paths: Sequence[Path],
    ontology: Ontology,
    store: Path,
    budget: int | None = None,
    tell: Tell | None = None,
) -> Reports | None:
    """The reports of files that are kept, all of them; None where one is not, or the store is in use. budget: of a
    view, where a page is none. tell: told again what of the files could not be read."""
    try:
        kept = kept_ids(store, paths, ontology)
        if kept is None:
            return None
        opened = stack.enter_context(open_kept(store))
        if budget is not None and len(kept) == 1 and _is_kept_page(opened, kept[0], budget):
            return None  # it is asked as the page that it is, kept or not
        graphs = [opened.graph(each) for each in kept]
    except (StoreError, WordIndexError):
        return None  # the files are there to be read
    if tell is not None:
        for path, name in zip(paths, kept, strict=True):
            for what in opened.index.outline(name).get("unread", ()):
                tell(Problem(path, name, "", what, is_part=True))
    return Reports(graphs, opened.index, budget or BUDGET)


def _chosen(found: Sequence[Conversation], identifier: str | None, paths: Sequence[Path]) -> list[Conversation]:
    """The documents that are meant: that of the id, else all where each file is one report."""
    names = ", ".join(map(str, paths))
    if identifier is not None:
        exact = [each for each in found if each.id == identifier]
        part = exact or [each for each in found if identifier.lower() in each.id.lower()]
        if len(part) == 1:
            return part
        several = f" fits {len(part)} reports: {', '.join(each.id for each in part[:4])}" if part else " is no report"
        raise DataError(f"{identifier!r}{several} in {names}; `tieout list` shows the ids")
    if len(found) > len(paths) and not any(path.is_dir() for path in paths):
        raise DataError(f"{names} holds {len(found)} reports: give the id of one; `tieout list` shows them")
    if not found:
        raise DataError(f"{names}: holds no report")
    return list(found)


def _is_kept_page(opened: Kept, name: str, budget: int) -> bool:
    """As `_is_page`, of a report that is kept; most are told by the figures of their tables alone."""
    figures = sum(table.figures for table in opened.index.tables(name))
    return figures < LARGEST_PAGE and _is_page(opened.graph(name), budget)


def _is_page(graph: Graph, budget: int) -> bool:
    """Whether a report is short enough to be shown whole."""
    facts = graph.quads.count(b"#raw> ")
    return facts < LARGEST_PAGE and len(make_card(graph).text) <= budget * CHARACTERS_PER_TOKEN


def _reports(
    stack: ExitStack,
    chosen: Sequence[Conversation],
    paths: Sequence[Path],
    ontology: Ontology,
    store: Path,
    budget: int,
    known: Graph | None = None,
) -> Reports:
    """Reports that were just read: kept where that can be done, and asked from memory where not. known: the graph of
    one of them that was made already."""
    from tieout.kg.index.passage import read_contents
    from tieout.kg.reports.bounded import build_bounded

    documents = [each.document for each in chosen]
    notes: tuple[str, ...] = ()
    is_each = len(paths) == len(documents) and all(path.is_file() for path in paths)
    if is_each:
        documents = named_apart(documents, paths, store)
    graphs = [
        known if known is not None and known.document_id == document.id else build_bounded(document, ontology)
        for document in documents
    ]
    if is_each:
        try:
            given = [
                put(store, path, mark_of(path, ontology), Ready.of(document, graph))
                for document, graph, path in zip(documents, graphs, paths, strict=True)
            ]
            keep(store, given, ontology)
            index = Index(index_path(store))
            stack.callback(index.close)
            return Reports(graphs, index, budget)
        except (StoreError, WordIndexError) as error:  # the answer does not depend on it
            notes = (f"read, but not kept: {error}",)
    index = Index()
    stack.callback(index.close)
    for document, graph in zip(documents, graphs, strict=True):
        index.keep(read_contents(document, *graph.contents()))
    return Reports(graphs, index, budget, notes=notes)
