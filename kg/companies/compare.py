"""Measures by company and period, as lines: what `tieout compare` and `tieout screen` show."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from tieout.data.printed.pattern import later
from tieout.kg.companies.evaluate import BY_SHARE, LTM, TOLD_BY, Evaluator
from tieout.kg.companies.library import MOST_NAMED, Library
from tieout.kg.companies.measure import Measure, MeasureError, name_of, read_measure
from tieout.kg.companies.value import Value
from tieout.kg.filings.company import Company
from tieout.kg.filings.observation import split_between
from tieout.ontology.metrics.line_item import line_items

QUARTERS = ("Q1", "Q2", "Q3", "Q4")
COLUMNS = (
    *("company", "company_name", "ticker", "measure", "fiscal_year", "fiscal_period", "period_start", "period_end"),
    *("value", "unit", "scale", "amount", "derived", "program", "facts", "report", "place", "restated", "probability"),
    "flags",
)
RESTATED = "restated"  # the flag of a value that an older filing states otherwise
MOST_OF_SIDE = 64  # of the highest and of the lowest values
SURE_ENOUGH, LONGEST_LABEL = 0.6, 60  # chance below which a value is doubted; characters of a label in that doubt
SIMILAR = 0.2  # of a year: how far apart the last days of fiscal years may be and still be compared without a word
MOST = {"percent": 100, "ratio": 10_000, "share": 100_000}  # of what is calculated, above which it is odd
_COMPARED = later(
    r"^(?P<measure>.+?)\s*(?P<sign><=|>=|!=|=|<|>)\s*(?P<number>[-−]?[\d.,]+)\s*(?P<unit>%|k|m|bn?|thousand|million|billion|x)?$",
    re.I,
)
_SIGNS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_UNITS = (
    {"%": Decimal("0.01"), "k": Decimal(1000), "thousand": Decimal(1000), "x": Decimal(1)}
    | dict.fromkeys(("m", "million"), Decimal(1_000_000))
    | dict.fromkeys(("b", "bn", "billion"), Decimal(1_000_000_000))
)


@dataclass(frozen=True, slots=True)
class Line:
    """One value of one company in one period."""

    company: Company
    measure: str
    fiscal_year: int
    fiscal_period: str
    value: Value

    def row(self) -> dict[str, Any]:
        """The line as plain columns; `restated`: what older filings state, `facts`: report and short name of each."""
        value = self.value
        return {
            "company": self.company.iri,
            "company_name": self.company.name,
            "ticker": self.company.ticker or None,
            "measure": self.measure,
            "fiscal_year": self.fiscal_year,
            "fiscal_period": self.fiscal_period,
            "period_start": value.start,
            "period_end": value.end,
            "value": value.value,
            "unit": value.unit or None,
            "scale": value.scale,
            "amount": value.amount,
            "derived": value.derived,
            "program": value.program if value.derived else None,
            "facts": [f"{each.filing.report}:{each.observed.fact}" for each in value.sources],
            "report": value.sources[0].filing.report if value.sources else None,
            "place": value.sources[0].observed.place if value.sources else None,
            "restated": [
                {
                    "amount": str(each.observed.amount),
                    "fact": f"{each.filing.report}:{each.observed.fact}",
                    "place": each.observed.place,
                }
                for each in value.restated
            ],
            "probability": value.probability,
            "flags": list(value.flags),
        }


def compare(
    library: Library,
    measures: Sequence[str],
    companies: Sequence[Company] | None = None,
    years: Iterable[int] | None = None,
    periods: Sequence[str] = ("FY",),
    *,
    why: bool = True,
) -> tuple[Line, ...]:
    """Every measure of every company in every fiscal year, or in some, company after company, the years in order.

    periods: `FY`, quarters, or `LTM`: the last twelve months to the newest quarter. why: with what filings say of why
    figures were restated, as `explained` has it; it is read in each of them. Raises MeasureError.
    """
    read = [read_measure(each) for each in measures]
    wanted = None if years is None else set(years)
    items = frozenset().union(*(each.items for each in read))
    if any(line_items()[name].unit in BY_SHARE for name in items):
        library.need_doubled(TOLD_BY, companies)  # of all years: a split is told by filings after it
    before = max((each.back for each in read), default=0) + any(each.startswith(LTM) for each in periods)
    library.need(sorted(items), companies, wanted and {year - back for year in wanted for back in range(before + 1)})
    lines: list[Line] = []
    for company in library.companies if companies is None else companies:
        lines += _of_company(library, company, read, wanted, periods)
    told = _with_other_ways(list(_with_other_years(lines)))
    return tuple(explained(library, line) for line in told) if why else tuple(told)


def ends(lines: Sequence[Line], count: int) -> tuple[Line, ...]:
    """The highest and the lowest values of each unit and period, about so many, in the order that they have."""
    groups: dict[tuple[str, int, str], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.value.unit, line.fiscal_year, line.fiscal_period), []).append(line)
    most = max(1, min(MOST_OF_SIDE, count // (2 * len(groups))))
    kept: set[int] = set()
    for group in groups.values():
        ordered = sorted(group, key=lambda line: line.value.amount)
        kept |= {id(line) for line in (*ordered[:most], *ordered[-most:])}
    return tuple(line for line in lines if id(line) in kept)


def unstated(lines: Iterable[Line], measures: Iterable[str], companies: Iterable[Company]) -> Iterator[str]:
    """For each measure the companies among those that were asked about that have no line of it; first those that have
    none of any."""
    there = {(each.measure, each.company.key) for each in lines}
    said = list(dict.fromkeys(read_measure(each).said for each in measures))
    asked = list(companies)
    silent = [each for each in asked if not any((measure, each.key) in there for measure in said)]
    for measure, lacking in (
        ("these measures", silent),
        *((one, [each for each in asked if (one, each.key) not in there and each not in silent]) for one in said),
    ):
        if lacking:
            names = "; ".join(each.name for each in lacking[:MOST_NAMED])
            more = f" and {len(lacking) - MOST_NAMED} more" if len(lacking) > MOST_NAMED else ""
            yield f"no filing that is kept states {measure}, or what it follows from, in these periods: {names}{more}"


def _of_company(
    library: Library, company: Company, measures: Sequence[Measure], years: set[int] | None, periods: Sequence[str]
) -> Iterator[Line]:
    evaluator = Evaluator(library, company)
    for measure in measures:
        for year, period in _when(library, company, measure, years, periods):
            value = evaluator.value(measure, year, period)
            if value is None:
                continue
            if value.restated:
                value = value.flagged(RESTATED, *_splits(value))
            if value.derived and abs(value.amount) > MOST.get(value.unit.rpartition("/")[2], abs(value.amount)):
                value = value.flagged("out of all proportion: one of its figures may be in another scale")
            yield Line(company, measure.said, year, period, value.flagged(*_unsure(value, measure)))


def _unsure(value: Value, measure: Measure) -> Iterator[str]:
    """What is said of a value that rests on a line that may be another one than it is taken for, or a part of it."""
    if value.probability < SURE_ENOUGH and value.sources:
        least = min((each.observed for each in value.sources), key=lambda each: each.probability)
        yield f"{measure.said}: {least.label[:LONGEST_LABEL]!r} may be another line than this, a part of it, or more"


def _splits(value: Value) -> Iterator[str]:
    """What a split of shares explains of what is stated otherwise now."""
    if value.derived:
        return
    for older in value.restated:
        times = split_between(value.sources[0].observed, older.observed)
        if times is not None:
            yield f"shares were split {times} for 1" if times > 0 else f"shares were put together 1 for {-times}"


def explained(library: Library, line: Line) -> Line:
    """A line with what the newer filing says of why it states earlier periods otherwise, where no split of shares
    explains it; it need not be of this figure."""
    value = line.value
    if not value.restated or any(_splits(value)):
        return line
    report = value.sources[0].filing.report
    told = [f"{report} tells of {reason} in earlier periods [s{at}]" for reason, at in library.reasons(report)]
    behind = value.flags.index(RESTATED) + 1
    flags = dict.fromkeys((*value.flags[:behind], *told, *value.flags[behind:]))
    return replace(line, value=replace(value, flags=tuple(flags)))


def _when(
    library: Library, company: Company, measure: Measure, years: set[int] | None, periods: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """The fiscal years of which filings state any part of a measure, each with every period."""
    there = sorted({each.fiscal_year for item in measure.items for each in library.observations(company, item, years)})
    if list(periods) == [LTM]:
        newest = next((each for each in company.filings if each.fiscal_year and each.fiscal_period), None)
        if newest and newest.fiscal_year and (years is None or newest.fiscal_year in years):
            yield newest.fiscal_year, f"{LTM} {newest.fiscal_period}"
        return
    for year in there:
        if years is None or year in years:
            yield from ((year, period) for period in periods)


def _with_other_ways(lines: Sequence[Line]) -> Iterator[Line]:
    """The lines, those that are made of other line items than the newest of their company with a word on that: a series
    of two definitions is none. A line item is what it is, however it follows."""
    newest = {(each.company.key, each.measure): each for each in lines if each.fiscal_period == "FY"}
    for line in lines:
        last = newest.get((line.company.key, line.measure), line)
        own, usual = (sorted({source.observed.item for source in each.value.sources}) for each in (line, last))
        is_made = line.fiscal_period == "FY" and name_of(line.measure) not in line_items()
        if is_made and own != usual:
            made = " and ".join(each.replace("_", " ") for each in own)
            rather = " and ".join(each.replace("_", " ") for each in usual)
            told = f"{line.measure} of {line.fiscal_year} is made of {made}, of {last.fiscal_year} of {rather}"
            line = replace(line, value=line.value.flagged(told))
        yield line


def _with_other_years(lines: Sequence[Line]) -> Iterator[Line]:
    """The first line of a company whose years end in another part of the year than those of most says so."""
    ends = {each.company.key: each.value.end for each in lines if each.value.end and each.fiscal_period == "FY"}
    days = [end.timetuple().tm_yday / 365 for end in ends.values()]
    usual = sorted(days)[len(days) // 2] if days else 0.0
    told: set[str] = set()
    for line in lines:
        end = ends.get(line.company.key)
        apart = abs(end.timetuple().tm_yday / 365 - usual) if end else 0.0
        if end and min(apart, 1 - apart) > SIMILAR and line.company.key not in told and len(ends) > 1:
            told.add(line.company.key)
            yield Line(
                *(line.company, line.measure, line.fiscal_year, line.fiscal_period),
                line.value.flagged(f"its fiscal years end in {end:%B}"),
            )
        else:
            yield line


@dataclass(frozen=True, slots=True)
class Condition:
    """What a company has to fulfil: a measure, a sign and an amount in full units, a rate as a decimal."""

    measure: str
    sign: str
    amount: Decimal

    def holds(self, value: Value) -> bool:
        """Whether a value fulfils it."""
        return _SIGNS[self.sign](value.amount, self.amount)


def read_conditions(text: str) -> tuple[Condition, ...]:
    """`gross margin > 40% and revenue growth > 10%`. Raises MeasureError for what is no condition."""
    found = []
    for part in re.split(r"\s+and\s+|\s*[,;&]+\s+", text.strip()):
        match = _COMPARED.match(part.strip())
        if match is None:
            raise MeasureError(f"{part!r} is no condition: write as in `gross margin > 40%`")
        measure = read_measure(match["measure"])
        number = Decimal(match["number"].replace(",", "").replace("−", "-"))
        number *= _UNITS.get((match["unit"] or "").lower(), Decimal(1))
        found.append(Condition(measure.said, match["sign"], number))
    return tuple(found)


def screen(
    library: Library,
    conditions: str,
    companies: Sequence[Company] | None = None,
    years: Iterable[int] | None = None,
) -> tuple[Line, ...]:
    """The lines of the companies that fulfil all conditions in a fiscal year, by default each one's newest whole year.

    Raises MeasureError.
    """
    wanted = read_conditions(conditions)
    lines = compare(library, [each.measure for each in wanted], companies, years)
    by_year: dict[tuple[str, int], list[Line]] = {}
    for line in lines:
        by_year.setdefault((line.company.key, line.fiscal_year), []).append(line)
    if years is None:
        last: dict[str, int] = {}
        for company, year in by_year:
            last[company] = max(year, last.get(company, year))
        by_year = {key: each for key, each in by_year.items() if last[key[0]] == key[1]}
    kept: list[Line] = []
    for each in by_year.values():
        values = {line.measure: line.value for line in each}
        if all(one.measure in values and one.holds(values[one.measure]) for one in wanted):
            kept += each
    return tuple(kept)
