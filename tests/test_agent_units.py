"""Units of what is calculated: points of points, things by things, and an unknown scale that is never taken as one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import ScriptedBackend, calculates, says

from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import plain_text
from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.display import display
from tieout.agent.ledger.ledger import Entry, FromConstant, FromFact, Ledger
from tieout.agent.log.turn import Turn
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.arithmetic.operations import find
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

FACT = FromFact(fact="t1r1c1", raw="5", label="a", place="p")
PAGE = Document(
    id="points",
    paragraphs=("The dividend policy was last changed in 2009.",),
    before=1,
    tables=(
        Table(
            rows=(
                ("in millions", "2024", "2023"),
                ("Cost of sales", "$ 5,363", "$ 5,011"),
                ("Operating margin", "22.9%", "20.2%"),
                ("Net sales", "$ 8,000", "$ 7,650"),
            )
        ),
        Table(rows=(("", "2024", "2023"), ("Inventories", "1,972.5", "1,800.1"))),
    ),
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(PAGE, default_ontology(None)[0])


def asked(graph: Graph, *calls: tuple[str, dict[str, object]], question: str = "By how much did it change?") -> Turn:
    return Session(graph, ScriptedBackend([says(*calls), says(text="no more")]), Settings(max_calls=1)).ask(question)


@pytest.mark.parametrize("format", [None, "percent", "points"])
def test_points_of_margin_are_never_shown_a_hundredfold(graph, format):
    shown = {"format": format} if format else {}
    made = calculates("up", "percentage_points", "t1r2c1", "t1r2c2")
    turn = asked(graph, made, ("answer", {"value": "up", **shown}))
    assert (turn.text, turn.number) == ("2.7 percentage points", Decimal("2.7"))


def test_one_percentage_less_another_is_in_points_and_keeps_its_value(graph):
    turn = asked(graph, calculates("up", "subtract", "t1r2c1", "t1r2c2"), ("answer", {"value": "up"}))
    assert (turn.text, turn.number) == ("2.7 percentage points", Decimal("0.027"))
    assert plain_text(turn).splitlines()[0] == "2.7 percentage points  = subtract(22.9%, 20.2%)"
    assert (result(turn)["unit"], result(turn)["exact"]) == ("ratio", "0.027")
    assert turn.program == "subtract(22.9%, 20.2%)"


def test_two_margins_that_are_calculated_are_apart_in_points_where_percent_is_asked_for(graph):
    made = (
        calculates("new", "divide", "t1r1c1", "t1r3c1"),
        calculates("old", "divide", "t1r1c2", "t1r3c2"),
        calculates("change", "subtract", "new", "old"),
    )
    turn = asked(graph, *made, ("answer", {"value": "change"}), question="What is the difference in percent?")
    assert turn.text == "1.5 percentage points"
    assert plain_text(turn).splitlines()[:2] == [
        "1.5 percentage points  = subtract(67.0%, 65.5%)",
        "├── 67.0%  = divide($5.363 billion, $8 billion)",
    ]


def test_a_figure_of_an_unknown_scale_beside_one_in_millions_is_flagged_and_shown(graph):
    turn = asked(graph, calculates("turnover", "divide", "t1r1c1", "t2r1c1"), ("answer", {"value": "turnover"}))
    assert "not stated" in (turn.text or "")
    assert {"unknown scale"} <= {flag.rule for flag in turn.flags}


def test_a_quotient_of_two_figures_of_one_unknown_scale_stands_by_itself(graph):
    turn = asked(graph, calculates("growth", "percentage_change", "t2r1c1", "t2r1c2"), ("answer", {"value": "growth"}))
    assert turn.text == "9.6%"


def test_a_year_is_no_thousand(graph):
    turn = asked(graph, ("answer", {"value": "2009"}), question="Which year was it, 2009 or later?")
    assert turn.text == "2009"


def entry(name: str, value: str, unit: str | None, scale: int = 1, **more: bool) -> Entry:
    return Entry(name=name, value=Decimal(value), unit=unit, scale=scale, source=FACT, **more)


@pytest.mark.parametrize(
    ("operation", "operands", "shown"),
    [
        ("subtract", [("982", "stores", 1), ("969", "stores", 1)], "13 stores"),
        ("divide", [("1964", "USD", 10**6), ("982", "stores", 1)], "$2 million per store"),
        ("divide", [("982", "stores", 1), ("491", "stores", 1)], "2"),
        ("divide", [("505", "USD", 10**6), ("144", "shares", 10**6)], "$3.51 per share"),
        ("add", [("20.2", "percent", 1), ("2.7", "percentage points", 1)], "22.9%"),
        ("add", [("20.2", "percent", 1), ("25", "basis points", 1)], "20.5%"),
        ("subtract", [("50", "basis points", 1), ("25", "basis points", 1)], "25 basis points"),
        ("basis_points", [("22.9", "percent", 1), ("20.2", "percent", 1)], "270 basis points"),
        ("multiply", [("21", "percent", 1), ("640", "USD", 10**6)], "$134.4 million"),
        ("divide", [("730", "USD", 10**6), ("365", "days", 1)], "$2 million a day"),
        ("divide", [("60", "USD", 10**6), ("12", "months", 1)], "$5 million"),
        ("range", [("22.9", "percent", 1), ("20.2", "percent", 1)], "2.7 percentage points"),
        ("average", [("22.9", "percent", 1), ("20.2", "percent", 1)], "21.6%"),
        ("subtract", [("2012", "calendar year", 1), ("2009", "calendar year", 1)], "3 years"),
    ],
)
def test_units_go_into_a_calculation_and_come_out_of_it(operation, operands, shown):
    ledger = Ledger()
    entries = [ledger.add(entry(f"e{at}", *each)) for at, each in enumerate(operands)]
    assert display(calculate(ledger, find(operation), entries)) == shown


def test_one_less_a_rate_is_a_rate():
    ledger = Ledger()
    one = ledger.add(Entry(name="one", value=Decimal(1), unit="ratio", source=FromConstant(meaning="one")))
    assert display(calculate(ledger, find("subtract"), [one, ledger.add(entry("tax", "21", "percent"))])) == "79%"


@pytest.mark.parametrize("known", [("a", "b"), ("a",), ("b",), ()])
@pytest.mark.parametrize("operation", ["add", "divide", "percentage", "subtract", "percentage_change"])
def test_only_what_stands_at_a_known_scale_is_shown_without_a_word(operation, known):
    ledger = Ledger()
    scales = {"a": 10**6 if "a" in known else 1, "b": 10**6 if "b" in known else 1}
    made = [ledger.add(entry(each, "7", "USD", scales[each], scale_known=each in known)) for each in scales]
    is_amount, is_mixed = operation in ("add", "subtract"), len(known) == 1
    shown = display(calculate(ledger, find(operation), made))
    assert ("not stated" in shown) == (is_mixed or (is_amount and not known))


WORDS = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
WORTH = {"percent": Decimal("0.01"), "percentage points": Decimal("0.01"), "basis points": Decimal("0.0001")}
MADE = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "average": lambda a, b: (a + b) / 2,
    "divide": lambda a, b: a / b,
    "percentage": lambda a, b: a / b,
    "percentage_change": lambda a, b: (a - b) / b,
    "max": max,
    "range": lambda a, b: abs(a - b),
}
SOME = st.decimals(-5000, 5000, places=2).filter(lambda value: abs(value) >= 1)
SIGNS = {"USD": "$", "EUR": "€", "stores": "store", "USD/share": "$", "days": "day"}
RATES = ("percent", "percentage points", "basis points")
KEEP = ("add", "subtract", "average", "max", "range")
ALIKE = [(unit, unit) for unit in (*RATES, *SIGNS)]
OF_RATES = [(one, other) for one in RATES for other in RATES if one != other]
APART = [("USD", "EUR"), ("USD", "stores"), ("stores", "days"), ("USD", "USD/share"), ("days", "EUR")]


def reads_as(op: str, one: str, other: str) -> str:
    """What must stand behind a number that is made of two rates, or is one: `%`, points, or nothing."""
    if op not in KEEP:
        return "" if op == "divide" else "%"
    if not {one, other} <= set(RATES):
        return ""
    if one == other == "basis points":
        return "basis point"
    is_apart = op == "range" or (op == "subtract" and one == other)
    return "%" if "percent" in (one, other) and not is_apart else "percentage point"


OPERANDS = [(op, units) for op in MADE for units in (*ALIKE, *OF_RATES, *APART)]
OPERANDS = [(op, units) for op, units in OPERANDS if units in ALIKE or (op in KEEP and op != "max")]


@settings(max_examples=10)
@given(a=SOME, b=SOME, one=st.sampled_from([1, 10**3, 10**6]), other=st.sampled_from([1, 10**3, 10**6]))
def test_whatever_is_calculated_is_shown_at_its_power_of_ten_and_in_a_unit_of_its_operands(a, b, one, other):
    for op, units in OPERANDS:
        check_shown(op, units, (a, b), (one, other))


def check_shown(op, units, amounts, scales_of):
    (a, b), (one, other) = amounts, scales_of
    scales = [scale if unit in ("USD", "EUR", "stores") else 1 for scale, unit in zip((one, other), units, strict=True)]
    ledger = Ledger()
    made = [ledger.add(entry(*each)) for each in zip("ab", (str(a), str(b)), units, scales, strict=True)]
    said = display(calculate(ledger, find(op), made))
    worth = [WORTH.get(unit, Decimal(1)) for unit in units]
    full = MADE[op](a * scales[0] * worth[0], b * scales[1] * worth[1])
    shown = Decimal("".join(char for char in said if char in "-.0123456789"))
    times = Decimal(next((WORDS[word] for word in said.split() if word in WORDS), 1))
    times *= Decimal("0.01") if "%" in said or "percentage point" in said else 1
    times *= Decimal("0.0001") if "basis point" in said else 1
    nearly = Decimal(1).scaleb(shown.as_tuple().exponent) * times / 2
    assert abs(shown * times - full) <= nearly, (op, units)
    kept = SIGNS.get(units[0]) if op in KEEP and units in ALIKE else None
    assert all((sign in said) == (kept == sign) for sign in set(SIGNS.values())), (said, units)
    rates = [each for each in ("%", "percentage point", "basis point") if each in said]
    assert rates == ([reads_as(op, *units)] if reads_as(op, *units) else []), (op, units)
