"""The Messages API through the real SDK, over loopback: what is sent, what is read, a name for all that goes wrong."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise

import pytest
from conftest import ROOT
from messages_server import Answer, error, events_of, message, serving, streamed, text, thinking, use

from tieout.agent.backends.anthropic_backend import AnthropicBackend, decode
from tieout.agent.backends.anthropic_request import Options, encode
from tieout.agent.backends.options import BackendNameError
from tieout.agent.protocol.message import (
    BackendError,
    Card,
    Exchange,
    PriorTurn,
    Reply,
    Request,
    ToolCall,
    ToolResult,
    ToolSpec,
)

KEY = "sk-ant-test-0123456789"
LOOK_UP = ToolSpec(
    name="look_up",
    description="Takes a fact.",
    parameters={"type": "object", "properties": {"fact": {"type": "string"}}, "required": ["fact"]},
)
ANSWER = ToolSpec(
    name="answer",
    description="Ends the turn.",
    parameters={"type": "object", "properties": {"value": {"type": "string"}}},
)
REQUEST = Request(
    instructions="Answer by tools.",
    tools=(LOOK_UP, ANSWER),
    card=Card(document_id="d", facts=(), text="t1r1 | sales | 10 | 12"),
    question="what were sales?",
)


@pytest.fixture
def served(monkeypatch):
    """A server with its steps, and a backend that talks to it."""
    opened = []

    def start(*steps, settings="retries=0", on_text=None):
        context = serving(*steps)
        server = context.__enter__()
        opened.append(context)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend = AnthropicBackend.parse(f"test-model,{settings}" if settings else "test-model", on_text=on_text)
        opened.append(backend)
        return server, backend

    yield start
    for thing in reversed(opened):
        if isinstance(thing, AnthropicBackend):
            thing.client.close()
        else:
            thing.__exit__(None, None, None)


def outcome(backend, request=REQUEST):
    with pytest.raises(BackendError) as raised:
        backend.reply(request)
    assert KEY not in str(raised.value) and KEY not in repr(raised.value.detail)
    return raised.value.outcome


# What is sent


def test_tools_come_first_then_instructions_and_card_each_with_its_breakpoint():
    arguments = encode(REQUEST, Options("m"))
    assert [tool["name"] for tool in arguments["tools"]] == ["look_up", "answer"]
    assert [block["text"] for block in arguments["system"]] == ["Answer by tools.", "t1r1 | sales | 10 | 12"]
    assert [block.get("cache_control") for block in arguments["system"]] == [{"type": "ephemeral"}] * 2
    assert arguments["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Question 1: what were sales?"}]}
    ]
    assert "temperature" not in arguments


def test_tool_schemas_are_sent_with_sorted_keys():
    shuffled = ToolSpec(
        name="x", description="", parameters={"type": "object", "b": {"z": 1, "a": 2}, "a": [{"d": 1, "c": 2}]}
    )
    sent = encode(REQUEST.model_copy(update={"tools": (shuffled,)}), Options("m"))["tools"][0]["input_schema"]
    assert json.dumps(sent) == '{"a": [{"c": 2, "d": 1}], "b": {"a": 2, "z": 1}, "type": "object"}'


def conversation_of(turns: int) -> Request:
    history = tuple(
        PriorTurn(
            question=f"question {n}?",
            answer=f"{n} USD",
            operation="lookup",
            facts=(f"t1r{n}c1",),
            entry="prev_1",
            about="sales",
        )
        for n in range(1, turns + 1)
    )
    return REQUEST.model_copy(update={"history": history, "question": f"question {turns + 1}?"})


def without_breakpoints(value):
    if isinstance(value, dict):
        return {key: without_breakpoints(item) for key, item in value.items() if key != "cache_control"}
    return [without_breakpoints(item) for item in value] if isinstance(value, list) else value


def cached_bytes(arguments) -> str:
    """What the cache is asked to keep, in the order in which the API puts it together: up to the last breakpoint."""
    blocks = arguments["messages"][0]["content"]
    last = max((i for i, block in enumerate(blocks) if "cache_control" in block), default=-1)
    return json.dumps(without_breakpoints([arguments["tools"], arguments["system"], *blocks[: last + 1]]))[:-1]


def test_the_prefix_of_every_turn_is_that_of_the_next_to_the_byte():
    requests = [encode(conversation_of(turns), Options("m")) for turns in range(6)]
    for index, (now, after) in enumerate(pairwise(requests)):
        assert json.dumps(now["tools"]) == json.dumps(after["tools"])
        assert json.dumps(now["system"]) == json.dumps(after["system"])
        assert cached_bytes(after).startswith(cached_bytes(now))
        asked = 2 * index + 1
        whole = json.dumps(without_breakpoints(now["messages"][0]["content"][:asked]))[:-1]
        assert json.dumps(without_breakpoints(after["messages"][0]["content"])).startswith(whole)


def test_the_history_ends_in_the_one_breakpoint_among_the_messages():
    for turns in range(4):
        blocks = encode(conversation_of(turns), Options("m"))["messages"][0]["content"]
        assert [i for i, block in enumerate(blocks) if "cache_control" in block] == ([2 * turns - 1] if turns else [])


def test_a_tool_that_must_be_called_is_asked_for_in_words_as_current_models_refuse_to_be_forced():
    request = REQUEST.model_copy(update={"must_call": "answer"})
    asked = encode(request, Options("m"))
    assert asked["tool_choice"] == {"type": "auto"}
    assert "`answer`" in asked["messages"][0]["content"][-1]["text"]
    assert encode(request, Options("m", forced=True))["tool_choice"] == {"type": "tool", "name": "answer"}
    assert encode(REQUEST, Options("m", forced=True))["tool_choice"] == {"type": "any"}


def test_effort_and_thinking_are_options_of_the_name(monkeypatch):
    options = Options.parse("claude-x, effort=low, thinking=2048, max_tokens=4000, timeout=5, retries=1")
    assert options == Options("claude-x", effort="low", thinking="2048", max_tokens=4000, timeout=5.0, retries=1)
    arguments = encode(REQUEST, options)
    assert arguments["output_config"] == {"effort": "low"}
    assert arguments["thinking"] == {"type": "enabled", "budget_tokens": 2048}
    assert encode(REQUEST, Options("m", thinking="between_tools"))["thinking"] == {"type": "between_tools"}
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    assert AnthropicBackend.parse("claude-x,effort=low").name == "anthropic:claude-x,effort=low"
    assert AnthropicBackend.parse("qwen3-coder:30b").options.model == "qwen3-coder:30b"


@pytest.mark.parametrize(
    "text", ["", ",effort=low", "m,effort=huge", "m,warmth=1", "m,effort", "m,timeout=0", "m,timeout=x", "m,retries=-1"]
)
def test_an_option_that_does_not_exist_is_named(text):
    with pytest.raises(BackendNameError):
        Options.parse(text)


def test_blocks_of_the_provider_are_handed_back_untouched_signatures_included(served):
    blocks = [
        thinking("hm", "c2lnbmF0dXJl"),
        {"type": "redacted_thinking", "data": "ZGF0YQ=="},
        text("I look."),
        use("look_up", {"fact": "t1r1c1"}, "toolu_1"),
        use("answer", {"value": "v1"}, "toolu_2"),
    ]
    server, backend = served(message(*blocks))
    reply = backend.reply(REQUEST)
    assert [call.id for call in reply.calls] == ["toolu_1", "toolu_2"] and reply.stop == "tools"
    results = (
        ToolResult(id="toolu_1", content="no such fact", error=True),
        ToolResult(id="toolu_2", content="not run"),
    )
    exchange = Exchange(reply=reply, results=results, feedback="Try again.")
    backend.reply(REQUEST.model_copy(update={"exchanges": (exchange,)}))
    _, assistant, user = server.requests[1].body["messages"]
    assert assistant == {"role": "assistant", "content": blocks}
    assert user["content"] == [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": "no such fact", "is_error": True},
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": "not run"},
        {"type": "text", "text": "Try again."},
    ]


def test_replies_of_another_backend_are_written_as_blocks_and_every_call_gets_a_result():
    reply = Reply(
        text="so", calls=(ToolCall(id="1", tool="look_up", arguments={}), ToolCall(id="2", tool="answer", arguments={}))
    )
    exchange = Exchange(reply=reply, results=(ToolResult(id="1", content="{}"),))
    _, assistant, user = encode(REQUEST.model_copy(update={"exchanges": (exchange,)}), Options("m"))["messages"]
    assert [block["type"] for block in assistant["content"]] == ["text", "tool_use", "tool_use"]
    assert [block["tool_use_id"] for block in user["content"]] == ["1", "2"]
    assert user["content"][1]["is_error"] is True


def test_an_empty_reply_leaves_no_empty_message_behind():
    exchange = Exchange(reply=Reply(stop="end"), feedback="No tool was called.")
    messages = encode(REQUEST.model_copy(update={"exchanges": (exchange,)}), Options("m"))["messages"]
    assert [m["role"] for m in messages] == ["user"]
    assert messages[0]["content"][-1]["text"] == "No tool was called."


# What is read


def test_text_calls_stop_reason_and_the_four_counts_of_tokens_are_read(served):
    counts = {"input_tokens": 7, "output_tokens": 8, "cache_creation_input_tokens": 9, "cache_read_input_tokens": 10}
    _, backend = served(message(text("a"), text("b"), usage=counts, model="test-model-1"))
    reply = backend.reply(REQUEST)
    assert (reply.text, reply.stop, reply.model) == ("a\nb", "end", "test-model-1")
    assert reply.usage.model_dump() == {"input": 7, "output": 8, "cache_write": 9, "cache_read": 10}


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("pause_turn", "end"),
        ("tool_use", "tools"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
    ],
)
def test_every_stop_reason_of_the_api_has_its_meaning(served, reason, stop):
    _, backend = served(message(text("x"), stop=reason))
    assert backend.reply(REQUEST).stop == stop


def test_a_streamed_reply_says_the_same_and_its_text_arrives_in_pieces(served):
    blocks = [
        thinking("hm", "c2ln"),
        text("The sales."),
        use("look_up", {"fact": "t1r1c1", "n": [1, {"a": "ü"}]}, "toolu_9"),
    ]
    said = message(*blocks, usage={"input_tokens": 3, "output_tokens": 4, "cache_read_input_tokens": 5})
    pieces: list[str] = []
    server, backend = served(said, on_text=pieces.append)
    streamed_reply = backend.reply(REQUEST)
    assert server.requests[0].body["stream"] is True
    assert len(pieces) > 1 and "".join(pieces) == "The sales."
    backend.on_text = None
    assert streamed_reply == backend.reply(REQUEST)
    assert list(streamed_reply.blocks) == blocks


HALF = "\ud800"  # of a surrogate pair: JSON can say it, UTF-8 cannot


def test_a_lone_surrogate_is_replaced_wherever_it_stands_and_the_blocks_can_be_sent_back(served):
    deep = {f"a{HALF}": [{"b": f"{HALF}c"}], "n": 1}
    blocks = (thinking(f"hm{HALF}", "c2ln"), text(f"I{HALF}look."), use("answer", deep, "toolu_1"))
    server, backend = served(message(*blocks, model=f"m{HALF}"))
    reply = backend.reply(REQUEST)
    assert reply == Reply.model_validate_json(reply.model_dump_json()), "it can be written"
    assert (reply.text, reply.model, reply.calls[0].arguments["n"]) == ("I\ufffdlook.", "m\ufffd", 1)
    backend.reply(REQUEST.model_copy(update={"exchanges": (Exchange(reply=reply),)}))
    assert server.requests[1].body["messages"][1]["content"] == list(reply.blocks)


def test_a_lone_surrogate_in_a_stream_is_replaced_before_it_is_shown(served):
    pieces: list[str] = []
    _, backend = served(message(text(f"a{HALF}b")), on_text=pieces.append)
    said = backend.reply(REQUEST).text
    assert ascii(said) == ascii("".join(pieces)) == ascii("a\ufffdb")  # pytest cannot print half a pair


def test_the_key_is_taken_from_the_environment_and_sent_to_the_endpoint_named_there(served):
    server, backend = served()
    backend.reply(REQUEST)
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.requests[0].path == "/v1/messages"


def test_a_token_does_where_there_is_no_key(served, monkeypatch):
    server, _ = served()
    monkeypatch.setenv("ANTHROPIC_API_KEY", "")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "local")
    backend = AnthropicBackend.parse("m,retries=0")
    backend.reply(REQUEST)
    backend.client.close()
    assert server.requests[0].headers["authorization"] == "Bearer local"


# What goes wrong


@pytest.mark.parametrize("key", [None, "", "  ", "sk-ümlaut", "sk-a\nb"])
def test_no_key_ends_before_anything_is_sent(monkeypatch, key):
    if key is not None:
        monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    with pytest.raises(BackendError) as raised:
        AnthropicBackend.parse("m")
    assert raised.value.outcome == "no key"
    assert not (key or "").strip() or key not in str(raised.value)


ERRORS = [
    (400, "invalid_request_error", "bad request"),
    (401, "authentication_error", "unauthorized"),
    (403, "permission_error", "forbidden"),
    (404, "not_found_error", "not found"),
    (413, "request_too_large", "too large"),
    (429, "rate_limit_error", "rate limited"),
    (500, "api_error", "server error"),
    (503, "something_new", "server error"),
    (504, "timeout_error", "timeout"),
    (529, "overloaded_error", "overloaded"),
]


@pytest.mark.parametrize("on_text", [None, len], ids=["whole", "streamed"])
@pytest.mark.parametrize(("status", "kind", "name"), ERRORS)
def test_every_error_of_the_endpoint_has_a_name(served, status, kind, name, on_text):
    _, backend = served(error(status, kind, f"said to {KEY}"), on_text=on_text)
    assert outcome(backend) == name


@pytest.mark.parametrize(("status", "kind"), [(429, "rate_limit_error"), (529, "overloaded_error"), (500, "api_error")])
def test_errors_that_may_pass_are_tried_again_by_the_sdk(served, status, kind):
    server, backend = served(error(status, kind), error(status, kind), message(text("there")), settings="retries=2")
    assert backend.reply(REQUEST).text == "there"
    assert len(server.requests) == 3


def test_an_error_that_stays_is_given_up_on_after_the_retries(served):
    server, backend = served(error(529, "overloaded_error"), settings="retries=2")
    assert outcome(backend) == "overloaded"
    assert len(server.requests) == 3


def test_a_wrong_key_is_not_tried_again(served):
    server, backend = served(error(401, "authentication_error"), settings="retries=2")
    assert outcome(backend) == "unauthorized"
    assert len(server.requests) == 1


@pytest.mark.parametrize("on_text", [None, len], ids=["whole", "streamed"])
def test_a_server_that_stays_silent_is_a_timeout(served, on_text):
    _, backend = served(Answer(message(text("late")), wait=5), settings="retries=0,timeout=0.2", on_text=on_text)
    assert outcome(backend) == "timeout"


@pytest.mark.parametrize("cut", [0, 40])
def test_a_connection_cut_in_the_middle_of_a_reply_is_named(served, cut):
    _, backend = served(Answer(message(text("half")), cut=cut))
    assert outcome(backend) == "connection cut"


@pytest.mark.parametrize("cut", [0, 300, 700])
def test_a_stream_that_is_reset_is_named(served, cut):
    _, backend = served(streamed(events_of(message(text("half a sentence"))), cut=cut), on_text=len)
    assert outcome(backend) == "connection cut"


def test_a_stream_that_ends_politely_but_too_soon_is_no_reply(served):
    events = events_of(message(text("half"), use("answer", {"value": "v1"})))[:-2]
    _, backend = served(streamed(events), on_text=len)
    assert outcome(backend) == "connection cut"


def test_an_error_in_the_middle_of_a_stream_is_named(served):
    broken = {"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}
    _, backend = served(streamed([*events_of(message(text("half")))[:3], broken]), on_text=len)
    assert outcome(backend) == "overloaded"


def test_an_endpoint_that_is_not_there_is_unreachable(served, monkeypatch):
    server, _ = served()
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    backend = AnthropicBackend.parse("m,retries=0")
    assert outcome(backend) == "unreachable"
    backend.client.close()
    assert not server.requests


BAD = [
    Answer({}),
    Answer("null"),
    Answer("[]"),
    Answer("{"),
    Answer(""),
    Answer("<html>welcome to the hotel network</html>", kind="text/html"),
    Answer({"choices": [{"message": {"content": "hello"}}]}),
    Answer(message(use("answer", "value=1"))),
    Answer(message({"type": "text"})),
    Answer(message(text("x"), stop="holiday")),
]


@pytest.mark.parametrize("answer", BAD, ids=lambda answer: repr(answer.body)[:30])
def test_a_reply_that_is_none_is_refused(served, answer):
    _, backend = served(answer)
    assert outcome(backend) == "bad reply"


def test_a_streamed_tool_call_that_is_no_json_is_refused(served):
    _, backend = served(message(use("answer", '{"value": v1}')), on_text=len)
    assert outcome(backend) == "bad reply"


def test_an_unknown_stop_reason_is_refused_in_a_stream_and_in_a_message(served):
    from anthropic.types import Message

    said = message(text("x"), stop="holiday")
    _, backend = served(said, on_text=len)
    assert outcome(backend) == "bad reply"
    with pytest.raises(BackendError, match="unknown stop reason: 'holiday'"):
        decode(Message.construct(**said | {"content": []}), "test-model")


def test_html_in_place_of_a_stream_is_refused(served):
    _, backend = served(Answer("<html></html>", kind="text/html"), on_text=len)
    assert outcome(backend) in {"bad reply", "connection cut"}


def test_the_sdk_is_loaded_only_when_something_is_sent():
    code = (
        "import sys; from tieout.agent.backends.anthropic_backend import AnthropicBackend; "
        "AnthropicBackend.parse('m'); print('anthropic' in sys.modules)"
    )
    environment = os.environ | {"ANTHROPIC_API_KEY": KEY}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    assert done.stdout.strip() == "False"


def test_waiting_and_retrying_are_left_to_the_sdk_within_bounds(served):
    _, backend = served(settings="")
    assert (backend.client.timeout, backend.client.max_retries) == (60.0, 2)
    _, backend = served(settings="timeout=5,retries=0")
    assert (backend.client.timeout, backend.client.max_retries) == (5.0, 0)
