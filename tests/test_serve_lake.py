"""A server of a store: its reports are asked and shown as those of their files are, which are not read again."""

from __future__ import annotations

import shutil
from contextlib import closing
from zipfile import ZipFile

import pytest
from conftest import SAMPLE

from tieout.kg.index.words import Index
from tieout.kg.reports.indexing import index_files
from tieout.kg.store import kept as kept_files
from tieout.kg.store.bundles import bundles_path
from tieout.kg.store.endpoint import EndpointError
from tieout.kg.store.store import index_path
from tieout.ontology.model import default_ontology
from tieout.serve import library
from tieout.serve.asking import reading
from tieout.serve.asking.desk import Plan
from tieout.serve.conversations import Conversations
from tieout.serve.library import Library, LibraryError
from tieout.serve.start import open_library

NAMES = ("ask.json", "report.htm")
PLAN = {"backend": None, "data": (), "memory": None}
ASKED = {  # a report, and a page
    "report": "what was net income in 2024?",
    "Single_NORVALE/2013/page_35.pdf-1": "what was the operating income in 2013?",
}


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with files, and a store of them."""
    folder = tmp_path_factory.mktemp("lake")
    (folder / "files").mkdir()
    for name in NAMES:
        shutil.copy(SAMPLE / name, folder / "files")
    assert len(list(index_files([folder / "files"], default_ontology(None)[0], folder / "store"))) == 2
    return folder


@pytest.fixture
def folder(kept, tmp_path):
    """A copy, of whose files none is where it was: the store alone has to do."""
    shutil.copytree(kept, tmp_path, dirs_exist_ok=True)
    return tmp_path


@pytest.fixture
def lake(folder, monkeypatch):
    def never(*_: object):
        raise AssertionError("a file was read")

    monkeypatch.setattr(reading, "read_conversations", never)
    return folder / "store"


def shown(opened):
    """What a server shows of its reports, and of which each is: all but hashes."""
    return {
        held.id: (
            (held.is_page, held.source.form),
            held.read,
            dict(held.facts),
            {name: held.fact(name) for name in held.facts},
            held.graph.triples,
            opened.tables(held),
            opened.index.find_lines(["revenue"], [held.id], 9),
            held.source.form and opened.original(held).read_text("utf-8"),
        )
        for held in opened.ready()
    }


def answers(opened, processes: int = 0):
    with closing(Conversations(opened, Plan(), processes)) as there:
        return {name: there.begin([name]).ask(question).text for name, question in ASKED.items()}


def of_files(folder):
    with Library(default_ontology(None)[0]) as opened:
        for name in NAMES:
            opened.add(folder / "files" / name)[1].result()
        return shown(opened), answers(opened)


def test_all_of_a_store_is_shown_and_answered_as_from_its_files(kept, lake, monkeypatch):
    monkeypatch.undo()
    there, said = of_files(kept)
    with open_library((), lake, None, None, PLAN, lambda line: None) as opened:
        monkeypatch.setattr(reading, "read_conversations", None)
        assert shown(opened) == there and answers(opened, processes=1) == said
        assert len({held.key for held in opened.all()}) == len(there) and not opened.shelf.is_lent
        monkeypatch.undo()
        opened.add(kept / "files" / "report.htm", "another.htm")[1].result()
        assert [held.id for held in opened.ready()][-1] == "another"
    with closing(Index(index_path(lake))) as index:
        assert len(index.reports()) == len(there)


def test_of_a_store_of_more_than_may_be_open_the_index_itself_is_asked_and_never_written(lake, monkeypatch):
    monkeypatch.setattr(library, "MOST_REPORTS", 2)
    with Library(default_ontology(None)[0], lake=lake) as opened:
        assert opened.shelf.is_lent and not any(held.is_page for held in opened.ready())
        count, known = len(opened.ready()), opened.all()
        with pytest.raises(LibraryError, match="no more can be"):
            opened.new("another.htm")
        opened.remove(next(held.key for held in known if held.id not in ASKED))
        assert len(opened.ready()) == count - 1 and all(answers(opened).values())
    with closing(Index(index_path(lake))) as index:
        assert len(index.reports()) == count


def test_beside_what_is_open_a_store_has_more_to_be_found_and_opened(kept, lake):
    with open_library((), lake, None, None, PLAN, lambda line: None) as all_open:
        there = shown(all_open)
        assert all_open.kept() == []
    with Library(default_ontology(None)[0], lake=lake, opened=False) as opened:
        assert not opened.all() and [each.entry.id for each in opened.kept()] == sorted(there)
        assert [each.entry.id for each in opened.kept(["brightmoor", "2024"])] == ["report"]
        held = opened.open_kept("report")
        assert opened.open_kept("report") is held and not opened.kept(["brightmoor"])
        with pytest.raises(LibraryError, match="the store keeps no report 'nothing'"):
            opened.open_kept("nothing")
        opened.open_kept(next(name for name in ASKED if name != "report"))
        assert shown(opened) == {name: there[name] for name in ASKED} and all(answers(opened, processes=1).values())
        opened.remove(held.key)
        assert opened.kept(["brightmoor"]) and opened.open_kept("report").key != held.key
    with open_library(
        (kept / "files" / "report.htm",), lake, None, None, PLAN, lambda line: None, read_only=True
    ) as few:
        assert few.kept() == []


def test_a_store_of_another_version_is_told_and_asked_without_what_it_prints(lake, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(kept_files, "READERS", 1)
    with closing(Index(index_path(lake))) as index:
        key = index.bundle_of()["report"]
    place = bundles_path(lake) / key[:2] / f"{key}.zip"
    with ZipFile(place) as archive, ZipFile(place.with_suffix(".old"), "w") as older:
        for name in archive.namelist():
            if not name.endswith("document.json"):
                older.writestr(name, archive.read(name))
    place.with_suffix(".old").rename(place)
    with open_library((), lake, None, None, PLAN, said.append) as opened:
        assert "20 reports kept by another version" in said[0] and answers(opened)["report"]
        with pytest.raises(LibraryError, match="another version, which did not keep what is printed"):
            assert opened.find(["report"])[0].read


def test_what_is_lost_and_files_that_are_others_by_now_are_told(kept, lake):
    said: list[str] = []
    (kept / "files").rename(kept / "moved")  # by the last test that asks for them
    with open_library((), lake, None, None, PLAN, said.append) as opened:
        (report,) = opened.find(["report"])
        with pytest.raises(LibraryError, match=r"report\.htm is gone: what was understood of it is shown"):
            opened.original(report)
        assert "is gone" in said[0] and "`tieout index`" in said[0] and answers(opened)["report"]
    with closing(Index(index_path(lake))) as index:
        keys = index.bundle_of()
    (bundles_path(lake) / keys["report"][:2] / f"{keys['report']}.zip").unlink()
    with open_library((), lake, None, None, PLAN, said.append) as opened:
        assert "report" not in {held.id for held in opened.all()} and len(opened.all()) == len(keys) - 1
    assert any("'report' is gone: `tieout index`" in line for line in said)
    with pytest.raises(EndpointError), open_library((), None, "file:///etc/passwd", None, PLAN, said.append):
        pass
