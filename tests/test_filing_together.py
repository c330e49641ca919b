"""What statements state together: totals that follow from both sides, balances in several lines, owners and others."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from filing import BREAK, filing, header, number, row
from test_filing_lines import COVER, DAYS, DOUBTED, YEARS, listed, table

import tieout
from tieout.kg.companies.measure import read_measure
from tieout.ontology.metrics.line_item import find_line_item

ASSETS = (
    row("Current assets:", "", ""),
    row("Cash", "$40", "$30"),
    row("Cash equivalents", "300", "250"),
    row("Trade receivables", "160", "150"),
    row("Notes from customers", "60", "50"),
    row("Less: allowance for credit losses", "6", "5"),
    row("Inventories:", "", ""),
    row("Lumber", "410", "380"),
    row("Materials and supplies", "120", "110"),
    row("Log decks", "70", "60"),
    row("Prepaid expenses", "20", "20"),
    row("Total current assets", "1,120", "1,000"),
    row("Property, plant and equipment:", "", ""),
    row("Mills", "2,600", "2,500"),
    row("Less: accumulated depreciation - mills", "900", "850"),
    row("Forests", "400", "400"),
    row("Less: accumulated depreciation - forests", "30", "20"),
    row("Property, plant and equipment, net", "2,070", "2,030"),
    row("Other noncurrent assets:", "", ""),
    row("Goodwill", "200", "200"),
    row("Other assets", "110", "120"),
    row("Total other noncurrent assets", "310", "320"),
    row("Total assets", "$3,500", "$3,350"),
)
LIABILITIES = (
    row("Current liabilities:", "", ""),
    row("Accounts payable", "$230", "$220"),
    row("Other current liabilities", "170", "160"),
    row("Total current liabilities", "400", "380"),
    row("Long-term debt", "900", "920"),
    row("Deferred credits and other noncurrent liabilities:", "", ""),
    row("Deferred income taxes", "200", "190"),
    row("Other liabilities", "100", "90"),
    row("Total noncurrent liabilities", "300", "280"),
    row("Preferred stock of subsidiaries", "100", "100"),
    row("Common shareholders' equity:", "", ""),
    row("Common stock", "50", "50"),
    row("Retained earnings", "1,530", "1,410"),
    row("Treasury stock, at cost", "(80)", "(60)"),
    row("Total common shareholders' equity", "1,500", "1,400"),
    row("Noncontrolling interests", "300", "270"),
    row("Total equity", "1,800", "1,670"),
    row("Total liabilities and capitalization", "$3,500", "$3,350"),
)
INCOME = (
    row("Net sales", "$4,000", "$3,600"),
    row("Cost of sales", "3,000", "2,700"),
    row("Operating income", "500", "450"),
    row("Net income", "400", "350"),
    row("Net income attributable to noncontrolling interests", "(110)", "(100)"),
    row("Net income attributable to common stockholders", "$290", "$250"),
)
CASH = (
    row("Net income", "$400", "$350"),
    row("Depreciation and amortization", "(90)", "(80)"),
    row("Net cash provided by operating activities", "600", "560"),
    row("Capital expenditures", "(200)", "(190)"),
    row("Net cash used in investing activities", "(200)", "(190)"),
    row("Cash dividends paid", "(145)", "(125)"),
    row("Net cash used in financing activities", "(345)", "(325)"),
)


def body() -> str:
    cover = "".join(f"<p>{line}</p>" for line in COVER)
    parts = {
        "Income": table(YEARS, *INCOME),
        "Cash Flows": table(YEARS, *CASH),
    }
    flows = "".join(f"{BREAK}<p><b>Consolidated Statements of {name}</b></p>{each}" for name, each in parts.items())
    balance = table(DAYS, *ASSETS, row("LIABILITIES AND CAPITALIZATION", "", ""), *LIABILITIES)
    return f"{cover}{flows}{BREAK}<p><b>Consolidated Balance Sheets</b></p>{balance}"


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], dict[str, object]]:
    asked = (
        *("total liabilities", "noncurrent assets", "noncurrent liabilities", "return on equity", "net income"),
        *("payout ratio", "EBITDA", "inventory", "cash", "accumulated depreciation", "receivables", "total assets"),
    )
    lines = listed(tmp_path_factory.mktemp("together"), body(), *asked)
    return {(str(each["measure"]), int(each["fiscal_year"])): each for each in lines}


@pytest.mark.parametrize(
    ("name", "amount"),
    [
        ("total liabilities", 1600 * 10**6),  # of both sides what is neither equity nor between it and liabilities
        ("noncurrent assets", 2380 * 10**6),  # property too
        ("noncurrent liabilities", 1200 * 10**6),  # and debt
        ("return on equity", Decimal("0.2")),  # what the owners earn on what is theirs
        ("payout ratio", Decimal("0.5")),
        ("EBITDA", 590 * 10**6),  # what is added back is added, however it is printed
    ],
)
def test_what_follows_rests_on_totals_and_on_what_is_the_owners(found, name, amount):
    assert Decimal(str(found[name, 2024]["amount"])) == amount


@pytest.mark.parametrize("name", ["net income", "inventory", "cash", "accumulated depreciation"])
def test_one_of_several_lines_and_income_of_all_owners_are_doubted(found, name):
    line = found.get((name, 2024))
    assert line is None or (float(str(line["probability"])) < DOUBTED and line["flags"])


@pytest.mark.parametrize("name", ["receivables", "total assets"])
def test_a_line_that_is_the_whole_is_not_doubted(found, name):
    line = found[name, 2024]
    assert float(str(line["probability"])) >= DOUBTED
    assert not line["flags"]


@pytest.mark.parametrize(
    "rows",
    [
        (
            row("Operating lease liability, current portion", "$20", "$18"),
            row("Operating lease liability, other", "5", "4"),
        ),
        (row("Goodwill, balance at beginning of year", "$20", "$18"), row("Goodwill, acquired", "5", "4")),
        (row("Accounts receivable, net", "$20", "$18"), row("Accounts receivable, long-term", "5", "4")),
    ],
)
def test_what_is_called_as_the_whole_is_or_of_when_it_is_due_is_no_part(tmp_path, rows):
    page = f"<html><body><p><b>Consolidated Balance Sheets</b></p>{table(DAYS, *rows)}</body></html>"
    (tmp_path / "mills.htm").write_text(page, encoding="utf-8")
    report = tieout.open(tmp_path / "mills.htm", store=tmp_path / "store")
    for name in ("operating_lease_liabilities_current", "goodwill", "receivables"):
        answer = report.ask(f"what was {name.replace('_', ' ')} at the end of 2024?")
        assert not any("part alone" in flag.message for flag in answer.flags)


@pytest.mark.parametrize(
    ("question", "doubt"),
    [
        ("what was accumulated depreciation at the end of 2024?", "a part alone"),
        ("cash and cash equivalents at the end of 2024?", "a part alone"),
        ("what was net income in 2024?", "Net income"),
        ("what were notes from customers net of allowance in 2024?", "before"),
        ("what were treasury shares at the end of 2024?", "shares are asked for"),
        ("what were receivables at the end of 2024?", ""),
        ("how much came to goodwill in 2024?", ""),
        ("what was return on equity in 2024?", ""),
    ],
)
def test_an_answer_says_what_it_leaves_out_or_takes_in(tmp_path: Path, question, doubt):
    (tmp_path / "mills.htm").write_text(f"<html><body>{body()}</body></html>", encoding="utf-8")
    answer = tieout.open(tmp_path / "mills.htm", store=tmp_path / "store").ask(question)
    said = " ".join(flag.message for flag in answer.flags)
    others = ("part alone", "noncontrolling", "a ratio to")
    assert doubt in said if doubt else not any(other in said for other in others)


def test_one_line_to_another_is_their_ratio_and_no_amount(tmp_path: Path):
    (tmp_path / "mills.htm").write_text(f"<html><body>{body()}</body></html>", encoding="utf-8")
    answer = tieout.open(tmp_path / "mills.htm", store=tmp_path / "store").ask("log decks to total assets in 2024?")
    assert answer.value == Decimal("0.02")


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Total Liabilities and Capitalization", "liabilities_and_equity"),
        ("Total capitalization and liabilities", "liabilities_and_equity"),
        ("Total liabilities, noncontrolling interests and shareholders' investment", "liabilities_and_equity"),
        ("Total liabilities and mezzanine equity", None),
        ("Total liabilities", "total_liabilities"),
    ],
)
def test_a_total_of_both_sides_is_no_total_of_one(label, name):
    line = find_line_item(label)
    assert (line and line.name) == name


def test_a_measure_answers_to_the_name_that_it_is_suggested_by():
    assert read_measure("other investing cash flow").formula == read_measure("other_investing_cash_flow").formula
    assert read_measure("Pension adjustments").items == {"pension_adjustments"}
    assert read_measure("treasury shares").items == {"treasury_shares"}


def test_a_year_that_a_measure_is_made_otherwise_in_says_so(tmp_path):
    cover = "".join(f"<p>{line}</p>" for line in COVER)
    balance = table(
        DAYS,
        row("Current liabilities:", "", ""),
        row("Short-term debt", "$50", ""),
        row("Accounts payable", "230", "$220"),
        row("Total current liabilities", "280", "220"),
        row("Long-term debt", "900", "920"),
        row("Total liabilities", "1,180", "1,140"),
        row("Total shareholders' equity", "1,000", "900"),
        row("Total liabilities and shareholders' equity", "$2,180", "$2,040"),
    )
    told = listed(tmp_path, f"{cover}{BREAK}<p><b>Consolidated Balance Sheets</b></p>{balance}", "total debt", "equity")
    flags = {(each["measure"], each["fiscal_year"]): " ".join(each["flags"]) for each in told}
    assert "total debt of 2023 is made of long term debt, of 2024 of" in flags["total debt", 2023]
    assert not flags["total debt", 2024]
    assert not flags["equity", 2023]


def test_what_flows_either_way_has_the_sign_of_what_it_adds_to_cash_whichever_way_its_tag_counts(tmp_path):
    payments, income = "us-gaap:PaymentsForProceedsFromOtherInvestingActivities", "us-gaap:OtherNoncashIncomeExpense"
    cash = table(
        header("September 27, 2025", label="(In millions)"),
        row("Net income", "$40"),
        row("Other, net", f"({number('3', income, 'y25')})"),
        row("Net cash provided by operating activities", "37"),
        row("Other investing activities, net", number("7", payments, "y25", sign="-")),
        row("Net cash provided by investing activities", "7"),
    )
    title = "<div><b>CONSOLIDATED STATEMENTS OF CASH FLOWS</b></div>"
    page = filing().replace("<div><b>Note 1. Debt</b></div>", f"{title}{cash}{BREAK}<div><b>Note 1. Debt</b></div>")
    told = listed(tmp_path, page, "other investing cash flow", "other operating cash flow")
    assert {each["measure"]: Decimal(each["amount"]) / 10**6 for each in told} == {
        "other investing cash flow": 7,
        "other operating cash flow": -3,
    }


def test_an_expense_answers_no_question_for_debt(tmp_path):
    cash = table(
        YEARS, row("Net income", "$40", "$30"), row("Bad debt expense", "16", "4"), row("Other, net", "5", "3")
    )
    page = f"<html><body><p><b>Consolidated Statements of Cash Flows</b></p>{cash}</body></html>"
    (tmp_path / "mills.htm").write_text(page, encoding="utf-8")
    answer = tieout.open(tmp_path / "mills.htm", store=tmp_path / "store").ask(
        "what was total debt at the end of 2024?"
    )
    assert answer.outcome != "answer" or answer.flags
