"""A conversation as one HTML file, as a workbook whose formulas give the answers, and as Markdown."""

from __future__ import annotations

import csv
import io
import re
import shutil
import statistics
import subprocess
import zipfile
from dataclasses import replace
from decimal import Decimal
from html.parser import HTMLParser
from io import StringIO

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from rich.console import Console

import tieout
from tieout.agent.answers.answer import turn_html
from tieout.agent.answers.sheet import tree
from tieout.agent.ledger.ledger import Entry, FromConstant
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.export.formulas import FORMULAS, TO_SCALE, formula
from tieout.export.one_page import markdown, one_page
from tieout.export.workbook import workbook

openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: workbooks were not written")
PAGE = "Single_NORVALE/2013/page_35.pdf-1"
QUESTIONS = ("what was the operating income in 2013?", "and in 2012?", "what was the percentage change?")
EVIL = '=HYPERLINK("http://evil.example")<script>alert(1)</script>'
FUNCTIONS = {
    "SUM": lambda *values: sum(values),
    "AVERAGE": lambda *values: statistics.mean(values),
    "MEDIAN": lambda *values: statistics.median(values),
    "STDEV": lambda *values: statistics.stdev(values),
    "COUNT": lambda *values: len(values),
    "MIN": lambda *values: min(values),
    "MAX": lambda *values: max(values),
    "ABS": abs,
}


class Sheets:
    """A spreadsheet program in small: what a cell shows, whether it holds a number or a formula."""

    def __init__(self, content: bytes) -> None:
        self.book = openpyxl.load_workbook(io.BytesIO(content))

    def value(self, sheet: str, cell: str):
        held = self.book[sheet][cell]
        if held.data_type != "f":
            return held.value
        return self.calculate(held.value[1:], sheet)

    def calculate(self, text: str, sheet: str):
        names: dict[str, object] = {}

        def look(match: re.Match[str]) -> str:
            name = f"v{len(names)}"
            names[name] = self.value(match[1] or sheet, match[2])
            return name

        code = re.sub(r"(?:'([^']+)'!)?\b([A-Z]\d+)\b", look, text).replace("^", "**")
        return eval(code, {"__builtins__": {}}, {**FUNCTIONS, **names})


@pytest.fixture(scope="module")
def session():
    held = tieout.chat(tieout.conversation(SAMPLE / "ask.json", PAGE))
    for question in QUESTIONS:
        held.ask(question)
    return held


def test_the_formulas_give_the_answers(session):
    sheets = Sheets(workbook(session.turns))
    for row, turn in enumerate(session.turns, start=2):
        held = sheets.book["Answers"][f"E{row}"]
        assert held.data_type == "f"
        assert sheets.value("Answers", f"E{row}") == pytest.approx(float(turn.answer.value), rel=1e-12)
    last = sheets.book["Tie-out"].max_row
    assert sheets.book["Tie-out"][f"B{last}"].value == "=(B2-B3)/B3"


def test_printed_figures_stand_in_cells_with_their_places_and_a_change_of_one_changes_the_answer(session):
    sheets = Sheets(workbook(session.turns))
    steps = sheets.book["Tie-out"]
    assert [cell.value for cell in steps[2]][1:4] == [559.5, "$", 1000000]
    assert "row 7, column 1" in steps["G2"].value and steps["I2"].value == "t1r7c1"
    steps["B2"].value = 631.3
    assert sheets.value("Answers", "E4") == 0


def test_every_operation_that_has_a_formula_has_the_right_one():
    values = {"as_decimal": [27], "exp": [2, 3], "cagr": [100, 121, 2]}
    for name in (*FORMULAS, *TO_SCALE, "as_decimal"):
        operation = OPERATIONS[name]
        given = [Decimal(each) for each in values.get(name, [7, 4, 12][: max(operation.at_least, 1)])]
        source = FromConstant(meaning="for the test")
        scale = 1000 if name in TO_SCALE else 1
        operands = [Entry(name=f"e{at}", value=value, scale=scale, source=source) for at, value in enumerate(given)]
        result = operation.apply([value * scale if name in TO_SCALE else value for value in given])
        text = formula(
            name, [f"B{at}" for at in range(len(given))], operands, Entry(name="r", value=result, source=source)
        )
        book = openpyxl.Workbook()
        book.active.title = "one"
        sheets = Sheets(_saved(book))
        for at, value in enumerate(given):
            sheets.book["one"][f"B{at or 99}"].value = value
        worked = sheets.calculate(text[1:].replace("B0", "B99"), "one")
        held = result / 100 if name == "in_percent" else result  # a percentage stands in a cell as its decimal
        assert float(worked) == pytest.approx(float(held)), name


def _saved(book) -> bytes:
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_the_same_conversation_gives_the_same_bytes(session):
    assert workbook(session.turns) == workbook(session.turns)
    assert one_page(session.turns, session.graph) == one_page(session.turns, session.graph)


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: dict[str, str] = {}
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.last = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.add(tag)
        self.last = given.get("id", "")
        if tag == "a":
            self.links.append(given["href"])

    def handle_data(self, data):
        if self.last:
            self.ids.setdefault(self.last, data)


def test_in_the_html_file_each_figure_leads_to_its_cell(session):
    read = Links(one_page(session.turns, session.graph))
    assert [read.ids[link.removeprefix("#")] for link in read.links] == ["559.5", "631.3", "559.5", "631.3"]
    assert not {"script", "img", "iframe"} & read.tags
    assert "<h1>Margins &amp; more</h1>" in one_page(session.turns, session.graph, "Margins & more")


def test_markdown_holds_questions_answers_and_sheets(session):
    text = markdown(session.turns, PAGE)
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == list(QUESTIONS)
    assert "**-11.4%**" in text and "table 1, row 7, column 2" in text


@pytest.mark.parametrize("probability", [0.59, 0.6])
def test_what_is_doubted_is_nowhere_in_bold(session, probability):
    """Below 60% an answer is one reading among others: in Markdown, HTML, notebook and terminal alike."""
    turn = replace(session.turns[-1], probability=probability)
    shown = StringIO()
    Console(file=shown, force_terminal=True, color_system="standard", width=200).print(tree(turn))
    html = one_page([turn], session.graph).partition("<main>")[2]
    bold = {
        "markdown": "**" in markdown([turn], PAGE),
        "html": "<b>" in html or 'class="answer"' in html,
        "notebook": "<b>" in turn_html(turn),
        "terminal": re.search(r"\x1b\[(?:\d+;)*1[;m]", shown.getvalue()) is not None,
    }
    assert bold == dict.fromkeys(bold, probability == 0.6)
    assert html.count(f"{probability:.0%}") == 1 and not re.search(
        r"\[t\d", html
    )  # said once, and without a name of a cell


def test_what_a_report_prints_is_neither_a_formula_nor_markup():
    page = {"table": [["", "2013"], [EVIL, "$ 5.0"], ["net sales", "$ 7.0"]], "pre_text": [EVIL]}
    held = tieout.chat(page)
    turn = held.ask("what was HYPERLINK evil example script alert in 2013?")
    assert turn.answer is not None
    held.ask(f"what was {EVIL} in 2013?")
    sheets = Sheets(workbook(held.turns))
    for sheet in sheets.book:
        for row in sheet.iter_rows():
            assert not [cell.value for cell in row if cell.data_type == "f" and "HYPERLINK" in str(cell.value)]
    text = one_page(held.turns, held.graph)
    assert "<script" not in text and "&lt;script" in text


def test_ask_writes_the_files_that_are_named(tmp_path):
    html, xlsx, md = (tmp_path / f"answers.{form}" for form in ("html", "xlsx", "md"))
    arguments = ["ask", str(SAMPLE / "ask.json"), PAGE, *QUESTIONS, "--html", str(html), "--xlsx", str(xlsx)]
    ran = CliRunner().invoke(tieout.main, [*arguments, "--markdown", str(md)])
    assert ran.exit_code == 0, ran.output
    assert "559.5" in html.read_text() and "559.5" in md.read_text()
    assert Sheets(xlsx.read_bytes()).value("Answers", "E2") == 559.5


def as_libreoffice_shows(path, folder):
    """The sheets of a workbook as LibreOffice shows them, by name."""
    office = shutil.which("soffice") or shutil.which("libreoffice")
    if office is None:
        pytest.skip("NO LIBREOFFICE: the workbook was not opened in it; `apt-get install libreoffice-calc` installs it")
    every_sheet = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,-1"
    words = [office, f"-env:UserInstallation=file://{folder}/profile", "--headless", "--convert-to", every_sheet]
    subprocess.run([*words, "--outdir", str(folder), str(path)], check=True, capture_output=True, timeout=280)
    shown = folder.glob(f"{path.stem}-*.csv")
    return {each.stem.partition("-")[2]: list(csv.reader(each.read_text().splitlines())) for each in shown}


def test_libreoffice_shows_every_value_without_calculating_it(session, tmp_path):
    written = io.BytesIO(workbook(session.turns))
    altered = tmp_path / "answers.xlsx"
    with zipfile.ZipFile(written) as book, zipfile.ZipFile(altered, "w") as other:
        for name in book.namelist():
            other.writestr(name, re.sub(rb"(<f>[^<]*</f><v>)[^<]*", rb"\g<1>0.4321", book.read(name)))
    shown = as_libreoffice_shows(altered, tmp_path)
    said = [row[1] for row in shown["Tie-out"]]
    assert said[-1] in ("43.21%", "0.4321"), "it has calculated: what the file holds was not seen"
    for name, rows in shown.items():
        held = openpyxl.load_workbook(written, data_only=True)[name]
        for row, cells in zip(held.iter_rows(), rows, strict=True):
            for cell, said in zip(row, cells, strict=True):
                assert bool(said) == (cell.value is not None), (name, cell.coordinate, cell.value, said)
                assert not said.startswith(("#", "Err:")), (name, cell.coordinate, said)


@pytest.mark.parametrize("form", ["html", "xlsx", "markdown"])
def test_a_file_in_a_folder_that_is_not_there_is_refused_before_anything_is_asked(tmp_path, form):
    target = tmp_path / "none" / "a.file"
    words = ["ask", str(SAMPLE / "ask.json"), PAGE, "what was net sales in 2013?", f"--{form}", str(target)]
    done = CliRunner().invoke(tieout.main, words)
    told = f"tieout: {str(target)!r} cannot be written: there is no folder {str(target.parent)!r}\n"
    assert (done.exit_code, done.stdout, done.stderr) == (1, "", told)
    assert not target.parent.exists()


def test_without_its_package_one_line_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr("tieout.data.output.workbook.find_spec", lambda name: None)
    arguments = ["ask", str(SAMPLE / "ask.json"), PAGE, QUESTIONS[0], "--xlsx", str(tmp_path / "a.xlsx")]
    ran = CliRunner().invoke(tieout.main, arguments)
    assert ran.exit_code == 1 and "pip install 'tieout[xlsx]'" in ran.output


def test_the_facts_of_a_report_as_a_workbook_have_amounts_as_numbers_a_filter_and_their_head_in_view(tmp_path):
    target = tmp_path / "facts.xlsx"
    arguments = ["kg", "facts", str(SAMPLE / "report.htm"), "--format", "xlsx", "-o", str(target)]
    ran = CliRunner().invoke(tieout.main, arguments)
    assert ran.exit_code == 0, ran.output
    sheet = openpyxl.load_workbook(target).active
    names = [cell.value for cell in sheet[1]]
    rows = [dict(zip(names, (cell.value for cell in row), strict=True)) for row in sheet.iter_rows(min_row=2)]
    sales = next(row for row in rows if row["fact"] == "t5r5c1")
    assert (sales["value"], sales["scale"], sales["amount"]) == (3282, 1000000, 3282000000)
    assert sales["period_end"].isoformat().startswith("2024-12-31")
    assert sheet.freeze_panes == "A2" and sheet.auto_filter.ref.startswith("A1:")
    assert all(row["amount"] == pytest.approx(row["value"] * row["scale"]) for row in rows if row["scale"] is not None)


def test_a_day_is_a_day_in_a_workbook():
    from datetime import datetime

    from tieout.agent.ledger.ledger import FromFrame, Words
    from tieout.data.output.workbook import Book
    from tieout.export.workbook import held

    source = FromFrame(frame="f", column="date", row=0, rows_hash="0")
    entry = Entry(name="d", value=Words(form="date", text="2008-10-01"), source=source)
    book = Book()
    sheet = book.sheet("Days", (("Day", 12),))
    sheet.write(1, 0, held(entry))
    cell = openpyxl.load_workbook(io.BytesIO(book.content()))["Days"]["A2"]
    assert (cell.value, cell.number_format) == (datetime(2008, 10, 1), "yyyy-mm-dd")


def test_a_header_over_several_columns_stands_once_in_a_saved_page_and_equal_figures_each_for_themselves():
    rows = [
        ["in millions", "Years ended December 31,", "Years ended December 31,"],
        ["", "2013", "2012"],
        ["net sales", "$ 7.0", "$ 7.0"],
        ["cost of sales", "not given", "not given"],
    ]
    held = tieout.chat({"table": rows})
    held.ask("what were net sales in 2013?")
    html = one_page(held.turns, held.graph).partition("</main>")[0]
    assert html.count("Years ended December 31,</td>") == 1
    assert '<td colspan="2">Years ended December 31,</td>' in html
    assert "printed as “$\u00a07.0”" in html  # no line is broken behind the sign
    assert html.count("$\u00a07.0</td>") == html.count("not given</td>") == 2
