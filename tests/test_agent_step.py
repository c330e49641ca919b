"""A step with a number, from the answer before or from what a question asks for; times that a question says twice."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest

import tieout
from tieout.agent.offline.answer.in_full import chosen_of
from tieout.agent.offline.answer.reply import reply_of

PAGE = [
    {
        "id": "marrow-page",
        "pre_text": [
            "Marrow Ferries, Inc. ( in millions ) .",
            "The total in the table does not include harbor levies and fines of $ 12 and $ 15 as of December 31 , 2023 "
            "and 2022 , respectively , which are recorded as a part of crew costs .",
        ],
        "post_text": [],
        "tables": [
            {
                "title": "Results",
                "rows": [
                    ["( in millions )", "2023", "2022", "2021"],
                    ["Port costs", "460", "398", "443"],
                    ["Freight revenue", "1,150", "1,000", "920"],
                    ["Parcel freight", "230", "190", "170"],
                ],
            },
        ],
    }
]
BALANCES = [
    {
        "id": "marrow-balances",
        "pre_text": ["The gross liability for uncertain tax positions of Marrow Ferries changed as follows ."],
        "post_text": [],
        "tables": [
            {
                "title": "Gross liability",
                "rows": [
                    ["Balance at January 1, 2022", "$118"],
                    ["Increases in tax positions of the current period", "46"],
                    ["Balance at December 31, 2022", "164"],
                    ["Increases in tax positions of the current period", "40"],
                    ["Balance at December 31, 2023", "$204"],
                ],
            }
        ],
    }
]


@pytest.fixture
def talk(tmp_path):
    def opened(page):
        path = tmp_path / "page.json"
        path.write_text(json.dumps(page), encoding="utf-8")
        return tieout.open(str(path), store=str(tmp_path / "store"))

    return opened


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        (["What were port costs in 2023?", "What is that times 12?"], "5520"),
        (["What were port costs in 2023?", "and divided by 1000?"], "0.46"),
        (["What were port costs in 2023?", "and in 2022?", "What is the difference?", "That difference less 2?"], "60"),
        (["What were port costs in 2023 divided by freight revenue?", "what is that times 100?"], "40"),
        (["What were port costs in 2023 over 1000?"], "0.46"),
        (["What was freight revenue in 2022 times 3?"], "3000"),
    ],
)
def test_a_step_with_a_number_is_taken_from_the_answer_before_or_from_what_is_asked(talk, questions, value):
    page = talk(PAGE)
    for question in questions:
        answer = page.ask(question)
    assert page.session.turns[-1].value == Decimal(value), answer.text


def test_a_limit_is_no_step(talk):
    answer = talk(PAGE).ask("Were port costs in 2023 over 1000?")
    assert answer.text is None or str(answer.text).lower().startswith("no")


def test_what_was_calculated_otherwise_is_not_taken_for_it(talk):
    page = talk(PAGE)
    page.ask("What were port costs in 2023?")
    page.ask("What is that change divided by 100?")
    assert page.session.turns[-1].value != Decimal("4.6")


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        (["What were port costs in 2023?", "And what were they one year earlier, in the end of 2022?"], "398"),
        (["What was freight revenue in 2023?", "And in the previous year, 2022?"], "1000"),
    ],
)
def test_a_time_that_is_said_twice_is_the_one_that_is_named(talk, questions, value):
    page = talk(PAGE)
    for question in questions:
        page.ask(question)
    assert page.session.turns[-1].value == Decimal(value)


def test_a_share_may_follow_the_time_that_it_is_of(talk):
    page = talk(PAGE)
    page.ask("In the year of 2023, what percentage of freight revenue was due to parcel freight?")
    assert page.session.turns[-1].value == Decimal("0.2")


def test_of_a_sentence_for_several_years_the_figure_of_the_year_is_told(talk):
    page = talk(PAGE)
    answer = page.ask(
        "At the end of 2023, what were the levies and fines that weren't included in the total in the table?"
    )
    assert page.session.turns[-1].value == Decimal(12), answer.text


def test_the_first_balance_of_a_year_is_that_of_the_night_before(talk):
    page = talk(BALANCES)
    page.ask("What was the change in the gross liability from 2022 to 2023?")
    assert page.session.turns[-1].value == Decimal(40)
    for time in ("at the beginning of 2022", "in the beginning of 2022", "on January 1, 2022"):
        page = talk(BALANCES)
        page.ask(f"What was the gross liability {time}?")
        assert page.session.turns[-1].value == Decimal(118), time


def test_of_two_things_the_one_without_a_name_is_not_told_to_be_the_larger():
    one = reply_of([("calculate", {"values": ["a", "b"]}), ("answer", {"value": "a"})], 0.9)
    assert chosen_of(one, ["rail", "road"], [Decimal(2), Decimal(1)], "highest") is not None
    assert chosen_of(one, ["", "road"], [Decimal(2), Decimal(1)], "highest") is None


def test_a_year_that_is_part_of_a_name_is_no_time(talk):
    rows = [
        ["", "2020", "2021", "2022", "2023"],
        ["Marrow Ferries", "100.00", "110.50", "151.10", "182.20"],
        ["2023 peer index", "100.00", "127.40", "151.25", "177.25"],
    ]
    title = "Value of $100 invested"
    page = talk([{"id": "marrow-index", "pre_text": [], "post_text": [], "tables": [{"title": title, "rows": rows}]}])
    page.ask("What was the change in the 2023 peer index from 2021 to 2022?")
    assert page.session.turns[-1].value == Decimal("23.85")
