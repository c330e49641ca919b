"""Data beside reports: every kind of file as tables, queries as frames, and numbers that tie out to their rows."""

from __future__ import annotations

import json
import sqlite3
from base64 import b64encode
from datetime import date
from decimal import Decimal
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from conftest import ROOT
from orris import REPORT, TBOX, report_graph
from scripted import ScriptedBackend, answers, calculates, says

from tieout import main
from tieout.agent.analysis.workbench import Workbench
from tieout.agent.answers.result import result
from tieout.agent.answers.sheet import plain_text
from tieout.agent.backends.replay import ReplayBackend
from tieout.agent.ledger.ledger import FromFrame, Words
from tieout.agent.log.log import Log, read_events
from tieout.agent.log.turn import read_turns
from tieout.agent.protocol.tool import ToolError
from tieout.agent.session import Session
from tieout.agent.tools.toolbox import TOOLS
from tieout.agent.workspace import Settings
from tieout.data.datasets import engine as engine_module
from tieout.data.datasets.engine import MEMORY, ExpertMissing
from tieout.data.datasets.files import find_sources
from tieout.data.datasets.frames import FrameError, Origin, make_frame
from tieout.data.datasets.naming import DataFileError
from tieout.data.datasets.reading import kept
from tieout.data.datasets.reading.loading import load
from tieout.data.document import Document
from tieout.eval.show.provenance import run_quads
from tieout.export.one_page import markdown, one_page
from tieout.kg.build import build
from tieout.ontology.model import Ontology

PNG = "data:image/png;base64,"
SALES = ("query_sql", {"select": "SELECT day, amount FROM sales ORDER BY day", "name": "s"})
MEAN = ("run_script", {"code": "m = mean(s['amount'])\nm", "frames": ["s"], "name": "average"})


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "sales.csv").write_text("day,amount,who\n2020-01-31,1.5,anna\n2020-02-29,,ben\n2020-03-31,4.0,anna\n")
    return tmp_path


@pytest.fixture
def desks(warm_desks):
    opened = []

    def make(*args, **options):
        opened.append(warm_desks(*args, **options))
        return opened[-1]

    yield make
    for each in opened:
        each.close()


def empty_session(desk, *replies, log=None, **settings):
    document = Document(id="data", paragraphs=(), before=0, tables=())
    graph = build(document, Ontology.parse(TBOX))
    return Session(graph, ScriptedBackend(replies), Settings(**settings), log, document=document, bench=desk)


def table(desk, name):
    return next(each for each in desk.schema if each.name == name)


def kinds(desk, name):
    return {column.name: column.kind for column in table(desk, name).columns}


def test_a_csv_file_becomes_a_table_with_dates_and_gaps(folder, desks):
    desk = desks([folder])
    assert kinds(desk, "sales") == {"day": "date", "amount": "float", "who": "text"}
    amount = next(column for column in table(desk, "sales").columns if column.name == "amount")
    assert (amount.missing, amount.low, amount.high) == (1, 1.5, 4.0)
    told = desk.described()
    assert "table sales: 3 rows, from sales.csv" in told
    assert "one of anna, ben" in told
    assert "2020-02-29 | - | ben" in told


def test_a_private_table_is_told_without_rows_and_without_text(folder, desks):
    told = desks([folder], private=True, show_rows=5).described()
    assert "anna" not in told and "first rows" not in told
    assert "day date; 2020-01-31 to 2020-03-31" in told


def test_parquet_workbooks_and_sqlite_are_tables_too(tmp_path, desks):
    from openpyxl import Workbook

    duckdb.connect().execute(f"COPY (SELECT DATE '2020-01-01' AS d, 1.25::DECIMAL(9,2) AS v) TO '{tmp_path}/p.parquet'")
    book = Workbook()
    book.active.title = "Prices"
    book.active.append(["An invented table"])
    for row in (["month", "price"], [date(2021, 1, 1), 3], [date(2021, 2, 1), None]):
        book.active.append(row)
    book.create_sheet("Other").append(["a", "b"])
    book["Other"].append([1, "x"])
    book.save(tmp_path / "w.xlsx")
    base = sqlite3.connect(tmp_path / "b.sqlite")
    base.executescript(
        "CREATE TABLE t (n INTEGER, d TEXT); INSERT INTO t VALUES (1, '2020-01-01'), (NULL, '2020-02-01')"
    )
    base.close()
    desk = desks([tmp_path])
    assert kinds(desk, "p") == {"d": "date", "v": "decimal"}
    assert kinds(desk, "w_prices") == {"month": "date", "price": "integer"}
    assert kinds(desk, "w_other") == {"a": "integer", "b": "text"}
    assert kinds(desk, "b") == {"n": "integer", "d": "date"}
    assert desk.query("SELECT v FROM p", [], "x").column("v") == (Decimal("1.25"),)


WRITTEN = {  # dates as people write them, and what the first one is
    "1990Q1 1990Q2": date(1990, 1, 1),
    "1990-Q4 1991-Q1": date(1990, 10, 1),
    "Q2_1990 Q3_1990": date(1990, 4, 1),
    "1990-03 1990-04": date(1990, 3, 1),
    "Mar_1990 Apr_1990": date(1990, 3, 1),
    "1/1/1990 2/1/1990 3/1/1990": date(1990, 1, 1),
    "31.12.1990 31.01.1991": date(1990, 12, 31),
    "12/31/1990 01/31/1991": date(1990, 12, 31),
}


def test_dates_amounts_and_headers_are_read_as_people_write_them(tmp_path, desks):
    for number, cells in enumerate(WRITTEN):
        lines = "".join(f"{cell.replace('_', ' ')},1\n" for cell in cells.split())
        (tmp_path / f"d{number}.csv").write_text(f"when,v\n{lines}")
    (tmp_path / "either.csv").write_text("when,v\n1/2/1990,1\n3/4/1990,2\n5/7/1991,2\n")
    (tmp_path / "parts.csv").write_text('year,quarter,v\n1990,1,"1,200.5"\n1990,2,"950"\n')
    (tmp_path / "codes.csv").write_text(
        "sasdate,A,A\nTransform:,5,2\n1/1/1959,1.5,2\n2/1/1959,2.5,3\n3/1/1959,3.5,4\n,,\n"
    )
    desk = desks([tmp_path])
    for number, first in enumerate(WRITTEN.values()):
        frame = desk.query(f'SELECT "when" AS d FROM d{number}', [], f"x{number}")
        assert frame.column("d")[0] == first
    assert kinds(desk, "either")["when"] == "text"  # a day that may be a month
    frame = desk.query("SELECT date, v FROM parts", [], "x")
    assert frame.column("date") == (date(1990, 1, 1), date(1990, 4, 1))
    assert frame.column("v") == (1200.5, 950.0)
    assert table(desk, "codes").rows == 3
    assert kinds(desk, "codes") == {"sasdate": "date", "A": "float", "A_1": "integer"}


def test_years_across_are_a_header_where_amounts_stand_below_and_data_where_years_do(tmp_path, desks):
    from openpyxl import Workbook

    files = {
        "across": ("Region,2021,2022,2023\nNorth,10,12,14\nSouth,9,8.5,11\n", "Region 2021 2022 2023", 2),
        "down": ("Line;2023;2022;Change\nSales;10;12;-2\n", "Line 2023 2022 Change", 1),
        "alone": ("2021,2022\n1.5,2\n4,5\n", "2021 2022", 2),
        "bare": ("North,10,12\nSouth,9,8\n", "column0 column1 column2", 2),
        "series": ("2001,100,5\n2002,110,6\n", "column0 column1 column2", 2),
        "founded": ("North,2021,2022\nSouth,2019,2023\n", "column0 column1 column2", 2),
        "numbers": ("1,2,3\n4,5,6\n", "column0 column1 column2", 2),
    }
    for name, (text, _, _) in files.items():
        (tmp_path / f"{name}.csv").write_text(text)
    book = Workbook()
    for row in (["Sales by region"], ["Region", 2021, 2022], ["North", 10, 12.5]):
        book.active.append(row)
    book.save(tmp_path / "sheet.xlsx")
    desk = desks([tmp_path])
    read = {name: (" ".join(kinds(desk, name)), table(desk, name).rows) for name in files}
    assert read == {name: (columns, rows) for name, (_, columns, rows) in files.items()}
    assert kinds(desk, "sheet") == {"Region": "text", "2021": "integer", "2022": "float"}


def test_letters_and_words_stay_text_and_true_and_false_are_booleans(tmp_path):
    (tmp_path / "t.csv").write_text('flag,ok,said,n\nt,TRUE,yes,"1"\nf,false,no,""\nt,NA,yes,"3"\n')
    connection = duckdb.connect()
    load(connection, "t", tmp_path / "t.csv", "csv", tmp_path, set())
    assert connection.execute("FROM t").fetchall() == [
        ("t", True, "yes", 1), ("f", False, "no", None), ("t", None, "yes", 3)
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["missing.csv", "notes.txt", "broken.xlsx", "broken.parquet", "broken.sqlite"])
def test_a_file_that_is_no_data_is_told_in_one_line(name, tmp_path):
    if name != "missing.csv":
        (tmp_path / name).write_text("no such thing")
    with pytest.raises(DataFileError, match=name.split(".")[0]):
        Workbench([tmp_path / name]).close()


def test_two_files_of_one_name_are_two_tables(tmp_path):
    for place in ("a", "b"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "GDP (real).csv").write_text("x\n1\n")
    names = [source.table for source in find_sources([tmp_path / "a", tmp_path / "b", tmp_path / "a"])]
    assert names == ["gdp_real", "gdp_real_2"]


def test_a_number_from_a_script_ties_out_to_code_query_table_and_rows(folder, desks):
    talk = empty_session(desks([folder]), says(SALES, MEAN, answers("average")))
    turn = talk.ask("what is the average amount?")
    assert (turn.outcome, turn.text, turn.number) == ("answer", "2.75", Decimal("2.75"))
    source = turn.answer.source
    assert isinstance(source, FromFrame)
    assert (source.code_line, source.tables, source.binary) == ("m = mean(s['amount'])", ("sales",), True)
    assert source.queries == (SALES[1]["select"],)
    sheet = plain_text(turn)
    for part in (
        "line 1: m = mean(s['amount'])",
        SALES[1]["select"],
        "tables: sales",
        "binary float",
        source.rows_hash[:12],
    ):
        assert part in sheet
    assert result(turn)["sheet"]["lines"][0]["frame"]["rows_hash"] == source.rows_hash


def test_the_rows_stay_here_unless_they_are_asked_for(folder, desks):
    talk = empty_session(desks([folder]), says(SALES), says(answers("s.amount[0]")))
    talk.ask("?")
    (told,) = talk.backend.requests[1].exchanges[0].results
    shape = json.loads(told.content)
    assert shape["rows"] == 3 and shape["columns"][1] == {"name": "amount", "type": "float", "missing": 1}
    assert "first_rows" not in shape
    talk = empty_session(desks([folder], show_rows=1), says(SALES), says(answers("s.amount[0]")))
    talk.ask("?")
    (told,) = talk.backend.requests[1].exchanges[0].results
    assert json.loads(told.content)["first_rows"] == [["2020-01-31", 1.5]]


def test_frames_and_values_are_there_in_later_turns_and_errors_are_not(folder, desks):
    wrong = ("run_script", {"code": "mean(s['amont'])", "frames": ["s"], "name": "average"})
    talk = empty_session(
        desks([folder]), says(SALES, wrong), says(MEAN, answers("average")), says(answers("s.amount[-1]"))
    )
    first = talk.ask("what is the average?")
    assert first.outcome == "answer"
    assert "KeyError" in talk.backend.requests[1].exchanges[0].results[1].content
    assert "line 1" in talk.backend.requests[1].exchanges[0].results[1].content
    turn = talk.ask("and the last?")
    (prior,) = talk.backend.requests[2].history
    assert "mean(s['amount'])" in prior.made and "amont" not in prior.made
    assert [call.tool for call in prior.calls] == ["query_sql", "run_script", "answer"]
    assert turn.number == 4


def test_failing_calls_are_bounded(folder, desks):
    bad = [("run_script", {"code": f"x{number}", "name": "out"}) for number in range(6)]
    talk = empty_session(desks([folder], retries=2), says(*bad), says(("clarify", {"question": "?"})))
    talk.ask("?")
    results = talk.backend.requests[1].exchanges[0].results
    assert [("no more are made" in each.content) for each in results] == [False] * 3 + [True] * 3


def test_a_failing_query_tells_what_the_engine_says_and_what_is_near(folder, desks):
    talk = empty_session(
        desks([folder]),
        says(("query_sql", {"select": "SELECT * FROM salse", "name": "a"}),
             ("query_sql", {"select": "SELECT amont FROM sales", "name": "a"})),
        says(("clarify", {"question": "?"})),
    )  # fmt: skip
    talk.ask("?")
    table_, column = talk.backend.requests[1].exchanges[0].results
    assert table_.content == "there is no table 'salse'; did you mean sales?"
    assert "amount" in column.content


def test_of_data_alone_nothing_is_told_of_reports_and_a_column_is_known_by_its_words(tmp_path, desks):
    (tmp_path / "index.csv").write_text("date,S&P 500\n2020-01-31,3225\n2020-02-29,2954\n")
    top = ("query_sql", {"select": 'SELECT * FROM index ORDER BY "S&P 500" DESC LIMIT 1', "name": "top"})
    told = ("answer", {"values": ["top.date[0]", "top.S&P 500[0]"], "kind": "list"})
    talk = empty_session(desks([tmp_path]), says(top, told))
    request = talk.request("When was the S&P 500 highest?")
    assert {tool.name for tool in request.tools}.isdisjoint({"query_kg", "search_text", "list_entities"})
    assert "# Card" not in request.instructions and "crossing" in request.instructions
    turn = talk.ask("When was the S&P 500 highest?")
    assert (turn.text, turn.flags) == ("date: 2020-01-31; S&P 500: 3,225", ())
    assert plain_text(turn).splitlines()[0] == "list, by these figures"


def test_figures_of_the_report_are_a_table_and_stay_decimals(folder, desks):
    graph = report_graph()
    desk = desks([folder], graph.facts())
    price = ("query_sql", {"select": "SELECT value FROM facts WHERE fact = 't1r1c1'", "name": "price"})
    backend = ScriptedBackend([says(price, calculates("d", "subtract", "price", "t1r1c2"), answers("d"))])
    turn = Session(graph, backend, document=REPORT, bench=desk).ask("?")
    assert turn.number == Decimal("35.80")
    (source,) = (entry.source for entry in turn.ledger if isinstance(entry.source, FromFrame))
    assert (source.tables, source.binary) == (("facts",), False)
    assert not any(flag.rule == "binary float" for flag in turn.flags)


def test_a_binary_float_beside_a_figure_of_the_report_is_flagged(folder, desks):
    graph = report_graph()
    backend = ScriptedBackend([says(SALES, calculates("d", "subtract", "t1r1c1", "s.amount[0]"), answers("d"))])
    turn = Session(graph, backend, document=REPORT, bench=desks([folder], graph.facts())).ask("?")
    assert turn.number == Decimal("59.44")
    assert "binary float" in [flag.rule for flag in turn.flags]


@pytest.mark.parametrize(
    ("code", "form", "text"),
    [
        ("s['day'][0]", "date", "2020-01-31"),
        ("'anna'", "text", "anna"),
        ("[1, None, 2.5]", "list", "1.0, -, 2.5"),
        ("{'a': [1, 2], 'b': ['x', 'y']}", "table", "a | b; 1 | x; 2 | y"),
    ],
)
def test_dates_text_lists_and_tables_are_answers(code, form, text, folder, desks):
    script = ("run_script", {"code": code, "frames": ["s"], "name": "out"})
    talk = empty_session(desks([folder]), says(SALES, script, answers("out")), says(answers("prev_1")))
    turn = talk.ask("?")
    assert turn.answer.value == Words(form=form, text=text)
    assert (turn.text, turn.number, result(turn)["kind"]) == (text, None, form)
    again = talk.ask("again?")
    assert again.text == text
    told = talk.backend.requests[1].history[0].answer
    assert told == (text if form in ("date", "text") else f"a {form}, shown to the user")


def test_words_are_no_numbers_to_calculate_with(folder, desks):
    script = ("run_script", {"code": "'anna'", "name": "out"})
    talk = empty_session(desks([folder]), says(script, calculates("x", "add", "out", "1")), says(answers("out")))
    talk.ask("?")
    assert "is anna, not a number" in talk.backend.requests[1].exchanges[0].results[1].content


def test_a_conversation_over_data_is_read_back_replayed_and_gone_on_with(folder, desks, tmp_path):
    log = tmp_path / "log.jsonl"
    with Log(log) as file:
        talk = empty_session(desks([folder]), says(SALES, MEAN, answers("average")), log=file)
        turn = talk.ask("what is the average?")
    (read,) = read_turns(read_events(log))
    assert (read.answer, list(read.ledger)) == (turn.answer, list(turn.ledger))
    assert b"urn:tieout:rows:" in run_quads("r", [list(read_events(log))])[1]
    document = Document(id="data", paragraphs=(), before=0, tables=())
    graph = build(document, Ontology.parse(TBOX))
    again = Session(graph, ReplayBackend(log), document=document, bench=desks([folder])).ask("what is the average?")
    assert again.answer == turn.answer
    later = Session(
        graph, ScriptedBackend([says(answers("s.amount[2]"))]), document=document, bench=desks([folder]), resumed=[read]
    )
    assert later.ask("and the last?").number == 4


def test_without_data_nothing_of_it_is_offered():
    backend = ScriptedBackend([says(answers("t1r1c1"))])
    Session(report_graph(), backend).ask("?")
    (request,) = backend.requests
    assert [tool.name for tool in request.tools] == [name for name in TOOLS if name != "understand"]
    assert "query_sql" not in request.instructions and "<data>" not in request.card.text


def test_a_plot_is_a_picture_of_the_frame_the_same_to_the_byte(folder, desks, tmp_path):
    draw = ("plot", {"frame": "s", "x": "day", "y": ["amount"], "title": "sales in $"})
    pictures = []
    for name in ("one", "two"):
        desk = desks([folder], plots=tmp_path / name)
        talk = empty_session(desk, says(SALES, draw, answers("s.amount[0]")))
        plots = result(talk.ask("?"))["plots"]
        assert [path.rpartition(".")[2] for path in plots] == ["png", "svg"]
        pictures.append([(tmp_path / name / path.rpartition("/")[2]).read_bytes() for path in plots])
    assert pictures[0] == pictures[1]
    assert pictures[0][0].startswith(b"\x89PNG") and b"<svg" in pictures[0][1]


def test_a_plot_is_shown_in_the_page_itself_and_told_of_where_it_is_gone(folder, desks, tmp_path):
    draw = ("plot", {"frame": "s", "x": "day", "y": ["amount"], "title": "<sales>"})
    talk = empty_session(desks([folder], plots=tmp_path / "plots"), says(SALES, draw, answers("s.amount[0]")))
    talk.ask("how did sales go?")
    page = one_page(talk.turns, talk.graph)
    (png,) = (tmp_path / "plots").glob("*.png")
    assert f'<img alt="&lt;sales&gt;: amount over day" src="{PNG}{b64encode(png.read_bytes()).decode()}"' in page
    assert "img-src data:" in page and "<sales>" not in page
    assert f"](<{png}>)" in markdown(talk.turns, "data")
    png.unlink()
    assert "<img" not in one_page(talk.turns, talk.graph)
    assert "is not there any more" in one_page(talk.turns, talk.graph)


@pytest.mark.parametrize(
    "columns",
    [{}, {"a": [1], "b": []}, {"a": [1.5, Decimal(1)]}, {"a": [1, "x"]}, {"a": [object()]}],
)
def test_what_is_no_frame_is_refused(columns):
    with pytest.raises(FrameError):
        make_frame("f", columns, Origin())


def test_the_hash_of_rows_tells_them_apart():
    one, same, other = (make_frame("f", {"a": [cell, None]}, Origin()).hash for cell in (1.5, 1.5, 2.5))
    assert one == same != other


def test_a_missing_extra_is_told_in_one_line(folder, monkeypatch):
    monkeypatch.setattr(engine_module, "find_spec", lambda name: None)
    with pytest.raises(ExpertMissing, match=r"duckdb is not installed: install tieout\[expert\]"):
        Workbench([folder])
    done = CliRunner().invoke(main, ["ask", "--data", str(folder), "what?"])
    assert done.exit_code == 1
    assert "duckdb is not installed: install tieout[expert]" in done.stderr


def test_data_alone_is_asked_and_what_no_recipe_fits_is_declined_with_what_there_is(folder, tmp_path):
    arguments = ["ask", "--data", str(folder), "--memory", str(tmp_path / "m"), "what is the average amount?"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0
    assert "There are the tables sales (day, amount, who); recipes: none." in done.stdout
    assert "ungrounded" not in done.stdout


def test_data_goes_with_tools_alone(folder):
    done = CliRunner().invoke(main, ["ask", "--data", str(folder), "--strategy", "plan", "what?"])
    assert (done.exit_code, "'plan'" in done.stderr) == (1, True)


def test_real_series_are_tables(desks):
    series = ROOT.parent / "shared" / "data" / "series"
    if not series.is_dir():
        pytest.skip("REAL DATA NOT FOUND: ../shared/data/series is missing, so this test on real series did not run")
    desk = desks([series])
    assert kinds(desk, "statsmodels_macrodata")["date"] == "date"
    frame = desk.query("SELECT count(*) AS n, min(sasdate) AS d FROM fred_md_current", [], "x")
    assert frame.column("d") == (date(1959, 1, 1),)
    assert frame.column("n")[0] > 700


def test_a_large_file_is_read_once_and_gives_the_same_afterwards(tmp_path, desks, monkeypatch):
    (tmp_path / "t.csv").write_text("day,v\n" + "".join(f"{n % 28 + 1}.03.{1900 + n},{n / 7}\n" for n in range(99)))
    monkeypatch.setitem(kept.LARGE, "csv", 10)
    place = kept.kept_path(tmp_path / "kept", tmp_path / "t.csv", "csv")
    stamped = kept.stamp(tmp_path / "t.csv", "csv")
    assert not kept.may_be_kept(tmp_path / "kept", stamped)
    connection = duckdb.connect()
    kept.keep(connection, place, load(connection, "t", tmp_path / "t.csv", "csv", tmp_path, set()))
    assert kept.may_be_kept(tmp_path / "kept", stamped)
    again = duckdb.connect()
    assert kept.open_kept(again, place, "t", set()).names == {"t": ""}
    query = "SELECT * FROM t"
    assert again.execute(query).fetchall() == connection.execute(query).fetchall()
    assert again.execute("DESCRIBE t").fetchall() == connection.execute("DESCRIBE t").fetchall()
    (tmp_path / "t.csv").write_text("day,v\n01.03.1900,1\n")
    assert kept.kept_path(tmp_path / "kept", tmp_path / "t.csv", "csv") != place
    (place / "0.parquet").unlink()
    assert kept.open_kept(duckdb.connect(), place, "t", set()) is None


def test_the_process_keeps_a_large_file_and_reaches_nothing_else_afterwards(tmp_path):
    lines = "".join(f"{n},{n}.5,{'x' * 90}\n" for n in range(90_000))
    (tmp_path / "t.csv").write_text(f"n,v,text\n{lines}")
    for _ in range(2):
        desk = Workbench([tmp_path / "t.csv"], seconds=60, kept=tmp_path / "kept")
        try:
            assert desk.query("SELECT sum(v) AS s, count(*) AS n FROM t", [], "x").first(1) == [[4050000000.0, 90_000]]
            (file,) = (tmp_path / "kept").glob("*/0.parquet")
            with pytest.raises(ToolError):
                desk.query(f"SELECT * FROM '{file}'", [], "y")
        finally:
            desk.close()


def test_values_far_down_keep_what_they_are_whatever_the_first_rows_are_like(tmp_path, desks):
    rows = "".join(f"{n},{n / 8},{n},{2**53 + 1},,{n}\n" for n in range(25_000))
    (tmp_path / "t.csv").write_text(f"a,b,c,d,e,f\n{rows}30000,none of it,0.5,{2**53 + 3},7,1e3\n")
    desk = desks([tmp_path / "t.csv"], kept=None)
    kinds_there = {"a": "integer", "b": "text", "c": "float", "d": "integer", "e": "integer", "f": "integer"}
    assert kinds(desk, "t") == kinds_there
    last = desk.query("SELECT * FROM t WHERE a = 30000", [], "x").first(1)
    assert last == [[30_000, "none of it", 0.5, 2**53 + 3, 7, 1000]]
    assert desk.query("SELECT count(*) AS n, min(d) AS d FROM t", [], "y").first(1) == [[25_001, 2**53 + 1]]


@pytest.mark.thorough
def test_ten_million_rows_of_parquet_are_queried_in_bounded_memory(tmp_path):
    rows = "SELECT i, (i % 1000)::SMALLINT AS k FROM range(10000000) t(i)"
    duckdb.connect().execute(f"COPY ({rows}) TO '{tmp_path}/big.parquet'")
    desk = Workbench([tmp_path], seconds=60, kept=None)
    try:
        assert table(desk, "big").rows == 10_000_000
        frame = desk.query("SELECT k, sum(i) AS s FROM big GROUP BY k ORDER BY k", [], "x")
        assert (frame.rows, frame.column("s")[1]) == (1000, 10_000 + 1000 * sum(range(10_000)))
        assert desk.query("SELECT i FROM big ORDER BY k DESC, i LIMIT 1", [], "y").first(1) == [[999]]
        with pytest.raises(ToolError, match="more than 100000 rows"):
            desk.query("SELECT * FROM big", [], "z")
        status = Path(f"/proc/{desk.engine._process.pid}/status").read_text()
        highest = int(status.partition("VmHWM:")[2].split()[0]) * 1024
        assert highest < MEMORY
    finally:
        desk.close()
