"""What was read is kept for the next server: the same report, without a look at its file while that is the same."""

from __future__ import annotations

import shutil

import pytest
from conftest import SAMPLE

from tieout.ontology.model import default_ontology
from tieout.serve.asking import reading, readings
from tieout.serve.library import Library

NAME = "10k.htm"


class Reads:
    """Counts the files that are read."""

    def __init__(self, monkeypatch) -> None:
        self.count = 0
        plain = reading.read_conversations

        def counted(*given):
            self.count += 1
            return plain(*given)

        monkeypatch.setattr(reading, "read_conversations", counted)


@pytest.fixture
def reads(monkeypatch):
    return Reads(monkeypatch)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a file that was read, and its reading."""
    folder = tmp_path_factory.mktemp("kept")
    shutil.copy(SAMPLE / "report.htm", folder / NAME)
    opened(folder)
    return folder


@pytest.fixture
def folder(kept, tmp_path):
    return shutil.copytree(kept, tmp_path / "own")


def opened(folder, *more):
    """What a server shows of the file, and of others: all that pages and questions are made of."""
    with Library(default_ontology(None)[0], kept=folder / "readings") as library:
        for path in (folder / NAME, *more):
            library.add(path)[1].result()
        return [
            (
                held.source,
                held.read,
                dict(held.facts),
                held.graph.nquads(),
                library.tables(held),
                library.index.find_lines(["revenue"], [held.id], 9),
                library.shelf.original(held.source).read_text("utf-8"),
            )
            for held in library.all()
        ]


def test_a_file_that_was_read_is_not_read_again_and_shows_the_same(folder, reads):
    again = opened(folder)
    assert reads.count == 0
    (folder / "readings").rename(folder / "before")
    assert opened(folder) == again and reads.count == 1


def test_a_file_that_was_changed_is_read(folder, reads):
    path = folder / NAME
    path.write_bytes(path.read_bytes().replace(b"</body>", b"<p>It had 17,171 dogs.</p></body>"))
    ((_, document, facts, *_),) = opened(folder)
    assert reads.count == 1 and "17,171 dogs" in document.paragraphs[-1]
    assert "17,171" in {fact.raw for fact in facts.values()}


def test_a_reading_that_is_damaged_is_made_again(folder, reads):
    (place,) = (folder / "readings").iterdir()
    whole = place.read_bytes()
    for damaged in (whole[:-900], whole.replace(b"beside/facts", b"beside/fads!"), b""):
        place.write_bytes(damaged)
        opened(folder)
        assert place.read_bytes() == whole
    assert reads.count == 3


def test_two_reports_of_one_name_are_called_otherwise_and_the_first_is_kept(folder, reads):
    other = folder / "copy" / NAME
    other.parent.mkdir()
    shutil.copy(folder / NAME, other)
    (first, *_), (second, *_) = opened(folder, other)
    assert (first.id, second.id) == ("10k", "10k (2)") and len(list((folder / "readings").iterdir())) == 1


def test_no_more_is_kept_than_there_is_room_for(folder, monkeypatch, reads):
    monkeypatch.setattr(readings, "MOST", 1)
    other = shutil.copy(folder / NAME, folder / "other.htm")
    opened(folder, other)
    assert list((folder / "readings").iterdir()) == []
    opened(folder)
    assert reads.count == 2
