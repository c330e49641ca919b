"""What is printed can be read at 80 columns: no name is lost, no number cut."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from filing import filing
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.box import HEAVY_HEAD, SIMPLE
from rich.console import Console
from rich.table import Table

from tieout import main
from tieout.data.console import console
from tieout.data.fit import fitted

RUN = ("--backend", "offline", "--no-store")
NAMES = ("Single_NORVALE/2013/page_35.pdf-1", "Single_ZEPHANT/2014/page_40.pdf-2")
ASK = "reports.json"
COMMANDS = [
    "eval run ASK --run first --repeat 2 RUN",
    "eval show first --by all --conversations",
    "eval compare first a-run-with-a-long-name --by all --flips",
    "eval battle ASK --run battle --backends offline,offline --no-store",
    "eval coverage ASK",
    "eval tokens ASK",
    "eval failures first",
    "list ASK",
    "kg show ASK Single_ZEPHANT/2014/page_40.pdf-2",
    "kg show ASK Single_NORVALE/2013/page_35.pdf-1",
    "kg check ASK --no-shapes",
    "sparql --store kept QUERY",
    "kg facts REPORT",
    "kg outline REPORT",
    "kg show REPORT t1",
    "ask ASK Single_NORVALE/2013/page_35.pdf-1 CHANGE",
    "ontology show",
    "ontology show StockOption",
    "ontology show IncomeStatement",
    "ontology stats ASK",
]
TEXT_LINES = (
    "eval failures first",
    "ontology stats ASK",
    "kg outline REPORT",
    "ask ASK",
)  # which a terminal breaks, and a file keeps whole
QUERY = """SELECT ?id ?raw ?measures ?text { ?doc dcterms:identifier ?id . GRAPH ?doc {
  ?fact kg:raw ?raw ; kg:measures ?measures ; kg:instance ?instance ; prov:wasDerivedFrom/kg:text ?text } } LIMIT 40"""

KNOWN = {
    "ASK": (ASK,),
    "QUERY": (QUERY,),
    "RUN": RUN,
    "REPORT": ("filing.htm",),
    "CHANGE": ("by how much did operating income change from 2012 to 2013?",),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with two reports of the sample, two runs and a store."""
    folder = tmp_path_factory.mktemp("width")
    reports = json.loads((SAMPLE / "ask.json").read_text())
    (folder / "filing.htm").write_text(filing(), encoding="utf-8")
    (folder / ASK).write_text(json.dumps([report for report in reports if report["id"] in NAMES]))
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for command in (
            ("eval", "run", ASK, "--run", "first", "--repeat", "2", *RUN),
            ("eval", "run", ASK, "--run", "a-run-with-a-long-name", "--history", "gold", *RUN),
            ("kg", "build", ASK, "--store", "kept"),
        ):
            done = CliRunner().invoke(main, command)
            assert done.exit_code == 0, done.output
    return folder


def printed(command: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    arguments: list[str] = []
    for word in command.split():
        arguments += KNOWN.get(word, (word,))
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(console, "_width", columns)
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def words(text: str) -> set[str]:
    """The words and numbers, without the lines of tables around them."""
    return set(re.sub(r"[─-╿]", " ", text).split())


@pytest.mark.parametrize("command", COMMANDS)
def test_at_80_columns_every_name_and_number_is_there(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    wide, narrow = (printed(command, columns, monkeypatch) for columns in (2000, 80))
    if not command.startswith(TEXT_LINES):
        assert max(map(len, narrow.splitlines())) <= 80
    assert "…" not in words(narrow) - words(wide)
    if "battle" in command:  # its seconds differ from one run of it to the next
        wide, narrow = (re.sub(r"\b\d+\.\d{3}\b", "seconds", text) for text in (wide, narrow))
    assert words(wide) <= words(narrow)


TEXT = st.text("ab 7", min_size=1, max_size=60)


@settings(max_examples=40)  # each draws several tables
@given(
    st.lists(st.lists(TEXT, min_size=4, max_size=4), min_size=1, max_size=4),
    st.sampled_from([None, SIMPLE, HEAVY_HEAD]),
    st.booleans(),
    st.integers(40, 90),
    st.integers(0, 2),
)
def test_any_table_fits_and_keeps_its_words(rows, box, pad_edge, width, fixed):
    table = Table("one", "two", "three", "four", box=box, pad_edge=pad_edge, title="a title")
    for row in rows:
        table.add_row(*row)
    out = Console(width=width, color_system=None)
    with out.capture() as caught:
        for part in fitted(table, out, width, fixed):
            out.print(part)
    text = caught.get()
    assert all(len(line.rstrip()) <= width for line in text.splitlines())
    longest = max(len(word) for row in rows for cell in row for word in cell.split() or [""])
    if longest <= (width - 12) // 3:  # as many columns as are printed beside each other at the most
        assert {word for row in rows for cell in row for word in cell.split()} <= words(text)
    assert text.count("a title") == 1
