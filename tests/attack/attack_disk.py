"""Disks that are full at every place: a small file system in memory, filled more and more. `make attack` runs this.

It needs root; what a user may do alone is in test_full_disk.py and test_damage.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE
from filed import write
from test_full_disk import QUESTION, run


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB; skipped where this user may not mount."""
    target = tmp_path / "small"
    target.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(target)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(mount).returncode:
        pytest.skip("A SMALL FILE SYSTEM NEEDS ROOT, so this test did not run")
    yield target
    subprocess.run(["umount", "-l", str(target)], check=True)


def fill(place: Path, left: int) -> Path:
    """Leaves so many bytes of room."""
    stuffing = place / "stuffing"
    room = os.statvfs(place)
    stuffing.write_bytes(b"x" * max(0, room.f_bavail * room.f_frsize - left))
    return stuffing


COMMANDS: dict[str, tuple[object, ...]] = {
    "index": ("index", "castellan.htm"),
    "build": ("kg", "build", "castellan.htm"),
    "again": ("index", "--again"),
    "evaluation": ("eval", "run", SAMPLE / "ask.json", "--backend", "offline", "--run", "r", "--limit", "2"),
    "export": ("ask", QUESTION, "--html", "a.html"),
    "facts": ("kg", "facts", "brightmoor.htm", "-o", "f.csv", "--format", "csv"),
    "ontology": ("ontology", "build", SAMPLE / "train.json", "-o", "o.ttl"),
    "term": ("term", "add", "EBITDA", "earnings before interest"),
}


@pytest.mark.parametrize("left", [0, 20_000, 400_000])
@pytest.mark.parametrize("name", COMMANDS)
def test_a_full_disk_is_one_line_in_every_command_that_writes(small, name, left):
    write(small, "brightmoor", "castellan")
    assert run(small, "index", "brightmoor.htm")[0] == 0
    stuffing = fill(small, left)
    code, _, lines = run(small, *COMMANDS[name])
    assert not any("Traceback" in line for line in lines), lines
    told = [line for line in lines if line.startswith("tieout: ") or name == "index"]
    assert code == 0 or len(told) == 1, lines
    stuffing.unlink()
    assert run(small, *COMMANDS[name])[0] == 0
    assert run(small, "index", "brightmoor.htm", "castellan.htm")[0] == 0
    code, said, lines = run(small, "ask", "brightmoor.htm", QUESTION)
    assert code == 0 and "473 million" in said and lines == []
