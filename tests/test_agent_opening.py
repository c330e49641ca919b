"""Opening files and folders: read once, kept, asked again without reading; folders are kept up to date."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from weakref import ref

import pytest
from click.testing import CliRunner
from filed import ontology, write
from started import nobody_is_left, workers_of

import tieout
from tieout import main
from tieout.agent import opening
from tieout.agent.opening import open_files
from tieout.agent.view.reports import Reports
from tieout.data.readers.read import DataError
from tieout.data.system.engine import WAITING
from tieout.kg.index.words import Index
from tieout.kg.reports import indexing
from tieout.kg.reports.indexing import DROPPED, FAILED, KEPT, READ, index_files
from tieout.kg.store.query import QueryWorker
from tieout.kg.store.store import index_path

QUESTION = "what was net income in 2023?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two reports, for tests that only read them."""
    place = tmp_path_factory.mktemp("reports")
    write(place, "brightmoor", "castellan")
    return place


@pytest.fixture(scope="module")
def asked(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[int, str]]:
    """A folder with a store in which one of the reports was asked, and what was printed."""
    place = tmp_path_factory.mktemp("asked")
    return place, run("ask", "--store", place / "store", folder / "brightmoor.htm", QUESTION)


@pytest.fixture
def store(asked: tuple[Path, tuple[int, str]], tmp_path: Path) -> Path:
    """A store that keeps one of the reports."""
    return shutil.copytree(asked[0], tmp_path / "asked") / "store"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A folder with two reports of a line each, for what does not depend on what is in them."""
    (tmp_path / "small").mkdir()
    for number, name in enumerate(("one", "two"), start=1):
        (tmp_path / "small" / f"{name}.csv").write_text(
            f"(in thousands),2024\nNet sales,{number}01\n", encoding="utf-8"
        )
    return tmp_path / "small"


@pytest.fixture
def no_reading(monkeypatch: pytest.MonkeyPatch):
    """From when it is called, reading a file fails the test."""

    def forbid() -> None:
        def fail(*given: object) -> None:
            raise AssertionError(f"{given} was read again")

        monkeypatch.setattr(opening, "read_files", fail)
        monkeypatch.setattr(indexing, "read_files", fail)

    return forbid


def run(*words: object) -> tuple[int, str]:
    """The exit code and what is printed."""
    done = CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)
    return done.exit_code, done.output


def test_a_report_is_read_once(folder: Path, asked: tuple[Path, tuple[int, str]], store: Path, no_reading) -> None:
    no_reading()
    assert run("ask", "--store", store, folder / "brightmoor.htm", QUESTION) == asked[1]
    assert "$473 million" in asked[1][1]


def test_a_report_under_another_name_is_known_by_its_bytes(
    folder: Path, store: Path, tmp_path: Path, no_reading
) -> None:
    shutil.copy(folder / "brightmoor.htm", tmp_path / "copy.htm")
    no_reading()
    assert "$473 million" in run("ask", "--store", store, tmp_path / "copy.htm", QUESTION)[1]


def test_a_report_that_changed_is_read_again(folder: Path, store: Path) -> None:
    path = folder / "brightmoor.htm"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(">473<", ">474<"), encoding="utf-8")
    try:
        assert "$474 million" in run("ask", "--store", store, path, QUESTION)[1]
    finally:
        path.write_text(text, encoding="utf-8")


HOLDS = "import sys, pyoxigraph; store = pyoxigraph.Store(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


def test_a_store_in_use_by_another_process_does_not_keep_from_answering(
    folder: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tieout.kg.store.store.PATIENCE", 0.2)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        for name, answer in (("brightmoor", "$473 million"), ("castellan", "$230 million")):
            code, told = run("ask", "--store", store, folder / f"{name}.htm", QUESTION)
            assert (code, answer in told) == (0, True), told
        other.communicate("")


def test_a_part_of_an_id_that_fits_one_report_is_enough(folder: Path, tmp_path: Path) -> None:
    paths = [folder / "brightmoor.htm", folder / "castellan.htm"]
    with open_files(paths, ontology(), identifier="castel", store=tmp_path / "store") as found:
        assert isinstance(found.source, Reports)
        assert [report.entry.id for report in found.source.open.values()] == ["castellan"]


@pytest.mark.parametrize(("part", "says"), [("o", "fits 2 reports"), ("acme", "is no report")])
def test_a_part_that_fits_several_or_none_is_told(small: Path, tmp_path: Path, part: str, says: str) -> None:
    opens = open_files([small], ontology(), identifier=part, store=tmp_path / "store")
    with pytest.raises(DataError, match=says), opens:
        pass


def test_a_folder_is_asked_like_its_reports(folder: Path, tmp_path: Path) -> None:
    code, told = run("ask", "--store", tmp_path / "store", folder, "whose revenue grew faster in 2023?")
    assert (code, "Castellan Optics Corporation" in told) == (0, True)


def test_without_a_file_the_reports_in_the_store_are_asked(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    code, told = run("index", "--store", store, folder)
    assert (code, told) == (0, f"2 files in {store}: 2 read\n")
    code, told = run("ask", "--store", store, "which of these had the highest gross margin in fiscal 2024?")
    assert (code, "Brightmoor Instruments, Inc." in told) == (0, True)
    named = run("ask", "--store", store, "BRIGHT", "what was revenue in 2023?")
    assert (named[0], "? BRIGHT" in named[1], "castellan" in named[1].lower()) == (0, False, False), named


def test_what_is_kept_is_listed_and_forgotten_by_name_or_file(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name in ("one", "two"):
        (tmp_path / f"{name}.csv").write_text("(in thousands),2024\nNet sales,101\n", encoding="utf-8")
    assert run("index", "--store", store, tmp_path / "one.csv", tmp_path / "two.csv")[0] == 0
    listed = f"one  {tmp_path / 'one.csv'}\ntwo  {tmp_path / 'two.csv'}\n"
    assert run("index", "--store", store, "--list") == (0, listed)
    code, told = run("index", "--store", store, "--forget", "one", "--forget", "three")
    assert (code, "no report 'three' is kept" in told) == (1, True)
    code, told = run("index", "--store", store, "--forget", "one", "--forget", tmp_path / "two.csv", "--list")
    assert (code, told) == (0, f"2 reports dropped from {store}\n")
    assert run("index", "--store", store)[0] == 2


def test_copies_of_the_store_that_a_killed_process_left_are_cleared_away(tmp_path: Path) -> None:
    left = tmp_path / ".snapshot-999999999-abc"
    left.mkdir()
    (tmp_path / "one.csv").write_text("(in thousands),2024\nNet sales,101\n", encoding="utf-8")
    for _ in range(2):  # the second finds it kept
        assert run("index", "--store", tmp_path / "store", tmp_path / "one.csv")[0] == 0
    with QueryWorker(tmp_path / "store"):
        assert [path.name.split("-")[1] for path in tmp_path.glob(".snapshot-*")] == [str(os.getpid())]
    assert not list(tmp_path.glob(".snapshot-*"))


def test_without_a_file_and_a_store_the_way_to_one_is_told(tmp_path: Path) -> None:
    code, told = run("ask", "--store", tmp_path / "store", QUESTION)
    assert code != 0 and "tieout index FOLDER" in told and "Traceback" not in told


def outcomes(folder: Path, store: Path, jobs: int = 1) -> dict[str, str]:
    """What became of each file of a folder."""
    return {Path(step.path).name: step.outcome for step in index_files([folder], ontology(), store, jobs)}


def test_only_what_is_new_or_changed_is_read_and_what_is_gone_is_dropped(small: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert outcomes(small, store) == {"one.csv": READ, "two.csv": READ}
    assert outcomes(small, store) == {"one.csv": KEPT, "two.csv": KEPT}
    (small / "two.csv").unlink()
    text = (small / "one.csv").read_text(encoding="utf-8")
    (small / "one.csv").write_text(text.replace("101", "102"), encoding="utf-8")
    assert outcomes(small, store) == {"one.csv": READ, "two.csv": DROPPED}
    index = Index(index_path(store))
    assert [entry.id for entry in index.reports()] == ["one"]
    index.close()


def test_files_of_one_name_in_two_folders_are_two_reports_and_an_emptied_folder_has_none(
    small: Path, tmp_path: Path
) -> None:
    (small / "other").mkdir()
    (small / "two.csv").rename(small / "other" / "one.csv")
    store = tmp_path / "store"
    steps = list(index_files([small], ontology(), store))
    assert sorted(id for step in steps for id in step.reports) == ["one", "other/one.csv"]
    assert set(outcomes(small, store).values()) == {KEPT}
    for path in small.rglob("*.csv"):
        path.unlink()
    assert [step.outcome for step in index_files([small], ontology(), store)] == [DROPPED, DROPPED]
    with pytest.raises(DataError, match="without a file"):
        list(index_files([small], ontology(), store))


def test_a_file_that_cannot_be_read_is_told_in_one_line_and_the_others_are_kept(small: Path, tmp_path: Path) -> None:
    (small / "broken.json").write_text("{", encoding="utf-8")
    assert outcomes(small, tmp_path / "store")["broken.json"] == FAILED
    code, told = run("index", "--store", tmp_path / "store", small)
    assert code == 1
    assert "broken.json" in told and told.count("\n") == 2 and "2 kept already, 1 not read" in told


def test_several_processes_keep_the_same_as_one(folder: Path, small: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "castellan.htm", small)
    for number in range(2 * WAITING + 1):  # more than are under way at a time
        (small / f"small{number}.csv").write_text(f"(in thousands),2024\nNet sales,{number}01\n", encoding="utf-8")
    found = outcomes(small, tmp_path / "one")
    assert len(found) == 2 * WAITING + 4 and set(found.values()) == {READ}
    assert outcomes(small, tmp_path / "many", jobs=2) == found
    one, many = (Index(index_path(tmp_path / name)) for name in ("one", "many"))
    assert one.reports() == many.reports()
    assert one.find_lines(["income"], ["castellan"]) == many.find_lines(["income"], ["castellan"]) != []
    one.close()
    many.close()


def test_processes_that_read_end_with_the_one_that_started_them(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    for number in range(60):
        shutil.copy(folder / "brightmoor.htm", tmp_path / "many" / f"brightmoor{number}.htm")
    command = [sys.executable, "-m", "tieout", "index", tmp_path / "many", "--jobs", "2", "--store", tmp_path / "store"]
    process = subprocess.Popen([*map(str, command)], start_new_session=True)
    while not workers_of(process.pid):
        assert process.poll() is None
        time.sleep(0.005)
    process.terminate()
    assert process.wait(timeout=300) == -signal.SIGTERM
    assert nobody_is_left(process.pid)


def test_in_python_a_path_is_opened_and_asked(folder: Path, tmp_path: Path) -> None:
    with tieout.open(folder / "brightmoor.htm", store=tmp_path / "store") as talk:
        assert talk.ask(QUESTION).text == "$473 million"
        assert talk.ask("and in 2022?").outcome in ("answer", "clarify")
    with tieout.open([], store=tmp_path / "store") as talk:
        assert talk.ask(QUESTION).text == "$473 million"


def test_what_is_closed_is_gone_at_once(folder: Path, tmp_path: Path) -> None:
    """A server opens reports all day: nothing of them may wait for a search for cycles."""
    gc.disable()
    try:
        with tieout.open(folder / "brightmoor.htm", store=tmp_path / "store") as talk:
            assert talk.ask(QUESTION).text == "$473 million"
            assert talk.ask("what was net incme in 2022?").text is not None  # looks for what is like it
            opened = ref(talk.session.graph)
        del talk
        assert opened() is None
    finally:
        gc.enable()


def test_a_page_is_asked_as_a_page_whether_it_is_kept_or_not(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Tarn Works Ltd\n\nIn thousands of EUR.\n\n| | 2024 | 2023 |\n|---|---|---|\n| Revenue | 50 | 46 |\n"
    )
    with open_files([page], ontology(), store=tmp_path / "store") as fresh:
        assert not isinstance(fresh.source, Reports)
    assert [step.outcome for step in index_files([page], ontology(), tmp_path / "store")] == [READ]
    with open_files([page], ontology(), store=tmp_path / "store") as kept:
        assert not isinstance(kept.source, Reports)
