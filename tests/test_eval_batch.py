"""`tieout eval run` against an endpoint of the Messages API: in batches, with prices, within limits."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from messages_server import message, serving, use

from eval.cli import evaluate

USAGE = {"input_tokens": 100_000, "output_tokens": 0}


def told(body):
    return message(use("answer", {"value": "t1r1c1"}), usage=USAGE, model=body["model"])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs three conversations of the sample, and gives the server and what came of it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    def start(*options, server, model="claude-sonnet-5-5"):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend = f"anthropic:{model},retries=0"
        fixed = ["--limit", "3", "--run", "r", "--runs", str(tmp_path), "--no-store", "--json", "--backend", backend]
        return CliRunner().invoke(evaluate, ["run", str(SAMPLE / "ask.json"), *fixed, *options])

    return start


def paths(server) -> list[str]:
    return [seen.path for seen in server.requests]


def test_first_turns_go_by_batch_at_half_the_price_and_the_others_as_usual(run, monkeypatch):
    monkeypatch.setattr("agent.backends.batch.FIRST_PAUSE", 0.01)
    with serving(told) as server:
        done = run("--batch", server=server)
        assert done.exit_code == 0, done.output
        numbers = json.loads(done.stdout)
        turns = numbers["turns"]
        assert paths(server).count("/v1/messages/batches") == 1
        assert len(server.requests[0].body["requests"]) == 3
        assert paths(server).count("/v1/messages") == turns - 3
        assert float(numbers["usd"]) == pytest.approx(0.2 * (turns - 3) + 0.1 * 3)


def test_a_run_that_is_gone_on_with_does_not_pay_for_its_batch_again(run, monkeypatch):
    monkeypatch.setattr("agent.backends.batch.FIRST_PAUSE", 0.01)
    with serving(told) as server:
        stopped = run("--batch", "--max-usd", "0.05", server=server)
        assert stopped.exit_code == 1 and "max-usd" in stopped.output
        assert run("--batch", server=server).exit_code == 0
        assert paths(server).count("/v1/messages/batches") == 1


@pytest.mark.parametrize("options", [("--batch", "--repeat", "2"), ("--batch", "--backend", "offline")])
def test_a_batch_that_cannot_be_is_refused_in_one_line(run, options):
    with serving(told) as server:
        done = run(*options, server=server)
    assert done.exit_code == 1
    assert "--batch" in done.output and "Traceback" not in done.output


def test_an_endpoint_without_batches_is_told_in_one_line(run):
    with serving(told) as server:
        server.has_batches = False
        done = run("--batch", server=server)
    assert done.exit_code == 1 and "no Message Batches API" in done.output


def test_dollars_cannot_be_limited_for_a_model_without_a_price(run):
    with serving(told) as server:
        done = run("--max-usd", "1", server=server, model="qwen3")
        assert done.exit_code == 1 and "no price for 'qwen3'" in done.output
        assert not server.requests
        assert run(server=server, model="qwen3").exit_code == 0


def test_a_batch_that_was_waited_for_when_the_run_was_killed_is_not_sent_again(run, monkeypatch):
    def killed(seconds):
        raise KeyboardInterrupt

    with serving(told) as server:
        with monkeypatch.context() as patch:
            patch.setattr("agent.backends.batch._collect", lambda *rest: killed(0))
            patch.setattr("agent.backends.batch.FIRST_PAUSE", 0.01)
            assert run("--batch", server=server).exit_code != 0
        monkeypatch.setattr("agent.backends.batch.FIRST_PAUSE", 0.01)
        assert run("--batch", server=server).exit_code == 0
        assert paths(server).count("/v1/messages/batches") == 1


def test_no_batch_is_sent_where_dollars_are_limited_and_the_price_is_not_known(run):
    with serving(told) as server:
        done = run("--batch", "--max-usd", "1", server=server, model="qwen3")
        assert done.exit_code == 1 and "no price for 'qwen3'" in done.output
        assert not server.requests
