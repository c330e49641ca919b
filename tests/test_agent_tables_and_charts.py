"""A list or a table of figures as an answer: rows and columns by name, in every form, and as a chart."""

from __future__ import annotations

import io
import re
from decimal import Decimal

import openpyxl
import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from scripted import ScriptedBackend, calculates, says

import tieout
from tieout.agent.answers.answer import turn_html
from tieout.agent.answers.chart import chart_of
from tieout.agent.answers.grid import grid_of
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.document import Document, Table
from tieout.data.output.chart import Chart, ChartError, Series, draw
from tieout.export.one_page import markdown, one_page
from tieout.export.workbook import workbook
from tieout.kg.build import build
from tieout.kg.store.graph import Graph
from tieout.ontology.model import default_ontology

REPORT = str(SAMPLE / "report.htm")
PAGE = Document(
    id="parts",
    paragraphs=(),
    before=0,
    tables=(
        Table(
            rows=(
                ("in millions", "2024", "2023"),
                ("Saws", "$ 205.3", "$ 231.8"),
                ("Services", "$ 1,088.9", "$ 1,071.4"),
                ("Margin", "22.9%", "20.2%"),
            )
        ),
    ),
)
FIGURES = ["t1r1c1", "t1r1c2", "t1r2c1", "t1r2c2"]


@pytest.fixture(scope="module")
def graph() -> Graph:
    return build(PAGE, default_ontology(None)[0])


def told(graph: Graph, question: str = "What were sales by segment?", **answer: object):
    backend = ScriptedBackend([says(calculates("s", "sum", "t1r1c1", "t1r2c1"), ("answer", answer)), says(text="no")])
    return Session(graph, backend, Settings(max_calls=1)).ask(question)


@pytest.fixture(scope="module")
def table(graph):
    return told(graph, kind="table", words=["Saws", "Services"], columns=["2024", "2023"], values=FIGURES)


def test_a_table_has_rows_and_columns_by_name(table):
    grid = grid_of(table)
    assert (grid.rows, grid.columns) == (("Saws", "Services"), ("2024", "2023"))
    assert grid.shown() == ("$ million", (("205.3", "231.8"), ("1,088.9", "1,071.4")))
    assert grid.shown("in billions, 2 decimals") == ("$ billion", (("0.21", "0.23"), ("1.09", "1.07")))
    assert table.text.startswith("Saws: 2024 $205.3 million, 2023 $231.8 million; Services: 2024")


TWO = {"kind": "table", "words": ["Saws", "Services"], "columns": ["2024", "2023"]}


@pytest.mark.parametrize("asked", ["Sales by segment, with totals?", "What were sales by segment and the grand total?"])
def test_totals_that_are_asked_for_are_calculated(graph, asked):
    turn = told(graph, asked, **TWO, values=FIGURES)
    assert turn.text.endswith("; Total: 2024 $1.294 billion, 2023 $1.303 billion")
    assert grid_of(turn).rows == ("Saws", "Services", "Total")
    assert turn.ledger[turn.items[-2].entry].value == Decimal("1294.2") and turn.facts_under()
    assert "Total" in markdown([turn], "parts")


def test_no_total_is_made_up_of_what_does_not_add_up_or_has_one(graph, table):
    assert "Total" not in table.text
    rates = ["t1r3c1", "t1r3c2"] * 2
    assert "Total" not in told(graph, "Margins by segment, with totals?", **TWO, values=rates).text
    given = TWO | {"words": ["Saws", "Total sales"]}
    assert told(graph, "Sales by segment, with totals?", **given, values=FIGURES).text.count("Total") == 1


def test_a_table_is_one_in_a_page_in_markdown_and_in_a_workbook(table, graph):
    page = one_page([table], graph)
    assert "<th>Saws</th>" in page and '<td><a href="#t1r1c1">205.3</a></td>' in page
    assert "<th>$ million</th>" in page and "| \\$ million | 2024 | 2023 |" in markdown([table], "parts")
    assert "| Saws | 205.3 | 231.8 |" in markdown([table], "parts")
    book = openpyxl.load_workbook(io.BytesIO(workbook([table], graph)), data_only=True)
    rows = [[cell.value for cell in row] for row in book["Answers"].iter_rows(min_row=2, max_row=5)]
    assert [row[4] for row in rows] == [205.3, 231.8, 1088.9, 1071.4]
    assert {row[6] for row in rows} == {1000000} and [row[3] for row in rows[:2]] == ["2024", "2023"]
    assert {row[9].value for row in book["Tie-out"].iter_rows(min_row=2)} == {"parts"}


def test_a_table_whose_figures_do_not_fill_it_is_refused(graph):
    turn = told(graph, kind="table", words=["Saws"], columns=["2024", "2023"], values=FIGURES)
    error = next(event.output for event in turn.events if event.event == "tool called" and event.error)
    assert "1 rows of 2 columns are not 4 values" in error


def test_the_chart_of_a_table_has_its_figures_in_one_scale_and_time_runs_to_the_right(table):
    chart = chart_of(table)
    assert (chart.categories, chart.unit, chart.kind) == (("2023", "2024"), "$ million", "bars")
    saws, services = chart.series
    assert saws.values == (Decimal("231.8"), Decimal("205.3")) and services.name == "Services"
    assert saws.shown == ("231.8", "205.3") and saws.links == ("#t1r1c2", "#t1r1c1")


def test_figures_of_several_units_are_no_chart(graph):
    assert chart_of(told(graph, kind="list", values=["t1r1c1", "t1r3c1"])) is None
    percent = chart_of(told(graph, kind="list", values=["t1r3c1", "t1r3c2"]))
    assert percent.unit == "%" and percent.series[0].values == (Decimal("20.2"), Decimal("22.9"))


def test_a_chart_is_the_same_to_the_byte_and_its_bars_are_links(table):
    chart = chart_of(table)
    drawn = draw([chart], "svg")
    assert drawn == draw([chart], "svg") and draw([chart], "png").startswith(b"\x89PNG")
    assert re.findall(rb'xlink:href="#(t1r\dc\d)"', drawn) == [b"t1r1c2", b"t1r1c1", b"t1r2c2", b"t1r2c1"]
    with pytest.raises(ChartError, match="no figure"):
        draw([Chart("a", ("b",), (Series("c", (None,)),))], "svg")


def test_the_chart_stands_in_the_page_and_in_the_notebook(table, graph):
    (drawn,) = re.findall("<svg.*?</svg>", page := one_page([table], graph), re.DOTALL)
    assert "style=" not in drawn and "var(--line-0)" in drawn  # a page may refuse styles
    assert "<script" not in page
    assert turn_html(table).count("<svg") == 1


@pytest.mark.parametrize(
    ("question", "suffix", "told"),
    [
        ("net income by year", ".svg", None),
        ("net income in 2024", ".svg", "there is nothing to draw"),
        ("net income by year", ".pdf", "a chart is drawn as .svg or .png, not as '.pdf'"),
    ],
)
def test_ask_draws_the_last_list_of_figures(question, suffix, told, tmp_path):
    target = tmp_path / f"chart{suffix}"
    ran = CliRunner().invoke(
        tieout.main, ["ask", REPORT, question, "--chart", str(target), "--store", str(tmp_path / "store")]
    )
    assert (ran.exit_code, target.exists()) == ((0, True) if told is None else (1, False)), ran.output
    assert told is None or told in ran.output


def test_a_terminal_shows_a_table_as_one(table, capsys):
    from tieout.terminal.turns import show_turn

    show_turn(table)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("│")]
    assert any("Saws" in line and " 205.3 " in line and " 231.8 " in line for line in lines)


def test_json_says_of_each_figure_of_a_table_where_it_stands(table):
    from tieout.agent.answers.result import result

    items = result(table)["items"]
    assert [(item["row"], item["column"], item["value"]) for item in items[:2]] == [
        ("Saws", "2024", Decimal("205.3")),
        ("Saws", "2023", Decimal("231.8")),
    ]
