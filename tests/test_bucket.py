"""A lake in a bucket: it is asked as one on disk is, and holds one state or the other, whatever is cut off."""

from __future__ import annotations

import json
import time
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from s3_server import KEY, SECRET, Server, serving

import tieout
from tieout.kg.reports.indexing import index_files
from tieout.kg.store.kept import read_graph, sources_of
from tieout.kg.store.lake import original, read_store, write_lake
from tieout.kg.store.store import StoreError, origin_of
from tieout.ontology.model import default_ontology

URL = "s3://lake/desk"
FILING = """# Brightmoor Ltd

Annual report on Form 10-K for the fiscal year ended December 31, 2024

## Consolidated Statements of Operations

(in millions)

| | Year ended December 31, 2024 | Year ended December 31, 2023 |
|---|---|---|
| Revenue | 640 | 600 |
| Cost of revenue | 240 | 250 |
| Gross profit | 400 | 350 |
| Net income | 90 | 80 |
"""


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A bucket, and a folder of one's own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with serving() as made:
        for name, value in made.environment.items():
            monkeypatch.setenv(name, value)
        yield made


def run(*words: object, store: str = URL) -> Result:
    return CliRunner().invoke(tieout.main, [*map(str, words), "--store", store])


def told(result: Result) -> str:
    lines = [line for line in result.stderr.splitlines() if not line.startswith("ontology:")]
    assert result.exit_code == 1 and len(lines) == 1
    assert KEY not in lines[0] and SECRET not in lines[0]
    return lines[0]


def write(name: str, revenue: int) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# {path.stem} Ltd\n\nIn thousands.\n\n| | 2024 |\n|---|---|\n| Revenue | {revenue} |\n")
    return path


def write_filing(name: str) -> Path:
    path = Path(name)
    path.parent.mkdir(exist_ok=True)
    path.write_text(FILING)
    return path


def revenue(store: Path, name: str) -> set[str]:
    return {fact.raw for fact in read_graph(store, name).facts() if fact.raw != "2024"}


def kept() -> list[str]:
    return sorted(sources_of(read_store(URL)))


def names(server: Server, under: str) -> set[str]:
    return {name for name in server.objects if name.startswith(f"desk/{under}")}


def test_what_is_asked_of_a_bucket_is_answered_as_of_a_folder(server, monkeypatch):
    report = write_filing("a/brightmoor.md")
    assert run("index", report).stdout == f"1 file in {URL}: 1 read\n"
    assert run("index", report).stdout == f"1 file in {URL}: 1 kept already\n"
    run("index", report, store="here/store")
    for words in (
        ("ask", "what was revenue in 2024?"),
        ("compare", "revenue", "gross margin"),
        ("screen", "revenue > 1"),
        ("statement", "Brightmoor", "income"),
        ("companies",),
        ("index", "--list"),
        ("sparql", "--document", "brightmoor", "SELECT (count(*) AS ?n) { ?s ?p ?o }"),
    ):
        there, here = run(*words), run(*words, store="here/store")
        assert (there.exit_code, there.stdout) == (0, here.stdout), words
    report.rename("elsewhere.md")  # as on another machine
    assert run("ask", "what was revenue in 2024?").stderr == ""
    store = read_store(URL)
    ((source, mark),) = sources_of(store).values()
    assert original(origin_of(store), source, mark).read_bytes() == Path("elsewhere.md").read_bytes()
    assert "s3://lake/desk' is written by `tieout index`" in told(run("kg", "build", "elsewhere.md"))
    with tieout.library(URL) as library:
        assert len(library.companies) == 1


def test_two_servers_behind_one_bucket_answer_alike_without_the_files(server, tmp_path, monkeypatch):
    pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
    from starlette.testclient import TestClient

    from tieout.serve.app import Serving, make_app
    from tieout.serve.start import open_library

    run("index", write_filing("a/brightmoor.md"))
    Path("a").rename("away")  # the servers are other machines
    answers = []
    for machine in ("one", "two"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / machine))
        plan = {"backend": "offline", "data": (), "memory": None}
        with open_library((), read_store(URL), None, None, plan, print) as library:
            while (state := library.all()[0].state) != "ready":
                assert state != "failed"
                time.sleep(0.01)
            app = make_app(Serving(library=library, token="secret", port=80))
            with TestClient(app, base_url="http://127.0.0.1", headers={"Authorization": "Bearer secret"}) as client:
                asked = {"reports": ["brightmoor"], "question": "what was revenue in 2024?"}
                told = client.post("/api/ask", json=asked).json()
                answers.append({name: told[name] for name in ("answer", "program", "probability", "marks")})
    assert answers[0]["answer"] == "640 million (unit not stated)"
    assert answers[0] == answers[1] and answers[0]["marks"]


def test_what_is_cut_off_anywhere_leaves_the_old_state_and_the_same_again_goes_on(server):
    there: list[str] = []
    for put_in, is_lost in ((0, False), (0, False), (1, False), (2, False), (3, False), (3, True)):
        name = f"report{len(there)}"
        write(f"a/{name}.md", 501 + len(there))
        if there:  # a file, its bundle, a part of the index and the manifest are put in
            server.cut, server.lost = put_in, is_lost
            assert told(run("index", "a")) == f"tieout: '{URL}' is not reached: try again"
            server.cut = None
            assert kept() == ([*there, name] if is_lost else there)
        assert run("index", "a").exit_code == 0
        there.append(name)
        assert kept() == there
        assert revenue(read_store(URL), name) == {str(500 + len(there))}


def test_an_answer_to_a_condition_that_was_lost_is_no_conflict(server):
    from tieout.kg.store.bucket import Bucket

    bucket = Bucket(URL)
    assert bucket.replace("x", b"1", "")
    _, tag = bucket.get("x")
    assert bucket.replace("x", b"2", tag)
    assert bucket.replace("x", b"2", tag)  # as a try after one of which nothing was heard
    assert not bucket.replace("x", b"3", tag)
    assert not bucket.replace("x", b"3", "")


def test_two_who_write_at_a_time_lose_nothing(server):
    write("a/alpha.md", 501), write("b/beta.md", 777)
    ontology, _ = default_ontology(None)
    tries = []

    def work(store: Path):
        tries.append(store)
        if len(tries) == 1:
            assert run("index", "b").exit_code == 0
        return index_files([Path("a")], ontology, store)

    assert [step.outcome for step in write_lake(URL, work)] == ["read"]
    assert len(tries) == 2
    assert kept() == ["alpha", "beta"]


def test_a_reader_keeps_its_state_while_others_write(server):
    write("a/alpha.md", 501)
    run("index", "a")
    before = read_store(URL)
    write("a/alpha.md", 777)
    run("index", "a")
    run("index", "--forget", "a/alpha.md")
    assert list(sources_of(before)) == ["alpha"] and revenue(before, "alpha") == {"501"}
    assert kept() == []


def test_what_nothing_refers_to_is_taken_away_after_a_day(server):
    server.age = timedelta(days=2)
    write("a/alpha.md", 501)
    run("index", "a")
    write("b/beta.md", 777)
    server.cut = 2
    run("index", "b")  # puts in a file and a bundle, and no more
    server.cut, server.age = None, timedelta(0)
    assert len(names(server, "bundles/")) == 2
    write("c/gamma.md", 888)
    run("index", "c")
    assert len(names(server, "bundles/")) == len(names(server, "files/")) == 2
    run("index", "--forget", "a/alpha.md")
    run("index", "c")
    assert len(names(server, "bundles/")) == 2  # who has the state before may still ask it
    manifest = json.loads(server.objects["desk/lake.json"].content)
    assert any(name.startswith("bundles/") for name in manifest["left"])
    run("index", "b")
    assert kept() == ["beta", "gamma"]


def test_what_is_damaged_is_named_and_made_again(server, tmp_path):
    write("a/alpha.md", 501)
    run("index", "a")
    for under, says in (
        ("parts/", "holds other bytes than were written"),
        ("lake.json", "its lake.json cannot be read"),
        ("bundles/", ".zip cannot be read"),
    ):
        (name,) = names(server, under) if under != "parts/" else sorted(names(server, under))[:1]
        whole = server.objects[name]
        for part in names(server, under):
            server.objects[part] = type(whole)(server.objects[part].content[:-9], whole.modified)
        for folder in tmp_path.glob("cache/tieout/*/*"):
            folder.rename(tmp_path / f"away-{under.strip('/')}-{folder.name}") if folder.is_dir() else None
        asked = run("sparql", "--document", "alpha", "SELECT ?s { ?s ?p ?o }")
        assert says in told(asked) and "index --again" in told(asked)
        assert run("index", "--again", "a").exit_code == 0
        assert revenue(read_store(URL), "alpha") == {"501"}


def test_a_lake_of_another_version_is_not_read_and_is_made_again_of_its_files(server, monkeypatch):
    from tieout.kg.store import manifest

    write("a/alpha.md", 501)
    run("index", "a")
    told_before = json.loads(server.objects["desk/lake.json"].content)
    for change in ({"index": told_before["index"] + 1, "tieout": "9.9"}, {"form": manifest.FORM + 1, "tieout": "9.9"}):
        found = server.objects["desk/lake.json"]
        told_there = json.loads(found.content) | change
        server.objects["desk/lake.json"] = type(found)(json.dumps(told_there).encode(), found.modified)
        for words in (("ask", "what was revenue in 2024?"), ("index", "a")):
            assert told(run(*words)) == (
                f"tieout: the store at '{URL}' is of another version (tieout 9.9) and is not read by this one: "
                f"`tieout index --again --store {URL}` makes it again"
            )
        assert run("index", "--again", *(["a"] if "form" in change else [])).exit_code == 0
        assert revenue(read_store(URL), "alpha") == {"501"}


def test_what_is_wrong_with_a_bucket_is_one_line_without_what_is_secret(server, monkeypatch):
    assert told(run("ask", "what?")) == (
        f"tieout: there is no store at '{URL}': `tieout index FOLDER --store {URL}` makes one"
    )
    assert "there is no bucket at 's3://nobody/desk'" in told(run("companies", store="s3://nobody/desk"))
    assert "holds no credentials" in told(run("companies", store=f"s3://{KEY}:{SECRET}@lake/desk"))
    assert "ftp:// is no store" in told(run("companies", store="ftp://lake/desk"))
    with pytest.raises(StoreError, match="there is no store"):
        tieout.library(URL)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "another")
    assert "does not let these credentials in" in told(run("companies", store="s3://lake/other"))
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    assert "is not reached" in told(run("companies"))
