"""The view's recall: what of an answer a request about whole reports shows, at how many tokens, without a model."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tieout.agent.opening import open_files, open_store_reports
from tieout.agent.protocol.message import BackendError, Card, Reply, Request
from tieout.agent.protocol.tool import ToolError
from tieout.agent.session import Session
from tieout.agent.view.reports import BUDGET, CHARACTERS_PER_TOKEN, Reports
from tieout.data.readers.read import read_files
from tieout.eval.gold.report_questions import Need, ReportQuestion, find_report
from tieout.eval.score.tokens import request_tokens
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index
from tieout.kg.store.graph import Graph
from tieout.ontology.labels.label import normalise
from tieout.ontology.model import Ontology

SCALES = (0, 2, 3, 6, 9)  # powers of ten between which a figure may be printed and asked for
_HEADER = re.compile(rb"<ix:header\b.*?</ix:header\s*>", re.DOTALL | re.IGNORECASE)
_PLACE = re.compile(r"(?<!\S)(?:[a-z0-9]+:)?t\d+(?:-t\d+)?(?!\S)")  # in an outline: tables
_SECTION = re.compile(r"^(.{4,}?): (?:[a-z0-9]+:)?t\d+(?:-t\d+)?$", re.MULTILINE)
_SAID = re.compile(r"^((?:[a-z0-9]+:)?s\d+): ", re.MULTILINE)
_MARK = re.compile(r"\s*\{[\w:]+\}(?: (?=[,.;:)]))?")
_TAG = re.compile(rb"</?ix:[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the view of a question shows of its answer.

    missing: figures that are not in it; unsaid: sentences that are not, by their words. away: of both, how many come
    with one `open` of a place that the request names, or one `search`. tokens: of the view, at four characters each;
    request: of all that a model is sent, as `tokens_of` counts them. has_report: it shows figures of the report that
    the question is about.
    """

    question: ReportQuestion
    missing: tuple[Need, ...]
    unsaid: tuple[str, ...]
    away: int
    tokens: int
    request: int
    has_report: bool = True


class _Nobody:
    """A backend that is never asked: what it would be sent is measured."""

    name = "nobody"

    def reply(self, request: Request) -> Reply:
        raise BackendError("nobody", "nobody is asked")


def look(
    questions: Sequence[ReportQuestion],
    folder: Path,
    ontology: Ontology,
    budget: int = BUDGET,
    untagged: bool = False,
    store: Path | None = None,
) -> Iterator[Seen]:
    """What the view of each question shows of its answer, report by report; questions that need nothing are left out.

    untagged: every Inline XBRL tag is taken out first. store: where the reports are kept, unless they are changed so;
    None to read them into memory. Raises QuestionsError for a report that is not in the folder.
    """
    by_docs: dict[tuple[str, ...], list[ReportQuestion]] = {}
    for each in questions:
        if each.figures or each.sentences:
            by_docs.setdefault(each.docs, []).append(each)
    for docs, asked in by_docs.items():
        paths = [find_report(folder, doc) for doc in docs]
        with ExitStack() as stack:
            if store is None or untagged:
                source: Graph | Reports = _read(paths, ontology, budget, untagged)
            else:
                source = stack.enter_context(open_files(paths, ontology, store=store, budget=budget)).source
            for question in asked:
                yield _seen(question, source)


def _seen(question: ReportQuestion, source: Graph | Reports, wanted: Collection[str] | None = None) -> Seen:
    """wanted: the aliases of the reports that the question is about, where others are open too."""
    request = Session(source, _Nobody()).request(question.question)
    card = request.shown
    missing = tuple(need for need in question.figures if not shows(card.facts, need))
    unsaid = tuple(words for words in question.sentences if not says(card, words))
    away = 0
    if (missing or unsaid) and isinstance(source, Reports):
        steps = list(_steps(source, request, [need.label for need in missing]))
        away = sum(any(shows(step.facts, need) for step in steps) for need in missing)
        away += sum(any(says(step, words) for step in steps) for words in unsaid)
    length = len(card.text) // CHARACTERS_PER_TOKEN
    shown = {fact.name.rpartition(":")[0] for fact in card.facts}
    has_report = wanted is None or not shown.isdisjoint(wanted)
    return Seen(question, missing, unsaid, away, length, request_tokens(request), has_report)


def _steps(reports: Reports, request: Request, labels: Sequence[str]) -> Iterator[Card]:
    """What one call more would show: each place that the request names, opened, and a search for each label."""
    named = dict.fromkeys(_PLACE.findall(request.card.text))
    named |= dict.fromkeys(_SAID.findall(request.shown.text))
    named |= dict.fromkeys(_SECTION.findall(request.card.text))
    calls: list[Callable[[], Card]] = [partial(reports.opened, name) for name in named]
    calls += [partial(reports.search, label.split()) for label in labels if label]
    for call in calls:
        with suppress(ToolError):
            yield call()


def says(card: Card, words: str) -> bool:
    """Whether a card has these words, letter by letter but for spaces and the marks of its amounts."""
    return " ".join(words.split()) in " ".join(_MARK.sub("", card.text).split())


def look_at_kept(questions: Sequence[ReportQuestion], store: Path, budget: int = BUDGET) -> Iterator[Seen]:
    """As `look`, where each question is asked of all reports that a store keeps. Raises StoreError."""
    with open_store_reports(store, budget=budget) as opened:
        source = opened.source
        assert isinstance(source, Reports)
        for question in questions:
            docs = {Path(doc).stem for doc in question.docs}
            yield _seen(question, source, {alias for alias, each in source.open.items() if each.entry.id in docs})


def shows(facts: Sequence[Fact], need: Need) -> bool:
    """Whether one of the facts is a figure, by its digits, at whatever scale and with whatever sign, and where that is
    known by words of its row or sentence."""
    return next(showing(facts, need), None) is not None


def showing(facts: Iterable[Fact], need: Need) -> Iterator[Fact]:
    """The facts that are such a figure."""
    wanted = need.figure.copy_abs()
    sizes = {wanted.scaleb(sign * power) for power in SCALES for sign in (1, -1)}
    words = set(normalise(need.label).split())
    for fact in facts:
        if fact.value.copy_abs() in sizes:
            said = f"{fact.label} {fact.context if fact.table is None else fact.section}"
            if words <= set(normalise(said).split()):
                yield fact


def without_tags(page: bytes) -> bytes:
    """A web page without its Inline XBRL: what a browser shows stays."""
    return _TAG.sub(b"", _HEADER.sub(b"", page))


def _read(paths: Sequence[Path], ontology: Ontology, budget: int, untagged: bool) -> Reports:
    """Reports in memory."""
    documents = []
    with tempfile.TemporaryDirectory() as folder:
        for path in paths:
            source = path
            if untagged and path.suffix.lower() in (".htm", ".html", ".xhtml"):
                source = Path(folder) / path.name
                source.write_bytes(without_tags(path.read_bytes()))
            documents += [each.document for each in read_files([source])]
    graphs = [build(document, ontology) for document in documents]
    index = Index()
    for document, graph in zip(documents, graphs, strict=True):
        index.keep(read_contents(document, *graph.contents()))
    return Reports(graphs, index, budget)
