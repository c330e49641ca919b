"""Programs: every gold one runs to its gold answer, and what we write runs to what we calculated."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.ledger import Entry, FromFact, FromPrior, Ledger
from tieout.agent.ledger.program import program_of
from tieout.agent.protocol.tool import ToolError
from tieout.data.arithmetic.operations import OPERATIONS, find
from tieout.eval.gold.executed import ProgramError, execute

D = Decimal


def ledger_of(**values: tuple[str, str | None, int]) -> Ledger:
    ledger = Ledger()
    for name, (value, unit, scale) in values.items():
        source = FromFact(fact=name, raw=value, label=name, place="sentence 1")
        ledger.add(Entry(name=name, value=D(value), unit=unit, scale=scale, source=source))
    return ledger


def calculated(ledger: Ledger, operation: str, *names: str, name: str) -> None:
    calculate(ledger, find(operation), [ledger[each] for each in names], name)


@pytest.mark.parametrize(
    ("program", "result"),
    [
        ("60.94", "60.94"),
        ("25%", "0.25"),
        (".27", "0.27"),
        ("-26", "-26"),
        ("const_m1", "-1"),
        ("subtract(60.94, 25.14), divide(#0, 25.14)", "1.42402545743834526650755767700875099443118536197295147175815"),
        ("multiply(25%, 5283.3)", "1320.825"),
        ("multiply(30584, const_m1)", "-30584"),
        (
            "divide(1, 3), multiply(#0, const_100), add(#1, #0)",
            "33.66666666666666666666666666666666666666666666666666666666667",
        ),
        ("exp(2, 3)", "8"),
    ],
)
def test_a_program_runs_to_its_result(program: str, result: str) -> None:
    assert abs(execute(program) - D(result)) < D("1e-50")


def test_a_comparison_answers_yes_or_no() -> None:
    assert execute("greater(2, 1)") == "yes"
    assert execute("subtract(2, 1), greater(#0, 1)") == "no"


def test_a_row_of_the_table_can_be_summed() -> None:
    rows = {"net sales": [D("1"), D("2.5")]}
    assert execute("table_sum(net sales, none), divide(#0, 7)", rows) == D("0.5")
    with pytest.raises(ProgramError, match="table_max: there is no table row 'costs'"):
        execute("table_max(costs, none)", rows)


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("", "the program is empty"),
        ("what?", "is no program"),
        ("add(1, 2", "is no program"),
        ("add(1, 2) add(3, 4)", "is no program"),
        ("modulo(1, 2)", "'modulo' is no operation of the language"),
        ("percentage_change(1, 2)", "'percentage_change' is no operation of the language"),
        ("add(1, #0)", "'#0' is no earlier step"),
        ("greater(1, 2), add(#0, 1)", "'#0' is a comparison, not a number"),
        ("divide(1, 0)", "divide: division by zero"),
        ("add(1, 2, 3)", "add takes 2 values, not 3"),
        ("add(1, two)", "'two' is no number"),
        ("add(1, 1e999999)", "is no number"),
        ("add(1, " + "9" * 41 + ")", "more than 40 digits"),
    ],
)
def test_what_is_no_program_is_said_to_be_none(program: str, message: str) -> None:
    with pytest.raises(ProgramError) as error:
        execute(program)
    assert message in str(error.value)


@given(st.text(alphabet="adsub(), #0123.%const_m", max_size=60))
def test_any_text_is_a_program_or_a_clear_error(text: str) -> None:
    try:
        execute(text)
    except ProgramError as error:
        assert str(error)


@pytest.mark.parametrize("name", ["train_100.json", "dev_open.json"])
def test_every_gold_program_of_the_real_reports_gives_its_gold_answer(shared: Path, name: str) -> None:
    turns = 0
    for record in json.loads((shared / name).read_text(), parse_float=Decimal, parse_int=Decimal):
        annotation = record["annotation"]
        for program, gold in zip(annotation["turn_program"], annotation["exe_ans_list"], strict=True):
            result = execute(program)
            assert result == gold if isinstance(result, str) else round(float(result), 5) == float(gold), program
            turns += 1
    assert turns == {"train_100.json": 355, "dev_open.json": 811}[name]


def test_the_way_to_an_answer_is_written_as_a_program() -> None:
    ledger = ledger_of(new=("60.94", "USD", 1), old=("25.14", "USD", 1))
    calculated(ledger, "percentage_change", "new", "old", name="rate")
    assert program_of(ledger, "rate") == "subtract(60.94, 25.14), divide(#0, 25.14)"
    assert program_of(ledger, "new") == "60.94"


def test_a_percentage_is_written_as_printed() -> None:
    ledger = ledger_of(margin=("35.0", "percent", 1), sales=("200", "USD", 1))
    calculated(ledger, "multiply", "margin", "sales", name="profit")
    assert program_of(ledger, "profit") == "multiply(35.0%, 200)"
    assert program_of(ledger, "margin") == "35.0%"


def test_a_percentage_becomes_a_decimal_once() -> None:
    ledger = ledger_of(margin=("35.0", "percent", 1), plain=("35", None, 1))
    calculated(ledger, "as_decimal", "margin", name="once")
    calculated(ledger, "as_decimal", "once", name="twice")
    calculated(ledger, "as_decimal", "plain", name="other")
    assert ledger["twice"].value == Decimal("0.35")
    assert [program_of(ledger, name) for name in ("once", "twice", "other")] == [
        "35.0%",
        "35.0%",
        "divide(35, const_100)",
    ]


def test_a_change_of_scale_is_a_step() -> None:
    ledger = ledger_of(big=("2.2", "USD", 10**9), small=("325", "USD", 10**6))
    calculated(ledger, "add", "big", "small", name="both")
    assert program_of(ledger, "both") == "multiply(2.2, const_1000), add(#0, 325)"
    calculated(ledger, "in_billions", "small", name="less")
    assert program_of(ledger, "less") == "divide(325, const_1000)"
    calculated(ledger, "in_millions", "small", name="same")
    assert program_of(ledger, "same") == "325"


def test_a_step_that_is_needed_twice_is_written_once() -> None:
    ledger = ledger_of(a=("3", None, 1), b=("2", None, 1))
    calculated(ledger, "subtract", "a", "b", name="one")
    calculated(ledger, "subtract", "a", "b", name="again")
    calculated(ledger, "divide", "one", "again", name="ratio")
    assert program_of(ledger, "ratio") == "subtract(3, 2), divide(#0, #0)"


@pytest.mark.parametrize(
    ("operation", "program"),
    [
        ("sum", "add(1, 2), add(#0, 4)"),
        ("average", "add(1, 2), add(#0, 4), divide(#1, const_3)"),
        ("cagr", "divide(2, 1), divide(const_1, 4), exp(#0, #1), subtract(#2, const_1)"),
        ("max", None),
        ("npv", None),
    ],
)
def test_operations_are_written_in_the_words_of_the_language_or_not_at_all(operation: str, program: str | None) -> None:
    ledger = ledger_of(a=("1", None, 1), b=("2", None, 1), c=("4", None, 1))
    calculated(ledger, operation, "a", "b", "c", name="result")
    assert program_of(ledger, "result") == program


def test_the_program_of_a_later_turn_goes_down_to_the_printed_figures() -> None:
    first = ledger_of(new=("60.94", "USD", 1), old=("25.14", "USD", 1))
    calculated(first, "subtract", "new", "old", name="change")
    second = Ledger([first])
    change = first["change"].model_copy(update={"name": "prev_1", "source": FromPrior(turn=0, entry="change")})
    second.add(change)
    second.add(first["old"])
    calculated(second, "divide", "prev_1", "old", name="rate")
    assert program_of(second, "rate") == "subtract(60.94, 25.14), divide(#0, 25.14)"


def test_a_given_answer_is_written_as_its_value() -> None:
    ledger = Ledger([Ledger()])
    ledger.add(Entry(name="prev_1", value=D("35.8"), source=FromPrior(turn=0, entry=None, given=True)))
    assert program_of(ledger, "prev_1") == "35.8"


FIGURES = st.tuples(
    st.decimals(min_value=-9999, max_value=9999, places=2).map(str),
    st.sampled_from(["USD", "percent", "shares", None]),
    st.sampled_from([1, 1000, 10**6]),
)
CALCULATIONS = st.lists(
    st.tuples(st.sampled_from(sorted(OPERATIONS)), st.lists(st.integers(0, 9), min_size=1, max_size=4)), max_size=8
)


@given(st.lists(FIGURES, min_size=2, max_size=4), CALCULATIONS)
def test_what_is_written_runs_to_what_was_calculated(
    figures: list[tuple[str, str | None, int]], calculations: list[tuple[str, list[int]]]
) -> None:
    ledger = ledger_of(**{f"f{number}": figure for number, figure in enumerate(figures)})
    names = [entry.name for entry in ledger]
    for number, (operation, operands) in enumerate(calculations):
        try:
            calculated(ledger, operation, *(names[index % len(names)] for index in operands), name=f"c{number}")
            names.append(f"c{number}")
        except ToolError:
            continue
    for name in names:
        program = program_of(ledger, name)
        number = ledger[name].as_number()
        if program is not None:
            result = execute(program)
            if isinstance(number, bool):
                assert result == ("yes" if number else "no")
            else:
                assert isinstance(result, Decimal)
                assert abs(result - number) <= abs(number) * D("1e-20")
