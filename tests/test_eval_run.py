"""Runs: what is written, what is gone on with, what is refused, what is never lost."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from decimal import Decimal
from pathlib import Path

import orris
import pytest
from click.testing import CliRunner
from comparing import comparable
from conftest import SAMPLE
from eval_runs import PROGRAM, TBOX, Student, outcome, run
from started import nobody_is_left, workers_of

import tieout
from tieout.agent.log.log import LogError, log_path, read_events
from tieout.agent.workspace import Settings
from tieout.data.readers.read import read_conversations
from tieout.eval.run import manifest
from tieout.eval.run.manifest import RunError, locked, read_manifest
from tieout.eval.run.run import check_name, execute, new_name, plan
from tieout.eval.run.sample import Selection
from tieout.eval.run.work import Job, Stopped
from tieout.eval.score.load import broken_logs, digest, load
from tieout.eval.score.score import Rule
from tieout.eval.score.summary import changed, conversation_rate, turn_rate
from tieout.ontology.model import Ontology

ASK = SAMPLE / "ask.json"
FEW = Selection(limit=6)
# For every process of a run: whoever opens the file $HELD waits, until a signal ends it.
HOLDS = """
import os, sys, time

def hold(event, arguments):
    if event == "open" and arguments[0] == os.environ.get("HELD"):
        time.sleep(3600)

sys.addaudithook(hold)
"""


@pytest.fixture
def student(monkeypatch):
    made = Student(ASK)
    monkeypatch.setattr("tieout.eval.run.work.make_backend", lambda name: made)
    return made


@pytest.fixture(scope="module")
def recorded(tmp_path_factory) -> Path:
    """The folder of a run of a few conversations, to be looked at, copied, and replayed in other processes."""
    runs = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tieout.eval.run.work.make_backend", lambda name: Student(ASK))
        run(runs, ASK, selection=FEW)
    return runs / "first"


@pytest.fixture(scope="module")
def scored(recorded) -> list[tuple]:
    """All that it says."""
    return outcome(load(recorded))


@pytest.fixture(scope="module")
def told(recorded) -> list:
    """Its events."""
    return events_of(recorded)


@pytest.fixture
def first(tmp_path, recorded, student) -> Path:
    """A copy of it to go on with."""
    shutil.copytree(recorded, tmp_path / "first")
    return tmp_path / "first"


def command(runs: Path, recorded: Path, *options: str) -> list[str]:
    ontology = ["--ontology", str(recorded / "ontology.ttl")]
    fixed = ["--run", "r", "--runs", str(runs), "--no-store", "--json", "--limit", str(FEW.limit), *ontology]
    backend = f"replay:{recorded}"
    return [sys.executable, "-c", PROGRAM, "eval", "run", str(ASK), "--backend", backend, *fixed, *options]


def start(runs: Path, recorded: Path, *options: str, **more) -> subprocess.Popen:
    out = subprocess.PIPE
    return subprocess.Popen(command(runs, recorded, *options), stdout=out, stderr=out, text=True, **more)


def start_held(runs: Path, recorded: Path, *options: str) -> subprocess.Popen:
    """The same, of a run that writes logs and cannot end: whoever comes to the log of its last conversation waits."""
    site = runs / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(HOLDS)
    last = log_path(runs / "r", [*read_manifest(recorded).conversations][-1])
    paths = os.pathsep.join(filter(None, (str(site), os.environ.get("PYTHONPATH"))))
    process = start(
        runs, recorded, *options, env=os.environ | {"PYTHONPATH": paths, "HELD": str(last)}, start_new_session=True
    )
    while not list(runs.glob("r/*.jsonl")) and process.poll() is None:
        time.sleep(0.01)
    return process


def finish(runs: Path, recorded: Path, *options: str) -> None:
    """The same command again, in this process: what other processes left is gone on with."""
    done = CliRunner().invoke(tieout.main, command(runs, recorded, *options)[3:])
    assert done.exit_code == 0, done.output


def events_of(folder: Path) -> list:
    return [[comparable(event) for event in read_events(path)] for path in sorted(folder.glob("*.jsonl"))]


def test_a_run_scores_what_the_backend_answered(tmp_path, student):
    done = run(tmp_path, ASK)
    turns = sum(len(each.questions) for each in read_conversations(ASK))
    assert len(done.results) == turns == student.asked
    assert done.complete == done.wanted == len(list(read_conversations(ASK)))
    assert {"answer", "clarify", "overloaded"} <= {each.outcome for each in done.results}
    strict, whole = turn_rate(done.results, Rule.STRICT), conversation_rate(done.results, Rule.STRICT)
    assert strict.n == turns and 0.4 < strict.value < 0.9
    assert whole.n == done.wanted and 0 < whole.value < strict.value


def test_what_is_complete_is_not_run_again(tmp_path, first, student, scored):
    before = digest(first)
    again = run(tmp_path, ASK, selection=FEW)
    assert student.asked == 0
    assert digest(first) == before
    assert outcome(again) == scored


def test_a_run_can_be_extended(tmp_path, first, student, scored):
    extended = run(tmp_path, ASK, selection=Selection(limit=8))
    assert len(extended.results) == len(scored) + student.asked > len(scored)
    with pytest.raises(RunError, match="conversations that are not asked for now"):
        run(tmp_path, ASK, selection=FEW)


def test_a_torn_line_is_cut_off_and_at_most_one_turn_is_asked_again(tmp_path, first, student, scored):
    path = sorted(first.glob("*.jsonl"))[2]
    content = path.read_bytes()
    ends = [index for index, byte in enumerate(content) if byte == ord("\n")]
    turns = content.count(b'"event":"turn ended"')
    for cut, again in {0: turns, ends[0] + 1: turns, ends[-2] - 1: 1, ends[-2] + 5: 0, len(content) - 1: 0}.items():
        path.write_bytes(content[:cut])
        asked = student.asked
        assert outcome(run(tmp_path, ASK, selection=FEW)) == scored
        assert student.asked == asked + again
        assert broken_logs(first) == []


def test_a_log_that_was_damaged_in_the_middle_is_named_and_left_as_it_is(tmp_path, first):
    path = sorted(first.glob("*.jsonl"))[1]
    lines = path.read_bytes().splitlines(keepends=True)
    damaged = b"".join([lines[0], lines[1][:20] + b"\n", *lines[2:-1]])
    path.write_bytes(damaged)
    with pytest.raises(LogError, match=r"line 2 is no event"):
        run(tmp_path, ASK, selection=FEW)
    assert path.read_bytes() == damaged
    assert [each for each, _ in broken_logs(first)] == [path]


def test_a_data_file_that_changed_is_refused(tmp_path, student):
    data = tmp_path / "data.json"
    shutil.copy(ASK, data)
    run(tmp_path, data, selection=FEW)
    data.write_text(data.read_text() + " ")
    with pytest.raises(RunError, match=r"the data file '.*data.json' of run 'first' has changed"):
        run(tmp_path, data, selection=FEW)
    with pytest.raises(RunError, match="has changed since it was run"):
        load(tmp_path / "first")


@pytest.mark.parametrize(
    ("different", "named"),
    [
        ({"history": "gold"}, "--history own, not gold"),
        ({"settings": {"max_calls": 3}}, "max_calls 8, not 3"),
        ({"repeat": 2}, "--repeat 1, not 2"),
        ({"backend": "teacher"}, "--backend student, not teacher"),
    ],
)
def test_other_settings_under_the_same_name_are_refused(tmp_path, first, different, named):
    with pytest.raises(RunError, match=named):
        run(tmp_path, ASK, selection=FEW, **different)


def test_another_ontology_under_the_same_name_is_refused(tmp_path, first, monkeypatch):
    monkeypatch.setattr("eval_runs.TBOX", Ontology.parse(orris.TBOX.replace("strike price", "price")))
    with pytest.raises(RunError, match="another ontology"):
        run(tmp_path, ASK, selection=FEW)


def test_two_processes_cannot_write_one_run(tmp_path, student, monkeypatch):
    monkeypatch.setattr(manifest, "_PATIENCE", 0.1)
    with locked(tmp_path / "first"), pytest.raises(RunError, match="is being written by another process"):
        run(tmp_path, ASK, selection=FEW)
    assert run(tmp_path, ASK, selection=FEW).complete == 6


def test_gold_history_gives_the_answers_and_never_a_program(tmp_path, student, monkeypatch):
    jobs: list[Job] = []
    real = "tieout.eval.run.work.Worker.run"
    from tieout.eval.run.work import Worker

    inner = Worker.run
    monkeypatch.setattr(real, lambda self, job, *rest: (jobs.append(job), inner(self, job, *rest))[1])
    for history in ("own", "gold"):
        run(tmp_path, ASK, name=history, selection=Selection(limit=3), history=history)
    programs = {gold.program for each in read_conversations(ASK) for gold in each.gold if "(" in gold.program}
    assert programs and not any(program in repr(job) for job in jobs for program in programs)
    assert all(not job.given for job in jobs[:3]) and all(job.given for job in jobs[3:])
    seen = [event for events in events_of(tmp_path / "gold") for event in events if event["event"] == "turn started"]
    assert all(prior["given"] for event in seen for prior in event["history"])
    assert any(event["history"] for event in seen)


def test_repeats_are_kept_apart_and_turns_that_change_are_listed(tmp_path, student, monkeypatch):
    steady = run(tmp_path, ASK, name="steady", selection=Selection(limit=2), repeat=3)
    assert changed(steady.results) == [] and {each.repeat for each in steady.results} == {1, 2, 3}
    first = next(each.question for each in steady.results if each.right[Rule.STRICT])
    inner = student.reply
    asked: list[str] = []

    def fickle(request):
        asked.append(request.question)
        known = asked.count(request.question) > 1 and request.question == first
        return inner(request.model_copy(update={"question": "?"})) if known else inner(request)

    student.programs |= {(each, "?"): "1" for each, _ in student.programs}
    monkeypatch.setattr(student, "reply", fickle)
    found = run(tmp_path, ASK, name="fickle", selection=Selection(limit=1), repeat=2)
    assert [turn for _, turn in changed(found.results)]


def test_the_dollars_of_a_run_stop_it_and_a_higher_limit_goes_on(tmp_path, student, monkeypatch):
    monkeypatch.setattr(
        "tieout.agent.backends.prices.Prices.of", lambda prices, reply: __import__("decimal").Decimal("0.01")
    )
    with pytest.raises(Stopped, match=r"0.05 dollars of --max-usd are used up"):
        run(tmp_path, ASK, selection=FEW, max_usd=0.05)
    stopped = load(tmp_path / "first")
    assert 5 <= len(stopped.results) < 20 and stopped.complete < 6
    with pytest.raises(Stopped):
        run(tmp_path, ASK, selection=FEW, max_usd=0.05)
    assert len(load(tmp_path / "first").results) == len(stopped.results)
    assert run(tmp_path, ASK, selection=FEW, max_usd=100).complete == 6


def test_a_replayed_run_scores_the_same_whatever_the_number_of_workers(tmp_path, recorded, scored, told):
    for workers in ("1", "2"):
        finish(tmp_path / workers, recorded, "--workers", workers)
        assert outcome(load(tmp_path / workers / "r")) == scored
        assert events_of(tmp_path / workers / "r") == told


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.thorough), "2"])
def test_a_run_that_is_killed_goes_on_with_nothing_lost_and_nothing_twice(tmp_path, recorded, scored, told, workers):
    draw = random.Random(int(workers))
    kept = 0
    for _ in range(2):
        process = start(tmp_path, recorded, "--workers", workers)
        deadline = time.monotonic() + 300
        while len(list(tmp_path.glob("r/*.jsonl"))) <= kept and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(draw.uniform(0, 0.03))
        process.kill()
        process.communicate()
        kept = len(list(tmp_path.glob("r/*.jsonl")))
    finish(tmp_path, recorded)
    assert outcome(load(tmp_path / "r")) == scored
    assert events_of(tmp_path / "r") == told
    assert broken_logs(tmp_path / "r") == []


@pytest.mark.parametrize("workers", [pytest.param("1", marks=pytest.mark.thorough), "2"])
def test_ctrl_c_leaves_a_run_that_goes_on(tmp_path, recorded, scored, workers):
    process = start_held(tmp_path, recorded, "--workers", workers)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 130, said
    assert "stopped; `--run r` with the same options goes on" in said
    assert "Traceback" not in said
    finish(tmp_path, recorded)
    assert outcome(load(tmp_path / "r")) == scored


@pytest.mark.parametrize(
    ("options", "said"), [(["--max-seconds", "0"], "--max-seconds are used up"), ([], "is damaged")]
)
def test_what_stops_one_of_two_workers_stops_both_and_the_run_goes_on(tmp_path, recorded, scored, told, options, said):
    broken = log_path(tmp_path / "r", [*read_manifest(recorded).conversations][4])
    if not options:
        broken.parent.mkdir()
        broken.write_text('{"at":"x"}\n')
    process = start(tmp_path, recorded, "--workers", "2", *options, start_new_session=True)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 1
    assert said in errors and len(errors.strip().splitlines()) == 1, errors
    assert nobody_is_left(process.pid)
    broken.unlink(missing_ok=True)
    assert not options or load(tmp_path / "r").results == ()
    assert len(load(tmp_path / "r").results) < len(scored)
    finish(tmp_path, recorded)
    assert outcome(load(tmp_path / "r")) == scored
    assert events_of(tmp_path / "r") == told


def test_a_full_disk_is_one_clear_line_and_no_damage(tmp_path, recorded, scored):
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9000, 9000))

    process = start(tmp_path, recorded, "--workers", "1", preexec_fn=small_files)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1
    assert len(said.strip().splitlines()) == 1 and "Traceback" not in said and "r/" in said, said
    finish(tmp_path, recorded)
    assert outcome(load(tmp_path / "r")) == scored
    assert broken_logs(tmp_path / "r") == []


def test_a_worker_that_is_killed_ends_the_run_with_one_line(tmp_path, recorded, scored):
    process = start_held(tmp_path, recorded, "--workers", "2")
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    _, said = process.communicate(timeout=300)
    assert process.returncode == 1 and "ended from outside" in said and "Traceback" not in said, said
    finish(tmp_path, recorded)
    assert outcome(load(tmp_path / "r")) == scored


def test_a_changed_line_is_found_and_so_is_a_missing_log(first):
    seal = digest(first)
    one, other = sorted(first.glob("*.jsonl"))[:2]
    one.write_bytes(one.read_bytes().replace(b"answer", b"ANSWER", 1))
    other.unlink()
    wrong = dict(broken_logs(first))
    assert set(wrong) == {one, other}
    assert wrong[other] == "there is no log"
    assert digest(first) != seal


def test_a_run_that_is_not_there_or_damaged_is_one_line(tmp_path, first):
    with pytest.raises(RunError, match=r"there is no run 'second'.*there are: first"):
        load(tmp_path / "second")
    (first / "run.json").write_text("{")
    with pytest.raises(RunError, match="is damaged"):
        read_manifest(first)
    shutil.rmtree(first)
    with pytest.raises(RunError, match=r"there is no run 'first'.*eval run"):
        load(first)


def test_names_of_runs_cannot_leave_their_folder(tmp_path):
    for name in ("../x", "a/b", "", ".hidden", "a b", "x" * 101):
        with pytest.raises(RunError, match="cannot be the name of a run"):
            check_name(name)
    for name in ("baseline", "Baseline"):
        with pytest.raises(RunError, match="the file that marks the baseline has it"):
            check_name(name)
    (tmp_path / "replay-runs-x-1").mkdir()
    assert new_name(tmp_path, "replay:runs/x") == "replay-runs-x-2"
    assert check_name(new_name(tmp_path, "anthropic:../..")) == "anthropic-1"


def test_the_log_of_a_conversation_lies_in_the_folder_of_its_run(recorded):
    expected = {log_path(recorded, name) for name in read_manifest(recorded).conversations}
    assert set(recorded.glob("*.jsonl")) == expected


def test_an_unknown_cost_stops_a_run_whose_dollars_are_limited(tmp_path, student, monkeypatch):
    monkeypatch.setattr("tieout.agent.backends.prices.Prices.of", lambda prices, reply: None)
    with pytest.raises(Stopped, match="a reply has no known price"):
        run(tmp_path, ASK, selection=FEW, max_usd=100)
    with pytest.raises(Stopped, match="a reply has no known price"):
        run(tmp_path, ASK, selection=FEW, max_usd=100)
    assert student.asked <= 2


def test_the_dollars_of_a_turn_that_was_broken_off_count(tmp_path, student, monkeypatch):
    monkeypatch.setattr("tieout.agent.backends.prices.Prices.of", lambda prices, reply: Decimal("0.01"))
    run(tmp_path, ASK, selection=FEW)
    path = next(each for each in sorted((tmp_path / "first").glob("*.jsonl")) if b"model called" in each.read_bytes())
    lines = path.read_bytes().splitlines(keepends=True)
    called = next(number for number, line in enumerate(lines) if b'"event":"model called"' in line)
    path.write_bytes(b"".join(lines[: called + 1]))
    run(tmp_path, ASK, selection=FEW)
    run(tmp_path, ASK, selection=FEW)
    assert read_manifest(tmp_path / "first").lost_usd == Decimal("0.01")


def test_other_versions_and_weights_are_refused(recorded):
    known = read_manifest(recorded)
    assert known.completed is not None
    with pytest.raises(RunError, match=r"started with tieout .*, not 0"):
        known.check_same(known.model_copy(update={"versions": known.versions | {"tieout": "0"}}))
    with pytest.raises(RunError, match="other weights"):
        known.check_same(known.model_copy(update={"weights_sha256": "0"}))
    assert manifest.weights_hash("offline") and manifest.weights_hash("replay:x") is None


def test_the_turns_told_of_at_a_limit_are_those_of_the_logs(tmp_path, student, monkeypatch):
    monkeypatch.setattr("tieout.agent.backends.prices.Prices.of", lambda prices, reply: Decimal("0.01"))
    for limit in (0.05, 0.08):
        told = 0
        made = plan("first", [ASK], TBOX, "a test", "student", Settings(), "own", 1, FEW)
        with pytest.raises(Stopped):
            for progress in execute(tmp_path, made, TBOX, max_usd=limit):
                told += progress.turns
        assert told == len(load(tmp_path / "first").results) > 0
