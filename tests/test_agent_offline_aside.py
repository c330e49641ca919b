"""What stands beside a figure that is told, offline: another question behind it, another line of its name, other things
than are asked for."""

from __future__ import annotations

import pytest
from test_agent_offline_lines import ask
from test_agent_offline_sort import SEGMENTS
from test_agent_offline_sort import ask as ask_in_talk

from tieout.data.document import Table
from tieout.kg.lineup import Parts
from tieout.kg.part_kinds import without

QUARTERS = ("(dollars in millions)", "Three months ended June 30, 2024", "Three months ended June 30, 2023")
DAYS = ("(dollars in millions)", "June 30, 2024", "December 31, 2023")
INCOME = Table(
    rows=(
        QUARTERS,
        ("Net sales", "612.5", "588.1"),
        ("Operating income", "92.0", "95.2"),
        ("Income before taxes", "80.0", "81.0"),
        ("Income taxes", "20.0", "21.0"),
        ("Net income", "60.0", "60.0"),
        ("Net income attributable to noncontrolling interests", "14.0", "15.0"),
        ("Net income attributable to Harrow Mutual", "46.0", "45.0"),
    ),
    title="Consolidated Statements of Income",
)
BALANCES = Table(
    rows=(
        DAYS,
        ("Cash", "33.0", "31.0"),
        ("Total assets", "200.0", "190.0"),
        ("Deferred revenue", "83.7", "76.4"),
        ("Total current liabilities", "83.7", "76.4"),
        ("Deferred revenue, net of current portion", "9.3", "8.0"),
        ("Total liabilities", "93.0", "84.4"),
        ("Equity", "107.0", "105.6"),
        ("Total liabilities and equity", "200.0", "190.0"),
    ),
    title="Consolidated Balance Sheets",
)
LOSS = Table(rows=(QUARTERS, ("Loss on early repayment of notes", "—", "—")), title="Debt")
GOODWILL = Table(
    rows=(DAYS, ("Goodwill", "49.2", "48.0"), ("Trade names", "3.0", "4.0")),
    title="Goodwill and other intangible assets",
)
BRANDS = "In the year 2024 the ferry doll is sold at home and abroad, and it is one of our seventeen unique brands."


@pytest.mark.parametrize(
    ("question", "first", "then"),
    [
        (
            "What were net sales in the quarter and was operating income lower than a year before?",
            "$612.5 million",
            "yes",
        ),
        ("What were net sales in the quarter, and is operating income higher than a year ago?", "$612.5 million", "no"),
        ("How much was operating income in the quarter and is it more than income taxes?", "$92 million", "yes"),
    ],
)
def test_what_is_claimed_behind_a_question_is_asked_by_itself(question: str, first: str, then: str) -> None:
    text = ask(question, INCOME).text or ""
    assert first in text
    assert text.split()[-1] == then


def test_the_line_with_the_very_words_of_a_question_is_told_and_that_of_the_owners_where_these_are_asked_for() -> None:
    for question in ("net income?", "net income in the second quarter of 2024"):
        turn = ask(question, INCOME)
        assert (turn.text, turn.flags[-1].rule) == ("$60 million", "not certain")
        assert "attributable to Harrow Mutual" in turn.flags[-1].message
    for question in ("How did it do in the quarter, net income or loss?", "net income or net loss in the quarter"):
        assert ask(question, INCOME, LOSS).text == "$60 million"
    for question in ("GAAP net income?", "net income attributable to Harrow Mutual"):
        assert ask(question, INCOME).text == "$46 million"


def test_deferred_revenue_in_total_is_that_which_is_current_and_that_which_is_not() -> None:
    assert ask("total deferred revenue at June 30, 2024?", BALANCES).text == "$93 million"
    assert ask("deferred revenue at June 30, 2024?", BALANCES).text == "$83.7 million"


@pytest.mark.parametrize(
    "question", ["How much goodwill does each of the segments have?", "goodwill by segment, June 30, 2024"]
)
def test_one_figure_is_none_of_each_segment(question: str) -> None:
    turn = ask(question, GOODWILL)
    assert turn.text is None or "left open" in [flag.rule for flag in turn.flags]


def test_a_number_of_other_things_is_no_more_than_a_guess() -> None:
    turn = ask_in_talk(SEGMENTS, "how many ferry dolls were sold in 2024?", text=BRANDS)[0]
    assert turn.text is None or "unsure" in [flag.rule for flag in turn.flags]


def test_the_places_at_home_are_in_no_other_country() -> None:
    names = ("Albany, NY", "India", "Boise, ID")
    parts = Parts([None] * len(names), names)  # type: ignore[list-item]
    kept = without(parts, [""] * len(names), (), "three largest united states locations", is_abroad=False)
    assert tuple(kept.names) == ("Albany, NY", "Boise, ID")
