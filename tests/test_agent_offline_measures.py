"""Measures with their qualifiers, and what composes of them: over a report with lines that are easily mistaken."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_agent_offline_lines import ask

import tieout
from tieout.agent.question.read import read_question
from tieout.data.document import Table
from tieout.ontology.asked.tree import over_time
from tieout.ontology.metrics.formula import Apply, Operand, before, read_formula

INCOME = Table(
    rows=(
        ("(dollars in millions, except per share data)", "2024", "2023", "2022", "2021"),
        ("Net sales", "810", "760", "700", "640"),
        ("Cost of sales", "486", "471", "441", "410"),
        ("Gross profit", "324", "289", "259", "230"),
        ("Research and development", "41", "38", "36", "33"),
        ("Operating income", "122", "101", "88", "80"),
        ("Interest expense", "9", "8", "7", "6"),
        ("Income before income taxes", "113", "93", "81", "74"),
        ("Provision for income taxes", "27", "21", "19", "17"),
        ("Net income", "86", "72", "62", "57"),
        ("Diluted earnings per share", "$ 2.77", "$ 2.36", "$ 2.03", "$ 1.87"),
    ),
    title="Consolidated Statements of Income",
)
FLOWS = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023", "2022", "2021"),
        ("Depreciation", "30", "28", "27", "25"),
        ("Amortization of intangible assets", "6", "6", "5", "5"),
        ("Net cash provided by operating activities", "131", "119", "104", "95"),
        ("Capital expenditures", "(45)", "(38)", "(35)", "(32)"),
        ("Dividends paid", "(24)", "(22)", "(20)", "(18)"),
        ("Supplemental disclosures:", "", "", "", ""),
        ("Cash paid for income taxes", "31", "19", "22", "15"),
        ("Cash paid for interest", "8.5", "7.5", "6.5", "5.5"),
    ),
    title="Consolidated Statements of Cash Flows",
)
DEBT = Table(
    rows=(
        ("(dollars in millions)", "December 31, 2024", "December 31, 2023"),
        ("Current portion of long-term debt", "15", "12"),
        ("Property, plant and equipment, at cost", "640", "600"),
        ("Less: accumulated depreciation", "(260)", "(240)"),
        ("Property, plant and equipment, net", "380", "360"),
        ("Accumulated depreciation of equipment leased to others", "(21)", "(19)"),
        ("Noncontrolling interests", "5", "6"),
    ),
    title="Supplemental balance sheet information",
)
TAXES = Table(
    rows=(
        ("(dollars in millions)", "2024", "2023", "2022"),
        ("Current:", "", "", ""),
        ("Federal", "14", "11", "10"),
        ("State and local", "4", "3", "3"),
        ("Foreign", "7", "6", "5"),
        ("Deferred:", "", "", ""),
        ("Federal", "1", "(1)", "2"),
        ("Foreign", "1", "2", "(1)"),
    ),
    title="Provision for income taxes",
)
DUE = Table(
    rows=(
        ("(dollars in millions)", "Maturities of debt", "Payments of operating leases"),
        ("2025", "15", "9"),
        ("2026", "33", "8"),
        ("2027", "47", "6"),
    ),
    title="Maturities of long-term debt and operating lease payments due",
)
ALL = (INCOME, FLOWS, DEBT, TAXES)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was income taxes paid in 2024?", "$31 million"),
        ("how much was paid in interest in 2023?", "$7.5 million"),
        ("what was the provision for income taxes in 2024?", "$27 million"),
        ("what was the current federal tax in 2024?", "$14 million"),
        ("what was current state tax in 2023?", "$3 million"),
        ("what was deferred foreign tax in 2023?", "$2 million"),
        ("what was current foreign tax in 2022?", "$5 million"),
        ("what was total shareholders' equity at the end of 2023?", "$164 million"),
        ("what was accumulated depreciation at the end of 2024?", "$260 million"),
        ("what was d&a in 2024?", "$36 million"),
        ("what was total debt at the end of 2024?", "$135 million"),
        ("what was net debt at the end of 2024?", "$35 million"),
        ("what were total liabilities at the end of 2024?", "$180 million"),
        ("what was total capex over 2022-2024?", "$118 million"),
        ("what was the cagr of net sales from 2021 to 2024?", "8.2%"),
        ("what was the average annual growth of net sales from 2021 to 2024?", "8.2%"),
        ("did net sales fall each year from 2021 to 2024?", "no"),
        ("did gross profit rise each year from 2021 to 2024?", "yes"),
    ],
)
def test_a_line_without_its_qualifiers_is_another_measure(question: str, answer: str) -> None:
    turn = ask(question, *ALL)
    assert turn.text.lstrip("-") == answer, turn.flags


@pytest.mark.parametrize(
    ("question", "lacks"),
    [
        ("what was adjusted operating income in 2024?", "adjusted"),
        ("what was deferred state tax in 2024?", "state"),
        ("what was research and development per employee in 2024?", "employee"),
        ("what was revenue per share in 2024?", "share"),
    ],
)
def test_a_measure_that_is_not_there_is_asked_back_and_never_another_one(question: str, lacks: str) -> None:
    turn = ask(question, *ALL)
    doubted = (turn.probability or 0) < 0.6 or any(flag.rule in ("left open", "other qualifier") for flag in turn.flags)
    assert turn.outcome == "clarify" or doubted, turn.text
    assert turn.outcome != "clarify" or lacks in str(turn.clarification)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("what was capex / revenue in 2024?", "0.056"),
        ("what was the average of capex / revenue over the last three years?", "0.052"),
        ("what was operating income plus depreciation and amortization in 2024?", "$158 million"),
        ("what was net debt / ebitda in 2024?", "0.22"),
        ("what was gross profit minus research and development in 2023?", "$251 million"),
        ("what was net income divided by total assets in 2024?", "0.25"),
        ("by how much did the operating margin change in 2024?", "1.8 percentage points"),
        ("how did net sales change since 2022?", "$110 million"),
        ("what was the dividend payout ratio in 2024?", "27.9%"),
    ],
)
def test_measures_compose(question: str, answer: str) -> None:
    turn = ask(question, *ALL)
    assert turn.text == answer
    assert (turn.probability or 0) >= 0.6


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("which year had the highest gross margin?", "2024"),
        ("when was the operating margin lowest?", "2021"),
        ("was gross margin higher in 2022 or 2023?", "2023"),
        ("in which years was the gross margin above 37.5%?", "2023; 2024"),
        ("was the gross margin above 41% in 2024?", "no"),
        ("was the gross margin higher than in 2021?", "yes"),
        ("was revenue lower than in 2022?", "no"),
        ("did revenue grow faster in 2024 than in 2023?", "no"),
        ("did net income growth accelerate in 2024?", "yes"),
        ("did net income grow more slowly than revenue in 2024?", "no"),
        ("is free cash flow higher than net income in 2024?", "no"),
        ("did capex exceed depreciation in 2023?", "yes"),
        ("was R&D less than capex in 2022?", "no"),
        ("which was higher in 2024, R&D or depreciation?", "R&D: $41 million"),
        ("which grew faster in 2024, revenue or net income?", "net income: 19.4%"),
        ("which is lower, gross margin or operating margin?", "operating margin: 15.1%"),
        ("what was total capital expenditures from fiscal 2022 to fiscal 2024?", "$118 million"),
        ("by how much was net income in 2023 higher than in 2022?", "$10 million"),
        ("how much higher was net income in 2024 than in 2023?", "$14 million"),
        ("how much lower was revenue in 2022 than in 2024?", "$110 million"),
        ("How much tax did the company pay in 2024?", "$31 million"),
        ("how much did the company pay in taxes in 2023?", "$19 million"),
        ("was operating cash flow positive in 2023?", "yes"),
        ("was net income negative in 2022?", "no"),
        ("what was revenue two years ago?", "$700 million"),
        ("what was net income 3 years earlier?", "$57 million"),
        ("by how many percentage points did the operating margin change in 2024?", "1.8 percentage points"),
    ],
)
def test_what_is_compared_is_found_or_calculated_first(question: str, answer: str) -> None:
    turn = ask(question, *ALL)
    assert turn.text == answer
    assert (turn.probability or 0) >= 0.6 and not turn.flags


@pytest.mark.parametrize(
    "question", ["the trend in gross margin", "show me gross margin over time", "gross margin by year"]
)
def test_a_development_is_one_figure_a_year(question: str) -> None:
    turn = ask(question, *ALL)
    assert turn.text == "2024: 40%; 2023: 38.0%; 2022: 37%; 2021: 35.9%"
    assert (turn.probability or 0) >= 0.6 and not turn.flags


def test_two_questions_in_one_have_two_answers() -> None:
    turn = ask("what was net income in 2024, and by how much did it grow?", *ALL)
    assert "$86 million" in turn.text and "19.4%" in turn.text


@pytest.mark.parametrize(
    "question",
    [
        "by how much did capex in the cash flow go up in 2024 vs 2023",
        "how much was depreciation on the cash flow statement in 2023 vs 2022?",
        "R&D in the income statement 2024",
    ],
)
def test_the_statement_in_which_a_figure_stands_is_nothing_that_is_asked_for(question: str) -> None:
    asked = read_question(question)
    assert len(asked.named) == 1 and not asked.open, asked
    assert "cash flow" not in asked.lower and "statement" not in asked.lower


def test_what_is_misspelt_is_read_as_the_nearest_measure_and_said() -> None:
    turn = ask("waht was opreating incmoe in 2023?", *ALL)
    assert turn.text == "$101 million"
    assert [flag.message for flag in turn.flags if flag.rule == "read as"][1:] == [
        "'opreating' is read as 'operating'",
        "'incmoe' is read as 'income'",
    ]


def test_a_name_is_no_short_form_of_a_word_of_a_measure(tmp_path: Path) -> None:
    report = Path(__file__).parent.parent / "data" / "sample" / "report.htm"
    with tieout.open([str(report)], store=str(tmp_path)) as talk:
        answer = talk.ask("Compare the net sales of Apple and Microsoft in 2024")
    assert not [flag for flag in answer.flags if flag.rule == "read as"]


def test_words_of_a_report_are_not_taken_for_slips() -> None:
    for question in (
        "how many tires were sold in 2023?",
        "what was the store count?",
        "what did Prifot earn?",
        "what was one basis point?",
        "what was earning of gas?",
    ):
        assert not read_question(question).read_as


@pytest.mark.parametrize(("year", "due"), [(2026, "$33 million"), (2027, "$47 million")])
def test_what_falls_due_in_a_year_is_found_below_the_title_that_says_so(year: int, due: str) -> None:
    assert ask(f"how much debt matures in {year}?", *ALL, DUE).text == due


def test_years_to_come_are_known_by_what_stands_with_them() -> None:
    bare = Table(
        rows=(("Millions", ""), ("Fiscal 2025", "21"), ("Fiscal 2026", "34"), ("Thereafter", "55")), title="Borrowings"
    )
    assert ask("how much of the borrowings falls due in fiscal 2026?", *ALL, bare).text == "$34 million"


def test_what_is_expected_of_a_year_to_come_is_found_whatever_its_table_says_of_it() -> None:
    coming = Table(
        rows=(("Millions", ""), ("Fiscal 2025", "21"), ("Fiscal 2026", "34"), ("Fiscal 2027", "55")),
        title="Amortization of patents",
    )
    assert ask("expected amortization of patents in fiscal 2026?", *ALL, coming).text == "$34 million"
    assert ask("amortization of patents in fiscal 2027", *ALL, coming).text == "$55 million"
    assert ask("expected amortization of licences in fiscal 2026?", *ALL, coming).text != "$34 million"


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("equity in 2024 without the noncontrolling interests", "equity in 2024"),
        ("profit that belonged to minority holders in 2024", "profit attributable to noncontrolling interests in 2024"),
        ("net income left for common shareholders", "net income available to common shareholders"),
        (
            "what percent of net income was paid out as dividends in 2024?",
            "dividends in 2024 as a percent of net income",
        ),
    ],
)
def test_whose_and_which_part_it_is_may_be_said_in_other_words(said: str, plain: str) -> None:
    assert [each.name for each in read_question(said).named] == [each.name for each in read_question(plain).named]


@pytest.mark.parametrize("question", ["who is the CEO?", "where is the company's head office?"])
def test_who_and_where_are_never_answered_with_a_figure(question: str) -> None:
    turn = ask(question, *ALL)
    assert turn.answer is None


def test_a_calculation_over_years_is_the_tree_of_one_year_moved() -> None:
    ratio = read_formula("[capital_expenditures] / [revenue]")
    assert read_question("capex over revenue in 2024").tree == ratio
    made = over_time(ratio, "average", 1)
    assert made == Apply("average", (before(ratio, 1), ratio))
    assert before(Operand("cash", -1), 2) == Operand("cash", -3)


def test_a_deferred_tax_may_be_a_benefit() -> None:
    assert ask("what was deferred foreign tax in 2022?", *ALL).text == "-$1 million"
    assert ask("what was deferred federal tax in 2023?", *ALL).text == "-$1 million"


def test_total_comprehensive_income_is_that_of_all_owners() -> None:
    rows = (
        ("(dollars in millions)", "2024", "2023"),
        ("Net income including noncontrolling interests", "604", "513"),
        ("Other comprehensive income, net of tax", "16", "7"),
        ("Total comprehensive income including noncontrolling interests", "620", "520"),
        ("Less: comprehensive income attributable to noncontrolling interests", "4", "3"),
        ("Total comprehensive income attributable to shareholders", "616", "517"),
    )
    table = Table(title="Consolidated Statements of Comprehensive Income", rows=rows)
    assert ask("what was total comprehensive income in 2024?", table).text == "$620 million"
    assert ask("what was comprehensive income attributable to shareholders in 2024?", table).text == "$616 million"
    bare = Table(title=table.title, rows=rows[:-1])  # what is left to them follows from the rest
    assert ask("what was total comprehensive income in 2024?", bare).text == "$620 million"
    assert ask("what was comprehensive income attributable to shareholders in 2024?", bare).text == "$616 million"


BERTHS = Table(
    rows=(
        ("(in millions)", "2024", "2023"),
        ("Haulage", "$ 412", "$ 390"),
        ("Deep berths", "188", "171"),
        ("Operating earnings", "$ 600", "$ 561"),
    ),
    title="Operating earnings by division",
)
CHARGES = Table(
    rows=(
        ("(in millions)", "2024", "2023"),
        ("Wages and allowances", "$ 305", "$ 288"),
        ("Tug hire", "61", "57"),
        ("Mooring fees", "44", "41"),
        ("Total charges", "$ 410", "$ 386"),
    ),
    title="Charges",
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("haulage & deep berths operating earnings 2024", "haulage: $412 million; deep berths: $188 million"),
        ("mooring fees and R&D expense in 2024", "mooring fees: $44 million; R&D expense: $41 million"),
        ("charges split: mooring fees and tug hire, 2023", "mooring fees: $41 million; tug hire: $57 million"),
        ("R&D in 2024, and how much of revenue that was in %", "$41 million; 5.1%"),
    ],
)
def test_two_things_beside_each_other_are_each_answered_like_a_question_of_its_own(question: str, answer: str) -> None:
    turn = ask(question, *ALL, BERTHS, CHARGES)
    assert turn.text == answer, turn


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("did the effective tax rate improve in 2024?", "no"),  # 23.9% after 22.6%
        ("was the effective tax rate better in 2023 than in 2022?", "yes"),
        ("which year had the best effective tax rate, 2022, 2023 or 2024?", "2023"),
        ("which year had the worst effective tax rate, 2022, 2023 or 2024?", "2024"),
        ("did the cost ratio improve in 2024?", "yes"),
        ("did the cost ratio worsen in 2024?", "no"),
        ("did interest expense improve in 2024?", "no"),
        ("did the operating margin improve in 2024?", "yes"),
        ("which year had the best operating margin, 2022, 2023 or 2024?", "2024"),
    ],
)
def test_better_is_less_of_what_is_paid_or_owed(question: str, said: str) -> None:
    assert ask(question, *ALL).text == said


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "Compare net income in 2024 with net income in 2023, both amounts.",
            "2024: $86 million; 2023: $72 million; up $14 million (19.4%)",
        ),
        (
            "Compare gross profit with interest expense in 2024, name each.",
            "Gross profit: $324 million; Interest expense: $9 million",
        ),
    ],
)
def test_two_amounts_that_are_held_against_each_other_are_both_told(question: str, answer: str) -> None:
    turn = ask(question, *ALL)
    assert turn.text == answer, turn
