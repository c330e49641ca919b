"""The companies of open reports: which filings a question is about, and what these state of its measures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from tieout.agent.question.question import Question
from tieout.kg.companies.times import Time, times_in
from tieout.kg.filings.company import Company
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.observation import Observation
from tieout.kg.reports.across import OpenCompanies, ShownLine

YEARS, YEARS_OF_MANY, MANY = 3, 2, 6  # fiscal years shown where a question names none; companies from which it is fewer
AT_ONCE = 50  # companies that are read at a time
ANNUAL = ("10-K", "20-F", "40-F", "EARNINGS RELEASE")  # forms of a whole year, where it is one
_FORM = re.compile(r"\b(?:10|20|8|6|40)-?[kqf]\b", re.IGNORECASE)


class Across(OpenCompanies):
    """The companies of a conversation, as its questions ask for them."""

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
                    yield self.stated_line(company, item, stated)


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
