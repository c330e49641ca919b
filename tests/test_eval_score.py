"""The three rules, their rates, and the equality of programs."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.eval.gold.program import ProgramError, equivalent, number, parse, printed, tokens
from tieout.eval.score.score import RULES, Rate, Rule, correct, scores, wilson

amounts = st.decimals(min_value=-(10**12), max_value=10**12, allow_nan=False, allow_infinity=False, places=8)


def right(answer: str, gold: str) -> list[str]:
    return [str(rule) for rule, hit in scores(Decimal(answer), Decimal(gold)).items() if hit]


@pytest.mark.parametrize(
    ("answer", "gold", "rules"),
    [
        ("1.4240254574383453", "1.42403", ["strict", "main", "lenient"]),
        ("1.42402", "1.42403", ["main", "lenient"]),
        ("14.2", "0.142", ["main", "lenient"]),
        ("0.142", "14.2", ["main", "lenient"]),
        ("100.5", "100", ["main", "lenient"]),
        ("100.51", "100", ["lenient"]),
        ("101.01", "100", []),
        ("-100", "100", ["lenient"]),
        ("-10000", "100", ["lenient"]),
        ("0.00009", "0", ["main", "lenient"]),
        ("0.00011", "0", []),
        ("0", "0.005", []),
        ("93000000000000000000.1", "93000000000000000000", ["main", "lenient"]),
    ],
)
def test_each_rule_accepts_what_it_says(answer, gold, rules):
    assert right(answer, gold) == rules


@pytest.mark.parametrize("answer", ["0.123455", "-0.123455"])
def test_a_tie_in_the_sixth_decimal_falls_either_way(answer):
    value = Decimal(answer)
    away, towards = Decimal("0.12346").copy_sign(value), Decimal("0.12345").copy_sign(value)
    assert correct(Rule.STRICT, value, away)
    assert correct(Rule.STRICT, value, towards)
    assert not correct(Rule.STRICT, value, away + Decimal("0.00001").copy_sign(value))


@pytest.mark.parametrize("rule", RULES)
def test_a_truth_matches_its_word_and_nothing_else(rule):
    assert correct(rule, True, "yes")
    assert correct(rule, False, "no")
    assert not correct(rule, True, "no")
    assert not correct(rule, True, Decimal(1))
    assert not correct(rule, Decimal(1), "yes")


@pytest.mark.parametrize("rule", RULES)
def test_no_answer_and_no_finite_answer_are_wrong(rule):
    assert not correct(rule, None, Decimal(0))
    assert not correct(rule, Decimal("NaN"), Decimal(0))
    assert not correct(rule, Decimal("Infinity"), Decimal(10**30))


@given(amounts, amounts)
def test_a_looser_rule_accepts_all_that_a_tighter_one_does(answer, gold):
    strict, main, lenient = scores(answer, round(gold, 5)).values()
    assert main or not strict
    assert lenient or not main


@given(amounts)
def test_the_gold_answer_is_right_under_every_rule(gold):
    assert all(scores(gold, round(gold, 5)).values())


def test_the_interval_is_the_published_one():
    # Newcombe 1998, Statistics in Medicine 17, table I: 81 of 263, and 0 of 20, without continuity correction.
    assert [round(bound, 4) for bound in wilson(81, 263)] == [0.2553, 0.3662]
    assert [round(bound, 4) for bound in wilson(0, 20)] == [0.0, 0.1611]


def test_a_rate_of_nothing_has_no_value():
    assert Rate(0, 0).value is None
    assert Rate(0, 0).numbers() == {"hits": 0, "n": 0, "low": None, "high": None}
    assert str(Rate(1, 2)).startswith("50.0% (")
    assert str(Rate(1, 2)).endswith("n=2)")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("add(1, 2)", "add(2, 1)"),
        ("multiply(3, 2)", "multiply(2, 3)"),
        ("add(1, 2), add(3, 4), subtract(#0, #1)", "add(4, 3), add(1, 2), subtract(#1, #0)"),
        ("subtract(60.94, 25.14), divide(#0, 25.14)", "subtract(60.940, 25.14), divide(#0, 25.14)"),
        ("add(1, 2), add(#0, 3), divide(#1, const_3)", "add(3, 2), add(#0, 1), divide(#1, const_3)"),
        ("add(8, 9), multiply(#0, 2)", "multiply(8, 2), multiply(9, 2), add(#0, #1)"),
        ("greater(1, 2)", "greater(1.0, 2)"),
        ("60.94", "60.940"),
        ("25%", "0.25"),
    ],
)
def test_programs_that_are_one_expression_are_equal(one, other):
    assert equivalent(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("subtract(1, 2)", "subtract(2, 1)"),
        ("add(2, 2)", "multiply(2, 2)"),
        ("add(1, 3)", "add(2, 2)"),
        ("divide(1, const_100)", "divide(1, 100)"),
        ("greater(1, 2)", "greater(2, 1)"),
        ("exp(2, 3)", "exp(3, 2)"),
        ("subtract(5, 5), divide(3, #0)", "subtract(5, 5), divide(3, #0)"),
        ("60.94", "subtract(60.94, 25.14)"),
        ("nonsense(", "nonsense("),
    ],
)
def test_programs_that_are_two_expressions_are_not(one, other):
    assert not equivalent(one, other)


@given(st.lists(st.integers(1, 5), min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_a_sum_is_the_same_in_any_order(values, random):
    def chained(order: list[int]) -> str:
        steps = [f"add({order[0]}, {order[1]})"]
        steps += [f"add(#{index}, {value})" for index, value in enumerate(order[2:])]
        return ", ".join(steps)

    shuffled = values.copy()
    random.shuffle(shuffled)
    assert equivalent(chained(values), chained(shuffled))


def test_literals_are_read_as_they_are_calculated_and_as_they_are_printed():
    assert [number(token) for token in ("25%", "const_m1", "const_100", "1234.5", "-.5")] == [
        Decimal("0.25"), Decimal(-1), Decimal(100), Decimal("1234.5"), Decimal("-0.5"),
    ]  # fmt: skip
    assert [printed(token) for token in ("25%", "-26", ".27")] == [Decimal(25), Decimal(26), Decimal("0.27")]


def test_operands_are_neither_constants_nor_results():
    program = parse("subtract(97.26, const_100), divide(#0, const_100), multiply(#1, 12%)")
    assert program.operands == ("97.26", "12%")


@pytest.mark.parametrize("text", ["", "add(1)", "add(1, 2", "add(#0, 1)", "add(1, 2) subtract(1, 2)", "one", "NaN"])
def test_a_text_that_is_no_program_is_refused(text):
    with pytest.raises(ProgramError):
        parse(text)


def test_a_program_is_cut_into_the_tokens_of_the_leaderboard():
    assert tokens("subtract(5829, 5735)") == ["subtract(", "5829", "5735", ")", "EOF"]
    assert tokens("60.94") == ["60.94", "EOF"]
