"""Hostile files over all readers: each ends within 20 seconds of a processor and 1.5 GB, with one line or a reading.

What is read is read by the code of `tieout index`, from the file to what is kept. More than 200 files have the budget
that they have for a user; the others have a second, so that what would be refused is refused sooner. `make attack`
runs this.
"""

from __future__ import annotations

import json
import os
import random
import resource
import sys
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parent.parent))

from hostile_documents import JSONS, PDFS
from hostile_packages import LATER, PACKAGES, PLACED
from hostile_pages import PAGES, TEXTS
from hostile_workbooks import WORKBOOKS
from test_bounds import READERS

from tieout.data.readers.report import SMALL
from tieout.kg.reports.indexing import _bundle, _made, _Task
from tieout.kg.store.kept import mark_of
from tieout.ontology.model import default_ontology

SECONDS, MEGABYTES = 20, 1_500
FEW = 1  # seconds of a processor for the files that have not their whole budget
ONTOLOGY = default_ontology(None)[0]
TURTLE = ONTOLOGY.turtle()
Made = Callable[[], bytes]


def good(kind: str) -> bytes:
    """A file of a kind with nothing wrong."""
    return READERS[kind](["revenue was $ 5 million in 2007 ."] * 20, [["", "2009"], *([["revenue", "$ 5"]] * 20)])


def altered(kind: str, seed: int) -> Made:
    """A file of a kind with some bytes that are others, or of which the end is gone."""

    def make() -> bytes:
        chance = random.Random(f"{kind}{seed}")
        content = good(kind)
        made = bytearray(content[: chance.randrange(len(content))] if seed % 3 == 0 else content)
        for _ in range(1 + seed % 9):
            at = chance.randrange(len(made) + 1)
            made[at : at + chance.randrange(9)] = chance.randbytes(chance.randrange(9))
        return bytes(made)

    return make


FILES: tuple[dict[str, Made], ...] = (
    {f"{name}.htm": make for name, make in PAGES.items()},
    TEXTS,
    {f"{name}.pdf": make for name, make in PDFS.items()},
    {f"{name}.json": make for name, make in JSONS.items()},
    WORKBOOKS,
    PACKAGES,
    {f"{name}.xhtml": make for name, make in PLACED.items()},
    LATER,
    {f"altered {seed}{kind}": altered(kind, seed) for kind in READERS for seed in range(10)},
)
HOSTILE = {name: make for each in FILES for name, make in each.items()}


def cut(make: Made) -> Made:
    """The first bytes of a file: as many as are read in the program itself, where nothing ends it."""
    return lambda: make()[: SMALL - 1]


def by_kind() -> dict[str, list[str]]:
    """The names of the files, by what they end in."""
    found: dict[str, list[str]] = {}
    for name in HOSTILE:
        found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


PLAIN = ("htm", "xhtml", "csv", "tsv", "md", "txt", "json")
# What is read in the program itself: each kind of plain file has many, of which every fourth is cut to be so small.
SMALLER = {f"the start of {name}": cut(HOSTILE[name]) for kind in PLAIN for name in by_kind()[kind][::4]}
ALL = HOSTILE | SMALLER
WHOLE = {*SMALLER, *(name for names in by_kind().values() for name in names[::3])}


def read(make: Made, path: Path) -> tuple[str, float, float]:
    """What becomes of a file, in a process of its own: told in words, the seconds of a processor that it and what it
    started took, and the most megabytes that one of them had."""
    ours, theirs = os.pipe()
    if not (child := os.fork()):
        os.close(ours)
        try:
            with warnings.catch_warnings(action="ignore"):  # zipfile warns of what is hostile
                path.write_bytes(make())
            before = resource.getrusage(resource.RUSAGE_SELF)
            task = _Task(path, mark_of(path, ONTOLOGY), path.stem)
            made = _made(task, TURTLE, path.parent / "store")  # no database is opened in what was forked
            told = made if isinstance(made, str) else f"read {len(made.reports)}"
            used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
            seconds = sum(each.ru_utime + each.ru_stime for each in used) - before.ru_utime - before.ru_stime
            reply = told, seconds, max(each.ru_maxrss for each in used) / 1000
        except BaseException:  # noqa: BLE001 - it is told as what is wrong
            reply = traceback.format_exc(), 0.0, 0.0
        with os.fdopen(theirs, "w") as pipe:
            json.dump(reply, pipe)
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    told, seconds, size = json.loads(text or '["the process that asked was ended", 0, 0]')
    return told, seconds, size


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """All readers are loaded here, once, and by no process that is forked from this one."""
    for kind in READERS:
        path = tmp_path_factory.mktemp("loaded") / f"good{kind}"
        path.write_bytes(good(kind))
        assert len(_bundle(_Task(path, mark_of(path, ONTOLOGY), path.stem), TURTLE)[0]) == 1


def test_there_are_at_least_two_hundred_files_over_all_readers():
    assert len(HOSTILE) == sum(map(len, FILES)) and len(ALL) == len(HOSTILE) + len(SMALLER) and len(WHOLE) >= 200
    assert by_kind().keys() >= {
        *("htm", "csv", "tsv", "md", "txt", "pdf", "json", "xlsx", "xlsb", "xls", "ods", "zip", "xbri", "xhtml")
    }


@pytest.mark.parametrize("name", ALL)
def test_a_hostile_file_is_one_line_or_a_reading_within_the_limits(name, tmp_path, monkeypatch):
    if name not in WHOLE:
        monkeypatch.setenv("TIEOUT_READ_SECONDS", str(FEW))
    path = tmp_path / name
    told, seconds, size = read(ALL[name], path)
    path.unlink(missing_ok=True)
    assert told and "\n" not in told, told
    assert "Traceback" not in told and "the process that asked" not in told, told
    assert seconds <= SECONDS and size <= MEGABYTES, (told, seconds, size)
