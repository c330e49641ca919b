"""Replies as strong models give them, written by hand and kept in replies.jsonl: what the program makes of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import SAMPLE
from scripted import ScriptedBackend, says

import tieout
from tieout.agent.offline.backend import OfflineBackend
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.session import Session
from tieout.agent.strategies.prompt import PROMPT
from tieout.agent.workspace import Settings
from tieout.eval.score.load import load
from tieout.export.workbook import workbook

openpyxl = pytest.importorskip("openpyxl", reason="NO OPENPYXL: workbooks were not read")
REPLIES = [json.loads(line) for line in Path(__file__).with_name("replies.jsonl").read_text().splitlines()]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    with tieout.open(SAMPLE / "report.htm", store=tmp_path_factory.mktemp("store")) as talk:
        yield talk.session.graph


@pytest.mark.parametrize("kept", REPLIES, ids=[each["question"] for each in REPLIES])
def test_a_kept_reply_reads_as_it_did(report, kept):
    reply = says(*((tool, arguments) for tool, arguments in kept["calls"]))
    session = Session(report, ScriptedBackend([reply, says(text="no more")]), Settings(max_calls=1))
    turn = session.ask(kept["question"])
    refused = [event.output for event in turn.events if event.event == "tool called" and event.error]
    assert (turn.text, refused[:1]) == (kept["text"], [kept["refused"]] if "refused" in kept else [])


def test_the_words_of_a_report_and_its_company_are_found_where_they_are_mistyped(report):
    turn = Session(report, OfflineBackend()).ask("brightmor finshed goods at the end of 2024")
    told = {"'brightmor' is read as 'brightmoor'", "'finshed' is read as 'finished'"}
    assert {flag.message for flag in turn.flags if flag.rule == "read as"} == told
    assert turn.text == Session(report, OfflineBackend()).ask("finished goods at the end of 2024").text is not None


def test_what_was_asked_may_be_said_with_the_answer(report):
    reply = says(("answer", {"value": "t5r21c1", "understood": "net income of 2024"}))
    turn = Session(report, ScriptedBackend([reply])).ask("and net income?")
    assert turn.understanding is not None and turn.understanding.description == "net income of 2024"


def test_every_kind_of_answer_has_figures_in_a_workbook_that_reads_without_a_fault(report, tmp_path):
    pytest.importorskip("xlsxwriter", reason="NO XLSXWRITER: no workbook was written")
    kept = [each for each in REPLIES if each["text"]]
    replies = [says(*((tool, arguments) for tool, arguments in each["calls"])) for each in kept]
    session = Session(report, ScriptedBackend(replies))
    turns = [session.ask(each["question"]) for each in kept]
    book = tmp_path / "answers.xlsx"
    book.write_bytes(workbook(turns, report))
    sheet = openpyxl.load_workbook(book, data_only=True)["Tie-out"]
    steps = {str(row[0]).partition(":")[0] for row in sheet.iter_rows(min_row=2, values_only=True)}
    assert steps == {str(number) for number in range(1, len(turns) + 1)}
    ran = CliRunner().invoke(tieout.main, ["kg", "check", str(book), "--no-shapes"])
    assert ran.exit_code == 0 and "does not add up" not in ran.output, ran.output


def test_the_kept_replies_are_of_every_kind():
    assert len(REPLIES) >= 15
    kinds = {call[1].get("kind", "value") for each in REPLIES for call in each["calls"] if call[0] == "answer"}
    assert {"value", "prose", "table", "name with value"} <= kinds


class Kept:
    """The backend that gives the kept reply to each question, and then has no more to say."""

    name = "kept"

    def reply(self, request: Request) -> Reply:
        calls = next(each["calls"] for each in REPLIES if each["question"] == request.question)
        return says(text="no more") if request.exchanges else says(*map(tuple, calls))


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A run of the kept replies over the sample report."""
    folder = tmp_path_factory.mktemp("recorded")
    asked = [{"id": f"q{at}", "doc": "report.htm", "gold": "words"} for at in range(len(REPLIES))]
    told = [each | {"question": kept["question"]} for each, kept in zip(asked, REPLIES, strict=True)]
    (folder / "questions.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in told), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Kept())
        done = evaluate(folder, "run", "--run", "kept", "--backend", "kept")
    assert done.exit_code == 0, done.output
    return folder


def evaluate(folder: Path, command: str, *options: str) -> Result:
    words = ["eval", command, str(folder / "questions.jsonl"), "--reports", str(SAMPLE), "--runs", str(folder / "runs")]
    return CliRunner().invoke(tieout.main, [*words, "--workers", "1", "--store", str(folder / "store"), *options])


def outcomes(folder: Path, name: str) -> list[tuple[str | None, str]]:
    return [(each.text, each.outcome) for each in load(folder / "runs" / name).results]


def test_a_battle_replays_the_kept_replies_under_another_prompt(run, tmp_path):
    """What is said with each reply is seen before another version of the prompt is told to any model."""
    other = tmp_path / "other.md"
    other.write_text(PROMPT.read_text().replace("You answer questions", "You answer all questions"))
    recorded = f"replay:{run / 'runs' / 'kept'}"
    asked = ("battle", "--prompts", f"ours,{other}", "--run")
    strict = evaluate(run, *asked, "strict", "--backends", recorded)
    assert strict.exit_code == 1
    assert "have no reply in what it replays" in strict.stderr and "'strict-2'" in strict.stderr
    done = evaluate(run, *asked, "told", "--backends", f"{recorded},match=question")
    assert done.exit_code == 0, done.output
    kept = outcomes(run, "kept")
    assert outcomes(run, "strict-1") == outcomes(run, "told-1") == outcomes(run, "told-2") == kept
    assert sorted(text for text, _ in kept if text) == sorted(each["text"] for each in REPLIES if each["text"])


def test_a_battle_over_kept_replies_shows_what_another_way_to_show_makes_of_them(run, monkeypatch):
    """Percentages with three decimals are another text of the same replies."""
    recorded = f"replay:{run / 'runs' / 'kept'},match=question"
    monkeypatch.setenv("TIEOUT_STYLE", "percent=3")
    done = evaluate(run, "run", "--run", "shown", "--backend", recorded)
    assert done.exit_code == 0, done.output
    pairs = zip(outcomes(run, "kept"), outcomes(run, "shown"), strict=True)
    assert ("14.5%", "14.489%") in [(before[0], after[0]) for before, after in pairs if before != after]
