"""Disks that take no more, or nothing at all: what was kept stays, one line says so, and the same command goes on.

A process that may write no more bytes to a file than RLIMIT_FSIZE says finds a full disk at every place in turn.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest
from click.testing import CliRunner
from filed import SHORT, write

import tieout

QUESTION = "what was net income in 2023?"
FULL = [50_000, *(pytest.param(most, marks=pytest.mark.thorough) for most in (0, 120_000))]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("full")
    write(place, "brightmoor", length=SHORT)
    return place


def run(place: Path, *words: object, most: int | None = None) -> tuple[int, str, list[str]]:
    """A command in a folder: its exit code, its output, and its lines of errors.

    most: bytes of a file, in a process of its own; where there is room, the command is run in this one.
    """
    named = list(map(str, words))
    if most is None:
        with chdir(place):
            here = CliRunner().invoke(tieout.main, named)
        assert here.exception is None or isinstance(here.exception, SystemExit), here.exception
        return here.exit_code, here.stdout, _told(here.stderr)
    done = subprocess.run(
        [sys.executable, "-m", "tieout", *named],
        cwd=place,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most)),
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, _told(done.stderr)


def _told(errors: str) -> list[str]:
    return [each for each in errors.splitlines() if not each.startswith("ontology:")]


@pytest.mark.parametrize("most", FULL)
@pytest.mark.parametrize("command", ["index", "kg build"])
def test_a_full_disk_is_one_line_and_the_command_goes_on_when_there_is_room(folder, tmp_path, command, most):
    code, _, lines = run(tmp_path, *command.split(), folder / "brightmoor.htm", most=most)
    assert code == 1 and len(lines) == 1, lines
    assert "cannot be written" in lines[0] or "cannot be used" in lines[0] or "no room" in lines[0], lines
    assert run(tmp_path, "index", folder)[::2] == (0, [])
    code, said, lines = run(tmp_path, "ask", QUESTION)
    assert code == 0 and "473 million" in said and lines == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_what_cannot_be_printed_is_one_line():
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tieout", "measures"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert done.stderr == "tieout: what is printed cannot be written: No space left on device\n"


@pytest.mark.parametrize("most", FULL)
def test_a_question_about_a_file_is_answered_on_a_full_disk(folder, tmp_path, most):
    code, said, lines = run(tmp_path, "ask", folder / "brightmoor.htm", QUESTION, most=most)
    assert code == 0 and "473 million" in said and lines == []


def test_what_was_kept_before_the_disk_was_full_is_kept(folder, tmp_path):
    assert run(tmp_path, "index", folder)[0] == 0
    (tmp_path / "more").mkdir()
    write(tmp_path / "more", "castellan", length=SHORT)
    assert run(tmp_path, "index", "more", most=50_000)[0] == 1
    code, said, lines = run(tmp_path, "ask", QUESTION)
    assert code == 0 and "473 million" in said and lines == []


@pytest.fixture
def read_only(folder: Path, tmp_path: Path):
    """A store on a mount where nothing can be written; skipped where this user may not mount."""
    (tmp_path / "place").mkdir()
    assert run(tmp_path / "place", "index", folder)[0] == 0
    target = str(tmp_path / "place")
    mounted = [["mount", "--bind", target, target], ["mount", "-o", "remount,bind,ro", target]]
    if not shutil.which("mount") or os.geteuid() or any(subprocess.run(each).returncode for each in mounted):
        subprocess.run(["umount", target], capture_output=True)
        pytest.skip("A READ-ONLY MOUNT NEEDS ROOT, so this test did not run")
    yield tmp_path / "place"
    subprocess.run(["umount", "-l", target], check=True)


def test_a_store_on_a_read_only_mount_is_asked_and_told_to_be_read_only_where_it_is_to_be_written(
    read_only, folder, tmp_path
):
    code, said, lines = run(read_only, "ask", QUESTION)
    assert code == 0 and "473 million" in said and lines == []
    code, said, lines = run(read_only, "ask", folder / "brightmoor.htm", QUESTION)
    assert code == 0 and "473 million" in said and lines == []
    assert run(read_only, "sparql", "ASK { ?s a kg:Document }")[:2] == (0, "yes\n")
    assert run(read_only, "kg", "show", "brightmoor")[0] == 0
    assert run(read_only, "index", "--list")[0] == 0
    write(tmp_path, "castellan", length=SHORT)
    for command in ("index", "kg build"):
        code, _, lines = run(read_only, *command.split(), tmp_path / "castellan.htm")
        assert code == 1 and len(lines) == 1 and "read-only" in lines[0], lines
