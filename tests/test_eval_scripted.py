"""A model that is right by script gets the gold answers of real questions, on the pages of real reports.

The pages with the evidence are cut out of the reports, with some before them, so that reading them is quick; the whole
reports are for `make whole`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pytest
from conftest import ROOT, SHARED
from filed import ontology

from tieout.agent.view.reports import Reports
from tieout.data.readers.read import read_files
from tieout.eval.gold.report_questions import find_report, read_questions
from tieout.eval.scripted import answer, answers, read_choices
from tieout.kg.build import build
from tieout.kg.index.passage import read_contents
from tieout.kg.index.words import Index

DATA = SHARED.parent
QUESTIONS = DATA / "questions" / "financebench_numeric.jsonl"
CHOICES = read_choices(ROOT / "eval" / "needs" / "financebench.jsonl")
BEFORE = 1  # pages in front of each that is needed
TRIED = ("financebench_id_06655", "financebench_id_02981", "financebench_id_00283")


def pages_of(identifier: str) -> Sequence[int]:
    lines = map(json.loads, QUESTIONS.read_text(encoding="utf-8").splitlines())
    needed = next(line["evidence_pages_0based"] for line in lines if line["id"] == identifier)
    return sorted({page for each in needed for page in range(max(0, each - BEFORE), each + 1)})


def cut(path: Path, pages: Sequence[int], folder: Path) -> Path:
    """Some pages of a PDF, the first one among them, as a file of its own."""
    with pypdfium2.PdfDocument(path) as whole, pypdfium2.PdfDocument.new() as part:
        part.import_pages(whole, [0, *pages])
        part.save(folder / path.name)
    return folder / path.name


def opened(path: Path) -> Reports:
    document = next(iter(read_files([path]))).document
    graph = build(document, ontology())
    index = Index()
    index.keep(read_contents(document, *graph.contents()))
    return Reports([graph], index, budget=2000)


def test_every_question_has_a_choice_whose_steps_use_what_it_needs() -> None:
    for identifier, choice in CHOICES.items():
        known = {*choice.needs, *(step["name"] for step in choice.steps)}
        used = {value for step in choice.steps for value in step["values"] if not value.isdigit()} | {"r"}
        assert used <= known and set(choice.needs) <= used, identifier


@pytest.mark.parametrize("identifier", TRIED)
def test_a_model_that_is_right_in_the_view_gets_the_gold_answer(identifier: str, tmp_path: Path) -> None:
    if not QUESTIONS.exists():
        pytest.skip(f"REAL DATA NOT FOUND: {QUESTIONS} is missing, so this test on real reports did not run")
    asked = next(each for each in read_questions(QUESTIONS) if each.id == identifier)
    path = find_report(DATA / "reports" / "pdf", asked.docs[0])
    reports = opened(cut(path, pages_of(identifier), tmp_path))

    @contextmanager
    def open_(docs: Sequence[str]) -> Iterator[Reports]:
        assert docs == asked.docs
        yield reports

    (outcome,) = answers([asked], CHOICES, open_)
    assert outcome.right, outcome.turn.text
    assert outcome.turn.facts_under()
    wrong = next(choice for other, choice in CHOICES.items() if other != identifier)
    assert not answer(asked, wrong, reports).right
