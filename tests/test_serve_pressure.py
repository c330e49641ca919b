"""The server under pressure: silent connections, clients that hang up, large replies, odd names, what is left over."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from conftest import SAMPLE

import tieout
from tieout.ontology.model import default_ontology

pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
from serving import TOKEN, served
from starlette.testclient import TestClient

from tieout.serve import connections
from tieout.serve.api.reports import clean_name
from tieout.serve.app import Serving, make_app
from tieout.serve.asking import reading
from tieout.serve.library import FOLDER, Library, LibraryError
from tieout.serve.sparql import Endpoint, Operation, Reply

KEY = {"Authorization": f"Bearer {TOKEN}"}
PAGE = "Single_NORVALE/2013/page_35.pdf-1"
CSV = b"In millions,2013,2012\nnet sales,$ 4391,$ 4000\ncost of sales,$ 3000,$ 2900\n"
PATIENCE = 60  # seconds, of a client that waits for what is to happen at once


@pytest.fixture(scope="module")
def library():
    with Library(default_ontology(None)[0]) as opened:
        opened.add(SAMPLE / "ask.json")[1].result()
        yield opened


@pytest.fixture(scope="module")
def client(library):
    app = make_app(Serving(library=library, token=TOKEN, port=80))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as opened:
        yield opened


def connected(address: str, said: bytes = b"") -> socket.socket:
    host, port = address.removeprefix("http://").split(":")
    made = socket.create_connection((host, int(port)), timeout=PATIENCE)
    made.sendall(said)
    return made


def asked_for(address: str, query: str) -> bytes:
    """A whole request for a query."""
    head = f"POST /sparql HTTP/1.1\r\nHost: {address.removeprefix('http://')}\r\nAuthorization: Bearer {TOKEN}\r\n"
    return f"{head}Content-Type: application/sparql-query\r\nContent-Length: {len(query)}\r\n\r\n{query}".encode()


def test_connections_that_never_say_what_they_want_give_way_to_one_that_does(monkeypatch):
    monkeypatch.setattr(connections, "most_connections", lambda: 20)
    with served() as address:
        silent = [connected(address, b"GET / HTTP/1.1\r\nX-Slow: ") for _ in range(60)]
        for _ in range(3):
            assert httpx.get(f"{address}/api/reports", headers=KEY, timeout=PATIENCE).status_code == 200
        assert sum(map(is_ended, silent)) >= 30  # they gave way, before their time
        for each in silent:
            each.close()


def is_ended(connection: socket.socket) -> bool:
    """Whether the other end has closed a connection."""
    connection.setblocking(False)
    try:
        return connection.recv(65536) == b""
    except BlockingIOError:
        return False
    except ConnectionError:
        return True


def test_a_head_that_does_not_end_in_time_ends_the_connection_also_behind_a_reply(monkeypatch):
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.2)
    with served() as address:
        host = address.removeprefix("http://")
        for before in (b"", f"GET /page.css HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()):
            with connected(address, before) as slow:
                if before:
                    assert slow.recv(12) == b"HTTP/1.1 401"
                slow.sendall(b"GET / HTTP/1.1\r\nX-Slow:")
                with pytest.raises(ConnectionError):
                    while slow.recv(65536):
                        pass
                    raise ConnectionError  # ended, with or without a reset


def test_as_many_connections_are_held_as_files_may_be_open():
    resource = pytest.importorskip("resource")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256));"
        "from tieout.serve.connections import most_connections as most; print(most())"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert int(told) == 64 and resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= 256


def test_queries_whose_clients_hang_up_are_not_run_and_keep_no_question_waiting(monkeypatch):
    begun, free, real = threading.Semaphore(0), threading.Semaphore(0), Endpoint.answer
    stopped: list[bool] = []

    def answer(endpoint, operation, accept, rows):
        if operation.query != "SLOW":
            return real(endpoint, operation, accept, rows)
        begun.release()
        stopped.append(free.acquire(timeout=PATIENCE))
        return Reply(500, "text/plain", "")

    monkeypatch.setattr(Endpoint, "answer", answer)
    monkeypatch.setattr(Endpoint, "stop", lambda endpoint, operation=None: free.release())
    with served(SAMPLE / "ask.json") as address:
        slow = [connected(address, asked_for(address, "SLOW")) for _ in range(30)]
        assert begun.acquire(timeout=PATIENCE)
        asked = {"reports": [PAGE], "question": "what was the operating income in 2013?"}
        told = httpx.post(f"{address}/api/ask", json=asked, headers=KEY, timeout=PATIENCE)
        assert told.json()["answer"] == "$559.5 million"
        for each in slow:
            each.close()
        query = {"query": "ASK { ?fact kg:raw ?raw }"}
        assert httpx.get(f"{address}/sparql", params=query, headers=KEY, timeout=2 * PATIENCE).json()["boolean"]
        assert stopped and all(stopped)


def test_a_query_that_runs_is_ended_when_its_client_is_gone(library):
    endpoint = Endpoint(library)
    heard: list[Reply] = []
    slow = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    assert endpoint.answer(Operation("ASK {}", None, None), "").status == 200
    running = threading.Thread(target=lambda: heard.append(endpoint.answer(Operation(slow, None, None), "")))
    running.start()
    while running.is_alive():
        endpoint.stop()
        running.join(0.05)
    assert heard[0].status == 500 and "seconds" not in heard[0].body  # by whoever left, and not by its time
    assert endpoint.answer(Operation("ASK {}", None, None), "").status == 200
    endpoint.close()


def test_who_leaves_ends_no_query_of_somebody_else(library, monkeypatch):
    endpoint, stopped = Endpoint(library), []
    mine, other = (Operation("ASK {}", None, None) for _ in range(2))

    def write(result, accept):  # while the other query runs
        endpoint.stop(mine)
        endpoint.stop(other)
        return Reply(200, "text/plain", "")

    assert endpoint.answer(other, "").status == 200
    monkeypatch.setattr(type(endpoint._worker), "stop", lambda worker: stopped.append(worker))
    monkeypatch.setattr("tieout.serve.sparql.write", write)
    assert endpoint.answer(other, "").status == 200 and len(stopped) == 1
    endpoint.close()


def test_a_reply_is_capped_in_bytes_as_it_is_in_rows(client):
    names = [f"?{letter * 200}" for letter in "abc"]
    query = f"SELECT {' '.join(names)} {{ {names[0]} kg:raw {names[1]} . ?f kg:raw {names[2]} }}"
    for accept in ("application/sparql-results+json", "text/xml"):
        told = client.post("/sparql", data={"query": query}, headers={"Accept": accept})
        assert told.status_code == 200 and told.headers["tieout-truncated"] == "true"
        assert 1 << 20 < len(told.content) < 32 << 20


def test_a_function_that_nobody_knows_is_one_true_line_and_ends_no_process(client, library):
    endpoint = Endpoint(library)
    said = endpoint.answer(Operation("SELECT (<urn:x:f>(1) AS ?n) {}", None, None), "")
    process = endpoint._worker._process
    assert said.status == 400 and "urn:x:f" in said.body and "memory" not in said.body and said.body.count("\n") == 1
    assert endpoint.answer(Operation("ASK {}", None, None), "").status == 200 and endpoint._worker._process is process
    endpoint.close()


def test_a_process_that_took_much_to_read_a_file_reads_no_other(monkeypatch, tmp_path):
    (tmp_path / "sales.csv").write_bytes(CSV)
    (tmp_path / "nothing.xlsx").write_bytes(b"PK\x03\x04 nothing")
    readers = []
    with Library(default_ontology(None)[0], apart=True) as opened:
        for most in (1 << 40, 0, 0):
            monkeypatch.setattr(reading, "MOST_KEPT", most)
            opened.add(tmp_path / "sales.csv")[1].result()
            opened.add(tmp_path / "nothing.xlsx")[1].result()
            readers.append(opened._reader.process.pid)
        assert [each.state for each in opened.all()] == ["ready", "failed"] * 3 and len(set(readers)) == 3
        assert "nothing.xlsx" in opened.all()[-1].message


NAMES = (
    "..",
    "...",
    "a/..",
    "/",
    "\\..\\",
    "😀" * 65,
    "é" * 150 + ".csv",
    "a\u0000b.csv",
    ".hidden",
    "con\n.csv",
    "%2e%2e",
)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_a_file_is_called_it_is_read_and_leaves_nothing_behind(client, library, name):
    other = Path(tempfile.mkdtemp())  # of somebody else
    sent = client.post("/api/reports", params={"name": name}, content=CSV)
    assert sent.status_code == 202, sent.text
    while (about := client.get(f"/api/reports/{sent.json()['key']}").json())["state"] not in ("ready", "failed"):
        time.sleep(0.02)
    assert about["state"] == "ready" and about["figures"] >= 4
    called = clean_name(name)
    assert called.strip(". ") == called != "" and "/" not in called and len(called.encode()) <= 255
    client.delete(f"/api/reports/{about['key']}")
    while list(library.shelf.folder.glob("sent-*")):
        time.sleep(0.02)
    other.rmdir()  # it is there, as it was


def test_a_report_that_is_taken_out_is_asked_shown_and_found_no_more(client, library):
    key = client.post("/api/reports", params={"name": "gone.csv"}, content=CSV).json()["key"]
    while client.get(f"/api/reports/{key}").json()["state"] != "ready":
        time.sleep(0.02)
    begun = client.post("/api/conversations", json={"reports": [key]}).json()["conversation"]
    asked = {"question": "what were net sales in 2013?"}
    assert client.post(f"/api/conversations/{begun}/ask", json=asked).json()["value"] == 4391
    files = list(library.shelf.folder.glob(f"{key}.*"))
    assert len(files) == 4 and client.delete(f"/api/reports/{key}").json() == {"removed": key}
    assert not any(path.exists() for path in files)
    assert client.get(f"/api/reports/{key}").status_code == 404
    assert client.get(f"/api/reports/{key}/outline").status_code == 404
    query = {"query": "ASK { ?f kg:raw '$ 4391' }"}
    assert client.get("/sparql", params=query).json()["boolean"] is False
    assert len(client.get(f"/api/conversations/{begun}").json()["turns"]) == 1
    refused = client.post(f"/api/conversations/{begun}/ask", json=asked)
    assert refused.status_code == 404 and "is not open" in refused.json()["error"]
    again = client.post("/api/reports", params={"name": "gone.csv"}, content=CSV).json()["key"]
    assert again != key
    while client.get(f"/api/reports/{again}").json()["state"] != "ready":
        time.sleep(0.02)
    client.delete(f"/api/reports/{again}")
    with pytest.raises(LibraryError):
        library.get(again)


def test_read_only_lets_no_report_be_taken_out(library):
    app = make_app(Serving(library=library, token=TOKEN, port=80, read_only=True))
    with TestClient(app, base_url="http://127.0.0.1", headers=KEY) as opened:
        assert opened.delete(f"/api/reports/{library.all()[0].key}").status_code == 403


@pytest.mark.parametrize("site", ["same-site", "cross-site", "what"])
def test_a_page_of_another_port_of_this_machine_is_not_served(client, site):
    assert client.get("/api/reports", headers={"Sec-Fetch-Site": site}).status_code == 403
    for ours in ("none", "same-origin"):
        assert client.get("/api/reports", headers={"Sec-Fetch-Site": ours}).status_code == 200


def test_what_a_killed_server_left_is_removed_by_the_next_and_nothing_else(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    other = tmp_path / "other"
    other.mkdir()
    (tmp_path / f"{FOLDER}{ended.pid}-link").symlink_to(other)
    kept = [other, tmp_path / f"{FOLDER}{ended.pid}-link", tmp_path / f"{FOLDER}{os.getpid()}-own"]
    kept += [tmp_path / f"{FOLDER}{name}-x" for name in ("no-number", "")]
    gone = tmp_path / f"{FOLDER}{ended.pid}-abc"
    for path in (gone / "sent-1", *kept[2:]):
        path.mkdir(parents=True)
    (gone / "sent-1" / "10k.htm").write_text("half")
    with Library(default_ontology(None)[0]) as opened:
        assert not gone.exists() and opened.shelf.folder.parent == tmp_path
    assert set(tmp_path.iterdir()) == set(kept)


@pytest.mark.parametrize(("host", "warned"), [("0.0.0.0", True), ("127.0.0.1", False), ("localhost", False)])
def test_who_lets_other_machines_in_is_told_that_nothing_is_encrypted(monkeypatch, host, warned):
    monkeypatch.setattr("tieout.serve.start.run", lambda *_, **__: None)
    done = CliRunner().invoke(tieout.main, ["serve", "--host", host, "--port", "0"])
    assert done.exit_code == 0 and ("encrypted" in done.stderr) == warned


def test_reports_for_agents_over_http_are_for_programs_of_this_machine_and_are_gone_with_the_server(tmp_path):
    pytest.importorskip("mcp")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "tieout", "mcp", str(SAMPLE / "ask.json"), "--http", str(port)]
    process = subprocess.Popen(command, env=os.environ | {"TMPDIR": str(tmp_path)}, stderr=subprocess.DEVNULL)
    address, hello = f"http://127.0.0.1:{port}/mcp", {"Accept": "application/json, text/event-stream"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    try:
        while True:
            try:
                refused = httpx.post(address, json=body, headers=hello | {"Origin": "http://127.0.0.1:1"})
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        assert refused.status_code == 403
        ours = httpx.post(address, json=body, headers=hello | {"Origin": f"http://127.0.0.1:{port}"})
        assert ours.status_code != 403
        assert httpx.post(address, json=body, headers=hello | {"Host": "evil.example"}).status_code == 421
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 128 + signal.SIGTERM
    assert list(tmp_path.iterdir()) == []
