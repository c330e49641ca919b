"""Which lines of a report without tags are standard concepts: whatever words, sub-headings and places say them."""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from filing import BREAK, header, row
from printed_report import kept, lines, paged, run, table

import tieout
from tieout.data.readers.html.cover import read_company, read_ended, read_name, read_registrant, read_symbol
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.forms import PRINTED, formed
from tieout.ontology.metrics.line_item import find_line_item, line_items

COVER = [
    "UNITED STATES",
    "SECURITIES AND EXCHANGE COMMISSION",
    "FORM 10-K",
    "For the fiscal year ended December 31, 2024",
    "Commission file number 001-00077",
    "(Exact name of registrant as specified in its charter)",
    "Delaware 12-3456789",
    "(State or other jurisdiction of incorporation) (I.R.S. Employer Identification No.)",
    "One Harbor Mills Plaza",
    "Salem, Oregon 97301",
    "(Address of principal executive offices) (Zip Code)",
    "Title of each class Trading Symbol(s) Name of each exchange on which registered",
    "0.500% Notes due 2029 HMG29 New York Stock Exchange",
    "Common Stock, $0.25 par value HMG New York Stock Exchange",
    "HARBOR MILLS GROUP, INC. AND SUBSIDIARIES",
]
EPS = "diluted EPS"
YEARS = header("2024", "2023", label="For the years ended December 31 (in millions, except per share amounts)")
DAYS = header("2024", "2023", label="At December 31 (in millions)")


def filing() -> str:
    cover = "".join(f"<p>{line}</p>" for line in COVER)
    income = table(
        YEARS,
        row("Net sales", "$4,000", "$3,600"),
        row("Cost of products sold, excluding amortization of intangible assets", "2,400", "2,200"),
        row("Research and development", "300", "250"),
        row("Marketing, selling and administrative expenses", "500", "470"),
        row("Operating earnings", "800", "680"),
        row("Interest expense, net", "60", "50"),
        row("Earnings before taxes on income and equity in earnings of affiliates", "740", "630"),
        row("Taxes on earnings", "148", "126"),
        row("Earnings from continuing operations", "592", "504"),
        row("Earnings from discontinued operations, net of taxes", "8", "6"),
        row("Net earnings, including earnings attributable to noncontrolling interests", "$604", "$513"),
        row("Net earnings attributable to Harbor Mills", "$600", "$510"),
        header(label="Earnings per share from continuing operations"),
        row("Diluted earnings per share", "$2.96", "$2.52"),
        header(label="Net earnings per share"),
        row("Diluted earnings per share", "$3.00", "$2.55"),
        row("Average common shares outstanding", "190", "191"),
        row("Average common shares outstanding, assuming dilution", "200", "200"),
    )
    comprehensive = table(
        YEARS,
        row("Net earnings", "$604", "$513"),
        row("Other comprehensive income", "11", "7"),
        row("Comprehensive income", "615", "520"),
        row("Comprehensive income attributable to noncontrolling interests", "(4)", "(3)"),
        row("Comprehensive income attributable to Harbor Mills shareholders, net of tax", "$611", "$517"),
    )
    materials = table(
        DAYS,
        row("Raw materials", "$100", "$90"),
        row("Supplies", "30", "25"),
        row("Total raw materials", "130", "115"),
        row("Finished goods", "290", "285"),
    )
    balance = table(
        DAYS,
        row("Cash and cash equivalents", "$700", "$650"),
        row("Trade notes and accounts receivable", "510", "480"),
        row("Inventories, including deferred costs", "420", "400"),
        row("Property, plant and equipment, net", "1,500", "1,300"),
        row("Deferred income taxes", "70", "60"),
        row("Goodwill", "1,234", "1,111"),
        row("", "$4,434", "$4,001"),
        row("Accounts payable and accrued expenses related to trade creditors", "300", "280"),
        row("Long-term debt, less current maturities", "1,100", "1,000"),
        row("Deferred income taxes", "134", "121"),
        row("Total Harbor Mills shareholders’ investment", "2,900", "2,600"),
        row("", "$4,434", "$4,001"),
    )
    flows = table(
        YEARS,
        row("Net earnings", "$600", "$510"),
        header(label="Changes in operating assets and liabilities:"),
        row("Deferred income tax benefit", "(12)", "(10)"),
        row("Inventories", "(20)", "15"),
        row("Net cash flow from operating activities", "900", "800"),
        row("Additions to property, plant and equipment and internal-use software", "(350)", "(310)"),
        row("Net cash used in investing activities", "(350)", "(310)"),
        row("Purchases of HMG common stock under the repurchase program and employee plans", "(200)", "(150)"),
        row("Dividends", "(100)", "(90)"),
        row("Total financing activities", "(500)", "(420)"),
        row("Net increase in cash and cash equivalents", "50", "70"),
        row("Cash and cash equivalents at end of year", "$700", "$650"),
        header(label="Cash paid during the year for:"),
        row("Interest, net of amounts capitalized", "58", "49"),
        row("Income taxes, net of refunds", "140", "120"),
    )
    equity = table(
        header("Capital stock", "Income employed in the business", "Total", label="(in millions)"),
        row("Balance at December 31, 2022", "$400", "$1,800", "$2,200"),
        row("Net earnings", "", "510", "510"),
        row("Balance at December 31, 2023", "400", "2,200", "2,600"),
        row("Net earnings", "", "600", "600"),
        row("Balance at December 31, 2024", "$400", "$2,500", "$2,900"),
    )
    before_taxes = table(
        header("2024", "2023", label="(in millions)"),
        row("United States", "$640", "$560"),
        row("Outside the United States", "100", "70"),
        row("", "$740", "$630"),
    )
    taxes = table(
        header("2024", "2023", label="(in millions)"),
        header(label="Current taxes:"),
        row("U.S. federal", "$90", "$80"),
        row("State and local", "20", "18"),
        header(label="Deferred taxes:"),
        row("U.S. federal", "25", "20"),
        row("State and local", "13", "8"),
    )
    goodwill = table(
        header("Paper", "Packaging", "Total", label="(in millions)"),
        row("December 31, 2022", "$500", "$599", "$1,099"),
        row("Acquisitions", "2", "10", "12"),
        row("December 31, 2023", "502", "609", "1,111"),
        row("Acquisitions", "100", "23", "123"),
        row("December 31, 2024", "$602", "$632", "$1,234"),
    )
    property = table(
        DAYS,
        row("Buildings", "$900", "$800"),
        row("Machinery", "1,800", "1,600"),
        row("Total cost", "2,700", "2,400"),
        row("Less: accumulated depreciation", "1,200", "1,100"),
        row("", "$1,500", "$1,300"),
    )
    other = table(YEARS, row("(Gain) loss on sale of businesses", "$(9)", "$4"), row("Equity income", "(3)", "(2)"))
    interest = table(
        YEARS,
        row("Interest expense", "75", "62"),
        row("Interest income", "(15)", "(12)"),
        row("Interest expense, net", "$60", "$50"),
    )
    return f"""{cover}{BREAK}
<p><b>Item 8. Financial Statements</b></p><p><b>Consolidated Statement of Earnings</b></p>{income}{BREAK}
<p><b>Consolidated Statement of Comprehensive Income</b></p>{comprehensive}{BREAK}
<p><b>Consolidated Balance Sheet</b></p>{balance}{BREAK}
<p><b>Consolidated Statement of Cash Flows</b></p>{flows}{BREAK}
<p><b>Consolidated Statement of Changes in Shareholders’ Investment</b></p>{equity}{BREAK}
<p><b>Note 4. Income Taxes</b></p><p>Where it was earned:</p>{before_taxes}
<p>The provision for income taxes was:</p>{taxes}
<p><b>Note 5. Goodwill</b></p><p>The carrying amount of goodwill changed as follows:</p>{goodwill}
<p><b>Note 6. Property, Plant and Equipment</b></p><p>Property was as follows:</p>{property}
<p><b>Note 8. Inventories</b></p><p>Inventories were:</p>{materials}
<p><b>Note 7. Other Income</b></p><p>Other income and expense has these:</p>{other}
<p><b>Note 9. Interest</b></p><p>Interest was:</p>{interest}"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What the filing states of each measure, as it is listed."""
    store = kept(tmp_path_factory.mktemp("lines"), filing(), "harbor")
    wanted = dict.fromkeys((EPS, *(line_items()[name].labels[0] for name, _, _ in (*EXPECTED, *SIGNED))))
    found = lines(store, "compare", *wanted, "--years", "2022-2024")
    assert {each["ticker"] for each in found} == {"HMG"}
    return found


@pytest.fixture(scope="module")
def stated(found: list[dict[str, Any]]) -> dict[tuple[str, int], Decimal]:
    """What the filing states of each measure in a fiscal year, in full units."""
    return {(each["measure"], each["fiscal_year"]): Decimal(str(each["amount"])) for each in found}


def listed(folder: Path, body: str, *asked: str) -> list[dict[str, Any]]:
    """What `tieout compare` tells of a filing of this body."""
    shown = run("compare", *asked, "--format", "jsonl", "--store", str(kept(folder, body)))
    return [json.loads(line) for line in shown.stdout.splitlines()] if shown.exit_code == 0 else []


def compared(folder: Path, body: str, *asked: str) -> dict[tuple[str, int], Decimal]:
    """The same, by measure and fiscal year."""
    return {(each["measure"], each["fiscal_year"]): Decimal(each["amount"]) for each in listed(folder, body, *asked)}


PROPERTY = "property, plant and equipment"
DOUBTED = 0.6
EXPECTED = [
    ("cost_of_revenue", 2024, 2400),  # what a line leaves out makes it none other in a statement
    ("pretax_income", 2024, 740),
    ("income_tax", 2024, 148),
    ("net_income", 2024, 600),
    ("net_income_with_noncontrolling", 2024, 604),
    ("pretax_income_domestic", 2023, 560),  # by what adds up to income before taxes
    ("pretax_income_foreign", 2024, 100),
    ("interest_paid", 2024, 58),
    ("income_taxes_paid", 2023, 120),
    ("retained_earnings", 2022, 1800),  # from a statement that leads from balance to balance
    ("receivables", 2023, 480),
    ("inventory", 2024, 420),
    ("equity", 2024, 2900),  # with the name of the company in it
    ("long_term_debt", 2023, 1000),
    ("payables", 2024, 300),  # by how it begins
    ("interest_expense", 2024, 60),
    ("share_repurchases", 2024, 200),  # with its initials, and without the program under which they are bought
    ("selling_general_administrative", 2023, 470),
    ("shares_basic", 2024, 190),  # beside the same with dilution
    ("shares_diluted", 2024, 200),
    ("financing_cash_flow", 2024, 500),
    ("comprehensive_income", 2024, 611),  # what is left to the owners, and what is not
    ("comprehensive_income_with_noncontrolling", 2024, 615),
    ("comprehensive_income_noncontrolling", 2023, 3),
    ("inventory_raw_materials", 2024, 130),  # not a part of what its total comes to
    ("capital_expenditures", 2023, 310),
    ("operating_cash_flow", 2024, 900),
    ("total_assets", 2024, 4434),  # without a label, as both sides come to it
    ("total_assets", 2023, 4001),
    ("liabilities_and_equity", 2024, 4434),
    ("deferred_tax_assets", 2024, 70),  # one label on two sides
    ("deferred_tax_liabilities", 2024, 134),
    ("goodwill", 2024, 1234),
    ("goodwill", 2022, 1099),  # from the total of a table that agrees with the balance sheet
    ("change_in_inventory", 2023, 15),  # by their sub-headings
    ("current_federal_tax", 2024, 90),
    ("deferred_state_tax", 2023, 8),
]


@pytest.mark.parametrize(("name", "year", "millions"), EXPECTED)
def test_a_line_is_known_by_its_words_its_sub_heading_or_what_it_agrees_with(stated, name, year, millions):
    assert abs(stated[line_items()[name].labels[0], year]) == millions * 1_000_000


def test_what_begins_as_a_line_or_is_net_of_what_is_printed_too_is_doubted(found):
    sure = {each["measure"]: each["probability"] for each in found}
    assert max(sure["accounts payable"], sure["interest expense"]) < DOUBTED < sure["accounts receivable net"]


SIGNED = [
    ("disposal_gains", 2024, 9),  # of a loss below zero
    ("change_in_inventory", 2024, 20),  # what is bought takes cash
    ("change_in_inventory", 2023, -15),
    ("capital_expenditures", 2024, 350),
    ("investing_cash_flow", 2024, -350),
    ("comprehensive_income_noncontrolling", 2024, 4),  # as it leads from the line above to that below
]


@pytest.mark.parametrize(("name", "year", "millions"), SIGNED)
def test_an_amount_without_a_tag_has_the_sign_that_it_is_meant_with(stated, name, year, millions):
    assert stated[line_items()[name].labels[0], year] == millions * 1_000_000


def test_a_line_that_is_known_answers_to_every_name_of_what_it_is(tmp_path):
    (tmp_path / "harbor.htm").write_text(filing(), encoding="utf-8")
    told = {
        "how much cash was used in investing activities in 2024?": "$350 million",
        "stock on hand in 2024?": "$420 million",
        "how much was paid in dividends in 2024?": "$100 million",
        "foreign pretax income in 2024?": "$100 million",
        "gross pp&e in 2024?": "$2.7 billion",
        "gain on sale of business in 2024?": "$9 million",
        "gain on sale of business in 2023?": "-$4 million",
        "loss on sale of businesses in 2024?": "-$9 million",
        "deferred income tax expense in 2024?": "-$12 million",
        "DPO in 2024? DPO is defined as: 365 * (average accounts payable between FY2023 and FY2024) / (FY2024 cost of "
        "sales + change in inventory between FY2023 and FY2024).": "43.74",
        "deferred tax benefit in 2024?": "$12 million",
        "change in inventories in 2024?": "$20 million",
        "change in inventories in 2023?": "-$15 million",
        "cash flow from investing in 2024?": "-$350 million",
    }
    report = tieout.open([tmp_path / "harbor.htm"], store=tmp_path / "store")
    assert {each: report.ask(each).text for each in told} == told


@pytest.mark.parametrize(("form", "told"), [("10-K", [2023, 2024]), ("10-Q", [])])
def test_a_statement_of_flows_under_days_is_of_the_years_that_end_on_them_in_an_annual_report(tmp_path, form, told):
    days = header("December 31, 2024", "December 31, 2023", label="(in millions)")
    sales = (("Net sales", "$4,000", "$3,600"), ("Cost of sales", "2,400", "2,200"), ("Gross profit", "1,600", "1,400"))
    rows = (*sales, ("Operating income", "800", "680"), ("Net earnings", "$600", "$510"))
    cover = "".join(f"<p>{line}</p>" for line in COVER).replace("10-K", form)
    statement = f"<p><b>Consolidated Statements of Earnings</b></p>{table(days, *(row(*each) for each in rows))}"
    found = compared(tmp_path, f"{cover}{BREAK}{statement}", "net income")
    assert sorted(year for _, year in found) == told


def test_of_several_registrants_the_first_is_the_company():
    lines = ["FORM 10-Q", "Commission File Number Name of Registrant, Address of Principal Executive Offices"]
    lines += ["1-99911 Tern Power Inc. 12 Quay Street Hull, OR 314-555-0100 Oregon 12-3456789"]
    lines += ["1-99912 Tern Gas Company 12 Quay Street Hull, OR 314-555-0100 Oregon 12-3456780"]
    assert read_registrant(lines) == "Tern Power Inc."
    printed = ["Commission File Number Registrant; Address and Telephone Number No. 001-99911 TERN CORPORATION OREGON"]
    assert read_registrant([*printed, "One Tern Quay"]) == "TERN CORPORATION"  # all of the table in one line
    cover = ["For the transition period from ____ to ____", "Exact Name of Registrant as Specified in its Charter"]
    assert (
        read_company([*cover, "1-99911 Tern Inc. Oregon 12-3456789", "12 Quay Street, Hull, OR 91145"]) == "Tern Inc."
    )
    # its heads in pieces, as a PDF has them, and the day of the report on a line of its own above them
    pieces = ["June 30, 2025", "Exact Name of Registrant as Specified in", "Commission File its Charter, State of"]
    lines = ["For the quarterly period ended", *pieces, "Code and Telephone Number", "1-99911 Tern Inc. Oregon"]
    assert read_company(lines) == "Tern Inc."


def test_a_registrant_stands_behind_its_file_number_above_what_says_that_the_name_is_exact():
    lines = ["FORM 10-K", "For the fiscal year ended December 31, 2024", "Commission File Number", "Registrant;"]
    lines += ["1-99911 | Tern Power Inc.", "(Exact name of Registrant as specified in its charter)", "Delaware"]
    lines += ["1-99912 | Tern Gas Company", "(Exact name of Registrant as specified in its charter)", "Oregon"]
    assert read_company(lines) == "Tern Power Inc."


def test_earnings_per_share_are_not_those_of_some_operations(stated):
    assert stated[EPS, 2024] == Decimal("3.00")


def test_a_cover_with_a_logo_is_named_by_what_it_says_of_its_subsidiaries():
    assert read_company(COVER) == ""
    assert read_name(COVER) == "HARBOR MILLS GROUP, INC."


@pytest.mark.parametrize(
    ("lines", "symbol"),
    [
        (COVER, "HMG"),
        (["Common Stock, no par value HMGX The Nasdaq Capital Market", "(Title) (Trading Symbol) (Exchange)"], "HMGX"),
        (["Title of each class Trading Symbol(s) Exchange", "Class A common stock HM.A NYSE"], "HM.A"),
        (["Securities registered: None", "Common Stock HMG New York Stock Exchange"], ""),
        (["Trading Symbol(s)", "1.875% Notes due 2026 HMG26 New York Stock Exchange"], ""),
    ],
)
def test_the_trading_symbol_is_that_of_shares(lines, symbol):
    assert read_symbol(lines) == symbol


def test_a_total_of_products_and_services_the_owners_of_a_company_and_undiluted_earnings_are_found(tmp_path):
    cover = "".join(f"<p>{line}</p>" for line in COVER[:-1])
    cover = cover.replace("<p>(Exact", "<p>Mills & Co., Inc.</p><p>(Exact")
    income = table(
        YEARS,
        row("Net sales", "$4,000", "$3,600"),
        row("Cost of products sold", "1,400", "1,200"),
        row("Cost of services sold", "1,000", "1,000"),
        row("Total cost of products and services sold", "2,400", "2,200"),
        row("Income before income taxes", "740", "630"),
        row("Net income", "604", "513"),
        row("Net income attributable to noncontrolling interests", "4", "3"),
        row("Net income available for Mills & Co., Inc. common stockholders", "$600", "$510"),
        row("Earnings per common share (dollars)", "3.16", "2.55"),
        row("Earnings per common share - assuming dilution (dollars)", "3.00", "2.43"),
    )
    balance = table(
        DAYS,
        row("Property and equipment:", "", ""),
        row("Mills", "3,100", "2,900"),
        row("Other property and equipment", "40", "30"),
        row("Total property and equipment", "3,140", "2,930"),
        row("Accumulated depreciation and amortization", "(1,240)", "(1,110)"),
        row("Total property and equipment, net", "1,900", "1,820"),
        row("Total assets", "$4,434", "$4,001"),
        row("Total liabilities", "1,500", "1,380"),
        row("Total Mills & Co., Inc. stockholders’ equity", "2,900", "2,600"),
        row("Total equity", "2,934", "2,621"),
        row("Total liabilities and equity", "$4,434", "$4,001"),
    )
    statements = f"<p><b>Statements of Income</b></p>{income}{BREAK}<p><b>Balance Sheets</b></p>{balance}"
    asked = ("cost of revenue", "net income", "basic EPS", EPS, "total equity", PROPERTY)
    found = compared(tmp_path, f"{cover}{BREAK}{statements}", *asked)
    millions = {"cost of revenue": 2400, "net income": 600, "total equity": 2900, PROPERTY: 1900}
    expected = {name: each * 10**6 for name, each in millions.items()} | {"basic EPS": Decimal("3.16"), EPS: 3}
    assert {name: amount for (name, year), amount in found.items() if year == 2024} == expected


def test_earnings_under_two_sub_headings_and_costs_above_selling_expenses_are_found(tmp_path):
    cover = "".join(f"<p>{line}</p>" for line in COVER)
    income = table(
        YEARS,
        row("Revenue", "$4,000", "$3,600"),
        row("Goods", "1,900", "1,800"),
        row("Repairs", "500", "400"),
        row("Total costs and expenses", "2,400", "2,200"),
        row("", "1,600", "1,400"),
        row("Selling, general and administrative", "700", "650"),
        row("Income before income taxes", "900", "750"),
        row("Net income", "$600", "$510"),
        header(label="Earnings/(loss) per share of common stock:"),
        header(label="Assuming dilution:"),
        row("Continuing operations", "$2.90", "$2.50"),
        row("Discontinued operations", "0.10", "0.05"),
        row("Total", "$3.00", "$2.55"),
        header(label="Basic:"),
        row("Continuing operations", "$3.05", "$2.60"),
        row("Discontinued operations", "0.10", "0.05"),
        row("Total", "$3.15", "$2.65"),
    )
    body = f"{cover}{BREAK}<p><b>Statements of Income</b></p>{income}"
    assert compared(tmp_path, body, "cost of revenue", "gross margin", "basic EPS", EPS) == {
        ("cost of revenue", 2024): 2_400_000_000,
        ("cost of revenue", 2023): 2_200_000_000,
        ("gross margin", 2024): Decimal("0.4"),
        ("gross margin", 2023): Decimal(1400) / 3600,
        ("basic EPS", 2024): Decimal("3.15"),
        ("basic EPS", 2023): Decimal("2.65"),
        (EPS, 2024): 3,
        (EPS, 2023): Decimal("2.55"),
    }


def test_a_note_on_earnings_per_share_under_days_is_of_years_and_says_the_basic_shares_twice(tmp_path):
    cover = "".join(f"<p>{line}</p>" for line in COVER)
    average = "Weighted average shares of common stock outstanding"
    note = table(
        header("December 28, 2024", "December 30, 2023", label="(in millions, except per share amounts)"),
        header(label="Basic Earnings Per Common Share:"),
        row(average, "1,227", "1,226"),
        row("Net earnings", "$2.33", "$1.93"),
        header(label="Diluted Earnings Per Common Share:"),
        row(average, "1,227", "1,226"),
        row("Effect of dilutive equity awards", "8", "9"),
        row(f"{average}, including dilutive effect", "1,235", "1,235"),
        row("Net earnings", "$2.31", "$1.91"),
    )
    body = f"{cover}{BREAK}<p><b>Note 19. Earnings Per Share</b></p>{note}"
    body = body.replace("December 31, 2024", "December 28, 2024")
    found = compared(tmp_path, body, "basic shares", "diluted shares")
    assert {at: amount / 10**6 for at, amount in found.items()} == {
        ("basic shares", 2024): 1227,
        ("basic shares", 2023): 1226,
        ("diluted shares", 2024): 1235,
        ("diluted shares", 2023): 1235,
    }


def statements(*each: tuple[str, str]) -> str:
    """A report with these statements under their titles, each on a page of its own."""
    return paged("".join(f"<p>{line}</p>" for line in COVER), *(f"<p><b>{title}</b></p>{of}" for title, of in each))


def test_statements_of_a_subsidiary_in_the_same_report_are_not_the_companys(tmp_path):
    def income(title: str, revenue: str, net: str, pretax: tuple[str, str, str]) -> tuple[str, str]:
        return title, table(
            YEARS,
            row("Total operating revenues", revenue, revenue),
            row("Fuel", "100", "100"),
            row("Operating income", revenue, net),
            row("Interest expense", "50", "40"),
            row(*pretax),
            row("Income tax expense", pretax[2], "60"),
            row("Net income", net, net),
        )

    def balance(title: str, cash: str, assets: str, *more: tuple[str, str, str]) -> tuple[str, str]:
        return title, table(
            DAYS,
            row("Cash and cash equivalents", cash, cash),
            row("Inventory", "30", "20"),
            row("Total assets", assets, assets),
            row("Long-term debt", "500", assets),
            row("Retained earnings", "900", assets),
            *(row(*each) for each in more),
        )

    printed = "Income from continuing operations before provision for taxes on income"
    body = statements(
        income("Consolidated Statements of Operations", "4,000", "600", (printed, "740", "700")),
        balance("Consolidated Balance Sheets", "20", "9,000"),
        income("Statements of Operations and Income", "1,700", "210", ("Income before income taxes", "300", "280")),
        balance("Consolidated Balance Sheets", "10", "3,000", ("Total liabilities", "1,100", "1,000")),
    )
    asked = ("revenue", "pre-tax income", "net income", "total assets", "total liabilities")
    found = [each for each in listed(tmp_path, body, *asked) if each["fiscal_year"] == 2024]
    sure = {each["measure"]: Decimal(each["amount"]) / 10**6 for each in found if each["probability"] > DOUBTED}
    assert sure == {"revenue": 4000, "pre-tax income": 740, "net income": 600, "total assets": 9000}


def test_a_statement_of_the_parent_alone_lends_nothing_to_that_of_the_group(tmp_path):
    def income(revenue: str, *more: tuple[str, str, str]) -> str:
        lines = (
            ("Total revenues", revenue, revenue),
            ("Interest expense", "50", "40"),
            *more,
            ("Income tax expense", "70", "60"),
            ("Net income", "600", "580"),
        )
        return table(YEARS, *(row(*each) for each in lines))

    body = statements(
        ("Consolidated Statements of Operations", income("4,000")),
        ("Statements of Operations", income("640", ("Operating loss", "(30)", "(20)"))),
    )
    told = [each for each in listed(tmp_path, body, "revenue", "operating income") if each["probability"] > DOUBTED]
    assert {(each["measure"], each["fiscal_year"]): Decimal(each["amount"]) / 10**6 for each in told} == {
        ("revenue", 2024): 4000,
        ("revenue", 2023): 4000,
    }


def test_net_income_is_before_preferred_dividends_and_doubted_where_others_have_a_part_of_it(tmp_path):
    def told(folder: str, *between: str) -> tuple[Decimal, bool]:
        lines = table(
            YEARS,
            row("Revenues", "$4,000", "$3,600"),
            row("Loss before income taxes", "(300)", "(280)"),
            row("Income tax benefit", "20", "10"),
            row("Net loss", "(280)", "(270)"),
            *(row(each, "15", "10") for each in between),
            row("Net loss attributable to common stockholders", "(310)", "(290)"),
        )
        page = statements(("Consolidated Statements of Operations", lines))
        line = next(each for each in listed(tmp_path / folder, page, "net income") if each["fiscal_year"] == 2024)
        return Decimal(line["amount"]) / 10**6, line["probability"] < DOUBTED

    assert told("own", "Preferred stock dividends", "Accretion to redemption value") == (-280, False)
    assert told("others", "Preferred dividends of subsidiaries", "Preferred stock dividends") == (-280, True)
    assert told("part", "Less preferred dividends of noncontrolling interest", "Deemed dividends") == (-280, True)


def test_a_total_is_known_by_its_sub_heading_its_place_and_what_stands_above_it(tmp_path):
    income = table(
        YEARS,
        header(label="Net sales and revenues"),
        row("Net sales", "$3,700", "$3,400"),
        row("Finance income", "300", "200"),
        row("Total", "4,000", "3,600"),
        header(label="Costs and expenses"),
        row("Cost of sales", "2,500", "2,300"),
        row("Interest", "100", "90"),
        row("Total", "2,600", "2,390"),
        row("Net income", "$900", "$800"),
    )
    balance = table(
        DAYS,
        row("Total assets", "$9,000", "$8,000"),
        row("Common stockholders’ equity", "2,900", "2,600"),
        row("Noncontrolling interests", "34", "31"),
        row("Total stockholders’ equity", "2,934", "2,631"),
        row("Total liabilities and stockholders’ equity", "$9,000", "$8,000"),
    )
    flows = table(
        YEARS,
        header(label="Cash flows from investing activities"),
        row("Property, plant and equipment, net", "(310)", "(290)"),
        row("Net cash used in investing activities", "(300)", "(280)"),
        header(label="Cash dividends and distributions paid:"),
        row("Common stock", "(80)", "(70)"),
        row("Noncontrolling interests", "(9)", "(8)"),
        row("Net cash used in financing activities", "(90)", "(85)"),
    )
    body = statements(
        ("Statements of Consolidated Income", income),
        ("Consolidated Balance Sheets", balance),
        ("Statements of Consolidated Cash Flows", flows),
    )
    asked = ("revenue", "interest expense", "total equity", "capital expenditures", "dividends paid")
    found = {name: abs(each) for (name, year), each in compared(tmp_path, body, *asked).items() if year == 2024}
    assert {name: each / 10**6 for name, each in found.items()} == dict(
        zip(asked, (4000, 100, 2900, 310, 80), strict=True)
    )


def test_operating_income_above_the_costs_is_revenue(tmp_path):
    income = table(
        YEARS,
        row("Royalty income", "$3,700", "$3,400"),
        row("Lease income", "300", "200"),
        row("Total operating income", "4,000", "3,600"),
        row("Depletion", "900", "800"),
        row("Total costs and expenses", "2,600", "2,390"),
        row("Income from operations", "1,400", "1,210"),
        row("Net income", "$900", "$800"),
    )
    body = statements(("Consolidated Statements of Operations", income))
    found = compared(tmp_path, body, "revenue", "operating income")
    assert {each: amount / 10**6 for each, amount in found.items() if each[1] == 2024} == {
        ("revenue", 2024): 4000,
        ("operating income", 2024): 1400,
    }


@pytest.mark.parametrize(
    ("below", "millions", "is_doubted"),
    [
        ([("Less accumulated depreciation", "2,600", "2,400"), ("Net", "3,600", "3,400")], 3600, False),
        ([("Accumulated depreciation and depletion", "(2,600)", "(2,400)"), ("", "3,600", "3,400")], 3600, False),
        ([("Less accumulated depreciation", "2,600", "2,400"), ("Land", "90", "80")], 6200, True),
        ([("Timber", "2,600", "2,400"), ("Land", "90", "80")], 6200, False),
    ],
)
def test_property_is_what_is_left_after_depreciation(tmp_path, below, millions, is_doubted):
    balance = table(
        DAYS,
        row("Total current assets", "$2,000", "$1,800"),
        row("Property, plant and equipment", "6,200", "5,800"),
        *(row(*each) for each in below),
        row("Total assets", "$6,600", "$6,100"),
        row("Total current liabilities", "1,200", "1,100"),
        row("Long-term debt", "2,000", "1,900"),
        row("Retained earnings", "2,000", "1,900"),
    )
    told = listed(tmp_path, statements(("Consolidated Balance Sheets", balance)), PROPERTY)
    line = next(each for each in told if each["fiscal_year"] == 2024)
    assert (Decimal(line["amount"]) / 10**6, line["probability"] < DOUBTED) == (millions, is_doubted)


def test_lines_without_whose_they_are_and_of_another_term_are_told_apart(tmp_path):
    income = table(
        YEARS,
        row("Sales revenue", "$4,000", "$3,600"),
        row("Profit before taxation", "900", "800"),
        row("Taxation", "(200)", "(180)"),
        row("Profit after tax for the year", "700", "620"),
        row("attributable to owners of Harbor Mills (net earnings)", "660", "590"),
        row("attributable to non-controlling interests", "40", "30"),
    )
    balance = table(
        DAYS,
        header(label="Non-current assets"),
        row("Inventories", "$80", "$70"),
        row("Receivables", "90", "85"),
        row("Total", "2,170", "2,155"),
        header(label="Current assets"),
        row("Inventories", "420", "400"),
        row("Receivables", "500", "480"),
        row("Total", "1,920", "1,880"),
        row("Total assets", "$4,090", "$4,035"),
    )
    body = statements(("Group income statement", income), ("Group balance sheet", balance))
    asked = ("revenue", "net income", "inventory", "receivables")
    found = {name: each for (name, year), each in compared(tmp_path, body, *asked).items() if year == 2024}
    assert {name: each / 10**6 for name, each in found.items()} == dict(zip(asked, (4000, 660, 420, 500), strict=True))


def test_what_ends_as_a_line_is_doubted(tmp_path):
    balance = table(
        DAYS,
        row("Royalty income receivable (net of allowance for credit losses)", "$500", "$480"),
        row("Income taxes receivable", "50", "40"),
        row("Materials, supplies, natural gas and credits inventory", "420", "400"),
        row("Total current assets", "1,920", "1,880"),
        row("Total assets", "$4,090", "$4,035"),
        row("Total current liabilities", "700", "690"),
        row("Retained earnings", "2,000", "1,950"),
    )
    told = listed(tmp_path, statements(("Consolidated Balance Sheets", balance)), "receivables", "inventory")
    assert {
        each["measure"]: (Decimal(each["amount"]) / 10**6, each["probability"] < DOUBTED)
        for each in told
        if each["fiscal_year"] == 2024
    } == {"receivables": (500, True), "inventory": (420, True)}


def test_totals_of_what_is_current_part_a_balance_sheet_without_sub_headings(tmp_path):
    balance = table(
        DAYS,
        row("Trade receivables", "$500", "$480"),
        row("Inventories", "420", "400"),
        row("Current assets", "1,920", "1,880"),
        row("Inventories", "80", "70"),
        row("Total assets", "$4,090", "$4,035"),
        row("Debt", "110", "100"),
        row("Current liabilities", "700", "690"),
        row("Debt", "950", "930"),
        row("Total liabilities", "1,900", "1,880"),
        row("Retained earnings", "2,000", "1,950"),
    )
    asked = ("inventory", "current debt", "noncurrent debt")
    found = compared(tmp_path, statements(("Consolidated Balance Sheets", balance)), *asked)
    assert [found[name, 2024] / 10**6 for name in asked] == [420, 110, 950]


def test_capital_and_long_term_debt_in_front_of_current_liabilities_are_not_due_within_a_year(tmp_path):
    balance = table(
        DAYS,
        row("Net utility plant", "$4,090", "$4,035"),
        row("Total assets", "$6,090", "$6,035"),
        header(label="Capitalization:"),
        row("Retained earnings", "2,000", "1,950"),
        row("Total shareholders’ equity", "3,000", "2,950"),
        row("Long-term debt (less current portion)", "2,200", "2,150"),
        header(label="Current liabilities:"),
        row("Current portion of long-term debt", "110", "100"),
        row("Accounts payable", "300", "290"),
        row("Total current liabilities", "890", "880"),
    )
    found = compared(tmp_path, statements(("Consolidated Balance Sheets", balance)), "long-term debt")
    assert found["long-term debt", 2024] / 10**6 == 2200


def test_shares_bought_back_for_taxes_of_employees_are_no_buy_back(tmp_path):
    flows = table(
        YEARS,
        header(label="Cash flows from financing activities:"),
        row("Repurchases of common stock-repurchase program", "(500)", "—"),
        row("Shares repurchased for tax withholdings on vesting of restricted stock units", "(60)", "(50)"),
        row("Net cash used in financing activities", "(700)", "(180)"),
        row("Net cash provided by operating activities", "900", "880"),
    )
    page = statements(("Consolidated Statements of Cash Flows", flows))
    assert compared(tmp_path, page, "share repurchases") == {
        ("share repurchases", 2024): 500 * 10**6,
        ("share repurchases", 2023): 0,
    }


def test_what_common_stockholders_earn_behind_noncontrolling_interests_and_shares_of_a_class_are_found(tmp_path):
    income = table(
        YEARS,
        row("Net sales", "$4,000", "$3,600"),
        row("Earnings before income taxes", "900", "800"),
        row("Income taxes", "200", "180"),
        row("Net earnings", "700", "620"),
        row("Less: Noncontrolling interests in subsidiaries", "(30)", "(20)"),
        row("Net earnings common stockholders", "$730", "$640"),
        header(label="Weighted average outstanding shares:"),
        row("Basic", "570.4", "571.2"),
        row("Diluted", "574.0", "574.9"),
    )
    asked = ("net income", "diluted shares")
    found = compared(tmp_path, statements(("Consolidated Statements of Earnings", income)), *asked)
    assert [found[name, 2024] / 10**6 for name in asked] == [730, 574]


def test_a_line_that_counts_shares_between_those_of_equity_is_no_sub_heading(tmp_path):
    balance = table(
        DAYS,
        row("Total assets", "$6,090", "$6,035"),
        row("Total current liabilities", "890", "880"),
        row("Common stock, par value $0.20 per share", "610", "600"),
        header(label="Shares issued (2024 - 290,000,000; 2023 - 266,911,160)"),
        row("Retained earnings", "2,000", "1,950"),
        row("Total stockholders’ equity", "3,000", "2,950"),
    )
    found = compared(tmp_path, statements(("Consolidated Balance Sheets", balance)), "retained earnings")
    assert found["retained earnings", 2024] / 10**6 == 2000


@pytest.mark.parametrize(
    ("beside", "millions", "doubted"),
    [("Amortization expense", 2693, False), ("Amortization of debt discount", 354, True)],
)
def test_depreciation_without_amortization_is_doubted_as_both(tmp_path, beside, millions, doubted):
    flows = table(
        YEARS,
        row("Net income", "$600", "$510"),
        row("Depreciation expense", "354", "300"),
        row(beside, "2,339", "2,300"),
        row("Net cash provided by operating activities", "900", "880"),
        row("Net cash used in investing activities", "(500)", "(480)"),
    )
    page = statements(("Consolidated Statements of Cash Flows", flows))
    told = listed(tmp_path, page, "depreciation and amortization")
    found = next(each for each in told if each["fiscal_year"] == 2024)
    assert (Decimal(found["amount"]) / 10**6, bool(found["flags"])) == (millions, doubted)


def test_forms_are_written_as_labels_are_compared_and_name_one_line_item_each():
    named: dict[str, set[str]] = defaultdict(set)
    for name, item in line_items().items():
        for label in item.labels:
            named[normalise(label)].add(name)
    told = tomllib.loads(PRINTED.read_text(encoding="utf-8"))
    seen: dict[str, str] = {}
    for name, forms in told["forms"].items():
        assert name in line_items()
        made = [each for form in forms for each in _written_out(form, told["words"])]
        for form in made:
            assert seen.setdefault(form, name) == name, f"{form!r} is of {seen[form]} and of {name}"
            assert not named[form] or name in named[form], f"{form!r} is a label of {named[form]}, and a form of {name}"
        for form in made[:: max(1, len(made) // 50)]:
            assert normalise(form) == form
            assert formed(form) == (name,)
            assert (
                formed(f"{form} of nothing") == formed(f"every {form}") == formed(form.partition(" ")[2] + " x") == ()
            )


def _written_out(form: str, words: Mapping[str, Sequence[str]]) -> Iterator[str]:
    parts = re.split(r"\{(\w+)\}", form)  # what stands between sets, and their names, in turn
    yield from map("".join, product(*(words[part] if at % 2 else (part,) for at, part in enumerate(parts))))


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Purchases of common shares", "share_repurchases"),
        ("Repurchase of ordinary shares", "share_repurchases"),
        ("Acquisition of property, plant and equipment", "capital_expenditures"),
        ("Payments to acquire property and equipment", "capital_expenditures"),
        ("Provision for taxes on earnings", "income_tax"),
        ("Total partners’ capital", "equity"),
        ("Cash flow used in financing activities", "financing_cash_flow"),
        ("Cash dividends paid to shareowners", "dividends_paid"),
        ("Net cash from/(used) by investing activities", "investing_cash_flow"),
        ("Income taxes on continuing operations", "income_tax"),
        ("Provision for income tax expense (benefit)", "income_tax"),
        ("Income before provision for income tax expense", "pretax_income"),
        ("Accounts and notes receivable: Trade", "receivables"),
        ("Property and equipment, at cost, net of accumulated depreciation of $18 in 2025", "property_plant_equipment"),
        ("Purchases of investments", "investments_bought"),
        ("Purchases of goods", None),
        ("Property, plant, equipment and mine development costs, net", "property_plant_equipment"),
        ("Non-rental capital asset expenditures", "capital_expenditures"),
        ("Depreciation and amortization, non-vehicle", "depreciation_amortization"),
        ("Cash distributions to common stockholders", "dividends_paid"),
        ("Fuel, expendable parts and supplies inventories", "inventory"),
        ("Railway operating revenues", "revenue"),
        ("Profit before taxation", "pretax_income"),
        ("Taxation", "income_tax"),
        ("Shares repurchased for tax withholdings on vesting of restricted stock units", "tax_on_share_awards"),
        ("Repurchase of shares to pay employee withholding taxes", "tax_on_share_awards"),
        ("Payments of excise tax on share repurchases", None),
        ("Capital additions", "capital_expenditures"),
        ("Depreciation, amortization and impairment", "depreciation_amortization"),
        ("Non-current portion of debt", "long_term_debt"),
        ("Income from railway operations", "operating_income"),
        ("Total capital", None),
        ("debt", "current_debt"),  # below current liabilities: what is asked as `debt` is the metric
    ],
)
def test_words_that_say_the_same_name_the_same_line(label, name):
    item = find_line_item(label)
    assert (item.name if item else None) == name


def test_a_cover_that_prints_two_years_is_of_the_later_one():
    assert read_ended(["Tern Mills", "Quarter Ended June 30,", "2029 2030"]) == date(2030, 6, 30)
    assert read_ended(["Tern Mills", "June 30, 2030", "For the year ended", "Ulm", "Germany"]) == date(2030, 6, 30)
    assert read_ended(["Income", "Years ended June 29, 2029 and June 30, 2030", "2029"]) == date(2030, 6, 30)
