"""A figure of a part of the company, offline: in a table of parts, in its column, or in the total under its name."""

from __future__ import annotations

import pytest
from test_agent_offline_lines import ask

from tieout.agent.question.read import read_question
from tieout.data.document import Table

INCOME = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Total revenues", "400", "380"),
        ("Cost of revenues", "250", "240"),
        ("Operating income", "60", "50"),
        ("Net income", "40", "33"),
    ),
    title="Consolidated Statements of Income",
)
BY_PART = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Farms", "290", "285"),
        ("Gardens", "110", "95"),
        ("Consolidated revenues", "400", "380"),
    ),
    title="Consolidated revenues",
)
OF_A_KIND = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Farms", "31", "29"),
        ("Gardens", "12", "11"),
        ("Total hose revenue", "43", "40"),
    ),
    title="Hose revenues of our segments",
)
COLUMNS = Table(
    rows=(
        ("(dollars in millions) 2024", "Farms", "Gardens", "Total segments"),
        ("Total revenues", "290", "110", "400"),
        ("Cost of revenues", "180", "70", "250"),
        ("Operating income", "44", "21", "65"),
    ),
    title="Segment information for 2024",
)
COSTS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("Total operating income of segments", "65", "60"),
        ("Gardens transformation costs", "(5)", "(10)"),
        ("Consolidated operating income", "60", "50"),
    ),
    title="Operating income of segments and of the company",
)
BY_PLACE = Table(
    rows=(
        ("(dollars in millions)", "2024 U.S.", "2024 International", "2024 Total"),
        ("Farms:", "", "", ""),
        ("Tools", "120", "60", "180"),
        ("Seeds", "70", "40", "110"),
        ("Total", "190", "100", "290"),
        ("Gardens:", "", "", ""),
        ("Hoses", "30", "13", "43"),
        ("Other", "40", "27", "67"),
        ("Total", "70", "40", "110"),
    ),
    title="Revenues by product",
)
COUNTRIES = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023"),
        ("United States", "260", "250"),
        ("Other countries", "140", "130"),
        ("Total revenues", "400", "380"),
    ),
    title="Revenues by country",
)


@pytest.mark.parametrize(
    ("question", "tables", "answer"),
    [
        ("total revenues of the Farms segment in 2024?", (OF_A_KIND, BY_PART, COLUMNS), "$290 million"),
        ("operating income of the Gardens segment in 2024?", (COLUMNS, COSTS), "$21 million"),
        ("revenues of the Gardens segment in 2024?", (BY_PLACE, COUNTRIES), "$110 million"),
        ("worldwide revenues of Gardens in 2024?", (BY_PLACE, COUNTRIES), "$110 million"),
        ("U.S. revenues of Gardens in 2024?", (BY_PLACE, COUNTRIES), "$70 million"),
        ("what share of consolidated revenues came from the Farms segment in 2024?", (OF_A_KIND, BY_PART), "72.5%"),
        ("what percentage of Farms revenues in 2024 was made in the U.S.?", (BY_PLACE, COUNTRIES), "65.5%"),
    ],
)
def test_a_figure_of_a_part_is_told_from_where_it_is_that_of_the_part(question: str, tables, answer: str) -> None:
    turn = ask(question, INCOME, *tables)
    assert turn.text == answer and (turn.probability or 0) >= 0.75, turn


def test_a_part_that_stands_in_another_table_than_its_whole_may_be_of_all_the_company() -> None:
    turn = ask("what percentage of Farms revenues in 2024 was made in the U.S.?", INCOME, BY_PART, COUNTRIES)
    assert turn.text is None or {"left open", "unsure"} <= {flag.rule for flag in turn.flags}, turn


def test_what_is_reported_is_what_the_statements_print() -> None:
    said = "cost of revenues as a percentage of total revenues"
    for basis in ("(reported basis)", "on an as reported basis"):
        asked = read_question(f"{said} {basis} in 2024?")
        assert not asked.open and asked.whole is not None and not asked.whole.open


@pytest.mark.parametrize(
    ("question", "measure", "words"),
    [
        ("what EBIT-adjusted did Tools post in 2024?", "ebit", {"adjusted", "tool"}),
        ("what did the Tools segment earn at the operating line in 2024?", "operating_income", {"tool"}),
        ("how much did the Tools segment sell in 2024?", "revenue", {"tool"}),
        ("how much did Acme's tools division earn in 2024?", "net_income", {"acme", "tool"}),
    ],
)
def test_what_a_part_earned_is_read_as_reports_print_it(question: str, measure: str, words: set[str]) -> None:
    asked = read_question(question)
    assert ([each.name for each in asked.named], asked.open) == ([measure], words)
