"""Web pages into documents: what is seen, where it stands, how tables are laid out, what tags say."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from filing import filing, header, row
from hypothesis import given
from hypothesis import strategies as st

from tieout.data.readers.html.page import PageError
from tieout.data.readers.html.report import read_html
from tieout.data.readers.html.transform import transform


def read(html: str):
    return read_html(html.encode(), "page")


def table(html: str):
    return read(f"<p>Sales by year were as follows:</p><table>{html}</table>").tables[0]


@pytest.fixture(scope="module")
def report():
    return read_html(filing().encode(), "zeph")


def test_signs_brackets_and_percent_signs_join_their_number():
    rows = table(row("Sales", "$1,234", "(56)") + row("Rate", "7.5%", "$8")).rows
    assert rows == (("Sales", "$ 1,234", "(56)"), ("Rate", "7.5%", "$ 8"))


def test_a_header_over_several_columns_stands_over_each_and_is_printed_once():
    spanned = '<tr><td colspan="3"></td><td></td><td colspan="7">Three months ended</td></tr>'
    rows = header("2025", "2024") + row("Sales", "$1", "$2") + row("Costs", "3", "4")
    for first in (spanned, spanned.replace('"7"', '";7"')):  # as damaged copies have it
        read_table = table(first + rows)
        assert read_table.rows[:2] == (("", "Three months ended", "Three months ended"), ("", "2025", "2024"))
        assert read_table.repeated == ((0, 2),)


def test_a_row_that_spans_rows_keeps_the_others_in_their_columns():
    html = "<tr><td rowspan=2>Debt</td><td>2025</td><td>$5</td></tr><tr><td>2024</td><td>$6</td></tr>"
    assert table(html).rows == (("Debt", "2025", "$5"), ("", "2024", "$6"))


def test_a_label_beside_the_labels_of_several_rows_is_their_sub_heading():
    rows = '<tr><td rowspan="2">Europe</td><td>Sales</td><td>4,321</td></tr><tr><td>Profit</td><td>33</td></tr>'
    (table,) = read_html(f"<table><tr><td></td><td></td><td>2023</td></tr>{rows}</table>".encode(), "x").tables
    assert table.rows[1:] == (("Europe", ""), ("Sales", "4,321"), ("Profit", "33"))


def test_a_raised_mark_is_no_digit_of_the_number_before():
    rows = table(
        row("Sales<sup>1</sup>", "$5", "$6") + "<tr><td colspan=3>Costs</td><td></td><td></td><td>12</td>"
        "<td><sup>2</sup></td><td></td><td></td><td>13</td><td></td></tr>"
    ).rows
    assert rows[0][0] == "Sales (1)" and rows[1][1] == "12 (2)"


def test_a_bracketed_number_beside_another_is_no_mark():
    first = "<tr><td>Purchases</td><td>(27)</td><td></td><td>(37)</td></tr>"
    html = first + "<tr><td>Sales</td><td>1</td><td></td><td>2</td></tr>"
    assert table(html).rows[0] == ("Purchases", "(27)", "(37)")


def test_tables_for_layout_are_paragraphs():
    document = read("<table><tr><td>•</td><td>We opened 12 stores.</td></tr></table><p>End</p>")
    assert document.tables == () and document.paragraphs == ("• We opened 12 stores.", "End")


def test_a_table_that_but_holds_the_currency_beside_its_number_is_the_text_of_its_cell():
    def cell(text):
        return f"<td><table><tr><td>€</td><td>{text}</td></tr></table></td>"

    rows = [
        f"<tr><td>{label}</td>{cell(first)}{cell(second)}</tr>"
        for label, first, second in (("Sales", "9", "8"), ("Costs", "5", "4"))
    ]
    found = table(f"<tr><td></td><td>2023</td><td>2022</td></tr>{''.join(rows)}")
    assert found.rows == (("", "2023", "2022"), ("Sales", "€ 9", "€ 8"), ("Costs", "€ 5", "€ 4"))


def test_what_a_browser_does_not_show_is_not_read():
    document = read(
        "<p>Seen 1</p><p style='display:none'>Hidden 2</p><script>var x = 3</script><p hidden>4</p><!-- 5 -->"
    )
    assert document.paragraphs == ("Seen 1",)


def test_text_of_nested_blocks_and_behind_comments_is_kept_in_order():
    document = read("<div>one<div>two<!-- x --> three</div>four<br><br>five</div>")
    assert document.paragraphs == ("one", "two three", "four", "five")


def test_page_numbers_and_running_feet_are_furniture(report):
    furniture = [report.paragraphs[index] for index in report.furniture]
    assert "Zephant Corp | 2025 Form 10-K | 3" in furniture
    assert any("Item 8. Statements" in line for line in furniture)
    assert not any("In millions" in line for line in furniture)


def test_places_are_pages_as_they_are_numbered_in_print(report):
    assert report.tables[0].place == "page 4" and report.tables[1].place == "page 5"


def test_sections_are_headings_and_not_lines_of_the_contents(report):
    titles = [section.title for section in report.sections]
    assert titles == [
        "Item 7. Management’s Discussion",
        "Item 8. Financial Statements",
        "CONSOLIDATED STATEMENTS OF OPERATIONS",
        "Note 1. Debt",
    ]
    assert report.tables[0].title == "CONSOLIDATED STATEMENTS OF OPERATIONS"
    name = "Consolidated Statements of {}"
    plain = [
        name.format(of) for of in ("Comprehensive Income (Loss)", "Shareholders’ Equity (Deficit)", "Tern and Gull")
    ]
    printed = "<p>Tern</p>" + "".join(f"<p>{title}</p>" for title in plain)  # printed as any other line
    assert [each.title for each in read_html(printed.encode(), "tern").sections] == plain[:2]


def test_the_cover_says_whose_report_it_is_with_tags_and_without(report):
    import re

    plain = re.sub(r"<ix:header>.*?</ix:header>|</?ix:[^>]*>", "", filing(), flags=re.DOTALL)
    for document in (report, read_html(plain.encode(), "zeph")):
        assert (document.company, document.form, document.ended) == ("Zephant Corp", "10-K", date(2025, 9, 27))


def test_tags_say_concept_value_unit_days_and_dimensions(report):
    tags = {(each.row, each.column): each.tag for each in report.tables[0].tags}
    east = next(tag for tag in tags.values() if tag.dimensions)
    assert east.concept == "us-gaap:Revenues" and east.value == Decimal(250_000_000) and east.unit == "USD"
    assert (east.start, east.end) == (date(2024, 9, 29), date(2025, 9, 27))
    assert east.dimensions == (("us-gaap:StatementGeographicalAxis", "zeph:EastMember"),)
    values = {tag.concept: tag for tag in tags.values()}
    assert values["us-gaap:EarningsPerShareBasic"].unit == "USD/share"
    assert values["us-gaap:TaxRate"].value == Decimal("0.156") and values["us-gaap:TaxRate"].unit is None


def test_a_tag_knows_where_its_number_is_printed(report):
    for each in report.tables[0].tags:
        start, end = each.tag.printed
        assert report.tables[0].rows[each.row][each.column][start:end].strip("$() ")
    paragraph = report.tags[0]
    start, end = paragraph.tag.printed
    assert report.paragraphs[paragraph.paragraph][start:end] == "416.2"


def test_hidden_tags_are_stated_without_a_page(report):
    assert [(tag.concept, tag.value, tag.printed) for tag in report.unprinted] == [("zeph:Stores", Decimal(7), None)]


@pytest.mark.parametrize(
    ("rule", "text", "value"),
    [
        ("ixt:num-dot-decimal", "1,234.50", "1234.50"),
        ("ixt:num-comma-decimal", "1.234,50", "1234.50"),
        ("ixt:fixed-zero", "—", "0"),
        ("ixt-sec:numwordsen", "twenty-one million", "21000000"),
        ("ixt-sec:numwordsen", "no", "0"),
        ("ixt:num-unit-decimal", "5 dollars 25 cents", "5.25"),
        ("", "12", "12"),
    ],
)
def test_transformations_of_inline_xbrl(rule, text, value):
    assert transform(rule, text) == Decimal(value)


def test_a_text_that_does_not_fit_its_rule_is_no_number():
    assert transform("ixt:num-dot-decimal", "many") is None


def test_old_encodings_are_read():
    page = "<p>Caf\u00e9 \u2013 \u20ac 5</p>".encode("cp1252")
    assert read_html(page, "old").paragraphs == ("Café – € 5",)
    assert read_html(b"<p>it&#146;s 5</p>", "old").paragraphs == ("it’s 5",)


def test_bytes_without_an_element_are_refused_in_words():
    with pytest.raises(PageError):
        read_html(b"", "empty")


def test_tags_of_fonts_left_open_lose_nothing_and_endless_nesting_is_refused():
    assert read("<font>" * 3000 + "5").paragraphs == ("5",)
    with pytest.raises(PageError, match="nested deeper"):
        read("<div>" * 100_000 + "5")


def test_wide_spans_end():
    wide = "<table>" + "<tr><td colspan=99999 rowspan=99999>1</td><td>2</td></tr>" * 50 + "</table>"
    (table,) = read(wide).tables
    assert [cell for row in table.rows for cell in row if cell] == ["1", "2"] * 50


@given(
    st.lists(
        st.lists(st.sampled_from(["Sales", "$5", "(6)", "7%", "", "—", "2024", "$ 1,234"]), min_size=1, max_size=6),
        min_size=1,
        max_size=6,
    )
)
def test_every_number_of_a_table_is_in_the_document(rows):
    html = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>" for cells in rows)
    document = read(f"<p>x</p><table>{html}</table>")
    shown = " ".join(document.paragraphs) + " ".join(
        cell for each in document.tables for line in each.rows for cell in line
    )
    for cell in (cell for cells in rows for cell in cells):
        assert all(part in shown for part in cell.strip("$()%").split())
