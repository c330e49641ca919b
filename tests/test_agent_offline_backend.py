"""The offline backend as a whole: always the same reply, probabilities, no words of single reports in its weights."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from filed import ontology
from plain_questions import PAGE

from tieout.agent.answers.checks.check import CERTAIN, SURE_ENOUGH
from tieout.agent.offline.backend import RIGHT, OfflineBackend
from tieout.agent.offline.calculation.compose import Candidate, pool, possible
from tieout.agent.offline.operands.context import recall
from tieout.agent.offline.operands.grounding import aim
from tieout.agent.offline.ranking.model import WEIGHTS, load_model
from tieout.agent.protocol.message import Card, Request
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.data.arithmetic.chance import along, log_softmax
from tieout.data.document import Document, Table
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.kg.figure import row_roles
from tieout.kg.page import Page
from tieout.kg.store.graph import Graph
from tieout.ontology.asked.words import FUNCTION, stem
from tieout.ontology.model import default_ontology


def graph(*rows: tuple[str, ...], text: str = "") -> Graph:
    tables = (Table(rows=rows),) if rows else ()
    document = Document(id="Single_NONE/2013/page_1.pdf", paragraphs=(text,) if text else (), before=1, tables=tables)
    return build(document, default_ontology(None)[0])


@pytest.fixture(scope="module")
def income() -> Graph:
    return graph(
        ("( in millions )", "2013", "2012"),
        ("net sales", "$ 4391.0", "$ 4480.5"),
        ("cost of sales", "2810.2", "2876.5"),
        ("interest expense", "57.0", "59.9"),
    )


def answers(graph: Graph, *questions: str) -> list[Any]:
    session = Session(graph, OfflineBackend())
    return [session.ask(question).number for question in questions]


def request(graph: Graph, question: str) -> Request:
    card = Card(document_id=graph.document_id, facts=graph.facts(), text="")
    return Request(instructions="", tools=(), card=card, question=question)


def test_a_figure_is_looked_up_by_its_label_and_year(income: Graph) -> None:
    assert answers(income, "what was the interest expense in 2012?") == [Decimal("59.9")]


def test_a_conversation_of_looking_up_and_taking_the_difference_comes_out(income: Graph) -> None:
    asked = ("what were net sales in 2013?", "and in 2012?", "what was the difference between these two values?")
    assert answers(income, *asked)[:2] == [Decimal("4391.0"), Decimal("4480.5")]
    assert answers(income, *asked)[2].copy_abs() == Decimal("89.5")


def test_the_same_request_gets_the_same_reply_from_another_backend(income: Graph) -> None:
    asked = request(income, "what was the change in net sales from 2012 to 2013?")
    assert OfflineBackend().reply(asked) == OfflineBackend().reply(asked)


def test_a_report_without_any_figure_is_answered_by_asking_back() -> None:
    reply = OfflineBackend().reply(request(graph(text="nothing of note ."), "what was net income?"))
    assert [call.tool for call in reply.calls] == ["clarify"]
    assert reply.confidence == 0


@pytest.mark.parametrize(
    ("questions", "said", "offered"),
    [
        (("who is the ceo?",), "chief executive", None),
        (("what were the net vanes in 2013?",), "'vanes'", "net sales"),
        (("what were net sales in 2031?",), "2031", "2013"),
        (("what were net sales in 2013?", "and in 2031?"), "2031", "2013"),
    ],
)
def test_what_the_report_has_nothing_of_is_asked_back_with_what_it_has(
    income: Graph, questions: tuple[str, ...], said: str, offered: str | None
) -> None:
    session = Session(income, OfflineBackend())
    turn = [session.ask(question) for question in questions][-1]
    assert turn.outcome == "clarify"
    assert turn.clarification is not None and said in turn.clarification.question
    assert offered is None or turn.clarification.options[0] == offered


def test_a_word_without_end_is_asked_back_in_short(income: Graph) -> None:
    turn = Session(income, OfflineBackend()).ask(f"what was the {'zqx' * 20_000} in 2013?")
    assert turn.outcome == "clarify" and turn.clarification is not None
    assert len(turn.clarification.question) < 200


def test_the_word_in_front_of_an_amount_and_the_sentence_before_are_known() -> None:
    text = "earnings of 9 stores were moved . income rose from $ 128 million to approximately $ 201 million ."
    views = {view.fact.raw: view for view in Page(graph(text=text).facts()).views}
    assert (views["$ 128 million"].lead, views["$ 201 million"].lead) == ("from", "to")
    assert stem("stores") in views["$ 201 million"].before


def test_a_year_within_a_span_is_one_the_report_has() -> None:
    page = Page(graph(("", "2009 2013 2012", "2013"), ("payments due", "5", "7")).facts())
    assert all(page.tells_of([year]) for year in (2010, 2011, 2013)) and not page.tells_of([2001, 2020])


def test_an_unsure_answer_says_what_else_may_be_meant(income: Graph) -> None:
    flags = [
        flag for flag in Session(income, OfflineBackend()).ask("what is the value?").flags if flag.rule == "unsure"
    ]
    assert len(flags) == 1
    assert re.search(r"may also mean: \w.*\[t1r\dc\d\]", flags[0].message)


@pytest.mark.parametrize("question", ["what were net sales in 2013?", "why?", "?", "what is 5 times 7?", "é" * 900])
def test_confidence_is_a_probability_whatever_is_asked(income: Graph, question: str) -> None:
    reply = OfflineBackend().reply(request(income, question))
    assert reply.confidence is not None
    assert 0 <= reply.confidence <= 1


def test_probabilities_of_readings_fall_and_come_to_one_at_most(income: Graph) -> None:
    page = Page(income.facts())
    readings = load_model().readings(aim(read_question("what was it in 2012?"), recall([], {}, page.known), page), page)
    chances = [reading.probability for reading in readings]
    assert chances == sorted(chances, reverse=True)
    assert 0.9 < sum(chances) < 1 + 1e-9


def test_the_reason_names_the_runner_up_and_the_margin(income: Graph) -> None:
    call = OfflineBackend().reply(request(income, "what were net sales?")).calls[0]
    assert call.tool == "understand"
    assert "Next: " in call.arguments["reasoning"]
    assert "margin" in call.arguments["reasoning"]


def test_candidates_come_in_the_same_order_each_time(income: Graph) -> None:
    page = Page(income.facts())
    goal = aim(read_question("what was the change?"), recall([], {}, page.known), page)
    operands = pool(goal, page, log_softmax([0.0] * len(page.views)))
    made = [[Candidate(*each).value() for each in possible(operands, goal)] for _ in range(2)]
    assert made[0] == made[1]
    assert Decimal("89.5") in made[0]


def test_a_percentage_enters_a_calculation_as_its_decimal() -> None:
    page = Page(graph(("", "2013"), ("tax rate", "35.0%")).facts())
    goal = aim(read_question("what was the tax rate?"), recall([], {}, page.known), page)
    assert Decimal("0.35") in [operand.value for operand in pool(goal, page, [0.0] * len(page.views))]


def test_rows_that_lead_from_one_balance_to_another_have_their_parts() -> None:
    facts = graph(
        ("", "2013", "2012"),
        ("balance at january 1", "10", "8"),
        ("additions", "5", "4"),
        ("settlements", "-3 ( 3 )", "-2 ( 2 )"),
        ("balance at december 31", "12", "10"),
    ).facts()
    roles = row_roles(facts)
    assert [roles[1, row] for row in (1, 2, 3, 4)] == ["opening", "movement", "movement", "closing"]


def test_a_table_of_single_lines_has_no_opening_or_closing_row(income: Graph) -> None:
    assert row_roles(income.facts()) == {}


def test_no_reading_of_a_hostile_question_stops_the_conversation(income: Graph) -> None:
    session = Session(income, OfflineBackend())
    for question in ("99999999999999999999999 divided by 0", "what is 0 / 0?", "in 13/45/99 ?", "{}" * 200):
        assert session.ask(question).outcome in ("answer", "clarify")


def names(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield name
            yield from names(inner)


def test_no_weight_is_named_after_a_year_or_a_figure() -> None:
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    assert len(list(names(weights))) > 500
    assert [name for name in names(weights) if re.search(r"\d{3}", name)] == []


def test_no_weight_is_named_after_a_company_of_the_reports(shared: Path) -> None:
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    found = {word for name in names(weights["cue"]) if name.startswith("word") for word in name.split()[1:]}
    tickers = {
        conversation.id.partition("_")[2].partition("/")[0].lower()
        for path in ("train_100.json", "dev_open.json")
        for conversation in read_conversations(shared / path)
    }
    assert len(tickers) > 50
    assert found & tickers <= FUNCTION


def test_a_word_for_what_is_measured_is_told_beside_a_line_named_in_full_and_any_other_is_asked_back() -> None:
    rows = (("", "2011", "2012"), ("marlow corporation", "100.00", "120.50"), ("industry index", "100.00", "110.20"))
    said = "the table shows what $ 100 invested in 2011 came to :"
    page = Document(id="Single_MRW/2012/page_2.pdf-1", paragraphs=(said,), before=1, tables=(Table(rows=rows),))
    graph = build(page, default_ontology(None)[0])
    turn = Session(graph, OfflineBackend()).ask("what was the price of marlow corporation in 2012?")
    assert turn.number == Decimal("120.50")
    assert "no figure that was found is of 'price'" in [flag.message for flag in turn.flags]
    turn = Session(graph, OfflineBackend()).ask("what was the dividend of marlow corporation in 2012?")
    assert turn.clarification is not None and "'dividend'" in turn.clarification.question


@pytest.mark.parametrize(
    ("question", "operation"),
    [
        ("what was the effective tax rate in 2024?", None),
        ("what was the change in the effective tax rate from 2023 to 2024?", "subtract"),
        ("what was the effective tax rate in 2024 less that in 2023?", "subtract"),
    ],
)
def test_what_was_understood_says_whether_and_how_it_is_calculated(question: str, operation: str | None) -> None:
    understood = Session(build(PAGE, ontology()), OfflineBackend(), document=PAGE).ask(question).understanding
    assert understood is not None
    assert (understood.requires_calculation, understood.operation) == (operation is not None, operation)


@pytest.mark.parametrize("chance", [number / 100 for number in range(101)])
def test_how_often_answers_are_right_moves_none_over_a_bound_of_doubt(chance: float) -> None:
    told = along(RIGHT, chance)
    assert (told < SURE_ENOUGH, told < CERTAIN) == (chance < SURE_ENOUGH, chance < CERTAIN)
    assert told >= along(RIGHT, chance - 0.01)


def test_a_line_through_points_is_level_beyond_them() -> None:
    knots = ((0.2, 0.4), (0.4, 0.5), (0.4, 0.6), (0.8, 0.8))
    assert [round(along(knots, at), 4) for at in (0, 0.3, 0.4, 0.6, 1)] == [0.4, 0.45, 0.6, 0.7, 0.8]
