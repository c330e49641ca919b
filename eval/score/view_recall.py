"""The view's recall: in how many questions about whole reports all figures of the answer are shown, without a model."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from tieout.agent.opening import open_files, open_store_reports
from tieout.agent.protocol.message import Card
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.agent.view.card import make_card
from tieout.agent.view.reports import BUDGET, CHARACTERS_PER_TOKEN, Reports
from tieout.data.readers.read import read_files
from tieout.eval.gold.report_questions import Need, ReportQuestion, find_report
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index
from tieout.ontology.labels.label import normalise
from tieout.ontology.model import Ontology

SCALES = (0, 2, 3, 6, 9)  # powers of ten between which a figure may be printed and asked for
_HEADER = re.compile(rb"<ix:header\b.*?</ix:header\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rb"</?ix:[^>]*>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """What the view of a question shows of its answer. tokens: its length, at four characters each. has_report: it
    shows figures of the report that the question is about."""

    question: ReportQuestion
    missing: tuple[Need, ...]
    tokens: int
    has_report: bool = True


def look(
    questions: Sequence[ReportQuestion],
    folder: Path,
    ontology: Ontology,
    budget: int = BUDGET,
    untagged: bool = False,
    store: Path | None = None,
) -> Iterator[Seen]:
    """What the view of each question shows of its answer, report by report; questions without figures are left out.

    untagged: every Inline XBRL tag is taken out first. store: where the reports are kept, unless they are changed so;
    None to read them into memory. Raises QuestionsError for a report that is not in the folder.
    """
    by_docs: dict[tuple[str, ...], list[ReportQuestion]] = {}
    for each in questions:
        if each.figures:
            by_docs.setdefault(each.docs, []).append(each)
    for docs, asked in by_docs.items():
        paths = [find_report(folder, doc) for doc in docs]
        with ExitStack() as stack:
            if store is None or untagged:
                view = _read(paths, ontology, budget, untagged)
            else:
                source = stack.enter_context(open_files(paths, ontology, store=store, budget=budget)).source
                view = source.view if isinstance(source, Reports) else _whole(make_card(source))
            for question in asked:
                card = view(read_question(question.question))
                missing = tuple(need for need in question.figures if not shows(card.facts, need))
                yield Seen(question, missing, len(card.text) // CHARACTERS_PER_TOKEN)


def look_at_kept(questions: Sequence[ReportQuestion], store: Path, budget: int = BUDGET) -> Iterator[Seen]:
    """As `look`, where each question is asked of all reports that a store keeps. Raises StoreError."""
    with open_store_reports(store, budget=budget) as opened:
        source = opened.source
        assert isinstance(source, Reports)
        for question in questions:
            card = source.view(read_question(question.question))
            missing = tuple(need for need in question.figures if not shows(card.facts, need))
            docs = {Path(doc).stem for doc in question.docs}
            wanted = {alias for alias, report in source.open.items() if report.entry.id in docs}
            shown = {fact.name.rpartition(":")[0] for fact in card.facts}
            yield Seen(question, missing, len(card.text) // CHARACTERS_PER_TOKEN, bool(wanted & shown))


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


def _whole(card: Card) -> Callable[[Question], Card]:
    """The view of a page, which is shown whole whatever is asked."""
    return lambda question: card


def _read(paths: Sequence[Path], ontology: Ontology, budget: int, untagged: bool) -> Callable[[Question], Card]:
    """Reports in memory, as a function from questions to their views."""
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
    return Reports(graphs, index, budget).view
