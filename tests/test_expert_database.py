"""SQLite files as tables: every value as it is, whatever kinds a column holds, and nothing done to the file."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tieout.data.datasets.naming import DataFileError
from tieout.data.datasets.reading import database, kept
from tieout.data.datasets.reading.loading import load

CELLS = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.integers(-9, 9),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=("Cs",)), max_size=4),
    st.binary(max_size=3),
)
COLUMNS = st.one_of(*(st.lists(CELLS if each is None else st.one_of(st.none(), each), min_size=9, max_size=9)
                      for each in (None, st.integers(), st.floats(allow_nan=False), st.text(max_size=4))))  # fmt: skip


def made(path, script):
    with closing(sqlite3.connect(path)) as base:
        base.executescript(script)
    return path


def opened(path, tmp_path, taken=()):
    connection = duckdb.connect()
    return connection, load(connection, "t", path, "sqlite", tmp_path, set(taken))


def expected(cells):
    """What a column of these values is to be, and its type."""
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds == {int}:
        return "BIGINT", cells
    has_large = any(type(cell) is int and abs(cell) > 2**53 for cell in cells)
    if kinds and kinds <= {int, float} and not (int in kinds and has_large):
        return "DOUBLE", [None if cell is None else float(cell) for cell in cells]
    return "VARCHAR", cells


@pytest.fixture(scope="module")
def tables():
    with closing(duckdb.connect()) as connection:
        yield connection


@settings(max_examples=40, deadline=None)
@given(
    st.lists(COLUMNS, min_size=1, max_size=3),
    st.sampled_from(["", "TEXT", "INTEGER", "REAL", "NUMERIC", "DECIMAL(10,2)", "BLOB"]),
    st.sampled_from([1, database.LARGE]),
)
def test_every_value_is_read_as_it_is_whatever_stands_above_it(tables, tmp_path_factory, columns, declared, large):
    folder = tmp_path_factory.mktemp("base")
    columns = [[cell if type(cell) is not int else max(min(cell, 2**63 - 1), -(2**63)) for cell in c] for c in columns]
    columns = [[cell.encode("utf-8", "ignore").decode() if type(cell) is str else cell for cell in c] for c in columns]
    names = [f"c{number}" for number in range(len(columns))]
    with closing(sqlite3.connect(folder / "b.db")) as base:
        base.execute("PRAGMA synchronous = off")
        base.execute(f"CREATE TABLE t ({', '.join(f'{name} {declared}' for name in names)})")
        base.executemany(f"INSERT INTO t VALUES ({', '.join('?' * len(names))})", zip(*columns, strict=True))
        base.commit()
        stored = list(zip(*base.execute("SELECT * FROM t").fetchall(), strict=True))
    tables.execute("DROP TABLE IF EXISTS read")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "FIRST", 2)
        patch.setattr(database, "BATCH", 4)
        patch.setattr(database, "LARGE", large)  # rows of which two threads read a half each
        with database.Database(tables, folder / "b.db", folder) as base:
            base.read("t", "read")
        found = tables.execute("FROM read").fetchall()
        kinds = [kind for _, kind, *_ in tables.execute("DESCRIBE read").fetchall()]
    for cells, read, kind in zip(stored, zip(*found, strict=True), kinds, strict=True):
        wanted, values = expected(cells)
        if any(cell is not None for cell in cells):
            assert kind == wanted
        for cell, value in zip(values, read, strict=True):
            if kind == "VARCHAR" and type(cell) is float:
                assert float(value) == cell
            elif kind == "VARCHAR" and type(cell) in (int, bytes):
                assert value == (str(cell) if type(cell) is int else cell.hex().upper())
            else:
                assert value == cell


def test_dates_times_numbers_and_gaps_in_text_are_found_and_codes_and_empty_text_stay(tmp_path):
    path = made(
        tmp_path / "b.db",
        """CREATE TABLE t (day TEXT, at TEXT, amount TEXT, code TEXT, note TEXT, ok TEXT);
        INSERT INTO t VALUES ('2020-01-31', '2020-01-31 10:00', '1,200.5', '00123', '', 'true'),
        ('', '2020-02-01T09:30:15.25', 'NA', '00045', NULL, 'false'), (NULL, NULL, NULL, NULL, NULL, NULL)""",
    )
    connection, loaded = opened(path, tmp_path)
    assert (loaded.names, loaded.notes) == ({"t": "t"}, ())
    kinds = [kind for _, kind, *_ in connection.execute("DESCRIBE t").fetchall()]
    assert kinds == ["DATE", "TIMESTAMP", "DOUBLE", "VARCHAR", "VARCHAR", "BOOLEAN"]
    rows = connection.execute("SELECT day::VARCHAR, t.at::VARCHAR, amount, code, note, ok FROM t").fetchall()
    assert rows == [
        ("2020-01-31", "2020-01-31 10:00:00", 1200.5, "00123", "", True),
        (None, "2020-02-01 09:30:15.25", None, "00045", None, False),
        (None,) * 6,
    ]


def test_views_are_tables_and_what_cannot_be_read_is_told(tmp_path):
    path = made(
        tmp_path / "b.db",
        """CREATE TABLE sale (id INTEGER PRIMARY KEY, "a ""b" REAL, twice REAL AS ("a ""b" * 2));
        INSERT INTO sale VALUES (1, 1.5), (2, NULL);
        CREATE TABLE rate (code TEXT PRIMARY KEY, v NUMERIC) WITHOUT ROWID;
        INSERT INTO rate VALUES ('x', 1), ('b', 2.5);
        CREATE TABLE bare (x INTEGER, y TEXT);
        CREATE VIEW total AS SELECT count(*) AS n, 'all' AS what, sum(id) / 2.0 AS half FROM sale;
        CREATE TABLE gone (a); CREATE VIEW broken AS SELECT a FROM gone; DROP TABLE gone;
        CREATE VIRTUAL TABLE words USING fts5(body); INSERT INTO words VALUES ('one, "two"' || char(10) || 'three');""",
    )
    connection, loaded = opened(path, tmp_path)
    assert list(loaded.names.values()) == ["bare", "rate", "sale", "total", "words"]
    (note,) = loaded.notes
    assert note.startswith("'broken' of 'b.db' is left out: ") and "gone" in note and "\n" not in note
    assert connection.execute("FROM t_sale").fetchall() == [(1, 1.5, 3.0), (2, None, None)]
    assert connection.execute("FROM t_rate").fetchall() == [("b", 2.5), ("x", 1.0)]
    assert connection.execute("FROM t_total").fetchall() == [(2, "all", 1.5)]
    assert connection.execute("FROM t_words").fetchall() == [('one, "two"\nthree',)]
    assert [kind for _, kind, *_ in connection.execute("DESCRIBE t_bare").fetchall()] == ["BIGINT", "VARCHAR"]


def test_a_table_of_two_thousand_columns_is_read(tmp_path):
    names = [f"c{number}" for number in range(2000)]
    cells = ", ".join("'x'" if number % 2 else str(number) for number in range(2000))
    path = made(tmp_path / "b.db", f"CREATE TABLE t ({', '.join(names)}); INSERT INTO t VALUES ({cells})")
    connection = duckdb.connect()
    with database.Database(connection, path, tmp_path) as base:
        base.read("t", "t")
    assert connection.execute("SELECT c0, c1999 FROM t").fetchall() == [(0, "x")]


def contents(folder):
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def test_nothing_is_left_beside_a_file_and_rows_in_its_log_are_read(tmp_path):
    drafts = tmp_path / "drafts"
    for name in ("closed", "open", "left", "drafts"):
        (tmp_path / name).mkdir()
    script = "PRAGMA journal_mode = wal; CREATE TABLE t (a); INSERT INTO t VALUES (1)"
    made(tmp_path / "closed" / "b.db", script)
    with closing(sqlite3.connect(tmp_path / "open" / "b.db")) as writer:
        writer.executescript(script)
        for suffix in ("", "-wal"):
            shutil.copy(tmp_path / "open" / f"b.db{suffix}", tmp_path / "left" / f"b.db{suffix}")
        for name in ("closed", "open", "left"):
            path = tmp_path / name / "b.db"
            before = contents(path.parent)
            connection, _ = opened(path, drafts)
            assert connection.execute("FROM t").fetchall() == [(1,)]
            after = contents(path.parent)
            assert after.keys() == before.keys()
            assert all(after[each] == before[each] for each in before if not each.endswith("-shm"))
            assert list(drafts.iterdir()) == []
    os.truncate(path, 2_000_000)  # large enough to be kept, but for the log
    assert kept.stamp(path, "sqlite") is None
    (tmp_path / "left" / "b.db-wal").unlink()
    assert kept.stamp(path, "sqlite") is not None


def test_a_file_that_somebody_writes_to_or_that_is_damaged_is_told_in_one_line(tmp_path, monkeypatch):
    monkeypatch.setattr(database, "WAIT", 1)
    rows = ", ".join(f"('{'x' * 3000}')" for _ in range(9))
    path = made(tmp_path / "b.db", f"CREATE TABLE t (a TEXT); INSERT INTO t VALUES {rows}")
    code = "import sqlite3, sys; b = sqlite3.connect(sys.argv[1]); b.execute('BEGIN EXCLUSIVE'); print(b); input()"
    command = [sys.executable, "-u", "-c", code, str(path)]  # locks do not hold within a process
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as writer:
        writer.stdout.readline()
        with pytest.raises(DataFileError, match="locked"):
            opened(path, tmp_path)
        writer.stdin.close()
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    (tmp_path / "d.db").write_bytes(content)
    with pytest.raises(DataFileError, match=r"'t' of 'd.db' is left out: .*malformed") as caught:
        opened(tmp_path / "d.db", tmp_path)
    assert "\n" not in str(caught.value)
