"""Awards of stock: what happened to them, how many there are and at what price, by the tables that tell of them."""

from __future__ import annotations

import pytest
from filed import ontology

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.ontology.asked.awards import events_in, left_of

UNITS = Table(
    rows=(
        ("(in thousands, except per share data)", "Number of Shares", "Weighted-Average Grant-Date Fair Value"),
        ("Nonvested at December 31, 2022", "641", "$ 31.20"),
        ("Granted", "212", "44.10"),
        ("Vested", "(190)", "29.75"),
        ("Forfeited", "(23)", "33.60"),
        ("Nonvested at December 31, 2023", "640", "$ 35.90"),
        ("Granted", "205", "48.25"),
        ("Vested", "(177)", "34.15"),
        ("Forfeited", "(31)", "37.05"),
        ("Nonvested at December 31, 2024", "637", "$ 40.30"),
    ),
    title="Note 9: Restricted Stock Units",
)
OPTIONS = Table(
    rows=(
        ("(in thousands, except per share data)", "Options", "Weighted-Average Exercise Price"),
        ("Outstanding at December 31, 2023", "1,904", "$ 22.45"),
        ("Granted", "318", "47.60"),
        ("Exercised", "(402)", "19.85"),
        ("Cancelled", "(57)", "30.15"),
        ("Outstanding at December 31, 2024", "1,763", "$ 27.30"),
        ("Exercisable at December 31, 2024", "1,116", "$ 21.75"),
    ),
    title="Note 9: Stock Options",
)
TARGETS = Table(
    rows=(
        ("(in thousands, except per share data)", "Shares", "Weighted-Average Grant-Date Fair Value"),
        ("Nonvested at December 31, 2023", "84", "$ 36.10"),
        ("Granted", "26", "50.05"),
        ("Vested", "(19)", "30.90"),
        ("Nonvested at December 31, 2024", "91", "$ 41.15"),
    ),
    title="Note 9: Performance Share Units",
)
PAGE = Document(id="awards", paragraphs=(), before=0, tables=(UNITS, OPTIONS, TARGETS))


@pytest.fixture(scope="module")
def graph():
    return build(PAGE, ontology())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many RSUs were granted in 2024?", "205,000 shares"),
        ("RSUs vested in 2023", "190,000 shares"),
        ("how many restricted stock units were unvested at the end of 2023?", "640,000 shares"),
        ("restricted stock units outstanding", "637,000 shares"),
        ("RSUs outstanding at the beginning of 2024", "640,000 shares"),
        ("average fair value of RSUs forfeited in 2024", "$37.05 per share"),
        ("How many RSUs were granted in 2023 and at what fair value?", "212,000 shares"),
        ("stock options exercisable at year end", "1.116 million shares"),
        ("options canceled in 2024", "57,000 shares"),
        ("exercise price of the options granted", "$47.60 per share"),
        ("PSUs granted in 2024", "26,000 shares"),
    ],
)
def test_awards_are_told_by_what_happened_to_them_by_the_year_and_by_number_or_price(graph, question, told) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert told in turn.text
    if "at what" in question:
        assert "$44.10 per share" in turn.text


@pytest.mark.parametrize(
    "question",
    [
        "unrecognized cost of RSUs",
        "cash received from options exercised in 2024",
        "RSUs available for grant in 2024",
        "what was the value of the restricted stock granted in 2024?",
        "total grant date fair value of the options granted in 2024",
    ],
)
def test_what_a_table_of_awards_does_not_tell_is_not_told_for_sure(graph, question) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert turn.clarification is not None or (turn.probability or 0) < 0.9


@pytest.mark.parametrize(
    ("row", "events"),
    [
        ("nonvested at december 31", ["outstanding"]),
        ("outstanding at the beginning of the year, restricted stock units", ["outstanding"]),
        ("granted", ["granted"]),
        ("vested and exercised", ["vested", "exercised"]),
        ("nonvested, granted in the year", ["granted", "outstanding"]),
        ("shares authorized", []),
        ("outstanding and available for issuance", []),
    ],
)
def test_a_row_of_awards_says_what_happened_to_them_or_that_they_are_there(row: str, events: list[str]) -> None:
    assert events_in(row) == events


def test_what_a_question_says_beside_its_award_is_left() -> None:
    said = frozenset(("rsus", "granted", "lawyers"))
    assert [left_of(said, event) for event in ("granted", "outstanding")] == [{"lawyers"}, {"granted", "lawyers"}]
