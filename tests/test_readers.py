"""Several people, one lake: two processes that keep asking, while a third adds filings and replaces one."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from s3_server import serving

import tieout

READER = """
import sys
import time
from pathlib import Path
from tieout.kg.store.kept import open_kept
from tieout.kg.store.lake import read_store

while True:
    is_last = Path("done").exists()
    with open_kept(read_store(sys.argv[1])) as kept:
        graphs = {each.id: kept.graph(each.id) for each in kept.index.reports()}
        told = {name: [fact.raw for fact in graph.facts() if fact.raw != "2024"] for name, graph in graphs.items()}
    print(sorted((name, *figures) for name, figures in told.items()), flush=True)
    if is_last:
        break
    time.sleep(0.2)
"""


@pytest.fixture(params=["folder", "bucket"])
def lake(request, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A store in a folder, or the URL of one in a bucket."""
    monkeypatch.chdir(tmp_path)
    if request.param == "folder":
        yield str(tmp_path / "store")
        return
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serving() as server:
        for name, value in server.environment.items():
            monkeypatch.setenv(name, value)
        yield "s3://lake/desk"


def write(name: str, revenue: int, lake: str) -> None:
    path = Path("in", f"{name}.md")
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# {name} Ltd\n\nIn thousands.\n\n| | 2024 |\n|---|---|\n| Revenue | {revenue} |\n")
    assert CliRunner().invoke(tieout.main, ["index", "in", "--store", lake]).exit_code == 0


def test_every_read_gives_one_state_or_the_next_while_filings_come_and_change(lake):
    write("alpha", 501, lake)
    words = [sys.executable, "-c", READER, lake]
    readers = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ) for _ in range(2)]
    first = [reader.stdout.readline() for reader in readers]
    write("beta", 777, lake)  # comes
    write("alpha", 502, lake)  # changes
    Path("done").touch()
    told = [
        [one, *reader.communicate(timeout=60)[0].splitlines(True)] for one, reader in zip(first, readers, strict=True)
    ]
    states = [[("alpha", "501")], [("alpha", "501"), ("beta", "777")], [("alpha", "502"), ("beta", "777")]]
    for reader, lines in zip(readers, told, strict=True):
        assert reader.returncode == 0
        seen = [states.index(eval(line)) for line in lines]
        assert seen == sorted(seen) and (seen[0], seen[-1]) == (0, 2)
