"""What falls due or is amortized in a year ahead, by the row or column of a table that is headed by the year."""

from __future__ import annotations

import pytest
from filed import ontology

from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Document, Table
from tieout.kg.build import build

BALANCE = Table(
    rows=(
        ("(in millions)", "December 31, 2024", "December 31, 2023"),
        ("Operating lease liabilities", "$ 402", "$ 391"),
        ("Long-term debt", "2,415", "2,820"),
        ("Intangible assets, net", "318", "355"),
    ),
    title="Balance sheet",
)
LEASES = Table(
    rows=(
        ("(in millions)", "Operating Leases", "Finance Leases"),
        ("2025", "$ 96", "$ 14"),
        ("2026", "83", "12"),
        ("Thereafter", "251", "9"),
    ),
    title="Maturities of lease liabilities as of December 31, 2024",
)
AMORTIZATION = Table(
    rows=(
        ("(in millions)", "2025", "2026", "2027"),
        ("Estimated amortization", "$ 41", "$ 37", "$ 29"),
    ),
    title="Estimated amortization of intangible assets as of December 31, 2024",
)
BENEFITS = Table(
    rows=(
        ("(in millions)", "Domestic Plans", "Foreign Plans"),
        ("2025", "$ 61", "$ 18"),
        ("2026", "64", "19"),
    ),
    title="Pension benefit payments expected as of December 31, 2024",
)
PAGE = Document(id="ahead", paragraphs=(), before=0, tables=(BALANCE, LEASES, AMORTIZATION, BENEFITS))


@pytest.fixture(scope="module")
def graph():
    return build(PAGE, ontology())


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("undiscounted operating lease payments due in 2026", "$83 million"),
        ("How much finance lease payments fall due in 2025?", "$14 million"),
        ("what do they owe on finance leases for 2026?", "$12 million"),
        ("how much amortization of intangible assets do they expect in 2026?", "$37 million"),
        ("estimated amortization expense of intangibles 2027", "$29 million"),
        ("pension benefit payments of foreign plans expected in 2026", "$19 million"),
    ],
)
def test_what_falls_due_in_a_year_ahead_is_told_by_the_row_or_column_of_the_year(graph, question, told) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert told in turn.text and (turn.probability or 0) >= 0.9, turn.text


@pytest.mark.parametrize(
    "question",
    [
        "operating lease payments due in 2031",
        "pension benefit payments expected in 2026",
        "pension contributions expected in 2025",
    ],
)
def test_what_no_row_or_more_than_one_has_is_not_told_for_sure(graph, question) -> None:
    turn = Session(graph, OfflineBackend(), document=PAGE).ask(question)
    assert turn.clarification is not None or (turn.probability or 0) < 0.9, turn.text
