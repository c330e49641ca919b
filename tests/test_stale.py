"""What is kept and what is on disk: a file that is another by now is told, two files of one name are two reports."""

from __future__ import annotations

import json
import os
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import tieout
from tieout.kg.store.kept import open_kept, read_graph, sources_of

QUESTION = "what was revenue in 2024?"


def write(path: Path, revenue: int) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# {path.parent.name} Ltd\n\nIn thousands.\n\n| | 2024 |\n|---|---|\n| Revenue | {revenue} |\n")
    return path


def run(*words: object) -> Result:
    return CliRunner().invoke(tieout.main, [str(each) for each in words])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a report that is kept."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "a" / "rep.md", 501)
    assert run("index", "a").exit_code == 0
    return tmp_path


def told(result: Result) -> list[str]:
    return [line for line in result.stderr.splitlines() if not line.startswith("ontology:")]


def raw(store: Path, name: str) -> set[str]:
    """What the report of this name prints."""
    return {fact.raw for fact in read_graph(store, name).facts() if fact.scale is not None and fact.raw != "2024"}


def test_an_answer_from_files_as_they_are_says_nothing(place):
    assert told(run("ask", QUESTION)) == []
    os.utime(place / "a" / "rep.md", (1, 1))  # touched, and the same
    assert told(run("ask", QUESTION)) == []


def test_a_file_that_was_changed_is_told_with_its_answer_until_it_is_read_again(place):
    report = write(place / "a" / "rep.md", 777)
    asked = run("ask", QUESTION)
    assert "501" in asked.stdout
    assert told(asked) == [
        f"tieout: {report} was changed: answers are from what was read then; "
        "`tieout index` with the file or its folder reads it again"
    ]
    assert json.loads(run("ask", QUESTION, "--json").stdout)["notes"] == [told(asked)[0].removeprefix("tieout: ")]
    with pytest.warns(UserWarning, match=r"rep.md was changed"), tieout.open():
        pass
    assert run("index", "a").exit_code == 0
    again = run("ask", QUESTION)
    assert "777" in again.stdout and told(again) == []


def test_a_file_that_was_changed_is_told_also_where_companies_are_asked_for(place):
    write(place / "a" / "rep.md", 777)
    for command in (("companies",), ("compare", "revenue"), ("screen", "revenue > 1")):
        lines = told(run(*command))
        assert len([line for line in lines if "rep.md was changed: answers are from what was read then" in line]) == 1
    with pytest.warns(UserWarning, match=r"rep.md was changed"), tieout.library():
        pass


def test_files_that_are_gone_are_told_and_named_as_far_as_a_line_goes(place):
    for number in range(5):
        write(place / "b" / f"rep{number}.md", number + 100)
    assert run("index", "b").exit_code == 0
    for each in (place / "b").iterdir():
        each.unlink()
    assert len(lines := told(run("ask", QUESTION))) == 1
    assert lines[0].count(" is gone") == 3 and "; 2 more: " in lines[0]
    assert run("index", "b").exit_code == 0
    assert told(run("ask", QUESTION)) == []


def test_two_files_of_one_name_are_two_reports_in_whatever_order_they_come(place):
    other = write(place / "b" / "rep.md", 602)
    built = run("kg", "build", other)
    assert built.exit_code == 0
    assert told(built) == [f"tieout: the report of {other} is called 'b/rep.md': 'rep' is the report of another file"]
    store = Path(".tieout/store")
    assert {name: Path(file).parent.name for name, (file, _) in sources_of(store).items()} == {
        "rep": "a",
        "b/rep.md": "b",
    }
    assert [raw(store, name) for name in ("rep", "b/rep.md")] == [{"501"}, {"602"}]
    write(other, 603)  # read again, it keeps its name
    assert run("kg", "build", other).exit_code == 0
    assert list(sources_of(store)) == ["b/rep.md", "rep"] and raw(store, "b/rep.md") == {"603"}


def pages(path: Path, revenue: int, *ids: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    records = [
        {"id": each, "pre_text": [f"revenue in 2024 was $ {revenue} ."], "post_text": [], "table": [["", "2024"]]}
        for each in ids
    ]
    path.write_text(json.dumps(records))
    return path


@pytest.mark.parametrize("command", ["kg build", "index"])
def test_pages_of_one_id_in_two_files_are_two_pages(place, command):
    files = [pages(place / name / "pages.json", revenue, "X-1", "X-2") for name, revenue in (("c", 701), ("d", 802))]
    for each in files:
        assert run(*command.split(), each).exit_code == 0
    store = Path(".tieout/store")
    names = {"X-1": "$ 701", "X-2": "$ 701", "X-1 (d/pages.json)": "$ 802", "X-2 (d/pages.json)": "$ 802"}
    assert {name: {printed} for name, printed in names.items()} == {name: raw(store, name) for name in names}
    pages(files[1], 803, "X-1")  # read again, it keeps its name
    assert run(*command.split(), files[1]).exit_code == 0
    assert raw(store, "X-1 (d/pages.json)") == {"$ 803"} and raw(store, "X-1") == {"$ 701"}
    files[0].unlink()
    pages(files[1], 804, "X-1")  # in place of one that is gone
    assert run(*command.split(), files[1]).exit_code == 0 and raw(store, "X-1") == {"$ 804"}


def test_pages_whose_ids_another_file_has_are_told_in_one_line_also_where_both_are_built_at_once(place):
    files = [pages(place / name / "pages.json", 5, "X-1", "X-2") for name in ("c", "d")]
    built = run("kg", "build", *files)
    assert built.exit_code == 0 and told(built) == [
        f"tieout: the page 'X-1' of {files[1]} is called 'X-1 (d/pages.json)', 1 more likewise: another file has a "
        "page of that id"
    ]
    report = write(place / "e" / "X-1.md", 9)  # a report by the name of a page
    assert "'X-1' is the report of another file" in told(run("kg", "build", report))[0]


def test_a_file_in_place_of_one_that_is_gone_has_its_name(place):
    other = write(place / "b" / "rep.md", 602)
    (place / "a" / "rep.md").unlink()
    built = run("kg", "build", other)
    assert built.exit_code == 0 and told(built) == []
    assert [Path(file).parent.name for file, _ in sources_of(Path(".tieout/store")).values()] == ["b"]


def test_a_file_that_changes_while_it_is_read_counts_as_changed(place, monkeypatch):
    import tieout.kg.reports.library as library

    report = write(place / "b" / "more.md", 100)
    read = library.read_report

    def changing(path: Path, **given: object) -> object:
        found = read(path, **given)
        write(report, 200)
        return found

    monkeypatch.setattr(library, "read_report", changing)
    assert run("kg", "build", report).exit_code == 0
    assert "more.md was changed" in told(run("ask", QUESTION))[0]


def test_files_that_another_version_kept_are_told_until_they_are_read_again(place):
    write(place / "a" / "new.md", 77)
    index = sqlite3.connect(place / ".tieout" / "store.index")
    index.execute("PRAGMA user_version = 1")
    index.commit()
    index.close()
    asked = run("ask", QUESTION)
    assert asked.exit_code and "rep.md: kept by another version; `tieout index --again`" in told(asked)[-1]
    assert run("index", "a/new.md").exit_code == 0
    assert "rep.md: kept by another version" in told(run("ask", QUESTION))[0]
    assert run("index", "--again").exit_code == 0
    assert "another version" not in run("ask", QUESTION).stderr


def test_who_reads_sees_what_was_there_while_another_adds_a_report(place):
    write(place / "b" / "other.md", 888)
    with open_kept(Path(".tieout/store")) as kept:
        assert run("index", "b").exit_code == 0
        assert [each.id for each in kept.index.reports()] == ["rep"]
    assert sorted(sources_of(Path(".tieout/store"))) == ["other", "rep"]


def test_no_words_are_no_folder_to_ask_and_a_file_that_is_not_read_is_named_once(place):
    done = run("ask", "", QUESTION)
    assert done.exit_code == 1 and told(done) == ["tieout: question 1 is empty"]
    (place / "a" / "blank.htm").touch()
    assert told(run("index", "a")) == [f"{Path('a', 'blank.htm')}: the file is empty"]
