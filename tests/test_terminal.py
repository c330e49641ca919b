"""`tieout chat` as somebody uses it at a terminal: keys, pastes, the commands that begin with a slash."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from conftest import SAMPLE
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from rich.console import ColorSystem

from tieout import main
from tieout.agent.log.log import verify
from tieout.agent.log.recorded import read_conversation
from tieout.terminal import lines

PAGE = "Single_NORVALE/2013/page_35.pdf-1"
ASKED = "what was the operating income in 2013?"
STYLES, BOLD = r"\x1b\[[\d;]*m", r"\x1b\[(?:\d+;)*1[;m]"
UP, CTRL_C, CTRL_D, PASTE, PASTED = "\x1b[A", "\x03", "\x04", "\x1b[200~", "\x1b[201~"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page as a file of its own, in the working folder."""
    record = next(each for each in json.loads((SAMPLE / "ask.json").read_text()) if each["id"] == PAGE)
    (tmp_path / "page.json").write_text(json.dumps([record]))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch):
    """What these keys make of the next lines at a terminal: the questions, then what replies to a question of ours."""

    def press(*texts: str) -> list[str | None]:
        monkeypatch.setattr(lines, "is_typed", lambda: True)
        there = lines.Lines(words=("/help",))
        found = []
        with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
            for text in texts:
                pipe.send_text(text)
                found.append(there.question())
        return found

    return press


def chat(*typed: str, options: tuple[str, ...] = (), file: str = "page.json") -> Result:
    done = CliRunner().invoke(main, ["chat", file, *options], input="".join(f"{line}\n" for line in typed))
    assert done.exit_code == 0, done.output
    return done


def test_arrow_keys_edit_and_bring_back_lines_and_control_d_ends(keys) -> None:
    assert keys("net sals?\x1b[D\x1b[De\r", f"{UP}\r", CTRL_D) == ["net sales?", "net sales?", None]


def test_lines_are_kept_for_the_next_conversation_and_no_one_else(keys, folder) -> None:
    keys("net sales?\r")
    assert keys(f"{UP}\r", CTRL_D) == ["net sales?", None]
    assert (folder / ".tieout" / "chat-history").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_written_has_a_history_too(keys, folder) -> None:
    (folder / ".tieout").write_text("a file")
    assert keys("a?\r", f"{UP}\r", CTRL_D) == ["a?", "a?", None]


def test_control_c_clears_the_line(keys) -> None:
    assert keys(f"what was tha{CTRL_C}", "net sales?\r", CTRL_C, CTRL_D) == ["", "net sales?", "", None]


def test_a_paste_of_many_lines_is_one_question(keys) -> None:
    assert keys(f"{PASTE}what was\r\n the operating income\nin 2013?{PASTED}\r", CTRL_D) == [ASKED, None]


def test_a_reply_to_a_question_of_ours_is_in_no_history(monkeypatch) -> None:
    monkeypatch.setattr(lines, "is_typed", lambda: True)
    with create_pipe_input() as pipe, create_app_session(input=pipe, output=DummyOutput()):
        pipe.send_text("net sales?\r")
        there = lines.Lines()
        assert there.question() == "net sales?"
        pipe.send_text("yes\r")
        assert there.reply("right? ") == "yes"
        pipe.send_text(CTRL_C)
        assert there.reply("right? ") is None
        pipe.send_text(f"{UP}\r")
        assert there.question() == "net sales?"


def test_why_sources_and_open_show_what_the_last_answer_rests_on() -> None:
    said = chat("/why", "/open", ASKED, "/why", "/sources", "/open", "/open s0", "/open t1r2c1", "/open t9").stdout
    assert said.count("There is no answer yet.") == 1
    assert "understood: operating income (2013) [t1r7c1]" in said and "because: " in said
    assert "t1r7c1   559.5" in said
    assert said.count("restructuring") >= 2 and said.count("631.3") == 2
    _, _, behind = said.partition("sentence 0\n")
    assert behind.lstrip().lower().startswith("norvale industries 2019")


def test_a_heading_that_is_the_caption_too_is_said_once() -> None:
    said = chat("what was revenue in 2024?", "/open t5", file=str(SAMPLE / "report.htm")).stdout
    assert said.count("CONSOLIDATED STATEMENTS OF OPERATIONS") == 1


def test_what_cannot_be_opened_or_saved_is_told_in_one_line_each() -> None:
    done = chat("/open", "/open t9", "/open s99", "/save", "/save a.pdf", "/save a.md", "/undo")
    lines_ = [line for line in done.stderr.splitlines() if line.startswith("tieout: ")]
    told = (
        "nothing was asked yet",
        "no part 't9'",
        "no sentence 99",
        "name a file",
        "'a.pdf' is in no form",
        "nothing",
    )
    assert len(lines_) == len(told) and all(words in line for words, line in zip(told, lines_, strict=True))
    assert "There is nothing to take back." in done.stdout


def test_help_names_every_command_and_terms_what_is_kept(folder) -> None:
    said = chat("/help", "/terms").stdout
    for name in ("/undo", "/why", "/open", "/sources", "/terms", "/save", "/quit"):
        assert name in said
    assert "No term is kept" in said
    CliRunner().invoke(main, ["term", "add", "EBIT", "operating income", "--memory", "kept"])
    assert "operating income" in chat("/terms", options=("--memory", "kept")).stdout


def test_a_conversation_is_saved_as_its_suffix_says(folder) -> None:
    chat(ASKED, "/save said.html", "/save said.json")
    assert "559.5" in (folder / "said.html").read_text()
    assert json.loads((folder / "said.json").read_text())[0]["value"] == 559.5


def test_a_question_is_taken_back_and_the_log_goes_on_in_a_new_file(folder) -> None:
    said = chat(ASKED, "and in 2011?", "/undo", "and in 2012?", options=("--log", "log.jsonl")).stdout
    assert "taken back: and in 2011?" in said and "531.5" in said and "631.3" in said
    logs = [read_conversation(folder / name, PAGE) for name in ("log.jsonl", "log-2.jsonl")]
    asked = [[turn.question for turn in each.turns] for each in logs]
    assert asked == [[ASKED, "and in 2011?"], [ASKED, "and in 2012?"]]
    assert all(each.ended for each in logs) and verify(folder / "log-2.jsonl") is None


def test_a_command_in_place_of_a_choice_is_done_and_not_asked() -> None:
    said = chat("what was goodwill?", "/why", "what was zorkmid?", "exit", ASKED).stdout
    assert "asked back: " in said and "559.5" not in said


def test_offline_too_a_question_is_confirmed_or_said_again() -> None:
    done = chat("what was it in 2013?", "operating income in 2012", "yes", ASKED, "", options=("--confirm",))
    assert done.stdout.count("understood: ") == 3
    assert "$631.3 million" in done.stdout and "$559.5 million" in done.stdout


def test_a_doubtful_answer_begins_with_its_readings_and_has_no_bold_number(monkeypatch) -> None:
    from tieout.data.console import console

    monkeypatch.setattr(console, "_force_terminal", True)
    monkeypatch.setattr(console, "_color_system", ColorSystem.STANDARD)
    monkeypatch.setattr(console, "_width", 200)
    done = CliRunner().invoke(main, ["ask", "page.json", PAGE, "by how much did the income change?"])
    first, second, third, *_ = re.sub(STYLES, "", done.stdout).splitlines()
    assert first.startswith("not sure (") and first.endswith("): the question can be read as")
    assert second.startswith("  1. the difference of ") and ": $" in second and second.endswith(" million")
    assert third.startswith("  2. ")
    assert not re.search(BOLD, done.stdout)
    sure = CliRunner().invoke(main, ["ask", "page.json", PAGE, ASKED])
    assert "$559.5 million" in sure.stdout.splitlines()[0] and re.search(BOLD, sure.stdout)


def test_at_a_terminal_no_word_of_an_answer_is_broken(monkeypatch) -> None:
    from tieout.data.console import console

    asked = ["ask", "page.json", PAGE, "by how much did the income change?"]
    whole = CliRunner().invoke(main, asked).stdout
    monkeypatch.setattr(console, "_force_terminal", True)
    monkeypatch.setattr(console, "_color_system", None)
    monkeypatch.setattr(console, "_width", 50)
    narrow = CliRunner().invoke(main, asked).stdout
    assert max(map(len, whole.splitlines())) > 50 >= max(len(line.rstrip()) for line in narrow.splitlines())
    assert set(whole.split()) <= set(narrow.split())
    second = next(line for line in narrow.splitlines() if line.startswith("  1. "))
    assert second.startswith("  1. the difference") and "\n     " in narrow


def test_a_choice_is_asked_for_in_words_and_what_a_pipe_answers_is_shown() -> None:
    said = chat("what was goodwill?", "/save said.html").stdout.splitlines()
    at = next(number for number, line in enumerate(said) if line.endswith("/save said.html"))
    assert said[at].startswith(("which one? ", "what is meant? ")) and not said[at + 1].startswith("!")
