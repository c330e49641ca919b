"""`tieout eval run` against an endpoint of the Messages API: refused, in batches, with prices, within limits."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from conftest import SAMPLE
from eval_runs import shortened
from messages_server import Answer, error, message, serving, use

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.eval.cli import evaluate

TURNS = 6  # of the conversations that are run
USAGE = {"input_tokens": 100_000, "output_tokens": 0}


def told(body):
    return message(use("answer", {"value": "t1r1c1"}), usage=USAGE, model=body["model"])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs three conversations of the sample, two questions each, and gives the server and what came of it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    file = shortened(SAMPLE / "ask.json", tmp_path / "ask.json", 2)

    def start(*options, server, model="claude-sonnet-5-5"):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        backend = f"anthropic:{model},retries=0"
        fixed = ["--limit", "3", "--run", "r", "--runs", str(tmp_path), "--no-store", "--json", "--backend", backend]
        return CliRunner().invoke(evaluate, ["run", str(file), *fixed, *options])

    return start


def paths(server) -> list[str]:
    return [seen.path for seen in server.requests]


def test_first_turns_go_by_batch_at_half_the_price_and_the_others_as_usual(run, monkeypatch):
    monkeypatch.setattr("tieout.eval.run.message_batches.FIRST_PAUSE", 0.01)
    with serving(told) as server:
        done = run("--batch", server=server)
        assert done.exit_code == 0, done.output
        numbers = json.loads(done.stdout)
        turns = numbers["turns"]
        assert paths(server).count("/v1/messages/batches") == 1
        assert len(server.requests[0].body["requests"]) == 3
        assert paths(server).count("/v1/messages") == turns - 3
        assert float(numbers["usd"]) == pytest.approx(0.2 * (turns - 3) + 0.1 * 3)


@pytest.mark.parametrize("odd", ["hello", message(use("answer", {"value": "\ud800"})) | {"stop_reason": "holiday"}])
def test_an_odd_result_of_a_batch_is_asked_for_as_usual(run, monkeypatch, odd):
    monkeypatch.setattr("tieout.eval.run.message_batches.FIRST_PAUSE", 0.01)
    with serving(Answer(odd), told) as server:
        done = run("--batch", server=server)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["outcomes"] == {"answer": TURNS}
    assert paths(server).count("/v1/messages") == TURNS - 2


def test_a_run_that_is_gone_on_with_does_not_pay_for_its_batch_again(run, monkeypatch):
    monkeypatch.setattr("tieout.eval.run.message_batches.FIRST_PAUSE", 0.01)
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
            patch.setattr("tieout.eval.run.message_batches._collect", lambda *rest: killed(0))
            patch.setattr("tieout.eval.run.message_batches.FIRST_PAUSE", 0.01)
            assert run("--batch", server=server).exit_code != 0
        monkeypatch.setattr("tieout.eval.run.message_batches.FIRST_PAUSE", 0.01)
        assert run("--batch", server=server).exit_code == 0
        assert paths(server).count("/v1/messages/batches") == 1


def test_no_batch_is_sent_where_dollars_are_limited_and_the_price_is_not_known(run):
    with serving(told) as server:
        done = run("--batch", "--max-usd", "1", server=server, model="qwen3")
        assert done.exit_code == 1 and "no price for 'qwen3'" in done.output
        assert not server.requests


REFUSALS = {
    "unauthorized": error(401, "authentication_error", "invalid x-api-key"),
    "forbidden": error(403, "permission_error", "not for you"),
    "not found": error(404, "not_found_error", "model: claude"),
}


@pytest.mark.parametrize(("outcome", "workers"), [*((outcome, "1") for outcome in REFUSALS), ("unauthorized", "2")])
def test_an_endpoint_that_refuses_from_the_start_stops_the_run_which_goes_on_with_that_turn(run, outcome, workers):
    workers = ("--workers", workers)
    with serving(REFUSALS[outcome]) as server:
        stopped = run(*workers, server=server)
        assert stopped.exit_code == 1
        assert stopped.stderr.count("\n") == 1 and stopped.stderr.startswith(f"tieout: {outcome}: the endpoint says")
        assert f"0 of {TURNS} turns are done; put that right, and `--run r` " in stopped.stderr
        assert len(server.requests) <= 4
    with serving(told) as server:
        done = run(*workers, server=server)
        assert done.exit_code == 0, done.output
        assert len(server.requests) == TURNS
    assert json.loads(done.stdout)["outcomes"] == {"answer": TURNS}


def test_an_endpoint_that_cannot_be_reached_stops_the_run(run, tmp_path):
    with serving(told) as server:
        pass
    done = run(server=server)
    assert done.exit_code == 1
    assert done.stderr.startswith(f"tieout: unreachable: no connection to '127.0.0.1': 0 of {TURNS} turns are done")
    shown = CliRunner().invoke(evaluate, ["show", "r", "--runs", str(tmp_path)])
    assert "no turn is over yet" in shown.stdout and "3 conversations are left" in shown.stderr


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (error(429, "rate_limit_error"), "rate limited"),
        (error(500, "api_error"), "server error"),
        (error(529, "overloaded_error"), "overloaded"),
        *((said, outcome) for outcome, said in REFUSALS.items()),
    ],
)
def test_what_goes_wrong_on_the_way_is_an_outcome_of_its_turn(run, said, outcome):
    with serving(told, said, told) as server:
        done = run(server=server)
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["outcomes"] == {"answer": TURNS - 1, outcome: 1}


def test_the_connections_of_a_run_are_closed(run, monkeypatch):
    closed = []
    monkeypatch.setattr(AnthropicBackend, "close", lambda backend: closed.append(backend.client.is_closed()))
    with serving(told) as server:
        assert run(server=server).exit_code == 0
    assert closed == [False]
