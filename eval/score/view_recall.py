"""The view's recall: in how many questions about whole reports all figures of the answer are shown, without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from tieout.agent.view.reports import BUDGET, CHARACTERS_PER_TOKEN, Reports
from tieout.data.readers.read import read_files
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index
from tieout.ontology.model import Ontology

SCALES = (0, 2, 3, 6, 9)  # powers of ten between which a figure may be printed and asked for
_HEADER = re.compile(rb"<ix:header\b.*?</ix:header\s*>", re.DOTALL | re.IGNORECASE)
_TAG = re.compile(rb"</?ix:[^>]*>", re.IGNORECASE)


class QuestionsError(ValueError):
    """A file that does not hold questions as the module says."""


@dataclass(frozen=True, slots=True)
class ReportQuestion:
    """A question about a whole report. doc: the name of its file, with its suffix or without.

    figures: what has to be in the view: those that the file lists, else the answer itself.
    """

    id: str
    doc: str
    question: str
    gold: str
    gold_number: Decimal | None
    percent: bool
    figures: tuple[Decimal, ...]


@dataclass(frozen=True, slots=True)
class Seen:
    """What the view of a question shows of its answer. tokens: its length, at four characters each."""

    question: ReportQuestion
    missing: tuple[Decimal, ...]
    tokens: int


def read_questions(path: Path) -> Iterator[ReportQuestion]:
    """The questions of a file of JSON Lines. Raises QuestionsError naming the line that is none, OSError."""
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                yield _question(json.loads(line, parse_float=Decimal))
            except (ValueError, KeyError, TypeError, InvalidOperation) as error:
                raise QuestionsError(f"{str(path)!r}, line {number}: {error!r}") from error


def _question(told: dict[str, Any]) -> ReportQuestion:
    number = None if told.get("gold_number") is None else Decimal(str(told["gold_number"]))
    listed = tuple(Decimal(str(each)) for each in told.get("figures") or ())
    figures = listed or (() if number is None else (number,))
    gold, percent = str(told.get("gold", "")), bool(told.get("percent"))
    return ReportQuestion(str(told["id"]), str(told["doc"]), str(told["question"]), gold, number, percent, figures)


def look(
    questions: Sequence[ReportQuestion], folder: Path, ontology: Ontology, budget: int = BUDGET, untagged: bool = False
) -> Iterator[Seen]:
    """What the view of each question shows of its answer, report by report; questions without figures are left out.

    untagged: every Inline XBRL tag is taken out first. Raises QuestionsError for a report that is not in the folder.
    """
    by_doc: dict[str, list[ReportQuestion]] = {}
    for each in questions:
        if each.figures:
            by_doc.setdefault(each.doc, []).append(each)
    for doc, asked in by_doc.items():
        view = _opened(_file(folder, doc), ontology, budget, untagged)
        for question in asked:
            card = view(question.question)
            missing = tuple(figure for figure in question.figures if not shows(card.facts, figure))
            yield Seen(question, missing, len(card.text) // CHARACTERS_PER_TOKEN)


def shows(facts: Sequence[Fact], figure: Decimal) -> bool:
    """Whether one of the facts is a figure, by its digits: at whatever scale, and with whatever sign."""
    wanted = figure.copy_abs()
    sizes = {wanted.scaleb(sign * power) for power in SCALES for sign in (1, -1)}
    return any(fact.value.copy_abs() in sizes for fact in facts)


def without_tags(page: bytes) -> bytes:
    """A web page without its Inline XBRL: what a browser shows stays."""
    return _TAG.sub(b"", _HEADER.sub(b"", page))


def _file(folder: Path, doc: str) -> Path:
    found = sorted(path for path in folder.rglob("*") if doc in (path.stem, path.name) and path.suffix != ".jsonl")
    if not found:
        raise QuestionsError(f"there is no report {doc!r} in {str(folder)!r}")
    return found[0]


def _opened(path: Path, ontology: Ontology, budget: int, untagged: bool) -> Callable[[str], Any]:
    """A report in memory, as a function from questions to their views."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        source = path
        if untagged and path.suffix.lower() in (".htm", ".html", ".xhtml"):
            source = Path(folder) / path.name
            source.write_bytes(without_tags(path.read_bytes()))
        documents = [each.document for each in read_files([source])]
    graphs = [build(document, ontology) for document in documents]
    index = Index()
    for document, graph in zip(documents, graphs, strict=True):
        index.keep(read_contents(document, graph.facts()))
    return Reports(graphs, index, budget).view
