"""Reports as tools and resources for other people's agents, by the Model Context Protocol (the official SDK)."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError as SaidError
from pydantic import Field

from tieout.agent.answers.result import result
from tieout.agent.ledger.ledger import Ledger
from tieout.agent.log.log import LogError
from tieout.agent.protocol.tool import ToolError
from tieout.agent.session import QuestionError
from tieout.agent.tools.toolbox import Tools
from tieout.agent.tools.values import Values
from tieout.agent.view.reports import Reports
from tieout.data.console import json_text
from tieout.kg.show import reading
from tieout.serve.asking.conversations import ConversationError, Conversations
from tieout.serve.library import Held, Library, LibraryError
from tieout.serve.source import fact, found, outline, place

MOST_FIGURES = 40
T = TypeVar("T")
SAID = (ConversationError, LibraryError, LogError, QuestionError, ToolError)
Report = Annotated[str, Field(description="Key (r1) or id of a report, as list_reports gives them.", max_length=400)]
Words = Annotated[str, Field(description="A few words.", min_length=1, max_length=400)]
INSTRUCTIONS = (
    "Figures of financial reports, each with the cell or sentence it is printed in. Calculate with `calculate`, not "
    "yourself, and cite figures by their names (t12r5c2): a person can follow each to its place."
)


def make_server(library: Library, conversations: Conversations) -> MCPServer[Any]:
    """The server over the reports that are open."""
    server: MCPServer[Any] = MCPServer("tieout", instructions=INSTRUCTIONS)
    _finding(server, library)
    _answering(server, library, conversations)
    _resources(server, library)
    return server


def _held(library: Library, report: str) -> Held:
    return _said(lambda: library.find([report])[0])


def _said(work: Callable[[], T]) -> T:
    """What work gives; what is wrong with the request goes back to the agent in words."""
    try:
        return work()
    except SAID as error:
        detail = getattr(error, "detail", None)
        raise SaidError(json_text({"error": str(error), **detail}) if detail else str(error)) from error


def _finding(server: MCPServer[Any], library: Library) -> None:
    @server.tool()
    def list_reports() -> dict[str, Any]:
        """List the reports that are open, with company, form and the end of the period."""
        return {
            "reports": [
                {
                    "key": held.key,
                    "id": held.id,
                    "company": held.read.company,
                    "form": held.read.form,
                    "ended": held.read.ended.isoformat() if held.read.ended else None,
                    "figures": len(held.facts),
                }
                for held in library.ready()
            ]
        }

    @server.tool()
    def search(report: Report, words: Words) -> dict[str, Any]:
        """Find lines of tables and sentences of a report by words. Resources hold the tables: table://r1/12."""
        held = _held(library, report)
        return _plain({"report": held.key, **found(held, words.split()[:12], library)})

    @server.tool()
    def look_up(
        report: Report,
        label: Words,
        period: Annotated[str, Field(description="A year or a day, such as 2024.", max_length=40)] = "",
    ) -> dict[str, Any]:
        """Look figures up by what they measure, each with value, unit, scale, period and place."""
        held = _held(library, report)
        wanted = {(hit.table, hit.row) for hit in library.index.find_lines(label.split(), [held.id], 30)}
        facts = [each for each in held.facts.values() if (each.table, each.row) in wanted]
        if period:
            facts = [
                each
                for each in facts
                if each.period and period in (each.period.label, each.period.key, str(each.period.year))
            ]
        if not facts:
            raise SaidError(f"no figure of {held.id!r} goes with {label!r}{f' in {period!r}' if period else ''}")
        order = {
            row: at
            for at, row in enumerate((h.table, h.row) for h in library.index.find_lines(label.split(), [held.id], 30))
        }
        facts.sort(key=lambda each: (order[each.table or 0, each.row or 0], each.column or 0))
        return _plain({"count": len(facts), "figures": [_figure(held, each.name) for each in facts[:MOST_FIGURES]]})

    @server.tool()
    def cite(
        report: Report, figure: Annotated[str, Field(description="Its name: t12r5c2.", max_length=60)]
    ) -> dict[str, Any]:
        """Say of a figure where it is printed, what was understood of it, and how to ask for it in SPARQL."""
        held = _held(library, report)
        if figure not in held.facts:
            raise SaidError(f"there is no figure {figure!r} in {held.id!r}")
        return _plain(fact(held, figure, ()))


def _figure(held: Held, name: str) -> dict[str, Any]:
    found = held.facts[name]
    return {
        "figure": name,
        "label": found.label,
        "raw": found.raw,
        "value": f"{found.value:f}",
        "unit": found.unit,
        "scale": found.scale if found.scale_known else None,
        "period": found.period.label if found.period else None,
        "reading": reading(found),
        "at": place(held, found),
    }


def _answering(server: MCPServer[Any], library: Library, conversations: Conversations) -> None:
    @server.tool()
    def calculate(
        report: Report,
        operation: Annotated[
            str, Field(description="add, subtract, divide, percentage_change, sum, average, ...", max_length=40)
        ],
        values: Annotated[
            list[str], Field(description="Names of figures in order, or known constants.", min_length=1, max_length=64)
        ],
    ) -> dict[str, Any]:
        """Calculate exactly with figures of a report; percentages enter as decimals, scales are brought to one."""
        held = _held(library, report)
        graph = _said(lambda: library.session_graph([held]))
        facts = graph.facts if isinstance(graph, Reports) else held.facts
        tools = Tools(Values(Ledger(), facts, [" ".join(values)], [], strict=False, reader=None))
        made = _said(lambda: tools.calculate(operation, values))
        return _plain({**made, "figures": [_figure(held, each) for each in values if each in held.facts]})

    @server.tool()
    def ask(
        report: Report,
        question: Annotated[str, Field(description="In plain words.", min_length=1, max_length=4000)],
        conversation: Annotated[str, Field(description="To ask on: as the last answer named it.", max_length=64)] = "",
    ) -> dict[str, Any]:
        """Ask a question: the answer, how sure it is, what is odd, and the printed figures it rests on."""

        def asked() -> dict[str, Any]:
            talk = conversations.get(conversation) if conversation else conversations.begin([report])
            return {"conversation": talk.key, **result(talk.ask(question))}

        return _plain(_said(asked))


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    """The value as JSON has it: Decimals as numbers."""
    plain: dict[str, Any] = json.loads(json_text(value))
    return plain


def _resources(server: MCPServer[Any], library: Library) -> None:
    @server.resource("outline://{report}", mime_type="application/json")
    def report_outline(report: str) -> str:
        """The parts and tables of a report."""
        return json_text(outline(_held(library, report), library), indent=1)

    @server.resource("table://{report}/{number}", mime_type="text/csv")
    def report_table(report: str, number: str) -> str:
        """A table as printed, in separated values; the names of its figures are t{number}r{row}c{column}."""
        document = _held(library, report).read
        if not number.isdecimal() or not 1 <= int(number) <= len(document.tables):
            raise SaidError(f"{document.id!r} has {len(document.tables)} tables, and none {number[:20]!r}")
        out = io.StringIO(newline="")
        csv.writer(out, lineterminator="\n").writerows(document.tables[int(number) - 1].rows)
        return out.getvalue()
