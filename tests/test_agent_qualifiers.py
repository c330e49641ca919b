"""Qualifiers bind: what is paid is not what is charged, a total is no part, a trailing year no quarter; a question has
a line beside it that a careless reader takes."""

from __future__ import annotations

import pytest

from tieout.agent.log.turn import Turn
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.session import Session
from tieout.data.document import Document, Table
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

OSIER = Document(
    id="osier-2024",
    paragraphs=(
        "Osier Works Inc. weaves baskets. Maren Toft is our Chief Executive Officer.",
        "Consolidated Statements of Income",
        "Consolidated Balance Sheets",
        "Consolidated Statements of Cash Flows",
        "Income taxes",
        "Maturities of long-term debt",
        "Equipment under finance leases",
    ),
    before=1,
    tables=(
        Table(
            title="Consolidated Statements of Income",
            after=2,
            rows=(
                ("(in millions)", "2024", "2023", "2022"),
                ("Net sales", "$ 1,331", "$ 1,210", "$ 1,100"),
                ("Cost of sales", "801", "742", "690"),
                ("Operating income", "310", "264", "240"),
                ("Interest expense", "42", "39", "35"),
                ("Income before income taxes", "268", "225", "205"),
                ("Provision for income taxes", "61", "52", "47"),
                ("Net income", "207", "173", "158"),
                ("Net income attributable to noncontrolling interests", "6", "5", "4"),
                ("Net income attributable to Osier", "$ 201", "$ 168", "$ 154"),
            ),
        ),
        Table(
            title="Consolidated Balance Sheets",
            after=3,
            rows=(
                ("(in millions)", "December 31, 2024", "December 31, 2023"),
                ("Cash and cash equivalents", "$ 118", "$ 97"),
                ("Receivables", "160", "140"),
                ("Inventories", "205", "191"),
                ("Total current assets", "483", "428"),
                ("Property, plant and equipment", "1,420", "1,330"),
                ("Accumulated depreciation", "(615)", "(560)"),
                ("Property, plant and equipment, net", "805", "770"),
                ("Total assets", "$ 1,288", "$ 1,198"),
                ("Current portion of long-term debt", "$ 55", "$ 40"),
                ("Other current liabilities", "228", "215"),
                ("Total current liabilities", "283", "255"),
                ("Long-term debt", "430", "455"),
                ("Total liabilities", "713", "710"),
                ("Total equity", "575", "488"),
                ("Total liabilities and equity", "$ 1,288", "$ 1,198"),
            ),
        ),
        Table(
            title="Consolidated Statements of Cash Flows",
            after=4,
            rows=(
                ("(in millions)", "2024", "2023", "2022"),
                ("Net income", "$ 207", "$ 173", "$ 158"),
                ("Depreciation", "88", "81", "76"),
                ("Amortization of intangible assets", "12", "11", "10"),
                ("Net cash provided by operating activities", "290", "255", "231"),
                ("Purchases of property, plant and equipment", "(123)", "(110)", "(98)"),
                ("Net cash used in investing activities", "(130)", "(115)", "(99)"),
                ("Dividends paid", "(70)", "(64)", "(60)"),
                ("Net cash used in financing activities", "(139)", "(128)", "(120)"),
                ("Supplemental information:", "", "", ""),
                ("Cash paid for income taxes", "$ 49", "$ 58", "$ 44"),
                ("Cash paid for interest", "40", "37", "36"),
            ),
        ),
        Table(
            title="Income taxes",
            after=5,
            rows=(
                ("Provision (in millions)", "2024", "2023", "2022"),
                ("Current:", "", "", ""),
                ("Federal", "$ 38", "$ 33", "$ 30"),
                ("State", "9", "8", "7"),
                ("Total current", "47", "41", "37"),
                ("Deferred:", "", "", ""),
                ("Federal", "11", "9", "8"),
                ("State", "3", "2", "2"),
                ("Total deferred", "14", "11", "10"),
                ("Total provision", "$ 61", "$ 52", "$ 47"),
            ),
        ),
        Table(
            title="Maturities of long-term debt",
            after=6,
            rows=(("(in millions)", "2025", "2026", "2027"), ("Principal payments", "$ 55", "$ 72", "$ 90")),
        ),
        Table(
            title="Equipment under finance leases",
            after=7,
            rows=(
                ("(in millions)", "December 31, 2024", "December 31, 2023"),
                ("Leased equipment", "$ 74", "$ 70"),
                ("Accumulated depreciation of leased equipment", "(31)", "(26)"),
            ),
        ),
        Table(
            title="Free cash flow",
            after=7,
            rows=(
                (
                    "(in millions)",
                    "Three months ended December 31, 2024",
                    "Three months ended December 31, 2023",
                    "Trailing four quarters ended December 31, 2024",
                ),
                ("Net cash provided by operating activities", "$ 81", "$ 76", "$ 290"),
                ("Purchases of property, plant and equipment", "(33)", "(29)", "(123)"),
                ("Free cash flow", "$ 48", "$ 47", "$ 167"),
            ),
        ),
        Table(
            title="Segments",
            after=7,
            rows=(
                ("Operating income (in millions)", "2024", "2023", "2022"),
                ("Willow Homes", "$ 190", "$ 160", "$ 149"),
                ("Reed Gardens", "120", "104", "91"),
                ("Total", "$ 310", "$ 264", "$ 240"),
            ),
        ),
    ),
)


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(OSIER, default_ontology(None)[0])


def asked(graph: Graph, question: str) -> Turn:
    return Session(graph, OfflineBackend(), document=OSIER).ask(question)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what was income taxes paid in 2024?", "$49 million"),
        ("what was income tax expense in 2024?", "$61 million"),
        ("how much was paid in interest in 2023?", "$37 million"),
        ("what was interest expense in 2023?", "$39 million"),
        ("what was net debt at the end of 2024?", "$367 million"),
        ("what was total debt at the end of 2024?", "$485 million"),
        ("long-term debt, including the current portion, at the end of 2023", "$495 million"),
        ("what were total liabilities at the end of 2024?", "$713 million"),
        ("what was the current federal tax in 2024?", "$38 million"),
        ("what was deferred state tax in 2023?", "$2 million"),
        ("what was accumulated depreciation at the end of 2024?", "$615 million"),
        ("what was accumulated depreciation of leased equipment at the end of 2024?", "$31 million"),
        ("what was free cash flow in the three months ended December 31, 2024?", "$48 million"),
        ("free cash flow in the trailing four quarters", "$167 million"),
        ("what was the average annual growth of net sales from 2022 to 2024?", "10%"),
        ("what was D&A in 2024?", "$100 million"),
        ("what was total net income attributable to Osier over 2022-2024?", "$523 million"),
        (
            "list total net sales for each of the last three years",
            "2024: $1.331 billion; 2023: $1.21 billion; 2022: $1.1 billion",
        ),
        ("what was consolidated net income in 2024?", "$207 million"),
        ("did net income fall each year from 2022 to 2024?", "no"),
        ("how much debt matures in 2027?", "$90 million"),
        ("what was operating income of Reed Gardens in 2024?", "$120 million"),
        ("who is the CEO?", "Maren Toft is our Chief Executive Officer."),
        ("total debt to equity (shareholders equity) at the end of 2024", "0.84"),
        ("days sales outstanding in 2024 on average receivables", "41.13"),
        ("days sales outstanding in 2024 on year-end receivables", "43.88"),
        ("inventory turnover (cost of sales over beginning and ending inventories) in 2024", "4.05"),
        ("inventory turnover (cost of sales / year-end inventories) in 2024", "3.91"),
        ("did operating income increase or decrease in 2024?", "$46 million"),
        ("rank the segments by operating income in 2024", "Willow Homes: $190 million; Reed Gardens: $120 million"),
        ("which segment grew operating income fastest in 2024, and by how much?", "Willow Homes: 18.8%"),
    ],
)
def test_a_line_with_its_qualifiers_is_told_and_no_other(graph: Graph, question: str, told: str) -> None:
    assert asked(graph, question).text == told


@pytest.mark.parametrize("measure", ["research and development expense", "advertising expense"])
def test_an_expense_that_is_not_printed_is_not_told_by_another_one(graph: Graph, measure: str) -> None:
    assert asked(graph, f"what was {measure} in 2024?").outcome == "clarify"


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("waht was opreating incom in 2024?", "$310 million"),
        ("invntries 2024", "$205 million"),
        ("rcvbls at the end of 2024", "$160 million"),
    ],
)
def test_what_is_mistyped_is_told_as_it_was_read(graph: Graph, question: str, told: str) -> None:
    turn = asked(graph, question)
    assert turn.text == told
    assert {flag.rule for flag in turn.flags} == {"read as"}


@pytest.mark.parametrize(
    ("haste", "plain"),
    [
        ("op inc fy24", "what was operating income in 2024?"),
        ("net sls growth 24 v 23", "how much did net sales grow from 2023 to 2024?"),
        ("net sales 24 vs LY %", "by how much did net sales grow in 2024, in percent?"),
        ("tot curr liabs ye24", "what were total current liabilities at the end of 2024?"),
        ("NI attrib to osier 23", "what was net income attributable to Osier in 2023?"),
        ("prov for inc taxes 23", "what was the provision for income taxes in 2023?"),
        ("invtory @ 12/31/24", "what were inventories at December 31, 2024?"),
        ("acc depr ye 2023", "what was accumulated depreciation at the end of 2023?"),
        ("int exp 24, 23", "what was interest expense in 2024 and 2023?"),
        ("OM 2024", "what was the operating margin in 2024?"),
    ],
)
def test_a_question_in_haste_is_answered_as_the_plain_one(graph: Graph, haste: str, plain: str) -> None:
    assert asked(graph, haste).text == asked(graph, plain).text is not None


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("operating income in 2024, and as a percentage of net sales?", ["$310 million", "23.3%"]),
        ("net sales vs operating income, 2024", ["$1.331 billion", "$310 million"]),
        ("How much did net sales change in 2024, in dollars and percent?", ["$121 million", "10%"]),
        ("net sales in 2024 compared to the prior year, in dollars", ["$121 million"]),
        ("By how many points did operating income as a share of net sales move from 2023 to 2024?", ["1.5 percentage"]),
        ("Swing in operating income from 2022 to 2024", ["$70 million"]),
        ("net sales: cumulative change since 2022", ["$231 million"]),
        ("What multiple of its 2022 level was net sales in 2024?", ["1.21"]),
        ("How did net sales develop in 2024 against 2023, in percent?", ["10%"]),
    ],
)
def test_all_that_one_question_asks_for_is_told(graph: Graph, question: str, told: list[str]) -> None:
    text = asked(graph, question).text or ""
    assert all(each in text for each in told), text


def test_a_word_that_is_near_to_none_is_not_read_as_another(graph: Graph) -> None:
    assert asked(graph, "what were basket twigs in 2024?").answer is None


@pytest.mark.parametrize("question", ["what was federal tax in 2024?", "what was state tax in 2024?"])
def test_a_tax_of_which_there_are_two_is_never_told_as_if_it_were_one(graph: Graph, question: str) -> None:
    turn = asked(graph, question)
    assert turn.answer is None or turn.flags


BANK = Document(
    id="tarn-2024",
    paragraphs=("Tarn Savings Bank lends on houses.", "Consolidated Balance Sheets"),
    before=1,
    tables=(
        Table(
            title="Consolidated Balance Sheets",
            after=2,
            rows=(
                ("(in millions)", "December 31, 2024", "December 31, 2023"),
                ("Cash and due from banks", "$ 310", "$ 290"),
                ("Loans (included $41 and $38 at fair value)", "8,400", "7,900"),
                ("Allowance for loan losses", "(210)", "(190)"),
                ("Loans, net of allowance for loan losses", "8,190", "7,710"),
                ("Total assets", "$ 12,600", "$ 11,800"),
                ("Deposits", "$ 10,500", "$ 9,900"),
                ("Total liabilities", "11,400", "10,700"),
            ),
        ),
    ),
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("what were loans at the end of 2024?", "$8.4 billion"),
        ("what were net loans at the end of 2024?", "$8.19 billion"),
        ("calculate loans to deposits at the end of 2024", "80%"),
    ],
)
def test_loans_are_those_before_the_allowance_and_net_loans_those_after_it(question: str, told: str) -> None:
    turn = Session(build(BANK, default_ontology(None)[0]), OfflineBackend(), document=BANK).ask(question)
    assert turn.text == told
