"""The log: whole lines only, chained, and honest about what is torn."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from comparing import comparable
from orris import session
from scripted import answers, calculates, says

from tieout.agent.log.events import ConversationEnded, Event, TurnEnded, TurnStarted
from tieout.agent.log.log import Log, LogError, is_complete, log_path, read_events, verify
from tieout.agent.log.recorded import read_conversation
from tieout.agent.protocol.message import Usage
from tieout.eval.run.logs import cut_back


def turn(number: int) -> tuple[Event, Event]:
    ended = TurnEnded(turn=number, outcome="answer", model_calls=1, tool_calls=2, usage=Usage(), usd=None, seconds=0.25)
    return TurnStarted(turn=number, question="what was it — “in 2007”?"), ended


def write(path: Path, *events: Event) -> None:
    with Log(path) as log:
        for event in events:
            log.append(event)


def whole(path: Path) -> tuple[Event, ...]:
    events = (*turn(0), *turn(1), ConversationEnded(turns=2, outcomes=("answer", "answer"), seconds=1))
    write(path, *events)
    return events


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "a" / "log.jsonl"
    events = whole(path)
    assert tuple(read_events(path)) == events
    assert is_complete(path)
    assert verify(path) is None


@pytest.mark.parametrize(("operation", "value"), [("divide", Decimal(1)), ("subtract", Decimal(0)), ("greater", False)])
def test_a_one_and_a_nought_are_read_back_as_numbers_and_a_truth_as_a_truth(tmp_path: Path, operation, value) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path) as log:
        talk = session(says(calculates("x", operation, "t1r1c1", "t1r1c1"), answers("x")), log=log)
        asked = talk.ask("what is it to itself?")
        talk.close()
    (read,) = read_conversation(path, talk.graph.document_id).turns
    assert (type(read.number), read.number) == (type(asked.number), asked.number) == (type(value), value)


def test_every_event_is_one_line_of_json(tmp_path: Path) -> None:
    whole(tmp_path / "log.jsonl")
    lines = (tmp_path / "log.jsonl").read_text().splitlines()
    assert [json.loads(line)["event"] for line in lines][-1] == "conversation ended"
    assert len(lines) == 5


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    events = whole(path)
    content = path.read_bytes()
    for length in range(len(content) - 60, len(content)):
        path.write_bytes(content[:length])
        assert tuple(read_events(path)) == events[:4]
        assert not is_complete(path)
        assert verify(path) == "the conversation did not come to its end"


def test_a_torn_middle_line_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole(path)
    lines = path.read_bytes().splitlines()
    lines[2] = lines[2][:40]
    path.write_bytes(b"\n".join(lines) + b"\n")
    with pytest.raises(LogError, match=r"log.jsonl', line 3 is no event: it is damaged"):
        list(read_events(path))
    assert verify(path) == "line 3 is damaged"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda lines: [lines[0], lines[1].replace(b"0.25", b"0.99"), *lines[2:]], "line 2 was changed"),
        (lambda lines: [*lines[:-1], lines[-1].replace(b'"turns":2', b'"turns":3')], "line 5 was changed"),
        (lambda lines: [*lines, *lines], "line 5 ends the conversation, and others follow"),
        (lambda lines: [lines[0], *lines[2:]], "line 2 does not follow line 1"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], "line 1 does not follow line 0"),
        (lambda lines: lines[:-1], "the conversation did not come to its end"),
        (lambda lines: [], "the conversation did not come to its end"),
    ],
)
def test_a_changed_a_moved_and_a_missing_line_are_found(tmp_path: Path, change, problem: str) -> None:
    path = tmp_path / "log.jsonl"
    whole(path)
    path.write_bytes(b"".join(line + b"\n" for line in change(path.read_bytes().splitlines())))
    assert (verify(path) or "").startswith(problem)


def test_a_line_that_is_json_but_no_event_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"event": "holiday", "previous": ""}\n')
    with pytest.raises(LogError, match="line 1 is no event"):
        list(read_events(path))


def test_writing_goes_on_behind_a_torn_line_and_keeps_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole(path)
    path.write_bytes(path.read_bytes()[:-10])
    write(path, ConversationEnded(turns=2, outcomes=(), seconds=1))
    assert verify(path) is None
    assert len(list(read_events(path))) == 5


def test_a_log_is_cut_back_to_its_last_whole_turn(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, *turn(0), turn(1)[0])
    assert cut_back(path) == turn(0)
    assert tuple(read_events(path)) == turn(0)
    write(tmp_path / "other.jsonl", turn(0)[0])
    assert cut_back(tmp_path / "other.jsonl") == ()
    assert (tmp_path / "other.jsonl").read_bytes() == b""


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    code = f"from pathlib import Path; from tieout.agent.log.log import Log; Log(Path({str(path)!r}))"
    with Log(path):
        other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path.cwd())
    assert "is being written by another process" in other.stderr
    Log(path).close()


def test_a_full_disk_is_said_in_one_line_and_leaves_the_log_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    real = os.write
    with Log(path) as log, Path("/dev/full").open("wb", buffering=0) as full:
        log.append(turn(0)[0])
        monkeypatch.setattr(os, "write", lambda file, line: real(full.fileno(), line))
        with pytest.raises(LogError, match="No space left on device"):
            log.append(turn(0)[1])
        monkeypatch.setattr(os, "write", lambda file, line: real(file, line[:7]))
        with pytest.raises(LogError, match=r"no space for \d+ bytes"):
            log.append(turn(0)[1])
        monkeypatch.undo()
        assert len(path.read_bytes().splitlines()) == 1
        log.append(turn(0)[1])
    assert tuple(read_events(path)) == turn(0)


def test_a_missing_log_and_a_folder_in_its_place_are_named(tmp_path: Path) -> None:
    with pytest.raises(LogError, match=r"no such file: '.*none.jsonl'; check the path"):
        list(read_events(tmp_path / "none.jsonl"))
    with pytest.raises(LogError, match="Is a directory"):
        Log(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(LogError, match=r"file/log.jsonl'"):
        Log(tmp_path / "file" / "log.jsonl")


def test_the_file_of_a_conversation_is_safe_whatever_its_id(tmp_path: Path) -> None:
    plain = log_path(tmp_path, "Single_ORRIS/2007/page_61.pdf-1")
    assert plain.name == "Single_ORRIS%2F2007%2Fpage_61.pdf-1.jsonl"
    for identifier in ("../../etc/passwd", "a" * 1000, "é" * 300, ""):
        path = log_path(tmp_path, identifier)
        assert path.parent == tmp_path
        assert len(path.name) <= 255
    assert log_path(tmp_path, "a" * 1000) != log_path(tmp_path, "a" * 1001)


def test_times_are_no_part_of_a_comparison() -> None:
    one, other = (TurnStarted(at=at, turn=0, question="?") for at in ("2026-01-01", "2027-01-01"))
    assert comparable(one) == comparable(other)
    assert "seconds" not in comparable(turn(0)[1])


def test_a_log_that_has_ended_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    whole(path)
    before = path.read_bytes()
    with pytest.raises(LogError, match=r"log.jsonl' holds a conversation that has ended: name another file"):
        Log(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["notes\n", "half a line", '[{"id": "a report"}]', '{"a": 1}\n'])
def test_a_file_that_is_no_event_log_is_refused_and_left_as_it_is(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content)
    with pytest.raises(LogError, match=r"notes.txt' is no event log: name another file"):
        Log(path)
    assert path.read_text() == content


def test_a_log_that_was_torn_in_its_first_line_is_begun_again(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    for torn in (b"", b'{"a', b'{"at":"2026-01-01","event":"turn sta'):
        path.write_bytes(torn)
        write(path, *turn(0))
        assert tuple(read_events(path)) == turn(0)


def test_a_log_whose_last_line_was_changed_is_not_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    write(path, *turn(0))
    path.write_bytes(path.read_bytes().replace(b"0.25", b"0.99"))
    with pytest.raises(LogError, match="line 2 is damaged"):
        Log(path)


def test_a_reply_that_cannot_be_written_is_counted_as_it_is_paid_for(tmp_path: Path) -> None:
    reply = says(answers("t1r1c1"), text="\ud800", usage=Usage(input=1_000_000), model="claude-sonnet-5-5")
    with Log(tmp_path / "log.jsonl") as log:
        asked = session(reply, log=log).ask("what was the price?")
    assert (asked.outcome, asked.model_calls, asked.usage.input, asked.usd) == ("error", 1, 1_000_000, Decimal(2))
