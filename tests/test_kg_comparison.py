"""Amounts that others are compared with do not lend their period to those, nor take it from them."""

from __future__ import annotations

import pytest

from tieout.kg.drafts.sentences.text import read_sentences


def dated(*sentences: str) -> list[tuple[str, str | None]]:
    """The amounts of a paragraph of a report that measure something, with the keys of their periods."""
    found = [mention for each in read_sentences([" ".join(sentences)]) for mention in each.mentions]
    units = ("calendar year", "date part", "reference")
    return [
        (str(each.amount.value), each.period.key if each.period else None)
        for each in found
        if each.amount.unit not in units
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Capital expenditure was £64.3 million (2023: £51.8 million).", [("64.3", None), ("51.8", "2023")]),
        ("In 2024 we had 3,912 staff (2023: 3,870).", [("3912", "2024"), ("3870", "2023")]),
        (
            "Net sales rose to $318.4 million, compared with $296.1 million in the first quarter of 2024.",
            [("318.4", None), ("296.1", "2024-Q1")],
        ),
        ("The load factor rose to 71.4% from 68.9%.", [("71.4", None), ("68.9", None)]),
        ("In 2024 the load factor rose to 71.4% from 68.9%.", [("71.4", "2024"), ("68.9", None)]),
        (
            "ARR was $371.5 million at June 30, 2025, up from $310.2 million a year ago.",
            [("371.5", "2025-06-30"), ("310.2", "2024-06-30")],
        ),
        ("Sales grew from $20 million to $25 million in 2024.", [("20", None), ("25", "2024")]),
        ("In 2024 rates ranged from 5% to 10%.", [("5", "2024"), ("10", "2024")]),
        ("Income for 2001 was $230 million compared to $213 million for 2000.", [("230", "2001"), ("213", "2000")]),
        ("Rent was $5 million in 2024 and $4 million in the prior year.", [("5", "2024"), ("4", "2023")]),
    ],
)
def test_an_amount_has_the_period_that_is_said_of_it(sentence: str, expected: list[tuple[str, str | None]]) -> None:
    assert dated(sentence) == expected


def test_the_period_of_what_is_compared_with_does_not_stand_for_the_next_sentence() -> None:
    first = "Capital expenditure was $64.3 million (2023: $51.8 million)."
    assert dated(first, "The load factor rose to 71.4% from 68.9%.")[2:] == [("71.4", None), ("68.9", None)]
    first = "In 2024 capital expenditure was $64.3 million (2023: $51.8 million)."
    assert dated(first, "The load factor rose to 71.4% from 68.9%.")[2:] == [("71.4", "2024"), ("68.9", None)]
