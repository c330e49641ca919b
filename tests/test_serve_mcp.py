"""Reports as an agent gets at them: the SDK's own client over stdio and over streamable HTTP, every tool."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from importlib.metadata import version
from importlib.util import find_spec

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE
from hypothesis import given
from hypothesis import strategies as st

import tieout
from tieout.ontology.model import default_ontology

if not find_spec("mcp"):
    pytest.skip("NO MCP: the tools for agents were not tested; pip install 'tieout[mcp]'", allow_module_level=True)
from tieout.agent.backends.choose import make_backend
from tieout.agent.opening import open_reports
from tieout.serve.agents_asking import Conversations

PAGE = "Single_NORVALE/2013/page_35.pdf-1"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
TOOLS = {
    *("list_reports", "list_tables", "search", "look_up", "read_table", "statement", "cite"),
    *("calculate", "ask", "compare"),
    *("list_companies", "company_statement", "compare_companies", "screen_companies"),
}
told: list[int] = []  # bytes of each reply


def text(reply) -> dict:
    assert not reply.is_error, reply.content
    assert len(reply.content) == 1 and reply.structured_content is None  # said once
    told.append(len(reply.content[0].text.encode()))
    return json.loads(reply.content[0].text)


async def use(client, several: bool) -> None:
    """Every tool, as an agent would: from the list of reports to a result that rests on two others."""
    tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == TOOLS and all(tool.annotations.read_only_hint for tool in tools)

    async def call(tool: str, /, **arguments) -> dict:
        return text(await client.call_tool(tool, arguments))

    reports = (await call("list_reports"))["reports"]
    name = next(each["report"] for each in reports if "report" in each["id"])
    assert (len(reports) > 1) == several
    found = (await call("search", words="operating income", report=name))["found"]
    assert any(each.get("label") == "Operating income" for each in found)
    tables = (await call("list_tables", report=name, words="statements of operations"))["tables"]
    shown = await call("read_table", table=tables[0]["table"])
    row = next(each["row"] for each in shown["rows"] if each["cells"][0] == "Operating income")
    new, old = f"{shown['table']}r{row}c1", f"{shown['table']}r{row}c2"
    same = await call("statement", kind="income", report=name)
    assert same["rows"] == shown["rows"]
    figures = (await call("look_up", label="operating income", report=name, period="2024"))["figures"]
    assert figures[0]["figure"] == new and (figures[0]["value"], figures[0]["scale"]) == ("685", 1_000_000)
    cited = await call("cite", name=new)
    assert cited["raw"] == "685" and "row" in cited["place"] and cited["report"] == name
    first = await call("calculate", operation="subtract", values=[new, old])
    assert (first["name"], first["shown"]) == ("step_1", "$40 million") and len(first["from"]) == 2
    second = await call("calculate", operation="divide", values=["step_1", old], name="growth")
    assert second["name"] == "growth" and second["shown"].startswith("6.2")
    assert (await call("calculate", operation="multiply", values=["growth", "100"]))["value"].startswith("6.2")
    answer = await call("ask", question="what was operating income in 2024?", report=name)
    assert answer["answer"] == "$685 million" and [each["figure"] for each in answer["figures"]] == [new]
    on = await call("ask", question="and in 2023?", conversation=answer["conversation"])
    assert on["answer"] == "$645 million"
    compared = await call("compare", measure="operating income", periods=["2023", "2024"], reports=[name])
    assert [each["answer"] for each in compared["rows"]] == ["$645 million", "$685 million"]
    (company,) = (await call("list_companies", words="brightmoor"))["companies"]
    assert [each["report"] for each in company["filings"]] == [name]
    rows = (await call("company_statement", company="Brightmoor", kind="income", first_year=2024))["rows"]
    assert [each["figures"] for each in rows if each["measure"] == "Operating income"] == [[new]]
    (margin,) = (await call("compare_companies", measures=["operating margin"], first_year=2024))["rows"]
    assert margin["figures"][0] == new and margin["program"].startswith("divide(")
    chained = await call("calculate", operation="divide", values=margin["figures"])
    assert chained["value"][:6] == margin["amount"][:6]
    found = (await call("screen_companies", conditions="operating margin > 20%"))["rows"]
    assert [each["company"] for each in found] == ["Brightmoor Instruments, Inc."]
    listed = await call("ask", question="what was operating income in 2024 and in 2023?", report=name)
    assert [each["value"] for each in listed["items"]] == [685, 645] and "left" not in listed
    doubted = await call("ask", question="what was income?", report=name)
    assert doubted["probability"] < 0.6 and len(doubted["readings"]) == 2
    for tool, arguments, why in (
        ("search", {"report": "/etc/passwd", "words": "root"}, "there are:"),
        ("read_table", {"table": "t999"}, "list_tables"),
        ("cite", {"name": "t9r9c99"}, "look_up"),
        ("statement", {"kind": "poem", "report": name}, "it has:"),
        ("calculate", {"operation": "divide", "values": [new, "0"]}, "zero"),
        ("calculate", {"operation": "divide", "values": [new, "step_99"]}, "step_99"),
        ("company_statement", {"company": "Nobody", "kind": "income"}, "no company 'Nobody'"),
        ("compare_companies", {"measures": ["revenu"]}, "did you mean"),
        ("screen_companies", {"conditions": "revenue"}, "gross margin > 40%"),
        ("ask", {"question": " "}, "question"),
        ("ask", {"question": "what?", "conversation": "nothing"}, "ask without one"),
    ):
        refused = await client.call_tool(tool, arguments)
        assert refused.is_error and why in refused.content[0].text and "Traceback" not in refused.content[0].text
    from tieout.serve.agents_replies import MOST  # the SDK below it takes long to import

    assert max(told) <= MOST


@pytest.fixture
def store(tmp_path):
    """A store that keeps the report already."""
    done = CliRunner().invoke(
        tieout.main, ["kg", "build", str(SAMPLE / "report.htm"), "--store", str(tmp_path / "store")]
    )
    assert done.exit_code == 0, done.output
    return tmp_path / "store"


def test_an_agent_uses_every_tool_over_stdio_and_reports_that_are_kept_need_no_file(store):
    import mcp

    async def talk() -> None:
        arguments = ["-m", "tieout", "mcp", "--store", str(store)]
        server = mcp.StdioServerParameters(command=sys.executable, args=arguments, env=ENVIRONMENT)
        async with mcp.Client(server) as client:
            assert client.server_info.version == version("tieout")
            await use(client, several=False)

    asyncio.run(talk())


def test_an_agent_uses_every_tool_over_http_over_several_reports(tmp_path):
    import mcp
    import uvicorn

    from tieout.serve.agents import make_server

    files = [SAMPLE / "report.htm", SAMPLE / "ask.json"]
    ontology, store = default_ontology(None)[0], tmp_path / "store"
    with open_reports(files, ontology, store=store) as reports, socket.create_server(("127.0.0.1", 0)) as listening:
        app = make_server(reports, Conversations(reports, make_backend("offline"))).streamable_http_app()
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()

        async def talk() -> None:
            async with mcp.Client(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp") as client:
                await use(client, several=True)

        try:
            asyncio.run(talk())
        finally:
            server.should_exit = True
            thread.join()


def test_what_is_kept_is_not_read_again(store, monkeypatch):
    monkeypatch.setattr("tieout.agent.opening.read_files", lambda *_: pytest.fail("it was read"))
    ontology = default_ontology(None)[0]
    for paths in ([SAMPLE / "report.htm"], []):
        with open_reports(paths, ontology, store=store) as reports:
            assert [each.entry.id for each in reports.open.values()] == ["report"]


def test_the_command_serves_http_on_loopback_alone(store, monkeypatch):
    import uvicorn

    from tieout.serve.connections import BoundedConnection

    asked: list[tuple[uvicorn.Config, str]] = []

    def run(server, sockets):
        asked.append((server.config, "http://{}:{}/mcp".format(*sockets[0].getsockname())))

    monkeypatch.setattr(uvicorn.Server, "run", run)
    command = ["mcp", "--store", str(store), "--http", "0"]
    done = CliRunner().invoke(tieout.main, command, catch_exceptions=False)
    ((config, address),) = asked
    assert done.exit_code == 0 and done.stdout == f"{address}\n" and address.startswith("http://127.0.0.1:")
    assert config.http is BoundedConnection  # as the page: silent connections give way
    empty = CliRunner().invoke(tieout.main, ["mcp", "--store", str(store / "none")])
    assert empty.exit_code != 0 and "tieout index" in empty.output


def test_a_port_in_use_is_one_line_that_says_the_way_out(store):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for command, option in ((["serve"], "--port"), (["mcp", "--store", str(store)], "--http")):
            done = CliRunner().invoke(tieout.main, [*command, option, str(port)])
            told = f"tieout: port {port} is in use: name another with {option}, or take a free one: {option} 0\n"
            assert done.exit_code == 1 and done.stderr == told


def test_a_file_that_is_not_there_is_not_served(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tieout.serve.start.run", lambda *_, **__: pytest.fail("it was served"))
    done = CliRunner().invoke(tieout.main, ["serve", "nope.htm", "--port", "0"])
    assert done.exit_code == 1 and done.stderr == "tieout: no such file: 'nope.htm'; check the path\n"


@given(st.lists(st.text(max_size=3000), max_size=30), st.integers(0, 40))
def test_a_reply_is_as_long_as_it_may_be_and_says_where_the_rest_begins(items, first):
    from tieout.serve.agents_replies import MOST, page

    value = json.loads(page("items", items, first))
    assert value["items"] == items[first : first + len(value["items"])] and value["count"] == len(items)
    if "next" in value:
        assert value["next"] == first + len(value["items"]) < len(items) and value["items"]
    else:
        assert first + len(value["items"]) >= len(items)
    assert len(page("items", items, first).encode()) <= MOST or len(value["items"]) == 1
