"""Replies as strong models give them, written by hand and kept in replies.jsonl: what the program makes of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import SAMPLE
from scripted import ScriptedBackend, says

import tieout
from tieout.agent.session import Session
from tieout.agent.workspace import Settings

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


def test_what_was_asked_may_be_said_with_the_answer(report):
    reply = says(("answer", {"value": "t5r21c1", "understood": "net income of 2024"}))
    turn = Session(report, ScriptedBackend([reply])).ask("and net income?")
    assert turn.understanding is not None and turn.understanding.description == "net income of 2024"


def test_the_kept_replies_are_of_every_kind():
    assert len(REPLIES) >= 15
    kinds = {call[1].get("kind", "value") for each in REPLIES for call in each["calls"] if call[0] == "answer"}
    assert {"value", "prose", "table", "name with value"} <= kinds
