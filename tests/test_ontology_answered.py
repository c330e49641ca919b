"""What a page answers in words: the part of a sentence that says why, how, what of, or what a table shows."""

from __future__ import annotations

import pytest

from tieout.ontology.asked.answered import answered_in

PAGE = [
    "The following table sets forth, for the years shown, the harvest of each orchard (in tons):",
    "Harbour fees increased 12% in 2021 mainly due to longer stays. The increase in 2020 was driven by new berths.",
    "Moorings comprise buoys and piers, see note 4.",
    "Dredging costs, which fell in both years, consist primarily of fuel, crews and hired barges.",
    "Tide levels are measured by comparison against the northern gauge, while winds are measured at the pier.",
    "We define idle berth days as days without a ship divided by all days.",
    "The pier's insurance is renewed on an annual basis.",
    "(1) Includes ropes, chains and anchors.",
    "(2) Excludes the lighthouse.",
    "Unsold fish is classified as waste.",
    "Ferry income fell in 2021. The decline was caused by storms.",
]
MARKED = {"1": "Gear", "2": "Towers"}


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what does the table show", "for the years shown, the harvest of each orchard (in tons)"),
        ("why did harbour fees increase in 2021", "mainly due to longer stays"),
        ("what was the primary reason for the increase in harbour fees in 2021", "longer stays"),
        ("what led to the decline in ferry income", "storms"),
        ("what was the increase in harbour fees in 2020 driven by", "new berths"),
        ("what do moorings comprise", "buoys and piers"),
        ("what do dredging costs include", "fuel, crews and hired barges"),
        ("how are tide levels measured", "by comparison against the northern gauge"),
        ("how does the company define idle berth days", "as days without a ship divided by all days"),
        ("how often is the pier's insurance renewed", "on an annual basis"),
        ("what is included in gear", "Includes ropes, chains and anchors"),
        ("what is excluded from towers", "Excludes the lighthouse"),
        ("what is unsold fish classified as", "waste"),
    ],
)
def test_the_part_of_a_sentence_that_says_what_is_asked_is_the_answer(question, answer) -> None:
    found = answered_in(question, PAGE, MARKED)
    assert found is not None
    assert found[0] == answer
    assert found[1] < 0.9, "it is told with doubt"


@pytest.mark.parametrize(
    "question",
    ["what was the total amount due", "what does the lighthouse keeper earn", "what were harbour fees in 2021", "why"],
)
def test_what_is_asked_for_otherwise_or_said_nowhere_is_not_answered_in_words(question) -> None:
    assert answered_in(question, PAGE, MARKED) is None
