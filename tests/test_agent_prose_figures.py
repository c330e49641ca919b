"""Prose that an analyst would sign: figures in the form that fits, names with digits, all refusals at once, caveats."""

from __future__ import annotations

import pytest
from scripted import ScriptedBackend, calculates, says

from tieout.agent.answers.sheet import plain_text
from tieout.agent.log.turn import Turn
from tieout.agent.protocol.message import Kind
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

PAGE = Document(
    id="aircraft-2024",
    paragraphs=(
        "Deliveries of the 737 MAX fell in late 2022 as COVID-19 restrictions were still in place.",
        "The company paid off its term loan in late 2019; there was no debt.",
        "Production of the 787 program was raised to 5 per month, and adjusted EPS was $0.55 per share.",
    ),
    before=3,
    tables=(
        Table(
            rows=(
                ("in millions", "2024", "2023"),
                ("Net sales", "$ 1,640.2", "$ 1,512.7"),
                ("Dividends paid", "$ (148)", "$ (139)"),
                ("Operating margin", "22.9%", "20.2%"),
            )
        ),
        Table(rows=(("", "2024", "2023"), ("Stores at end of year", "982", "969"))),
    ),
)
FALL = calculates("fall", "percentage_change", "t1r1c2", "t1r1c1")
MARGIN = calculates("margin", "divide", "t1r2c1", "t1r1c1")


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(PAGE, default_ontology(None)[0])


def told(graph: Graph, *calls: tuple[str, dict[str, object]]) -> Turn:
    session = Session(graph, ScriptedBackend([says(*calls), says(text="no more")]), Settings(max_calls=1))
    return session.ask("How did the company do in 2024?")


def prose(graph: Graph, *words: str) -> Turn:
    return told(graph, FALL, MARGIN, ("answer", {"words": list(words), "kind": "prose"}))


def refused(turn: Turn) -> str:
    return next(event.output for event in turn.events if event.event == "tool called" and event.error)


@pytest.mark.parametrize(
    ("written", "reads"),
    [
        ("It paid {t1r2c1} in dividends.", "It paid $148 million in dividends."),
        ("Dividends were {t1r2c1}.", "Dividends were -$148 million."),
        ("{t1r2c1} was paid out.", "$148 million was paid out."),
        ("Sales would fall by {fall}.", "Sales would fall by 7.8%."),
        ("The change was {fall}.", "The change was -7.8%."),
        ("The change was {fall|2 decimals}.", "The change was -7.77%."),
        ("Sales were {t1r1c1|in billions}.", "Sales were $1.6402 billion."),
        ("Sales were {t1r1c1|in billions, 1 decimal}.", "Sales were $1.6 billion."),
        ("The payout was {margin|percent}.", "The payout was -9.0%."),
        ("The payout was {margin|percent, magnitude}.", "The payout was 9.0%."),
        ("The margin rose to {t1r3c1}.", "The margin rose to 22.9%."),
        ("The 737 MAX fell, to {t1r1c1} of sales.", "The 737 MAX fell, to $1.6402 billion of sales."),
        ("After COVID-19 sales were {t1r1c1}.", "After COVID-19 sales were $1.6402 billion."),
        ("In late 2022 it fell [s0].", "In late 2022 it fell [s0]."),
        ("It was paid off in late 2019 [s1].", "It was paid off in late 2019 [s1]."),
        ("Debt was 0 [s1].", "Debt was 0 [s1]."),
        ("On 31 December 2024 sales were {t1r1c1}.", "On 31 December 2024 sales were $1.6402 billion."),
        ("In Q4 of 2024 it was {t1r1c1}.", "In Q4 of 2024 it was $1.6402 billion."),
        ("It has {t2r1c1} stores.", "It has 982 stores."),
        ("The {s2a1} program made {s2a2} per month.", "The 787 program made 5 per month."),
        ("Adjusted EPS was {s2a3} per share.", "Adjusted EPS was $0.55 per share."),
        ("Adjusted EPS was {s2a3|percent}.", "Adjusted EPS was $0.55 per share."),
        ("Sales were ${t1r1c1} billion.", "Sales were $1.6402 billion."),
        ("Sales were {t1r1c1} million.", "Sales were $1,640.2 million."),
        ("Sales fell by {fall}%, and {fall} percent is much.", "Sales fell by 7.8%, and -7.8% is much."),
    ],
)
def test_a_figure_in_a_sentence_reads_as_a_person_would_write_it(graph, written, reads):
    assert prose(graph, written).text == reads


def test_all_that_is_refused_is_said_at_once_with_what_to_write_instead(graph):
    why = refused(prose(graph, "Sales rose to 1,640.2 from {t9r9c9} [s7].", "They “boomed”, by {fall|in dozens}."))
    for part in (
        "the number '1,640.2' is typed, so nothing accounts for it: write {t1r1c1}",
        "'t9r9c9' is no entry",
        "there is no sentence 's7': cite by the names that the card shows",
        "the report does not print 'boomed'",
        "'in dozens' is no way to show a figure",
    ):
        assert part in why


@pytest.mark.parametrize("typed", ["0% of sales", "0 million of {t1r1c1}", "the 738 MAX {t1r1c1}", "COVID-20 {t1r1c1}"])
def test_a_number_that_is_no_name_of_the_report_is_still_refused(graph, typed):
    assert "is typed" in refused(prose(graph, f"It was {typed} [s0]."))


def test_a_sentence_that_rests_on_nothing_is_marked_as_the_models_own(graph):
    turn = prose(graph, "Sales were {t1r1c1}. That is a good year.", "The outlook is fair.")
    assert turn.text == (
        "Sales were $1.6402 billion. That is a good year. [model's own words] The outlook is fair. [model's own words]"
    )


def test_a_number_has_a_basis_and_a_caveat_that_are_checked_as_prose(graph):
    said = {
        "value": "margin",
        "format": "percent",
        "basis": "on net sales of {t1r1c1}",
        "caveat": "After COVID-19 [s0].",
    }
    turn = told(graph, MARGIN, ("answer", said))
    assert turn.text == "-9.0%, on net sales of $1.6402 billion. After COVID-19 [s0]."
    assert turn.answer is not None and turn.sentences_under() == ("s0",)
    why = refused(told(graph, MARGIN, ("answer", said | {"basis": "on 12 stores", "caveat": "of 13 [s9]"})))
    assert "'12' is typed" in why and "'13' is typed" in why and "no sentence 's9'" in why


def test_a_name_with_its_value_is_one_answer(graph):
    call = ("answer", {"words": ["Net sales"], "values": ["t1r1c1"], "kind": "name with value"})
    turn = told(graph, call)
    assert (turn.kind, turn.text, turn.roots) == (Kind.NAMED, "Net sales: $1.6402 billion", ("t1r1c1",))
    assert "name with value, by these figures of the report" in plain_text(turn)


def test_a_list_says_which_figure_is_which(graph):
    turn = told(graph, ("answer", {"values": ["t1r1c1", "t1r1c2"], "kind": "list"}))
    assert turn.text == "2024: $1.6402 billion; 2023: $1.5127 billion"
    turn = told(graph, ("answer", {"values": ["t1r1c1", "t1r2c1"], "kind": "list"}))
    assert turn.text == "Net sales: $1.6402 billion; Dividends paid: -$148 million"
