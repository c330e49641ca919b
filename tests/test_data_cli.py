"""`tieout list`: what is in a file of reports."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from conftest import SAMPLE

from tieout import main
from tieout.data.console import print_json


@pytest.fixture
def run():
    return lambda *arguments: CliRunner().invoke(main, ["list", *map(str, arguments)])


def test_reports_are_listed_with_the_number_of_their_questions_and_the_first(run):
    lines = run(SAMPLE / "ask.json").stdout.splitlines()
    assert lines[0].split() == ["id", "questions", "first", "question"]
    assert lines[1].split(maxsplit=2)[:2] == ["Single_NORVALE/2013/page_35.pdf-1", "6"]
    assert "what was the operating income in" in lines[1]  # the rest of it is on the next line at this width
    assert sum("/page_" in line for line in lines) == 19


def test_the_list_is_json_for_machines_and_a_report_without_questions_is_in_it(run, tmp_path):
    page = {"id": "a", "pre_text": ["sales were $ 5 ."], "post_text": []}
    (tmp_path / "page.json").write_text(json.dumps([page, page]))
    done = run(tmp_path / "page.json", "--json")
    assert json.loads(done.stdout) == [{"id": "a", "questions": 0, "first": None}]
    assert "left out" in done.stderr and "stands in the file twice" in done.stderr


def test_a_missing_file_is_one_line(run):
    done = run("none.json")
    assert (done.exit_code, done.stderr) == (1, "tieout: no such file: 'none.json'; check the path\n")


def test_json_for_machines_holds_a_lone_surrogate_escaped(capsys):
    print_json({"name": "a\ud800 – b"})
    printed = capsys.readouterr().out
    assert "a\\ud800 – b" in printed
    assert json.loads(printed) == {"name": "a\ud800 – b"}
