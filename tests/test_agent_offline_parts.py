"""Parts of a year, and changes in percent, offline: what is asked of quarters, and of figures asked for before."""

from __future__ import annotations

from dataclasses import replace

import pytest
from conftest import SAMPLE
from filed import ontology, opened
from test_agent_offline_lines import ask

from tieout.agent.offline.answer.reply import reply_of
from tieout.agent.offline.answer.several import together as in_one_reply
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.data.document import Table
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build

QUARTERLY = Table(
    rows=(
        (
            "(dollars in millions)",
            "Three months ended June 30, 2024",
            "Three months ended June 30, 2023",
            "Six months ended June 30, 2024",
            "Six months ended June 30, 2023",
        ),
        ("Net sales", "52", "48", "101", "96"),
        ("Cost of sales", "30", "29", "60", "57"),
        ("Income before income taxes", "9", "8", "16", "15"),
        ("Income tax expense", "2", "2", "4", "4"),
        ("Net income", "7", "6", "12", "11"),
    ),
    title="Consolidated Statements of Income",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was net income in the three months ended June 30, 2024?", "$7 million"),
        ("ALDER, net income in three months ended June 30, 2024", "$7 million"),
        ("what was revenue in the second quarter of 2023?", "$48 million"),
        ("what was net income in the six months ended June 30, 2023?", "$11 million"),
        ("how did revenue grow in the three months ended June 30, 2024?", "8.3% ($4 million)"),
    ],
)
def test_a_part_of_the_year_is_found_by_its_days_and_never_answered_by_its_length(question: str, answer: str) -> None:
    turn = ask(question, QUARTERLY)
    assert turn.text == answer, turn
    assert {flag.rule for flag in turn.flags} <= {"not certain"}


def test_a_part_of_the_year_that_the_report_lacks_is_asked_back_with_its_days() -> None:
    turn = ask("what was net income in the three months ended September 30, 2024?", QUARTERLY)
    assert turn.outcome == "clarify" and turn.clarification is not None
    assert "2024-07-01 to 2024-09-30" in turn.clarification.question


def test_a_quarter_that_is_not_printed_is_reckoned_from_the_line_of_its_statement() -> None:
    turn = ask("what was revenue in the first quarter of 2024?", QUARTERLY)
    assert turn.text == "$49 million" and [flag.rule for flag in turn.flags] == ["period follows"]


def test_a_quarter_is_known_by_its_number_unless_its_days_are_said() -> None:
    assert read_question("revenue in Q2 2025").when.by_days is False
    assert read_question("revenue in the three months ended June 29, 2025").when.by_days is True
    assert read_question("revenue in 2025").span is None


def conversation(*questions: str) -> str:
    """The answer to the last of some questions to the sample report."""
    session = Session(opened("brightmoor"), OfflineBackend())
    return str([session.ask(question).text for question in questions][-1])


@pytest.mark.parametrize(
    ("last", "answer"),
    [
        ("what was the change?", "$253 million"),
        ("what was the change in percent?", "8.4%"),
        ("by how many percent did it change?", "8.4%"),
        ("by what percentage did it change from 2022?", "8.1%"),
    ],
)
def test_the_change_of_what_was_asked_for_two_years_is_between_these(last: str, answer: str) -> None:
    assert conversation("what was revenue in 2024?", "and in 2023?", last) == answer


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Did revenue increase or decrease in 2024?", "$253 million, rose from $3.029 billion to $3.282 billion"),
        ("Has the current ratio improved or declined between FY2024 and FY2023?", "-0.42, fell from 3.76 to 3.35"),
    ],
)
def test_whether_something_rose_or_fell_is_told_with_both_figures(question: str, answer: str) -> None:
    assert conversation(question) == answer


@pytest.mark.parametrize("last", ["what was the change in percent?", "by how many percent did they change?"])
def test_a_change_in_percent_on_a_page_is_a_rate_of_change(last: str) -> None:
    (page,) = (each for each in read_conversations(SAMPLE / "train.json") if "NORVALE/2011/page_34" in each.id)
    session = Session(build(page.document, ontology()), OfflineBackend())
    turns = [session.ask(each) for each in ("what were net sales in 2011?", "and in 2010?", last)]
    assert turns[-1].text == "8.1%"


def test_the_change_of_a_rate_in_percent_is_in_points() -> None:
    margins = [conversation(f"what was the gross margin in {year}?") for year in (2024, 2022)]
    change = conversation("what was the gross margin in 2024?", "and in 2022?", "what was the change in percent?")
    assert margins == ["43.3%", "43.3%"]
    assert change == "0.057 percentage points"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("net income in the same quarter last year?", "$6 million"),
        ("How did net sales in the three months ended June 30, 2024 compare with a year ago, in percent?", "8.3%"),
        (
            "How many percent did net sales grow in the six months ended June 30, 2024 over the same period last year?",
            "5.2%",
        ),
        ("net income this quarter and in the same quarter last year?", "$7 million; $6 million"),
    ],
)
def test_the_same_part_of_the_year_before_is_meant_or_what_it_is_held_against(question: str, answer: str) -> None:
    turn = ask(question, QUARTERLY)
    assert turn.text is not None
    assert "; ".join(part.rpartition(": ")[2] for part in turn.text.split("; ")) == answer, turn


def test_of_a_list_what_is_not_surely_found_is_told_as_not_answered() -> None:
    asked = read_question("what were revenue, operating income and net income in 2024?")
    chances = {"t1r1c1": 0.97, "t1r2c1": 0.35, "t1r3c1": 0.97}
    replies = [
        reply_of(
            [("understand", {"description": fact}), ("query_kg", {"fact": fact}), ("answer", {"value": fact})], chance
        )
        for fact, chance in chances.items()
    ]
    made = in_one_reply(asked, replies)
    assert made.calls[-1].arguments["values"] == ["t1r1c1", "t1r3c1"]
    assert made.unaccounted == ("'operating income' is not answered: no figure answers it",)
    of_two = in_one_reply(replace(asked, several=asked.several[:2]), replies[:2])
    assert of_two.calls[-1].arguments["values"] == ["t1r1c1", "t1r2c1"] and not of_two.unaccounted
