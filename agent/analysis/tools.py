"""The tools over data, offered where there is data: query_sql, run_script, plot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from tieout.agent.analysis.workbench import Workbench, shape
from tieout.agent.ledger.ledger import Entry
from tieout.agent.protocol.tool import Tool, ToolError, as_tool_errors, declare
from tieout.agent.tools.toolbox import NAME, Text, Tools, described
from tieout.data.datasets.frames import FrameError
from tieout.data.datasets.plot import draw
from tieout.data.files import WriteError

PROMPT = Path(__file__).with_name("prompt.md")
FrameName = Annotated[str, Field(pattern=NAME, description="A name for the result, for later calls and turns.")]
Code = Annotated[str, Field(min_length=1, max_length=20_000)]


def bench(tools: Tools) -> Workbench:
    """The workbench that calls work on. Raises ToolError where there is no data."""
    if not isinstance(tools.values.frames, Workbench):
        raise ToolError("there is no data beside the report")
    return tools.values.frames


def query_sql(
    tools: Tools,
    select: Annotated[Code, Field(description="One SELECT in DuckDB's SQL over the tables and earlier frames.")],
    name: FrameName,
    columns: Annotated[list[Text], Field(max_length=200, description="Names for its columns, in order.")] = [],  # noqa: B006
) -> dict[str, Any]:
    """Query the data. The rows stay here as a named frame; you are told its shape, types and gaps."""
    desk = bench(tools)
    desk.check_tries()
    try:
        _check_name(tools, name)
        return shape(desk.query(select, columns, name), desk.show_rows)
    except ToolError as error:
        raise desk.failed(error) from error


def run_script(
    tools: Tools,
    code: Annotated[Code, Field(description="Python; its last expression is the result.")],
    name: FrameName,
    frames: Annotated[list[Text], Field(max_length=20, description="The frames it works on.")] = [],  # noqa: B006
) -> dict[str, Any]:
    """Run Python over frames, each a dict of columns under its name: gdp["date"]. No imports are needed or allowed but
    math and datetime; functions for series are at hand. The result is a number, date, text, list, or a dict of these:
    single values are named `name_key`, lists become frames."""
    desk = bench(tools)
    desk.check_tries()
    try:
        _check_name(tools, name)
        entries, made = desk.script(code, frames, name, tools.ledger)
    except ToolError as error:
        raise desk.failed(error) from error
    return {"values": [_told(entry) for entry in entries], "frames": [shape(frame, desk.show_rows) for frame in made]}


def plot(
    tools: Tools,
    frame: Annotated[Text, Field(description="The frame to draw.")],
    x: Annotated[Text, Field(description="Its column along the bottom, dates as a rule.")],
    y: Annotated[list[Text], Field(min_length=1, max_length=8, description="Its columns to draw.")],
    kind: Annotated[Literal["line", "bar", "scatter"], Field(description="How.")] = "line",
    title: Annotated[Text, Field(description="Above the picture.")] = "",
) -> dict[str, Any]:
    """Draw columns of a frame for the user. Does not answer the question by itself."""
    desk = bench(tools)
    with as_tool_errors(FrameError, WriteError):
        drawn = draw(desk.frame(frame), x, y, kind, title, desk.plots)
    return {"plots": [str(path) for path in drawn]}


def _told(entry: Entry) -> dict[str, Any]:
    told = described(entry)
    return {key: told[key] for key in ("name", "value")}


def _check_name(tools: Tools, name: str) -> None:
    tools.values.free(name)
    if name in tools.ledger:
        raise ToolError(f"the name {name!r} is taken: entries never change, choose another name")


DATA_TOOLS: tuple[Tool, ...] = (declare(query_sql), declare(run_script), declare(plot))


def offered(desk: Workbench) -> tuple[Tool, ...]:
    """The tools over data that a conversation has."""
    return tuple(tool for tool in DATA_TOOLS if desk.scripting or tool.name == "query_sql")


def instructions() -> str:
    """What a model is told about data, behind what it is told of reports."""
    return PROMPT.read_text(encoding="utf-8").strip()
