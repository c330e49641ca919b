"""Measures of companies by fiscal year as entries of the ledger: figures of their filings, and what they come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Context, Decimal
from typing import Any

from tieout.agent.ledger.calculation import calculate
from tieout.agent.ledger.display import display
from tieout.agent.ledger.ledger import Entry
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.lookup import OF_COMPANIES
from tieout.agent.tools.values import Values
from tieout.agent.view.reports import Reports
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit
from tieout.kg.companies.compare import Line, ends, explained
from tieout.kg.companies.library import LibraryError
from tieout.kg.companies.measure import MeasureError, read_measure
from tieout.kg.companies.program import Program, Step, read_program
from tieout.kg.companies.years import LATEST, YearError, read_years
from tieout.kg.fact import Fact
from tieout.kg.filings.observation import Source
from tieout.kg.reports.across import PERIODS, OpenCompanies

MOST_VALUES = 400  # that are told; of more the highest and lowest
MOST_MISSING = 40
_SLUG = later(r"[^a-z0-9]+")
_MINUS_ONE = "const_m1"
_SHOWN = Context(prec=12)  # of amounts as they are told; entries have all their digits


def look_up(
    values: Values, across: OpenCompanies, measure: str, filters: Mapping[str, str], name: str | None
) -> dict[str, Any]:
    """A measure of the companies and fiscal years that filters name, each value an entry, as results tell it.

    name: of the only value, or what the names of several begin with. Raises ToolError.
    """
    unknown = filters.keys() - OF_COMPANIES
    if unknown:
        raise ToolError(f"{sorted(unknown)[0]!r} does not go with a company or fiscal year: leave it out, or them")
    try:
        companies = across.companies(filters.get("company", "all"))
        years = read_years(filters.get("fiscal_year", LATEST))
        period = _period(filters.get("fiscal_period", "FY"))
        lines, missing = across.values(measure, companies, years, period)
    except LibraryError as error:
        raise ToolError(str(error), available=[across.name(each) for each in across.library.companies]) from error
    except (YearError, MeasureError) as error:
        raise ToolError(str(error)) from error
    if not lines:
        named = ", ".join(across.name(each) for each in companies[:MOST_MISSING])
        raise ToolError(f"no filing states {measure!r} of {named} for {years}, {period}")
    shown = [
        explained(across.library, each) for each in (lines if len(lines) <= MOST_VALUES else ends(lines, MOST_VALUES))
    ]
    told = [_told(values, across, line, _called(line, name, len(lines))) for line in shown]
    result: dict[str, Any] = {"measure": measure, "values": told}
    if len(shown) < len(lines):
        result["of"] = len(lines)
        result["left_out"] = "those between the highest and the lowest: name companies, or fewer years"
    if missing:
        result["missing"] = [across.name(each) for each in missing[:MOST_MISSING]]
    if len(missing) > MOST_MISSING:
        result["missing_in_all"] = len(missing)
    return result if len(told) > 1 else {**told[0], **result}


def _period(text: str) -> str:
    said = text.strip().lower()
    found = next((each for each in (*PERIODS, "quarters") if each.lower() == said), None)
    if found is None:
        raise ToolError(f"there is no fiscal period {text!r}; there are: {', '.join((*PERIODS, 'quarters'))}")
    return found


def _called(line: Line, name: str | None, count: int) -> str:
    """The name of a value: that which was wished for, else the measure, the company and the year."""
    if name is not None and count == 1:
        return name
    period = "" if line.fiscal_period == "FY" else f"_{line.fiscal_period}"
    company = _slug(line.company.ticker or line.company.name)
    return f"{name or _slug(line.measure)}_{company[:20]}_{line.fiscal_year}{_slug(period)}"[-63:].lstrip("_0123456789")


def _slug(text: str) -> str:
    return _SLUG.sub("_", text.lower()).strip("_")[:30]


def _told(values: Values, across: OpenCompanies, line: Line, name: str) -> dict[str, Any]:
    entry = _entered(values, across, line, name)
    value = line.value
    values.fiscal_years.add(str(line.fiscal_year))
    told: dict[str, Any] = {
        "name": entry.name,
        "company": across.name(line.company),
        "fiscal_year": line.fiscal_year,
        "fiscal_period": line.fiscal_period,
        "period_end": value.end.isoformat() if value.end else None,
        "shown": display(entry),
        "unit": entry.unit,
        "amount": f"{_SHOWN.plus(value.amount):f}",
        "probability": value.probability,
        "facts": [across.fact(each) for each in value.sources],
    }
    if value.restated:
        older = [f"{each.observed.value:,f} [{across.fact(each)}]" for each in value.restated]
        told["restated"] = {
            "before": [across.fact(each) for each in value.restated],
            "now": [across.fact(each) for each in _revised(line)],
        }
        what = line.measure.replace("_", " ")
        values.notes.setdefault(entry.name, []).append(
            f"{what} of {told['company']} in fiscal {line.fiscal_year} rests on restated figures: "
            f"{', '.join(older)} in an older filing, {_printed(line, across)} now"
        )
    if flags := [flag for flag in value.flags if flag != "restated"]:
        told["flags"] = flags
        noted = [flag for flag in flags if not flag.startswith("its fiscal years end")]  # a check of its own says so
        if noted:
            values.notes.setdefault(entry.name, []).extend(f"{told['company']}: {flag}" for flag in noted)
    return told


def _revised(line: Line) -> list[Source]:
    """What counts now of the items that were restated, in the periods in which they were."""
    items = {(each.observed.item, each.observed.end) for each in line.value.restated}
    return [each for each in line.value.sources if (each.observed.item, each.observed.end) in items]


def _printed(line: Line, across: OpenCompanies) -> str:
    return ", ".join(f"{each.observed.value:,f} [{across.fact(each)}]" for each in _revised(line))


def _entered(values: Values, across: OpenCompanies, line: Line, name: str) -> Entry:
    """The entry of a value, with what it is made of."""
    sources = {f"{each.filing.report}:{each.observed.fact}": each for each in line.value.sources}
    program = read_program(line.value.program, sources)
    printed = {key: _signed(values, across.fact(each), each.observed.amount) for key, each in sources.items()}
    is_rate = line.value.unit == Unit.PERCENT and isinstance(program, Step)
    if is_rate and isinstance(program, Step) and program.operation == "subtract" and len(program.parts) == 2:
        points = [_made(values, each, printed) for each in program.parts]
        return _calculated(values, "percentage_points", points, name)
    made = _made(values, program, printed, name)
    if is_rate and made.unit in (Unit.RATIO, None):
        return _calculated(values, "in_percent", [made], f"{name}_in_percent")
    return made


def _signed(values: Values, fact: str, amount: Decimal) -> Entry:
    """A printed figure, signed as it is meant: what is spent is printed in brackets and has no sign."""
    entry = values.entry(fact)
    if isinstance(entry.value, Decimal) and entry.value * amount < 0:
        return _calculated(values, "multiply", [entry, values.literal(_MINUS_ONE)], None)
    return entry


def _made(values: Values, program: Program, printed: Mapping[str, Entry], name: str | None = None) -> Entry:
    if isinstance(program, str):
        return printed[program]
    if isinstance(program, Decimal):
        return values.literal(f"const_{'m' if program < 0 else ''}{abs(program):f}")
    parts = [_made(values, each, printed) for each in program.parts]
    if program.operation == "magnitude" and isinstance(parts[0].value, Decimal) and parts[0].value >= 0:
        return parts[0]
    if program.operation == "add" and len(parts) > 2:
        return _calculated(values, "sum", parts, name)
    if program.operation == "subtract" and len(parts) > 2:
        less = _calculated(values, "sum", parts[1:], None)
        return _calculated(values, "subtract", [parts[0], less], name)
    return _calculated(values, program.operation, parts, name)


def _calculated(values: Values, operation: str, operands: Sequence[Entry], name: str | None) -> Entry:
    ledger = values.ledger
    free = ledger.free_name(name) if name and name in ledger else values.free(name)
    return calculate(ledger, OPERATIONS[operation], operands, free)


def is_measure(text: str | None) -> bool:
    """Whether a text names a measure that filings of all companies state."""
    if not text:
        return False
    try:
        read_measure(text)
    except MeasureError:
        return False
    return True


def inside(
    values: Values, reports: Reports, property: str, filters: Mapping[str, str]
) -> tuple[tuple[Fact, ...], dict[str, str]]:
    """The figures of the filings of a company whose lines may be what is called so, and the filters that are left.

    Raises ToolError for a company that is not there.
    """
    across = reports.across
    try:
        companies = across.companies(filters.get("company", "all"))
    except LibraryError as error:
        raise ToolError(str(error), available=[across.name(each) for each in across.library.companies]) from error
    names = {across.alias(filing.report) for company in companies for filing in company.filings}
    reports.about(property or " ".join(filters.values()), names)
    left = {key: text for key, text in filters.items() if key not in OF_COMPANIES}
    if "fiscal_year" in filters:
        left["year"] = filters["fiscal_year"]
    if filters.get("fiscal_period", "FY") != "FY":
        left["period"] = f"{filters['fiscal_period']} {left.pop('year', '')}".strip()
    found = (fact for fact in values.facts.values() if fact.name.rpartition(":")[0] in names)
    return tuple(found), left


def listed(across: OpenCompanies) -> dict[str, Any]:
    """The companies of the open reports, with their names and filings."""
    found = [
        {
            "company": across.name(each),
            "names": list(each.names),
            "ticker": each.ticker or None,
            "filings": [
                {"form": filing.form, "fiscal_year": filing.fiscal_year, "fiscal_period": filing.fiscal_period}
                for filing in each.filings
            ],
        }
        for each in across.library.companies
    ]
    return {"count": len(found), "companies": found}
