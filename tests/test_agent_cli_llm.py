"""`tieout ask` and `tieout chat` with a language model behind the Messages API, over loopback."""

from __future__ import annotations

import json

import good_model
import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from messages_server import message, serving, text, use

from tieout.cli_ask import ask
from tieout.cli_chat import chat
from tieout.data.readers.read import find_conversation
from tieout.kg.build import build
from tieout.ontology.model import default_ontology

FILE, CHOSEN = str(SAMPLE / "ask.json"), "Single_NORVALE/2013/page_35.pdf-1"
INCOME = [use("understand", {"description": "operating income 2013"}, "u1"), use("answer", {"value": "t1r7c1"}, "u2")]


def good_replies():
    conversation = find_conversation([SAMPLE / "ask.json"], CHOSEN)
    facts = build(conversation.document, default_ontology(None)[0]).facts()
    for number, reply in enumerate(good_model.replies(conversation, facts, "tools")):
        yield message(*(use(call.tool, call.arguments, f"u{number}_{n}") for n, call in enumerate(reply.calls)))


@pytest.fixture
def run(monkeypatch):
    """Runs a command against a server with these replies, and gives what it printed and the server."""

    def start(command, *arguments, replies, input=None):
        with serving(*replies) as server:
            monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-cli")
            monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
            monkeypatch.setenv("TIEOUT_BACKEND", "anthropic:test-model,retries=0")
            done = CliRunner().invoke(command, [FILE, CHOSEN, *arguments], input=input)
        assert "Traceback" not in done.output and "sk-test-cli" not in done.output
        return done, server

    return start


def test_a_dry_run_shows_the_request_for_the_fifth_turn_and_does_not_send_it(run):
    done, server = run(ask, "--turn", "5", "--dry-run", replies=good_replies())
    assert done.exit_code == 0, done.output
    assert len(server.requests) == 4
    for part in (
        "# Reading rules",
        "calculate(name?, operation, values)",
        "t1r7 operating income | 559.5 | 631.3 | 531.5",
        "Answer 4: $71.8 million = multiply(subtract(t1r7c1, t1r7c2), -1).",
        "Question 5: what were the sales to customers outside the united states in 2013?",
    ):
        assert part in done.output


def test_a_dry_run_is_one_json_value_for_machines(run):
    done, _ = run(ask, "--turn", "2", "--dry-run", "--json", replies=good_replies())
    assert json.loads(done.stdout)["question"] == "and what was it in 2012?"


def test_an_answer_comes_as_json_with_plan_checks_and_retries(run):
    done, _ = run(ask, "what was operating income?", "--json", replies=[message(*INCOME)])
    told = json.loads(done.stdout)
    assert (told["answer"], told["status"]) == ("$559.5 million", "success")
    assert told["metadata"]["retries"] == 0 and told["metadata"]["checks"]["flags"] == []
    assert [call["tool"] for call in told["metadata"]["plan"]] == ["understand", "answer"]


def test_without_a_key_there_is_one_line(monkeypatch):
    monkeypatch.setenv("TIEOUT_BACKEND", "anthropic:test-model")
    done = CliRunner().invoke(ask, [FILE, CHOSEN, "what?"])
    assert done.exit_code == 1
    assert done.output.strip() == "tieout: no API key: set ANTHROPIC_API_KEY in the environment"


def test_an_option_of_the_backend_that_does_not_exist_is_one_line(monkeypatch):
    done = CliRunner().invoke(ask, [FILE, CHOSEN, "what?", "--backend", "anthropic:test-model,warmth=1"])
    assert done.exit_code == 1 and "'warmth=1' is no option" in done.output


@pytest.mark.parametrize("strategy", ["tools", "plan", "plain"])
def test_every_strategy_can_be_asked_for_on_the_command_line(run, strategy):
    reply = {
        "tools": message(*INCOME),
        "plan": message(use("plan", {"thought": "x", "steps": [{"action": "extract_value", "fact": "t1r7c1"}]})),
        "plain": message(use("answer_plainly", {"value": "559.5"})),
    }[strategy]
    done, _ = run(ask, "what was operating income?", "--strategy", strategy, replies=[reply])
    assert done.exit_code == 0 and "559.5" in done.output


def test_a_chat_shows_what_the_model_says_while_it_says_it(run):
    said = message(text("I look at the income\nstatement."), *INCOME)
    done, server = run(chat, input="what was operating income?\n/quit\n", replies=[said])
    assert server.requests[0].body["stream"] is True
    assert "I look at the income\nstatement.\n$559.5 million" in done.output


def test_a_correction_of_the_understanding_goes_to_the_model(run):
    wrong = message(use("understand", {"description": "net income"}, "u0"), use("answer", {"value": "t1r11c1"}, "u1"))
    done, server = run(
        chat,
        "--confirm",
        input="what was it?\nI mean operating income\nyes\n/quit\n",
        replies=[wrong, message(*INCOME)],
    )
    assert "understood: net income" in done.output and "$559.5 million" in done.output
    assert "I mean operating income" in json.dumps(server.requests[1].body["messages"][-1])


def test_a_question_back_is_put_to_the_user_and_its_answer_is_asked(run):
    back = message(use("clarify", {"question": "which income?", "options": ["net", "operating"]}))
    done, server = run(chat, input="what was income?\n2\n/quit\n", replies=[back, message(*INCOME)])
    assert "which income?" in done.output and "$559.5 million" in done.output
    assert "what was income? (operating)" in json.dumps(server.requests[1].body["messages"][0])


def test_no_connection_stays_open_behind_a_dry_run(run, monkeypatch):
    closed = []
    monkeypatch.setattr(
        "tieout.agent.backends.endpoint.Endpoint.close", lambda backend: closed.append(backend.client.close())
    )
    done, _ = run(ask, "--turn", "2", "--dry-run", replies=good_replies())
    assert (done.exit_code, len(closed)) == (0, 1)
