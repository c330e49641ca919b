"""Notes and bonds that a question tells by when they fall due or by their rate, by the row that has them."""

from __future__ import annotations

import pytest
from filed import ontology

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Document, Table
from tieout.kg.build import build

NOTES = Table(
    rows=(
        ("(in millions)", "December 31, 2024", "December 31, 2023"),
        ("2.15% Notes due 2027", "$ 425", "$ 425"),
        ("3.60% Notes due 2031", "610", "-"),
        ("5.45% Notes due 2044", "380", "395"),
        ("Total", "1,415", "820"),
    ),
    title="Senior notes",
)
BONDS = Table(
    rows=(
        ("(in millions)", "Effective Interest Rate", "Final Maturity", "Principal"),
        ("Harbour bond", "1.82 %", "2029", "$ 145"),
        ("Ferry bond", "4.37 %", "2036", "230"),
    ),
    title="Bonds of the pilot company",
)
PAGE = Document(id="debts", paragraphs=(), before=0, tables=(NOTES, BONDS))


@pytest.fixture(scope="module")
def graph():
    return build(PAGE, ontology())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("principal of the notes due in 2031", ["$610 million"]),
        ("coupon of the notes due 2044", ["5.45%"]),
        ("how much of the 5.45% notes is outstanding?", ["$380 million"]),
        ("Rate and principal of the notes maturing in 2027?", ["2.15%", "$425 million"]),
        ("what is the maturity year of the bond with 4.37% effective rate", ["2036"]),
        ("principal of the bond that matures in 2029", ["$145 million"]),
    ],
)
def test_a_debt_is_told_by_the_row_that_has_its_year_or_its_rate(graph, question, told) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert all(each in turn.text for each in told), turn.text


@pytest.mark.parametrize(
    "question",
    [
        "principal of the notes due in 2035",
        "coupon of the 7.25% notes",
        "When did they pay back the 2.15% notes?",
        "what is the annual interest on the notes due 2031?",
    ],
)
def test_a_debt_that_no_row_has_is_not_told_for_sure(graph, question) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert turn.clarification is not None or (turn.probability or 0) < 0.9
