"""Whole questions in plain words without a model: every kind of answer, and nothing wrong without a warning."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

import pytest
from annual_report import BRIGHTMOOR, report
from conftest import SAMPLE
from filed import opened
from filing import header, number, row
from plain_questions import OF_REPORT, OF_SAMPLE, PAGE, QUESTIONS

import tieout
from tieout.agent.answers.checks.check import SURE_ENOUGH
from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import make_sheet, plain_text
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.protocol.message import Kind
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.ontology.asked.bound import Bound
from tieout.ontology.model import default_ontology


@pytest.fixture(scope="module")
def session() -> Session:
    return Session(build(PAGE, default_ontology(None)[0]), OfflineBackend(), independent=True)


def says(turn: Turn, right: str) -> bool:
    """Whether a turn says what is right: the number, yes or no, the texts, or a question back that names the word."""
    if right.startswith("back "):
        return turn.clarification is not None and right.removeprefix("back ") in turn.clarification.question.lower()
    if turn.text is None:
        return False
    if isinstance(turn.number, bool):
        return right == ("yes" if turn.number else "no")
    if turn.number is not None and re.fullmatch(r"[\d.]+", right):
        wanted = Decimal(right)
        return any(abs(value - wanted) <= Decimal("0.006") for value in (turn.number, turn.number * 100))
    said = turn.text.replace(",", "").replace("$", "").lower()
    if len(wanted := right.split()) > 1 and re.fullmatch(r"[\d. ]+", right):
        values = {turn.ledger[item.entry].value for item in turn.items if item.entry is not None}
        told = set(map(Decimal, wanted)) <= values or all(part in said for part in wanted)  # figures, or their years
        return told and len(turn.items) == len(wanted)
    return right.lower() in said


def warned(turn: Turn) -> bool:
    return turn.outcome != "answer" or bool(turn.flags) or (turn.probability or 0) < SURE_ENOUGH


@pytest.mark.parametrize(("question", "right"), QUESTIONS)
def test_no_plain_question_gets_a_wrong_answer_without_a_warning(session, question, right) -> None:
    turn = session.ask(question)
    assert turn.outcome in ("answer", "clarify"), turn.message
    assert says(turn, right) or warned(turn), f"{turn.text} ({turn.probability}), and {right!r} is right"


def test_most_plain_questions_are_answered_rightly(session) -> None:
    right = [says(session.ask(question), wanted) for question, wanted in QUESTIONS]
    assert sum(right) >= 35, [question for (question, _), good in zip(QUESTIONS, right, strict=True) if not good]


@pytest.mark.parametrize("page", OF_SAMPLE)
def test_no_plain_question_about_a_page_of_the_sample_gets_a_wrong_answer_without_a_warning(page) -> None:
    document = next(each.document for each in read_conversations(SAMPLE / "ask.json") if page in each.id)
    _check(
        Session(build(document, default_ontology(None)[0]), OfflineBackend(), independent=True), OF_SAMPLE[page], 0.6
    )


def test_no_plain_question_about_a_whole_report_gets_a_wrong_answer_without_a_warning() -> None:
    _check(Session(opened("brightmoor"), OfflineBackend(), independent=True), OF_REPORT, 0.6)


def _check(session: Session, questions: Sequence[tuple[str, str]], least: float) -> None:
    """None is wrong without a warning, and at least a share of them is right."""
    asked = [(question, session.ask(question), right) for question, right in questions]
    wrong = [(question, turn) for question, turn, right in asked if not says(turn, right)]
    assert [(question, turn.text) for question, turn in wrong if not warned(turn)] == []
    assert len(wrong) <= (1 - least) * len(asked), [question for question, _ in wrong]


def test_a_list_has_a_figure_with_its_place_for_every_item(session) -> None:
    turn = session.ask("What were the net sales of services in 2022, 2023 and 2024, respectively?")
    assert turn.kind is Kind.TABLE
    assert [turn.ledger[item.entry].value for item in turn.items] == [Decimal("60.1"), Decimal("71.4"), Decimal("88.9")]
    told = result(turn)
    assert [item["value"] for item in told["items"]] == [Decimal("60.1"), Decimal("71.4"), Decimal("88.9")]
    assert len(told["places"]) == 3
    sheet = make_sheet(turn)
    assert sheet is not None
    assert {line.raw for line in sheet.lines} == {"60.1", "71.4", "88.9"}


def test_a_period_rests_on_its_figure(session) -> None:
    turn = session.ask("In which year was interest expense the highest?")
    assert (turn.kind, turn.text) == (Kind.PERIOD, "2023")
    assert "13.1" in plain_text(turn)


def test_a_count_is_calculated_from_the_figures_it_counts(session) -> None:
    turn = session.ask("How many years did operating income exceed $75 million?")
    assert (turn.kind, turn.number) == (Kind.COUNT, Decimal(3))
    assert len(turn.facts_under()) == 3


def test_a_quotation_stands_in_the_report_letter_by_letter(session) -> None:
    turn = session.ask("What do free shipping credits represent?")
    assert turn.kind is Kind.PROSE
    assert any(turn.text in paragraph for paragraph in PAGE.paragraphs)


def test_independent_questions_are_told_nothing_of_each_other() -> None:
    graph = build(PAGE, default_ontology(None)[0])
    alone, among = (Session(graph, OfflineBackend(), independent=True) for _ in range(2))
    among.ask("What was the operating income in 2023?")
    question = "What were total net sales in 2024?"
    assert (among.ask(question).text, among.turns[-1].probability) == (
        alone.ask(question).text,
        alone.turns[-1].probability,
    )
    assert among.request(question).history == ()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Did sales grow in 2020?", "boolean"),
        ("How many years did sales exceed $5 million?", "count"),
        ("In which year was profit the lowest?", "period"),
        ("Which segment had the highest sales?", "name"),
        ("What are the components of inventories?", "names"),
        ("Why did sales fall?", "words"),
        ("How many shares were sold in 2020?", "number"),
    ],
)
def test_the_kind_of_answer_is_read_from_how_it_is_asked(text, kind) -> None:
    assert read_question(text).kinds[0] == kind


def test_years_of_a_range_are_read_with_those_between_them() -> None:
    ask = read_question("What was the average margin from 2016 to 2019?")
    assert (ask.years, ask.when.expanded) == ((2016, 2019), (2016, 2017, 2018, 2019))
    assert read_question("sales in FY18 and FY19").years == (2018, 2019)


def test_a_bound_has_the_scale_that_is_said_with_it() -> None:
    assert read_question("How many years did revenue exceed $1,500 thousand?").bound == Bound(
        Decimal(1500), 1000, True, "exceed $1,500 thousand"
    )
    assert read_question("In which years was the margin below 12%?").bound == Bound(
        Decimal(12), None, False, "below 12%"
    )


@pytest.mark.parametrize("said", ["-3,000 thousand", "$(3,000) thousand", "−$3,000 thousand"])
def test_a_bound_may_be_negative(said) -> None:
    bound = read_question(f"In which year was other income, net less than {said}?").bound
    assert bound is not None and (bound.value, bound.above) == (Decimal(-3000), False)
    assert read_question("Was the margin above 5-6%?").bound == Bound(Decimal(5), 1, True, "above 5")


def test_what_a_tag_states_in_a_note_a_sentence_or_a_label_is_told_by_its_name(tmp_path: Path) -> None:
    def tagged(text: str, concept: str, at: str, unit: str = "usd", scale: int = 6) -> str:
        return number(text, f"us-gaap:{concept}", at, unit=unit, scale=scale)

    dividends = tagged("0.37", "CommonStockDividendsPerShareDeclared", "d2024", "perShare", 0)
    leases = tagged("2", "OperatingLeaseCost", "d2024", scale=9)
    allowance = tagged("21", "AllowanceForDoubtfulAccountsReceivableCurrent", "i2024")
    owed = header("2024") + row(f"Due from buyers (less ${allowance})", "$408") + row("Others", "12")
    earned = "(" + tagged("14", "IncomeLossFromEquityMethodInvestments", "d2024") + ")"
    owed = owed + row("Costs of what we hold", "9") + row("Our part of what affiliates earn", earned)
    note = (
        f"<div>Holders of our stock were given ${dividends} for each unit. What we let came to ${leases} billion.</div>"
        f"<div>Owed to us, in millions:</div><table>{owed}</table>"
    )
    page = tmp_path / "noted.htm"
    page.write_text(report(BRIGHTMOOR).replace("</body>", f"{note}</body>"), encoding="utf-8")
    told = {
        "what was dps in 2024?": "$0.37 per share",
        "rent expense in 2024?": "$2 billion",
        "bad debt allowance at the end of 2024?": "$21 million",
        "equity income in 2024?": "$14 million",
    }
    asked = tieout.open([page], store=tmp_path / "store")
    assert {each: asked.ask(each).text for each in told} == told
