"""An annual report of a retailer, asked as people put it: shops, staff, debt that falls due, margins, parts in talk."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from test_agent_told import opened

from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.kg.fact import Fact, FactKind
from tieout.kg.sense import makes_no_sense

HEAD = ("Fiscal years ended", "February 1, 2025", "February 3, 2024")
DAYS = ("", "February 1, 2025", "February 3, 2024")
TABLES = {
    "Consolidated Statements of Operations (in millions)": (
        HEAD,
        ("Net sales", "$ 800", "$ 1,000"),
        ("Cost of sales", "500", "600"),
        ("Operating income", "80", "110"),
        ("Net income", "$ 50", "$ 70"),
    ),
    "Consolidated Balance Sheets (in millions)": (
        DAYS,
        ("Cash and cash equivalents", "$ 60", "$ 70"),
        ("Total assets", "$ 900", "$ 950"),
        ("Current portion of long-term debt", "30", "20"),
        ("Long-term debt", "270", "280"),
        ("Total liabilities", "500", "550"),
        ("Total stockholders' equity", "400", "400"),
        ("Total liabilities and stockholders' equity", "$ 900", "$ 950"),
    ),
    "Long-term debt (in millions)": (
        DAYS,
        ("Notes", "$ 290", "$ 290"),
        ("Finance leases", "10", "10"),
        ("Total long-term debt", "300", "300"),
        ("Less current portion", "30", "20"),
        ("Long-term debt, less current portion", "$ 270", "$ 280"),
    ),
    "Maturities of long-term debt (in millions)": (
        ("", "Principal"),
        ("Fiscal 2025", "$ 30"),
        ("Fiscal 2026", "70"),
        ("Fiscal 2027", "90"),
        ("Thereafter", "110"),
    ),
    "Net sales by segment (in millions)": (
        HEAD,
        ("Garden and Pond", "$ 300", "$ 290"),
        ("Workshop", "350", "500"),
        ("Toys", "150", "210"),
        ("Total net sales", "$ 800", "$ 1,000"),
    ),
    "Reconciliation of measures that are not of GAAP": (
        HEAD,
        ("GAAP operating income (in millions)", "$ 80", "$ 110"),
        ("Non-GAAP operating income (in millions)", "$ 96", "$ 115"),
        ("Non-GAAP operating margin", "12.0%", "11.5%"),
    ),
}
SAID = (
    "Gable Mart, Inc. sells garden tools, toys and what a workshop needs.",
    "Fiscal 2024 ended on February 1, 2025, and fiscal 2023 ended on February 3, 2024.",
    "As of the end of fiscal 2024, we operated 412 stores throughout the country.",
    "During fiscal 2024, the Company opened 17 new stores and remodeled 20 stores.",
    "We operated 33 stores outside of the United States.",
    "As of February 1, 2025, a total of 31 stores, or 7.5% of all, were located in Canada.",
    "We employed approximately 16,000 full-time and part-time employees as of February 1, 2025.",
    "Two customers accounted for 27% and 14% of net sales in fiscal 2024.",
)


@pytest.fixture(scope="module")
def gable() -> Reports:
    """The filing, with its statements, notes and sentences."""
    paragraphs = *SAID, *TABLES
    tables = (Table(rows=rows, after=len(SAID) + number) for number, rows in enumerate(TABLES.values(), start=1))
    return opened(
        Document(
            id="gable", company="Gable Mart, Inc.", paragraphs=paragraphs, before=len(paragraphs), tables=tuple(tables)
        )
    )


def talk(report: Reports, *questions: str) -> Turn:
    """The last of some turns."""
    session = Session(report, OfflineBackend())
    return [session.ask(question) for question in questions][-1]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how many stores did Gable have at the end of fiscal 2024?", "412"),
        ("how many shops does Gable run?", "412"),
        ("how many stores were there worldwide at the end of fiscal 2024?", "412"),
        ("how many stores existed when fiscal 2024 closed?", "412"),
        ("how many stores did Gable open in fiscal 2024?", "17"),
        ("sales per employee in fiscal 2024", "50,000"),
        ("how much debt is due in fiscal 2025?", "$30 million"),
        ("how much debt matures in the three years 2025 to 2027?", "$190 million"),
        ("what principal comes due in fiscal 2026?", "$70 million"),
        ("how much long-term debt, current portion included, was there at February 1, 2025?", "$300 million"),
        ("operating margin in fiscal 2024", "10%"),
        ("operating margin in fiscal 2024 (gaap)", "10%"),
        ("non-gaap operating margin in fiscal 2024", "12%"),
        ("did net sales rise or fall in fiscal 2024, and by what percentage?", "-20%"),
        ("what did Toys bring in in fiscal 2024?", "$150 million"),
        ("which segment lost the most revenue in fiscal 2024?", "Workshop"),
        ("what share of net sales in fiscal 2024 was Toys rather than Workshop?", "18.8%"),
        ("whats the bottom line for fiscal 2024", "$50 million"),
    ],
)
def test_what_is_asked_in_plain_words_is_told(gable: Reports, question: str, told: str) -> None:
    turn = talk(gable, question)
    assert turn.outcome == "answer", turn.clarification
    assert told in (turn.text or "")


def test_shops_of_some_sort_or_elsewhere_are_no_shops_at_all(gable: Reports) -> None:
    for question in ("how many online stores are there?", "how many stores did it close in fiscal 2024?"):
        assert "412" not in (talk(gable, question).text or ""), question


def test_segments_are_no_customers(gable: Reports) -> None:
    turn = talk(gable, "how much of net sales did the two biggest customers bring in together in fiscal 2024?")
    assert "Workshop" not in (turn.text or "") or (turn.probability or 0) < 0.6


@pytest.mark.parametrize(
    ("questions", "told"),
    [
        (["net sales of Toys in fiscal 2024?", "and for Garden and Pond?"], "$300 million"),
        (["net sales of Toys in fiscal 2024?", "and Garden and Pond?"], "$300 million"),
        (["net sales of Toys in fiscal 2024?", "and Workshop and Toys?"], "Workshop: $350 million; Toys: $150 million"),
        (
            [
                "net sales of Workshop in fiscal 2024?",
                "what share of total net sales is that?",
                "and Toys?",
                "and net sales of Garden and Pond?",
                "which of the two grew faster?",
            ],
            "Garden",
        ),
    ],
)
def test_a_part_with_and_in_its_name_is_asked_on_for(gable: Reports, questions: list[str], told: str) -> None:
    assert told.lower() in (talk(gable, *questions).text or "").lower()


def figure(column: int, start: date, end: date) -> Fact:
    period = Period(key=f"{start}/{end}", kind=PeriodKind.DATE, label="", year=end.year, start=start, end=end)
    return Fact(
        name=f"t1r1c{column}",
        kind=FactKind.TABLE,
        value=Decimal(7),
        raw="7",
        period=period,
        instance="",
        entity_type="",
        property="",
        label="Net income",
        matched_by="",
        match_score=0,
        start=0,
        end=1,
        context="7",
        table=1,
        row=1,
        column=column,
    )


def test_a_quarter_is_not_added_to_the_half_year_that_holds_it() -> None:
    quarter, half = (figure(each, date(2024, month, 1), date(2024, 6, 30)) for each, month in ((1, 4), (2, 1)))
    before = figure(3, date(2024, 1, 1), date(2024, 3, 31))
    assert makes_no_sense("add", [quarter, half]) and makes_no_sense("sum", [half, quarter])
    assert not makes_no_sense("add", [quarter, before]) and not makes_no_sense("subtract", [half, quarter])
