"""A percentage is shown as one: by how it was made, or because the question asks for percent."""

from __future__ import annotations

import pytest
from scripted import ScriptedBackend, answers, calculates, says

import tieout
from tieout.agent.session import Session

PAGE = {
    "pre_text": ["( in millions )"],
    "table": [["", "2013", "2012"], ["net sales", "$ 400", "$ 500"], ["operating income", "50", "40"]],
}
QUESTIONS = [
    ("what was the percentage change in net sales from 2012 to 2013?", "-20%"),
    ("what is operating income as a percentage of net sales in 2013?", "12.5%"),
]


@pytest.mark.parametrize(("question", "shown"), QUESTIONS)
def test_what_is_asked_for_in_percent_is_shown_in_percent(question, shown):
    answer = tieout.chat(PAGE).ask(question)
    assert answer.text == shown and answer.unit == "ratio" and abs(answer.number) < 1


def test_a_ratio_that_nobody_asks_for_in_percent_stays_one():
    answer = tieout.chat(PAGE).ask("what is the ratio of operating income to net sales in 2013?")
    assert answer.text == "0.13" and answer.format is None


def test_what_is_made_of_percentages_is_one():
    made = (calculates("fall", "percentage_change", "t1r1c1", "t1r1c2"), calculates("size", "magnitude", "fall"))
    talk = Session(tieout.graph(PAGE), ScriptedBackend([says(*made, answers("size")), says(answers("prev_1"))]))
    assert [talk.ask(question).text for question in ("how far did net sales fall?", "again?")] == ["20%", "20%"]
