"""How figures read: rounded as analysts do, in the largest fitting scale, with their own unit, and never tenfold."""

from __future__ import annotations

from contextvars import copy_context
from decimal import Decimal

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.agent.ledger.display import below_one_head, display
from tieout.agent.ledger.form import asked_form, in_words, read_form
from tieout.agent.ledger.ledger import Entry, FromConstant, FromFact, FromOperation, Source
from tieout.data.output.style import StyleError, house_style, in_style, read_style

REPORT = str(SAMPLE / "report.htm")
FACT = FromFact(fact="t1r1c1", raw="5", label="sales", place="table 1, row 1, column 1")
MADE = FromOperation(operation="average", operands=("a", "b"))
STATED = FromConstant(meaning="a")


def shown(value: str, unit: str | None, scale: int = 1, form: str | None = None, source: Source = MADE, **more: bool):
    return display(Entry(name="a", value=Decimal(value), unit=unit, scale=scale, source=source, **more), form)


@pytest.mark.parametrize(
    ("value", "unit", "scale", "reads"),
    [
        ("164501", "USD", 10**6, "$164.501 billion"),
        ("640", "USD", 10**6, "$640 million"),
        ("3000", "USD", 10**6, "$3 billion"),
        ("2.2", "$", 10**9, "$2.2 billion"),
        ("640", "USD", 1000, "$640,000"),
        ("1234567", "USD", 1000, "$1,234.567 million"),
        ("3954687", "USD", 10**6, "$3,954.687 billion"),
        ("54484293", "USD", 1, "$54,484,293"),
        ("16105005", "votes", 1, "16,105,005 votes"),
        ("1.2345", "USD", 10**9, "$1.2345 billion"),
        ("60.90", "USD/share", 1, "$60.90 per share"),
        ("2.7", "USD/share", 1, "$2.70 per share"),
        ("-12.50", "EUR", 10**6, "-€12.50 million"),
        ("5.2", "CHF", 10**9, "CHF 5.2 billion"),
        ("1204", "INR", 10**7, "₹1,204 crore"),
        ("27", "percent", 1, "27%"),
        ("14.53", "percent", 1, "14.53%"),
        ("25", "basis points", 1, "25 basis points"),
        ("1.5", "percentage points", 1, "1.5 percentage points"),
        ("1540", "shares", 1000, "1.54 million shares"),
        ("982", "stores", 1, "982 stores"),
        ("1", "stores", 1, "1 store"),
        ("4.2", "years", 1, "4.2 years"),
        ("2009", "calendar year", 1, "2009"),
        ("787", "reference", 1, "787"),
        ("1.25", "USD/oz", 1, "$1.25 per oz"),
        ("12.5", "pence/share", 1, "12.5 pence per share"),
        ("7", "$", 10**15, "$7 x 1000000000000000"),
    ],
)
def test_a_printed_figure_keeps_its_digits_in_the_largest_scale_that_fits(value, unit, scale, reads):
    assert shown(value, unit, scale, source=FACT) == reads


@pytest.mark.parametrize(
    ("value", "unit", "scale", "reads"),
    [
        ("164501.37", "USD", 10**6, "$164.5 billion"),
        ("999960", "USD", 10**6, "$1 trillion"),
        ("0.3463592", "rate", 1, "34.6%"),
        ("34.63592", "percent", 1, "34.6%"),
        ("-0.0212", "difference of rates", 1, "-2.1 percentage points"),
        ("0.0004", "rate", 1, "0.04%"),
        ("2.7188123", "ratio", 1, "2.72"),
        ("0.0027188", "ratio", 1, "0.0027"),
        ("45.2789", "days", 1, "45.3 days"),
        ("1.2345678", "USD/share", 1, "$1.23 per share"),
        ("8.23456789", "USD/day", 10**6, "$8.235 million a day"),
        ("148234.567", "USD", 1, "$148,235"),
        ("12.345678", "stores", 1, "12.35 stores"),
        ("0", "USD", 10**6, "$0"),
        ("-0.00001", "rate", 1, "-0.001%"),
    ],
)
def test_a_calculated_figure_is_rounded_as_analysts_do(value, unit, scale, reads):
    assert shown(value, unit, scale) == reads


@pytest.mark.parametrize(
    ("value", "unit", "scale", "form", "reads"),
    [
        ("2.30", "USD/share", 1, "in millions", "$2.30 per share"),
        ("27", "percent", 1, "number", "0.27"),
        ("0.27", "rate", 1, "number", "0.27"),
        ("0.142449", "ratio", 1, "percent", "14.2%"),
        ("0.027", "ratio", 1, "points", "2.7 percentage points"),
        ("2.7", "percentage points", 1, "percent", "2.7 percentage points"),
        ("10.50", "USD/share", 1, "percent", "$10.50 per share"),
        ("5", "$", 10**6, "percent", "$5 million"),
        ("164501.37", "USD", 10**6, "in billions, 2 decimals", "$164.50 billion"),
        ("164501.37", "USD", 10**6, "in thousands, whole", "$164,501,370 thousand"),
        ("164501.37", "USD", 10**6, "exact", "$164.50137 billion"),
        ("-148", "USD", 10**6, "magnitude", "$148 million"),
        ("2.7188", "ratio", 1, "times", "2.72x"),
        ("0.075117", "rate", 1, "2 decimals", "7.51%"),
    ],
)
def test_a_form_that_is_asked_for_wins_and_never_makes_another_unit_of_it(value, unit, scale, form, reads):
    assert shown(value, unit, scale, form) == reads


def test_what_the_report_does_not_state_is_said():
    assert shown("5363", "USD", source=FACT, scale_known=False) == "$5,363 (scale not stated)"
    assert shown("88", None, source=FACT, scale_known=False) == "88 (unit not stated)"
    assert shown("0.0000027188", "ratio", scale_known=False) == "0.0000027 (scale not stated)"
    assert shown("1050", None, form="percent", source=FACT) == "1,050 (unit not stated)"
    assert shown("10.5", None, form="percent", source=FromOperation(operation="sum", operands=("a", "b"))) == "10.50"
    assert (
        shown("0.105", None, form="percent", source=FromOperation(operation="divide", operands=("a", "b"))) == "10.5%"
    )


@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("What was revenue in 2023, in USD millions?", "in millions"),
        ("Answer in billions to two decimals.", "2 decimals, in billions"),
        ("Round to 1 decimal place: what was the ratio to 2 decimal places?", "1 decimal"),
        ("to the nearest million, what was capex?", "0 decimals, in millions"),
        ("How much did it invest in million dollar homes?", "in millions"),
        ("what was free cash flow in 2024?", None),
    ],
)
def test_a_question_says_how_it_wants_its_figure(question, form):
    assert in_words(asked_form(question)) == form


def test_a_form_that_is_none_is_refused_by_name():
    with pytest.raises(ValueError, match="'in dozens' is no way to show a figure"):
        read_form("in dozens")


def test_the_house_style_holds_for_every_figure():
    with in_style(read_style("negative=brackets currency=code digits=3 percent=2")):
        assert shown("-71.849", "USD", 10**6) == "(71.8 million USD)"
        assert shown("0.0751173", "rate") == "7.51%"
    with in_style(read_style("printed=4")):
        assert shown("164501", "USD", 10**6, source=FACT) == "$164.5 billion"
    with in_style(read_style("rounded=no")):
        assert shown("164501.37", "USD", 10**6) == "$164.50137 billion"
    for wrong in ("colour=red", "negative=red", "digits=0", "digits=x"):
        with pytest.raises(StyleError):
            read_style(wrong)


def test_the_environment_names_the_house_style(monkeypatch):
    monkeypatch.setenv("TIEOUT_STYLE", "currency=code")
    assert shown("5", "USD", 10**6, source=FACT) == "5 million USD"


UNITS = ["USD", "EUR", "percent", "ratio", "rate", "difference of rates", "stores", "shares", "USD/share", "days", None]
WORDS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}


@given(
    st.decimals(-(10**9), 10**9, places=4),
    st.sampled_from(UNITS),
    st.sampled_from([1, 10**3, 10**6, 10**9]),
    st.sampled_from([FACT, MADE, STATED]),
    st.sampled_from([None, "percent", "in millions", "1 decimal", "exact", "times"]),
)
def test_no_figure_is_ever_shown_at_a_wrong_power_of_ten_or_in_another_unit(value, unit, scale, source, form):
    scale = scale if unit in ("USD", "EUR", "stores", "shares") else 1
    said = shown(str(value), unit, scale, form, source)
    number = Decimal("".join(char for char in said if char in "-.0123456789"))
    times = next((WORDS[word] for word in said.split() if word in WORDS), 1)
    is_rate = "%" in said or "percentage point" in said
    full = value * scale * (100 if is_rate and unit != "percent" else 1)
    last_digit = Decimal(1).scaleb(number.as_tuple().exponent) * times
    assert abs(number * times - full) <= last_digit / 2
    assert number or abs(full) < last_digit
    assert ("$" in said) == (unit in ("USD", "USD/share")) and ("€" in said) == (unit == "EUR")
    assert ("store" in said, "share" in said, "day" in said) == (
        unit == "stores",
        unit in ("shares", "USD/share"),
        unit == "days",
    )
    assert "percentage point" not in said or unit == "difference of rates"
    assert not is_rate or unit in ("percent", "ratio", "rate", "difference of rates") or (unit is None and form)


@given(
    st.lists(st.decimals(-(10**9), 10**9, places=2), min_size=1, max_size=5),
    st.sampled_from(["USD", "EUR", "stores", "percent", "USD/share", None]),
    st.sampled_from([1, 10**3, 10**6]),
    st.sampled_from([FACT, MADE]),
)
def test_below_the_head_of_a_table_every_figure_is_at_its_power_of_ten(values, unit, scale, source):
    scale = scale if unit in ("USD", "EUR", "stores") else 1
    figures = [Entry(name="a", value=each, unit=unit, scale=scale, source=source) for each in values]
    head, target, said = below_one_head(figures)
    if unit in ("percent", "USD/share", None):
        assert (head, list(said)) == ("", [display(each) for each in figures])
        return
    times = next((WORDS[word] for word in head.split() if word in WORDS), 1)
    assert target == times
    assert {"USD": "$", "EUR": "€", "stores": "stores"}[unit] in head
    for value, each in zip(values, said, strict=True):
        shown = Decimal(each.replace(",", ""))
        last_digit = Decimal(1).scaleb(shown.as_tuple().exponent) * times
        assert abs(shown * times - value * scale) <= last_digit / 2


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "7.5%"),
        (["--exact"], "7.511737089201877934272300469%"),
        (["--style", "percent=3"], "7.512%"),
    ],
)
def test_ask_shows_figures_as_its_options_say_and_growth_with_its_amount(options, said, tmp_path):
    arguments = ["ask", REPORT, "how much did R&D grow in 2024?", "--store", str(tmp_path / "store"), *options]
    ran = CliRunner().invoke(tieout.main, arguments)
    assert ran.stdout.splitlines()[0] == f"{said} ($16 million)"
    assert ran.stdout.splitlines()[1].startswith(f"{said}  = percentage_change(")


def test_a_style_that_is_none_is_one_line():
    ran = CliRunner().invoke(tieout.main, ["ask", REPORT, "net income in 2024?", "--style", "colour=red"])
    assert ran.exit_code == 2 and "'colour=red' sets nothing of a style" in ran.output


def test_a_style_that_is_left_in_another_context_than_it_was_taken_in_leaves_that_as_it_was():
    own, style = house_style(), in_style(read_style("rounded=no"))
    copy_context().run(style.__enter__)
    style.__exit__(None, None, None)
    assert house_style() == own
