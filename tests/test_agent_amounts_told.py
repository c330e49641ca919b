"""An annual report of a maker of boats, asked for amounts that stand in its running text alone: what is accrued for a
lawsuit, what a tax authority claims, what a purchase, a dividend or a strike came to."""

from __future__ import annotations

import pytest
from test_agent_of_a_retailer import TABLES, talk
from test_agent_told import opened

from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table

SAID = (
    "Tarn Boats, Inc. builds boats, and sells what belongs to them.",
    "Fiscal 2024 ended on February 1, 2025, and fiscal 2023 ended on February 3, 2024.",
    "In fiscal 2023, owners of boats filed lawsuits over cracked Merlin hulls in two courts.",
    "The Company believes that the plaintiffs are wrong, and defends itself.",
    "As of February 1, 2025, the Company had an accrual of $46 million for the Merlin hull litigation.",
    "In fiscal 2024, the Company made payments for legal fees and settlements of $19 million related to it.",
    "The Company’s receivable for insurance recoveries related to the Merlin hull litigation was $4 million.",
    "In March 2024, the Company received a Notice of Deficiency from the Norland Revenue Board for the 2021 tax year "
    "in the amount of $37 million.",
    "The Board seeks interest besides, and a hearing is expected in fiscal 2026.",
    "On June 3, 2024, the Company acquired Reedmere Marine for $12 per share, which equated to a purchase price of "
    "$61 million.",
    "The allocation of the purchase price resulted in goodwill of $23 million and in intangible assets of $9 million.",
    "At February 1, 2025, the Company had used $60 million of the $150 million authorized under the repurchase "
    "program, leaving approximately $90 million available for future repurchases.",
    "A walkout at the Alderney yard in fiscal 2024 had an unfavorable impact of approximately $8 million on it.",
    "No other customer accounted for 10% or more of net sales.",
)


@pytest.fixture(scope="module")
def tarn() -> Reports:
    """The filing, with its statements, notes and sentences."""
    paragraphs = *SAID, *TABLES
    tables = tuple(Table(rows=rows, after=len(SAID) + at) for at, rows in enumerate(TABLES.values(), start=1))
    return opened(
        Document(id="tarn", company="Tarn Boats, Inc.", paragraphs=paragraphs, before=len(paragraphs), tables=tables)
    )


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what has Tarn accrued for the Merlin hull cases at February 1, 2025?", "$46 million"),
        ("what tax deficiency did the Norland Revenue Board assert against Tarn for 2021?", "$37 million"),
        ("how much may Tarn still spend on buybacks under its authorization?", "$90 million"),
        ("how much did the Alderney walkout ding Tarn in fiscal 2024?", "$8 million"),
    ],
)
def test_an_amount_of_the_running_text_is_told(tarn: Reports, question: str, told: str) -> None:
    assert told in (talk(tarn, question).text or "")


@pytest.mark.parametrize(
    "question",
    ["how many Merlin boats did Tarn ship in fiscal 2024?", "what did Tarn pay for Heronsgate Sails?"],
)
def test_what_no_sentence_tells_is_no_amount_of_another_matter(tarn: Reports, question: str) -> None:
    turn = talk(tarn, question)
    assert turn.clarification is not None or (turn.probability or 0) < 0.6


def test_lines_of_the_statements_are_not_taken_from_sentences(tarn: Reports) -> None:
    for question, told in (("long-term debt", "$270 million"), ("net sales of Toys in fiscal 2024", "$150 million")):
        assert talk(tarn, question).text == told
