"""Replay: the same requests get the recorded replies, and a run that is replayed is the same run."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from comparing import comparable
from conftest import SAMPLE
from orris import REPORT, report_graph, session
from scripted import ScriptedBackend, answers, calculates, says

from tieout.agent.backends.choose import make_backend
from tieout.agent.backends.replay import ReplayBackend
from tieout.agent.log.log import Log, LogError, log_path, read_events
from tieout.agent.protocol.message import BackendError, Reply
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.data.readers.read import read_conversations
from tieout.kg.build import build
from tieout.ontology.model import default_ontology

QUESTIONS = ("what was the change?", "and in percent?", "anything else?", "what was it?")


def recorded(folder: Path) -> Path:
    path = log_path(folder, REPORT.id)
    replies: tuple[Reply | Exception, ...] = (
        says(("query_kg", {"property": "goodwill"})),
        says(calculates("c", "subtract", "t1r1c1", "t1r1c2"), answers("c"), blocks=({"signature": "x", "n": 1.5},)),
        says(calculates("p", "percentage", "prev_1", "t1r1c2"), answers("p"), confidence=0.5, model="m"),
        BackendError("overloaded", "try later", {"status": 529}),
        says(answers("61.5"), text="“typed”"),
    )
    with Log(path) as log:
        converse(session(*replies, log=log))
    return path


def converse(talk: Session) -> None:
    for question in QUESTIONS:
        talk.ask(question)
    talk.close()


def events(path: Path) -> list[dict[str, object]]:
    return [comparable(event) for event in read_events(path)]


@pytest.mark.parametrize("by", ["file", "folder"])
def test_a_replayed_run_is_the_same_times_apart(tmp_path: Path, by: str) -> None:
    path = recorded(tmp_path / "run")
    backend = ReplayBackend(path if by == "file" else path.parent)
    again = tmp_path / "again.jsonl"
    with Log(again) as log:
        converse(Session(report_graph(), backend, Settings(), log))
    assert events(again) == events(path)
    assert len(events(path)) > 20


def test_a_replay_of_a_replay_is_the_same_too(tmp_path: Path) -> None:
    first, second = recorded(tmp_path / "run"), tmp_path / "second.jsonl"
    for source, target in ((first, second), (second, tmp_path / "third.jsonl")):
        with Log(target) as log:
            converse(Session(report_graph(), ReplayBackend(source), Settings(), log))
    assert events(tmp_path / "third.jsonl") == events(first)


def test_equal_requests_get_their_replies_in_the_order_in_which_they_were_given(tmp_path: Path) -> None:
    path, again = tmp_path / "log.jsonl", tmp_path / "again.jsonl"
    with Log(path) as log:
        backend = ScriptedBackend([says(answers("t1r1c1")), says(answers("t1r1c2"))])
        talk = Session(report_graph(), backend, log=log, independent=True)
        assert [talk.ask("what?").text for _ in range(2)] == ["$60.94 per share", "$25.14 per share"]
    first, second = backend.requests
    assert first == second
    with Log(again) as log:
        talk = Session(report_graph(), ReplayBackend(path), log=log, independent=True)
        assert [talk.ask("what?").text for _ in range(2)] == ["$60.94 per share", "$25.14 per share"]
    assert events(again) == events(path)


def test_another_question_is_said_to_be_another(tmp_path: Path) -> None:
    talk = Session(report_graph(), ReplayBackend(recorded(tmp_path)))
    turn = talk.ask("what was the increase?")
    assert (turn.outcome, turn.message) == (
        "not recorded",
        "call 1 of turn 1 is not the recorded one, they differ in question",
    )


def test_other_settings_are_said_to_be_other(tmp_path: Path) -> None:
    talk = Session(report_graph(), ReplayBackend(recorded(tmp_path)), Settings(strategy="plan"))
    assert "differ in instructions, tools" in talk.ask(QUESTIONS[0]).message


def test_a_question_behind_the_end_of_the_log_is_not_recorded(tmp_path: Path) -> None:
    talk = Session(report_graph(), ReplayBackend(recorded(tmp_path)))
    converse(talk)
    assert talk.ask("one more?").message == "the log has no call 1 in turn 5"


def test_a_log_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"there is no log '.*nowhere' to replay"):
        ReplayBackend(tmp_path / "nowhere")
    recorded(tmp_path).rename(log_path(tmp_path, "another"))
    talk = Session(report_graph(), ReplayBackend(tmp_path))
    assert talk.ask("what?").message.endswith(f"has no conversation about {REPORT.id!r}")


@pytest.mark.parametrize(
    "content",
    ["", "@prefix a: <urn:a> .\n", '{"a": 1}\n', '[{"id": "a report"}]\n', '{"at":"2026-01-01","event":"turn sta'],
)
def test_a_file_that_does_not_begin_with_an_event_is_refused_at_once(tmp_path: Path, content: str) -> None:
    (tmp_path / "notes.jsonl").write_text(content)
    with pytest.raises(LogError, match=r"notes.jsonl' is no event log: name a log"):
        ReplayBackend(tmp_path / "notes.jsonl")
    with pytest.raises(LogError, match="holds no log"):
        ReplayBackend(tmp_path)


def test_a_folder_of_runs_is_refused_at_once_and_each_run_in_it_is_taken(tmp_path: Path) -> None:
    recorded(tmp_path / "runs" / "first")
    with pytest.raises(LogError, match=r"runs' holds no log: name a log, or the folder of one run"):
        ReplayBackend(tmp_path / "runs")
    (tmp_path / "runs" / "first" / "broken.jsonl").write_text("torn")
    assert ReplayBackend(tmp_path / "runs" / "first").name.endswith("first")


def test_a_damaged_log_ends_the_turn_and_not_the_run(tmp_path: Path) -> None:
    path = recorded(tmp_path)
    first, rest = path.read_bytes().split(b"\n", 1)
    path.write_bytes(first + b"\n" + rest[:40] + b"\n" + rest[40:])
    turn = Session(report_graph(), ReplayBackend(path)).ask(QUESTIONS[0])
    assert turn.outcome == "bad log"
    assert "is no event" in turn.message


def test_an_offline_run_over_the_sample_is_replayed_to_the_same_events(tmp_path: Path) -> None:
    tbox = default_ontology(None)[0]
    conversations = tuple(islice(read_conversations(SAMPLE / "ask.json"), 6))

    def run(folder: str, backend: str) -> list[list[dict[str, object]]]:
        answering = make_backend(backend)
        for conversation in conversations:
            with Log(log_path(tmp_path / folder, conversation.id)) as log:
                talk = Session(build(conversation.document, tbox), answering, Settings(), log)
                for question in conversation.questions:
                    talk.ask(question.text)
                talk.close()
        return [events(log_path(tmp_path / folder, conversation.id)) for conversation in conversations]

    offline = run("first", "offline")
    assert run("again", f"replay:{tmp_path / 'first'}") == offline
    assert [told[-1]["turns"] for told in offline] == [len(each.questions) for each in conversations]
