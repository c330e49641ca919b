"""Reports as tools for other people's agents, by the Model Context Protocol (the official SDK).

Every figure has one name over all reports (`t8r12c1`, of several reports `ko24:t8r12c1`), every result of `calculate`
another (`step_1`): both are operands of the next call. A reply stays below 8 kB, and says how to ask for the rest.
"""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError as SaidError
from pydantic import Field

from tieout.agent.question.read import read_question
from tieout.agent.tools.toolbox import Tools
from tieout.agent.tools.values import Values
from tieout.agent.view.about import to_be_said
from tieout.agent.view.reports import FACT, Reports
from tieout.data.console import json_text
from tieout.data.system import version
from tieout.kg.fact import Fact
from tieout.kg.figure import printed_at
from tieout.kg.reports.opened import OpenReport
from tieout.kg.show import reading
from tieout.printed import printed_part
from tieout.serve.agents_asking import AskingError, Conversations, told
from tieout.serve.agents_companies import add_companies
from tieout.serve.agents_replies import CALCULATES, MOST, READS, First, Words, fitting, page, said

LINES = 40
LONGEST = 1000  # characters of an answer of which not all is shown
Report = Annotated[
    str,
    Field(description="Name of a report, as list_reports gives it; empty for the only one, or all.", max_length=400),
]
INSTRUCTIONS = (
    "Figures of financial reports, each with the cell or sentence it is printed in. Calculate with `calculate`, not "
    "yourself, and cite figures by their names (t12r5c2): a person can follow each to its place. Below a probability "
    "of 0.6 an answer is one reading among others: say so."
)


def make_server(reports: Reports, conversations: Conversations) -> MCPServer[Any]:
    """The server over reports."""
    server: MCPServer[Any] = MCPServer("tieout", instructions=INSTRUCTIONS, version=version.OWN, log_level="WARNING")
    _finding(server, reports)
    _reading(server, reports)
    _citing(server, reports)
    add_companies(server, reports)
    _calculating(server, reports, conversations)
    _asking(server, conversations)
    return server


def within(reports: Reports, report: str) -> list[OpenReport]:
    """The reports that a name means: its alias or id; all where it is empty. Raises AskingError."""
    if not report:
        return list(reports.open.values())
    found = [each for alias, each in reports.open.items() if report in (alias, each.entry.id)]
    if not found:
        named = ", ".join(each.alias or each.entry.id for each in list(reports.open.values())[:20])
        raise AskingError(f"there is no report {report[:60]!r}; there are: {named}")
    return found


def name_of(report: OpenReport) -> str:
    """What a report is called by agents."""
    return report.alias or report.entry.id


def figure(fact: Fact) -> dict[str, Any]:
    """What is told of a figure: unknown is None."""
    return {
        "figure": fact.name,
        "label": fact.label,
        "raw": fact.raw,
        "value": f"{fact.value:f}",
        "unit": fact.unit,
        "scale": fact.scale if fact.scale_known else None,
        "period": fact.period.label if fact.period else None,
    }


def _finding(server: MCPServer[Any], reports: Reports) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def list_reports(words: Annotated[str, Field(max_length=200)] = "", first: First = 0) -> str:
        """List the reports, with company, form and the end of the period; words: of name or company."""
        wanted = words.lower().split()
        found = [
            {
                "report": name_of(each),
                "id": each.entry.id,
                "company": each.entry.company,
                "form": each.entry.form,
                "ended": each.entry.ended.isoformat() if each.entry.ended else None,
                "figures": each.entry.facts,
            }
            for each in reports.open.values()
        ]
        kept = [each for each in found if all(word in f"{each['id']} {each['company']}".lower() for word in wanted)]
        return page("reports", kept, first)

    @server.tool(annotations=READS, structured_output=False)
    def search(words: Words, report: Report = "", first: First = 0) -> str:
        """Find lines of tables and sentences by words. `read_table` shows a table, `look_up` the figures of lines."""
        inside = said(lambda: within(reports, report))
        by_id = {each.entry.id: each for each in inside}
        index = inside[0].index
        lines = [
            {
                "line": by_id[hit.report].name(f"t{hit.table}r{hit.row}"),
                "label": hit.label,
                "table": by_id[hit.report].name(f"t{hit.table}"),
                "title": by_id[hit.report].tables[hit.table].title[:100],
            }
            for hit in index.find_lines(words.split()[:12], list(by_id), LINES)
        ]
        ranked = index.find_sentences(words.split()[:12], list(by_id), LINES)
        sentences = [
            {"sentence": by_id[hit.report].name(f"s{hit.number}"), "text": " ".join(hit.text.split())[:600]}
            for hit in to_be_said(index, read_question(words), list(by_id), (), ranked)[: LINES // 2]
        ]
        return page("found", [*lines[:20], *sentences, *lines[20:]], first)

    @server.tool(annotations=READS, structured_output=False)
    def look_up(
        label: Words,
        report: Report = "",
        period: Annotated[str, Field(description="A year or a day, such as 2024.", max_length=40)] = "",
        first: First = 0,
    ) -> str:
        """Look figures up by what they measure, each with name, value, unit, scale and period, the nearest first."""
        inside = said(lambda: within(reports, report))
        by_id = {each.entry.id: each for each in inside}
        facts: list[Fact] = []
        hits = inside[0].index.find_lines(label.split()[:12], list(by_id), LINES)
        for hit in sorted(hits, key=lambda each: each.label.casefold() != label.casefold()):
            of = by_id[hit.report]
            found = [each for each in of.index.figures(hit.report, hit.table, (hit.row,)) if each.column]
            facts += [each.changed(name=of.name(each.name)) for each in found if _is_of(each, period)]
        if not facts:
            raise SaidError(f"no figure goes with {label!r}{f' in {period!r}' if period else ''}: try `search`")
        return page("figures", [figure(each) for each in facts], first)


def _is_of(fact: Fact, period: str) -> bool:
    of = fact.period
    return not period or (of is not None and period in (of.label, of.key, str(of.year)))


def _printed(of: OpenReport, number: int, first: int, reports: Reports) -> str:
    """A table as it is printed."""
    (printed,) = said(lambda: printed_part(of.name(f"t{number}"), (), reports))
    rows = [{"row": at, "cells": list(row)} for at, row in enumerate(printed.rows)]
    about = {"table": of.name(f"t{number}"), "title": of.tables[number].title or printed.title}
    names = "a figure is called by table, row and column, both from 0: " + of.name(f"t{number}r1c1")
    return page("rows", rows, first, report=name_of(of), **about, names=names)


def _reading(server: MCPServer[Any], reports: Reports) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def read_table(
        table: Annotated[str, Field(description="Its name: t12, or ko24:t12 of several reports.", max_length=60)],
        first: First = 0,
    ) -> str:
        """Show a table as it is printed, row by row, with the way in which its figures are called."""
        alias, _, local = table.rpartition(":")
        of = reports.open.get(alias)
        if of is None or local[:1] != "t" or not local[1:].isdecimal() or int(local[1:]) not in of.tables:
            raise SaidError(f"there is no table {table!r}: `list_tables` and `search` give their names")
        return _printed(of, int(local[1:]), first, reports)

    @server.tool(annotations=READS, structured_output=False)
    def list_tables(report: Report = "", words: Annotated[str, Field(max_length=200)] = "", first: First = 0) -> str:
        """List the tables of reports, with title, heading and, where one is known to be, the statement it is."""
        wanted = words.lower().split()
        found = [
            {"table": of.name(f"t{number}"), "title": each.title, "heading": each.heading, "statement": each.statement}
            for of in said(lambda: within(reports, report))
            for number, each in of.tables.items()
            if all(word in f"{each.title} {each.heading} {each.statement}".lower() for word in wanted)
        ]
        return page("tables", found, first)

    @server.tool(annotations=READS, structured_output=False)
    def statement(
        kind: Annotated[str, Field(description="income, balance, cash flow, equity or comprehensive.", max_length=40)],
        report: Report = "",
        first: First = 0,
    ) -> str:
        """Show a financial statement of one report as it is printed."""
        inside = said(lambda: within(reports, report))
        if len(inside) > 1:
            raise SaidError("say of which report; `list_reports` gives their names")
        (of,) = inside
        there = {number: each for number, each in of.tables.items() if each.statement == kind}
        if not there:
            known = sorted({each.statement for each in of.tables.values() if each.statement})
            raise SaidError(f"{name_of(of)} has no statement {kind!r}; it has: {', '.join(known) or 'none'}")
        return _printed(of, max(there, key=lambda number: (there[number].certainty, -number)), first, reports)


def _citing(server: MCPServer[Any], reports: Reports) -> None:
    @server.tool(annotations=READS, structured_output=False)
    def cite(
        name: Annotated[str, Field(description="Of a figure or a sentence: t12r5c2, s340.", max_length=60)],
    ) -> str:
        """Say of a figure where it is printed and what was understood of it; of a sentence what it says."""
        if not FACT.fullmatch(name):
            text = reports.sentence(name)
            if text is None:
                raise SaidError(f"there is nothing called {name!r}")
            return json_text({"sentence": name, "text": text[: MOST // 2]})
        fact = reports.fetch(name)
        if fact is None:
            raise SaidError(f"there is no figure {name!r}: `look_up` and `read_table` give their names")
        where = {"report": name_of(reports.of(name)), "place": printed_at(fact), "heading": fact.heading}
        more = {"header": fact.header, "sentence": fact.context[:1000] if fact.table is None else None}
        return json_text({**figure(fact), "reading": reading(fact), **where, **more})


def _calculating(server: MCPServer[Any], reports: Reports, conversations: Conversations) -> None:
    @server.tool(annotations=CALCULATES, structured_output=False)
    def calculate(
        operation: Annotated[
            str, Field(description="add, subtract, divide, percentage_change, sum, average, ...", max_length=40)
        ],
        values: Annotated[
            list[str],
            Field(
                description="Names of figures and of earlier results (step_1), in order, or constants.", max_length=64
            ),
        ],
        name: Annotated[
            str | None, Field(description="For the result, else step_1, step_2, ...", max_length=40)
        ] = None,
    ) -> str:
        """Calculate exactly; percentages enter as decimals, scales are brought to one. The result has a name."""

        def made() -> dict[str, Any]:
            facts, ledger = reports.facts, conversations.ledger()
            tools = Tools(Values(ledger, facts, [" ".join(values)], [], strict=False, reader=reports))
            return {
                **tools.calculate(operation, values, name),
                "from": [figure(fact) for each in values if (fact := reports.fetch(each)) is not None][:12],
            }

        return json_text(said(made))


def _asking(server: MCPServer[Any], conversations: Conversations) -> None:
    @server.tool(annotations=CALCULATES, structured_output=False)
    def ask(
        question: Annotated[str, Field(description="In plain words.", min_length=1, max_length=4000)],
        report: Report = "",
        conversation: Annotated[str, Field(description="To ask on: as the last answer named it.", max_length=64)] = "",
    ) -> str:
        """Ask a question: the answer, how sure it is, what is odd, and the printed figures it rests on."""
        key, turn = said(lambda: conversations.ask(question, report, conversation))
        found = told(turn)
        items = found.get("items", ())
        if len(shown := fitting(items, MOST // 2)) < len(items):
            left = (
                f"{len(items) - len(shown)} more: company_statement and compare_companies give them, a page at a time"
            )
            found |= {"items": shown, "answer": f"{found['answer'][:LONGEST]}…", "left": left}
        return page("figures", found.pop("figures"), conversation=key, **found)

    @server.tool(annotations=CALCULATES, structured_output=False)
    def compare(
        measure: Words,
        periods: Annotated[list[str], Field(description="Such as 2023, 2024.", min_length=1, max_length=8)],
        reports: Annotated[list[str], Field(description="Names of reports; none for all.", max_length=50)] = [],  # noqa: B006
        first: First = 0,
    ) -> str:
        """Compare a measure over reports and periods: a row for each, with the figure, how sure it is, what is odd."""
        return page("rows", said(lambda: conversations.compare(measure, periods, reports)), first, measure=measure)
