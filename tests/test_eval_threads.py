"""Conversations of a run that wait for an endpoint: in one process, as many at a time as there are workers."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from comparing import comparable
from conftest import ROOT, SAMPLE
from eval_runs import PROGRAM
from messages_server import message, serving, use
from test_agent_bounds import HEAD, sending

from tieout.agent.backends.anthropic_backend import AnthropicBackend
from tieout.agent.log.log import read_events
from tieout.eval.cli import evaluate
from tieout.eval.score.load import broken_logs, load

ASK = str(SAMPLE / "ask.json")
USAGE = {"input_tokens": 100_000, "output_tokens": 0}


def told(body):
    """An answer that depends on the question alone."""
    question = body["messages"][0]["content"][-1]["text"]
    value = f"t1r{1 + len(question) % 2}c1"
    return message(use("answer", {"value": value}), usage=USAGE, model=body["model"])


def command(runs, *options, name="r", limit=6):
    """What follows `tieout eval` to run conversations of the sample."""
    fixed = ["--limit", str(limit), "--run", name, "--runs", str(runs), "--no-store", "--json"]
    return ["run", ASK, "--backend", "anthropic:claude-sonnet-5-5,retries=0", *fixed, *options]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs conversations of the sample through a server, and gives what came of it."""
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")

    def start(server, *options, **more):
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        return CliRunner().invoke(evaluate, command(tmp_path, *options, **more))

    return start


def events(folder: Path) -> list:
    return [[comparable(event) for event in read_events(path)] for path in sorted(folder.glob("*.jsonl"))]


def test_the_workers_of_a_run_wait_at_the_same_time_in_one_process(run, tmp_path, monkeypatch):
    together, inner = threading.Barrier(5), AnthropicBackend.reply
    first = threading.local()

    def reply(backend, request):
        assert not multiprocessing.active_children()
        if not getattr(first, "met", False):
            first.met = True
            together.wait(300)  # goes on when all five are here
        return inner(backend, request)

    monkeypatch.setattr(AnthropicBackend, "reply", reply)
    with serving(told) as server:
        done = run(server, "--workers", "5")
    assert done.exit_code == 0, done.output
    assert not together.broken and load(tmp_path / "r").complete == 6


def test_logs_do_not_depend_on_the_number_of_workers(run, tmp_path):
    with serving(told) as server:
        for name, workers in (("one", "1"), ("many", "6")):
            assert run(server, "--workers", workers, name=name).exit_code == 0
    assert events(tmp_path / "one") == events(tmp_path / "many")
    assert broken_logs(tmp_path / "many") == []


def test_the_dollars_of_all_threads_count(run, tmp_path):
    with serving(told) as server:
        stopped = run(server, "--workers", "4", "--max-usd", "1.0")
        asked = len(server.requests)
        assert stopped.exit_code == 1 and "--max-usd are used up" in stopped.stderr
        assert 5 <= asked <= 8  # of 0.2 dollars each: three may be under way when the fifth is over
        assert run(server, "--workers", "4").exit_code == 0
        assert load(tmp_path / "r").complete == 6
        assert len(server.requests) == len(load(tmp_path / "r").results)


@pytest.mark.parametrize("workers", ["1", "3"])
def test_an_endpoint_that_drips_does_not_outlast_the_seconds_of_a_run(run, workers, tmp_path):
    with sending(HEAD, b" ", 0.05) as endpoint:
        done = run(endpoint, "--workers", workers, "--max-seconds", "2")
    assert done.exit_code == 1
    assert "the seconds of --max-seconds are used up" in done.stderr and done.stderr.count("\n") == 1
    assert load(tmp_path / "r").results == ()  # nothing that the limit broke off counts for an answer


def test_a_fault_in_one_thread_ends_all_and_is_raised(run, monkeypatch):
    real = "tieout.eval.run.work.Session"
    made = []

    def broken(*arguments, **more):
        made.append(arguments)
        raise LookupError("a fault of ours")

    monkeypatch.setattr(real, broken)
    with serving(told) as server:
        done = run(server, "--workers", "3")
    assert isinstance(done.exception, LookupError)
    assert threading.active_count() < 6


def test_a_log_that_was_altered_ends_a_run_in_threads_with_one_line(run, tmp_path):
    with serving(told) as server:
        assert run(server, "--workers", "3", limit=3).exit_code == 0
        path = sorted((tmp_path / "r").glob("*.jsonl"))[1]
        path.write_bytes(path.read_bytes().replace(b'"turn":0', b'"turn":1', 1))
        done = run(server, "--workers", "3")
    assert done.exit_code == 1 and done.stderr.count("\n") == 1 and path.name in done.stderr.replace("\n", "")


def test_ctrl_c_leaves_a_run_in_threads_that_goes_on(run, tmp_path):
    released = threading.Event()

    def held(body):
        released.wait(300)
        return told(body)

    with serving(held) as server:
        more = {"ANTHROPIC_API_KEY": "k", "ANTHROPIC_BASE_URL": server.url}
        words = [sys.executable, "-c", PROGRAM, "eval", *command(tmp_path, "--workers", "4", limit=4)]
        process = subprocess.Popen(words, env=os.environ | more, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        while not list(tmp_path.glob("r/*.jsonl")) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=300)
        released.set()
        assert process.returncode == 130 and "goes on" in said and "Traceback" not in said, said
        again = run(server, "--workers", "4", limit=4)
    assert again.exit_code == 0, again.output
    assert json.loads(again.stdout)["status"] == "complete" and broken_logs(tmp_path / "r") == []
