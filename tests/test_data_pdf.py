"""PDFs: tables with and without rules, paragraphs, furniture, columns of text, and that no number is lost."""

from __future__ import annotations

import re
import sys
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.conftest import SHARED
from tests.pdf_pages import PdfPage, make_pdf
from tieout.data.readers.geometry.words import Page, Word, numbers_apart
from tieout.data.readers.pdf.report import name_pages, read_layout, read_pdf
from tieout.data.readers.refusal import UnreadableError

REPORTS = SHARED.parent / "reports" / "pdf"
_NUMBER = re.compile(r"\d+(?:[,.]\d+)*")


def read(*pages):
    return read_pdf(make_pdf(list(pages)), "x")


def statement(y=100, heads=("2024", "2023"), rows=(("Revenue", "$ 1,234", "$ 999"), ("Costs", "(56)", "(7)"))):
    page = PdfPage()
    for at, head in enumerate(heads):
        page.write_right(400 + 90 * at, y, head)
    for number, (label, *values) in enumerate(rows, start=1):
        page.write(60, y + 14 * number, label)
        for at, value in enumerate(values):
            if value:
                page.write_right(400 + 90 * at, y + 14 * number, value)
    return page


def test_a_table_without_ruling_is_read_by_where_its_amounts_stand():
    (table,) = read(statement()).tables
    assert table.rows == (("", "2024", "2023"), ("Revenue", "$ 1,234", "$ 999"), ("Costs", "(56)", "(7)"))
    assert table.place == "page 1"


def test_currency_signs_and_brackets_far_from_their_numbers_are_joined():
    page = statement(rows=(("Revenue", "1,234", "999"), ("Costs", "(56", "(7"), ("Net", "1,178", "992")))
    for x in (350, 440):
        page.write(x, 114, "$")
    page.write(401, 128, ")")
    page.write(491, 128, ")")
    (table,) = read(page).tables
    assert table.rows[1:3] == (("Revenue", "$ 1,234", "$ 999"), ("Costs", "(56)", "(7)"))


def test_a_header_over_several_columns_stands_over_each_of_them():
    page = statement(heads=("2024", "2023", "2022"), rows=(("Revenue", "5", "6", "7"), ("Costs", "1", "2", "3")))
    page.write(415, 86, "Year Ended December 31,")
    (table,) = read(page).tables
    assert table.rows[0] == ("", *["Year Ended December 31,"] * 3)
    assert table.rows[1] == ("", "2024", "2023", "2022")
    assert table.repeated == ((0, 2), (0, 3))


def test_a_note_of_two_lines_in_the_middle_of_columns_is_of_all_of_them():
    page = statement(rows=(("", "", ""), ("", "", ""), ("Revenue", "5", "6"), ("Costs", "1", "2")))
    page.write(398, 113, "(in millions, except")
    page.write(410, 125, "per share data)")
    (table,) = read(page).tables
    assert table.rows[0] == ("(in millions, except per share data)", "2024", "2023")


def test_a_sub_heading_in_capitals_that_is_wider_than_the_labels_parts_no_table():
    heading = "OTHER LIABILITIES THAT THE COMPANY HAS TAKEN ON BY LAW AND BY CONTRACT"
    rows = (("Loans", "5", "6"), ("TOTAL", "5", "6"), (heading, "", ""), ("Pensions", "7", "9"), ("Leases", "8", "3"))
    (table,) = read(statement(rows=rows)).tables
    assert table.rows[3:5] == ((heading, "", ""), ("Pensions", "7", "9"))


def test_rules_tell_which_columns_a_header_is_over():
    rows = (("Debt", "1", "2", "3", "4"), ("Cash", "5", "6", "7", "8"))
    page = statement(heads=("Cost", "Value", "Cost", "Value"), rows=rows)
    page.texts = [(x - 100 if x > 100 else x, *rest) for x, *rest in page.texts]
    page.write(315, 86, "2024")
    page.write(495, 86, "2023")
    page.rules = [(270, 390, 90), (450, 570, 90)]
    (table,) = read(page).tables
    assert table.rows[0] == ("", "2024", "2024", "2023", "2023")


def test_headers_without_rules_stand_over_the_columns_that_they_are_in_the_middle_of():
    heads = ("2024", "2023", "24/23", "2024", "2023", "24/23")
    page = PdfPage()
    rows = (("", *heads), ("Europe", "11", "12", "13", "14", "15", "16"), ("Asia", "21", "22", "23", "24", "25", "26"))
    for number, (label, *values) in enumerate(rows):
        page.write(60, 114 + 14 * number, label)
        for at, value in enumerate(values):
            page.write_right(250 + 60 * at, 114 + 14 * number, value)
    page.write(292, 100, "Goods")
    page.write(468, 100, "Services")
    (table,) = read(page).tables
    assert table.rows[0] == ("", *["Goods"] * 3, *["Services"] * 3)
    assert table.rows[1] == ("", *heads)


def test_a_header_in_the_middle_of_years_that_stand_left_of_their_amounts_is_over_all_of_them():
    page = PdfPage()
    page.write(248, 86, "Three Months Ended June 30,", size=8)
    page.write(396, 86, "Twelve Months Ended June 30,", size=8)
    for at, year in enumerate(("2025", "2024", "2025", "2024")):
        page.write(250 + 75 * at, 100, year)
    for number, label in enumerate(("Net sales", "Cost of sales", "Gross profit")):
        page.write(60, 114 + 14 * number, label)
        for at in range(4):
            page.write_right(300 + 75 * at, 114 + 14 * number, str(5000 + 100 * at - number))
    (table,) = read(page).tables
    assert table.rows[0] == ("", *["Three Months Ended June 30,"] * 2, *["Twelve Months Ended June 30,"] * 2)
    assert table.rows[1] == ("", "2025", "2024", "2025", "2024")


def test_the_larger_heading_of_a_note_ends_a_table_and_the_years_above_the_first_hold_for_the_next():
    page = PdfPage()
    page.write(60, 86, "2 Financial income", size=12)
    for at, year in enumerate(("2025", "2024")):
        page.write_right(400 + 100 * at, 100, year)
    page.write(60, 156, "3 Financial expenses", size=12)
    for y, label, *values in ((114, "Interest", "7", "8"), (128, "Dividends", "1", "2"), (184, "Fees", "30", "40")):
        page.write(60, y, label)
        for at, value in enumerate(values):
            page.write_right(400 + 100 * at, y, value)
    page.write(60, 198, "Interest on loans")
    page.write_right(400, 198, "5")
    page.write_right(500, 198, "6")
    income, expenses = read(page).tables
    assert income.rows == (("", "2025", "2024"), ("Interest", "7", "8"), ("Dividends", "1", "2"))
    assert expenses.rows == (("", "2025", "2024"), ("Fees", "30", "40"), ("Interest on loans", "5", "6"))


def test_headers_over_columns_that_are_called_alike_stand_each_over_a_run_of_them():
    page = PdfPage()
    for x, head in ((268, "December 31, 2024"), (410, "December 31, 2023")):
        page.write(x, 76, head)
    page.write_right(230, 88, "Useful")
    names = ("life", "Gross", "Cost", "Net", "Gross", "Cost", "Net")
    for row in (names, ("3", "104", "24", "80", "94", "4", "90"), ("5", "176", "29", "147", "175", "4", "171")):
        y = 100 + 14 * (row[0].isdigit() + (row[0] == "5"))
        page.write(60, y, "" if row is names else f"Rights {row[0]}")
        for x, text in zip((230, 280, 330, 380, 430, 480, 530), row, strict=True):
            page.write_right(x, y, text)
    (table,) = read(page).tables
    assert table.rows[0] == ("", "", *["December 31, 2024"] * 3, *["December 31, 2023"] * 3)


def test_dates_broken_word_by_word_over_the_lines_of_a_header_are_put_together_by_column():
    for lines in (("March March", "31, 30,", "2021 2020"), ("March 31, March 30,", "2021 2020")):
        page = PdfPage()
        for at, line in enumerate(lines):
            words = line.split(" ") if len(lines) > 2 else [line[: len(line) // 2], line[len(line) // 2 + 1 :]]
            for x, word in zip((400, 455), words, strict=True):
                page.write_right(x, 86 + 12 * at, word)
        page.write(60, 98 if len(lines) < 3 else 110, "(Dollars in millions)")
        for at, (label, *values) in enumerate((("Revenue", "$ 412.6", "$ 398.1"), ("Margin", "18.5%", "17.2%"))):
            page.write(60, 124 + 14 * at, label)
            for x, value in zip((400, 455), values, strict=True):
                page.write_right(x, 124 + 14 * at, value)
        (table,) = read(page).tables
        assert table.rows[0] == ("(Dollars in millions)", "March 31, 2021", "March 30, 2020")


def test_headers_that_touch_and_have_a_mark_below_are_told_apart():
    page = PdfPage()
    rows = (("Sales", "15,902", "14,855", "7 %", "7 %"), ("Shops", "(9,812)", "9,242", "6 %", "11 %"))
    for number, (label, *values) in enumerate(rows):
        page.write(60, 128 + 14 * number, label)
        for x, value in zip((300, 352, 400, 460), values, strict=True):
            page.write_right(x, 128 + 14 * number, value)
    page.write_right(296, 114, "2019")
    page.write_right(352, 114, "2018")
    page.write(366, 114, "CHANGE")
    page.write(440, 100, "CHANGE")
    page.write(440, 114, "(1)", size=6)
    (table,) = read(page).tables
    assert table.rows[0][1:3] == ("2019", "2018")
    assert [row[0] for row in table.rows] == ["", "Sales", "Shops"]


def test_a_raised_mark_stays_with_what_it_marks():
    page = statement(rows=(("Projects", "5", "6"), ("Shops", "7", "8")))
    page.write(100, 110, "(1)", size=6)
    (table,) = read(page).tables
    assert [row[0] for row in table.rows] == ["", "Projects (1)", "Shops"]


def test_a_note_below_a_table_ends_it():
    page = statement()
    page.write(60, 142, "(a) Taxes are not provided for foreign subsidiaries.")
    for at, (label, *values) in enumerate((("", "Cash", "Debt"), ("May", "1", "2"), ("June", "3", "4"))):
        page.write(60, 170 + 14 * at, label)
        for x, value in zip((300, 380), values, strict=True):
            page.write_right(x, 170 + 14 * at, value)
    assert [table.rows[-1][0] for table in read(page).tables] == ["Costs", "June"]


def test_a_table_beside_prose_has_no_words_of_it():
    page = PdfPage()
    for number in range(14):
        page.write(40, 80 + 12 * number, f"Line {number}")
        page.write_right(200, 80 + 12 * number, f"1,{number:03}")
        page.write_right(260, 80 + 12 * number, f"2,{number:03}")
        page.write(330, 85 + 12 * number, f"the text of line {number} fills the column beside it")
    document = read(page)
    (table,) = document.tables
    assert table.rows[0] == ("Line 0", "1,000", "2,000")
    assert "".join(document.paragraphs).count("fills the column") == 14


def test_the_title_of_another_statement_ends_a_table_that_could_go_on():
    first, second = statement(y=600), statement(y=90, heads=(), rows=(("Net", "8", "9"), ("Tax", "1", "2")))
    second.write(60, 60, "Changes in Equity", size=16)
    assert len(read(first, second).tables) == 2


def test_dates_beside_a_note_of_scale_begin_another_table_below_one_with_other_columns():
    page = PdfPage()
    for at, (label, value) in enumerate((("", "2024"), ("Revenue", "5"), ("Costs", "2"), ("Profit", "3"))):
        page.write(60, 100 + 14 * at, label)
        page.write(425, 100 + 14 * at, "$" if at % 2 else "")
        page.write_right(490, 100 + 14 * at, value)
    page.write(230, 166, "Balances of the Lenders")
    page.write(60, 180, "($ in millions)")
    for x, day, *amounts in ((360, "May 31, 2024", "$ 7", "6"), (490, "June 30, 2023", "$ 9", "8")):
        for at, text in enumerate((day, *amounts)):
            page.write_right(x, 180 + 14 * at, text)
    for at, label in enumerate(("Cash", "Debt")):
        page.write(60, 194 + 14 * at, label)
    document = read(page)
    first, second = document.tables
    assert first.rows[-1] == ("Profit", "$ 3") and "Balances of the Lenders" in document.paragraphs
    assert second.rows[:2] == (("($ in millions)", "May 31, 2024", "June 30, 2023"), ("Cash", "$ 7", "$ 9"))


def test_years_beside_comparisons_of_years_are_headers():
    page = statement(heads=("2024", "2024 vs. 2023"), rows=(("Revenue", "$ 1,234", "8%"), ("Costs", "56", "2%")))
    page.write_right(310, 100, "2023")
    page.write_right(310, 114, "$ 1,142")
    page.write_right(310, 128, "55")
    page.write(330, 107, "(in millions)")
    (table,) = read(page).tables
    assert table.rows[0] == ("(in millions)", "2023", "2024", "2024 vs. 2023")


def test_the_name_of_a_statement_beside_that_of_a_company_is_its_title():
    page = statement(rows=(("Cash", "$ 1,234", "$ 999"), ("Debt", "56", "7")))
    page.write(60, 80, "Consolidated Balance Sheets")
    page.write(375, 80, "Fenwick Mills and Subsidiaries")
    (table,) = read(page).tables
    assert table.rows[0] == ("", "2024", "2023")


def test_a_sentence_goes_on_over_the_page_and_furniture_and_in_the_next_column():
    first, second = PdfPage(), PdfPage()
    for number in range(8):
        first.write(
            60, 500 + 18 * number, f"Line {number} of a long text in loose lines fills the column from the left to the"
        )
    first.write(60, 644, "right, and at its end, after all that was said before, stands one of United")
    first.write(300, 770, "1")
    second.write(60, 60, "States courts. And")
    second.write(60, 100, "Another paragraph begins here, with words enough to fill nearly all of its line, as many do")
    second.write(300, 770, "2")
    document = read(first, second)
    said = [text for at, text in enumerate(document.paragraphs) if at not in document.furniture]
    assert len(said) == 2
    assert "one of United States courts" in said[0]
    at = document.paragraphs.index(said[0])
    assert [box[0] for _, box in document.boxes[at]] == [1] * 9 + [2]


def test_a_sentence_goes_on_below_a_line_that_ends_early_where_a_number_begins_the_next():
    page = PdfPage()
    page.write(
        60, 100, "A paragraph above shows by its length how far to the right the lines of this page may go, to here"
    )
    page.write(60, 140, "Deferred revenue was larger than that of the year before. At April 28,")
    page.write(60, 152, "2023, $ 334 million was included in other accrued expenses.")
    assert "At April 28, 2023, $ 334 million was" in read(page).paragraphs[1]


def test_words_in_the_column_behind_an_amount_are_a_cell_of_their_own():
    page = statement(rows=(("Rate contracts", "$ 300", "$ 318"), ("Swaps", "353", "351")))
    for y in (114, 128):
        page.write(500, y, "Other current assets")
    (table,) = read(page).tables
    assert table.rows[1:] == (
        ("Rate contracts", "$ 300", "$ 318", "Other current assets"),
        ("Swaps", "353", "351", "Other current assets"),
    )


def test_a_label_in_two_lines_is_one_row():
    page = statement(
        rows=(("Depreciation, amortization and other", "", ""), ("non-cash items", "5", "6"), ("Tax", "1", "2"))
    )
    (table,) = read(page).tables
    assert table.rows[1] == ("Depreciation, amortization and other non-cash items", "5", "6")


def test_a_heading_in_bold_close_above_a_row_is_no_part_of_its_label():
    page = PdfPage()
    for y, label, *amounts in (
        (40, "Revenue", "9", "8"),
        (60, "Costs", "5", "4"),
        (80, "Interest", "3", "3"),
        (100, "Tax", "2", "1"),
        (115, "Per Diluted Share"),
        (128, "Net income", "7", "6"),
    ):
        page.write(60, y, label, bold=not amounts)
        for right, amount in zip((400, 500), amounts, strict=False):
            page.write_right(right, y, amount)
    (table,) = read(page).tables
    assert [row[0] for row in table.rows[4:]] == ["Per Diluted Share", "Net income"]


def test_a_bracket_that_a_label_ends_in_its_next_line_is_no_amount():
    rows = (
        ("Cash", "510", "292"),
        ("Preferred shares (Note",),
        ("16)", "4", "5"),
        ("Loans", "97", "48"),
        ("Total", "9", "8"),
    )
    page = PdfPage()
    for at, (label, *amounts) in enumerate(rows):
        page.write(20 if label == "Total" else 70, 75 + 15 * at, label)
        for right, amount in zip((400, 500), amounts, strict=False):
            page.write_right(right, 75 + 15 * at, amount)
    (table,) = read(page).tables
    assert table.rows == (rows[0], ("Preferred shares (Note 16)", "4", "5"), *rows[3:])


def test_a_number_that_a_label_ends_in_its_next_line_is_no_amount():
    page = statement(rows=(("Tax", "8", "9"), ("Preferred stock, shares issued: 40 and", "", ""), ("", "", "5")))
    page.write(80, 142, "2,500")
    page.write(60, 156, "Total")
    page.write_right(400, 156, "8")
    page.write_right(490, 156, "14")
    (table,) = read(page).tables
    assert table.rows[2] == ("Preferred stock, shares issued: 40 and 2,500", "", "5")


def test_a_table_that_goes_on_over_the_page_is_one():
    first = statement(y=600)
    second = statement(y=60, heads=(), rows=(("Net", "8", "9"), ("Tax", "1", "2")))
    first.write(300, 770, "1")
    second.write(300, 770, "2")
    document = read(first, second)
    (table,) = document.tables
    assert [row[0] for row in table.rows] == ["", "Revenue", "Costs", "Net", "Tax"]
    assert (table.place, table.places[2][0], table.places[3][0]) == ("page 1 to page 2", "page 1", "page 2")
    assert [document.paragraphs[at] for at in document.furniture] == ["1", "2"]


def left_aligned(*lines):
    """A page as a browser prints it of cells without a style: each text begins where its column does."""
    page = PdfPage()
    for y, *cells in lines:
        for x, text in zip((40, 300, 365, 430, 495), cells, strict=False):
            page.write(x, y, text)
    return page


def test_cells_of_several_lines_in_the_middle_of_their_rows_are_put_together_cell_by_cell():
    page = left_aligned(
        (100, "", "Six months"),
        (106, "", "", "", "Three months ended"),
        (112, "(in millions)", "ended June"),
        (118, "", "", "", "June 30"),
        (124, "", "30"),
        (142, "", "2025", "2024", "2025", "2024"),
        (160, "Revenue", "4,321", "987", "1,234", "56"),
        (178, "Gain on hedges, net of tax of $7,"),
        (184, "", "(25)", "8", "(143)", "1,168"),
        (190, "$21 and $49"),
        (208, "Net", "9", "10", "11", "12"),
    )
    (table,) = read(page).tables
    spans = ("Six months ended June 30",) * 2 + ("Three months ended June 30",) * 2
    assert table.rows[:2] == (("(in millions)", *spans), ("", "2025", "2024", "2025", "2024"))
    assert table.rows[3] == ("Gain on hedges, net of tax of $7, $21 and $49", "(25)", "8", "(143)", "1,168")
    page.rules.append((300, 420, 114))  # it parts two rows
    assert read(page).tables[0].rows[0] != table.rows[0]


def test_dates_that_touch_are_told_apart_where_they_begin_as_the_amounts_below_them_do():
    page = left_aligned(
        (100, "(in millions, unless noted)", "June 30, 2025", "December 31, 2024"),
        (118, "Cash", "29,528", "29,640"),
        (136, "Inventories", "29", "2,025"),
    )
    (table,) = read(page).tables
    assert table.rows[0] == ("(in millions, unless noted)", "June 30, 2025", "December 31, 2024")


def test_labels_around_their_amounts_and_headers_that_begin_where_their_columns_do_are_read():
    page = left_aligned(
        (85, "", "Quarter ended June 30,", "", "Quarter ended June 30,"),
        (97, "", "2025", "", "2024"),
        (115, "", "Issued", "Held", "Issued", "Held"),
        (133, "Shares", "4,321", "987", "1,234", "56"),
        (151, "Acquisitions", "9", "10", "11", "12"),
        (169, "Dispositions", "9", "—", "11", "12"),
        (187, "Other", "9", "10", "11", "12"),
        (205, "Balance of March, in a label that is longer"),
        (217, "than its column is wide and therefore ends in", "9", "10", "11", "12"),
        (229, "2025"),
        (247, "Net of taxes", "9", "10", "11", "12"),
    )
    (table,) = read(page).tables
    spans = ["Quarter ended June 30, 2025"] * 2 + ["Quarter ended June 30, 2024"] * 2
    heads = [" ".join(dict.fromkeys(filter(None, column))) for column in zip(*table.rows[:-6], strict=True)]
    assert heads == ["", *map(" ".join, zip(spans, ("Issued", "Held") * 2, strict=True))]
    label = "Balance of March, in a label that is longer than its column is wide and therefore ends in 2025"
    assert table.rows[-2:] == ((label, "9", "10", "11", "12"), ("Net of taxes", "9", "10", "11", "12"))


def test_headers_that_touch_are_told_apart_as_they_say_the_same_of_other_times():
    page = statement(heads=("", ""), rows=(("Cash", "9,999", "8,888"), ("Debt", "7", "6")))
    page.write(385, 100, "August 31, May 31,")
    (table,) = read(page).tables
    assert table.rows[0] == ("", "August 31,", "May 31,")
    for label in ("Years ended", "Held by us in each of the three houses:"):
        page = statement(heads=("", ""), rows=(("Cash", "9,999", "8,888"), ("Debt", "7", "6")))
        page.write(350 - 5 * len(label), 100, f"{label} May 31, 2025 May 30, 2024")
        (table,) = read(page).tables
        assert table.rows[0] == (label, "May 31, 2025", "May 30, 2024")


def test_remarks_behind_labels_years_below_them_and_amounts_that_touch_them_are_told_apart():
    page = left_aligned(
        (100, "Six months ended June 30 (in millions, except shares)", "2025", "2024"),
        (118, "Cash", "29,528", "29,640"),
        (136, "Corporate", "29", "2,025"),
        (172, "Balance as of March 31,", "15,879", "393"),
        (184, "2025"),
        (202, "Balance as of June 30,"),
        (208, "", "15,880", "394"),
        (214, "2025"),
    )
    page.write(100, 136, "(1)")
    for x, text in ((252, "Premiums"), (300, "$ 67,047"), (365, "11")):
        page.write(x, 154, text)
    (table,) = read(page).tables
    assert table.rows == (
        ("Six months ended June 30 (in millions, except shares)", "2025", "2024"),
        ("Cash", "29,528", "29,640"),
        ("Corporate (1)", "29", "2,025"),
        ("Premiums", "$ 67,047", "11"),
        ("Balance as of March 31, 2025", "15,879", "393"),
        ("Balance as of June 30, 2025", "15,880", "394"),
    )


def test_a_header_at_the_end_of_a_page_is_over_the_rows_of_the_next_and_labels_go_on_over_it():
    first = left_aligned(
        (40, "Balance sheets"), (730, "", "July 1,", "October 1,"), (742, "", "2025", "2024"), (760, "Assets")
    )
    second = left_aligned(
        (40, "Cash", "29,528", "640"), (58, "Stock", "29", "2,025"), (76, "Tax", "1", "3"), (94, "Debt, net of")
    )
    third = left_aligned((40, "costs", "4,243", "4"), (58, "Other", "2,039", "17,820"))
    (table,) = read(first, second, third).tables
    assert table.rows == (
        ("", "July 1, 2025", "October 1, 2024"),
        ("Assets", "", ""),
        ("Cash", "29,528", "640"),
        ("Stock", "29", "2,025"),
        ("Tax", "1", "3"),
        ("Debt, net of", "", ""),
        ("costs", "4,243", "4"),
        ("Other", "2,039", "17,820"),
    )
    pages = [places[0] for places in table.places]
    assert pages == ["page 1", "page 1", *["page 2"] * 4, *["page 3"] * 2]
    assert {box[0] for box in table.boxes[0] if box} == {1}


def test_every_cell_and_sentence_has_its_page_and_box():
    first, second = statement(y=600), statement(y=60, heads=(), rows=(("Net", "8", "9"),))
    second.write(
        60, 120, "Sales grew by 5 percent. Costs fell in the year, and so did the price of all that we buy for the"
    )
    second.write(60, 132, "shops.")
    document = read(first, second)
    (table,) = document.tables
    for row, boxes in zip(table.rows, table.boxes, strict=True):
        assert [bool(text) for text in row] == [box is not None for box in boxes]
    page, left, top, right, bottom = table.boxes[1][1]
    assert (page, round(right)) == (1, 400)
    assert left < right
    assert top < 614 < bottom
    assert table.boxes[3][0][0] == 2
    at = next(index for index, text in enumerate(document.paragraphs) if text.startswith("Sales"))
    text = document.paragraphs[at]
    (box,) = document.boxes_of(at, 0, text.index("Costs"))
    assert box[:2] == (2, 60)
    assert [round(each[4]) for each in document.boxes_of(at, text.index("Costs"), len(text))] == [123, 135]
    assert document.pages == ((612, 792), (612, 792))


def test_lines_are_paragraphs_headings_are_sections_and_running_heads_are_furniture():
    pages, titles = [], ["Item 1. Business", "Item 1A. Risk Factors", "Item 2. Properties", "Item 3. Legal Proceedings"]
    for number, title in enumerate(titles, start=1):
        page = PdfPage()
        page.write(60, 40, "Example Corp 2024 Annual Report")
        page.write(60, 90, title, bold=True)
        page.write(60, 120, "We sold goods for $ 5 million in 2024, which is more than in the year before it, as we")
        page.write(60, 132, "said we would.")
        page.write(60, 160, f"Another paragraph of {title.partition(' ')[2]}.")
        page.write(300, 760, str(10 + number))
        pages.append(page)
    document = read(*pages)
    assert document.paragraphs[:5] == (
        "Example Corp 2024 Annual Report",
        "Item 1. Business",
        "We sold goods for $ 5 million in 2024, which is more than in the year before it, as we said we would.",
        "Another paragraph of 1. Business.",
        "11",
    )
    assert [section.title for section in document.sections] == titles
    assert len(document.furniture) == 8
    assert document.places[5] == "page 2"


def test_what_is_printed_larger_than_the_text_is_a_heading():
    page = statement(y=200)
    page.write(60, 60, "Income Statement", size=16)
    for number in range(5):
        page.write(60, 90 + 14 * number, "A line of the text of this report, which is as long as most of its lines are")
    assert [section.title for section in read(page).sections] == ["Income Statement"]


def test_two_columns_of_text_are_read_one_after_the_other():
    page = PdfPage()
    for number in range(14):
        page.write(60, 80 + 12 * number, f"left line {number} has some words that fill the col")
        page.write(330, 80 + 12 * number, f"right line {number} has some words that fill the col")
    text = " ".join(read(page).paragraphs)
    assert text.index("left line 13") < text.index("right line 0")


def test_scanned_pages_are_named_and_a_scanned_file_is_refused():
    document = read(statement(), PdfPage(picture=True), PdfPage(picture=True))
    (told,) = document.unread
    assert told.startswith("pages 2 to 3: pictures without text, not read")
    with pytest.raises(UnreadableError, match="a scanned PDF: its 2 pages are pictures without text"):
        read(PdfPage(picture=True), PdfPage(picture=True))
    assert name_pages([3, 7, 8, 9]) == "pages 3, 7 to 9"


def test_numbers_that_touch_in_narrow_columns_are_read_each():
    page = PdfPage()
    rows = [("", "2024", "2023"), ("Revenue", "250", "110"), ("Costs", "70", "65"), ("Backlog", "12,500", "11,000")]
    for number, (label, *values) in enumerate(rows):
        page.write(60, 100 + 14 * number, label)
        for x, value in zip((300, 329), values, strict=True):
            page.write_right(x, 100 + 14 * number, value)
    (table,) = read(page).tables
    assert table.rows == tuple(rows)
    dated = Word("31,2024", 0, 40, 10, 10)
    assert numbers_apart(dated) == [dated]


def test_two_numbers_of_one_column_are_no_number_with_a_space():
    page = statement(heads=("2024", "2023"), rows=(("Revenue", "$ 1,234,567", "999"), ("Costs", "$ 1,222,333", "7")))
    page.write(60, 142, "Staff")
    page.write(350, 142, "12")
    page.write(380, 142, "345")
    (table,) = read(page).tables
    staff = [cell for cell in table.rows[-1] if cell]
    assert staff in (["Staff", "12; 345"], ["Staff", "12", "345"])


def test_a_page_of_leaders_alone_says_nothing():
    page = PdfPage()
    page.write(60, 100, "............")
    assert len(read(statement(), page).tables) == 1


def test_damaged_and_protected_files_are_refused():
    content = make_pdf([statement()])
    with pytest.raises(UnreadableError, match="cut off or damaged"):
        read_pdf(content[:200], "x")
    with pytest.raises(UnreadableError, match="protected by a password"):
        read_pdf(make_pdf([statement()], encrypted=True), "x")
    with pytest.raises(UnreadableError, match="without any text"):
        read(PdfPage())


def numbers_of(document):
    """Every number that the document prints, each as often as it does."""
    texts = list(document.paragraphs)
    for table in document.tables:
        texts += [
            cell for r, row in enumerate(table.rows) for c, cell in enumerate(row) if (r, c) not in set(table.repeated)
        ]
    return Counter(number for text in texts for number in _NUMBER.findall(text))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(40, 560), st.integers(40, 740), st.text("0123456789 ,.$()ab", min_size=1, max_size=12)),
        max_size=30,
    )
)
def test_no_digit_is_lost_wherever_texts_stand(texts):
    page = PdfPage()
    for x, y, text in texts:
        page.write(x, y, text)
    page.write(40, 780, "end")
    document = read(page)
    found = Counter("".join(numbers_of(document).elements()))
    printed = {digit for *_, text in texts for digit in text if digit.isdigit()}
    assert printed <= set(found)


def test_no_number_of_a_real_report_is_lost():
    path = REPORTS / "NETFLIX_2017_10K.pdf"
    if not path.is_file():
        pytest.skip("REAL DATA NOT FOUND: ../shared/data/reports/pdf is missing, so this test did not run")
    import pypdfium2

    content = path.read_bytes()
    document = read_pdf(content, "x")
    peer = pypdfium2.PdfDocument(content)
    texts = (peer[number].get_textpage().get_text_range() for number in range(len(peer)))
    printed = Counter(number for text in texts for number in _NUMBER.findall(text))
    assert sum(printed.values()) > 2900
    assert not printed - numbers_of(document)
    assert document.form == "10-K"
    statements = [table for table in document.tables if any("Total current assets" in row for row in table.rows)]
    assert len(statements) == 1
    assert statements[0].rows[-1][1:] == ("$ 19,012,742", "$ 13,586,610")


def test_a_missing_library_is_told_in_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(UnreadableError, match=r"a PDF; reading it needs pypdfium2: pip install 'tieout\[pdf\]'"):
        read(statement())


def test_notes_below_their_running_head_are_sections_and_the_cover_tells_the_kind_of_report():
    def line(text, y, size=10, bold=False):
        return [Word(each, 60 + 50 * at, 100 + 50 * at, y, size, bold) for at, each in enumerate(text.split())]

    prose = [word for at in range(8) for word in line("the company has paid all of what it owed", 300 + 15 * at)]
    heads = ["1 Staff expenses", "1 January 2024", "2 Financial income", "9 Lives of a cat"]
    pages = [Page(1, 600, 800, line("Annual Report for 2023", 100) + prose, [])]
    for number in range(3):
        top = line("Notes to the Financial Statements", 40, 14, bold=True)
        body = line(heads[number], 100) + (line(heads[3], 200) if number == 2 else [])
        pages.append(Page(number + 2, 600, 800, top + body + prose, []))
    document = read_layout(pages, "report")
    assert document.form == "Annual report"
    assert [each.title for each in document.sections] == ["Notes to the Financial Statements", heads[0], heads[2]]


def test_what_begins_with_a_headline_on_results_is_an_earnings_release():
    page = PdfPage()
    page.write(60, 60, "Orris Mills Announces Second Quarter", size=14)
    page.write(60, 80, "Fiscal 2025 Results", size=14)
    page.write(60, 110, "Net sales grew in the quarter, and the company is content with its mills.")
    document = read(page)
    assert (document.form, document.company) == ("Earnings release", "Orris Mills")


class Painted(PdfPage):
    """A page with operators of its own behind its texts."""

    def __init__(self, operators: str) -> None:
        super().__init__()
        self.operators = operators

    @property
    def stream(self) -> bytes:
        return super().stream + b"\n" + self.operators.encode()


WORDS = "BT /F 12 Tf 60 500 Td (It was 999 then.) Tj ET"
UNSEEN = {
    "invisible": WORDS.replace("BT", "BT 3 Tr"),
    "only clipping": WORDS.replace("BT", "BT 7 Tr"),
    "white": f"1 g {WORDS}",
    "nearly white": f"0.99 g {WORDS}",
    "white on white": f"1 g 50 480 300 50 re f {WORDS}",
    "no size": WORDS.replace("12 Tf", "0.5 Tf"),
    "beside the page": WORDS.replace("60 500", "-400 500"),
    "below the page": WORDS.replace("60 500", "60 -50"),
    "painted over": f"{WORDS} 1 g 50 480 300 50 re f",
}
SEEN = [
    f"0 g 50 480 300 50 re f 1 g {WORDS}",
    f"1 g 50 480 300 50 re f 0 g {WORDS}",
    f"{WORDS} q 0 0 5 5 re W n 1 g 50 480 300 50 re f Q",
]


@pytest.mark.parametrize("way", UNSEEN)
def test_what_no_reader_of_a_page_sees_is_not_read(way):
    page = Painted(UNSEEN[way])
    page.write(60, 100, "Sales were 432 in the year.")
    assert read(page).paragraphs == ("Sales were 432 in the year.",)


def test_words_on_a_ground_of_another_colour_or_beside_what_is_painted_and_those_of_a_picture_are_read():
    for operators, is_pictured in (*((each, False) for each in SEEN), (UNSEEN["invisible"], True)):
        page = Painted(operators)
        page.picture = is_pictured
        for line in range(3):
            page.write(60, 100 + 40 * line, "Sales were 432 in the year.")
        assert "It was 999 then." in read(page).paragraphs


def with_running_head(number, *rows, y=64):
    """A page whose running head and foot stand as close to its first row as rows do."""
    page = PdfPage()
    page.write(60, 50, f"11/2/25, 5:0{number} PM")
    page.write(280, 50, "Zephant 10-Q")
    page.write(60, 780, f"zephant.htm {number}/9")
    for at, (label, *values) in enumerate(rows):
        page.write(60, y + 14 * at, label)
        for column, value in enumerate(values):
            page.write_right(400 + 90 * column, y + 14 * at, value)
    return page


def test_a_running_head_close_above_the_rows_of_a_page_is_no_header_and_parts_no_statement():
    first = with_running_head(1, ("", "2025", "2024"), ("Sales", "$ 75", "$ 60"), ("Costs", "(51)", "(40)"), y=720)
    rest = with_running_head(2, ("Taxes", "(6)", "(5)"), ("Net income", "$ 18", "$ 15"))
    document = read(first, rest, with_running_head(3, ("Notes", "", "")))
    (table,) = document.tables
    assert table.rows[0] == ("", "2025", "2024")
    assert [row[0] for row in table.rows[1:]] == ["Sales", "Costs", "Taxes", "Net income"]
    said = [document.paragraphs[at] for at in document.furniture]
    assert said.count("Zephant 10-Q") == 0 and sum("Zephant 10-Q" in text for text in said) == 3


def test_what_amounts_are_in_is_no_running_head_though_all_pages_have_it():
    pages = [with_running_head(number, ("Sales", f"{number}75", "60"), ("Costs", "51", "40")) for number in (1, 2, 3)]
    for page in pages:
        page.write(60, 36, "(in thousands)")
    document = read(*pages)
    assert [document.paragraphs[at] for at in document.furniture].count("(in thousands)") == 0


def test_two_dates_that_touch_above_two_columns_are_a_header_each_whatever_stands_in_front_of_them():
    for front, rows in (
        ("(In millions)", (("Cash", "$ 75", "$ 60"), ("Debt", "51", "40"))),
        ("", (("Cash", "$ 75", "$ 60"), ("Debt", "51", "40"))),
    ):
        page = PdfPage()
        page.write(60, 100, front)
        page.write(300, 100, "June 30, 2025 December 31, 2024")
        for number, (label, *values) in enumerate(rows, start=1):
            page.write(60, 100 + 14 * number, label)
            for at, value in enumerate(values):
                page.write(300 + 72 * at, 100 + 14 * number, value)
        (table,) = read(page).tables
        assert table.rows[0] == (front, "June 30, 2025", "December 31, 2024")


def test_a_second_dash_is_no_column_and_rows_below_stand_under_part_of_the_columns_above():
    rows = (("Revenue", "5", "6", "7"), ("Costs", "1", "2", "3"), ("Other", "—", "—", "—"), ("Net", "4", "4", "4"))
    page = statement(heads=("2024", "2023", "2022"), rows=rows)
    page.write_right(419, 142, "—")
    page.write(60, 224, "Growth of the mills")
    for number, values in enumerate((("8%", "9%"), ("2%", "1%")), start=1):
        page.write(60, 224 + 14 * number, "Sales")
        for x, value in zip((400, 580), values, strict=True):
            page.write_right(x, 224 + 14 * number, value)
    first, second = read(page).tables
    assert first.rows[0] == ("", "2024", "2023", "2022") and first.rows[3] == ("Other", "—; —", "—", "—")
    assert second.rows[:2] == (("", "2024", "2022"), ("Sales", "8%", "9%"))


def test_a_note_the_header_of_a_column_and_two_dates_that_touch_are_told_apart():
    page = PdfPage()
    page.write(60, 100, "(In thousands, save lives) Life (Years) June 30, 2025 June 30, 2024")
    for number, (label, *values) in enumerate((("Mills", "3", "$ 75", "$ 60"), ("Sheds", "7", "51", "40")), start=1):
        page.write(60, 100 + 14 * number, label)
        for x, value in zip((230, 300, 370), values, strict=True):
            page.write_right(x, 100 + 14 * number, value)
    assert rows_of(page)[0] == ("(In thousands, save lives)", "Life (Years)", "June 30, 2025", "June 30, 2024")


def test_a_statement_named_below_the_dates_of_its_columns_is_a_sub_heading_of_its_rows():
    page = statement(
        heads=("", ""), rows=(("Balance Sheets", "", ""), ("Receivables", "7", "9"), ("Payables", "5", "6"))
    )
    for at, day in enumerate(("June 30, 2025", "June 30, 2024")):
        page.write(352 + 92 * at, 100, day)
    (table,) = read(page).tables
    assert table.rows[:2] == (("", "June 30, 2025", "June 30, 2024"), ("Balance Sheets", "", ""))


def test_a_label_goes_on_below_its_amounts_where_its_first_line_ends_in_and():
    rows = (
        ("Shares, 50 authorized at May 31, 2025 and", "53", "52"),
        ("December 31, 2024", "", ""),
        ("Surplus", "7", "8"),
    )
    (table,) = read(statement(rows=(*rows, ("Earnings", "3", "4")))).tables
    assert table.rows[1] == ("Shares, 50 authorized at May 31, 2025 and December 31, 2024", "53", "52")


def test_a_bracket_far_behind_its_amount_closes_it():
    page = statement(rows=(("Loss", "(5,654", "(799"), ("Gain", "1,178", "992")))
    page.write(430, 114, ")")
    page.write(518, 114, ")")
    (table,) = read(page).tables
    assert [row[-2:] for row in table.rows] == [("2024", "2023"), ("(5,654 )", "(799 )"), ("1,178", "992")]


def test_headers_that_begin_about_where_their_groups_of_columns_do_stand_over_these():
    page = PdfPage()
    page.write(150, 100, "Quarter to June 30,")
    page.write(374, 100, "Half to June 30,")
    for at, year in enumerate(("2025", "2024", "2025", "2024")):
        page.write(150 + 110 * at, 114, year)
    for number, label in enumerate(("Lease expense", "Payments"), start=2):
        page.write(60, 100 + 14 * number, label)
        for at in range(4):
            page.write(153 + 110 * at, 100 + 14 * number, str(10_000 + 100 * at + number))
    (table,) = read(page).tables
    assert table.rows[0][1:] == (*["Quarter to June 30,"] * 2, *["Half to June 30,"] * 2)


def test_the_dates_at_the_end_of_a_page_are_over_the_rows_of_the_next_whose_corner_alone_is_printed():
    first, second = PdfPage(), PdfPage()
    first.write(
        60, 700, "The investments of Zephant by the way in which they are measured are as follows, and all are held:"
    )
    for at, day in enumerate(("June 30, 2025", "December 31, 2024")):
        first.write(300 + 100 * at, 730, day)
    second.write(320, 60, "(in thousands)")
    for number, (label, *values) in enumerate((("Fair value", "75", "60"), ("Equity method", "51", "40")), start=1):
        second.write(60, 60 + 14 * number, label)
        for at, value in enumerate(values):
            second.write(300 + 100 * at, 60 + 14 * number, value)
    (table,) = read(first, second).tables
    assert table.rows[0] == ("(in thousands)", "June 30, 2025", "December 31, 2024")


def rows_of(page):
    (table,) = read(page).tables
    return table.rows


def test_amounts_that_touch_a_text_behind_the_label_or_a_remark_behind_them_are_told_apart():
    page = PdfPage()
    for at, head in enumerate(("2025", "2024", "Caption")):
        page.write(330 + 60 * at, 100, head)
    labels = (
        ("Leases", "Other non-current assets"),
        ("Finance", "Equipment, of land, net"),
        ("Debt", "Other payables"),
    )
    for number, (label, line) in enumerate(labels, start=1):
        page.write(60, 100 + 14 * number, label)
        page.write(222 if number == 2 else 200, 100 + 14 * number, line)
        page.write(330, 100 + 14 * number, f"{number}0,034")
        page.write(390, 100 + 14 * number, f"{number},130,134" if number == 3 else f"{number}0,134")
        page.write(437, 100 + 14 * number, "Cost of sales")
    assert [row[-3:] for row in rows_of(page)[1:]] == [
        ("10,034", "10,134", "Cost of sales"),
        ("20,034", "20,134", "Cost of sales"),
        ("30,034", "3,130,134", "Cost of sales"),
    ]


def test_a_header_that_is_wider_than_its_amounts_is_one_where_each_stands_over_its_own_column():
    page = PdfPage()
    page.write(200, 100, "Shares (thous.)")
    page.write(290, 100, "Weighted-Average Grant-Date Fair Value of All")
    for number, (label, *values) in enumerate((("Granted", "996", "207.76"), ("Vested", "252", "186.86")), start=1):
        page.write(60, 100 + 14 * number, label)
        for at, value in enumerate(values):
            page.write(200 + 90 * at, 100 + 14 * number, value)
    assert rows_of(page)[0] == ("", "Shares (thous.)", "Weighted-Average Grant-Date Fair Value of All")


def test_a_line_of_headers_of_which_one_is_a_price_is_no_row():
    page = PdfPage()
    for y, heads in ((86, ("Stock, $0.01", "$0.01", "Paid-in")), (100, ("Par Value", "Par Value", "Capital"))):
        for at, head in enumerate(heads):
            page.write(240 + 100 * at, y, head)
    for number, (label, *values) in enumerate(
        (("Balance", "518", "900", "271"), ("Sold", "335", "210", "308")), start=1
    ):
        page.write(60, 100 + 14 * number, label)
        for at, value in enumerate(values):
            page.write_right(285 + 100 * at, 100 + 14 * number, value)
    assert rows_of(page)[0] == ("", "Stock, $0.01 Par Value", "$0.01 Par Value", "Paid-in Capital")


def test_a_day_alone_below_its_month_beside_other_headers_is_of_that_month():
    page = PdfPage()
    page.write(215, 86, "Three months ended June")
    page.write(265, 98, "30")
    page.write(430, 98, "Six months ended June 30")
    rows = (("", "2025", "2024", "2025", "2024"), ("Sales", "1,034", "1,134", "1,234", "1,334"), ("Costs", *"2345"))
    for number, (label, *values) in enumerate(rows):
        page.write(60, 112 + 14 * number, label)
        for at, value in enumerate(values):
            page.write_right(250 + 100 * at, 112 + 14 * number, value)
    heads = rows_of(page)[0]
    assert heads[1:] == (*["Three months ended June 30"] * 2, *["Six months ended June 30"] * 2)
