"""The companies of open reports: who is named, which filings a question is about, what filings state by fiscal year."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tieout.agent.question.question import Question
from tieout.data.printed.harmless import harmless
from tieout.kg.companies.compare import QUARTERS, Line, compare
from tieout.kg.companies.evaluate import LTM
from tieout.kg.companies.library import Library
from tieout.kg.companies.times import Time, times_in
from tieout.kg.companies.years import Years, of_years
from tieout.kg.filings.company import UNKNOWN, Company
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.observation import Observation, Source
from tieout.kg.index.words import Index
from tieout.kg.reports.outline import company_line, plain_name

MOST_NAMES = 6  # of a company in the outline
YEARS, YEARS_OF_MANY, MANY = 3, 2, 6  # fiscal years shown where a question names none; companies from which it is fewer
LONGEST_NAME = 60
AT_ONCE = 50  # companies that are read at a time
PERIODS = ("FY", *QUARTERS, "H1", "H2", "9M", LTM)
ANNUAL = ("10-K", "20-F", "40-F", "EARNINGS RELEASE")  # forms of a whole year, where it is one
_FORM = re.compile(r"\b(?:10|20|8|6|40)-?[kqf]\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a view. facts: names of the figures in it."""

    text: str
    facts: tuple[str, ...]


class Across:
    """The companies of a conversation. aliases: of its reports, by id."""

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
        """The name of the figure that a filing states, as the conversation has it."""
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

    def reports_for(self, question: Question) -> list[str]:
        """The reports that a question is about, the best first: of the companies that it names, else of all, the filing
        that is of the time it names, else the newest of a whole year."""
        companies = self.library.named(question.text)
        chosen = companies or self.library.companies
        is_one = bool(companies) or len(chosen) == 1
        of_each = times_in(question.text) if len(chosen) == 1 else ()
        fits = [_fits(question, time) for time in of_each] if len(of_each) > 1 else [_fits(question)]
        found = (each.report for company in chosen for fit in fits for each in _best_filings(company, fit, is_one))
        return list(dict.fromkeys(found))

    def shown_lines(self, question: Question) -> Iterator[ShownLine]:
        """What filings state of the measures of a question, of the companies that it names, else of all."""
        companies, years = self.library.named(question.text) or self.library.companies, _asked_years(question)
        for at, company in enumerate(companies):
            if at % AT_ONCE == 0:  # who asks stops where there is no more room
                self.library.need(question.items, companies[at : at + AT_ONCE], years)
            for item in question.items:
                found = self.library.observations(company, item, years)
                stated = _of_asked_time(found, question, len(companies), is_of_years=years is not None)
                if stated:
                    yield self._stated_line(company, item, stated)

    def _stated_line(self, company: Company, item: str, stated: Sequence[Observation]) -> ShownLine:
        """`Acme Inc., revenue: FY 2024 3,282 [acme24:t5r2c1]; FY 2023 3,029 [acme24:t5r2c2] (USD x1,000,000)`."""
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


def _best_filings(company: Company, fit: Callable[[Filing], float], is_named: bool) -> Iterable[Filing]:
    """The filings of a company that fit a question best, those that fit as well beside them.

    is_named: the question names the company; else one filing of each is enough.
    """
    scored = [(fit(filing), filing) for filing in company.filings]
    best = max(score for score, _ in scored)
    fits = [filing for score, filing in scored if score == best]
    return fits if is_named else fits[:1]


def _fits(question: Question, time: Time | None = None) -> Callable[[Filing], float]:
    """Tells how well a filing fits what a question says of the time and the form. time: the one of its times."""
    said = {each.replace("-", "").lower() for each in _FORM.findall(question.text)}
    last = max(question.years, default=None) if time is None else time.year
    quarters = {f"Q{number}" for number in question.when.quarters} if time is None else {time.period} - {"FY"}
    is_part = question.part_of_year if time is None else time.period != "FY" or time.day is not None

    def fit(filing: Filing) -> float:
        score = 0.0
        if said:
            score += 4 if filing.form.replace("-", "").lower().split("/")[0] in said else 0
        if last is not None and filing.fiscal_year is not None:
            ahead = filing.fiscal_year - last
            score += 3 if ahead == 0 else 1 if ahead in (1, 2) else 0
        if quarters:
            score += 2 if filing.fiscal_period in quarters else 0
        elif not is_part:
            score += 1.5 if filing.fiscal_period == "FY" and filing.form.upper().startswith(ANNUAL) else 0
        return score

    return fit


def _asked_years(question: Question) -> frozenset[int] | None:
    """The years that a question names, with the year before for what changes; None where any may be asked for."""
    years = question.when.expanded
    if not years or ("since" in question.cues and len(set(years)) == 1):
        return None
    return frozenset(year - back for year in years for back in (0, 1))


def _of_asked_time(
    found: Sequence[Observation], question: Question, companies: int, *, is_of_years: bool
) -> list[Observation]:
    """Those of the parts of years that a question names. is_of_years: they are already of the years that it names."""
    quarters = {f"Q{number}" for number in question.when.quarters}
    closing = quarters or ({"Q1", "Q2", "Q3", "Q4", "H1", "9M"} if question.part_of_year else {"FY"})
    inside = [each for each in found if each.fiscal_period in closing]
    if is_of_years:
        return inside
    if since := question.when.expanded:
        return [each for each in inside if each.fiscal_year >= min(since)]
    count = max(question.when.last, YEARS if companies < MANY else YEARS_OF_MANY)
    wanted = sorted({each.fiscal_year for each in inside})[-count:]
    return [each for each in inside if each.fiscal_year in wanted]
