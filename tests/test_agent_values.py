"""Values: what a word in a call means, and that no number comes from nowhere."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tieout.agent.ledger.ledger import Entry, FromConstant, FromFact, FromPrior, FromQuestion, Ledger, Ungrounded
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.values import Prior, Values
from tieout.kg.fact import Fact, FactKind

D = Decimal


def fact(name: str, value: str, unit: str | None = "USD", scale: int = 1) -> Fact:
    return Fact(
        name=name,
        kind=FactKind.TABLE,
        value=D(value),
        raw=value,
        unit=unit,
        scale=scale,
        instance="LineItem_2007",
        entity_type="LineItem",
        property="netSales",
        label="net sales",
        header="north america",
        matched_by="exact",
        match_score=100,
        table=1,
        row=2,
        column=3,
        start=0,
        end=len(value),
        context=value,
    )


def values(*questions: str, priors: tuple[Prior, ...] = (), strict: bool = False) -> Values:
    facts = {"t1r2c3": fact("t1r2c3", "60.94")}
    return Values(Ledger(), facts, questions or ("what?",), priors, strict=strict)


def test_the_short_name_of_a_fact_is_a_value() -> None:
    entry = values().entry("t1r2c3")
    assert entry.value == D("60.94")
    assert entry.about == "net sales, north america"
    assert entry.source == FromFact(fact="t1r2c3", raw="60.94", label="net sales", place="table 1, row 2, column 3")


def test_a_number_of_the_question_is_traced_to_it() -> None:
    question = "what if it had been 50.5 more, and 27% of it?"
    entry = values("and before?", question).entry("50.5")
    source = entry.source
    assert isinstance(source, FromQuestion)
    assert (source.turn, question[source.start : source.end]) == (1, "50.5")


def test_a_number_of_an_earlier_question_is_traced_too() -> None:
    source = values("suppose 123 stores", "and per store?").entry("123").source
    assert isinstance(source, FromQuestion)
    assert source.turn == 0


def test_a_percentage_of_the_question_may_be_written_as_its_decimal() -> None:
    there = values("what is 27% of it?")
    percent, decimal = there.entry("27%"), there.entry("0.27")
    assert (percent.value, percent.unit, percent.as_number()) == (D(27), "percent", D("0.27"))
    assert (decimal.value, decimal.unit) == (D("0.27"), None)
    assert isinstance(decimal.source, FromQuestion)


def test_an_amount_of_the_question_keeps_its_unit_and_scale() -> None:
    entry = values("and less $ 2.2 million?").entry("2.2")
    assert (entry.unit, entry.scale) == ("USD", 10**6)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("100", 100),
        ("const_100", 100),
        ("const_m1", -1),
        ("-1", -1),
        ("12", 12),
        ("1,000", 1000),
        ("const_1000000", 10**6),
    ],
)
def test_known_constants_say_what_they_are(text: str, value: int) -> None:
    entry = values().entry(text)
    assert entry.value == value
    assert isinstance(entry.source, FromConstant)


def test_a_number_from_nowhere_is_recorded_as_such() -> None:
    there = values()
    entry = there.entry("123.45")
    assert isinstance(entry.source, Ungrounded)
    assert there.ledger.ungrounded() == (entry,)


def test_under_strict_grounding_a_number_from_nowhere_is_refused() -> None:
    there = values(strict=True)
    with pytest.raises(ToolError, match=r"'123.45' is in no question and no known constant"):
        there.entry("123.45")
    assert len(there.ledger) == 0
    assert there.entry("100").value == 100


def test_a_typed_figure_that_was_looked_up_before_is_that_figure() -> None:
    there = values(strict=True)
    looked_up = there.entry("t1r2c3")
    assert there.entry("60.94") == looked_up


def test_the_fact_itself_does_not_account_for_a_number_nobody_looked_up() -> None:
    with pytest.raises(ToolError):
        values(strict=True).entry("60.94")


def test_prev_1_is_the_latest_answer_with_what_it_was_about() -> None:
    own = Entry(name="change", value=D("35.8"), unit="USD", about="price", source=FromConstant(meaning="x"))
    entry = values(priors=(Prior(0, D(1)), Prior(1, D("35.8"), own))).entry("prev_1")
    assert (entry.value, entry.unit, entry.about) == (D("35.8"), "USD", "price")
    assert entry.source == FromPrior(turn=1, entry="change")


def test_a_given_answer_has_a_value_and_no_way() -> None:
    entry = values(priors=(Prior(0, D("0.142"), given=True),)).entry("prev_1")
    assert entry.source == FromPrior(turn=0, entry=None, given=True)


def test_a_turn_without_an_answer_cannot_be_used() -> None:
    with pytest.raises(ToolError, match="prev_1 has no answer"):
        values(priors=(Prior(0, None),)).entry("prev_1")
    with pytest.raises(ToolError, match="there is no prev_2: this is turn 2"):
        values(priors=(Prior(0, D(1)),)).entry("prev_2")


def test_a_name_that_was_given_does_not_keep_a_number_from_being_used() -> None:
    there = values("what if it were 50?")
    there.fact(there.facts["t1r2c3"], "asked_50")
    assert there.entry("50").value == 50


@pytest.mark.parametrize("name", ["t1r2c3", "prev_1", "const_100"])
def test_a_result_cannot_take_a_name_that_means_something_else(name: str) -> None:
    with pytest.raises(ToolError, match="means something else already"):
        values().free(name)


@pytest.mark.parametrize("text", ["", "net sales", "1e9", "--1", "1,00", "t9r9c9", "NaN", "١٢", "1.2.3"])
def test_what_is_neither_name_nor_number_is_refused(text: str) -> None:
    with pytest.raises(ToolError, match="is no entry, no fact and no number"):
        values().entry(text)


def test_a_number_of_very_many_digits_is_refused() -> None:
    with pytest.raises(ToolError, match="more than 40 digits"):
        values().entry("9" * 41)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=3, allow_nan=False))
def test_any_number_that_is_typed_keeps_its_value(number: Decimal) -> None:
    assert values().entry(f"{number:f}").value == number
    assert values().entry(f"{number:f}%").as_number() == number / 100


@given(st.text(max_size=30))
def test_whatever_is_typed_gives_an_entry_or_one_clear_error(text: str) -> None:
    try:
        assert values().entry(text).name
    except ToolError as error:
        assert str(error)


@pytest.mark.parametrize(
    ("units", "meant"),
    [
        ({"t1r1c1": "USD", "t1r1c2": "USD", "s1a1": "CAD"}, "USD"),
        ({"t1r1c1": "$/share", "s1a1": "percent"}, "$"),
        ({"a:t1r1c1": "CAD", "b:t1r1c1": "USD"}, "$"),
        ({"t1r1c1": "EUR"}, "$"),
    ],
)
def test_a_bare_dollar_of_a_question_is_the_dollars_of_the_reports(units: dict[str, str], meant: str) -> None:
    facts = {name: fact(name, "7", unit) for name, unit in units.items()}
    asked = Values(Ledger(), facts, ("was it above $ 800 million, C$ 12 or £ 5 million?",))
    assert (asked.entry("800").unit, asked.entry("12").unit, asked.entry("5").unit) == (meant, "CAD", "GBP")
