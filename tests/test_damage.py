"""Disks that lose, cut and refuse: what is kept is found damaged in one true line, and can be made again."""

from __future__ import annotations

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from filed import SHORT, write

import tieout
from tieout.kg.index import database
from tieout.kg.reports.indexing import files_path, index_again
from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.kept import sources_of
from tieout.kg.store.store import StoreError, documents, index_path, open_store
from tieout.ontology.model import default_ontology

QUESTION = "what was net income in 2023?"
STORE = Path(".tieout/store")
INDEX = index_path(STORE)


def run(*words: object) -> Result:
    return CliRunner().invoke(tieout.main, [str(each) for each in words])


def told(result: Result) -> list[str]:
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return [line for line in result.stderr.splitlines() if not line.startswith("ontology:")]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a report that is kept."""
    place = tmp_path_factory.mktemp("good")
    (place / "in").mkdir()
    write(place / "in", "brightmoor", length=SHORT)
    assert run("index", place / "in", "--store", place / STORE).exit_code == 0
    return place


@pytest.fixture
def place(good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, to be worked in; its reports are from the files of the first."""
    shutil.copytree(good, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    return good / "in"


def flip(path: Path, bits: int = 1, first: int = 0) -> None:
    content = bytearray(path.read_bytes())
    chance = random.Random(7)
    for _ in range(bits):
        content[chance.randrange(first, len(content))] ^= 0x10
    path.write_bytes(content)


def tables() -> list[Path]:
    return sorted(STORE.glob("*.sst"), key=lambda path: -path.stat().st_size)


def manifest() -> Path:
    return next(STORE.glob("MANIFEST*"))


def change(said: bytes, other: bytes) -> None:
    """Some letters of the index become others: SQLite sees nothing."""
    content = INDEX.read_bytes()
    assert said in content
    INDEX.write_bytes(content.replace(said, other))


def bundle() -> Path:
    return next(bundles_path(STORE).glob("*/*.zip"))


STORE_TROUBLE: dict[str, Callable[[], object]] = {
    "a bit of a table": lambda: flip(tables()[0]),
    "bits of every table": lambda: [flip(path, 20) for path in tables()],
    "a bit of a bundle": lambda: flip(bundle()),
    "a bundle is cut": lambda: os.truncate(bundle(), 100),
    "a table is gone": lambda: tables()[0].unlink(),
    "a table is cut": lambda: os.truncate(tables()[0], 100),
    "a table is empty": lambda: os.truncate(tables()[0], 0),
    "bits of the manifest": lambda: flip(manifest(), 20),
    "the manifest is gone": lambda: manifest().unlink(),
    "the current manifest is not named": lambda: os.truncate(STORE / "CURRENT", 0),
    "what names the manifest is gone": lambda: (STORE / "CURRENT").unlink(),
}
INDEX_TROUBLE: dict[str, Callable[[], object]] = {
    "bits of the index": lambda: flip(INDEX, 200, 4096),
    "a letter of the index": lambda: change(b"Net income", b"Let income"),
    "a letter of a company in the index": lambda: change(b"CIK 9999999", b"CIK 9999998"),
    "the head of the index": lambda: INDEX.write_bytes(b"x" * 100 + INDEX.read_bytes()[100:]),
    "the index is cut": lambda: os.truncate(INDEX, INDEX.stat().st_size // 2),
}
MENDED: dict[str, Callable[[], object]] = {
    "the index is empty": lambda: os.truncate(INDEX, 0),
    "the index is gone": INDEX.unlink,
    "a bundle is gone": lambda: bundle().unlink(),
    "the store is gone": lambda: shutil.rmtree(STORE),
    "the sums are gone": lambda: (STORE / "SUMS").unlink(),
    "the sums are damaged": lambda: flip(STORE / "SUMS", 40),
    "options are damaged": lambda: [flip(path, 40) for path in STORE.glob("OPTIONS*")],
}


@pytest.mark.parametrize("name", STORE_TROUBLE | INDEX_TROUBLE)
def test_what_is_damaged_is_told_in_one_line_and_made_again(place, name):
    (STORE_TROUBLE | INDEX_TROUBLE)[name]()
    indexed = run("index", place)
    assert indexed.exit_code == 1 and len(told(indexed)) == 1, indexed.output
    assert "is damaged (" in told(indexed)[0] and "`tieout index --again` makes it again" in told(indexed)[0]
    for command in (("ask", QUESTION), ("kg", "build", place / "brightmoor.htm")):
        lines = told(done := run(*command))
        assert "in use" not in done.output
        assert len(lines) <= 1 and all("is damaged (" in line for line in lines), done.output
    again = run("index", "--again", *([place] if name in INDEX_TROUBLE else []))
    assert (again.exit_code, told(again)) == (0, []), again.output
    assert told(run("index", place)) == []
    assert "473 million" in run("ask", QUESTION).stdout


@pytest.mark.parametrize("name", MENDED)
def test_what_can_be_mended_is_read_again_without_a_word(place, name):
    MENDED[name]()
    indexed = run("index", place)
    assert (indexed.exit_code, told(indexed)) == (0, []), indexed.output
    assert "473 million" in run("ask", QUESTION).stdout
    assert run("kg", "build", place / "brightmoor.htm").exit_code == 0


def test_a_manifest_without_its_end_is_read_again_or_told(place):
    """Its last record may be one that adds a file, or one that lets go of files which are gone since."""
    os.truncate(manifest(), manifest().stat().st_size - 7)
    indexed = run("index", place)
    if indexed.exit_code:
        assert len(told(indexed)) == 1 and "is damaged (" in told(indexed)[0], indexed.output
        assert run("index", "--again", place).exit_code == 0
    assert told(run("index", place)) == []
    assert "473 million" in run("ask", QUESTION).stdout


def change_figures() -> None:
    """An amount of the figures of the index becomes another, compressed as it was."""
    with sqlite3.connect(INDEX) as db:
        db.create_function("other", 1, lambda texts: zlib.compress(zlib.decompress(texts).replace(b"3,029", b"3,129")))
        db.execute("UPDATE figures SET texts = other(texts)")
    db.close()


AMOUNTS: dict[str, Callable[[], object]] = {
    "an amount that was observed": lambda: change(b"3029000000", b"3129000000"),
    "an amount of a line": change_figures,
}


@pytest.mark.parametrize("name", AMOUNTS)
def test_an_amount_of_the_index_that_is_not_what_was_written_is_not_shown(place, name):
    commands = (
        ("statement", "Brightmoor", "income"),
        ("compare", "revenue"),
        ("screen", "revenue > 1"),
        ("ask", "what was revenue in 2023?"),
    )
    assert "3,029" in run(*commands[0]).stdout
    AMOUNTS[name]()
    refused = []
    for done in (run(*command) for command in commands):
        assert "3,129" not in done.stdout and "3.129" not in done.stdout
        refused += [told(done)] if done.exit_code else []
    assert refused and all(len(lines) == 1 and "is damaged (" in lines[0] for lines in refused), refused


def test_a_report_of_which_the_bundle_is_gone_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (path,) = write(tmp_path, "brightmoor")  # whole: more than a page, so that asking its file keeps it
    assert run("index", path).exit_code == 0
    shutil.rmtree(bundles_path(STORE))
    assert told(run("ask", QUESTION)) == [
        "tieout: the store at '.tieout/store' is damaged ('brightmoor', which its index lists, is gone): "
        "`tieout index --again` makes it again from the files that it lists"
    ]
    assert "473 million" in run("ask", path, QUESTION).stdout  # the file is there to be read
    assert "1 kept already" in run("index", path).stdout
    bundle().write_bytes(bundle().read_bytes()[:-9])
    assert "is damaged (" in told(run("kg", "show", "brightmoor"))[0]


def test_a_file_is_answered_beside_a_damaged_store_and_that_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (path,) = write(tmp_path, "brightmoor")
    assert told(run("ask", path, QUESTION)) == []
    (STORE / "CURRENT").write_bytes(b"x")
    done = run("ask", path, QUESTION)
    assert done.exit_code == 0 and "473 million" in done.stdout
    (line,) = told(done)
    assert line.startswith("tieout: read, but not kept: the store at '.tieout/store' is damaged (")
    assert "`tieout index --again" in line


def test_a_folder_with_other_files_is_never_taken_away(place):
    (STORE / "thesis.txt").write_text("mine")
    (STORE / "CURRENT").unlink()
    for command in (("index", place), ("index", "--again"), ("kg", "build", place / "brightmoor.htm")):
        lines = told(run(*command))
        assert lines == ["tieout: '.tieout/store' holds other files and is not a store: name another with --store"]
    assert (STORE / "thesis.txt").read_text() == "mine"


def test_a_store_that_was_begun_and_not_made_is_made(place):
    shutil.rmtree(STORE)
    STORE.mkdir()
    for name in ("LOCK", "LOG", "000000.dbtmp"):  # what a full disk leaves of one
        (STORE / name).write_bytes(b"")
    assert "there is no store" in told(run("kg", "show", "brightmoor"))[0]
    assert told(run("index", place)) == told(run("ask", QUESTION)) == []


def test_making_again_that_was_broken_off_goes_on_with_all_files(place, monkeypatch):
    class Stopped(BaseException):
        pass

    def stop(*_: object) -> Iterator[object]:
        raise Stopped

    with monkeypatch.context() as patched, pytest.raises(Stopped):
        patched.setattr("tieout.kg.reports.indexing.index_files", stop)
        list(index_again([], default_ontology(None)[0], STORE))
    assert not STORE.exists() and not INDEX.exists() and files_path(STORE).exists()
    assert run("index", "--again").exit_code == 0
    assert list(sources_of(STORE)) == ["brightmoor"] and not files_path(STORE).exists()


def test_making_again_tells_of_files_that_are_gone_and_needs_one_that_is_there(place, tmp_path):
    (other,) = write(tmp_path, "castellan", length=SHORT)
    assert run("index", other).exit_code == 0
    other.unlink()
    again = run("index", "--again")
    assert again.exit_code == 1 and told(again) == [f"{other}: is gone"]
    assert list(sources_of(STORE)) == ["brightmoor"]
    shutil.rmtree(STORE)
    INDEX.unlink()
    assert "lists no files to make it of" in told(run("index", "--again"))[0]


def test_a_store_in_use_is_waited_for_and_then_told(place, monkeypatch):
    monkeypatch.setattr("tieout.kg.store.store.PATIENCE", 0.2)
    code = f"import pyoxigraph, sys; store = pyoxigraph.Store({str(STORE)!r}); print(flush=True); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdin is not None
        other.stdout.readline()
        with pytest.raises(StoreError, match="in use by another process"), open_store(STORE):
            pass
        assert "in use by another process" in told(run("index", "--again"))[0]
        monkeypatch.setattr("tieout.kg.store.store.PATIENCE", 60)
        other.stdin.close()
        with open_store(STORE):
            pass


def test_two_processes_that_make_one_store_both_keep_their_reports(place, tmp_path):
    shutil.rmtree(".tieout")
    (tmp_path / "more").mkdir()
    write(tmp_path / "more", "castellan", length=SHORT)
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "tieout", "index", str(each)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for each in (place, tmp_path / "more")
    ]
    for each in running:
        _, said = each.communicate()
        assert (each.returncode, said) == (0, "")
    assert sorted(sources_of(STORE)) == ["brightmoor", "castellan"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_process_that_was_forked_from_one_that_had_a_store_open_reads_it_and_does_not_wait_for_ever(place):
    with open_store(STORE):
        pass
    ours, theirs = os.pipe()
    if not (child := os.fork()):
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(60)
        asked, kept, indexed = run("ask", QUESTION), documents(STORE), run("index", place, "--again")
        os.write(theirs, f"{asked.stdout}\n{kept}\n{indexed.stderr}".encode())
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours) as pipe:
        said = pipe.read()
    assert os.waitpid(child, 0)[1] == 0
    assert "473 million" in said and "\n[]\n" in said
    assert said.count("was forked from one that had a store open") == 1 and "Traceback" not in said
    assert list(sources_of(STORE)) == ["brightmoor"]


@pytest.mark.parametrize("code", ["SQLITE_FULL", "SQLITE_IOERR", "SQLITE_BUSY", "SQLITE_READONLY"])
def test_what_hinders_an_index_is_told_by_its_kind(code):
    import sqlite3

    error = sqlite3.OperationalError("x")
    error.sqlite_errorcode = getattr(sqlite3, code)
    said = str(database._told(error, "i"))
    assert ("make room" in said) == (code in ("SQLITE_FULL", "SQLITE_IOERR"))
    assert ("in use" in said) == (code == "SQLITE_BUSY") and "damaged" not in said
