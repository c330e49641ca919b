"""A report of a ferry line: what falls due in the years ahead, by tables and sentences, and how many there are of
something."""

from __future__ import annotations

import pytest
from test_agent_of_a_retailer import talk
from test_agent_told import opened

from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table

HEAD, DAYS = ("Years ended December 31", "2024", "2023"), ("", "December 31, 2024", "December 31, 2023")
TABLES = {
    "Consolidated Statements of Operations (in millions)": (
        HEAD,
        ("Revenue", "$ 900", "$ 800"),
        ("Operating income", "90", "80"),
        ("Net income", "$ 50", "$ 40"),
    ),
    "Consolidated Balance Sheets (in millions)": (
        DAYS,
        ("Cash and cash equivalents", "$ 60", "$ 70"),
        ("Total assets", "$ 990", "$ 950"),
        ("Long-term debt", "270", "280"),
        ("Total liabilities", "590", "550"),
        ("Total stockholders' equity", "400", "400"),
        ("Total liabilities and stockholders' equity", "$ 990", "$ 950"),
    ),
    "Maturities of lease liabilities as of December 31, 2024 (in millions)": (
        ("", "Operating Leases", "Finance Leases"),
        ("2025", "$ 40", "$ 7"),
        ("2026", "30", "6"),
        ("2027", "20", "5"),
        ("Thereafter", "60", "12"),
        ("Sum of what is owed", "150", "30"),
        ("Less what accrues", "(25)", "(4)"),
        ("Carried at", "$ 125", "$ 26"),
    ),
    "Contractual obligations as of December 31, 2024 (in millions)": (
        ("", "2025", "2026", "2027", "Thereafter", "Total"),
        ("Harbour dues", "$ 11", "$ 12", "$ 13", "$ 24", "$ 60"),
        ("Ships on order", "101", "102", "103", "94", "400"),
        ("Total", "$ 112", "$ 114", "$ 116", "$ 118", "$ 460"),
    ),
    "Ships as of December 31, 2024": (
        ("", "Owned", "Leased", "Total"),
        ("Car ferries", "31", "9", "40"),
        ("Hydrofoils", "12", "3", "15"),
        ("Total ships", "43", "12", "55"),
    ),
    "Operating measures": (
        HEAD,
        ("Crossings (in units)", "8,100", "7,900"),
        ("Revenue per crossing", "$ 111.11", "$ 101.27"),
    ),
}
SAID = (
    "Skerry Lines, Inc. runs ferries.",
    "The scheduled maturities of bank loans in each of the years ending December 31, 2025 through 2027 are $5 million, "
    "$4 million and $61 million, respectively.",
    "We expect to recognize deferred fares of $8.5 million in 2025, $2.5 million in 2026 and $1.5 million thereafter.",
    "As of December 31, 2024, we had 614 corporate customers.",
    "As of December 31, 2023, we had 571 corporate customers.",
    "Our top 20 customers brought in 12% of revenue in 2024.",
    "In 2024, we opened 3 terminals, and closed 1 terminal.",
    "At the end of 2024, we operated 26 terminals in Norway, Scotland and Iceland.",
)


@pytest.fixture(scope="module")
def skerry() -> Reports:
    """The filing, with its statements, notes and sentences."""
    paragraphs = *SAID, *TABLES
    tables = (Table(rows=rows, after=len(SAID) + number) for number, rows in enumerate(TABLES.values(), start=1))
    return opened(
        Document(
            id="skerry",
            company="Skerry Lines, Inc.",
            paragraphs=paragraphs,
            before=len(paragraphs),
            tables=tuple(tables),
        )
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "what operating lease payments fall due in each of 2025 to 2027?",
            ("$40 million", "$30 million", "$20 million"),
        ),
        (
            "how much of the finance leases falls due in 2025, how much in 2026, and how much after 2026?",
            ("$7", "$6", "$17"),
        ),
        ("what share of the operating lease payments falls due after 2027?", ("40%",)),
        (
            "what do the future payments under operating leases add up to, and how much of that is interest?",
            ("$150", "25"),
        ),
        ("operating leases: what is owed in total before interest, and what is it worth discounted?", ("$150", "$125")),
        ("counting operating and finance leases together, what lease payments are due in 2026?", ("$36 million",)),
        ("add up the operating lease payments that fall due in 2025 and 2026", ("$70 million",)),
        ("how much are they on the hook for in total under ships on order?", ("$400 million",)),
        (
            "how much do they owe in harbour dues in total, and how much of that in 2026?",
            ("$60 million", "$12 million"),
        ),
        (
            "list the future payments for ships on order by year",
            ("$101", "$102", "$103", "$94"),
        ),
        ("how much of the bank loans matures in 2027?", ("$61 million",)),
        ("which bank loans fall due in 2025 and in 2026?", ("$5 million", "$4 million")),
        (
            "how much of the deferred fares do they expect to recognize in 2025, and how much after 2026?",
            ("$8.5", "$1.5"),
        ),
    ],
)
def test_what_falls_due_is_told_for_some_years_for_later_ones_and_for_all(
    skerry: Reports, question: str, told: tuple[str, ...]
) -> None:
    turn = talk(skerry, question)
    assert turn.outcome == "answer", turn.clarification
    assert all(each in (turn.text or "") for each in told), turn.text
    assert (turn.probability or 0) > 0.6


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many ships does it own and how many does it lease?", ("43", "12")),
        ("how many ships are there altogether?", ("55",)),
        ("how many hydrofoils does it lease?", ("3",)),
        ("how many customers did they have at the end of 2024, and how many a year earlier?", ("614", "571")),
        ("how many terminals did it run at the end of 2024?", ("26",)),
        ("how many terminals did it open in 2024?", ("3",)),
        ("how many crossings were there in 2023?", ("7,900",)),
    ],
)
def test_how_many_there_are_is_told_by_the_figure_that_counts_them(
    skerry: Reports, question: str, told: tuple[str, ...]
) -> None:
    turn = talk(skerry, question)
    assert turn.outcome == "answer", turn.clarification
    assert all(each in (turn.text or "") for each in told), turn.text


@pytest.mark.parametrize("question", ["how many cabins does it own?", "how many customers complained in 2024?"])
def test_how_many_there_are_of_what_nothing_counts_is_not_told_for_sure(skerry: Reports, question: str) -> None:
    turn = talk(skerry, question)
    assert turn.clarification is not None or (turn.probability or 0) < 0.6, turn.text
