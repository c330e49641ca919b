"""Workbooks: number formats, blocks, places, hidden sheets, EDGAR's own, and the three kinds of file."""

from __future__ import annotations

import io
import json
import re
import zipfile
from datetime import date, datetime
from decimal import Decimal

import openpyxl
import pytest
import xlwt
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from openpyxl.styles import numbers

from tests.conftest import SHARED
from tieout import main
from tieout.data.readers.refusal import UnreadableError
from tieout.data.readers.sheets.number_format import show, show_moment
from tieout.data.readers.sheets.workbook import read_workbook
from tieout.data.tables.table import read_table

REPORTS = SHARED.parent / "reports"


@pytest.mark.parametrize(
    ("value", "code", "text"),
    [
        ("-1234.5", '_("$ "#,##0.0_);_("$ "(#,##0.0)', "$ (1,234.5)"),
        ("43004", "#,##0.0_);\\(#,##0.0\\)", "43,004.0"),
        ("27.2462", "0.0\\x", "27.2x"),
        ("0", '_-[$$-409]* #,##0.00_ ;_-[$$-409]* \\-#,##0.00\\ ;_-[$$-409]* "-"??_ ;_-@_ ', "$-"),
        ("2025", "General\\E", "2025E"),
        ("-0.05", "#,##0%_);(#,##0%)", "(5%)"),
        ("47061", "#,##0,", "47"),
        ("-5", "#,##0.0;[Red]#,##0.0", "5.0"),
        ("1234", '[>=1000]0.0,"k";0', "1.2k"),
        ("-7", "General", "-7"),
        ("0.1234567890123", "General", "0.123456789"),
        ("-1.5", "0.0", "-1.5"),
        ("0.5", "#.##", ".5"),
        ("7", "000", "007"),
        ("1.5", "# ?/?", "1.5"),
        ("12", "@", "12"),
        ("1234.5", "[$€-407] #,##0.00", "€ 1,234.50"),
    ],
)
def test_a_number_is_shown_as_its_format_says(value, code, text):
    assert show(Decimal(value), code).text == text


@given(st.decimals(min_value=-(10**12), max_value=10**12, places=6), st.integers(0, 6))
def test_what_is_shown_with_decimals_is_the_number_rounded_half_up(value, places):
    shown = show(value, f"#,##0.{'0' * places}" if places else "#,##0")
    number = Decimal(shown.text.replace(",", ""))
    assert abs(number - value) <= Decimal(5).scaleb(-places - 1)
    assert shown.is_rounded == (number != value)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15), st.text(max_size=30))
def test_any_format_shows_something_or_nothing_but_never_fails(value, code):
    assert isinstance(show(value, code).text, str)
    assert isinstance(show_moment(datetime(2024, 2, 29, 13, 5), code), str)


@pytest.mark.parametrize("code", ["%" * 255 + "0", "0" + "," * 254, "%" * 60_000 + "0"])
def test_a_format_that_moves_the_point_further_than_any_amount_says_nothing(code):
    assert show(Decimal("1234.5"), code).text == "1234.5"


def test_a_format_longer_than_a_spreadsheet_program_takes_says_nothing():
    from tieout.data.readers.sheets.styles import _code

    assert (_code("0" * 255), _code("0" * 256)) == ("0" * 255, "General")


def test_dates_are_shown_as_their_format_says():
    day = datetime(2024, 12, 31, 15, 4, 5)
    codes = {"mmm-yy": "Dec-24", "yyyy": "2024", "m/d/yyyy": "12/31/2024", "h:mm AM/PM": "3:04 PM", "mm:ss": "04:05"}
    assert {code: show_moment(day, code) for code in codes} == codes
    assert show_moment(date(2024, 12, 31)) == "2024-12-31"


def book(**sheets):
    """A workbook with these sheets, each {cell: value or (value, number format)}."""
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, cells in sheets.items():
        sheet = made.create_sheet(name)
        for place, value in cells.items():
            value, code = value if isinstance(value, tuple) else (value, numbers.FORMAT_GENERAL)
            sheet[place] = value
            sheet[place].number_format = code
    return made


def content(made):
    file = io.BytesIO()
    made.save(file)
    return file.getvalue()


def read(made):
    return read_workbook(content(made), "x")


INCOME = {
    "A1": "Income Statement",
    "A2": "(in US$ millions)",
    "A4": "Year",
    "C4": (datetime(2023, 12, 31), "mmm-yy"),
    "D4": (datetime(2024, 12, 31), "mmm-yy"),
    "A5": "Revenue",
    "C5": (1000, "#,##0"),
    "D5": (1100.46, "#,##0"),
    "B6": "growth",
    "D6": (0.10046, "0.0%"),
    "A8": "Costs",
    "C8": (-400, "#,##0;(#,##0)"),
    "D8": (-450, "#,##0;(#,##0)"),
}


def test_a_statement_with_blank_rows_and_indented_labels_is_one_table_with_places():
    document = read(book(Income=INCOME))
    (table,) = document.tables
    assert table.rows == (
        ("Year", "Dec-23", "Dec-24"),
        ("Revenue", "1,000", "1,100"),
        ("growth", "", "10.0%"),
        ("Costs", "(400)", "(450)"),
    )
    assert table.places[1] == ("Income!A5", "Income!C5", "Income!D5")
    assert table.places[2][0] == "Income!B6"
    assert table.place == "Income!A4:D8"
    assert document.paragraphs == ("Income", "Income Statement", "(in US$ millions)")
    assert [section.title for section in document.sections] == ["Income"]


def test_a_rounded_cell_is_printed_as_it_is_seen_and_keeps_its_number():
    (table,) = read(book(Income=INCOME)).tables
    assert {(each.row, each.column): each.value for each in table.values} == {
        (1, 2): Decimal("1100.46"),
        (2, 2): Decimal("10.046"),
    }
    amounts = {cell.text: cell.amounts[0].value for cell in read_table(table).cells if cell.amounts}
    assert amounts["1,100"] == Decimal("1100.46")
    assert amounts["(450)"] == -450


def test_tables_below_and_beside_each_other_are_told_apart():
    cells = {"B1": 2023, "C1": 2024, "A2": "Debt", "B2": 1.5, "C2": 2.5, "F1": "CAGR", "E2": "Debt", "F2": 0.1}
    cells |= {"B5": 2023, "C5": 2024, "A6": "Cash", "B6": 3.5, "C6": 4.5}
    document = read(book(Model=cells))
    assert sorted(table.place for table in document.tables) == ["Model!A1:C2", "Model!A5:C6", "Model!E1:F2"]


def test_hidden_sheets_are_read_and_said_to_be_hidden():
    made = book(Shown={"A1": "a", "B1": 1}, Hidden={"A1": "b", "B1": 2})
    made["Hidden"].sheet_state = "hidden"
    document = read(made)
    assert [section.title for section in document.sections] == ["Shown", "Hidden (hidden sheet)"]
    assert all("hidden sheet" in table.title for table in document.tables if table.section == 1)
    assert document.tables[1].rows == (("b", "2"),)


def test_a_header_over_several_columns_stands_over_each_of_them():
    made = book(
        S={"A1": "Income", "B1": "12 Months Ended", "B2": "Dec. 31, 2024", "C2": "Dec. 31, 2023", "A3": "Sales"}
    )
    made["S"]["B3"], made["S"]["C3"] = 5, 4
    made["S"].merge_cells("B1:C1")
    (table,) = read(made).tables
    assert table.rows[0] == ("Income", "12 Months Ended", "12 Months Ended")
    assert table.repeated == ((0, 2),)
    assert table.title == "Income"


def test_values_of_formulas_errors_and_texts_are_those_that_are_seen():
    made = book(S={"A1": "a", "B1": 5.5, "A2": "b\xa0c", "B2": True, "A3": "d"})
    source = content(made)
    made["S"]["B3"] = "=B1*2"
    assert read_workbook(source, "x").tables[0].rows == (("a", "5.5"), ("b c", "TRUE"), ("d", ""))
    assert read(made).tables[0].rows[2] == ("d", "")  # nobody has worked the formula out


def test_formulas_without_a_stored_result_are_told_and_make_no_figures(tmp_path):
    cells = {"B1": "2024", "A2": "Sales", "B2": 5.5, "A3": "Gross profit", "B3": "=B2*2", "A4": "Tax", "B4": '=B2&""'}
    path = tmp_path / "model.xlsx"
    path.write_bytes(content(book(Income=cells)))
    document = read_workbook(path.read_bytes(), "x")
    (table,) = document.tables
    assert table.rows[2:] == (("Gross profit", ""), ("Tax", ""))
    assert document.uncalculated == ("Income!B3", "Income!B4")
    (told,) = document.unread
    assert told == (
        "2 formulas of the sheet 'Income' (B3, B4) have no stored results and are not read: "
        "open the file in a spreadsheet program and save it there"
    )
    checked = CliRunner().invoke(main, ["kg", "check", str(path)])
    assert checked.exit_code == 1
    assert "2 formulas without a stored result" in checked.output
    assert "no result: model, Income!B3: a formula" in checked.output
    store = ["--store", str(tmp_path / "s")]
    assert told in CliRunner().invoke(main, ["kg", "build", str(path), *store]).output
    for command in (["kg", "outline", str(path), *store], ["ask", str(path), "what were sales in 2024?", *store]):
        assert told in CliRunner().invoke(main, command).stderr  # of what is kept too
    assert "Gross profit" not in CliRunner().invoke(main, ["kg", "facts", str(path), "--format", "csv"]).stdout


def test_an_answer_to_a_question_for_a_row_without_results_is_flagged(tmp_path):
    cells = {"A1": "USD in millions", "B1": 2024, "A2": "Revenue", "B2": 1000, "A3": "Cost of sales", "B3": -400}
    cells |= {"A4": "Gross profit", "B4": "=B2+B3", "A5": "Operating expenses", "B5": -200}
    path = tmp_path / "model.xlsx"
    path.write_bytes(content(book(Income=cells)))
    asked = ("what was gross profit in 2024?", "what was revenue in 2024?")
    done = CliRunner().invoke(main, ["ask", str(path), *asked, "--store", str(tmp_path / "s")])
    told = "! left open: the formulas of the row 'Gross profit' have no stored results"
    assert done.stdout.count(told) <= 1
    first, _, second = done.stdout.partition(f"? {asked[1]}")
    assert (told in first or "What is meant?" in first) and told not in second and "$1 billion" in second


def test_results_of_formulas_that_are_stored_are_no_gaps():
    stored = '<c r="A1" t="str"><f>""</f><v></v></c><c r="B1"><f>2*3</f><v>6</v></c>'
    stored += '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c>'
    source = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(content(book(S={"A1": 1})))) as given,
        zipfile.ZipFile(source, "w") as made,
    ):
        for name in given.namelist():
            text = given.read(name)
            made.writestr(name, re.sub(rb"<c r=.*</c>", stored.encode(), text) if "sheet1" in name else text)
    document = read_workbook(source.getvalue(), "x")
    assert (document.tables[0].rows, document.unread) == ((("6", "#DIV/0!"),), ())


def test_a_workbook_of_formulas_without_results_alone_is_refused_with_the_reason():
    with pytest.raises(UnreadableError, match=r"1 formula of the sheet 'S' \(A1\) has no stored result"):
        read(book(S={"A1": "=1+1"}))


def test_a_formula_of_ods_without_a_result_is_told():
    source = ods((*ROWS, (("string", "", "Profit"), ("", "", ""))))
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(source)) as given, zipfile.ZipFile(made, "w") as archive:
        for name in given.namelist():
            text = given.read(name).decode()
            last = "<table:table-cell></table:table-cell></table:table-row></table:table>"
            archive.writestr(name, text.replace(last, last.replace("cell>", 'cell table:formula="of:=1">', 1)))
    assert read_workbook(made.getvalue(), "x").uncalculated == ("S!B4",)


def test_long_texts_of_cells_are_paragraphs():
    prose = "Revenue is recognised when control passes. " * 20
    document = read(book(Policy={"A1": "Policy", "B1": "2024", "A2": "Revenue", "B2": prose, "A3": "x", "B3": 3.5}))
    assert prose.strip() in document.paragraphs
    assert document.places[document.paragraphs.index(prose.strip())] == "Policy!B2"


def test_xls_is_read_too():
    made = xlwt.Workbook()
    sheet = made.add_sheet("Old")
    for row, cells in enumerate((("", "2024"), ("Revenue", 1234.5), ("Costs", -3))):
        for column, value in enumerate(cells):
            sheet.write(row, column, value)
    file = io.BytesIO()
    made.save(file)
    (table,) = read_workbook(file.getvalue(), "x").tables
    assert table.rows == (("", "2024"), ("Revenue", "1234.5"), ("Costs", "-3"))


NAMES = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "table", "text")
)
ROWS = (
    ("", ("string", "", "2024")),
    (("string", "", "Margin"), ("percentage", "0.12345", "12.3%")),
    (("string", "", "Sales"), ("currency", "-5", "-5.00 €")),
)


def ods(rows):
    """An OpenDocument spreadsheet of rows of cells: (type, value, text as shown), or "" for an empty one."""
    lines = ""
    for row in rows:
        lines += "<table:table-row>"
        for cell in row:
            kind, value, text = cell or ("", "", "")
            value = f' office:value="{value}"' if value else ""
            kind = f' office:value-type="{kind}"{value}' if kind else ""
            lines += f"<table:table-cell{kind}>{f'<text:p>{text}</text:p>' if text else ''}</table:table-cell>"
        lines += "</table:table-row>"
    sheet = f"<office:spreadsheet><table:table table:name='S'>{lines}</table:table></office:spreadsheet>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr(
            "content.xml",
            f"<office:document-content {NAMES}><office:body>{sheet}</office:body></office:document-content>",
        )
        archive.writestr("META-INF/manifest.xml", "<manifest/>")
    return file.getvalue()


def test_ods_is_read_as_it_is_shown():
    (table,) = read_workbook(ods(ROWS), "x").tables
    assert table.rows == (("", "2024"), ("Margin", "12.3%"), ("Sales", "-5.00 €"))
    assert [each.value for each in table.values] == [Decimal("12.345")]


@pytest.fixture(scope="module")
def edgar():
    path = REPORTS / "xlsx" / "KO_FY2024_10K_Financial_Report.xlsx"
    if not path.is_file():
        pytest.skip("REAL DATA NOT FOUND: ../shared/data/reports/xlsx is missing, so this test did not run")
    return path


def test_every_number_of_a_real_workbook_is_printed_in_its_place(edgar):
    document = read_workbook(edgar.read_bytes(), "ko")
    printed = {}
    for table in document.tables:
        for row, places in zip(table.rows, table.places, strict=True):
            printed.update(zip(places, row, strict=True))
    peer = openpyxl.load_workbook(edgar, data_only=True, read_only=True)
    checked = 0
    for sheet in peer.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
                    text = printed[f"{sheet.title}!{cell.coordinate}"]
                    digits = Decimal("".join(letter for letter in text if letter in "0123456789."))
                    factor = 100 if text.endswith(("%", "%)")) else 1
                    assert digits == abs(Decimal(repr(cell.value))) * factor, (sheet.title, cell.coordinate, text)
                    checked += 1
    assert checked > 2000


def test_every_statement_cell_of_a_real_workbook_agrees_with_the_tags_of_its_filing(edgar):
    from tieout.kg.build import build
    from tieout.ontology.model import default_ontology

    gold = edgar.parents[1] / "html" / "KO_FY2024_10K.facts.jsonl"
    lines = [json.loads(line) for line in gold.read_text().splitlines()]
    stated = {(abs(Decimal(each["value"])), each["unit"].removesuffix("s")) for each in lines}
    days = {(abs(Decimal(each["value"])), each["end"]) for each in lines}
    document = read_workbook(edgar.read_bytes(), "ko")
    document = document.model_copy(update={"tables": document.tables[:9]})  # the notes are behind the statements
    statements = [number for number in range(3, 10) if document.tables[number - 1].title.startswith("CONSOLIDATED")]
    assert len(statements) == 7
    cells = undated = 0
    for fact in build(document, default_ontology(None)[0]).facts():
        if fact.table not in statements or not fact.column or fact.unit in ("date part", "calendar year"):
            continue
        if fact.row is not None and not document.tables[fact.table - 1].rows[fact.row][fact.column].strip(
            "$ ()0123456789.,"
        ):
            cells += 1
            value = abs(fact.value * (fact.scale or 1))
            assert any(value == amount for amount, _ in stated), fact
            if fact.period is None:
                undated += 1  # the statement of equity, whose rows say no day
            else:
                assert (value, fact.period.end.isoformat()) in days, fact
    assert (cells, undated) == (357, 48)


def test_a_fact_of_a_workbook_says_its_cell():
    from tieout.kg.build import build
    from tieout.ontology.model import default_ontology

    facts = build(read(book(Income=INCOME)), default_ontology(None)[0]).facts()
    assert {fact.raw: fact.place for fact in facts if fact.kind == "table" and fact.column == 2}["1,100"] == "Income!D5"
