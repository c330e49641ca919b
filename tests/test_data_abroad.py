"""Units, scales and currencies as reports print them in other countries, and beside money."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.data.document import Document, Table
from tieout.data.printed.amount import read_amounts, read_cell
from tieout.data.printed.label import read_label, stated_unit
from tieout.data.printed.notation import decimal_comma, english, is_decimal_comma
from tieout.data.printed.note import Note, read_note
from tieout.data.readers.html.report import read_html
from tieout.data.readers.text.plain import read_plain
from tieout.kg.build import build
from tieout.kg.check import find_loss
from tieout.kg.fact import measures


@pytest.fixture(autouse=True)
def published():
    """A text without codes, as whole reports are."""
    yield


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Borrowings were ₹ 312 crore.", [("312", "INR", 10**7, "₹ 312 crore")]),
        ("Rs. 7.5 lakhs and Rs 2.5 Cr", [("7.5", "INR", 10**5, "Rs. 7.5 lakhs"), ("2.5", "INR", 10**7, "Rs 2.5 Cr")]),
        ("₹ 1.2 lakh crore", [("1.2", "INR", 10**12, "₹ 1.2 lakh crore")]),
        ("RMB 45 million", [("45", "CNY", 10**6, "RMB 45 million")]),
        ("621 T€ or 3 MSEK", [("621", "EUR", 10**3, "621 T€"), ("3", "SEK", 10**6, "3 MSEK")]),
        ("19 Mio. €, 2 Mrd. EUR", [("19", "EUR", 10**6, "19 Mio. €"), ("2", "EUR", 10**9, "2 Mrd. EUR")]),
        ("4 millions d’euros", [("4", "EUR", 10**6, "4 millions d’euros")]),
        ("€2.1–2.4 billion", [("2.1", "EUR", 10**9, "€2.1"), ("2.4", "EUR", 10**9, "2.4 billion")]),
        ("€900–1.2 billion", [("900", "EUR", 1, "€900"), ("1.2", "EUR", 10**9, "1.2 billion")]),
        ("7 miles", [("7", "count", 1, "7")]),
    ],
)
def test_a_scale_and_a_currency_of_another_country_belong_to_the_amount(text, found):
    assert [(str(a.value), a.unit, a.scale, text[a.start : a.end]) for a in read_amounts(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("SEK 4 321 million", [("4321", "SEK", 10**6, "")]),
        ("4 321 k€", [("4321", "EUR", 10**3, "")]),
        ("-4 321,5 M€", [("-4321.5", "EUR", 10**6, "")]),
        ("4´321", [("4321", None, 1, "")]),
        ("CHF 4`321`000", [("4321000", "CHF", 1, "")]),
        ("./. 4,321", [("-4321", None, 1, "")]),
        ("- / - 4,321", [("-4321", None, 1, "")]),
        ("4·321", [("4", None, 1, "the sign among"), ("321", None, 1, "the sign among")]),
        ("4,3", [("4", None, 1, "the sign among"), ("3", None, 1, "the sign among")]),
        ("4.3 ‰", [("4.3", None, 1, "‰ behind it")]),
        ("4,321 Dr", [("4321", None, 1, "DR behind it")]),
        ("1 200 of 3 400", [("1", None, 1, ""), ("200", None, 1, ""), ("3", None, 1, ""), ("400", None, 1, "")]),
    ],
)
def test_a_cell_is_read_as_it_is_printed_elsewhere_or_doubtful(text, found):
    with decimal_comma(",5" in text):
        amounts = read_cell(text)
    assert [(str(a.value), a.unit, a.scale) for a in amounts] == [each[:3] for each in found]
    assert all(
        a.doubt.startswith(each[3]) and bool(a.doubt) == bool(each[3]) for a, each in zip(amounts, found, strict=True)
    )


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("in T€", Note("EUR", 10**3)),
        ("in Tsd. €", Note("EUR", 10**3)),
        ("Angaben in Millionen Euro", Note("EUR", 10**6)),
        ("en millions d'euros", Note("EUR", 10**6)),
        ("en milliers d’euros", Note("EUR", 10**3)),
        ("(em milhares de reais)", Note("BRL", 10**3)),
        ("R$ mil", Note("BRL", 10**3)),
        ("(Rs. in crore)", Note("INR", 10**7)),
        ("Umsatz 5 Mio. €", Note()),
        ("in miles", Note()),
    ],
)
def test_a_note_of_another_country_is_read(text, note):
    assert read_note(text) == note


@pytest.mark.parametrize(
    ("label", "name", "unit", "counts"),
    [
        ("Silver sold (000s oz)", "silver sold", "oz", 1000),
        ("Cases shipped (000s cases)", "cases shipped", "count", 1000),
        ("Sustaining cost (A$/oz)", "sustaining cost", "AUD/oz", 1),
        ("Netback (US$ per tonne)", "netback", "USD/tonne", 1),
        ("Year-end rate (C$/US$)", "year-end rate", "CAD/USD", 1),
        ("Unit cost, US$/lb", "unit cost", "USD/lb", 1),
        ("Gold grade (g/t)", "gold grade", "g/t", 1),
        ("Restricted cash (t)", "restricted cash", None, None),
        ("Loss per share (R$)", "loss per share (r$)", "BRL/share", None),
        ("Diluted EPS, €", "diluted eps, €", "EUR/share", None),
        ("Loss per share ($)", "loss per share", "/share", None),
        ("Ergebnis je Aktie in €", "ergebnis je aktie in €", "EUR/share", None),
        ("Debt to EBITDA, x", "debt to ebitda, x", "ratio", None),
    ],
)
def test_a_label_says_what_one_costs_and_what_is_counted(label, name, unit, counts):
    said = read_label(label)
    assert (said.name, said.unit, said.counts) == (name, unit, counts)


@given(st.decimals(min_value=-(10**9), max_value=10**9, places=2))
def test_a_number_with_a_decimal_comma_is_the_one_with_a_point(value: Decimal) -> None:
    printed = f"{value:,.2f}".translate(str.maketrans(",.", ".,"))
    with decimal_comma(True):
        assert len(english(printed)) == len(printed)
        assert [each.value for each in read_cell(printed)] == [value]


@pytest.mark.parametrize(
    ("rows", "paragraphs", "is_comma"),
    [
        ([["512.044", "1,75"]], [], True),
        ([["512.044", "498.112", "77.310"]], ["Umsatz um 3,5 % gestiegen"], True),
        ([["in T€", "512.044", "498.112", "77.310"]], [], True),
        ([["512.044", "498.112", "77.310"]], [], False),
        ([["512.044 TEUR", "498.112 TEUR", "T€ 77.310"]], [], True),
        ([["4,3 Mrd. €"]], [], True),
        ([["512,044", "1.75"]], [], False),
        ([["3,5", "512,044", "498,112"]], [], False),  # the notes that explain a line
        ([["12.5"]], ["Rise of 3,5 % "], False),
        ([], ["A rise of 3.5% and 2,5 %"], False),
    ],
)
def test_whether_it_is_a_comma_is_told_from_the_whole_report(rows, paragraphs, is_comma):
    assert is_decimal_comma(rows, paragraphs) is is_comma


def facts_of(document: Document):
    graph = build(document, tieout.tbox())
    assert not find_loss(document, graph.facts()).missing
    return [(fact.label, str(fact.value), fact.unit, fact.scale) for fact in measures(graph.facts())]


def page(*rows: tuple[str, ...], before: str = "", after: str = "") -> Document:
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    text = f"<html><body>{before}<table>{body}</table>{after}</body></html>"
    return read_html(text.encode(), "orris")


def test_a_report_with_decimal_commas_is_read_as_it_prints():
    found = page(
        ("in T€", "2024", "2023"),
        ("Umsatzerlöse", "1.512.044", "998.101"),
        ("Ergebnis je Aktie in €", "1,75", "-0,20"),
        after="<p>Am 30. Juni 2024 waren es 1.204 Mitarbeiter. Der Umsatz stieg um 3,5 % auf 1,5 Mrd. €.</p>",
    )
    facts = facts_of(found)
    assert facts[:4] == [
        ("Umsatzerlöse", "1512044", "EUR", 1000),
        ("Umsatzerlöse", "998101", "EUR", 1000),
        ("Ergebnis je Aktie in €", "1.75", "EUR/share", 1),
        ("Ergebnis je Aktie in €", "-0.2", "EUR/share", 1),
    ]
    assert [fact[1:] for fact in facts[4:]] == [
        ("1204", None, 1),
        ("3.5", "percent", 1),
        ("1.5", "EUR", 10**9),
    ]


def test_prices_and_weights_of_a_mine_are_in_full_beside_millions():
    found = page(
        ("", "2024", "2023"),
        ("Silver sold (000s oz)", "88.1", "90.2"),
        ("Realized price (US$/oz)", "$ 28", "$ 23"),
        ("Gold grade (g/t)", "1.4", "1.5"),
        before="<p>(Expressed in millions of Canadian dollars)</p>",
    )
    assert [fact[1:] for fact in facts_of(found)[::2]] == [
        ("88.1", "oz", 1000),
        ("28", "USD/oz", 1),
        ("1.4", "g/t", 1),
    ]


def test_a_price_is_in_the_currency_of_its_row_before_that_of_its_column():
    found = page(
        ("", "2024", "2023"),
        ("", "(in millions of US$)", "(in millions of R$)"),
        ("Net revenue", "1,310.6", "7,308.1"),
        ("Earnings per share (R$)", "0.41", "2.16"),
        ("Dividends per share", "0.10", "0.50"),
    )
    assert [fact[2:] for fact in facts_of(found)] == [
        ("USD", 10**6),
        ("BRL", 10**6),
        ("BRL/share", 1),
        ("BRL/share", 1),
        ("USD/share", 1),
        ("BRL/share", 1),
    ]


def test_a_column_of_a_currency_beside_others_in_millions_is_in_full():
    found = page(
        ("", "Operating profit", "Dividends", "Earnings per share"),
        ("", "Millions of yen", "Yen", "Yen"),
        ("Half", "4,120", "35", "81.20"),
        ("Year", "9,300", "70", "160.10"),
    )
    assert [fact[2:] for fact in facts_of(found)[:3]] == [("JPY", 10**6), ("JPY", 1), ("JPY/share", 1)]


def test_what_one_share_is_worth_in_a_label_is_in_full():
    found = page(
        ("(₹ in crore)", "2024", "2023"),
        ("Revenue", "1,200.10", "1,100.20"),
        ("Equity share capital (face value of ₹ 5 each)", "40.00", "40.00"),
    )
    assert ("5", "INR/share", 1) in [fact[1:] for fact in facts_of(found)]


def test_what_a_text_says_of_all_amounts_holds_for_all_tables():
    text = b"""# Half-year report

All figures in \xe2\x82\xac million unless otherwise stated.

| | H1 2025 | H1 2024 |
|---|---|---|
| Net sales | 412.4 | 388.0 |

## By division

| Division | H1 2025 | H1 2024 |
|---|---|---|
| Bread | 281.0 | 266.4 |
"""
    found = [fact[2:] for fact in facts_of(read_plain(text, "orris"))]
    assert found == [("EUR", 10**6)] * 4


@pytest.mark.parametrize(
    ("text", "unit", "scale"),
    [
        ("US$", "USD", None),
        ("#", "count", None),
        ("$k", "USD", 1000),
        ("€/night", "EUR/night", None),
        ("notes", None, None),
    ],
)
def test_a_column_headed_unit_says_the_unit_of_its_rows(text, unit, scale):
    said, note = stated_unit(text)
    assert said in (unit, "$") if text.startswith("$") else said == unit
    assert note.scale == scale


def test_the_unit_of_a_row_goes_before_that_of_the_sheet():
    rows = (
        ("Assumption", "Unit", "2024", "2025"),
        ("Rooms", "#", "1,200", "1,300"),
        ("Daily rate", "US$", "$141.50", "$150.25"),
        ("Occupancy", "%", "70.5", "71.0"),
        ("Room revenue", "US$k", "43,500", "50,600"),
    )
    document = Document(
        id="orris", coded=False, paragraphs=(), before=0, tables=(Table(rows=rows, after=0, title="US$ in thousands"),)
    )
    assert [fact[1:] for fact in facts_of(document)[::2]] == [
        ("1200", "count", 1),
        ("141.5", "USD", 1),
        ("70.5", "percent", 1),
        ("43500", "USD", 1000),
    ]


@pytest.mark.parametrize("line", ["\nin Mio. EUR", "in Mio. €"])
def test_the_line_above_a_table_is_or_ends_in_its_note(line):
    text = f"""Gewinn- und Verlustrechnung
{line}

                                   2024          2023
Umsatz                          1.042,3       1.001,2
Materialaufwand                  -398,1        -441,9
Ergebnis                           49,4          60,1
"""
    assert {fact[2:] for fact in facts_of(read_plain(text.encode(), "orris"))} == {("EUR", 10**6)}
