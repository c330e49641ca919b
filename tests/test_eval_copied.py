"""A run that was copied, with its data or to another name, is the run that it was, and is gone on with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import SAMPLE

import tieout
from tieout.eval.run.manifest import read_manifest


def evaluate(name: str, limit: int) -> str:
    words = ["eval", "run", "ask.json", "--backend", "offline", "--run", name, "--limit", str(limit)]
    done = CliRunner().invoke(tieout.main, words)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run of one conversation and its data."""
    (tmp_path / "first").mkdir()
    monkeypatch.chdir(tmp_path / "first")
    shutil.copy(SAMPLE / "ask.json", "ask.json")
    evaluate("demo", 1)
    return tmp_path


def test_a_run_under_another_name_is_gone_on_with(place):
    shutil.copytree("runs/demo", "runs/copy")
    evaluate("copy", 2)
    assert read_manifest(Path("runs/copy")).run == "demo"
    assert len(read_manifest(Path("runs/copy")).conversations) == 2
    done = CliRunner().invoke(tieout.main, ["eval", "verify", "copy"])
    assert done.exit_code == 0 and "complete and unaltered" in done.output


def test_a_run_elsewhere_with_its_data_is_gone_on_with(place, monkeypatch):
    shutil.copytree(place / "first", place / "second")
    shutil.rmtree(place / "first")
    monkeypatch.chdir(place / "second")
    evaluate("demo", 2)
    assert CliRunner().invoke(tieout.main, ["eval", "verify", "demo"]).exit_code == 0


def test_a_run_over_other_data_is_still_refused(place):
    path = Path("ask.json")
    path.write_text(path.read_text().replace("2013", "2014"))
    words = ["eval", "run", "ask.json", "--backend", "offline", "--run", "demo", "--limit", "1"]
    done = CliRunner().invoke(tieout.main, words)
    assert done.exit_code == 1 and "has changed" in done.output


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs and devices")
@pytest.mark.parametrize("pattern", ["run.json", "*.jsonl"])
@pytest.mark.parametrize("command", ["verify", "report"])
def test_a_run_that_somebody_sent_and_that_never_ends_is_not_waited_for(place, command, pattern):
    (path,) = Path("runs/demo").glob(pattern)
    for make, said in ((os.mkfifo, "is a FIFO"), (lambda at: at.symlink_to("/dev/zero"), "more than 256 MB")):
        path.unlink()
        make(path)
        told = CliRunner().invoke(tieout.main, ["eval", command, "demo"])
        assert told.exit_code == 1 and said in told.output and told.output.count("\n") <= 2, told.output
