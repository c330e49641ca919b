"""Reports as they are printed outside the United States, and as the first filers set them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

import tieout
from tieout.data.printed.amount import read_amounts, read_cell
from tieout.data.printed.note import Note, read_note
from tieout.data.printed.periods.period import read_period
from tieout.data.readers.html.report import read_html
from tieout.kg.build import build
from tieout.kg.check import find_loss, find_violations
from tieout.kg.fact import measures

JUNE, DECEMBER = date(2024, 6, 30), date(2023, 12, 31)


@pytest.fixture(autouse=True)
def published():
    """A text without codes, as whole reports are."""
    yield


@pytest.mark.parametrize(
    ("cell", "value", "unit"),
    [
        ("5'432", "5432", None),
        ("(1’234’567.8)", "-1234567.8", None),
        ("1 234 567", "1234567", None),
        ("(1\u202f200)", "-1200", None),
        ("₹ 5,00,000", "500000", "INR"),
        ("12,34,567", "1234567", None),
        ("△1,381", "-1381", None),
        ("–5", "-5", None),
        ("12.3p", "12.3", "pence"),
        ("(5c)", "-5", "cents"),
        ("1.5 pp", "1.5", "percentage points"),
    ],
)
def test_a_cell_is_one_amount(cell, value, unit):
    (amount,) = read_cell(cell)
    assert (amount.value, amount.unit, amount.start, amount.end) == (Decimal(value), unit, 0, len(cell))


@pytest.mark.parametrize(
    "text",
    (
        *(
            "30.06.2024",
            "2024 RMB'000",
            "2024 £m",
            "2024 TDKK",
            "2024 T€",
            "31 March 2019",
            "(Note 2(e))",
            "9 May 2024",
        ),
        *("Year Ended December 31, 2021 Common Stock Shares", "on March 3, 2022 shareholders"),
    ),
)
def test_dates_and_notes_measure_nothing(text):
    assert all(amount.unit in ("date part", "calendar year", "reference") for amount in read_amounts(text))


@pytest.mark.parametrize(
    ("label", "start", "end"),
    [
        ("52 weeks ended 29 June 2024", date(2023, 7, 2), date(2024, 6, 29)),
        ("Six months ended 30 June 2024", date(2024, 1, 1), JUNE),
        ("six months to 30 June 2024", date(2024, 1, 1), JUNE),
        ("Year ended 31 March 2024", date(2023, 4, 1), date(2024, 3, 31)),
        ("30.06.2024", JUNE, JUNE),
        ("31.12.23", DECEMBER, DECEMBER),
        ("9M 2024", date(2024, 1, 1), date(2024, 9, 30)),
        ("6M24", date(2024, 1, 1), JUNE),
        ("Jan–Jun 2024", date(2024, 1, 1), JUNE),
        ("October to March 2024", date(2023, 10, 1), date(2024, 3, 31)),
    ],
)
def test_a_period_has_its_days(label, start, end):
    period = read_period(label)
    assert period is not None
    assert (period.start, period.end) == (start, end)


@pytest.mark.parametrize("label", ["2023/24", "FY2023/24", "FY 2023-24"])
def test_a_year_over_two_calendar_years_is_the_one_that_ends_in_the_second(label):
    period = read_period(label)
    assert period is not None
    assert (period.key, period.year) == ("FY2024", 2024)


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("TEUR", Note("EUR", 10**3)),
        ("MSEK", Note("SEK", 10**6)),
        ("Mio. EUR", Note("EUR", 10**6)),
        ("(in mn €)", Note("EUR", 10**6)),
        ("2019 RMB’Million", Note("CNY", 10**6)),
        ("(in millions, except reported claims)", Note(None, 10**6, 1)),
    ],
)
def test_a_scale_and_a_currency_in_one_word_are_read(text, note):
    assert read_note(text) == note


def facts_of(page: str):
    document = read_html(f"<html><body>{page}</body></html>".encode(), "orris")
    graph = build(document, tieout.tbox())
    assert not list(find_violations(graph))
    assert not find_loss(document, graph.facts()).missing
    return [
        (fact.label, str(fact.value), fact.unit, fact.scale, fact.period.end if fact.period else None)
        for fact in measures(graph.facts())
        if fact.table
    ]


def table_of(*rows: tuple[str, ...]) -> str:
    return (
        "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows) + "</table>"
    )


def test_the_numbers_of_notes_beside_a_statement_are_no_amounts():
    assert facts_of(
        table_of(
            ("", "Notes", "30.06.2024", "31.12.2023"),
            ("", "", "EUR’000", "EUR’000"),
            ("Intangible assets", "5, 7", "12 345", "11&nbsp;000"),
            ("Inventories", "8(a)", "(1 200)", "–"),
        )
    ) == [
        ("Intangible assets", "12345", "EUR", 1000, JUNE),
        ("Intangible assets", "11000", "EUR", 1000, DECEMBER),
        ("Inventories", "-1200", "EUR", 1000, JUNE),
    ]


def test_pence_are_those_of_a_share_and_a_number_of_notes_payable_stays_one():
    assert facts_of(
        table_of(
            ("", "2024"), ("", "£m"), ("Revenue", "8,000"), ("Basic earnings per share", "12.3p"), ("Notes", "250")
        )
    ) == [
        ("Revenue", "8000", "GBP", 10**6, date(2024, 12, 31)),
        ("Basic earnings per share", "12.3", "pence/share", 1, date(2024, 12, 31)),
        ("Notes", "250", "GBP", 10**6, date(2024, 12, 31)),
    ]


def test_columns_that_the_first_filers_marked_are_a_table():
    page = """<PRE>
                 (In thousands, except per share amounts)
<TABLE>
<CAPTION>
                                         Year Ended December 31,
                                    ---------------------
                                       1998        1997
                                    ---------   ---------
<S>                                 <C>         <C>
Net sales.......................... $ 123,456   $ 111,222
Interest expense, net..............    (1,234)       (999)
Net income per share...............      $1.23       $ .99
                                    =========   =========
</TABLE>
</PRE>"""
    last, before = date(1998, 12, 31), date(1997, 12, 31)
    assert facts_of(page) == [
        ("Net sales", "123456", "$", 1000, last),
        ("Net sales", "111222", "$", 1000, before),
        ("Interest expense, net", "-1234", "$", 1000, last),
        ("Interest expense, net", "-999", "$", 1000, before),
        ("Net income per share", "1.23", "$/share", 1, last),
        ("Net income per share", "0.99", "$/share", 1, before),
    ]


def test_units_beside_a_heading_are_those_of_the_columns():
    rows = (("", "2024", "2023"), ("Revenue by country", "$M", "$M"), ("France", "83", "73"), ("Spain", "22", "19"))
    assert {found[2:4] for found in facts_of(table_of(*rows))} == {("$", 10**6)}


def test_the_scale_of_a_sub_heading_of_shares_is_that_of_its_lines():
    assert facts_of(
        "<p>CONSOLIDATED STATEMENTS OF INCOME</p><p>(amounts in millions, except per share data)</p>"
        + table_of(
            ("", "2021", "2020"),
            ("Net income", "$ 5,007", "$ 4,002"),
            ("Shares used in calculation (000’s)", "", ""),
            ("Basic", "443,089", "442,297"),
        )
    )[2:] == [
        ("Basic", "443089", "shares", 1000, date(2021, 12, 31)),
        ("Basic", "442297", "shares", 1000, date(2020, 12, 31)),
    ]


def test_half_a_date_over_one_column_is_not_that_of_the_next():
    page = table_of(
        ("", "July 2,", ""), ("", "2023", "December 31, 2022"), ("", "(Unaudited)", ""), ("Cash", "$ 2,632", "$ 416")
    )
    assert [end for *_, end in facts_of(page)] == [date(2023, 7, 2), date(2022, 12, 31)]


def test_a_title_that_spans_its_columns_is_not_that_of_the_next():
    page = """<table><tr><td></td><td colspan=2>Common Stock</td><td></td><td>Accumulated</td><td></td></tr>
<tr><td></td><td>Shares</td><td>Amount</td><td>Paid-in Capital</td><td>Other Loss</td><td>Retained Earnings</td></tr>
<tr><td>Balance, June 30, 2024</td><td>438</td><td>$4</td><td>$6,107</td><td>$(1,199)</td><td>$7,887</td></tr>
<tr><td>Balance, June 30, 2025</td><td>439</td><td>$5</td><td>$6,108</td><td>$(1,198)</td><td>$7,888</td></tr>
</table>"""
    document = read_html(f"<html><body>{page}</body></html>".encode(), "orris")
    headers = {fact.column: fact.label for fact in measures(build(document, tieout.tbox()).facts()) if fact.row == 2}
    assert [headers[column] for column in (2, 3, 5)] == ["Common Stock Amount", "Paid-in Capital", "Retained Earnings"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a final dividend of 6.2p per share (2023: 4.0p)", [("6.2", "pence/share"), ("4.0", "pence")]),
        ("a dividend of 12 pence per ordinary share", [("12", "pence/share")]),
        ("a dividend of 25 cents a share", [("25", "cents/share")]),
        ("2025p", []),
        ("$5 per share", [("5", "$/share")]),
    ],
)
def test_pence_and_cents_in_sentences_are_parts_of_money(text, found):
    amounts = read_amounts(text)
    said = [(str(each.value), each.unit) for each in amounts if each.unit not in ("calendar year", "reference")]
    assert said == found
