"""Signs: a bracketed amount in a row that says loss or expense has two readings, and one that says both has one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.printed.sign import measured

TAKEN_AWAY = {
    "Net loss": "loss",
    "Interest expense": "expense",
    "Less: accumulated depreciation": "depreciation",
    "Purchases of property and equipment": "purchases",
    "Repayments of long-term debt": "repayments",
    "Dividends paid": "dividends",
    "Basic and diluted net loss per share": "loss",
    "Provision for income taxes": "provision",
    "Cost of revenues": "cost",
    "cost of sales": "cost",
}
EITHER_WAY = [
    "Net income (loss)",
    "Other income (expense), net",
    "Gain (loss) on sale",
    "(Increase) decrease in receivables",
    "Provision (benefit) for income taxes",
    "Income before interest expense",
    "Net cash used in investing activities",
    "Changes in accrued expenses",
    "Net sales",
    "",
]


@pytest.mark.parametrize("label", TAKEN_AWAY)
def test_a_negative_amount_of_what_is_taken_away_measures_a_positive_one(label: str) -> None:
    assert measured(Decimal("-12.50"), label) == (Decimal("12.50"), TAKEN_AWAY[label])


@pytest.mark.parametrize("label", EITHER_WAY)
def test_where_the_sign_tells_which_of_two_it_is_there_is_one_reading(label: str) -> None:
    assert measured(Decimal(-5), label) is None


@given(st.decimals(min_value=0, allow_nan=False, allow_infinity=False), st.text(max_size=60))
def test_an_amount_that_is_not_negative_is_what_it_measures(value: Decimal, label: str) -> None:
    assert measured(value, label) is None
    assert measured(value, "net loss") is None
