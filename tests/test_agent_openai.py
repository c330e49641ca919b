"""Chat Completions and Responses through the real SDK, over loopback: what is sent, what is read, a name for all that
goes wrong, and whole turns about the sample."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec

import pytest

if not find_spec("openai"):  # which is imported when it is used: that takes long
    pytest.skip("OPENAI NOT INSTALLED: nothing was said to Chat Completions and Responses", allow_module_level=True)
from click.testing import CliRunner
from completions_server import (
    call,
    calls,
    chunks_of,
    completion,
    error,
    events_of,
    response,
    said,
    serving,
    stream,
)
from conftest import SAMPLE
from messages_server import Answer
from orris import report_graph
from test_agent_anthropic import ANSWER, LOOK_UP, REQUEST

import tieout
from tieout.agent.backends.choose import make_backend
from tieout.agent.backends.openai.backend import OpenAIBackend
from tieout.agent.backends.options import BackendNameError
from tieout.agent.log.log import Log, read_events
from tieout.agent.protocol.message import BackendError, Exchange, Reply, ToolCall, ToolResult, Usage
from tieout.agent.session import Session
from tieout.agent.workspace import Settings

KEY = "sk-test-secret-0815"
APIS = ("chat", "responses")
BOTH = pytest.mark.parametrize("api", APIS)
WAYS = pytest.mark.parametrize("on_text", [None, len], ids=["whole", "streamed"])


def says(api, text=None, *made):
    """A reply in either way of speaking. made: (tool, arguments) or (tool, arguments, id)."""
    if api == "chat":
        return completion(text, *(call(*each) for each in made))
    return response(*([said(text)] if text else []), *(calls(*each) for each in made))


def in_pieces(api, whole):
    return chunks_of(whole) if api == "chat" else events_of(whole)


@pytest.fixture
def served(monkeypatch):
    """A server with its steps, and a backend that talks to it."""
    opened = []

    def start(*steps, api="chat", settings="retries=0", on_text=None):
        context = serving(*steps)
        server = context.__enter__()
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
        backend = OpenAIBackend.parse(f"test-model,api={api},{settings}", on_text=on_text)
        opened.append((context, backend))
        return server, backend

    yield start
    for context, backend in opened:
        backend.close()
        context.__exit__(None, None, None)


def outcome(backend, request=REQUEST):
    with pytest.raises(BackendError) as raised:
        backend.reply(request)
    assert KEY not in str(raised.value) and KEY not in repr(raised.value.detail)
    return raised.value.outcome


# What is sent


@BOTH
def test_instructions_card_question_and_tools_are_sent_and_the_key_with_them(served, api):
    server, backend = served(says(api, "hello"), api=api)
    backend.reply(REQUEST.model_copy(update={"must_call": "answer"}))
    (seen,) = server.requests
    body = seen.body
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert seen.path == {"chat": "/v1/chat/completions", "responses": "/v1/responses"}[api]
    told = body["messages"] if api == "chat" else [{"content": body["instructions"]}, *body["input"]]
    assert told[0]["content"] == "Answer by tools.\n\nt1r1 | sales | 10 | 12"
    assert told[1]["content"].startswith("Question 1: what were sales?\n\nReply with one call of the tool `answer`")
    functions = [tool["function"] for tool in body["tools"]] if api == "chat" else body["tools"]
    assert [each["name"] for each in functions] == ["look_up", "answer"]
    assert functions[0]["parameters"] == LOOK_UP.parameters and body["tool_choice"] == "auto"
    assert not body.keys() & {"temperature", "max_tokens", "max_completion_tokens", "stream"}


@BOTH
def test_what_was_said_and_what_came_of_it_go_back(served, api):
    server, backend = served(says(api, None, ("look_up", {"fact": "t1r1c1"})), says(api, "done"), api=api)
    first = backend.reply(REQUEST)
    assert first.calls == (ToolCall(id="call_1", tool="look_up", arguments={"fact": "t1r1c1"}),)
    unanswered = first.model_copy(update={"calls": (*first.calls, ToolCall(id="b", tool="answer", arguments={}))})
    exchange = Exchange(reply=unanswered, results=(ToolResult(id="call_1", content="10"),), feedback="go on")
    backend.reply(REQUEST.model_copy(update={"exchanges": (exchange,)}))
    sent = server.requests[1].body["messages" if api == "chat" else "input"][-4:]
    if api == "chat":
        assert sent[0]["tool_calls"] == [call("look_up", {"fact": "t1r1c1"})]
        assert [(each["role"], each["content"]) for each in sent[1:]] == [
            ("tool", "10"),
            ("tool", "error: not run"),
            ("user", "go on"),
        ]
    else:
        handed = {"type": "function_call", "call_id": "call_1", "name": "look_up", "arguments": '{"fact": "t1r1c1"}'}
        assert sent[0] == handed  # without an id: nothing is kept there
        assert [each.get("output", each.get("content")) for each in sent[1:]] == ["10", "error: not run", "go on"]


@BOTH
def test_replies_of_another_backend_are_told_in_its_words(served, api):
    server, backend = served(says(api, "done"), api=api)
    reply = Reply(text="I look", calls=(ToolCall(id="x", tool="answer", arguments={"b": 1, "a": 2}),))
    backend.reply(REQUEST.model_copy(update={"exchanges": (Exchange(reply=reply),)}))
    text = json.dumps(server.requests[0].body)
    assert "I look" in text and json.dumps('{"a": 2, "b": 1}') in text and "error: not run" in text


def test_what_an_endpoint_hands_out_with_a_call_comes_back_to_it(served):
    signed = call("look_up", {"fact": "t1r1c1"}) | {"extra_content": {"signature": "s1"}}
    for on_text in (None, len):
        server, backend = served(completion(None, signed), completion("done"), on_text=on_text)
        exchange = Exchange(reply=backend.reply(REQUEST), results=(ToolResult(id="call_1", content="10"),))
        backend.reply(REQUEST.model_copy(update={"exchanges": (exchange,)}))
        assert server.requests[1].body["messages"][-2]["tool_calls"] == [signed]


def test_reasoning_goes_back_where_it_came_with_its_content(served):
    kept = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "abc"}
    for item, wanted in (
        (kept, ["reasoning", "function_call"]),
        (kept | {"encrypted_content": None}, ["function_call"]),
    ):
        server, backend = served(
            response(item, calls("answer", {})), response(), api="responses", settings="effort=low"
        )
        backend.reply(REQUEST.model_copy(update={"exchanges": (Exchange(reply=backend.reply(REQUEST)),)}))
        assert [each["type"] for each in server.requests[1].body["input"][1:-1]] == wanted
        assert server.requests[0].body["include"] == ["reasoning.encrypted_content"]


def test_options_of_the_name_are_sent_under_the_names_of_the_api(served):
    server, backend = served(settings="effort=low,max_completion_tokens=9,forced=yes,retries=0")
    backend.reply(REQUEST.model_copy(update={"must_call": "answer"}))
    body = server.requests[0].body
    assert (body["reasoning_effort"], body["max_completion_tokens"]) == ("low", 9)
    assert body["tool_choice"] == {"type": "function", "function": {"name": "answer"}}


@pytest.mark.parametrize("text", ["", "m,api=grpc", "m,effort=huge", "m,thinking=adaptive", "m,retries=99"])
def test_a_name_or_an_option_that_does_not_exist_is_named(text):
    with pytest.raises(BackendNameError, match="openai:MODEL" if not text else text.split(",")[1]):
        OpenAIBackend.parse(text)


# What is read


@BOTH
@WAYS
def test_text_calls_model_and_tokens_are_read_also_in_pieces(served, api, on_text):
    shown = []
    whole = says(api, "I look it up", ("look_up", {"fact": "a"}, "c1"), ("answer", {"value": "b"}, "c2"))
    _, backend = served(whole, api=api, on_text=shown.append if on_text else None)
    reply = backend.reply(REQUEST)
    assert (reply.text, reply.stop, reply.model, reply.asked) == ("I look it up", "tools", "test-model", "test-model")
    assert [(each.id, each.tool, each.arguments) for each in reply.calls] == [
        ("c1", "look_up", {"fact": "a"}),
        ("c2", "answer", {"value": "b"}),
    ]
    cached = 0 if api == "chat" else 4
    assert reply.usage == Usage(input=10 - cached, output=5, cache_read=cached)
    assert "".join(shown) == ("I look it up" if on_text else "") and (len(shown) > 1 or not on_text)


@pytest.mark.parametrize(
    ("whole", "stop"),
    [
        (completion("x"), "end"),
        (completion("x", finish="length"), "length"),
        (completion("x", finish="content_filter"), "refusal"),
        (completion(None, refusal="I will not."), "refusal"),
        (completion(None, call("answer", {}), finish="stop"), "tools"),  # as some local servers say it
        (response(said("x")), "end"),
        (response(said("x"), status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "length"),
        (response(said("x"), status="incomplete", incomplete_details={"reason": "content_filter"}), "refusal"),
        (response({"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]}), "refusal"),
    ],
)
def test_why_a_reply_ends_has_its_meaning(served, whole, stop):
    _, backend = served(whole, api="chat" if "choices" in whole else "responses")
    assert backend.reply(REQUEST).stop == stop


def test_an_endpoint_that_counts_no_tokens_and_gives_calls_no_id_is_understood(served):
    _, backend = served(completion(None, call("answer", {}, ""), usage=None))
    reply = backend.reply(REQUEST)
    assert (reply.usage, reply.calls[0].id) == (Usage(), "call_0")


def test_a_lone_surrogate_is_replaced_and_a_key_that_is_sent_back_hidden(served):
    _, backend = served(Answer(json.dumps(completion(f"a\ud800 {KEY}"))))
    assert backend.reply(REQUEST).text == "a\ufffd ***"


# What goes wrong

ERRORS = [
    (400, None, "bad request"),
    (400, "context_length_exceeded", "too large"),
    (401, "invalid_api_key", "unauthorized"),
    (403, None, "forbidden"),
    (404, "model_not_found", "not found"),
    (413, None, "too large"),
    (429, "rate_limit_exceeded", "rate limited"),
    (429, "insufficient_quota", "rate limited"),
    (500, None, "server error"),
    (503, None, "server error"),
    (504, None, "timeout"),
]


@WAYS
@BOTH
@pytest.mark.parametrize(("status", "code", "name"), ERRORS)
def test_every_error_of_the_endpoint_has_a_name(served, api, status, code, name, on_text):
    _, backend = served(error(status, code, says=f"said to {KEY}"), api=api, on_text=on_text)
    assert outcome(backend) == name


@BOTH
def test_errors_that_may_pass_are_tried_again_and_given_up_on(served, api):
    server, backend = served(error(429), error(500), says(api, "there"), api=api, settings="retries=2")
    assert backend.reply(REQUEST).text == "there" and len(server.requests) == 3
    server, backend = served(error(500), api=api, settings="retries=2")
    assert outcome(backend) == "server error" and len(server.requests) == 3
    server, backend = served(error(401), api=api, settings="retries=2")
    assert outcome(backend) == "unauthorized" and len(server.requests) == 1


@WAYS
@BOTH
def test_a_server_that_stays_silent_is_a_timeout(served, api, on_text):
    late = Answer(says(api, "late"), wait=5)
    _, backend = served(late, api=api, settings="retries=0,timeout=0.2", on_text=on_text)
    assert outcome(backend) == "timeout"


@BOTH
def test_a_connection_cut_in_the_middle_is_named_streamed_or_not(served, api):
    for cut in (0, 40):
        _, backend = served(Answer(says(api, "half"), cut=cut), api=api)
        assert outcome(backend) == "connection cut"
    for cut in (0, 100, 200):
        _, backend = served(stream(in_pieces(api, says(api, "half a sentence")), cut=cut), api=api, on_text=len)
        assert outcome(backend) == "connection cut"


@BOTH
def test_a_stream_that_ends_politely_but_too_soon_is_no_reply(served, api):
    events = in_pieces(api, says(api, "half", ("answer", {"value": "v1"})))[:-2]
    for end in ("", "data: [DONE]\n\n"):
        _, backend = served(stream(events, end), api=api, on_text=len)
        assert outcome(backend) == "connection cut"


def test_an_error_in_the_middle_of_a_stream_is_named(served):
    begun = chunks_of(completion("half"))[:2]
    for code, name in (("rate_limit_exceeded", "rate limited"), (None, "server error")):
        broken = {"error": {"message": f"busy with {KEY}", "type": "x", "code": code}}
        _, backend = served(stream([*begun, broken]), on_text=len)
        assert outcome(backend) == name
    for broken in (
        {"type": "error", "message": "busy"},
        {"type": "response.failed", "response": response(status="failed", error={"code": "x", "message": "busy"})},
    ):
        _, backend = served(stream([{"type": "response.created"}, broken], ""), api="responses", on_text=len)
        assert outcome(backend) == "server error"


def test_an_endpoint_that_is_not_there_is_unreachable(served, monkeypatch):
    served()
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    backend = OpenAIBackend.parse("m,retries=0")
    assert outcome(backend) == "unreachable"
    backend.close()


BAD = [
    Answer({}),
    Answer("null"),
    Answer("[]"),
    Answer("{"),
    Answer(""),
    Answer("<html>welcome to the hotel network</html>", kind="text/html"),
    Answer({"choices": []}),
    Answer(completion(None, call("answer", "value=1"))),
    Answer(completion(None, call("answer", "[1]"))),
    Answer(completion("x", finish="holiday")),
    Answer(response(calls("answer", "value=1"))),
    Answer(response(said("x"), status="holiday")),
]


@WAYS
@BOTH
@pytest.mark.parametrize("answer", BAD, ids=lambda answer: repr(answer.body)[:30])
def test_a_reply_that_is_none_is_refused(served, api, answer, on_text):
    _, backend = served(answer, api=api, on_text=on_text)
    assert outcome(backend) in ({"bad reply"} if on_text is None else {"bad reply", "connection cut"})


@pytest.mark.parametrize("key", [None, "  ", "sk-ümlaut"])
def test_without_a_key_nothing_is_sent_but_to_an_endpoint_of_ones_own(monkeypatch, key):
    if key is not None:
        monkeypatch.setenv("OPENAI_API_KEY", key)
    with pytest.raises(BackendError, match="OPENAI_API_KEY"):
        OpenAIBackend.parse("m")
    if not (key or "").strip():
        with serving() as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            backend = make_backend("openai:m")
            assert backend.reply(REQUEST).text == "hello"
            backend.close()
            assert server.requests[0].headers["authorization"] == "Bearer none"


def test_where_the_extra_is_not_installed_it_is_named(monkeypatch):
    monkeypatch.setattr("tieout.agent.backends.openai.backend.find_spec", lambda name: None)
    with pytest.raises(BackendNameError, match=r"pip install 'tieout\[openai\]'"):
        make_backend("openai:m")


# Whole turns

TURN = (
    ("understand", {"description": "the change of the exercise price"}, "c0"),
    ("calculate", {"operation": "subtract", "values": ["t1r1c1", "t1r1c2"], "name": "d"}, "c1"),
    ("answer", {"value": "d"}, "c2"),
)


@WAYS
@BOTH
def test_a_turn_is_answered_by_tools_and_replayed_without_the_endpoint(served, tmp_path, api, on_text):
    _, backend = served(says(api, None, *TURN), api=api, on_text=on_text)
    with Log(tmp_path / "log.jsonl") as log:
        session = Session(report_graph(), backend, Settings(), log)
        turn = session.ask("how did the exercise price change?")
        session.close()
    assert turn.outcome == "answer" and turn.answer is not None
    again = Session(report_graph(), make_backend(f"replay:{tmp_path / 'log.jsonl'}"), Settings())
    assert again.ask("how did the exercise price change?").answer == turn.answer
    assert KEY not in (tmp_path / "log.jsonl").read_text(encoding="utf-8")
    assert len(list(read_events(tmp_path / "log.jsonl"))) > 5


@BOTH
def test_the_sample_is_asked_by_the_command_line(served, api, tmp_path):
    answer = (("calculate", {"operation": "subtract", "values": ["t8r12c1", "capex"], "name": "f"}, "c2"),)
    steps = ("calculate", {"operation": "magnitude", "values": ["t8r14c1"], "name": "capex"}, "c1")
    server, _ = served(
        says(api, None, ("understand", {"description": "free cash flow"}, "c0"), steps, *answer),
        says(api, None, ("answer", {"value": "f"}, "c3")),
        api=api,
    )
    question = "what was free cash flow in 2024?"
    command = ["ask", str(SAMPLE / "report.htm"), question, "--backend", f"openai:test-model,api={api},retries=0"]
    done = CliRunner().invoke(tieout.main, [*command, "--store", str(tmp_path / "store")])
    assert done.output.startswith("$492 million"), done.output
    assert len(server.requests) == 2 and ANSWER.name in json.dumps(server.requests[0].body["tools"])


def test_the_sdk_is_loaded_only_when_something_is_sent():
    assert find_spec("openai") is not None
    import subprocess

    code = (
        "import sys, os; os.environ['OPENAI_API_KEY'] = 'k'; from tieout.agent.backends.choose import make_backend; "
        "make_backend('openai:m'); print('openai' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr
