"""Whole turns through the real SDK: whatever goes wrong ends a turn at worst, under its own name, never the run."""

from __future__ import annotations

import json
from decimal import Decimal

import pytest
from messages_server import Answer, error, events_of, message, serving, streamed, text, thinking, use
from orris import report_graph

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.log.events import Failed, ModelFailed
from tieout.agent.log.log import Log, read_events
from tieout.agent.session import Session
from tieout.agent.workspace import Settings

KEY = "sk-ant-test-secret-4711"
DIFFERENCE = use("calculate", {"operation": "subtract", "values": ["t1r1c1", "t1r1c2"], "name": "d"}, "toolu_1")
GOOD = message(
    use("understand", {"description": "the change of the exercise price"}, "toolu_0"),
    DIFFERENCE,
    use("answer", {"value": "d"}, "toolu_2"),
)
COUNTS = {"input_tokens": 50, "output_tokens": 80, "cache_creation_input_tokens": 900, "cache_read_input_tokens": 1000}


@pytest.fixture
def talk(monkeypatch, tmp_path):
    """Starts a session that talks to a server with these steps."""
    opened = []

    def start(*steps, options="retries=0", on_text=None, log=False, model="test-model", **settings):
        context = serving(*steps)
        server = context.__enter__()
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend = AnthropicBackend.parse(f"{model},{options}", on_text=on_text)
        opened.append((context, backend))
        kept = Log(tmp_path / "log.jsonl") if log else None
        return server, Session(report_graph(), backend, Settings(**settings), kept)

    yield start
    for context, backend in opened:
        backend.client.close()
        context.__exit__(None, None, None)


def results_in(seen) -> list[dict]:
    return [block for each in seen.body["messages"] for block in each["content"] if block["type"] == "tool_result"]


SILENT = Answer(GOOD, wait=5)
ENDPOINT = [
    (error(401, "authentication_error"), "unauthorized"),
    (error(429, "rate_limit_error"), "rate limited"),
    (error(529, "overloaded_error"), "overloaded"),
    (error(500, "api_error"), "server error"),
    (SILENT, "timeout"),
    (Answer(GOOD, cut=60), "connection cut"),
    (Answer({"hello": "world"}), "bad reply"),
    (message(text("half an"), stop="max_tokens"), "truncated"),
    (message(use("calculate", {"operation": "sub"}), stop="max_tokens"), "truncated"),
    (message(text("I will not."), stop="refusal"), "refusal"),
    (message(stop="refusal"), "refusal"),
]


@pytest.mark.parametrize(("step", "outcome"), ENDPOINT, ids=[outcome for _, outcome in ENDPOINT])
def test_what_goes_wrong_at_the_endpoint_ends_the_turn_and_the_next_one_goes_on(talk, step, outcome):
    # What answers gets all the time that a busy machine may take for it, and so does every later turn.
    server, session = talk(step, GOOD, options=f"retries=0,timeout={0.3 if step is SILENT else 60}")
    failed = session.ask("what was the change?")
    assert (failed.outcome, failed.answer) == (outcome, None)
    assert failed.message and KEY not in failed.message
    assert [event.outcome for event in failed.events if isinstance(event, Failed)] == [outcome]
    session.backend._open = session.backend.client.with_options(timeout=60)
    after = session.ask("what was the change?")
    assert (after.outcome, after.number) == ("answer", Decimal("35.80"))
    assert "Answer 1: none." in json.dumps(server.requests[-1].body["messages"])


def test_a_stream_that_breaks_off_ends_the_turn(talk):
    _, session = talk(streamed(events_of(GOOD)[:-2]), GOOD, on_text=len)
    assert session.ask("what was the change?").outcome == "connection cut"
    assert session.ask("what was the change?").outcome == "answer"


def test_the_key_is_never_in_a_log(talk, tmp_path):
    _, session = talk(error(401, "authentication_error", f"bad key {KEY}"), GOOD, log=True)
    session.ask("what was the change?")
    session.ask("what was the change?")
    session.close()
    written = (tmp_path / "log.jsonl").read_text()
    assert KEY not in written and "Bearer" not in written
    assert any(isinstance(event, ModelFailed) for event in read_events(tmp_path / "log.jsonl"))


SLIPS = [
    ([use("calculate", {"operation": "subtract"})], "values"),
    ([use("calculate", {"operation": "subtract", "values": "t1r1c1"})], "values"),
    ([use("answer", {"value": {"nested": 1}})], "value"),
    ([use("answer", {"value": "t1r1c1", "mood": "good"})], "mood"),
    ([use("answer", {"value": "t1r1c1", "format": "roman"})], "format"),
    ([use("sparql", {"query": "SELECT *"})], "no tool 'sparql'"),
    ([use("answer", {"value": "growth"})], "'growth' is no entry"),
    ([use("query_kg", {"fact": "t9r9c9"})], "no fact 't9r9c9'"),
    ([use("query_kg", {"property": "goodwill", "filters": {"year": "2007"}})], "goodwill"),
    ([use("query_kg", {"property": "exercise price"})], "different figures"),
    ([use("calculate", {"operation": "modulo", "values": ["t1r1c1", "t1r1c2"]})], "no operation 'modulo'"),
    ([use("calculate", {"operation": "subtract", "values": ["t1r1c1"]})], "takes 2 values"),
    ([use("calculate", {"operation": "divide", "values": ["t1r1c1", "0"]})], "division by zero"),
]


@pytest.mark.parametrize(("calls", "says_so"), SLIPS, ids=[says_so for _, says_so in SLIPS])
def test_a_call_that_is_wrong_goes_back_to_the_model_which_can_go_on(talk, calls, says_so):
    server, session = talk(message(*calls), GOOD)
    turn = session.ask("what was the change?")
    assert (turn.outcome, turn.number, turn.model_calls) == ("answer", Decimal("35.80"), 2)
    (result,) = results_in(server.requests[1])
    assert result["is_error"] is True and says_so in result["content"]


def test_what_a_failed_call_was_to_give_is_missing_in_the_calls_behind_it(talk):
    first = use("query_kg", {"fact": "t9r9c9", "name": "price"}, "toolu_1")
    server, session = talk(message(first, use("answer", {"value": "price"}, "toolu_2")), GOOD)
    assert session.ask("what was the change?").outcome == "answer"
    assert [result["tool_use_id"] for result in results_in(server.requests[1])] == ["toolu_1", "toolu_2"]


def test_the_same_call_again_and_again_ends_the_turn(talk):
    again = message(use("query_kg", {"fact": "t1r1c1"}))
    server, session = talk(again, again, again, GOOD)
    turn = session.ask("what was the change?")
    assert turn.outcome == "repeated call"
    assert "made before" in results_in(server.requests[-1])[-1]["content"]
    assert session.ask("what was the change?").outcome == "answer"


def test_a_model_that_only_talks_is_told_once_and_then_the_turn_ends(talk):
    server, session = talk(message(text("It rose.")), message(text("It did.")), GOOD)
    turn = session.ask("what was the change?")
    assert (turn.outcome, turn.model_calls) == ("no answer", 2)
    assert "Nothing was called" in server.requests[1].body["messages"][-1]["content"][0]["text"]


def test_a_reply_with_nothing_in_it_does_not_break_the_next_request(talk):
    server, session = talk(message(), GOOD)
    assert session.ask("what was the change?").outcome == "answer"
    assert all(each["content"] for each in server.requests[1].body["messages"])


def test_two_answers_that_differ_are_none(talk):
    twice = message(use("answer", {"value": "t1r1c1"}, "toolu_1"), use("answer", {"value": "t1r1c2"}, "toolu_2"))
    server, session = talk(twice, GOOD)
    turn = session.ask("what was the change?")
    assert (turn.number, turn.model_calls) == (Decimal("35.80"), 2)
    assert all("two different answers" in result["content"] for result in results_in(server.requests[1]))


def test_the_same_answer_twice_is_one(talk):
    twice = message(use("answer", {"value": "t1r1c1"}, "toolu_1"), use("answer", {"value": "t1r1c1"}, "toolu_2"))
    _, session = talk(twice)
    turn = session.ask("what was the price?")
    assert (turn.number, turn.model_calls) == (Decimal("60.94"), 1)


def test_a_typed_number_is_recorded_and_shown_and_in_strict_grounding_refused(talk):
    typed = message(use("answer", {"value": "35.81"}))
    _, session = talk(typed)
    loose = session.ask("what was the change?")
    assert loose.outcome == "answer" and "ungrounded" in [flag.rule for flag in loose.flags]
    server, session = talk(typed, GOOD, strict_grounding=True)
    assert session.ask("what was the change?").number == Decimal("35.80")
    assert "accounts for it" in results_in(server.requests[1])[0]["content"]


def test_a_model_that_never_comes_to_an_end_is_stopped_by_the_limit(talk):
    def another(body):
        number = len(body["messages"])
        return message(use("calculate", {"operation": "add", "values": ["t1r1c1", "t1r1c2"], "name": f"n{number}"}))

    _, session = talk(another, max_calls=4)
    turn = session.ask("what was the change?")
    assert (turn.outcome, turn.model_calls) == ("limit", 4)


def test_thinking_goes_back_with_its_signature_within_the_turn_and_is_gone_in_the_next(talk):
    first = [thinking("which price?", "c2lnbmF0dXJl"), use("query_kg", {"fact": "t1r1c1"})]
    server, session = talk(message(*first), GOOD, GOOD)
    session.ask("what was the change?")
    session.ask("and once more?")
    assert server.requests[1].body["messages"][1] == {"role": "assistant", "content": first}
    assert len(server.requests[2].body["messages"]) == 1


def test_the_prefix_of_a_real_conversation_is_the_same_to_the_byte(talk):
    server, session = talk(GOOD)
    for question in ("what was the change?", "and in percent?", "once more?", "again?", "and now?"):
        assert session.ask(question).outcome == "answer"
    bodies = [seen.body for seen in server.requests]
    assert len({json.dumps([body["tools"], body["system"]]) for body in bodies}) == 1
    before = ""
    for turn, body in enumerate(bodies):
        blocks = [block["text"] for block in body["messages"][0]["content"]]
        lasting = json.dumps(blocks[: 2 * turn + 1])[:-1]
        assert lasting.startswith(before)
        before = lasting


def test_tokens_and_dollars_are_counted_with_the_cache(talk):
    said = GOOD | {"usage": COUNTS, "model": "claude-sonnet-5-5"}
    _, session = talk(said, model="claude-sonnet-5-5")
    turn = session.ask("what was the change?")
    assert turn.usage.model_dump() == {"input": 50, "output": 80, "cache_write": 900, "cache_read": 1000}
    assert turn.usd == (50 * Decimal(2) + 80 * 10 + 900 * Decimal("2.5") + 1000 * Decimal("0.1")) / 1_000_000


def test_a_model_without_a_price_costs_nobody_knows_what(talk):
    _, session = talk(GOOD | {"model": "qwen3"}, model="qwen3")
    assert session.ask("what was the change?").usd is None


def test_asking_back_is_an_outcome_of_its_own(talk):
    _, session = talk(message(use("clarify", {"question": "which price?", "options": ["call", "put"]})))
    turn = session.ask("what was the price?")
    assert turn.outcome == "clarify"
    assert turn.clarification is not None and turn.clarification.options == ("call", "put")


def test_in_two_phases_the_understanding_is_asked_for_in_words(talk):
    understood = message(use("understand", {"description": "the change"}))
    server, session = talk(understood, GOOD, two_phase=True)
    assert session.ask("what was the change?").outcome == "answer"
    first, second = (seen.body for seen in server.requests)
    assert "`understand`" in first["messages"][0]["content"][-1]["text"]
    assert first["tool_choice"] == second["tool_choice"] == {"type": "auto"}


def test_a_lone_surrogate_in_a_reply_ends_neither_turn_nor_log(talk, tmp_path):
    described = use("understand", {"description": "the change\ud800"}, "toolu_0")
    said = message(text("\udfff"), described, DIFFERENCE, use("answer", {"value": "d"}, "toolu_2"), usage=COUNTS)
    _, session = talk(said | {"model": "claude-sonnet-5-5"}, model="claude-sonnet-5-5", log=True)
    turn = session.ask("what was the change?")
    session.close()
    assert (turn.outcome, turn.usage.input, turn.number) == ("answer", 50, Decimal("35.80"))
    assert turn.usd is not None and turn.usd > 0
    assert "the change\ufffd" in (tmp_path / "log.jsonl").read_text()
