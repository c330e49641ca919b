"""Tables whose cells nearly touch, as browsers print them into a PDF, and those that accounting programs write."""

from __future__ import annotations

import pytest

import tieout
from tests.pdf_pages import PdfPage, make_pdf
from tieout.data.readers.pdf.report import read_pdf
from tieout.data.readers.text.delimited import read_delimited
from tieout.data.tables.codes import are_coded, code_in_front
from tieout.kg.build import build
from tieout.kg.check import find_loss, find_violations
from tieout.kg.fact import measures


@pytest.fixture(autouse=True)
def published():
    """A text without codes, as whole reports are."""
    yield


def facts_of(document):
    graph = build(document, tieout.tbox())
    assert not list(find_violations(graph))
    assert not find_loss(document, graph.facts()).missing
    return [fact for fact in measures(graph.facts()) if fact.table]


def printed(*rows, right=(204, 268, 332)):
    """A page of rows of amounts that end at `right`, below one another from 114 on."""
    page = PdfPage()
    for number, (label, *values) in enumerate(rows):
        page.write(40, 114 + 14 * number, label)
        for x, value in zip(right, values, strict=True):
            if value:
                page.write_right(x, 114 + 14 * number, value)
    return page


def table_of(page):
    (table,) = read_pdf(make_pdf([page]), "x").tables
    return table


def test_headers_that_nearly_touch_are_those_of_the_rules_below_them():
    page = printed(("Turnover", "3", "5120", "4980"), ("Cost of sales", "", "3310", "3204"), ("Tax", "12", "88", "91"))
    for x, y, text in ((184.4, 100, "Note"), (208.7, 100, "30 June 2025"), (272.7, 100, "30 June 2024")):
        page.write(x, y, text, bold=False)
    for x, text in ((214.2, "Year ended"), (278.2, "Year ended")):
        page.write(x, 88, text)
    page.rules = [(184, 206, 103), (208, 270, 103), (272, 334, 103)]
    assert table_of(page).rows[0] == ("", "Note", "Year ended 30 June 2025", "Year ended 30 June 2024")
    facts = facts_of(read_pdf(make_pdf([page]), "x"))
    assert [(fact.label, str(fact.value), str(fact.period.start)) for fact in facts] == [
        ("Turnover", "5120", "2024-07-01"),
        ("Turnover", "4980", "2023-07-01"),
        ("Cost of sales", "3310", "2024-07-01"),
        ("Cost of sales", "3204", "2023-07-01"),
        ("Tax", "88", "2024-07-01"),
        ("Tax", "91", "2023-07-01"),
    ]


def test_headers_without_rules_that_nearly_touch_stand_over_the_line_below_them():
    page = printed(("Turnover", "5120", "4980"), ("Cost of sales", "3310", "3204"), right=(268, 332))
    for x, day, year in ((210.8, "September 28,", 232.5), (279.2, "October 1,", 291.4)):
        page.write(x, 88, day)
        page.write(year, 100, "2024" if year < 250 else "2023")
    assert table_of(page).rows[0] == ("", "September 28, 2024", "October 1, 2023")


def test_a_header_over_several_rules_stays_one():
    page = printed(("Turnover", "21", "5120", "4980"), ("Cost of sales", "11", "3310", "3204"))
    page.write(205, 88, "Year Ended June 30,")
    for x, text in ((188, "2025"), (236, "2024"), (300, "2023")):
        page.write(x, 100, text)
    page.rules = [(184, 206, 91), (208, 270, 91), (272, 334, 91)]
    assert not any(text in ("Year", "Ended", "June") for text in table_of(page).rows[0])


def test_an_amount_that_nearly_touches_its_label_stands_in_the_column_of_those_around_it():
    page = printed(("Rent", "402", "381"), ("Upkeep of buildings", "98", "95"), ("Net", "304", "286"), right=(150, 190))
    page.texts = [each for each in page.texts if each[2] not in ("98", "Upkeep of buildings")]
    page.write(46, 128, "Upkeep of buildings")  # ends 3 points in front of its amount
    page.write_right(150, 128, "98")
    for x, text in ((128, "2024"), (168, "2023")):
        page.write(x, 100, text)
    assert table_of(page).rows[1:] == (
        ("Rent", "402", "381"),
        ("Upkeep of buildings", "98", "95"),
        ("Net", "304", "286"),
    )


def test_a_title_that_ends_in_a_mark_on_a_line_of_its_own_stands_over_its_amounts():
    page = printed(("Pumps", "147,277", "2,140"), ("Valves", "66,328", "4,167"), right=(230, 420))
    for x, y, text in (
        (40, 100, "Segment"),
        (190, 88, "Leased area"),
        (190, 100, "(feet) (1)"),
        (320, 88, "Owned area (feet)"),
        (355, 100, "(1)"),
    ):
        page.write(x, y, text)
    rows = table_of(page).rows
    assert rows[-1] == ("Valves", "66,328", "4,167")
    assert [row[2] for row in rows[:2]] == ["Owned area (feet)", "(1)"]


def test_the_number_of_a_label_stays_in_it_where_no_column_ends_there():
    page = printed(("Notes due 2030", "402", "381"), ("Level 3", "98", "95"), right=(250, 320))
    assert [row[0] for row in table_of(page).rows] == ["Notes due 2030", "Level 3"]


def test_years_beside_changes_are_the_header_of_another_table():
    page = printed(("Rent", "402", "381", "21"), ("Upkeep", "98", "95", "3"))
    for y, heads in ((100, ("2024", "2023", "2022")), (160, ("2024", "2023", "Change"))):
        for x, text in zip((204, 268, 332), heads, strict=True):
            page.write_right(x, y, text) if text != "Change" else page.write(298, y, text)
    for y, label, values in ((174, "Rooms", ("61", "58", "3")), (188, "Guests", ("84", "80", "4"))):
        page.write(40, y, label)
        for x, value in zip((204, 268, 332), values, strict=True):
            page.write_right(x, y, value)
    page.write(40, 146, "Other figures")
    document = read_pdf(make_pdf([page]), "x")
    assert [table.rows[0] for table in document.tables] == [
        ("", "2024", "2023", "2022"),
        ("", "2024", "2023", "Change"),
    ]
    dated = {(fact.label, str(fact.value)): fact.period and fact.period.key for fact in facts_of(document)}
    assert dated["Rooms", "61"] == "2024"
    assert dated["Guests", "4"] == "2024 vs 2023"


TRIAL_BALANCE = """Trial Balance
Ashdown Bindery Ltd
As at 31 March 2025

Account Code,Account,Account Type,Debit,Credit
1000,Current Account,Bank,"9,210.50",
2010,Trade Creditors,Liability,,"4,110.00"
2050,Van Loan,Liability,,"5,100.50"
Total,,,"9,210.50","9,210.50"
"""


def test_codes_in_front_of_names_are_no_labels_and_no_years():
    facts = facts_of(read_delimited(TRIAL_BALANCE.encode(), "balance"))
    assert [(fact.label, str(fact.value), fact.unit, fact.header, fact.marks) for fact in facts] == [
        ("Current Account", "9210.5", None, "Debit", ("1000",)),
        ("Trade Creditors", "4110", None, "Credit", ("2010",)),
        ("Van Loan", "5100.5", None, "Credit", ("2050",)),
        ("Total", "9210.5", None, "Debit", ()),
        ("Total", "9210.5", None, "Credit", ()),
    ]
    assert {fact.period.key for fact in facts} == {"2025-03-31"}


@pytest.mark.parametrize(
    "rows",
    [
        "Account,Account Code,Debit,Credit\nBank,1000,7.5,\nLoans,2010,,5.5\nShares,3000,,2.0\n",
        ",,Debit,Credit\n1000,Bank,7.5,\n2010,Loans,,5.5\n3000,Shares,,2.0\n",
        "Account,Debit,Credit\n1000 - Bank,7.5,\n2010 - Loans,,5.5\n3000 - Shares,,2.0\nTotal,7.5,7.5\n",
    ],
)
def test_codes_are_known_behind_names_without_a_title_and_in_one_cell_with_them(rows):
    facts = facts_of(read_delimited(rows.encode(), "balance"))
    found = [(fact.label, str(fact.value), fact.period) for fact in facts if fact.label != "Total"]
    assert found == [("Bank", "7.5", None), ("Loans", "5.5", None), ("Shares", "2", None)]


@pytest.mark.parametrize(
    ("rows", "label"),
    [
        ("Year,Event,Amount\n2019,Flood,100.5\n2020,Fire,120.0\n2021,Storm,90.0\n", "Amount"),
        ("Quantity,Item,Price\n100,Bolts,5.00\n250,Gears,7.50\n300,Nuts,0.20\n", "Quantity"),
    ],
)
def test_years_and_amounts_in_front_of_names_are_no_codes(rows, label):
    facts = facts_of(read_delimited(rows.encode(), "list"))
    assert label in {fact.label for fact in facts}
    assert not any(fact.marks for fact in facts)


def test_numbers_that_are_part_of_names_are_no_codes():
    assert code_in_front("2010 - Loans") == ("2010", "Loans")
    assert code_in_front("747 Freighter") == ("", "747 Freighter")
    assert are_coded(["4000 Sales", "5000 Wages", "6000 Rent", "Net profit"])
    assert not are_coded(["2025 Notes", "2026 Notes", "2027 Notes"])
    assert not are_coded(["Sales", "Wages", "5000 Rent"])
