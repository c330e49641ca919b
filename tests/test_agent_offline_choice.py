"""Which answer is given in a conversation, and which words of a later question are asked back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_agent_offline_backend import graph

from tieout.agent.offline import backend
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.offline.ranking.left import never_said
from tieout.agent.offline.ranking.reader import WholeReader
from tieout.agent.question.read import read_question
from tieout.agent.session import Session
from tieout.kg.page import Page
from tieout.kg.store.graph import Graph


@pytest.fixture(scope="module")
def income() -> Graph:
    return graph(
        ("( in millions )", "2013", "2012"),
        ("net sales", "$ 4391.0", "$ 4480.5"),
        ("cost of sales", "2810.2", "2876.5"),
        ("interest expense", "57.0", "59.9"),
    )


def last(graph: Graph, *questions: str):
    session = Session(graph, OfflineBackend())
    return [session.ask(question) for question in questions][-1]


@pytest.mark.parametrize("question", ["and in germany?", "and what was the ebitda in 2012?", "and per employee?"])
def test_a_later_question_with_a_noun_that_nothing_knows_is_asked_back_with_the_word(income, question) -> None:
    turn = last(income, "what were the net sales in 2013?", question)
    word = question.rstrip("?").split()[-3 if "ebitda" in question else -1]
    assert turn.clarification is not None
    assert repr(word) in turn.clarification.question


@pytest.mark.parametrize(
    "question", ["what is that divided by 100?", "and the same for 2012?", "and 2012 specifically?"]
)
def test_a_later_question_that_only_says_how_is_answered_without_a_word_of_it(income, question) -> None:
    turn = last(income, "what were the net sales in 2013?", question)
    assert turn.outcome == "answer"
    assert not [flag for flag in turn.flags if "no figure that was found" in flag.message]


@pytest.fixture(scope="module")
def mills() -> Graph:
    return graph(
        ("( in millions )", "2013", "2012"),
        ("alder mills", "$ 4391.0", "$ 4480.5"),
        ("birch pipes", "2810.2", "2876.5"),
    )


@pytest.mark.parametrize(
    ("question", "is_weighed"),
    [("what were the zirconia gondolas of alder mills?", False), ("what was the price of alder mills?", True)],
)
def test_a_first_question_with_a_noun_that_nothing_knows_is_asked_back_unweighed(
    mills, monkeypatch, question, is_weighed
) -> None:
    chosen: list[object] = []
    monkeypatch.setattr(OfflineBackend, "choose", lambda *given: chosen.append(given))
    assert Session(mills, OfflineBackend()).ask(question).clarification is not None
    assert bool(chosen) is is_weighed


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("what were the gondolas of alder mills?", ("gondolas",)),
        ("what was the restated price of alder mills?", ("restated", "price")),  # neither verbs alone nor measures
        ("what was restated for alder mills?", ()),
        ("what was the price of alder mills?", ()),
        ("what was the price?", ("price",)),
        ("how did gondolas do in the third quarter of 2013?", ()),  # may be reckoned
    ],
)
def test_words_that_nothing_knows_are_told_at_once_unless_an_answer_may_leave_them(mills, question, unknown) -> None:
    assert never_said(read_question(question), WholeReader(Page(mills.facts()), ())) == unknown
    assert never_said(read_question(question), WholeReader(Page(mills.facts()), ("It sold gondolas.",))) == ()


@given(st.lists(st.sampled_from("gondola zirconia restated quickly mills alder pipes price of in 2013".split())))
def test_what_is_asked_back_unweighed_is_what_comes_of_it_weighed(mills, said) -> None:
    question = f"what was the {' '.join(said)}?"
    turn = last(mills, question)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backend, "never_said", lambda *_: ())
        weighed = last(mills, question)
    assert turn.clarification == weighed.clarification
    assert (turn.text, turn.probability) == (weighed.text, weighed.probability)


@pytest.fixture(scope="module")
def months() -> Graph:
    return graph(
        ("( in lakhs of rupees )", "Jan-25", "Feb-25", "Mar-25", "Q1 2025"),
        ("sales", "412.0", "389.5", "456.1", "1257.6"),
        ("net profit", "61.5", "28.1", "89.0", "178.6"),
    )


@pytest.mark.parametrize(("question", "right"), [("highest", "Mar-25"), ("lowest", "Feb-25")])
def test_a_month_is_named_as_printed_and_no_quarter_is_taken_for_one(months, question, right) -> None:
    turn = last(months, f"in which month was net profit {question}?")
    assert turn.outcome == "answer"
    assert right in f"{turn.text} {turn.clarification}" + " ".join(flag.message for flag in turn.flags)


def test_an_amount_in_lakhs_is_shown_in_lakhs(months) -> None:
    assert "₹61.5 lakh" in last(months, "what was net profit in Jan-25?").text


def test_readings_say_what_their_figures_stand_under() -> None:
    page = graph(
        ("", "2024 average balance", "2024 total", "2023 total"),
        ("deposits", "412.0", "389.5", "456.1"),
        ("loans", "61.5", "28.1", "89.0"),
    )
    found = last(page, "what were loans in 2024?")
    said = f"{found.understanding} {[flag.message for flag in found.flags]}"
    assert "loans (2024 total)" in said and "loans (2024 average balance)" in said


@pytest.mark.parametrize("question", ["what is 2+2?", "2013年の売上高は？", "Is it a good investment?"])
def test_a_first_question_for_nothing_that_a_report_has_is_asked_back(question) -> None:
    page = graph(
        ("( in millions )", "2013", "2012"),
        ("net sales", "$ 4391.0", "$ 4480.5"),
        ("investments", "191.5", "170.2"),
        ("interest expense", "57.0", "59.9"),
    )
    assert last(page, question).outcome == "clarify"


def test_a_word_that_a_line_has_which_is_offered_is_not_said_to_be_missing() -> None:
    page = graph(
        ("( in millions )", "2013", "2012"),
        ("Harlow marine", "$ 391.0", "$ 380.5"),
        ("Tarrant inland", "210.2", "276.5"),
        ("sales", "601.2", "657.0"),
    )
    asked = last(page, "Harlow marine adjusted sales").clarification
    assert asked is not None and "Harlow marine" in asked.options
    assert asked.question.startswith("Nothing that was found accounts for 'adjusted'.")


def test_a_figure_of_many_rows_of_one_time_is_not_told_for_the_sum_of_them() -> None:
    rows = [(f"2023-01-{1 + at % 9:02d}", str(50 + at * 37 % 211)) for at in range(60)]
    page = graph(("date", "sales"), *rows)
    for question in ("what were sales on 2023-01-05?", "total sales"):
        asked = last(page, question).clarification
        assert asked is not None and "--data" in asked.question
    once = graph(
        ("date", "sales"), *[(f"2023-{1 + at // 28:02d}-{1 + at % 28:02d}", row[1]) for at, row in enumerate(rows)]
    )
    assert last(once, "what were the highest sales?").outcome == "answer"
