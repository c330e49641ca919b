"""The companies of reports that are open together: by name, with what their filings state."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tieout.data.printed.harmless import harmless
from tieout.kg.companies.compare import QUARTERS, Line, compare
from tieout.kg.companies.evaluate import LTM
from tieout.kg.companies.library import Library
from tieout.kg.companies.years import Years, of_years
from tieout.kg.filings.company import UNKNOWN, Company
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.observation import Observation, Source
from tieout.kg.index.words import Index
from tieout.kg.reports.outline import company_line, plain_name

MOST_NAMES = 6  # of a company in the outline
LONGEST_NAME = 60
PERIODS = ("FY", *QUARTERS, "H1", "H2", "9M", LTM)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a view. facts: names of the figures in it."""

    text: str
    facts: tuple[str, ...]


class OpenCompanies:
    """The companies of reports that are open. aliases: of the reports, by id."""

    def __init__(self, index: Index, aliases: Mapping[str, str]) -> None:
        self.library = Library(index, frozenset(aliases))
        self._aliases = aliases

    def name(self, company: Company) -> str:
        """As its newest filing has it; that of its report where no report says it."""
        return company.name if not company.key.startswith(UNKNOWN) else company.filings[0].report

    def alias(self, report: str) -> str:
        """The alias of a report by its id."""
        return self._aliases[report]

    def fact(self, source: Source) -> str:
        """The name of the figure that a filing states, as it is called beside those of others."""
        alias = self._aliases[source.filing.report]
        return f"{alias}:{source.observed.fact}" if alias else source.observed.fact

    def companies(self, text: str) -> tuple[Company, ...]:
        """Those that a filter means: names with `;` between them, `all` for every one. Raises LibraryError."""
        if text.strip().lower() in ("", "all"):
            return self.library.companies
        found: dict[str, Company] = {}
        for name in filter(None, map(str.strip, text.split(";"))):
            called = ((each, self.name(each)) for each in self.library.companies)
            report = next((each for each, own in called if name in (own, plain_name(own))), None)
            inside = (report,) if report else self.library.named(name) or (self.library.company(name),)
            found |= {company.key: company for company in inside}
        return tuple(found.values())

    def values(
        self, measure: str, companies: Sequence[Company], years: Years, period: str = "FY"
    ) -> tuple[tuple[Line, ...], tuple[Company, ...]]:
        """A measure of companies, year by year, without why figures were restated, and the companies that have none.

        period: one of PERIODS, or `quarters`. Raises MeasureError.
        """
        periods = QUARTERS if period == "quarters" else (period,)
        lines = compare(self.library, [measure], companies, years.named or None, periods, why=False)
        kept = tuple(of_years(lines, years, is_one=len(companies) == 1))
        there = {line.company.key for line in kept}
        return kept, tuple(each for each in companies if each.key not in there)

    def outline(self) -> Iterator[str]:
        """Each company in a line: its names, ticker, and the aliases of its filings with their fiscal periods."""
        for company in self.library.companies:
            ticker = [company.ticker] if company.ticker else []
            told = (f"{self._aliases[each.report]} {_when(each)}".strip() for each in company.filings)
            yield company_line([self.name(company), *ticker, *company.names[1:MOST_NAMES]], told)

    def stated_line(self, company: Company, item: str, stated: Sequence[Observation]) -> ShownLine:
        """What filings state of a line item, the newest first.

        `Acme Inc., revenue: FY 2024 3,282 [acme24:t5r2c1]; FY 2023 3,029 [acme24:t5r2c2] (USD x1,000,000)`.
        """
        told, facts = [], []
        for each in reversed(stated):
            name = self.fact(each.sources[0])
            before = [f"{old.observed.value:,f} [{self.fact(old)}]" for old in each.restated]
            restated = f", restated, before {' and '.join(before)}" if before else ""
            told.append(f"{each.fiscal_period} {each.fiscal_year} {each.stated.value:,f} [{name}]{restated}")
            facts += [name, *(self.fact(old) for old in each.restated)]
        first = stated[-1].stated
        unit = f" ({first.unit}{f' x{first.scale:,}' if first.scale != 1 else ''})" if first.unit else ""
        name = harmless(self.name(company))[:LONGEST_NAME]
        return ShownLine(f"{name}, {item.replace('_', ' ')}: {'; '.join(told)}{unit}", tuple(facts))


def _when(filing: Filing) -> str:
    if filing.fiscal_year is None:
        return filing.form
    return f"{filing.form} {filing.fiscal_period} {filing.fiscal_year}".strip()
