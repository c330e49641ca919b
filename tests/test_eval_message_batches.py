"""First requests of conversations together, through the Message Batches API, over loopback."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce

import pytest
from messages_server import Answer, error, message, serving, use
from orris import report_graph
from scripted import ScriptedBackend, answers, says

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.protocol.message import BackendError
from tieout.agent.session import Session
from tieout.agent.workspace import Settings
from tieout.eval.run.message_batches import Prefetched, ask_in_batches, key_of, read_replies, written

USAGE = {"input_tokens": 1_000_000, "output_tokens": 0}


def requests(*questions, **settings):
    graph = report_graph()
    return [Session(graph, ScriptedBackend([]), Settings(**settings)).request(question) for question in questions]


def told(body):
    """Answers 2007 with the price of 2007, anything else with that of 2006."""
    question = body["messages"][0]["content"][0]["text"]
    value = "t1r1c1" if "2007" in question else "t1r1c2"
    return message(use("answer", {"value": value}), usage=USAGE, model="claude-sonnet-5-5")


@pytest.fixture
def endpoint(monkeypatch):
    opened = []

    def start(*steps, batches=True):
        context = serving(*steps)
        server = context.__enter__()
        server.has_batches = batches
        monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend = AnthropicBackend.parse("claude-sonnet-5-5,retries=0")
        opened.append((context, backend))
        return server, backend

    yield start
    for context, backend in opened:
        backend.client.close()
        context.__exit__(None, None, None)


def test_the_replies_of_a_batch_find_their_requests_in_whatever_order_they_come(endpoint):
    server, backend = endpoint(told)
    asked = requests("price in 2007?", "price in 2006?", "price in 2007?")
    pauses = []
    replies = ask_in_batches(backend, asked, pauses.append)
    assert len(replies) == 2, "equal requests are asked once"
    assert replies[key_of(asked[0])].calls[0].arguments == {"value": "t1r1c1"}
    assert replies[key_of(asked[1])].calls[0].arguments == {"value": "t1r1c2"}
    assert pauses == [2.0]
    assert server.requests[0].path == "/v1/messages/batches"
    sent = server.requests[0].body["requests"][0]["params"]
    assert sent["system"][1]["cache_control"] == {"type": "ephemeral"}


def test_a_prefetched_reply_is_given_once_and_costs_half(endpoint):
    server, backend = endpoint(told)
    replies = ask_in_batches(backend, requests("price in 2007?"), lambda seconds: None)
    sent = len(server.requests)
    session = Session(report_graph(), Prefetched(backend, replies), Settings())
    turn = session.ask("price in 2007?")
    assert (turn.number, turn.usd, len(server.requests)) == (Decimal("60.94"), Decimal(1), sent)
    again = Session(report_graph(), session.backend, Settings()).ask("price in 2007?")
    assert (again.usd, len(server.requests)) == (Decimal(2), sent + 1)


def test_what_a_batch_does_not_answer_is_asked_for_as_usual(endpoint):
    _, backend = endpoint(error(529, "overloaded_error"), told)
    asked = requests("price in 2007?", "price in 2006?")
    replies = ask_in_batches(backend, asked, lambda seconds: None)
    assert list(replies) == [key_of(asked[1])]
    assert Prefetched(backend, replies).reply(asked[0]).calls[0].arguments == {"value": "t1r1c1"}


GOOD = message(use("answer", {"value": "t1r1c2"}))
ODD = {
    "a text for a message": "hello",
    "no message": None,
    "no content": GOOD | {"content": None},
    "no usage": GOOD | {"usage": None},
    "a block of no kind": GOOD | {"content": [{}]},
    "a text for a block": GOOD | {"content": ["hello"]},
    "a text that is a number": GOOD | {"content": [{"type": "text", "text": 1}]},
    "a text for arguments": message(use("answer", "value=1")),
    "an unknown stop reason": GOOD | {"stop_reason": "holiday"},
    "a list for a stop reason": GOOD | {"stop_reason": ["end_turn"]},
    "arguments nested too deeply": message(use("answer", reduce(lambda inner, _: {"a": inner}, range(600), {}))),
    "no stop reason": GOOD | {"stop_reason": None},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_an_odd_result_is_left_out_and_the_others_are_taken(endpoint, odd):
    _, backend = endpoint(Answer(odd), GOOD)
    first, second = requests("price in 2007?", "price in 2006?")
    replies = ask_in_batches(backend, (first, second), lambda seconds: None)
    assert list(replies) == [key_of(second)]


def test_a_result_without_a_name_or_a_result_is_left_out(endpoint):
    server, backend = endpoint(GOOD)
    first, second = requests("price in 2007?", "price in 2006?")

    def spoil(seconds):
        server.batches["msgbatch_1"][0].pop("result")
        server.batches["msgbatch_1"].append({"result": {"type": "succeeded"}})

    assert list(ask_in_batches(backend, (first, second), spoil)) == [key_of(second)]


def test_replies_with_a_lone_surrogate_go_through_a_file(endpoint):
    _, backend = endpoint(message(use("answer", {"value": "t1r1c1", "k\ud800": "\udfff"})))
    replies = ask_in_batches(backend, requests("price?"), lambda seconds: None)
    lines = "".join(written(replies)).encode().decode()
    assert read_replies(lines.splitlines(keepends=True)) == replies and "\ufffd" in lines


def test_an_endpoint_without_batches_says_so(endpoint):
    _, backend = endpoint(told, batches=False)
    with pytest.raises(BackendError) as raised:
        ask_in_batches(backend, requests("price?"), lambda seconds: None)
    assert raised.value.outcome == "not found"


def test_in_two_phases_the_first_request_is_the_one_that_is_made(endpoint):
    _, backend = endpoint(message(use("understand", {"description": "x"})), message(use("answer", {"value": "t1r1c1"})))
    replies = ask_in_batches(backend, requests("price?", two_phase=True), lambda seconds: None)
    turn = Session(report_graph(), Prefetched(backend, replies), Settings(two_phase=True)).ask("price?")
    assert (turn.number, turn.model_calls) == (Decimal("60.94"), 2)


def test_replies_go_through_a_file_unchanged():
    replies = {key_of(request): says(answers("t1r1c1"), text="a\ttab\nand a line") for request in requests("a?", "b?")}
    assert read_replies("".join(written(replies)).splitlines(keepends=True)) == replies
