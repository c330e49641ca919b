"""Opening files and folders: read once, kept, asked again without reading; folders are kept up to date."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner
from filed import ontology, write
from started import nobody_is_left, workers_of

import tieout
from tieout import main
from tieout.agent import indexing, opening
from tieout.agent.indexing import DROPPED, FAILED, KEPT, READ, WAITING, index_files
from tieout.agent.opening import open_files
from tieout.agent.view.reports import Reports
from tieout.data.readers.read import DataError
from tieout.kg.index.words import Index
from tieout.kg.store.kept import index_path, open_kept

QUESTION = "what was net income in 2023?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two reports."""
    (tmp_path / "reports").mkdir()
    write(tmp_path / "reports", "brightmoor", "castellan")
    return tmp_path / "reports"


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


def test_a_report_is_read_once(folder: Path, tmp_path: Path, no_reading) -> None:
    words = ("ask", "--store", tmp_path / "store", folder / "brightmoor.htm", QUESTION)
    first = run(*words)
    no_reading()
    assert run(*words) == first
    assert "473 million USD" in first[1]


def test_a_report_under_another_name_is_known_by_its_bytes(folder: Path, tmp_path: Path, no_reading) -> None:
    run("ask", "--store", tmp_path / "store", folder / "brightmoor.htm", QUESTION)
    shutil.copy(folder / "brightmoor.htm", tmp_path / "copy.htm")
    no_reading()
    assert "473 million USD" in run("ask", "--store", tmp_path / "store", tmp_path / "copy.htm", QUESTION)[1]


def test_a_report_that_changed_is_read_again(folder: Path, tmp_path: Path) -> None:
    path = folder / "brightmoor.htm"
    words = ("ask", "--store", tmp_path / "store", path, QUESTION)
    run(*words)
    path.write_text(path.read_text(encoding="utf-8").replace(">473<", ">474<"), encoding="utf-8")
    assert "474 million USD" in run(*words)[1]


HOLDS = "import sys, pyoxigraph; store = pyoxigraph.Store(sys.argv[1]); print('held', flush=True); sys.stdin.read()"


def test_a_store_in_use_by_another_process_does_not_keep_from_answering(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    run("ask", "--store", store, folder / "brightmoor.htm", QUESTION)
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(store)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None and other.stdout.readline() == "held\n"
        for name, answer in (("brightmoor", "473 million USD"), ("castellan", "230 million USD")):
            code, told = run("ask", "--store", store, folder / f"{name}.htm", QUESTION)
            assert (code, answer in told) == (0, True), told
        other.communicate("")


def test_a_part_of_an_id_that_fits_one_report_is_enough(folder: Path, tmp_path: Path) -> None:
    paths = [folder / "brightmoor.htm", folder / "castellan.htm"]
    with open_files(paths, ontology(), identifier="castel", store=tmp_path / "store") as found:
        assert isinstance(found.source, Reports)
        assert [report.entry.id for report in found.source.open.values()] == ["castellan"]


@pytest.mark.parametrize(("part", "says"), [("t", "fits 2 reports"), ("acme", "is no report")])
def test_a_part_that_fits_several_or_none_is_told(folder: Path, tmp_path: Path, part: str, says: str) -> None:
    opens = open_files([folder], ontology(), identifier=part, store=tmp_path / "store")
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
    for _ in range(2):  # the second finds it kept, and reads a copy of the store
        assert run("index", "--store", tmp_path / "store", tmp_path / "one.csv")[0] == 0
    with open_kept(tmp_path / "store"):
        assert [path.name.split("-")[1] for path in tmp_path.glob(".snapshot-*")] == [str(os.getpid())]
    assert not list(tmp_path.glob(".snapshot-*"))


def test_without_a_file_and_a_store_the_way_to_one_is_told(tmp_path: Path) -> None:
    code, told = run("ask", "--store", tmp_path / "store", QUESTION)
    assert code != 0 and "tieout index FOLDER" in told and "Traceback" not in told


def outcomes(folder: Path, store: Path, jobs: int = 1) -> dict[str, str]:
    """What became of each file of a folder."""
    return {Path(step.path).name: step.outcome for step in index_files([folder], ontology(), store, jobs)}


def test_only_what_is_new_or_changed_is_read_and_what_is_gone_is_dropped(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert outcomes(folder, store) == {"brightmoor.htm": READ, "castellan.htm": READ}
    assert outcomes(folder, store) == {"brightmoor.htm": KEPT, "castellan.htm": KEPT}
    (folder / "castellan.htm").unlink()
    text = (folder / "brightmoor.htm").read_text(encoding="utf-8")
    (folder / "brightmoor.htm").write_text(text.replace(">473<", ">474<"), encoding="utf-8")
    assert outcomes(folder, store) == {"brightmoor.htm": READ, "castellan.htm": DROPPED}
    index = Index(index_path(store))
    assert [entry.id for entry in index.reports()] == ["brightmoor"]
    index.close()


def test_files_of_one_name_in_two_folders_are_two_reports_and_an_emptied_folder_has_none(
    folder: Path, tmp_path: Path
) -> None:
    (folder / "old").mkdir()
    (folder / "castellan.htm").rename(folder / "old" / "brightmoor.htm")
    store = tmp_path / "store"
    steps = list(index_files([folder], ontology(), store))
    assert sorted(id for step in steps for id in step.reports) == ["brightmoor", "old/brightmoor.htm"]
    assert set(outcomes(folder, store).values()) == {KEPT}
    for path in folder.rglob("*.htm"):
        path.unlink()
    assert [step.outcome for step in index_files([folder], ontology(), store)] == [DROPPED, DROPPED]
    with pytest.raises(DataError, match="without a file"):
        list(index_files([folder], ontology(), store))


def test_a_file_that_cannot_be_read_is_told_in_one_line_and_the_others_are_kept(folder: Path, tmp_path: Path) -> None:
    (folder / "broken.json").write_text("{", encoding="utf-8")
    assert outcomes(folder, tmp_path / "store")["broken.json"] == FAILED
    code, told = run("index", "--store", tmp_path / "store", folder)
    assert code == 1
    assert "broken.json" in told and told.count("\n") == 2 and "2 kept already, 1 not read" in told


def test_several_processes_keep_the_same_as_one(folder: Path, tmp_path: Path) -> None:
    for number in range(2 * WAITING + 3):  # more than are under way at a time
        (folder / f"small{number}.csv").write_text(f"(in thousands),2024\nNet sales,{number}01\n", encoding="utf-8")
    found = outcomes(folder, tmp_path / "one")
    assert len(found) == 2 * WAITING + 5 and set(found.values()) == {READ}
    assert outcomes(folder, tmp_path / "many", jobs=2) == found
    one, many = (Index(index_path(tmp_path / name)) for name in ("one", "many"))
    assert one.reports() == many.reports()
    assert one.find_lines(["goodwill"], ["castellan"]) == many.find_lines(["goodwill"], ["castellan"])
    one.close()
    many.close()


def test_processes_that_read_end_with_the_one_that_started_them(folder: Path, tmp_path: Path) -> None:
    for number in range(2, 60):
        shutil.copy(folder / "brightmoor.htm", folder / f"brightmoor{number}.htm")
    command = [sys.executable, "-m", "tieout", "index", folder, "--jobs", "2", "--store", tmp_path / "store"]
    process = subprocess.Popen([*map(str, command)], start_new_session=True)
    while not workers_of(process.pid):
        assert process.poll() is None
        time.sleep(0.005)
    process.terminate()
    assert process.wait(timeout=300) == -signal.SIGTERM
    assert nobody_is_left(process.pid)


def test_in_python_a_path_is_opened_and_asked(folder: Path, tmp_path: Path) -> None:
    with tieout.open(folder / "brightmoor.htm", store=tmp_path / "store") as talk:
        assert talk.ask(QUESTION).text == "473 million USD"
        assert talk.ask("and in 2022?").outcome in ("answer", "clarify")
    with tieout.open([], store=tmp_path / "store") as talk:
        assert talk.ask(QUESTION).text == "473 million USD"


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
