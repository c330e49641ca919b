"""`tieout ask` and `tieout chat`: the answer with its sheet, and one clear line for whatever is wrong."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import ROOT
from orris import REPORT, TBOX
from scripted import ScriptedBackend, answers, calculates, says

from tieout import cli_ask, main
from tieout.agent.log.events import TurnEnded, TurnStarted
from tieout.agent.log.log import is_complete, read_events, verify
from tieout.agent.protocol.message import Reply

CHANGE = says(
    ("understand", {"description": "change of the exercise price"}),
    calculates("change", "subtract", "t1r1c1", "t1r1c2"),
    answers("change"),
)
NO_ANSWER = (says(), says())


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, str]:
    """The report as a file, its id, and a TBox."""
    record = {
        "id": REPORT.id,
        "pre_text": list(REPORT.paragraphs[: REPORT.before]),
        "post_text": list(REPORT.paragraphs[REPORT.before :]),
        "table": [list(row) for row in REPORT.tables[0].rows],
        "annotation": {
            "dialogue_break": ["what was the change?", "and in percent?"],
            "turn_program": ["subtract(60.94, 25.14)", "subtract(60.94, 25.14), divide(#0, 25.14)"],
            "exe_ans_list": [35.8, 1.42403],
        },
    }
    (tmp_path / "report.json").write_text(json.dumps([record]))
    (tmp_path / "tbox.ttl").write_text(TBOX)
    return str(tmp_path / "report.json"), REPORT.id, str(tmp_path / "tbox.ttl")


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch):
    """Makes the next command talk with a scripted backend."""

    def use(*replies: Reply | BaseException) -> ScriptedBackend:
        backend = ScriptedBackend(replies)
        monkeypatch.setattr(cli_ask, "make_backend", lambda name, **more: backend)
        return backend

    return use


def run(*arguments: str, typed: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=typed)


def ask(files: tuple[str, str, str], *arguments: str) -> Result:
    file, identifier, tbox = files
    return run("ask", file, identifier, *arguments, "--ontology", tbox)


def chat(files: tuple[str, str, str], typed: str | bytes, *arguments: str) -> Result:
    file, identifier, tbox = files
    return run("chat", file, identifier, "--ontology", tbox, *arguments, typed=typed)


def failed(result: Result, message: str) -> bool:
    """Whether the command ended with exit code 1 and one line on standard error that holds the message."""
    lines = result.stderr.strip().splitlines()
    return (
        result.exit_code == 1 and len(lines) == 1 and message in lines[0] and result.exception.__class__ is SystemExit
    )


def test_ask_prints_the_answer_and_its_sheet(files, scripted) -> None:
    scripted(CHANGE)
    result = ask(files, "what was the change?")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:4] == [
        "$35.80 per share",
        "$35.80 per share  = subtract($60.94 per share, $25.14 per share)",
        '├── $60.94 per share  exercise price (2007)  "$ 60.94"  table 1, row 1, column 1 [t1r1c1]',
        '└── $25.14 per share  exercise price (2006)  "$ 25.14"  table 1, row 1, column 2 [t1r1c2]',
    ]


def test_ask_prints_json_for_machines(files, scripted) -> None:
    scripted(CHANGE)
    told = json.loads(ask(files, "what was the change?", "--json").stdout)
    assert (told["answer"], told["status"], told["number"]) == ("$35.80 per share", "success", 35.8)
    assert [line["name"] for line in told["sheet"]["lines"]] == ["t1r1c1", "t1r1c2", "change"]


def test_several_questions_give_one_json_list(files, scripted) -> None:
    scripted(CHANGE, *NO_ANSWER)
    result = ask(files, "what was the change?", "and then?", "--json")
    assert [told["status"] for told in json.loads(result.stdout)] == ["success", "failed"]
    assert result.exit_code == 1


def test_several_questions_are_a_conversation(files, scripted) -> None:
    backend = scripted(CHANGE, says(calculates("rate", "percentage", "prev_1", "t1r1c2"), answers("rate")))
    result = ask(files, "what was the change?", "and in percent?")
    lines = result.stdout.splitlines()
    assert [line for line in lines if line.startswith("? ")] == ["? what was the change?", "? and in percent?"]
    assert "142.4%" in lines
    assert len(backend.requests[1].history) == 1


def test_the_questions_of_the_file_can_be_asked(files, scripted) -> None:
    backend = scripted(CHANGE, says(calculates("rate", "percentage", "prev_1", "t1r1c2"), answers("rate")))
    assert ask(files, "--turn", "2").exit_code == 0
    assert [request.question for request in backend.requests] == ["what was the change?", "and in percent?"]
    assert failed(ask(files, "--turn", "3"), "has 2 questions, not 3")
    assert failed(ask(files, "--turn", "1", "why?"), "either questions or --turn")


def test_a_dry_run_shows_the_request_and_asks_nothing(files, scripted) -> None:
    backend = scripted()
    result = ask(files, "what was the change?", "--dry-run")
    assert result.exit_code == 0
    assert "what was the change?" in result.stdout
    assert "exercise price" in result.stdout
    assert backend.requests == []


def test_a_question_without_an_answer_says_why_and_ends_with_1(files, scripted) -> None:
    scripted(*NO_ANSWER)
    result = ask(files, "what?")
    assert failed(result, "no answer (no answer): the backend called no tool")
    assert result.stdout == ""


def test_a_question_back_is_printed_with_its_options(files, scripted) -> None:
    scripted(says(("clarify", {"question": "Which year?", "options": ["2006", "2007"]})))
    result = ask(files, "what?")
    assert (result.exit_code, result.stdout.split("\n")[:3]) == (0, ["Which year?", "  1. 2006", "  2. 2007"])


def test_the_log_of_a_question_replays_it(files, scripted, tmp_path, monkeypatch) -> None:
    scripted(CHANGE)
    log = tmp_path / "log.jsonl"
    first = ask(files, "what was the change?", "--log", str(log))
    assert is_complete(log)
    assert verify(log) is None
    monkeypatch.undo()
    again = ask(files, "what was the change?", "--backend", f"replay:{log}")
    assert again.stdout == first.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "there is no question"),
        (("",), "question 1 is empty"),
        (("a?", "  "), "question 2 is empty"),
        (("a?", "--backend", "oracle"), "there is no backend 'oracle'"),
        (("a?", "--backend", "anthropic:some-model"), "no API key"),
        (("a?", "--backend", "replay:nowhere.jsonl"), "there is no log 'nowhere.jsonl' to replay"),
    ],
)
def test_what_is_wrong_with_a_question_is_said_in_one_line(files, arguments: tuple[str, ...], message: str) -> None:
    assert failed(ask(files, *arguments), message)


def test_a_broken_table_of_prices_is_said_in_one_line(files, scripted, tmp_path, monkeypatch) -> None:
    scripted(CHANGE)
    monkeypatch.setenv("TIEOUT_PRICES", str(tmp_path / "none.toml"))
    assert failed(ask(files, "what was the change?"), "none.toml'; check the path")


def test_a_dry_run_needs_no_key(files, monkeypatch) -> None:
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    result = ask(files, "what was the change?", "--dry-run", "--backend", "anthropic:some-model")
    assert result.exit_code == 0
    assert "Question 1: what was the change?" in result.stdout


def test_of_two_records_with_one_id_it_is_told_which_is_used(files, scripted) -> None:
    scripted(CHANGE)
    path = Path(files[0])
    path.write_text(json.dumps(json.loads(path.read_text()) * 2))
    result = ask(files, "what was the change?")
    assert "$35.80 per share" in result.stdout
    assert result.stderr.count("\n") == 1
    assert "stands in the file twice; the first one is kept" in result.stderr


def test_one_line_says_how_sure_the_answer_is(files, scripted) -> None:
    odd = says(calculates("d", "multiply", "t1r1c1", "t1r1c2"), answers("d"), confidence=0.67)
    scripted(CHANGE, odd)
    lines = ask(files, "what was the change?", "and the product?").stdout.splitlines()
    assert "no check found anything odd" in lines
    assert "probability of being right 67%; checks took 50 of 100 points off: no such unit, not certain" in lines


def test_a_log_is_not_written_twice(files, scripted, tmp_path) -> None:
    scripted(CHANGE, CHANGE)
    log = str(tmp_path / "log.jsonl")
    assert ask(files, "what was the change?", "--log", log).exit_code == 0
    assert failed(ask(files, "what was the change?", "--log", log), "holds a conversation that has ended")


def test_a_fault_of_ours_is_not_told_as_bad_input(files, scripted, monkeypatch) -> None:
    scripted(CHANGE)

    def faulty(*arguments: object) -> None:
        raise ValueError("ours")

    monkeypatch.setattr("tieout.kg.build.build", faulty)
    assert isinstance(ask(files, "what?").exception, ValueError)


def test_the_backend_can_come_from_the_environment(files, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIEOUT_BACKEND", "abacus")
    assert failed(ask(files, "a?"), "there is no backend 'abacus'")


def test_an_unknown_id_file_and_ontology_are_named(files, scripted) -> None:
    scripted()
    file, identifier, tbox = files
    assert failed(run("ask", file, "Single_NONE", "a?", "--ontology", tbox), "Single_NONE")
    assert failed(run("ask", "none.json", identifier, "a?", "--ontology", tbox), "none.json")
    assert failed(run("ask", file, identifier, "a?", "--ontology", "none.ttl"), "none.ttl")


def test_chat_answers_shows_the_sheet_and_ends(files, scripted) -> None:
    scripted(CHANGE)
    result = chat(files, "/sheet\nwhat was the change?\n/sheet\n/nonsense\n\n/quit\n")
    assert result.exit_code == 0
    assert "There is no answer yet." in result.stdout
    assert result.stdout.count("= subtract(") == 2
    assert "There is no /nonsense." in result.stdout
    assert result.stdout.count("/quit (or exit, or Ctrl-D) ends") == 2


@pytest.mark.parametrize("word", ["exit", "quit", ":q", "Exit", "/exit", "/quit"])
def test_chat_is_left_by_the_words_that_people_type(files, scripted, word: str) -> None:
    backend = scripted()
    result = chat(files, f"{word}\nwhat was the change?\n")
    assert (result.exit_code, result.stderr, backend.requests) == (0, "", [])


PROMPT = b"\x1b[?2004h"  # what is written to a terminal with a prompt: pasted lines are to be marked as such


def test_up_brings_back_the_line_before_at_a_terminal(files, tmp_path) -> None:
    file, identifier, tbox = files
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "tieout", "chat", file, identifier, "--ontology", tbox, "--log", str(log)]
    environment = os.environ | {"TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "PYTHONPATH": str(ROOT)}
    terminal, inside = pty.openpty()
    process = subprocess.Popen(
        command, stdin=inside, stdout=inside, stderr=inside, env=environment, start_new_session=True, cwd=tmp_path
    )
    os.close(inside)
    shown = b""
    for typed in (b"what was the exercise price in 2007?\r", b"\x1b[A\r", b"exit\r"):
        start = len(shown)
        while PROMPT not in shown[start:]:
            shown += os.read(terminal, 4096)
        os.write(terminal, typed)
    with suppress(OSError):  # how Linux ends the reading of a terminal that nobody writes to any more
        while os.read(terminal, 4096):
            pass
    os.close(terminal)
    assert process.wait() == 0
    asked = [event.question for event in read_events(log) if isinstance(event, TurnStarted)]
    assert asked == ["what was the exercise price in 2007?"] * 2


def test_chat_ends_quietly_at_the_end_of_its_input(files, scripted, tmp_path) -> None:
    scripted(CHANGE)
    log = tmp_path / "log.jsonl"
    assert chat(files, "what was the change?\n", "--log", str(log)).exit_code == 0
    assert is_complete(log)


def test_chat_survives_an_interrupt_and_goes_on(files, scripted, tmp_path) -> None:
    scripted(KeyboardInterrupt(), CHANGE)
    log = tmp_path / "log.jsonl"
    result = chat(files, "what?\nwhat was the change?\n", "--log", str(log))
    assert "stopped; the question was not answered" in result.stderr
    assert "$35.80 per share" in result.stdout
    assert verify(log) is None


def test_control_c_ends_ask_and_chat_alike(files, scripted, monkeypatch, tmp_path) -> None:
    def stopped(prompt: object) -> str:
        raise KeyboardInterrupt

    scripted(KeyboardInterrupt())
    assert ask(files, "what?").exit_code == 130
    monkeypatch.setattr(cli_ask.console, "input", stopped)
    log = tmp_path / "log.jsonl"
    result = chat(files, "", "--log", str(log))
    assert (result.exit_code, result.stderr.strip()) == (130, "tieout: stopped")
    assert is_complete(log)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("\u200b\n".encode(), "the question is empty"),
        (b"what was it\xff" + b" " * 8192 + b"\n", "this is not valid text: type it again"),
        (b"what " * 20_000 + b"\n", "the question has 99,999 characters, more than the 65,536 that are read"),
    ],
)
def test_chat_goes_on_after_what_is_no_question(files, scripted, typed: bytes, message: str) -> None:
    scripted(CHANGE)
    result = chat(files, typed + b"what was the change?\n")
    assert (result.exit_code, result.stderr) == (0, f"tieout: {message}\n")
    assert "$35.80 per share" in result.stdout


def test_chat_hands_a_question_back_to_the_user(files, scripted) -> None:
    backend = scripted(says(("clarify", {"question": "Which year?", "options": ["2006", "2007"]})), CHANGE)
    result = chat(files, "what was it?\n2\n")
    assert "Which year?" in result.stdout
    assert backend.requests[1].question == "what was it? (2007)"
    assert "$35.80 per share" in result.stdout


def test_chat_can_wait_for_a_yes_or_a_correction(files, scripted) -> None:
    backend = scripted(CHANGE, says(("understand", {"description": "price of 2006"}), answers("t1r1c2")))
    result = chat(files, "what was it?\nno, the price of 2006\nyes\n", "--confirm")
    assert "understood: change of the exercise price" in result.stdout
    assert "no, the price of 2006" in backend.requests[1].exchanges[0].feedback
    assert "$25.14 per share" in result.stdout


def test_chat_asks_what_is_meant_behind_a_no(files, scripted) -> None:
    backend = scripted(CHANGE, says(("understand", {"description": "price of 2006"}), answers("t1r1c2")))
    result = chat(files, "what was it?\nNo.\nthe price of 2006\ny\n", "--confirm")
    assert "what is meant?" in result.stdout
    assert backend.requests[1].exchanges[0].feedback.endswith("not what was meant: the price of 2006")
    assert "$25.14 per share" in result.stdout


@pytest.mark.parametrize("typed", ["", "no\n", "no\n\n"])
def test_a_question_that_is_neither_confirmed_nor_corrected_is_dropped(files, scripted, typed: str) -> None:
    backend = scripted(CHANGE)
    result = chat(files, f"what was it?\n{typed}", "--confirm")
    assert result.stderr == "no answer (dropped): the question was neither confirmed nor corrected\n"
    assert "$" not in result.stdout
    assert len(backend.requests) == 1


@pytest.mark.parametrize("correction", ["what was it in 2006?\n", "no\nwhat was it in 2006?\n"])
def test_the_offline_backend_is_asked_the_correction_as_the_next_question(files, tmp_path, correction: str) -> None:
    log = tmp_path / "log.jsonl"
    typed = f"what was the exercise price in 2007?\n{correction}yes\n"
    result = chat(files, typed, "--confirm", "--log", str(log))
    assert result.stderr == "no answer (dropped): asked again as it is meant: what was it in 2006?\n"
    assert "$25.14 per share" in result.stdout and "$60.94 per share" not in result.stdout
    ended = [event.outcome for event in read_events(log) if isinstance(event, TurnEnded)]
    assert ended == ["dropped", "answer"]


def test_there_is_nothing_to_confirm_under_the_strategy_plain(files) -> None:
    result = chat(files, "", "--confirm", "--strategy", "plain", "--backend", "anthropic:m")
    assert result.exit_code == 1 and "leave out --confirm" in result.stderr and result.stderr.count("\n") == 1


def test_every_command_says_what_it_is_for() -> None:
    for command in ("ask", "chat"):
        result = run(command, "--help")
        assert result.exit_code == 0
        assert "reports in FILES" in " ".join(result.stdout.split())
