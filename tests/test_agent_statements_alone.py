"""What the statements answer is answered by them, on a page of them and in a whole report alike."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import tieout
from tieout.agent.answers.answer import Answer
from tieout.data.document import Document, Section, Table
from tieout.eval.alike import questions
from tieout.kg.build import build
from tieout.kg.index.statement import main_facts
from tieout.ontology.asked.measures import find_measures
from tieout.ontology.model import Ontology

INCOME = (
    ("(in millions)", "2024", "2023"),
    ("Net sales", "$ 900", "$ 800"),
    ("Cost of sales", "500", "450"),
    ("Gross profit", "400", "350"),
    ("Income before income taxes", "200", "180"),
    ("Provision for income taxes", "50", "45"),
    ("Net income", "$ 150", "$ 135"),
)
BALANCE = (
    ("(in millions)", "December 31, 2024", "December 31, 2023"),
    ("Cash", "$ 60", "$ 50"),
    ("Receivables, less allowances of — 2024: $7; 2023: $5", "120", "110"),
    ("Total current assets", "180", "160"),
    ("Total assets", "$ 800", "$ 770"),
    ("Total liabilities", "400", "390"),
    ("Treasury common stock at cost", "", ""),
    ("Shares: 2024 – 83,000,000; 2023 – 85,000,000", "(40)", "(42)"),
    ("Total shareholders' equity", "400", "380"),
    ("Total liabilities and shareholders' equity", "$ 800", "$ 770"),
)
FLOWS = (
    ("(in millions)", "2024", "2023"),
    ("Net income", "$ 150", "$ 135"),
    ("Depreciation and amortization", "30", "28"),
    ("Net cash provided by operating activities", "180", "163"),
    ("Purchases of property and equipment", "(40)", "(38)"),
    ("Net cash used in investing activities", "(40)", "(38)"),
    ("Dividends paid", "(20)", "(19)"),
    ("Net cash used in financing activities", "(20)", "(19)"),
)
TITLED = {
    "Consolidated Statements of Income": INCOME,
    "Consolidated Balance Sheets": BALANCE,
    "Consolidated Statements of Cash Flows": FLOWS,
}


def asked(folder: Path, question: str) -> Answer:
    """The answer over a page of the three statements, each below its title and whose it is."""
    tables = [{"title": f"{title}\nAlder Company\n(in millions)", "rows": rows} for title, rows in TITLED.items()]
    path = folder / "page.json"
    path.write_text(json.dumps([{"id": "page", "pre_text": [], "post_text": [], "tables": tables}]), encoding="utf-8")
    with tieout.open(path) as talk:
        return talk.ask(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was allowance for doubtful accounts at the end of 2024?", "$7 million"),
        ("What was bad debt allowance at the end of 2023?", "$5 million"),
        ("What was treasury stock shares at the end of 2023?", "85 million shares"),
    ],
)
def test_what_the_label_of_a_line_tells_is_found_by_its_own_name(tmp_path: Path, question: str, told: str) -> None:
    assert asked(tmp_path, question).text == told


def test_a_line_is_asked_for_by_the_name_of_its_tag_however_long_that_is(tmp_path: Path) -> None:
    said = "revenue from contract with customer excluding assessed tax"
    assert [(each.name, each.said) for each in find_measures(said)] == [("revenue", said)]
    assert asked(tmp_path, f"What was {said} in 2024?").text == "$900 million"


def test_the_statements_of_a_page_are_found_in_one_order_however_they_are_printed() -> None:
    titled = list(TITLED.items())
    for order in (titled, titled[::-1]):
        tables = tuple(Table(rows=rows, title=title, after=1, section=0) for title, rows in order)
        sections = (Section(title="Statements", level=1, paragraph=0),)
        page = Document(id="alder", paragraphs=("Alder", "x"), before=1, tables=tables, sections=sections)
        facts = build(page, Ontology((), ())).facts()
        assert list(dict.fromkeys(fact.caption for fact in main_facts(facts))) == [title for title, _ in titled]
        assert main_facts(fact for fact in facts if fact.caption != titled[0][0]) == ()


def test_of_a_report_on_a_quarter_questions_are_made_for_its_spans_and_days() -> None:
    def fact(concept: str, start: str | None, end: str) -> dict[str, object]:
        return {"concept": f"us-gaap:{concept}", "start": start, "end": end, "dims": [], "value": "5", "shown": "5"}

    facts = [fact("Goodwill", None, "2023-06-30"), fact("Goodwill", "2023-04-01", "2023-06-30")]
    facts += [fact("Goodwill", "2023-01-01", "2023-06-30"), fact("Goodwill", "2023-06-01", "2023-06-30")]

    def days(each: dict[str, object]) -> SimpleNamespace:
        start = date.fromisoformat(str(each["start"])) if each["start"] else None
        return SimpleNamespace(concept=each["concept"], start=start, end=date.fromisoformat(str(each["end"])))

    statement = SimpleNamespace(tags=[SimpleNamespace(tag=days(each)) for each in facts])
    assert questions("alder", facts, cast("list[Table]", [statement]), 60) == [
        "What was goodwill at June 30, 2023?",
        "What was goodwill in the six months ended June 30, 2023?",
        "What was goodwill in the quarter ended June 30, 2023?",
    ]
