"""What a question says of how to answer it is no part of what it asks."""

from __future__ import annotations

from decimal import Decimal

import pytest
from filed import opened
from hypothesis import given
from hypothesis import strategies as st
from test_agent_offline_lines import ask

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Table
from tieout.ontology.asked.definition import read_definitions
from tieout.ontology.asked.wish import asked_part, defines
from tieout.ontology.metrics.formula import Apply, Operand

ASKED = "what was revenue in 2024?"


@pytest.mark.parametrize(
    "question",
    [
        f"{ASKED} Answer in USD millions.",
        f"{ASKED} Please give a response by relying on the details shown in the income statement.",
        f"Assume that you are an analyst. Using only the information within the statement of income, {ASKED}",
        f"According to the details clearly outlined within the annual report, {ASKED} Round it to two decimals.",
        f"Answer the following question by primarily using the balance sheet: {ASKED}",
        "what was revenue (in USD millions) in 2024?",
        "what was unadjusted revenue in 2024, rounded to one decimal place?",
    ],
)
def test_what_is_said_of_the_answer_is_left_out(question: str) -> None:
    assert " ".join(asked_part(question).replace(" ?", "?").split()).lower() == ASKED


@pytest.mark.parametrize(
    "question", ["net income", "Show net income.", "Give me revenue for 2024.", "by how much?", ""]
)
def test_a_question_of_one_sentence_stays_as_it_is(question: str) -> None:
    assert asked_part(question) == question


def test_percent_that_is_asked_for_in_an_instruction_is_kept() -> None:
    assert "percent" in asked_part("what was the change in revenue (in units of percents)?")
    session = Session(opened("brightmoor"), OfflineBackend())
    turn = session.ask("What is the change in revenue from 2023 to 2024? Answer in units of percents.")
    assert turn.text == "8.4%"


def test_a_term_that_the_question_itself_defines_is_flagged() -> None:
    assert defines("What is FCF? FCF is defined as: (cash from operations - capex).") and not defines("what is FCF?")
    told = Session(opened("brightmoor"), OfflineBackend()).ask(
        "What was free cash flow in 2024? Define free cash flow as cash from operations less twice capex."
    )
    assert told.text is not None and told.flags


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (  # 365 * (244 + 222) / 2 / (1,860 + 316 - 292)
            "What was the DPO in FY2024? DPO is defined as: 365 * (average accounts payable between FY2023 and FY2024)"
            " / (FY2024 COGS + change in inventory between FY2023 and FY2024).",
            "45.14",
        ),
        (  # terms that are defined one behind the other: 365 * 292 / 1,860 - 365 * 244 / 1,860
            "What was the CCC in 2024? Define CCC as DIO less DPO. DIO is here defined as 365 times beginning inventory"
            " divided by cost of sales. Define DPO as 365 * accounts payable / COGS.",
            "9.42",
        ),
        ("Free cash flow in 2024? Define it as cash from operations minus capex.", None),
        ("What was FCF in 2024? FCF is defined as cash from operations minus capex less dividends.", "$395 million"),
        (
            "What was gross margin in 2024? Define gross margin as (revenue less COGS less inventory) / revenue.",
            "33.7%",
        ),
    ],
)
def test_a_calculation_with_which_a_question_defines_a_term_takes_the_place_of_ours(question, told) -> None:
    turn = Session(opened("brightmoor"), OfflineBackend()).ask(question)
    assert (turn.flags or turn.outcome == "clarify") if told is None else (turn.text, turn.flags) == (told, ())


@given(st.text(max_size=200))
def test_any_text_leaves_something_to_ask_and_defines_a_term_as_a_calculation_or_not_at_all(text: str) -> None:
    assert asked_part(text).strip() or not text.strip()
    made = read_definitions(f"What was DPO in 2024? DPO is defined as {text}").values()
    assert all(isinstance(each, (Apply, Operand, Decimal)) for each in made)


def test_a_line_that_is_known_as_another_stands_for_no_like_one() -> None:
    rows = (
        ("(dollars in millions)", "2024", "2023"),
        ("Total operating revenues", "99", "90"),
        ("Fuel", "20", "18"),
        ("Net income", "30", "28"),
    )
    turn = ask("what was the gross margin in 2024?", Table(rows=rows, title="Statements of Income"))
    assert turn.outcome == "clarify"


def test_a_rate_is_no_amount_of_the_same_row() -> None:
    rows = (
        ("(dollars in millions)", "Income before taxes 2024", "Income tax expense 2024", "Effective tax rate 2024"),
        ("Effective tax rate", "$ 210", "$ 42", "20.0%"),
    )
    turn = ask("what was the effective tax rate in 2024?", Table(rows=rows, title="Income Taxes"))
    assert turn.text == "20%"


def test_a_metric_that_a_report_prints_as_its_own_is_taken_before_what_it_is_made_of_and_dollars_are_no_rate() -> None:
    rows = (
        ("(dollars in millions)", "2024", "2023"),
        ("Net cash from operating activities", "$ 640", "$ 600"),
        ("Capital expenditures", "(148)", "(120)"),
        ("Disposals", "20", "10"),
        ("Free cash flow (Non-GAAP)", "$ 512", "$ 490"),
    )
    table = Table(rows=rows, title="Free Cash Flow")
    assert ask("what was free cash flow in 2024?", table).text == "$512 million"
    assert ask("by how many dollars did free cash flow grow in 2024?", table).text == "$22 million"
