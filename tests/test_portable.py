"""What needs no POSIX: asking, indexing, querying, serving and evaluating where only what every system has is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

pytest.importorskip("psutil", reason="PSUTIL NOT INSTALLED: nothing was tried without what only POSIX has")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="blocks what Linux has")


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> str:
    """A Python with the packages of this one, in which what only POSIX has is not there, also under -I."""
    folder = tmp_path_factory.mktemp("python")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    site = next(folder.glob("lib/python*/site-packages"))
    found = [each for each in sys.path if each.endswith("-packages")]
    (site / "a.pth").write_text("\n".join([str(Path(__file__).parent), str(ROOT), *found, "import posix_blocked"]))
    return str(folder / "bin" / "python")


def run(python: str, *arguments: str, here: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([python, *arguments], cwd=here, capture_output=True, encoding="utf-8", timeout=300)


def test_it_asks_indexes_queries_serves_and_evaluates_without_what_only_posix_has(python, tmp_path):
    done = run(
        python, "-X", "warn_default_encoding", str(ROOT / ".ci" / "try_installed.py"), str(tmp_path / "new"), here=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    steps = ["ask a file", "ask what is kept", "query", "serve", "evaluate"]
    assert done.stdout.splitlines() == [f"{step}: as it should be" for step in steps]


LOCKING = """
import os, sys, time
from tieout.data.system import locks
assert locks.fcntl is None
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
{does}
print("has it", flush=True)
sys.stdin.read()
"""
TRIES = """
import os, sys
from tieout.data.system.locks import hold
try:
    hold(os.open(sys.argv[1], os.O_RDWR | os.O_CREAT), wait=False)
    print("free")
except BlockingIOError:
    print("taken")
"""


@pytest.mark.parametrize(
    ("does", "to_share"),
    [
        ("locks.hold(file)", "waits"),
        pytest.param("locks.share(file)", "shares", marks=pytest.mark.thorough),
        pytest.param("locks.hold(file); locks.ease(file)", "shares", marks=pytest.mark.thorough),
    ],
)
def test_bytes_behind_a_file_lock_it_as_the_locks_of_posix_do(python, tmp_path, does, to_share):
    path = tmp_path / "file"
    path.write_text("text")

    def tries() -> str:
        return run(python, "-c", TRIES, str(path), here=tmp_path).stdout.strip()

    def started(does: str) -> subprocess.Popen[str]:
        command = [python, "-c", LOCKING.format(does=does), str(path)]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    with started(does) as first:
        assert first.stdout.readline() == "has it\n"
        assert tries() == "taken" and path.read_text() == "text"
        with started("locks.share(file)") as second:
            if to_share == "waits":
                first.communicate()  # ends, and with it its lock
            assert second.stdout.readline() == "has it\n"
            if to_share == "shares":
                first.communicate()
            assert tries() == "taken"  # the second has it still
            second.communicate()
    assert tries() == "free"


def test_a_process_that_the_kernel_keeps_to_no_limits_keeps_to_them_itself(python, tmp_path):
    code = f"import sys, time; sys.path.insert(0, {str(ROOT / 'data' / 'system')!r}); import confined; "
    code += "assert not confined.has_limits(); confined.limit_memory(200_000_000); "
    code += "b = b'x' * 300_000_000; time.sleep(60); print('lives')"
    done = run(python, "-c", code, here=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    code = f"import sys, time; sys.path.insert(0, {str(ROOT / 'data' / 'system')!r}); import confined; "
    code += "confined.SPARE_SECONDS = 0; confined.limit_memory(2**40); confined.limit_seconds(0.2)\nwhile True: pass"
    assert run(python, "-c", code, here=tmp_path).returncode == 1
