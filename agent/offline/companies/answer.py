"""The replies to a question over companies: what it asks for is looked up at once, then the answer is made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Any

from tieout.agent.offline.answer.by_name import reply_of, what_is_meant
from tieout.agent.offline.companies.times import Time
from tieout.agent.offline.companies.wanted import Wanted, is_rate, names_of, read_wanted
from tieout.agent.protocol.message import Reply, Request, ToolCall
from tieout.agent.view.across import Years
from tieout.agent.view.outline import listed_in
from tieout.data.printed.unit import is_currency

FEW = 8  # companies of which most have to have what is asked, where they are compared
MOST_TOLD = 6  # companies that are named where they lack what is asked
MOST_ROWS, MOST_COLUMNS, MOST_RESTATED = 64, 24, 12
NEAR_DAYS = 10
OF_ALL = ("average", "median", "sum")  # what takes every value there is
OF_ENDS = ("table", "rank", "best", "filter", "count")  # what can be told of the highest or lowest
BLANK = "-"
MADE = "made"  # the name of what is calculated of the values
Calls = list[tuple[str, dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Cell:
    """A value that was looked up. name: of its entry. amount: in full units. before: names of figures that it revises;
    now: of those that count."""

    name: str
    company: str
    measure: str
    year: int
    period: str
    ended: date | None
    amount: Decimal
    unit: str
    shown: str
    probability: float
    before: tuple[str, ...] = ()
    now: tuple[str, ...] = ()

    @property
    def when(self) -> str:
        """What stands over its column."""
        return str(self.year) if self.period == "FY" else f"{self.period} {self.year}"


@dataclass(slots=True)
class Found:
    """What came of the first reply. missing: companies that have none of a measure; lacking: how many these are in all.
    many: values that there are; is_part: of which the highest and lowest alone are told."""

    cells: list[Cell] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    lacking: int = 0
    many: int = 0
    is_part: bool = False


def over_companies(request: Request) -> Reply | None:
    """The reply to a question that asks for measures of companies over their filings; None for any other, and where no
    filing states what it asks for."""
    listed = listed_in(request.card.text)
    if not listed:
        return None
    wanted = read_wanted(request, names_of(listed))
    if wanted is None:
        return None
    if not any(map(is_look_up, _calls_made(request))):
        return _look_up(wanted)
    found = _found(request, wanted)
    return _answer(wanted, found) if found.cells else None


def is_look_up(call: ToolCall) -> bool:
    """Whether a call looks a measure up by company."""
    return call.tool == "query_kg" and "company" in call.arguments.get("filters", {})


def _calls_made(request: Request) -> Iterator[ToolCall]:
    return (call for exchange in request.exchanges for call in exchange.reply.calls)


def _look_up(wanted: Wanted) -> Reply:
    filters = list(_filters(wanted))
    told = ", ".join(each.replace("_", " ") for each in wanted.measures)
    of = "; ".join(f"{each['company']}, fiscal year {each['fiscal_year']}" for each in filters)
    description = f"{told} of {of}"[:400]
    calls: Calls = [("understand", {"description": description, "requires_calculation": wanted.way != "table"})]
    calls += [("query_kg", {"property": each, "filters": some}) for each in wanted.measures for some in filters]
    return reply_of(calls, None)


def _filters(wanted: Wanted) -> Iterator[dict[str, str]]:
    """What each measure is looked up by: once, or for each time that the question names."""
    asked = [(of, *each) for of, time in wanted.times for each in time.look_ups]
    for companies, years, period in dict.fromkeys(asked or [(wanted.companies, str(wanted.years), wanted.period)]):
        filters = {"company": "; ".join(companies) or "all", "fiscal_year": years}
        yield filters | ({"fiscal_period": period} if period != "FY" else {})


def _found(request: Request, wanted: Wanted) -> Found:
    found = Found()
    made = (
        (each, result)
        for turn in request.exchanges
        for each, result in zip(turn.reply.calls, turn.results, strict=False)
    )
    results = [result for call, result in made if is_look_up(call) and not result.error]
    cells: list[Cell] = []
    for told in (json.loads(each.content) for each in results):
        cells += [_cell(each, told["measure"]) for each in told["values"]]
        found.missing += [each for each in told.get("missing", ()) if each not in found.missing]
        found.lacking = max(found.lacking, len(found.missing), told.get("missing_in_all", 0))
        found.many += told.get("of", len(told["values"]))
        found.is_part |= "of" in told
    found.cells = [each for each in cells if _is_of_day(each, wanted.day)]
    if wanted.times:
        found.cells = list(dict.fromkeys(each for of in wanted.times for each in _of_time(cells, *of)))
        there = {each.company for each in found.cells}  # what one period of a time lacks another may have
        found.missing = [each for each in found.missing if each not in there]
        found.lacking = len(found.missing)
    return found


def _of_time(cells: Sequence[Cell], companies: Sequence[str], time: Time) -> Iterator[Cell]:
    """The values of some companies at a time, of each day one: a year and its last quarter end together."""
    there: set[tuple[str, str, date | None]] = set()
    for each in cells:
        key = each.company, each.measure, each.ended
        is_its = not companies or each.company in companies
        if is_its and time.is_of(each.year, each.period, each.ended) and key not in there:
            there.add(key)
            yield each


def _cell(told: Mapping[str, Any], measure: str) -> Cell:
    restated = told.get("restated", {})
    ended = told["period_end"]
    return Cell(
        told["name"],
        told["company"],
        measure,
        told["fiscal_year"],
        told.get("fiscal_period", "FY"),
        date.fromisoformat(ended) if ended else None,
        Decimal(told["amount"]),
        told["unit"] or "",
        told["shown"],
        told["probability"],
        tuple(restated.get("before", ())),
        tuple(restated.get("now", ())),
    )


def _is_of_day(cell: Cell, day: date | None) -> bool:
    return day is None or cell.ended is None or abs((cell.ended - day).days) <= NEAR_DAYS


def _answer(wanted: Wanted, found: Found) -> Reply | None:
    cells, companies = found.cells, list(dict.fromkeys(each.company for each in found.cells))
    asked_of = len(companies) + len(found.missing)
    if wanted.orders and asked_of <= FEW and asked_of > 1 and len(companies) < max(2, len(found.missing) + 1):
        lacking = ", ".join(found.missing[:MOST_TOLD])
        what = wanted.measures[0].replace("_", " ")
        return _ask(f"Nothing was found of {what} for {lacking}.")
    if wanted.orders and (apart := _currencies_apart(cells)) is not None:
        return apart
    is_lone = wanted.way == "table" and len(cells) == 1 and (found.missing or wanted.unknown)
    notes = [
        *wanted.told,
        *_own_years(wanted, cells),
        *_lacking((*wanted.unknown, *found.missing), found.lacking + len(wanted.unknown)),
    ]
    if found.is_part or len(companies) > MOST_ROWS or (wanted.way in OF_ALL and len(cells) > MOST_ROWS):
        if len(wanted.measures) > 1 or wanted.way not in OF_ENDS or (wanted.way == "count" and found.is_part):
            what = " and ".join(wanted.measures).replace("_", " ")
            return _ask(f"More values of {what} are kept than are taken at once: name companies, or a year.")
        cells = _sorted(wanted, cells)
        cells = cells[:MOST_ROWS] if wanted.way == "table" else cells
        notes += _page(wanted, found)
    calls = _ordered(cells) if is_lone else _WAYS[wanted.way](wanted, cells)
    if calls is None:
        return None
    chances = [each.probability for each in cells]
    return reply_of(calls, round(sum(chances) / len(chances), 4), unaccounted=tuple(notes))


def _page(wanted: Wanted, found: Found) -> Iterator[str]:
    """That more is kept than is shown."""
    if wanted.way in ("table", "rank") and not 0 < wanted.first <= MOST_ROWS:
        side = "lowest" if wanted.less else "highest"
        yield f"{found.many:,} values are kept, of which the {MOST_ROWS} {side} are shown"
    elif wanted.way == "filter" and found.is_part:
        yield f"of {found.many:,} values that are kept the highest and the lowest alone are looked at"
    elif wanted.way == "filter" and (passing := len(_passing(wanted, found.cells))) > MOST_ROWS:
        yield f"{passing} fulfil it, of which {MOST_ROWS} are shown"


def _own_years(wanted: Wanted, cells: Sequence[Cell]) -> Iterator[str]:
    """That values that are held against each other are of other fiscal years, where the question names none."""
    is_named = wanted.times or wanted.years != Years()
    if not is_named and wanted.way != "table" and len({each.when for each in cells}) > 1:
        told = ", ".join(f"{each.company} of {each.when}" for each in cells[:MOST_TOLD])
        yield f"no fiscal year is one of all, so that the newest of each is taken: {told}"


def _lacking(names: Sequence[str], in_all: int) -> Iterator[str]:
    if names:
        more = f" and {in_all - MOST_TOLD} more" if in_all > MOST_TOLD else ""
        yield f"nothing was found of it for {', '.join(names[:MOST_TOLD])}{more}"


def _currencies_apart(cells: Sequence[Cell]) -> Reply | None:
    units = {each.unit.partition("/")[0] for each in cells if is_currency(each.unit.partition("/")[0])}
    if len(units) < 2:
        return None
    told = "; ".join(f"{each.company}: {each.shown}" for each in cells[:FEW])
    return _ask(f"The figures are in {' and '.join(sorted(units))}, which no rate of exchange connects: {told}.")


def _table(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """A value alone, else companies by year, with the measure beside the company where there are several."""
    if len(cells) == 1:
        return [("answer", {"value": cells[0].name})]
    columns = sorted({(each.year, each.period) for each in cells})[-MOST_COLUMNS:]
    measures = dict.fromkeys(each.measure for each in cells)
    rows = dict.fromkeys((each.company, each.measure) for each in cells)
    at = {(each.company, each.measure, each.year, each.period): each for each in cells}
    if len(columns) == 1 and len(measures) == 1 and wanted.years.named:
        return _ordered(cells)
    named = [company if len(measures) == 1 else f"{company}, {measure.replace('_', ' ')}" for company, measure in rows]
    heads = [next(each.when for each in cells if (each.year, each.period) == column) for column in columns]
    values = [
        at[(*row, *column)].name if (*row, *column) in at else BLANK
        for row in list(rows)[:MOST_ROWS]
        for column in columns
    ]
    return [("answer", {"words": named[:MOST_ROWS], "columns": heads, "values": values})]


def _ordered(cells: Sequence[Cell], kind: str = "table") -> Calls:
    """Companies, each with its value, in the order that they have."""
    shown = list(cells)[:MOST_ROWS]
    is_apart = len({each.when for each in shown}) > 1
    words = [f"{each.company} {each.when}" if is_apart and kind == "table" else each.company for each in shown]
    said = {"words": words if kind == "table" else words[:1], "values": [each.name for each in shown], "kind": kind}
    return [("answer", said)]


def _sorted(wanted: Wanted, cells: Sequence[Cell]) -> list[Cell]:
    newest = max(cells, key=lambda each: (each.year, each.period))
    of_time = [each for each in cells if (each.year, each.period) == (newest.year, newest.period)]
    is_each = wanted.times or len({each.company for each in cells}) == len(cells)  # one value of each company
    return sorted(cells if is_each else of_time, key=lambda each: each.amount, reverse=not wanted.less)


def _rank(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    if len(wanted.measures) > 1:
        return None
    ordered = _sorted(wanted, cells)
    kept = ordered[: min(wanted.first or MOST_ROWS, MOST_ROWS)]
    return [
        (
            "answer",
            {
                "words": [each.company for each in kept],
                "columns": [kept[0].when],
                "values": [each.name for each in kept],
            },
        )
    ]


def _best(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    if len(wanted.measures) > 1:
        return None
    ordered = _sorted(wanted, cells)
    is_tie = len(ordered) > 1 and ordered[0].amount == ordered[1].amount
    return _ordered(ordered, "table" if is_tie else "name")


def _passing(wanted: Wanted, cells: Sequence[Cell]) -> list[Cell]:
    """The values beyond a bound, or that rose or fell where there is none."""
    bound = wanted.bound
    if bound is None:
        return [each for each in _sorted(wanted, cells) if (each.amount < 0 if wanted.less else each.amount > 0)]
    least = bound.value / 100 if bound.scale is None else bound.value * bound.scale
    ordered = sorted(_sorted(wanted, cells), key=lambda each: each.amount, reverse=bound.above)
    return [each for each in ordered if (each.amount > least if bound.above else each.amount < least)]


def _filter(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    if len(wanted.measures) > 1:
        return None
    kept = _passing(wanted, cells)
    if not kept:
        return _none(wanted, cells)
    return [
        (
            "answer",
            {
                "words": [each.company for each in kept[:MOST_ROWS]],
                "columns": [kept[0].when],
                "values": [each.name for each in kept[:MOST_ROWS]],
            },
        )
    ]


def _count(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    kept = _passing(wanted, cells) if len(wanted.measures) == 1 else []
    if not kept:
        return _none(wanted, cells)
    if len(kept) > MOST_ROWS:
        return None
    counted = {"operation": "count", "values": [each.name for each in kept[:MOST_ROWS]], "name": MADE}
    return [("calculate", counted), ("answer", {"value": MADE, "kind": "count"})]


def _none(wanted: Wanted, cells: Sequence[Cell]) -> Calls:
    is_below = wanted.bound is not None and not wanted.bound.above
    nearest = _sorted(wanted, cells)[-1 if is_below != wanted.less else 0]
    return [("answer", {"words": [f"None: nearest is {nearest.company} with {{{nearest.name}}}."], "kind": "prose"})]


def _of_all(operation: str) -> Any:  # noqa: ANN401
    """The median, average or sum of all values of a measure: of companies in one year, or of a company in several."""

    def make(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
        companies, whens = {each.company for each in cells}, {each.when for each in cells}
        if len(wanted.measures) > 1 or (len(companies) > 1 and len(whens) > 1) or len(cells) < 2:
            return _table(wanted, cells)
        values = [each.name for each in cells[:MOST_ROWS]]
        return [
            ("calculate", {"operation": operation, "values": values, "name": MADE}),
            ("answer", {"value": MADE}),
        ]

    return make


def _difference(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    if len(cells) != 2 or len(wanted.measures) > 1:
        return _table(wanted, cells)
    return _subtracted(wanted, *_in_order(wanted, cells))


def _in_order(wanted: Wanted, cells: Sequence[Cell]) -> list[Cell]:
    """Two values as they are named, the other way round where the second is asked to be above the first."""
    ordered = sorted(
        cells, key=lambda each: wanted.companies.index(each.company) if each.company in wanted.companies else 0
    )
    return ordered[::-1] if wanted.less else ordered


def _subtracted(wanted: Wanted, one: Cell, other: Cell) -> Calls:
    operation = "percentage_points" if is_rate(wanted.measures[0]) else "subtract"
    return [
        ("calculate", {"operation": operation, "values": [one.name, other.name], "name": MADE}),
        ("answer", {"value": MADE}),
    ]


def _ratio(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The measure of one company over that of another, as they are named."""
    if len(cells) != 2:
        return _table(wanted, cells)
    named = {each.company: each.name for each in cells}
    values = [named[each] for each in wanted.companies if each in named]
    return [("calculate", {"operation": "divide", "values": values, "name": MADE}), ("answer", {"value": MADE})]


def _greater(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """Yes or no: of two companies, of a company in two years, or of a value and a bound."""
    if len(wanted.measures) > 1:
        return None
    names = [each.name for each in cells]
    if wanted.bound is not None and len(cells) == 1:
        said = f"{wanted.bound.value:f}{'%' if wanted.bound.scale is None else ''}"
        names = [names[0], said] if wanted.bound.above else [said, names[0]]
    elif len(cells) == 2 and len(wanted.companies) == 2:
        names = [each.name for each in _in_order(wanted, cells)]
    elif len(cells) == 2 and len({each.company for each in cells}) == 1:
        older, newer = cells[::-1] if wanted.times else sorted(cells, key=lambda each: (each.year, each.period))
        names = [older.name, newer.name] if wanted.less else [newer.name, older.name]
    else:
        return None
    return [("calculate", {"operation": "greater", "values": names, "name": MADE}), ("answer", {"value": MADE})]


def _change(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The change of a measure between two years that are named, of each company."""
    companies = list(dict.fromkeys(each.company for each in cells))
    pairs = [sorted((each for each in cells if each.company == one), key=_when_ended) for one in companies]
    whole = [pair for pair in pairs if len(pair) == 2]
    if not whole or len(wanted.measures) > 1:
        return _table(wanted, cells)
    operation = (
        "percentage_points" if is_rate(wanted.measures[0]) else "percentage_change" if wanted.growth else "subtract"
    )
    calls: Calls = []
    for number, (older, newer) in enumerate(whole, 1):
        named = {"operation": operation, "values": [newer.name, older.name], "name": f"{MADE}{number}"}
        calls.append(("calculate", named))
    if len(whole) == 1:
        return [*calls, ("answer", {"value": f"{MADE}1"})]
    made = [f"{MADE}{number}" for number, _ in enumerate(whole, 1)]
    return [*calls, ("answer", {"words": [pair[0].company for pair in whole], "values": made, "kind": "table"})]


def _when_ended(cell: Cell) -> tuple[date, int]:
    return cell.ended or date.min, cell.year


def _which_time(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The time in which a company has the most, or the least, of a measure."""
    if len(wanted.measures) > 1 or len(cells) < 2:
        return None
    ordered = sorted(cells, key=lambda each: each.amount, reverse=not wanted.less)
    heads, values = [each.when for each in ordered], [each.name for each in ordered]
    return [("answer", {"words": [ordered[0].company], "columns": heads, "values": values})]


def _restated(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """Whether filings state otherwise what older ones stated, with both."""
    what = wanted.measures[0].replace("_", " ")
    revised = [each for each in cells if each.before]
    if not revised:
        stated = "; ".join(f"{each.company}, fiscal {each.when}: {{{each.name}}}" for each in cells[:MOST_TOLD])
        yes_or_no = "Yes" if wanted.way == "same" else "No"
        words = f"{yes_or_no}, {what} is the same in all filings that are open and state it: {stated}."
        return [("answer", {"words": [words], "kind": "prose"})]
    told = [
        f"{each.company}, {what} of fiscal {each.when}: {_holes(each.now)} now, before {_holes(each.before)}"
        for each in revised[:MOST_RESTATED]
    ]
    return [("answer", {"words": [f"{'No' if wanted.way == 'same' else 'Yes'}: {'; '.join(told)}."], "kind": "prose"})]


def _holes(names: Sequence[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in names)


_WAYS: Mapping[str, Any] = {
    "table": _table,
    "rank": _rank,
    "best": _best,
    "filter": _filter,
    "count": _count,
    "median": _of_all("median"),
    "average": _of_all("average"),
    "sum": _of_all("sum"),
    "difference": _difference,
    "ratio": _ratio,
    "greater": _greater,
    "change": _change,
    "restated": _restated,
    "same": _restated,
    "which time": _which_time,
}


def _ask(why: str) -> Reply:
    return what_is_meant(why[:-1] if why.endswith("..") else why)  # a name may end with a point
