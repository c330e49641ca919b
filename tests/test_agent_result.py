"""An answer for machines: the keys that programs rely on, what they hold, and that they are documented."""

from __future__ import annotations

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE
from orris import report_graph
from scripted import ScriptedBackend, answers, calculates, says

from tieout import main
from tieout.agent.answers.result import result
from tieout.agent.session import Session
from tieout.data.console import print_json

SNAPSHOT = Path(__file__).parent / "snapshots" / "ask.json"
TOP = ["kind", "value", "unit", "scale", "amount", "probability", "flags", "outcome", "answer", "places"]
QUESTIONS = ("what was the operating income in 2013?", "and in 2012?", "what was the change?")


def asked() -> list[dict]:
    """What `ask --json` prints of the sample, without the seconds."""
    report = (str(SAMPLE / "ask.json"), "Single_NORVALE/2013/page_35.pdf-1")
    done = CliRunner().invoke(main, ["ask", *report, *QUESTIONS, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    for each in told:
        del each["metadata"]["seconds"]
    return told


def test_the_json_of_an_answer_is_that_of_the_snapshot(tmp_path, monkeypatch) -> None:
    """After a change that is meant: python tests/test_agent_result.py"""
    monkeypatch.chdir(tmp_path)  # where there is no ontology.ttl
    assert json.dumps(asked(), indent=1) + "\n" == SNAPSHOT.read_text()


def test_the_answer_stands_at_the_top() -> None:
    for told in json.loads(SNAPSHOT.read_text()):
        assert [*told][: len(TOP)] == TOP
        assert Decimal(str(told["amount"])) == Decimal(str(told["value"])) * told["scale"]
        assert 0 <= told["probability"] <= 1
        assert "confidence" not in json.dumps(told)
        assert [place["fact"] for place in told["places"]] == [
            line["name"] for line in told["sheet"]["lines"] if line["fact"]
        ]


def test_every_key_is_documented_and_nothing_else() -> None:
    documented = re.findall(r"^\| (`[^|]+`) \|", (ROOT / "docs" / "json.md").read_text(), re.M)
    assert [name for row in documented for name in re.findall(r"`(\w+)`", row)] == [
        *json.loads(SNAPSHOT.read_text())[0]
    ]


def test_yes_a_question_back_and_a_failure_have_the_same_keys() -> None:
    talk = Session(
        report_graph(),
        ScriptedBackend(
            [
                says(calculates("more", "greater", "t1r1c1", "t1r1c2"), answers("more")),
                says(("clarify", {"question": "Which year?"})),
                says(),
                says(),
            ]
        ),
    )
    yes, back, failed = (result(talk.ask(question)) for question in ("is it more?", "what was it?", "and then?"))
    assert [*yes] == [*back] == [*failed]
    assert [yes[key] for key in TOP[:5]] == ["yes/no", "yes", None, None, None]
    assert [place["raw"] for place in yes["places"]] == ["$ 60.94", "$ 25.14"]
    for told, outcome in ((back, "clarify"), (failed, "no answer")):
        assert [told[key] for key in TOP] == [None] * 6 + [[], outcome, None, []]


@pytest.mark.parametrize(
    ("typed", "printed"), [("3", "3"), ("0.5", "0.5"), ("123456789012345678", "1.2345678901234568e+17")]
)
def test_a_whole_number_is_one_in_json_as_far_as_a_reader_keeps_its_digits(typed: str, printed: str, capsys) -> None:
    told = result(Session(report_graph(), ScriptedBackend([says(answers(typed))])).ask(f"how much is {typed}?"))
    print_json({"value": told["value"]})
    assert capsys.readouterr().out == f'{{\n  "value": {printed}\n}}\n'
    assert told["exact"] == typed


def test_a_number_too_large_for_json_is_given_as_text(capsys) -> None:
    print_json([Decimal("1e999"), Decimal("-Infinity")])
    assert json.loads(capsys.readouterr().out) == ["1E+999", "-Infinity"]


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(asked(), indent=1) + "\n")
