"""Operations: right to the last digit, and one clear line for whatever arithmetic does not allow."""

from __future__ import annotations

import sys
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tieout.data.arithmetic.operation import OperationError
from tieout.data.arithmetic.operations import OPERATIONS, find, register
from tieout.data.arithmetic.units import (
    Measure,
    difference,
    one_scale,
    product,
    quotient,
    same,
    scale_of_quotient,
    spread_of,
    unscaled,
)

D = Decimal
AMOUNTS = st.decimals(min_value=-(10**12), max_value=10**12, places=4, allow_nan=False)


def run(name: str, *values: str) -> Decimal | bool:
    return find(name).apply([D(value) for value in values])


@pytest.mark.parametrize(
    ("name", "values", "result"),
    [
        ("add", ("0.1", "0.2"), "0.3"),
        ("subtract", ("60.94", "25.14"), "35.80"),
        ("multiply", ("1.10", "3"), "3.3"),
        ("divide", ("1", "8"), "0.125"),
        ("exp", ("2", "-2"), "0.25"),
        ("percentage", ("14", "100"), "0.14"),
        ("percentage_change", ("60", "50"), "0.2"),
        ("sum", ("1", "2", "3.5"), "6.5"),
        ("average", ("1", "2", "6"), "3"),
        ("min", ("3", "-2", "5"), "-2"),
        ("max", ("3", "-2", "5"), "5"),
        ("count", ("3", "3"), "2"),
        ("moving_average", ("1", "2", "4", "2"), "3"),
        ("percentile", ("4", "1", "3", "2", "0.5"), "2.5"),
        ("percentile", ("4", "1", "3", "2", "1"), "4"),
        ("cagr", ("100", "121", "2"), "0.1"),
        ("npv", ("-100", "55", "60.5", "0.1"), "0"),
        ("as_decimal", ("27",), "0.27"),
        ("in_percent", ("0.27",), "27"),
        ("percentage_points", ("0.27", "0.25"), "2"),
        ("magnitude", ("-27",), "27"),
        ("median", ("5", "1", "3"), "3"),
        ("median", ("5", "1", "3", "4"), "3.5"),
        ("range", ("5", "-1", "3"), "6"),
        ("standard_deviation", ("2", "4", "6"), "2"),
        ("rank", ("3", "5", "1", "4"), "3"),
        ("count_above", ("3", "5", "1", "2"), "2"),
        ("count_below", ("3", "5", "1", "2"), "1"),
        ("first_above", ("1", "5", "7", "2"), "5"),
        ("last_below", ("1", "5", "0", "2"), "0"),
    ],
)
def test_each_operation_gives_what_its_name_says(name: str, values: tuple[str, ...], result: str) -> None:
    assert run(name, *values) == D(result)


def test_greater_gives_a_truth() -> None:
    assert run("greater", "2", "1.99") is True
    assert run("greater", "2", "2") is False


def test_division_keeps_far_more_digits_than_an_answer_needs() -> None:
    assert str(run("divide", "1", "3")) == "0." + "3" * 60


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("divide", ("1", "0"), "divide: division by zero"),
        ("percentage_change", ("5", "0"), "percentage_change: division by zero"),
        ("divide", ("0", "0"), "divide is not defined for 0, 0"),
        ("exp", ("2", "101"), "exp: the exponent has to be between -100 and 100, not 101"),
        ("exp", ("-2", "0.5"), "exp is not defined for -2, 0.5"),
        ("exp", ("1" + "0" * 30, "99"), "exp: the result is out of range"),
        ("add", ("1",), "add takes 2 values, not 1"),
        ("as_decimal", ("1", "2"), "as_decimal takes 1 value, not 2"),
        ("average", (), "average takes at least 1 (and at most 64) values, not 0"),
        ("moving_average", ("1", "2", "3"), "moving_average: the window has to be a whole number from 1 to 2, not 3"),
        ("percentile", ("1", "2", "90"), "percentile: p has to be from 0 to 1, not 90"),
        ("cagr", ("-1", "2", "3"), "cagr needs positive values and a positive number of years"),
        ("irr", ("1", "2"), "irr: negative and positive payments are required"),
        ("exp", ("0", "-1"), "exp: the result is out of range"),
    ],
)
def test_what_cannot_be_calculated_is_said_in_one_line(name: str, values: tuple[str, ...], message: str) -> None:
    with pytest.raises(OperationError) as error:
        run(name, *values)
    assert str(error.value) == message


def test_an_unknown_operation_is_answered_with_the_known_ones() -> None:
    with pytest.raises(OperationError, match=r"there is no operation 'mean'; there are: add, .*average.*"):
        find("mean")


def test_irr_makes_the_net_present_value_nothing() -> None:
    payments = ("-1000", "300", "420", "680")
    rate = run("irr", *payments)
    assert isinstance(rate, Decimal)
    assert abs(run("npv", *payments, str(rate))) < D("1e-9")


def test_npv_agrees_with_pyxirr() -> None:
    import pyxirr

    ours = run("npv", "-1000", "300", "420", "680", "0.07")
    assert float(ours) == pytest.approx(pyxirr.npv(0.07, [-1000, 300, 420, 680]))


def test_without_pyxirr_irr_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyxirr", None)
    with pytest.raises(OperationError, match="pip install 'tieout\\[finance\\]'"):
        run("irr", "-1", "2")


@settings(deadline=None)  # how long it takes says nothing but how busy the machine is
@given(AMOUNTS, AMOUNTS)
def test_adding_and_taking_away_again_changes_nothing(a: Decimal, b: Decimal) -> None:
    there = find("add").apply([a, b])
    assert isinstance(there, Decimal)
    assert find("subtract").apply([there, b]) == a


@settings(deadline=None)  # how long it takes says nothing but how busy the machine is
@given(st.lists(AMOUNTS, min_size=1, max_size=20))
def test_the_average_lies_between_the_least_and_the_greatest(values: list[Decimal]) -> None:
    least, mean, greatest = (find(name).apply(values) for name in ("min", "average", "max"))
    assert least - D("1e-40") <= mean <= greatest + D("1e-40")


@settings(deadline=None)  # how long it takes says nothing but how busy the machine is
@given(st.lists(AMOUNTS, min_size=1, max_size=20), st.decimals(0, 1, places=3))
def test_a_percentile_never_leaves_the_values(values: list[Decimal], share: Decimal) -> None:
    assert min(values) <= find("percentile").apply([*values, share]) <= max(values)


def test_a_new_operation_is_one_registered_function() -> None:
    @register("half", "half of the value", at_least=1, at_most=1, result=same)
    def half(value: Decimal) -> Decimal:
        return value / 2

    try:
        assert run("half", "5") == D("2.5")
        with pytest.raises(ValueError, match="there is already an operation 'half'"):
            register("half", "again", at_least=1, result=same)(half)
    finally:
        del OPERATIONS["half"]


@pytest.mark.parametrize(
    ("rule", "units", "result"),
    [
        (same, ("USD", "USD"), "USD"),
        (same, ("USD", None), "USD"),
        (same, ("USD", "shares"), None),
        (same, ("calendar year", "calendar year"), "years"),
        (quotient, ("USD", "USD"), "ratio"),
        (quotient, ("USD", "shares"), "USD/share"),
        (quotient, ("USD", "USD/share"), "shares"),
        (quotient, ("USD", "months"), "USD"),
        (quotient, ("USD", None), None),
        (product, ("shares", "USD/share"), "USD"),
        (product, ("ratio", "EUR"), "EUR"),
        (product, ("USD", "USD"), None),
        (same, ("rate", "ratio"), "rate"),
        (same, ("rate", "difference of rates"), "rate"),
        (same, ("stores", "count"), "stores"),
        (difference, ("rate", "rate"), "difference of rates"),
        (difference, ("rate", "difference of rates"), "rate"),
        (difference, ("difference of rates", "difference of rates"), "difference of rates"),
        (difference, ("ratio", "rate"), "rate"),
        (spread_of, ("rate", "rate"), "difference of rates"),
        (quotient, ("USD", "stores"), "USD/store"),
        (quotient, ("stores", "stores"), "ratio"),
        (quotient, ("USD", "days"), "USD/day"),
        (quotient, ("USD", "USD/day"), "days"),
        (quotient, ("rate", "ratio"), "rate"),
        (quotient, ("rate", "rate"), "ratio"),
        (product, ("rate", "rate"), "rate"),
        (product, ("rate", "USD"), "USD"),
        (product, ("USD/company", "companies"), "USD"),
    ],
)
def test_units_combine_as_on_paper(rule, units: tuple[str | None, ...], result: str | None) -> None:
    assert rule([Measure(unit) for unit in units]).unit == result


def test_scales_multiply_and_divide() -> None:
    million, thousand, one = Measure("USD", 10**6), Measure("shares", 1000), Measure("ratio")
    assert product([million, one]).scale == 10**6
    assert quotient([million, thousand]).scale == 1000
    assert quotient([million, million]).scale == 1


def test_amounts_are_brought_to_the_smallest_scale_that_is_stated() -> None:
    billion, million, unstated = Measure("USD", 10**9), Measure("USD", 10**6), Measure()
    assert one_scale([billion, million]) == 10**6
    assert one_scale([million, unstated]) is None
    assert scale_of_quotient([million, Measure("count")]) is None
    assert scale_of_quotient([million, Measure("USD")]) == 1
    assert scale_of_quotient([Measure("USD"), million]) == 1
    assert unscaled([million]) == 1
