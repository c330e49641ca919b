"""A question for a line item that a report does not print: a line of something else is never told without a doubt."""

from __future__ import annotations

import pytest

import tieout
from tieout.agent.answers.checks.check import CERTAIN

INCOME = """<h2>Consolidated Statements of Income</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>Year ended December 31, 2024</th><th>Year ended December 31, 2023</th></tr>
<tr><td>Net sales</td><td>900</td><td>865</td></tr>
<tr><td>Cost of sales</td><td>611</td><td>590</td></tr>
<tr><td>Gross profit</td><td>289</td><td>275</td></tr>
<tr><td>Selling, general and administrative expenses</td><td>140</td><td>133</td></tr>
<tr><td>Research and development</td><td>31</td><td>29</td></tr>
<tr><td>Total operating expenses</td><td>171</td><td>162</td></tr>
<tr><td>Operating income</td><td>118</td><td>113</td></tr>
<tr><td>Interest expense</td><td>(12)</td><td>(11)</td></tr>
<tr><td>Other income (expense), net</td><td>4</td><td>3</td></tr>
<tr><td>Income before income taxes</td><td>110</td><td>105</td></tr>
<tr><td>Provision for income taxes</td><td>25</td><td>24</td></tr>
<tr><td>Net income</td><td>85</td><td>81</td></tr></table>"""
BALANCE = """<h2>Consolidated Balance Sheets</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Cash, cash equivalents and restricted cash</td><td>92</td><td>71</td></tr>
<tr><td>Marketable securities</td><td>44</td><td>40</td></tr>
<tr><td>Total current assets</td><td>330</td><td>301</td></tr>
<tr><td>Total assets</td><td>1,204</td><td>1,151</td></tr>
<tr><td>Accounts payable and accrued liabilities</td><td>163</td><td>150</td></tr>
<tr><td>Total current liabilities</td><td>207</td><td>198</td></tr>
<tr><td>Long-term debt</td><td>350</td><td>366</td></tr>
<tr><td>Capital in excess of par value</td><td>112</td><td>108</td></tr>
<tr><td>Total liabilities and stockholders’ equity</td><td>1,204</td><td>1,151</td></tr></table>"""
CASH = """<h2>Consolidated Statements of Cash Flows</h2><p>(In millions of dollars)</p>
<table><tr><th></th><th>Year ended December 31, 2024</th><th>Year ended December 31, 2023</th></tr>
<tr><td>Net income</td><td>85</td><td>81</td></tr>
<tr><td>Net cash provided by operating activities</td><td>121</td><td>117</td></tr>
<tr><td>Proceeds from sales of marketable securities</td><td>19</td><td>14</td></tr>
<tr><td>Net cash used in investing activities</td><td>(66)</td><td>(58)</td></tr>
<tr><td>Debt issuance costs</td><td>(2)</td><td>(1)</td></tr>
<tr><td>Net cash used in financing activities</td><td>(34)</td><td>(49)</td></tr></table>"""
NOTES = """<h2>Note 4. Businesses held for sale</h2>
<p>The assets and liabilities of businesses held for sale were as follows (in millions of dollars):</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Cash and cash equivalents</td><td>6</td><td>1</td></tr>
<tr><td>Inventories</td><td>17</td><td>16</td></tr>
<tr><td>Total assets held for sale</td><td>23</td><td>17</td></tr></table>
<h2>Note 9. Income taxes</h2><p>Deferred tax assets consisted of the following (in millions of dollars):</p>
<table><tr><th></th><th>December 31, 2024</th><th>December 31, 2023</th></tr>
<tr><td>Accrued liabilities</td><td>8</td><td>7</td></tr>
<tr><td>Valuation allowance</td><td>(3)</td><td>(2)</td></tr>
<tr><td>Total deferred tax assets</td><td>5</td><td>5</td></tr></table>"""


def asked_of(folder, *parts: str):
    head = "<html><body><p>Bramwick Tools, Inc.</p><p>Annual report for the fiscal year ended December 31, 2024</p>"
    report = folder / "bramwick.html"
    report.write_text(f"{head}{''.join(parts)}</body></html>", encoding="utf-8")
    store = str(folder / "store")
    return lambda question: tieout.open(str(report), store=store).ask(question)


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    return asked_of(tmp_path_factory.mktemp("another"), INCOME, BALANCE, CASH, NOTES)


@pytest.fixture(scope="module")
def ask_without_totals(tmp_path_factory):
    income = INCOME.replace("<tr><td>Total operating expenses</td><td>171</td><td>162</td></tr>", "")
    balance = BALANCE.replace(
        "<tr><td>Capital in", "<tr><td>Common stock</td><td>9</td><td>9</td></tr><tr><td>Capital in"
    )
    return asked_of(tmp_path_factory.mktemp("totals"), income, balance, CASH)


@pytest.mark.parametrize(
    ("measure", "other"),
    [
        ("cash and cash equivalents", "$6 million"),  # of what is held for sale
        ("inventories", "$17 million"),
        ("accrued liabilities", "$8 million"),  # what taxes are deferred by them
        ("total costs and expenses", "$171 million"),
        ("proceeds from sale of businesses", "$19 million"),
        ("proceeds from issuance of long-term debt", "-$2 million"),
        ("common stock and capital in excess of par value", "$112 million"),
        ("long-term marketable securities", "$44 million"),
        ("other operating income", ""),
    ],
)
def test_a_line_of_something_else_is_told_with_a_doubt_if_at_all(ask, measure: str, other: str) -> None:
    answer = ask(f"What was {measure} in 2024?")
    is_doubted = answer.outcome != "answer" or bool(answer.flags) or answer.probability < CERTAIN
    assert is_doubted, f"{measure}: {answer.text} at {answer.probability}"
    assert answer.text in (None, other)


def test_a_guess_of_a_line_that_is_known_as_another_is_asked_back_with_that_line(ask) -> None:
    asked_back = ask("What was other operating income in 2024?").clarification
    assert "no figure for 'other operating income'" in asked_back.question
    assert asked_back.options == ("Operating income",)


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("marketable securities", "$44 million"),
        ("total operating expenses", "$171 million"),
        ("long-term debt", "$350 million"),
        ("gross profit", "$289 million"),
        ("other income (expense), net", "$4 million"),
        ("valuation allowance", "$3 million"),  # which belongs among deferred taxes
        ("net income including noncontrolling interests", "$85 million"),  # of a company that has none
    ],
)
def test_what_is_printed_so_stays_sure(ask, measure: str, told: str) -> None:
    answer = ask(f"What was {measure} in 2024?")
    assert (answer.text or "").lstrip("-") == told
    assert answer.probability >= CERTAIN
    assert not answer.flags


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("operating expenses", "$171 million"),  # 289 - 118
        ("nonoperating income", "-$8 million"),  # 110 - 118
        ("common stock and additional paid-in capital", "$121 million"),  # 9 + 112
    ],
)
def test_a_total_that_is_not_printed_is_calculated_from_what_it_stands_between(
    ask_without_totals, measure: str, told: str
) -> None:
    answer = ask_without_totals(f"What was {measure} in 2024?")
    assert answer.text == told
    assert answer.probability >= CERTAIN
    assert len(answer.places) == 2


def test_a_line_that_holds_more_than_is_asked_for_says_so(ask) -> None:
    part, whole = ask("What was accounts payable in 2024?"), ask("What were accounts payable and accrued liabilities?")
    assert part.text == whole.text == "$163 million"
    assert ["more than what is asked for" in each.message for each in part.flags] == [True]
    assert not whole.flags


def test_an_expense_with_its_sign_turned_is_no_income(tmp_path) -> None:
    left_out = ("Gross profit", "Cost of sales", "Operating income", "Other income (expense), net")
    rows = [row for row in INCOME.splitlines() if not any(f"<td>{label}" in row for label in left_out)]
    answer = asked_of(tmp_path, "\n".join(rows), BALANCE, CASH)("What was operating income in 2024?")
    assert answer.outcome == "clarify", answer.text
