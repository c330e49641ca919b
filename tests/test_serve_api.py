"""The HTTP API: who is let in, what is read, asked and answered, and what a stranger's requests come to."""

from __future__ import annotations

import asyncio
import json
import random
import string
import time
from collections import Counter
from pathlib import Path

import httpx
import pytest
from conftest import SAMPLE
from eval_runs import run

from tieout.eval.run.sample import Selection
from tieout.ontology.model import default_ontology

pytest.importorskip("fastapi", reason="NO FASTAPI: the server was not tested; pip install 'tieout[serve]'")
from serving import as_declared
from starlette.testclient import TestClient

from tieout.agent.memory.terms import Term, save_term
from tieout.serve.app import Serving, make_app
from tieout.serve.asking.desk import Plan
from tieout.serve.library import Library

TOKEN = "the-token-of-the-tests"
PORT = 8737
BASE = f"http://127.0.0.1:{PORT}"
KEY = {"Authorization": f"Bearer {TOKEN}"}
PAGE = "Single_NORVALE/2013/page_35.pdf-1"
CSV = b"In millions,2013,2012\nnet sales,$ 4391,$ 4000\ncost of sales,$ 3000,$ 2900\n"


@pytest.fixture(scope="module")
def library():
    with Library(default_ontology(None)[0]) as opened:
        _, read = opened.add(SAMPLE / "ask.json")
        read.result()
        yield opened


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    return tmp_path_factory.mktemp("served") / "logs"


@pytest.fixture(scope="module")
def app_said() -> list[str]:
    return []


@pytest.fixture(scope="module")
def app_client(library, app_said, logs):
    """A client of what is served, made once: that costs more than most of what is asked of it."""
    app = make_app(Serving(library=library, token=TOKEN, port=PORT, plan=Plan(log=logs), told=app_said.append))
    with TestClient(app, base_url=BASE) as opened:
        opened.event_hooks["response"].append(as_declared(app))
        yield opened


@pytest.fixture
def said(app_said) -> list[str]:
    app_said.clear()
    return app_said


@pytest.fixture
def client(app_client):
    app_client.cookies.clear()
    app_client.headers.update(KEY)
    return app_client


def page(client) -> str:
    reports = client.get("/api/reports").json()["reports"]
    return next(each["key"] for each in reports if each["id"] == PAGE)


def begin(client) -> str:
    return client.post("/api/conversations", json={"reports": [page(client)]}).json()["conversation"]


def test_reports_are_listed_with_what_is_known_of_them(client):
    listed = client.get("/api/reports").json()
    assert not listed["read_only"]
    about = {each["id"]: each for each in listed["reports"]}[PAGE]
    assert about["state"] == "ready" and about["figures"] > 10
    assert client.get(f"/api/reports/{about['key']}").json() == about


def test_an_answer_is_that_of_the_command_line_with_its_places(client):
    turn = client.post(
        "/api/ask", json={"reports": [PAGE], "question": "what was the operating income in 2013?"}
    ).json()
    assert turn["outcome"] == "answer" and turn["kind"] == "number" and turn["probability"] > 0
    (fact,) = turn["marks"]
    place = turn["marks"][fact]
    source = client.get(f"/api/reports/{place['report']}/parts/{place['part']}").json()
    table = next(block for block in source["blocks"] if block.get("table") == place["table"])
    assert turn["places"][0]["raw"] in table["rows"][place["row"]][place["column"]]
    assert fact in table["figures"][f"{place['row']},{place['column']}"]


def test_a_figure_tells_what_was_understood_its_query_and_who_used_it(client):
    turn = client.post(
        "/api/ask", json={"reports": [PAGE], "question": "what was the operating income in 2013?"}
    ).json()
    (name,) = turn["marks"]
    fact = client.get(f"/api/reports/{page(client)}/facts/{name}").json()
    assert fact["raw"] == turn["places"][0]["raw"]
    assert fact["used"][-1]["answer"] == turn["answer"]
    asked = client.get("/sparql", params={"query": fact["sparql"]}).json()
    assert [row["value"]["value"] for row in asked["results"]["bindings"]] == [str(fact["value"])]


def test_a_conversation_goes_on_and_the_last_turn_is_taken_back(client, logs):
    key = begin(client)
    for question in ("what was the operating income in 2013?", "and in 2012?", "what was the change?"):
        turn = client.post(f"/api/conversations/{key}/ask", json={"question": question}).json()
    assert turn["turn"] == 2 and turn["nodes"][-1]["from"]
    undone = client.post(f"/api/conversations/{key}/undo").json()
    assert undone == {"undone": "what was the change?", "turns": 2}
    again = client.post(f"/api/conversations/{key}/ask", json={"question": "what was the change?"}).json()
    assert again["answer"] == turn["answer"]
    held = client.get(f"/api/conversations/{key}").json()
    assert [each["question"] for each in held["turns"]][-1] == "what was the change?"
    from tieout.agent.log.log import read_events
    from tieout.agent.log.turn import read_turns

    turns = read_turns(read_events(logs / f"{key}-2.jsonl"))
    assert [each.text for each in turns] == [each["answer"] for each in held["turns"]]


def test_an_answer_streams_as_it_comes(client):
    key = begin(client)
    stream = {"Accept": "text/event-stream"}
    asked = {"question": "what was the operating income in 2013?"}
    with client.stream("POST", f"/api/conversations/{key}/ask", json=asked, headers=stream) as reply:
        events = [part.split("\n") for part in "".join(reply.iter_text()).strip().split("\n\n")]
    kinds = [lines[0] for lines in events]
    assert kinds[0] == "event: step" and kinds[-1] == "event: answer" and kinds.count("event: answer") == 1
    assert json.loads(events[-1][1].removeprefix("data: "))["outcome"] == "answer"


def test_a_conversation_is_saved_as_html_workbook_and_markdown(client):
    key = begin(client)
    turn = client.post(
        f"/api/conversations/{key}/ask", json={"question": "what was the operating income in 2013?"}
    ).json()
    kinds = {"html": b"<!doctype html>", "xlsx": b"PK", "md": b"# Single"}
    for form, start in kinds.items():
        saved = client.get(f"/api/conversations/{key}/export", params={"form": form})
        assert saved.content.startswith(start) and form in saved.headers["content-disposition"]
        assert form == "xlsx" or turn["answer"] in saved.text
    assert client.get(f"/api/conversations/{key}/export", params={"form": "exe"}).status_code == 422


def once_read(client, key: str) -> dict[str, object]:
    """What is told about a report as soon as it is read, or cannot be."""
    while (about := client.get(f"/api/reports/{key}").json())["state"] not in ("ready", "failed"):
        time.sleep(0.05)
    return about


def test_a_report_is_opened_by_sending_its_file(client):
    sent = client.post("/api/reports", params={"name": "../../etc/sales.csv"}, content=CSV)
    assert sent.status_code == 202 and sent.json()["id"] == "sales.csv"
    key = sent.json()["key"]
    about = once_read(client, key)
    assert about["state"] == "ready" and about["id"] == "sales" and about["figures"] >= 4
    turn = client.post("/api/ask", json={"reports": [key], "question": "what were net sales in 2013?"}).json()
    assert turn["value"] == 4391
    rows = client.get("/sparql", params={"query": "SELECT ?v { ?f kg:raw '$ 4391' ; kg:value ?v }"}).json()
    assert rows["results"]["bindings"]


def test_what_is_told_of_a_file_that_is_sent_does_not_depend_on_how_soon_it_is_read(client, library, monkeypatch):
    submit = library._reading.submit

    def at_once(work):
        read = submit(work)
        read.result()
        return read

    monkeypatch.setattr(library._reading, "submit", at_once)
    sent = client.post("/api/reports", params={"name": "quick.csv"}, content=CSV).json()
    assert (sent["id"], sent["state"], sent["figures"]) == ("quick.csv", "waiting", 0)
    assert client.get(f"/api/reports/{sent['key']}").json()["state"] == "ready"


def test_a_file_that_is_no_report_fails_in_one_line_that_names_no_folder(client):
    key = client.post("/api/reports", params={"name": "broken.xlsx"}, content=b"PK\x03\x04 nothing").json()["key"]
    about = once_read(client, key)
    assert about["state"] == "failed" and "broken.xlsx" in about["message"] and "sent-" not in about["message"]
    asked = client.post("/api/ask", json={"reports": [key], "question": "anything?"})
    assert asked.status_code == 404 and "not ready" in asked.json()["error"]


def test_read_only_lets_no_report_in(library):
    with TestClient(
        make_app(Serving(library=library, token=TOKEN, port=PORT, read_only=True)), base_url=BASE, headers=KEY
    ) as client:
        assert client.post("/api/reports", params={"name": "a.csv"}, content=CSV).status_code == 403
        assert client.get("/api/reports").json()["read_only"]


def test_only_the_token_opens_and_a_page_keeps_it_as_a_cookie(client):
    client.headers.pop("Authorization")
    assert client.get("/api/reports").status_code == 401
    assert client.get("/").status_code == 401
    assert client.get("/?token=wrong", follow_redirects=False).status_code == 401
    assert client.get("/api/reports", headers={"Authorization": "Bearer wrong"}).status_code == 401
    opened = client.get(f"/?token={TOKEN}", follow_redirects=False)
    assert opened.status_code == 303 and opened.headers["location"] == "/"
    assert "HttpOnly" in opened.headers["set-cookie"] and "SameSite=Strict" in opened.headers["set-cookie"]
    assert client.get("/").status_code == 200
    assert client.get("/api/reports").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", "localhost:x", "", "[::1"])
def test_another_host_is_refused(client, host):
    assert client.get("/api/reports", headers={"Host": host}).status_code == 421


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1", "file://", "http://[::1"])
def test_another_origin_is_refused(client, origin):
    assert client.get("/api/reports", headers={"Origin": origin}).status_code == 403
    assert client.get("/api/reports", headers={"Origin": BASE}).status_code == 200


def test_every_reply_forbids_scripts_from_elsewhere_and_names_no_other_origin(client):
    for path in ("/", "/query", "/api/reports", "/nothing", "/sparql"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self';" in policy
        # YASGUI sets styles while it runs; no other page may.
        assert ("unsafe" in policy) == ("style-src 'self' 'unsafe-inline';" in policy) == (path == "/query")
        assert headers["x-content-type-options"] == "nosniff"
        assert not [name for name in headers if name.startswith("access-control")]


def test_a_request_is_one_line_without_token_or_question(client, said):
    client.get(f"/?token={TOKEN}", follow_redirects=False)
    client.post("/api/ask", json={"reports": [PAGE], "question": "what was the operating income?"})
    client.get("/sparql", params={"query": "ASK {}"})
    assert [line.split()[:3] for line in said] == [
        ["GET", "/", "303"],
        ["POST", "/api/ask", "200"],
        ["GET", "/sparql", "200"],
    ]
    assert TOKEN not in "".join(said) and "income" not in "".join(said)


def test_what_there_is_beside_the_reports_is_told(library, tmp_path):
    save_term(tmp_path, Term(label="free cash flow", others=("FCF",), meaning="what is left to pay out"))
    serving = Serving(library=library, token=TOKEN, port=PORT, plan=Plan(memory=tmp_path))
    with TestClient(make_app(serving), base_url=BASE, headers=KEY) as client:
        told = client.get("/api/about").json()
        assert told["backend"] == "offline" and told["terms"][0]["others"] == ["FCF"] and told["data"] == []
        nothing = client.post("/api/conversations", json={"reports": []})
        assert nothing.status_code == 400 and "reports" in nothing.json()["error"]


@pytest.mark.parametrize(
    "path", ["turns/0/pictures/0", "turns/9/pictures/0", "turns/-1/pictures/0", "turns/x/pictures/0"]
)
def test_a_picture_that_was_not_drawn_is_not_there(client, path):
    key = begin(client)
    client.post(f"/api/conversations/{key}/ask", json={"question": "what was the operating income in 2013?"})
    assert client.get(f"/api/conversations/{key}/{path}").status_code in (404, 422)


def test_the_api_describes_itself_with_types_and_says_how_to_be_let_in(client):
    told = client.get("/api/openapi.json").json()
    paths = told["paths"]
    assert {"/api/reports", "/api/ask", "/api/conversations/{key}/ask", "/sparql"} <= paths.keys()
    assert client.get("/docs").status_code == 404
    assert told["components"]["securitySchemes"]["token"]["scheme"] == "bearer" and told["security"] == [{"token": []}]
    for path, methods in paths.items():
        for method, each in methods.items():
            good = next(reply for status, reply in each["responses"].items() if status.startswith("2"))
            shown = good.get("content", {}).get("application/json", {}).get("schema", {})
            assert shown.get("type") != "string", (method, path)
            assert each.get("description"), (method, path)
            assert not each.get("requestBody") or each["requestBody"]["content"], (method, path)


def test_runs_are_listed_scored_and_their_turns_given(library, tmp_path):
    runs = tmp_path / "runs"
    run(runs, SAMPLE / "ask.json", "one", "offline", selection=Selection(limit=1))
    serving = Serving(library=library, token=TOKEN, port=PORT, runs=runs)
    with TestClient(make_app(serving), base_url=BASE, headers=KEY) as client:
        assert [each["run"] for each in client.get("/api/runs").json()["runs"]] == ["one"]
        told = client.get("/api/runs/one").json()
        assert told["status"] == "complete" and told["scores"]["n"] == told["turns"]
        turns = client.get("/api/runs/one/turns?first=1&most=2").json()
        assert turns["count"] == told["turns"] and [each["turn"] for each in turns["turns"]] == [1, 2]
        assert client.get("/api/runs/..%2Fruns%2Fone").status_code == 404
        log = next((runs / "one").rglob("*.jsonl"))
        log.write_text(log.read_text().replace("operating", "Operating", 1))
        altered = client.get("/api/runs/one")
        assert altered.status_code == 409 and "line 2 was changed" in altered.text
        assert str(tmp_path) not in altered.text


WORDS = ("", "a", "../../etc/passwd", "%2e%2e/%2e%2e", "\u0000", "\ud83d", "’; DROP", "<script>", "9" * 400, "{", "-1")
QUERIES = (
    "SELECT * { ?s ?p ?o }",
    "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    "INSERT DATA { <a:b> <a:b> 1 }",
    "LOAD <file:///etc/passwd>",
    "SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }",
    "SELECT * { " + "{ " * 5000 + "}" * 5000 + " }",
    "SELECT (" + "1+" * 3000 + "1 AS ?x) {}",
    "ASK { FILTER(REGEX('" + "a" * 4000 + "', '(a+)+$')) }",
    "\u0000",
    "ask {} # " + "x" * 20000,
)


PATHS = (
    "/",
    "/query",
    "/sparql",
    "/api/reports",
    "/api/ask",
    "/api/conversations",
    "/api/conversations/{}/ask",
    "/api/conversations/{}/undo",
    "/api/reports/{}",
    "/api/reports/r1/parts/{}",
    "/api/reports/r1/facts/{}",
    "/api/reports/r1/facts?first={}&most={}",
    "/api/reports/r1/search?words={}",
    "/api/runs/{}/turns",
    "/{}",
    "//evil.example/{}",
    "/page.js/../../{}",
    "/api/openapi.json",
)
BODIES = (
    b"",
    b"{",
    b"[" * 30000,
    b'{"question": NaN}',
    b'{"question": "\\ud800", "reports": ["r1"]}',
    b'{"question": "a", "reports": ["\\u0000"]}',
    b'{"question": 1e999, "reports": "r1"}',
    b'{"question": "what?", "reports": ["r1"], "log": "/etc/passwd"}',
    b'{"reports": ["/etc/passwd"]}',
    b'{"question": "what was it in /etc/passwd?", "reports": ["r1"]}',
    b"\xff\xfe\x00",
    b"x" * 70_000,
)


def hostile(chance: random.Random) -> dict[str, object]:
    """One request as somebody may send it who means no good: any mixture of what is wrong."""
    from urllib.parse import quote

    target, headers = chance.choice(PATHS), hostile_headers(chance)
    while "{}" in target:
        target = target.replace("{}", quote(chance.choice(WORDS), safe="", errors="surrogatepass"), 1)
    method = chance.choice(("GET", "POST", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW"))
    request: dict[str, object] = {"method": method, "url": target, "headers": headers}
    if target != "/sparql" or chance.random() >= 0.9:
        request["content"] = chance.choice(BODIES)
        kinds = ("application/json", "text/plain", "multipart/form-data", "é".encode().decode("latin-1"))
        headers["Content-Type"] = chance.choice(kinds)
        return request
    query = chance.choice(QUERIES)
    if method == "GET":
        request["url"] = f"/sparql?query={quote(query[:6000])}"
    else:
        kind = chance.choice(("application/sparql-query", "application/x-www-form-urlencoded", "text/html"))
        headers["Content-Type"] = kind
        request["content"] = (f"query={quote(query)}" if "form" in kind else query).encode()
    return request


def hostile_headers(chance: random.Random) -> dict[str, str]:
    """The headers of such a request, mostly with the token."""
    headers = {}
    if chance.random() < 0.7:
        headers["Authorization"] = f"Bearer {TOKEN}"
    elif chance.random() < 0.5:
        headers["Cookie"] = chance.choice((f"tieout-{PORT}=x", "=;;", 'a="\\', f"tieout-{PORT}={TOKEN}x"))
    if chance.random() < 0.1:
        headers["Host"] = chance.choice(("evil.example", "localhost:99999999999", "[", "127.0.0.1:8737:1"))
    if chance.random() < 0.1:
        headers["Origin"] = chance.choice(("null", "http://evil.example", "http://["))
    if chance.random() < 0.2:
        headers["Accept"] = chance.choice(("text/turtle", "a/b;q=x", "text/event-stream", "*/*;q=0", ","))
    return headers


def test_a_thousand_hostile_requests_neither_crash_it_nor_show_a_file(library):
    chance = random.Random(15)
    served = make_app(Serving(library=library, token=TOKEN, port=PORT, read_only=True))
    counted: Counter[int] = Counter()

    async def send_all() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(served), base_url=BASE) as client:
            for _ in range(1000):
                request = hostile(chance)
                headers = {name: value.encode("latin-1", "replace") for name, value in request.pop("headers").items()}
                reply = await client.request(**request, headers=headers)
                counted[reply.status_code] += 1
                assert reply.status_code < 500 or "query" in reply.text, (request, reply.text)
                assert "root:" not in reply.text and "Traceback" not in reply.text
                assert str(Path.cwd()) not in reply.text and TOKEN not in reply.text

    with TestClient(served, base_url=BASE) as client:
        asyncio.run(send_all())
        assert client.get("/api/reports", headers=KEY).status_code == 200
    assert {200, 400, 401, 403, 404, 405, 413, 421, 422} <= counted.keys(), counted
    assert counted[200] < 300


def test_a_body_of_any_length_is_cut_off_though_its_length_is_not_said(client):
    def pieces():
        for _ in range(20):
            yield b"x" * 8192

    assert client.post("/api/ask", content=pieces()).status_code == 413


def test_twenty_ask_at_once_and_each_gets_its_answer(client):
    from concurrent.futures import ThreadPoolExecutor

    asked = {"reports": [PAGE], "question": "what was the operating income in 2013?"}
    with ThreadPoolExecutor(20) as pool:
        replies = list(pool.map(lambda _: client.post("/api/ask", json=asked), range(20)))
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.json()["answer"] for reply in replies}) == 1


def test_a_random_word_is_never_a_token(client):
    chance = random.Random(1)
    for _ in range(50):
        word = "".join(chance.choices(string.printable.strip(), k=len(TOKEN)))
        assert client.get("/api/reports", headers={"Authorization": f"Bearer {word}"}).status_code == 401


def test_a_body_that_is_not_said_to_be_json_is_refused_with_the_header_it_needs(client):
    body = json.dumps({"reports": [page(client)], "question": "what was operating income in 2013?"})
    for kind in ({}, {"Content-Type": "application/x-www-form-urlencoded"}):
        told = client.post("/api/ask", content=body, headers=kind)
        assert told.status_code == 422 and "send the header Content-Type: application/json" in told.json()["error"]
    assert client.post("/api/ask", content=body, headers={"Content-Type": "application/json"}).status_code == 200
