"""Sheets of workbooks as tables: typed by what their cells are, and what is missing in them told."""

from __future__ import annotations

import json
from datetime import date, datetime

import duckdb
import pytest
from click.testing import CliRunner
from openpyxl import Workbook

from tieout import main
from tieout.data.datasets.reading import workbook
from tieout.data.datasets.reading.loading import load


def opened(tmp_path, *sheets):
    book = Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets):
        sheet = book.create_sheet(f"s{number}")
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "b.xlsx")
    connection = duckdb.connect()
    return connection, load(connection, "t", tmp_path / "b.xlsx", "xlsx", tmp_path, set())


def described(connection, table="t"):
    return {name: kind for name, kind, *_ in connection.execute(f"DESCRIBE {table}").fetchall()}


@pytest.mark.parametrize("chunk", [1, 2, 100])
def test_columns_have_the_type_of_their_cells(tmp_path, monkeypatch, chunk):
    monkeypatch.setattr(workbook, "CHUNK", chunk)
    header = ["n", "v", "day", "at", "code", "ok", "mixed", "late", "n"]
    rows = [
        [1, 0.1, date(2020, 1, 31), datetime(2020, 1, 31, 9, 30), "007", True, 2, None, "a"],
        [None, "NA", datetime(2020, 2, 29), None, "008", None, "x, \"y\"\nz", None, None],
        [3, 2**53, None, datetime(2020, 2, 1), "n/a", False, 1.5, 0.5, "b"],
    ]  # fmt: skip
    connection, loaded = opened(tmp_path, [["Invented figures"], [], header, *rows, []])
    assert (loaded.names, loaded.notes) == ({"t": "s0"}, ())
    assert described(connection) == {
        "n": "BIGINT", "v": "DOUBLE", "day": "DATE", "at": "TIMESTAMP", "code": "VARCHAR", "ok": "BOOLEAN",
        "mixed": "VARCHAR", "late": "DOUBLE", "n_1": "VARCHAR",
    }  # fmt: skip
    assert connection.execute("FROM t").fetchall() == [
        (1, 0.1, date(2020, 1, 31), datetime(2020, 1, 31, 9, 30), "007", True, "2", None, "a"),
        (None, None, date(2020, 2, 29), None, "008", None, 'x, "y"\nz', None, None),
        (3, 2.0**53, None, datetime(2020, 2, 1), None, False, "1.5", 0.5, "b"),
    ]


@pytest.mark.parametrize(
    ("rows", "columns"),
    [
        ([["Region", date(2021, 1, 31), date(2021, 2, 28)], ["North", 1, 2.5]], "Region 2021-01-31 2021-02-28"),
        ([["Region", 2021, 2022], ["North", 10, 12], ["South", 9, 8]], "Region 2021 2022"),
        ([[2001, 100.5], [2002, 110.5]], "column0 column1"),
        ([["a", None, "c"], ["x", "y", "z"]], "a column2 c"),
        ([["only"], [1], [2]], "only"),
        ([["sasdate", "A"], ["Transform:", 5], [date(1959, 1, 1), 1.5], [date(1959, 2, 1), 2]], "sasdate A"),
    ],
)
def test_a_header_is_told_from_data(tmp_path, rows, columns):
    connection, _ = opened(tmp_path, rows)
    assert " ".join(described(connection)) == columns


def test_formulas_without_a_stored_result_are_told_by_column(tmp_path):
    rows = [["x", "twice", "half"], [1, "=A2*2", "=A2/2"], [2, "=A3*2", 1]]
    connection, loaded = opened(tmp_path, [["a", "b"], [1, 2]], rows)
    assert connection.execute("FROM t_s1").fetchall() == [(1, None, None), (2, None, 1)]
    (note,) = loaded.notes
    assert note == (
        "b.xlsx: 3 formulas of the sheet 's1' have no stored results and are gaps (2 in 'twice', 1 in 'half'): "
        "open the file in a spreadsheet program and save it there"
    )
    arguments = ["ask", "--data", str(tmp_path), "--memory", str(tmp_path / "m"), "what is the sum of twice?"]
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0
    assert done.stderr.splitlines()[0] == f"tieout: {note}"
    assert "stored result" not in done.stdout
    done = CliRunner().invoke(main, [*arguments, "--json"])
    assert json.loads(done.stdout)["notes"] == [note]
