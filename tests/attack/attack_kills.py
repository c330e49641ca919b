"""Cuts of power: the commands that write are ended at nearly 70 moments all told, and nothing that was there is lost.

After each the same command goes on and gives what it gives where nobody ended it. `make attack` runs this.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from conftest import SAMPLE
from filed import write

from tieout.agent.memory.recipes import Recipe, save_recipe
from tieout.kg.store.kept import open_kept
from tieout.kg.store.store import index_path

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


def is_whole(file: Path) -> bool:
    """Whether a file ends as one of its kind does."""
    content = file.read_bytes()
    match file.suffix:
        case ".xlsx":
            return zipfile.ZipFile(file).testzip() is None
        case ".jsonl":  # the last line of a log may be cut
            return all(json.loads(line) for line in content.splitlines()[:-1])
        case ".html" | ".svg":
            return content.rstrip().endswith(f"</{file.suffix[1:]}>".encode())
        case ".ttl":
            return content.rstrip().endswith(b".")
        case _:
            return content.endswith(b"\n")


def both(place: Path) -> None:
    assert kept(place).keys() <= {"brightmoor", "castellan"}


def begun(place: Path) -> None:
    assert kept(place).get("brightmoor")


EVAL = (SAMPLE / "ask.json", "--backend", "offline", "--limit", "4")
# The commands that write what is kept, and what has to hold after each was ended, wherever. The store keeps brightmoor
# before.
KEEPING: dict[str, tuple[tuple[object, ...], Callable[[Path], None]]] = {
    "index": (("index", "in"), begun),
    "index in two processes": (("index", "in", "--jobs", "2"), begun),
    "index again": (("index", "--again"), both),
    "forget": (("index", "--forget", "brightmoor"), both),
    "build": (("kg", "build", "in/castellan.htm"), begun),
    "ask a file": (("ask", "in/castellan.htm", QUESTION), begun),
    "query": (("sparql", "SELECT (COUNT(*) AS ?n) { ?fact kg:raw ?raw }"), begun),
    "evaluation": (("eval", "run", *EVAL, "--run", "s"), begun),
}
# The commands that write files beside it.
WRITING: dict[str, tuple[object, ...]] = {
    "ask and export": (
        "ask",
        QUESTION,
        "--html",
        "a.html",
        "--xlsx",
        "a.xlsx",
        "--markdown",
        "a.md",
        "--log",
        "a.jsonl",
    ),
    "facts": ("kg", "facts", "in/brightmoor.htm", "--format", "csv", "-o", "f.csv"),
    "graph": ("kg", "export", "in/brightmoor.htm", "-o", "g.ttl"),
    "ontology": ("ontology", "build", SAMPLE / "train.json", "-o", "o.ttl"),
    "diagram": ("ontology", "diagram", "-o", "d.svg"),
    "statement": ("statement", "brightmoor", "income", "--format", "html", "-o", "s.html"),
    "comparison": ("compare", "revenue", "--format", "xlsx", "-o", "c.xlsx"),
    "chart": ("compare", "revenue", "--chart", "c.svg"),
    "screen": ("screen", "revenue > 1", "--format", "csv", "-o", "s.csv"),
    "sample": ("sample",),
    "term": ("term", "add", "EBITDA", "earnings before interest"),
    "terms": ("term", "import", "t.ttl", "--replace"),
    "term removed": ("term", "remove", "backlog"),
    "recipe removed": ("recipe", "remove", "average"),
    "evaluation shown": ("eval", "report", "r", "-o", "r.html"),
    "evaluation exported": ("eval", "export", "r", "--format", "csv", "-o", "r.csv"),
    "baseline": ("eval", "baseline", "r"),
    "evaluations compared": ("eval", "battle", EVAL[0], "--backends", "offline", "--run", "b", "--limit", "2"),
}
COMMANDS = KEEPING | {name: (words, begun) for name, words in WRITING.items()}
ENDED = [(name, part, 4) for name in KEEPING for part in range(4)] + [
    (name, part, 2) for name in WRITING for part in range(2)
]
WRITTEN = re.compile(r"[a-z]\.[a-z]+")
DONE = re.compile(  # what is said where the end came after all was done
    "no report 'brightmoor' is kept|holds a conversation that has ended|no (term|recipe) '(backlog|average)'"
)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("good")
    (place / "in").mkdir()
    write(place / "in", "brightmoor", "castellan")
    assert run(place, "index", "in/brightmoor.htm")[0] == 0
    assert run(place, "eval", "run", *EVAL, "--run", "r")[0] == 0
    assert run(place, "term", "add", "backlog", "orders not yet filled")[0] == 0
    shutil.copy(place / ".tieout/memory/terms.ttl", place / "t.ttl")
    save_recipe(place / ".tieout/memory", Recipe(heading="average", steps=(), answers=()))
    return place


@pytest.fixture(scope="module")
def lasting(good: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], float]:
    """How many seconds a command takes; each is measured when it is first asked for."""

    @cache
    def measured(name: str) -> float:
        place = tmp_path_factory.mktemp("lasting") / "place"
        shutil.copytree(good, place)
        began = time.monotonic()
        assert run(place, *COMMANDS[name][0])[0] == 0, name
        return time.monotonic() - began

    return measured


def test_there_are_fifty_cuts():
    assert len(ENDED) >= 50


@pytest.mark.parametrize(("name", "part", "parts"), ENDED)
def test_a_command_that_is_ended_loses_nothing_and_goes_on(good, lasting, tmp_path, name, part, parts):
    words, holds = COMMANDS[name]
    place = tmp_path / "place"
    shutil.copytree(good, place)
    seed = f"{name}{part}"
    moment = (part + random.Random(seed).random()) / parts  # one in each part of what it takes
    sys.stdout.write(f"ended at {moment:.3f} of the {lasting(name):.2f} s that it takes; seed {seed!r}\n")
    process = subprocess.Popen(
        command(*words), cwd=place, start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    time.sleep(lasting(name) * moment)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if name != "index again":  # what is made anew is not there in between
        holds(place)
    assert all(is_whole(each) for each in place.iterdir() if WRITTEN.fullmatch(each.name))
    code, said = run(place, *words)
    assert code == 0 or DONE.search(said), said
    holds(place)
    assert all(is_whole(each) for each in place.iterdir() if WRITTEN.fullmatch(each.name))
    assert run(place, "index", "in")[0] == 0
    assert kept(place) == {"brightmoor": kept(place)["brightmoor"], "castellan": kept(place)["castellan"]}
    assert "473 million" in run(place, "ask", "in/brightmoor.htm", QUESTION)[1]
    left = {each.name for each in place.iterdir() if not WRITTEN.fullmatch(each.name)}
    assert {each for each in left if not each.startswith(".")} == {"in", "runs"} | left & {"data"}, left
