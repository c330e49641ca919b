"""Reports as an agent gets at them: the SDK's own client over stdio and over streamable HTTP."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import os
import socket
import sys
import threading
from importlib.util import find_spec

import pytest
from click.testing import CliRunner
from conftest import ROOT, SAMPLE

import tieout
from tieout.ontology.model import default_ontology

if not find_spec("mcp"):
    pytest.skip("NO MCP: the tools for agents were not tested; pip install 'tieout[mcp]'", allow_module_level=True)
from tieout.serve.asking.conversations import Conversations
from tieout.serve.asking.desk import Plan
from tieout.serve.library import Library

PAGE = "Single_NORVALE/2013/page_35.pdf-1"
COMMAND = [sys.executable, "-m", "tieout", "mcp", str(SAMPLE / "ask.json")]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


def text(reply) -> dict:
    assert not reply.is_error, reply.content
    return json.loads(reply.content[0].text)


async def use(client) -> None:
    assert {tool.name for tool in (await client.list_tools()).tools} == {
        *("list_reports", "search", "look_up", "calculate", "ask", "cite"),
    }
    reports = text(await client.call_tool("list_reports", {}))["reports"]
    key = next(each["key"] for each in reports if each["id"] == PAGE)
    lines = text(await client.call_tool("search", {"report": key, "words": "operating income"}))["lines"]
    assert lines[0]["text"] == "operating income"
    figures = text(await client.call_tool("look_up", {"report": key, "label": "operating income"}))["figures"]
    new, old = (next(each for each in figures if each["raw"] == raw)["figure"] for raw in ("559.5", "631.3"))
    given = {"report": PAGE, "operation": "subtract", "values": [new, old]}
    made = text(await client.call_tool("calculate", given))
    assert made["value"] == "-71.8" and [each["figure"] for each in made["figures"]] == [new, old]
    cited = text(await client.call_tool("cite", {"report": key, "figure": new}))
    assert cited["raw"] == "559.5" and cited["at"]["table"] == 1 and "SELECT" in cited["sparql"]
    table = await client.read_resource(f"table://{key}/1")
    rows = list(csv.reader(io.StringIO(table.contents[0].text)))
    assert rows[cited["at"]["row"]][cited["at"]["column"]] == "559.5"
    outline = json.loads((await client.read_resource(f"outline://{key}")).contents[0].text)
    assert outline["tables"][0]["number"] == 1
    answer = text(await client.call_tool("ask", {"report": key, "question": "what was the operating income in 2013?"}))
    assert answer["answer"] == "$559.5 million" and answer["places"][0]["fact"] == new
    on = {"report": key, "question": "and in 2012?", "conversation": answer["conversation"]}
    assert text(await client.call_tool("ask", on))["answer"] == "$631.3 million"
    for tool, arguments in (
        ("search", {"report": "/etc/passwd", "words": "root"}),
        ("cite", {"report": key, "figure": "t9r9c9"}),
        ("calculate", {"report": key, "operation": "divide", "values": [new, "0"]}),
        ("ask", {"report": key, "question": " "}),
    ):
        refused = await client.call_tool(tool, arguments)
        assert refused.is_error and "Traceback" not in refused.content[0].text


def test_an_agent_uses_every_tool_over_stdio():
    import mcp

    async def talk() -> None:
        server = mcp.StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=ENVIRONMENT)
        async with mcp.Client(server) as client:
            await use(client)

    asyncio.run(talk())


def test_an_agent_uses_every_tool_over_http():
    import mcp
    import uvicorn

    from tieout.serve.agents import make_server

    with Library(default_ontology(None)[0]) as library, socket.create_server(("127.0.0.1", 0)) as listening:
        library.add(SAMPLE / "ask.json")[1].result()
        app = make_server(library, Conversations(library, Plan())).streamable_http_app()
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()

        async def talk() -> None:
            async with mcp.Client(f"http://127.0.0.1:{listening.getsockname()[1]}/mcp") as client:
                await use(client)

        try:
            asyncio.run(talk())
        finally:
            server.should_exit = True
            thread.join()


def test_the_command_serves_http_on_loopback_alone(monkeypatch):
    from mcp.server import MCPServer

    asked: list[object] = []
    monkeypatch.setattr(MCPServer, "run", lambda server, *way, **more: asked.append((way, more)))
    done = CliRunner().invoke(tieout.main, ["mcp", str(SAMPLE / "ask.json"), "--http", "8123"], catch_exceptions=False)
    ((way, more),) = asked
    assert done.exit_code == 0 and way == ("streamable-http",) and (more["host"], more["port"]) == ("127.0.0.1", 8123)
