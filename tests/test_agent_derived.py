"""Periods that are not printed but follow from printed ones: of flows only, and shown as a calculation."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import make_sheet, plain_text
from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.protocol.tool import ToolError
from tieout.agent.session import Session
from tieout.agent.tools.derived import derive
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Table
from tieout.data.printed.periods.spans import Span, Wanted, path, read_wanted, together
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

HEADS = (
    "",
    "Three months ended March 31, 2024",
    "Six months ended June 30, 2024",
    "Six months ended June 30, 2023",
    "Year ended December 31, 2023",
)
ROWS = (
    ("Net revenue", "$ 400", "$ 900", "$ 800", "$ 1,700"),
    ("Diluted earnings per share", "$ 0.40", "$ 0.95", "$ 0.80", "$ 1.70"),
    ("Effective tax rate", "21%", "22%", "22%", "23%"),
    ("Cash at end of period", "100", "120", "90", "95"),
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    said = "the results ( in millions , except per share data ) are as follows :"
    report = Document(id="Orris", paragraphs=(said,), before=1, tables=(Table(rows=(HEADS, *ROWS)),))
    return build(report, default_ontology(None)[0])


def offline(graph: Graph, question: str) -> Turn:
    return Session(graph, OfflineBackend(), independent=True).ask(question)


def rules(turn: Turn) -> list[str]:
    return [flag.rule for flag in turn.flags]


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("what was net revenue in the second quarter of 2024?", 500),
        ("what was net revenue for the three months ended June 30, 2024?", 500),
        ("what was net revenue in the second half of 2023?", 900),
        ("what was net revenue in the last twelve months?", 1800),
    ],
)
def test_a_period_that_is_not_printed_is_reckoned_from_printed_ones_and_says_so(
    graph: Graph, question: str, amount: int
) -> None:
    turn = offline(graph, question)
    assert turn.number == amount
    assert rules(turn) == ["period follows"]
    assert "which is not printed" in plain_text(turn).splitlines()[0]
    sheet = make_sheet(turn)
    assert sheet is not None
    assert sheet.lines[-1].operation == "subtract"
    assert sheet.lines[-1].period not in {line.period for line in sheet.lines[:-1]}
    assert result(turn)["metadata"]["plan"][-2]["tool"] == "calculate"


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("what were diluted earnings per share in the second quarter of 2024?", "$/share"),
        ("what was the effective tax rate in the second quarter of 2024?", "percent"),
        ("what was cash at end of period in the second quarter of 2024?", "a balance of a day"),
    ],
)
def test_what_does_not_flow_is_asked_back_with_the_reason(graph: Graph, question: str, why: str) -> None:
    turn = offline(graph, question)
    assert turn.outcome == "clarify"
    assert turn.clarification is not None and why in turn.clarification.question


def test_a_figure_of_other_months_than_asked_for_is_never_unflagged(graph: Graph) -> None:
    turn = offline(graph, "what was net revenue in the third quarter of 2023?")
    assert turn.outcome != "answer" or "left open" in rules(turn)


def test_a_model_that_looks_such_a_period_up_gets_the_calculation(graph: Graph) -> None:
    looked_up = ("query_kg", {"property": "net revenue", "filters": {"period": "Q2 2024"}, "name": "q2"})
    turn = Session(graph, ScriptedBackend([says(looked_up, answers("q2"))])).ask("revenue of the second quarter?")
    assert (turn.number, rules(turn)) == (Decimal(500), ["period follows"])
    assert turn.answer is not None and turn.answer.period == "2024-Q2"
    assert turn.facts_under() == ("t1r1c2", "t1r1c1")


def test_a_model_that_looks_up_what_does_not_flow_is_told_why(graph: Graph) -> None:
    looked_up = ("query_kg", {"property": "effective tax rate", "filters": {"period": "Q2 2024"}, "name": "q2"})
    backend = ScriptedBackend([says(looked_up), says(answers("t1r3c2"))])
    Session(graph, backend).ask("tax rate of the second quarter?")
    assert "cannot be had from other periods: it is in percent" in backend.requests[1].exchanges[0].results[0].content


@pytest.mark.parametrize("strategy", ["tools", "plan"])
def test_a_difference_that_a_model_makes_itself_is_known_for_the_period_it_is(graph: Graph, strategy: str) -> None:
    steps = [
        {"action": "extract_value", "fact": "t1r1c2"},
        {"action": "extract_value", "fact": "t1r1c1"},
        {"action": "compute", "operation": "subtract", "operands": [{"step": 1}, {"step": 2}]},
    ]
    reply = {
        "tools": says(calculates("d", "subtract", "t1r1c2", "t1r1c1"), answers("d")),
        "plan": says(("plan", {"thought": "x", "steps": steps})),
    }[strategy]
    turn = Session(graph, ScriptedBackend([reply]), Settings(strategy=strategy)).ask("and the second quarter?")
    assert turn.answer is not None and turn.answer.period == "2024-Q2"
    assert rules(turn) == ["period follows"]


def test_a_difference_of_what_does_not_flow_is_flagged(graph: Graph) -> None:
    reply = says(calculates("d", "subtract", "t1r2c2", "t1r2c1"), answers("d"))
    turn = Session(graph, ScriptedBackend([reply])).ask("earnings per share of the second quarter?")
    assert rules(turn) == ["no flow", "period follows"]


def test_a_change_between_two_years_is_of_no_period_of_its_own(graph: Graph) -> None:
    reply = says(calculates("d", "subtract", "t1r1c2", "t1r1c3"), answers("d"))
    turn = Session(graph, ScriptedBackend([reply])).ask("by how much did revenue of six months grow?")
    assert (turn.number, rules(turn)) == (Decimal(100), [])


QUARTERS = [Span(date(2023, month, 1), date(2023, month + 3, 1)) for month in (1, 4, 7)]
FISCAL = Span(date(2023, 10, 1), date(2024, 9, 29))


def test_the_fourth_quarter_follows_from_the_year_and_nine_months_or_three_quarters() -> None:
    year, nine = Span(date(2023, 1, 1), date(2024, 1, 1)), Span(date(2023, 1, 1), date(2023, 10, 1))
    fourth = Span(date(2023, 10, 1), date(2024, 1, 1))
    assert path([year, nine, *QUARTERS], fourth) == ((1, False), (0, True))
    assert sorted(path([year, *QUARTERS], fourth)) == [(0, True), (1, False), (2, False), (3, False)]
    assert path([year, *QUARTERS[:2]], fourth) == ()


def test_a_quarter_is_of_the_fiscal_year_wherever_that_begins() -> None:
    wanted = read_wanted("the fourth quarter of fiscal 2024")
    assert wanted == Wanted("fourth quarter of fiscal 2024", 4, 2024)
    nine = Span(date(2023, 10, 1), date(2024, 6, 30))
    (days,) = wanted.spans([FISCAL, nine])
    assert path([FISCAL, nine], days) == ((1, False), (0, True))


@pytest.mark.parametrize(
    "text", ["2024", "what was revenue in 2024?", "fiscal 2024", "at June 30, 2024", "the last year"]
)
def test_a_year_or_a_day_is_no_part_of_a_year(text: str) -> None:
    assert read_wanted(text) is None


@given(st.lists(st.integers(0, 11), min_size=2, max_size=12, unique=True), st.data())
def test_spans_found_on_the_way_always_come_to_the_one_that_is_wanted(months: list[int], data: st.DataObject) -> None:
    days = [date(2023, month + 1, 1) for month in sorted(months)]
    pairs = [(one, other) for one in days for other in days if one < other]
    known = [Span(*pair) for pair in data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=6, unique=True))]
    wanted = Span(*data.draw(st.sampled_from(pairs)))
    terms = path(known, wanted)
    total = sum(((known[i].until - known[i].start).days * (1 if added else -1) for i, added in terms), start=0)
    assert not terms or total == (wanted.until - wanted.start).days
    if any(not added for _, added in terms):
        assert together((known[index], added) for index, added in terms) == wanted


def test_the_first_quarter_follows_from_a_quarterly_report_as_filed_also_where_the_year_begins_in_october(
    shared: Path,
) -> None:
    path = shared.parent / "reports" / "xlsx" / "AAPL_FY2025Q2_10Q_Financial_Report.xlsx"
    (report,) = read_conversations(path)
    facts = build(report.document, default_ontology(None)[0]).facts()
    wanted = read_wanted("the first quarter of fiscal 2025")
    assert wanted is not None
    made = derive([fact for fact in facts if fact.label == "Operating income"], wanted)
    assert made is not None
    assert [fact.raw for fact in made.facts] == ["72,421", "29,589"]
    assert made.wanted == Span(date(2024, 9, 29), date(2024, 12, 29))
    with pytest.raises(ToolError, match="USD/share"):
        derive([fact for fact in facts if fact.label == "Diluted (in dollars per share)"], wanted)
