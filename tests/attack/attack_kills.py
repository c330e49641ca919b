"""Cuts of power: the commands that write are ended at 60 moments all told, and nothing that was there is lost.

After each the same command goes on and gives what it gives where nobody ended it. `make attack` runs this.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE
from filed import write

from tieout.kg.store.kept import index_path, open_kept

QUESTION = "what was net income in 2023?"
STORE = Path(".tieout/store")


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "tieout", *map(str, words)]


def run(place: Path, *words: object) -> tuple[int, str]:
    done = subprocess.run(command(*words), cwd=place, capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.returncode, done.stdout + done.stderr


def kept(place: Path) -> dict[str, int]:
    """The reports of a store and how many figures each has, read from both its parts, which have to be whole."""
    if not index_path(place / STORE).exists():
        return {}
    with open_kept(place / STORE) as opened:
        opened.index.check()
        found = {each.id: each.facts for each in opened.index.reports()}
        for name in found:
            assert len(opened.graph(name).select("SELECT ?f { ?f kg:raw ?r }")) >= found[name]
    return found


def exists_whole(name: str, end: bytes) -> Callable[[Path], None]:
    def check(place: Path) -> None:
        file = place / name
        assert not file.exists() or file.read_bytes().rstrip().endswith(end)

    return check


def exists_packed(name: str) -> Callable[[Path], None]:
    def check(place: Path) -> None:
        file = place / name
        assert not file.exists() or zipfile.ZipFile(file).testzip() is None

    return check


def both(place: Path) -> None:
    assert kept(place).keys() <= {"brightmoor", "castellan"}


def begun(place: Path) -> None:
    assert kept(place).get("brightmoor")


# A command that writes, and what has to hold after it was ended, wherever. The store keeps brightmoor before.
COMMANDS: dict[str, tuple[tuple[object, ...], Callable[[Path], None]]] = {
    "index": (("index", "in"), begun),
    "index in two processes": (("index", "in", "--jobs", "2"), begun),
    "index again": (("index", "--again"), both),
    "forget": (("index", "--forget", "brightmoor"), both),
    "build": (("kg", "build", "in/castellan.htm"), begun),
    "ask a file": (("ask", "in/castellan.htm", QUESTION), begun),
    "ask and export": (("ask", QUESTION, "--html", "a.html", "--log", "log.jsonl"), exists_whole("a.html", b"</html>")),
    "facts": (("kg", "facts", "in/brightmoor.htm", "--format", "csv", "-o", "f.csv"), exists_whole("f.csv", b"")),
    "ontology": (("ontology", "build", SAMPLE / "train.json", "-o", "o.ttl"), exists_whole("o.ttl", b".")),
    "evaluation": (("eval", "run", SAMPLE / "ask.json", "--backend", "offline", "--run", "s", "--limit", "4"), begun),
    "evaluation shown": (("eval", "report", "r", "-o", "r.html"), exists_whole("r.html", b"</html>")),
    "graph": (("kg", "export", "in/brightmoor.htm", "-o", "g.ttl"), exists_whole("g.ttl", b" .")),
    "comparison": (("compare", "revenue", "--format", "xlsx", "-o", "c.xlsx"), exists_packed("c.xlsx")),
    "sample": (("sample",), begun),
    "term": (("term", "add", "EBITDA", "earnings before interest"), begun),
}
WRITTEN = ("a.html", "log.jsonl", "f.csv", "o.ttl", "r.html", "g.ttl", "c.xlsx")
TIMES = 4  # that each is ended


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("good")
    (place / "in").mkdir()
    write(place / "in", "brightmoor", "castellan")
    assert run(place, "index", "in/brightmoor.htm")[0] == 0
    run_of_two = ("eval", "run", SAMPLE / "ask.json", "--backend", "offline", "--run", "r", "--limit", "2")
    assert run(place, *run_of_two)[0] == 0
    return place


@pytest.fixture(scope="module")
def lasting(good: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, float]:
    """How many seconds each command takes."""
    found = {}
    for name, (words, _) in COMMANDS.items():
        place = tmp_path_factory.mktemp("lasting") / "place"
        shutil.copytree(good, place)
        began = time.monotonic()
        assert run(place, *words)[0] == 0, name
        found[name] = time.monotonic() - began
    return found


def test_there_are_fifty_cuts():
    assert len(COMMANDS) * TIMES >= 50


@pytest.mark.parametrize("time_", range(TIMES))
@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_ended_loses_nothing_and_goes_on(good, lasting, tmp_path, name, time_):
    words, holds = COMMANDS[name]
    place = tmp_path / "place"
    shutil.copytree(good, place)
    moment = (time_ + random.Random(f"{name}{time_}").random()) / TIMES  # one in each part of what it takes
    process = subprocess.Popen(
        command(*words), cwd=place, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(lasting[name] * moment)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if name not in ("index again", "forget"):
        begun(place)
    if name != "index again":  # what is made anew is not there in between
        holds(place)
    code, said = run(place, *words)
    done = ("no report 'brightmoor' is kept", "holds a conversation that has ended")  # before the end came
    assert code == 0 or any(each in said for each in done), said
    holds(place)
    assert run(place, "index", "in")[0] == 0
    assert kept(place) == {"brightmoor": kept(place)["brightmoor"], "castellan": kept(place)["castellan"]}
    assert "473 million" in run(place, "ask", "in/brightmoor.htm", QUESTION)[1]
    left = {each.name for each in place.iterdir()} - {"in", ".tieout", "runs", "data", *WRITTEN}
    assert {each for each in left if not each.startswith(".")} == set(), left
