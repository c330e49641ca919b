"""What filings state of the measures that a question names, a line for each company: shown before whole tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tieout.agent.question.question import Question
from tieout.agent.view.card import harmless

if TYPE_CHECKING:
    from tieout.agent.view.across import Across
    from tieout.kg.filings.company import Company
    from tieout.kg.filings.observation import Observation

YEARS, YEARS_OF_MANY, MANY = 3, 2, 6  # fiscal years shown where a question names none; companies from which it is fewer
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of a view. facts: names of the figures in it."""

    text: str
    facts: tuple[str, ...]


def shown_lines(across: Across, question: Question) -> Iterator[ShownLine]:
    """The lines of the measures of a question, of the companies that it names, else of all."""
    companies = across.named(question.text) or across.library.companies
    across.library.need(question.items, companies)
    for company in companies:
        for item in question.items:
            stated = _wanted(across.library.observations(company, item), question, len(companies))
            if stated:
                yield _line(across, company, item, stated)


def _wanted(found: Sequence[Observation], question: Question, companies: int) -> list[Observation]:
    """Those of the years and parts of years that a question names, with the year before for what changes."""
    quarters = {f"Q{number}" for number in question.when.quarters}
    closing = quarters or ({"Q1", "Q2", "Q3", "Q4", "H1", "9M"} if question.part_of_year else {"FY"})
    inside = [each for each in found if each.fiscal_period in closing]
    years = set(question.when.expanded)
    if "since" in question.cues and len(years) == 1:
        return [each for each in inside if each.fiscal_year >= min(years)]
    if years:
        wanted = years | {year - 1 for year in years}
    else:
        count = max(question.when.last, YEARS if companies < MANY else YEARS_OF_MANY)
        wanted = set(sorted({each.fiscal_year for each in inside})[-count:])
    return [each for each in inside if each.fiscal_year in wanted]


def _line(across: Across, company: Company, item: str, stated: Sequence[Observation]) -> ShownLine:
    """`Acme Inc., revenue: FY 2024 3,282 [acme24:t5r2c1]; FY 2023 3,029 [acme24:t5r2c2] (USD x1,000,000)`."""
    told, facts = [], []
    for each in reversed(stated):
        name = across.fact(each.sources[0])
        before = [f"{old.observed.value:,f} [{across.fact(old)}]" for old in each.restated]
        restated = f", restated, before {' and '.join(before)}" if before else ""
        told.append(f"{each.fiscal_period} {each.fiscal_year} {each.stated.value:,f} [{name}]{restated}")
        facts += [name, *(across.fact(old) for old in each.restated)]
    first = stated[-1].stated
    unit = f" ({first.unit}{f' x{first.scale:,}' if first.scale != 1 else ''})" if first.unit else ""
    name = harmless(across.name(company))[:LONGEST_NAME]
    return ShownLine(f"{name}, {item.replace('_', ' ')}: {'; '.join(told)}{unit}", tuple(facts))
