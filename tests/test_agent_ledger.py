"""The ledger: entries never change, every number has a way down to where it came from."""

from __future__ import annotations

from decimal import Decimal

import pytest
from pydantic import ValidationError

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.ledger import (
    Entry,
    FromConstant,
    FromFact,
    FromOperation,
    FromPrior,
    Ledger,
    Source,
    Ungrounded,
)
from tieout.agent.protocol.tool import ToolError
from tieout.data.arithmetic.operations import find

D = Decimal


def entry(name: str, value: str, unit: str | None = "USD", scale: int = 1, source: Source | None = None) -> Entry:
    fact = FromFact(fact=name, raw=value, label=name, place="sentence 1")
    return Entry(name=name, value=D(value), unit=unit, scale=scale, about=name, source=source or fact)


def filled(*entries: Entry) -> Ledger:
    ledger = Ledger()
    for each in entries:
        ledger.add(each)
    return ledger


def calculated(ledger: Ledger, operation: str, *names: str, name: str | None = None) -> Entry:
    return calculate(ledger, find(operation), [ledger[each] for each in names], name)


def test_an_entry_cannot_be_changed() -> None:
    with pytest.raises(ValidationError):
        entry("a", "1").value = D(2)  # type: ignore[misc]


def test_a_name_stands_for_one_thing_only() -> None:
    ledger = filled(entry("a", "1"))
    assert ledger.add(entry("a", "1")) == ledger["a"]
    with pytest.raises(ToolError, match="the name 'a' is taken"):
        ledger.add(entry("a", "2"))


def test_a_percentage_is_compared_as_its_decimal_and_stays_as_printed() -> None:
    printed = entry("a", "27", "percent")
    assert printed.value == 27
    assert printed.as_number() == D("0.27")
    assert entry("b", "2.2", "USD", 10**9).as_number() == D("2.2")


def test_a_percentage_of_forty_digits_keeps_them_all() -> None:
    digits = "1234567890123456789012345678901234567891"
    assert entry("a", digits, "percent").as_number() == D(f"{digits[:-2]}.{digits[-2:]}")


def test_percentages_enter_a_calculation_as_decimals_by_a_step_that_can_be_seen() -> None:
    ledger = filled(entry("sales", "200", "USD", 10**6), entry("margin", "35", "percent"))
    profit = calculated(ledger, "multiply", "margin", "sales")
    assert (profit.value, profit.unit, profit.scale) == (D(70), "USD", 10**6)
    assert profit.source == FromOperation(operation="multiply", operands=("margin_as_decimal", "sales"))
    assert ledger["margin_as_decimal"].source == FromOperation(operation="as_decimal", operands=("margin",))


def test_different_scales_are_brought_to_one_by_a_step_that_can_be_seen() -> None:
    ledger = filled(entry("big", "2.2", "USD", 10**9), entry("small", "325", "USD", 10**6))
    both = calculated(ledger, "add", "big", "small")
    assert (both.value, both.scale) == (D(2525), 10**6)
    assert [step.entry.name for step in ledger.way_to(both.name)] == ["big", "big_in_millions", "small", both.name]


def test_a_number_without_a_stated_scale_is_taken_as_it_stands() -> None:
    ledger = filled(entry("sales", "200", "USD", 10**6), entry("more", "50", None))
    total = calculated(ledger, "add", "sales", "more")
    assert (total.value, total.unit, total.scale) == (D(250), "USD", 10**6)


def test_a_plain_number_takes_the_scale_of_the_amount_beside_it() -> None:
    two = entry("const_2", "2", "ratio", source=FromConstant(meaning="two"))
    ledger = filled(two, entry("bonds", "100", "USD", 10**6))
    total = calculated(ledger, "add", "const_2", "bonds")
    assert (total.value, total.scale) == (D(102), 10**6)


def test_a_conversion_never_takes_a_name_that_is_taken() -> None:
    ledger = filled(entry("a", "27", "percent"), entry("a_as_decimal", "9"), entry("b", "2", None))
    assert calculated(ledger, "multiply", "a", "b").value == D("0.54")
    assert ledger["a_as_decimal"].value == 9


def test_a_plain_exponent_or_number_of_years_is_not_brought_to_a_scale() -> None:
    ledger = filled(entry("a", "100", "USD", 1000), entry("b", "121", "USD", 1000), entry("n", "2", "years"))
    rate = calculated(ledger, "cagr", "a", "b", "n")
    assert (rate.value, rate.unit, rate.scale) == (D("0.1"), "rate", 1)
    assert len(ledger) == 4


def test_a_conversion_says_its_scale_and_loses_no_digit() -> None:
    ledger = filled(entry("a", "1234567890123456789.0123456789012345678", "USD", 1000))
    full = calculated(ledger, "in_units", "a")
    assert (full.value, full.scale) == (D("1234567890123456789012.3456789012345678"), 1)


def test_a_truth_cannot_be_calculated_with() -> None:
    ledger = filled(entry("a", "1"), entry("b", "2"))
    calculated(ledger, "greater", "a", "b", name="more")
    with pytest.raises(ToolError, match="add: 'more' is no, not a number"):
        calculated(ledger, "add", "more", "a")


def test_period_and_subject_carry_over_where_all_operands_share_them() -> None:
    ledger = Ledger()
    for name, period in (("a", "2007"), ("b", "2007"), ("c", "2006")):
        ledger.add(entry(name, "1").model_copy(update={"period": period, "about": "net sales"}))
    same_year = calculated(ledger, "add", "a", "b")
    assert (same_year.period, same_year.about) == ("2007", "net sales")
    assert calculated(ledger, "add", "a", "c").period is None


def test_the_way_leads_through_answers_of_earlier_turns() -> None:
    first = filled(entry("new", "60.94"), entry("old", "25.14"))
    calculated(first, "subtract", "new", "old", name="change")
    second = Ledger([first])
    second.add(entry("prev_1", "35.80", source=FromPrior(turn=0, entry="change")))
    second.add(entry("old", "25.14"))
    calculated(second, "divide", "prev_1", "old", name="rate")
    way = second.way_to("rate")
    assert [(step.turn, step.entry.name) for step in way] == [
        (0, "new"),
        (0, "old"),
        (0, "change"),
        (1, "prev_1"),
        (1, "old"),
        (1, "rate"),
    ]
    assert second.facts_under("rate") == ("new", "old")


def test_a_way_that_doubles_at_every_step_is_walked_once() -> None:
    ledger = filled(entry("x0", "1"))
    for number in range(1, 200):
        calculated(ledger, "add", f"x{number - 1}", f"x{number - 1}", name=f"x{number}")
    assert len(ledger.way_to("x199")) == 200


def test_a_very_long_way_does_not_end_in_a_recursion_error() -> None:
    ledger = filled(entry("x0", "1"), entry("one", "1"))
    for number in range(1, 3000):
        calculated(ledger, "add", f"x{number - 1}", "one", name=f"x{number}")
    assert len(ledger.way_to("x2999")) == 3001


def test_ungrounded_numbers_are_listed() -> None:
    constant = entry("const_2", "2", "ratio", source=FromConstant(meaning="two"))
    ledger = filled(constant, entry("typed_7", "7", source=Ungrounded()))
    assert [each.name for each in ledger.ungrounded()] == ["typed_7"]
