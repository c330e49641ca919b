"""Companies over all their filings as tools for agents: who is there, a statement over years, measures, screens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from mcp.server import MCPServer
from pydantic import Field

from tieout.agent.view.reports import Reports
from tieout.kg.companies.compare import QUARTERS, Line, compare, screen
from tieout.kg.companies.library import Library
from tieout.kg.companies.output.grid import period_name
from tieout.kg.companies.statement import KINDS, own_statement, standard_statement
from tieout.kg.filings.company import Company
from tieout.kg.filings.observation import Source
from tieout.serve.agents_replies import READS, First, Words, page, said

Year = Annotated[int | None, Field(description="As the company counts its fiscal years.", ge=1900, le=2100)]
Named = Annotated[
    list[str], Field(description="By any name, ticker or CIK; none for all.", max_length=50, default_factory=list)
]


class Filed:
    """The companies of reports, and how figures of theirs are called: as by all other tools."""

    def __init__(self, reports: Reports) -> None:
        self.names = {each.entry.id: each for each in reports.open.values()}
        self.library = Library(next(iter(self.names.values())).index, self.names.keys())

    def figure(self, source: Source) -> str | None:
        """The name of a figure, None where its report is not served."""
        of = self.names.get(source.filing.report)
        return of.name(source.observed.fact) if of else None

    def company(self, company: Company) -> dict[str, Any]:
        """A company with its filings that are served."""
        filings = [
            {"report": self.names[one.report].alias or one.report, "form": one.form, "ended": str(one.ended or "")}
            for one in company.filings
            if one.report in self.names
        ]
        return {
            "company": company.name,
            "ticker": company.ticker or None,
            "identifier": company.key,
            "filings": filings,
        }

    def rows(self, lines: Callable[[], Sequence[Line]], first: int) -> str:
        """A page of lines."""
        return page("rows", [self._row(each) for each in said(lines)], first)

    def _row(self, line: Line) -> dict[str, Any]:
        value = line.value
        older = [{"amount": f"{each.observed.amount:f}", "figure": self.figure(each)} for each in value.restated]
        told = {
            "company": line.company.name,
            "measure": line.measure,
            "period": period_name(line),
            "amount": f"{value.amount:f}",
            "unit": value.unit or None,
            "figures": [self.figure(each) for each in value.sources],
            "probability": value.probability,
        }
        program = value.program if value.derived else ""
        for each in value.sources:
            program = program.replace(f"{each.filing.report}:{each.observed.fact}", self.figure(each) or "?")
        more = {"program": program, "restated": older, "flags": list(value.flags)}
        return told | {name: each for name, each in more.items() if each}


def add_companies(server: MCPServer[Any], reports: Reports) -> None:
    """Adds the tools."""
    filed = Filed(reports)
    _add_known(server, filed)
    _add_measured(server, filed)


def _add_known(server: MCPServer[Any], filed: Filed) -> None:
    library = filed.library

    @server.tool(annotations=READS, structured_output=False)
    def list_companies(words: Annotated[str, Field(max_length=200)] = "", first: First = 0) -> str:
        """List the companies, with their names and filings, the newest first; words: of a name."""
        wanted = words.lower().split()
        found = map(filed.company, library.companies)
        kept = [each for each in found if all(word in f"{each['company']} {each['ticker']}".lower() for word in wanted)]
        return page("companies", kept, first)

    @server.tool(annotations=READS, structured_output=False)
    def company_statement(
        company: Words,
        kind: Annotated[str, Field(description=", ".join(KINDS), pattern=f"^({'|'.join(KINDS)})$")],
        first_year: Year = None,
        last_year: Year = None,
        quarters: bool = False,
        standard: Annotated[bool, Field(description="In standard concepts, not in the company's own lines.")] = False,
        first: First = 0,
    ) -> str:
        """Show one statement of a company over years, from all of its filings; what a newer one restated is marked."""
        make = standard_statement if standard else own_statement
        periods = QUARTERS if quarters else ("FY",)
        years = _years(first_year, last_year)
        return filed.rows(lambda: make(library, library.company(company), kind, years, periods), first)


def _add_measured(server: MCPServer[Any], filed: Filed) -> None:
    library = filed.library

    @server.tool(annotations=READS, structured_output=False)
    def compare_companies(
        measures: Annotated[
            list[str], Field(description="Such as `gross margin`, `net debt / EBITDA`.", min_length=1, max_length=12)
        ],
        companies: Named,
        first_year: Year = None,
        last_year: Year = None,
        quarters: bool = False,
        first: First = 0,
    ) -> str:
        """Compare measures by company and fiscal year: each value with the figures and the program it is from."""
        periods = QUARTERS if quarters else ("FY",)

        def made() -> Sequence[Line]:
            chosen = [library.company(each) for each in companies] or None
            return compare(library, measures, chosen, _years(first_year, last_year), periods)

        return filed.rows(made, first)

    @server.tool(annotations=READS, structured_output=False)
    def screen_companies(
        conditions: Annotated[str, Field(description="gross margin > 40% and revenue growth > 10%", max_length=1000)],
        first_year: Year = None,
        last_year: Year = None,
        first: First = 0,
    ) -> str:
        """Find the companies that fulfil conditions, by default in the newest year of each."""
        return filed.rows(lambda: screen(library, conditions, None, _years(first_year, last_year)), first)


def _years(first: int | None, last: int | None) -> range | None:
    return None if first is None and last is None else range(first or 1900, (last or 2100) + 1)
