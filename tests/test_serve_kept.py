"""Conversations that are kept: after a restart, a kill, a change of reports; found, renamed, shared, forgotten."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time

import httpx
import pytest
from conftest import SAMPLE
from hypothesis import given
from hypothesis import strategies as st

from tieout.ontology.model import default_ontology

pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
from serving import TOKEN, as_declared
from starlette.testclient import TestClient

from tieout.serve.app import Serving, make_app
from tieout.serve.asking.desk import Plan
from tieout.serve.asking.kept import Kept, KeptError, title_of
from tieout.serve.conversations import ConversationError, Conversations
from tieout.serve.library import Library, LibraryError
from tieout.serve.start import conversations_path, open_kept

KEY = {"Authorization": f"Bearer {TOKEN}"}
PAGE, OTHER = "Single_NORVALE/2013/page_35.pdf-1", "report"
FIRST, THEN = "what was the operating income in 2013?", "and in 2012?"
PATIENCE = 60


@pytest.fixture(scope="module")
def library():
    with Library(default_ontology(None)[0]) as opened:
        for name in ("ask.json", "report.htm"):
            opened.add(SAMPLE / name)[1].result()
        yield opened


@pytest.fixture
def path(tmp_path):
    return tmp_path / "store.conversations"


@pytest.fixture
def client(library, path):
    app = make_app(Serving(library=library, token=TOKEN, port=80, kept=Kept(path), share=True))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as opened:
        opened.event_hooks["response"].append(as_declared(app))
        yield opened


def ask(client, key: str, question: str) -> dict:
    told = client.post(f"/api/conversations/{key}/ask", json={"question": question})
    assert told.status_code == 200, told.text
    return told.json()


def begin(client, *reports: str) -> str:
    return client.post("/api/conversations", json={"reports": list(reports) or [PAGE]}).json()["conversation"]


def listed(client, words: str = "") -> list[dict]:
    return client.get("/api/conversations", params={"words": words}).json()["conversations"]


def test_a_conversation_is_there_after_a_restart_and_goes_on(library, path):
    first = Conversations(library, Plan(), kept=Kept(path))
    talk = first.begin([PAGE])
    told = talk.ask(FIRST)
    first.close()
    again = Conversations(library, Plan(), kept=Kept(path))
    kept = again.get(talk.key)
    assert [turn.text for turn in kept.turns] == [told.text] and kept.turns[0].events == told.events
    assert kept.title == FIRST and [held.id for held in kept.held] == [PAGE]
    assert kept.ask(THEN).text == "$631.3 million"
    again.close()


def test_what_was_answered_is_there_however_the_server_ends(tmp_path):
    """It is killed as soon as the answer is told."""
    command = [sys.executable, "-m", "tieout", "serve", str(SAMPLE / "ask.json"), "--port", "0"]
    asked = {"reports": [PAGE], "question": FIRST}
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, **quiet) as server:
        address, _, token = server.stdout.readline().strip().partition("/?token=")
        key = {"Authorization": f"Bearer {token}"}
        while True:
            told = httpx.post(f"{address}/api/ask", json=asked, headers=key, timeout=PATIENCE)
            if told.status_code == 200:
                break
            time.sleep(0.05)
        os.kill(server.pid, signal.SIGKILL)
    kept = Kept(tmp_path / ".tieout" / "store.conversations")
    _, (only,) = kept.list()
    assert only.key == told.json()["conversation"] and kept.turns(only.key)[0].text == told.json()["answer"]
    assert (tmp_path / ".tieout" / "store.conversations").stat().st_mode & 0o077 == 0
    kept.close()


def test_reports_come_into_a_conversation_and_go_and_nothing_that_was_answered_is_lost(client):
    key = begin(client)
    first = ask(client, key, FIRST)
    changed = client.patch(f"/api/conversations/{key}", json={"reports": [PAGE, OTHER]}).json()
    assert [(each["id"], each["asked"]) for each in changed["reports"]] == [(PAGE, True), (OTHER, True)]
    second = ask(client, key, "what was the operating income of Brightmoor in 2024?")
    assert second["answer"].endswith("$685 million")
    third = ask(client, key, "what is the sum of both?")
    client.patch(f"/api/conversations/{key}", json={"reports": [OTHER]})
    last = ask(client, key, "what was revenue in 2024?")
    assert last["answer"].startswith("$3.282")
    turns = client.get(f"/api/conversations/{key}").json()["turns"]
    assert [each["answer"] for each in turns] == [each["answer"] for each in (first, second, third, last)]
    reports = {each["id"]: each["key"] for each in client.get("/api/reports").json()["reports"]}
    assert {mark["report"] for mark in turns[0]["marks"].values()} == {reports[PAGE]}
    assert {mark["report"] for each in (1, 3) for mark in turns[each]["marks"].values()} == {reports[OTHER]}
    page = client.get(f"/api/conversations/{key}/export", params={"form": "html"})
    assert page.status_code == 200 and "685" in page.text and "559.5" in page.text
    asked = client.get(f"/api/conversations/{key}").json()["reports"]
    assert [(each["id"], each["asked"]) for each in asked] == [(PAGE, False), (OTHER, True)]


def test_a_conversation_about_a_report_that_is_not_open_as_it_was_read_is_read_and_not_asked(library, path, tmp_path):
    first = Conversations(library, Plan(), kept=Kept(path))
    told = first.begin([OTHER]).ask("what was revenue in 2024?")
    first.close()
    changed = tmp_path / "report.htm"
    changed.write_text((SAMPLE / "report.htm").read_text().replace("3,282", "3,283"))
    with Library(default_ontology(None)[0]) as other:
        again = Conversations(other, Plan(), kept=Kept(path))
        _, (summary,) = again.kept.list()
        talk = again.get(summary.key)
        assert talk.turns[0].text == told.text and talk.held == [] and talk.aliases() == {}
        with pytest.raises(LibraryError, match="is not open: open its file"):
            talk.ask("and in 2023?")
        other.add(changed)[1].result()
        with pytest.raises(LibraryError, match="open as it was not read then"):
            talk.ask("and in 2023?")
        again.change(talk.key, [OTHER])
        assert talk.ask("what was revenue in 2024?").text.startswith("$3.283")
        again.close()


def test_conversations_are_listed_found_renamed_and_forgotten(client):
    keys = [begin(client), begin(client, OTHER)]
    assert listed(client) == []  # nothing was asked
    ask(client, keys[0], FIRST)
    ask(client, keys[1], "what was revenue in 2024?")
    ask(client, keys[0], THEN)
    assert [each["conversation"] for each in listed(client)] == keys
    assert [each["turns"] for each in listed(client)] == [2, 1]
    for words, found in (
        ("Operating 2013", keys[:1]),
        ("631.3", keys[:1]),
        ("report", keys[1:]),
        ("100%", []),
        ("_", keys[:1]),
    ):
        assert [each["conversation"] for each in listed(client, words)] == found, words
    told = client.patch(f"/api/conversations/{keys[1]}", json={"title": "  Sales,\n 100% "}).json()
    assert told["title"] == "Sales, 100%" and [each["title"] for each in listed(client, "100%")] == ["Sales, 100%"]
    assert client.patch(f"/api/conversations/{keys[1]}", json={"title": ""}).status_code == 422
    undone = client.post(f"/api/conversations/{keys[0]}/undo").json()
    assert undone["turns"] == 1 and listed(client, "631.3") == []
    assert client.delete(f"/api/conversations/{keys[0]}").json() == {"removed": keys[0]}
    assert [each["conversation"] for each in listed(client)] == keys[1:]
    for method in ("get", "delete"):
        assert getattr(client, method)(f"/api/conversations/{keys[0]}").status_code == 404


def test_a_shared_conversation_is_read_without_a_token_until_it_is_not_shared(client, library):
    key = begin(client)
    told = ask(client, key, FIRST)
    path = client.post(f"/api/conversations/{key}/share", json={"on": True}).json()["path"]
    client.headers.pop("Authorization")
    shown = client.get(path)
    assert shown.status_code == 200 and told["answer"] in shown.text and "<script" not in shown.text
    assert "script-src 'none'" in shown.headers["content-security-policy"]
    for other in (
        path[:-1],
        path[:-1] + ("0" if path[-1] != "0" else "1"),
        f"/shared/{key}",
        "/shared/",
        "/shared/%00",
    ):
        assert client.get(other).status_code == 404
    assert client.post(path).status_code == 401 and client.get("/api/conversations").status_code == 401
    client.headers.update(KEY)
    assert listed(client)[0]["shared"] is True
    assert client.post(f"/api/conversations/{key}/share", json={"on": False}).json() == {"path": None}
    assert client.get(path).status_code == 404 and listed(client)[0]["shared"] is False
    assert client.post(f"/api/conversations/{key}/share", json={"on": True}).json()["path"] != path


def test_a_link_shows_no_other_conversation_and_stands_in_no_log(library):
    said: list[str] = []
    app = make_app(Serving(library=library, token=TOKEN, port=80, share=True, told=said.append))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as client:
        keys = [begin(client), begin(client)]
        ask(client, keys[0], FIRST)
        ask(client, keys[1], FIRST)
        first, second = (
            client.post(f"/api/conversations/{key}/share", json={"on": True}).json()["path"] for key in keys
        )
        signatures = [path.partition(".")[2] for path in (first, second)]
        client.headers.pop("Authorization")
        assert client.get(first).status_code == client.get(second).status_code == 200
        for other in (f"{keys[0]}.{signatures[1]}", f"../api/conversations/{keys[0]}", "%2e%2e/api", "é" * 50, "a.b.c"):
            assert client.get(f"/shared/{other}").status_code in (401, 404), other
        assert sum("/shared/ 200" in line for line in said) == 2
        assert not any(each in line for each in signatures for line in said)


def test_many_who_have_a_link_keep_nobody_waiting_who_has_the_token(library, monkeypatch):
    app = make_app(Serving(library=library, token=TOKEN, port=80, share=True))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as client:
        key = begin(client)
        ask(client, key, FIRST)
        path = client.post(f"/api/conversations/{key}/share", json={"on": True}).json()["path"]
        asked = threading.Event()
        monkeypatch.setattr("tieout.serve.api.exports.one_page", lambda *_: str(asked.wait(60)))

        async def talk() -> list[int]:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60) as reader:
                readers = [asyncio.create_task(reader.get(path)) for _ in range(60)]
                await asyncio.sleep(0)
                try:
                    async with asyncio.timeout(30):
                        assert (await reader.get("/api/reports", headers=KEY)).status_code == 200
                    await asyncio.wait(readers, return_when=asyncio.FIRST_COMPLETED)  # one that is told to ask again
                finally:
                    asked.set()
                return [each.status_code for each in await asyncio.gather(*readers)]

        statuses = asyncio.run(talk())
    assert {*statuses} == {200, 503} and statuses.count(200) < 20


def test_nothing_is_shared_unless_the_server_was_started_so(library):
    app = make_app(Serving(library=library, token=TOKEN, port=80))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as client:
        key = begin(client)
        ask(client, key, FIRST)
        assert client.post(f"/api/conversations/{key}/share", json={"on": True}).status_code == 403
        assert client.get("/api/about").json()["share"] is False
        client.headers.pop("Authorization")
        assert client.get(f"/shared/{key}.{'0' * 32}").status_code == 401


def test_conversations_of_another_version_or_none_are_told_in_one_line(tmp_path, path):
    broken = tmp_path / "broken.conversations"
    broken.write_bytes(b"no database" * 200)
    with pytest.raises(KeptError, match="move the file away"):
        Kept(broken)
    Kept(path).close()
    with sqlite3.connect(path) as there:
        there.execute("PRAGMA user_version = 99")
    with pytest.raises(KeptError, match="another version"):
        Kept(path)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(KeptError, match="cannot be used"):
        open_kept(blocked / "store", forget=False)
    assert conversations_path(tmp_path / "store").name == "store.conversations"
    open_kept(blocked / "store", forget=True).close()


def test_a_turn_that_cannot_be_kept_was_not_answered(library, path):
    talks = Conversations(library, Plan(), kept=Kept(path))
    talk = talks.begin([PAGE])
    talk.ask(FIRST)
    with sqlite3.connect(path) as other:  # as another server on the same file does
        other.execute("INSERT INTO turns SELECT conversation, 1, question, answer, events FROM turns")
    with pytest.raises(KeptError):
        talk.ask(THEN)
    assert len(talk.turns) == 1
    with sqlite3.connect(path) as other:
        other.execute("DELETE FROM turns WHERE number = 1")
    assert talk.ask(THEN).text == "$631.3 million"
    with pytest.raises(ConversationError):
        talks.get("nothing")
    talks.close()


@given(st.text())
def test_a_title_is_one_line_that_is_not_too_long(question):
    title = title_of(question)
    assert len(title) <= 80 and "\n" not in title and title == title.strip()


def test_a_correction_names_the_figure_that_is_meant_and_the_conversation_goes_on_from_it(client):
    key = begin(client)
    first = ask(client, key, "what was income?")
    (other,) = first["readings"][1:]
    name = other.partition("[")[2].rstrip("]")
    asked = {"question": f"what was income? ({other})", "meant": name}
    second = client.post(f"/api/conversations/{key}/ask", json=asked).json()
    assert second["answer"] != first["answer"] and (second["readings"], list(second["marks"])) == ([], [name])
    assert ask(client, key, THEN)["places"][0]["about"] == second["places"][0]["about"]
    missing = client.post(f"/api/conversations/{key}/ask", json={**asked, "meant": "t9r9c9"}).json()
    assert missing["answer"] is None and missing["outcome"] != "answer"
    assert client.post(f"/api/conversations/{key}/ask", json={**asked, "meant": "../x"}).status_code == 422
