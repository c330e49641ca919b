"""A part of a company times a measure times a time, in every layout of a table, by names that people have for it."""

from __future__ import annotations

import pytest
from test_agent_told import opened

from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.agent.view.reports import Reports
from tieout.data.document import Document, Table
from tieout.kg.asked.part_names import is_result, measured

HEAD = ("Years ended December 31,", "2024", "2023")
TABLES = {
    "Consolidated Statements of Income (in millions)": (
        HEAD,
        ("Net sales", "$ 2,000", "$ 1,800"),
        ("Cost of sales", "1,200", "1,100"),
        ("Operating income", "275", "260"),
        ("Net income", "$ 190", "$ 180"),
    ),
    "Net sales by segment (in millions)": (
        HEAD,
        ("Pet Nutrition", "$ 600", "$ 500"),
        ("Marine Systems", "900", "950"),
        ("Optical Works", "500", "350"),
        ("Total net sales", "$ 2,000", "$ 1,800"),
    ),
    "Segment profit (in millions)": (
        HEAD,
        ("Pet Nutrition", "$ 90", "$ 60"),
        ("Marine Systems", "135", "$190 million"),
        ("Optical Works", "50", "10"),
        ("Total segment profit", "$ 275", "$ 260"),
    ),
    "Capital expenditures by segment (in millions)": (
        HEAD,
        ("Pet Nutrition", "$ 40", "$ 30"),
        ("Marine Systems", "50", "50"),
        ("Optical Works", "10", "20"),
        ("Total capital expenditures", "$ 100", "$ 100"),
    ),
    "Segment information for 2024 (in millions)": (
        ("", "Pet Nutrition", "Marine Systems", "Optical Works", "Total"),
        ("Depreciation and amortization", "$ 11", "$ 22", "$ 33", "$ 66"),
        ("Total assets", "$ 310", "$ 420", "$ 530", "$ 1,260"),
    ),
    "Marine Systems segment (in millions)": (
        HEAD,
        ("Net sales", "$ 900", "$ 950"),
        ("Gross profit", "360", "$400 million"),
    ),
}
SAID = (
    "Vanter Corp. makes food for pets, ships' engines and lenses.",
    "We report three segments: Pet Nutrition, Marine Systems and Optical Works.",
)


@pytest.fixture(scope="module")
def reports() -> Reports:
    """The filing of a company with three segments."""
    paragraphs = *SAID, *TABLES
    tables = (Table(rows=rows, after=len(SAID) + number) for number, rows in enumerate(TABLES.values(), start=1))
    return opened(
        Document(
            id="vanter", company="Vanter Corp.", paragraphs=paragraphs, before=len(paragraphs), tables=tuple(tables)
        )
    )


def _talk(reports: Reports, *questions: str) -> Turn:
    """The last of some turns."""
    session = Session(reports, OfflineBackend())
    return [session.ask(question) for question in questions][-1]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How much did Vanter sell in pet food in 2024?", "$600 million"),
        ("What did Vanter's marine earn in 2023?", "$190 million"),
        ("sales of the optical business in 2023", "$350 million"),
        ("What part of 2024 capex went into the pet food business?", "40"),
        ("What operating margin did the marine business make in 2024?", "15"),
        ("What was the profit margin of Optical Works in 2024?", "10"),
        ("depreciation and amortization of optical in 2024", "$33 million"),
        ("Total assets of Marine Systems in 2024", "$420 million"),
        ("gross profit of marine in 2023", "$400 million"),
        ("by how many percent did pet food sales grow in 2024?", "20"),
    ],
)
def test_a_measure_of_a_part_is_found_by_any_name_in_any_layout(reports: Reports, question: str, told: str) -> None:
    assert (_talk(reports, question).text or "").startswith(told)


@pytest.mark.parametrize(
    ("questions", "said"),
    [
        (("How much did Vanter sell in pet food in 2024?", "and the year before?"), "$500 million"),
        (("What profit did Pet Nutrition make in 2024?", "What margin on its revenue is that?"), "15"),
        (
            (
                "What were the net sales of Pet Nutrition in 2024?",
                "and Optical Works?",
                "which of the two had the better operating margin?",
                "How many percentage points apart are they?",
            ),
            "5 percentage points",
        ),
        (
            ("What share of sales came from Pet Nutrition in 2024, and what was it the year before?",),
            "2024: 30%; 2023: 27.8%",
        ),
        (("Which segments made less operating profit in 2024 than in 2023?",), "Marine Systems"),
        (("Which segment had the highest operating margin in 2024?",), "Pet Nutrition: 15%"),
    ],
)
def test_parts_are_compared_and_followed_in_talk(reports: Reports, questions: tuple[str, ...], said: str) -> None:
    assert said in (_talk(reports, *questions).text or "")


def test_another_part_or_the_whole_is_no_answer_without_a_doubt(reports: Reports) -> None:
    turn = _talk(reports, "What was the gross profit of Optical Works in 2024?")
    assert turn.outcome != "answer" or (turn.probability or 0) < 0.6


@pytest.mark.parametrize(
    ("label", "is_it"),
    [
        ("Total segment profit (loss)", True),
        ("Segment operating earnings", True),
        ("Earnings before interest and taxes", True),
        ("Interest income", False),
        ("Income before income taxes", False),
        ("Net sales", False),
    ],
)
def test_the_result_of_a_part_is_known_by_its_name(label: str, is_it: bool) -> None:
    assert is_result(measured(label, ())) == is_it
