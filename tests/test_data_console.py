"""No text of a report, an id or a model steers the terminal, whatever command prints it."""

from __future__ import annotations

import io
import json

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from rich.table import Table
from rich.text import Text

import tieout
from tieout.data.console import PlainConsole

ESC = "\x1b]0;owned\x07\x1b[31m\x9b2J\x08"


def record(number):
    return {
        "id": f"report{number}{ESC}",
        "pre_text": [f"revenue{ESC} was $ 5 million {ESC} in 2007 .", f"10k5{ESC}x 7{ESC}"],
        "post_text": [],
        "table": [["", f"2007{ESC}"], [f"revenue{ESC}", f"$ 5{ESC}"], [f"{ESC}", f"x{ESC}9z"]],
        "annotation": {
            "dialogue_break": [f"what was revenue{ESC}?"],
            "turn_program": [f"subtract(98765, 4321){ESC}"],
            "exe_ans_list": [94444],
        },
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("escapes")
    (folder / "reports.json").write_text(json.dumps([record(1), record(2), {"id": f"bad{ESC}", "table": 5}]))
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "list reports.json",
        "kg check reports.json",
        "kg check --no-shapes reports.json",
        "kg build reports.json",
        "kg show reports.json REPORT",
        "kg show reports.json MISSING",
        "sparql ANY",
        "ontology build reports.json -o o.ttl",
        "ontology show",
        "ontology stats reports.json",
        "ask reports.json REPORT QUESTION",
        "ask reports.json MISSING QUESTION",
        "eval run reports.json --run one",
        "eval show one",
        "eval failures one",
        "eval turn one REPORT 1",
        "eval verify one",
        "eval coverage --misses reports.json",
        "eval tokens reports.json",
    ],
)
def test_escape_codes_of_a_report_reach_no_terminal(folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    words = {
        "REPORT": f"report1{ESC}",
        "MISSING": f"missing{ESC}",
        "QUESTION": f"what was revenue{ESC}?",
        "ANY": "SELECT * { ?s ?p ?o }",
    }
    done = CliRunner().invoke(tieout.main, [words.get(word, word) for word in command.split()])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.output + repr(done.exception)
    assert done.exit_code in (0, 1), done.output + done.stderr
    for letter in "\x1b\x07\x9b\x08":
        assert letter not in done.stdout + done.stderr, repr((done.stdout + done.stderr)[:2000])


def test_whoever_prints_the_console_lets_no_code_pass_but_its_own():
    out = io.StringIO()
    console = PlainConsole(file=out, width=40, force_terminal=True, color_system="standard", highlight=False)
    table = Table("id")
    table.add_row(f"a{ESC}b")
    for each in (f"a{ESC}b", Text(f"a{ESC}b\nc", style="red"), table):
        console.print(each, markup=False)
    printed = out.getvalue()
    assert "\x9b" not in printed and "\x1b]" not in printed and "\x1b[31mowned" not in printed
    assert "\x1b[31ma" in printed  # its own colour stays
    assert "\nc" in printed or "\x1b[31mc" in printed


def test_a_reader_that_wants_no_more_ends_a_command_quietly(monkeypatch):
    def closed(text):
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr("tieout.kg.commands.facts.click.echo", closed)
    words = ["kg", "facts", str(SAMPLE / "report.htm"), "--format", "csv"]
    ran = CliRunner().invoke(tieout.main, words)
    assert (ran.exit_code, ran.stdout, "pipe" in ran.stderr) == (141, "", False)


def test_what_is_drawn_for_nobody_is_left_to_the_front_door():
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(BrokenPipeError):
        PlainConsole(file=Closed()).print("words")
