"""The replies to a question over companies: what it asks for is looked up at once, then the answer is made of it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from tieout.agent.offline.answer.reply import Missing, ask_back, reply_of
from tieout.agent.offline.companies.wanted import Wanted, is_rate, names_of, read_wanted
from tieout.agent.protocol.message import Reply, Request, ToolCall
from tieout.data.printed.unit import is_currency
from tieout.kg.companies.times import Time
from tieout.kg.companies.years import Years
from tieout.kg.reports.outline import listed_in
from tieout.ontology.asked.language import language
from tieout.ontology.asked.spoken import spoken

FEW = 8  # companies of which more than one has to have what is asked, where they are compared
MOST_TOLD = 6  # companies that are named where they lack what is asked
MOST_ROWS, MOST_COLUMNS, MOST_RESTATED = 64, 24, 12
NEAR_DAYS = 10
OF_ALL = ("average", "median", "sum")  # what takes every value there is
OF_TWO = ("difference", "against", "spread", "greater", "each", "change")  # what one wrong value makes wrong
OF_MEASURES = ("table", "median", "average", "sum", "difference", "change", "restated", "same")  # also of several
OF_ENDS = ("table", "rank", "best", "filter", "count")  # what can be told of the highest or lowest
BLANK = "-"
MADE, TOGETHER, LESS, IS_MORE = "made", "together", "less", "is_more"  # the names of what is calculated of the values
SHARE, GROWTH = "percentage", "percentage_change"
OPERATIONS_OF = {"share": SHARE, "ratio": "divide", "times": "divide", "percent": GROWTH, "difference": "subtract"}
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
    wanted = read_wanted(request, names_of(listed_in(request.card.text)))
    if wanted is None:
        return None
    if not any(is_look_up(call) for each in request.exchanges for call in each.reply.calls):
        return _look_up(wanted)
    found = _found(request, wanted)
    return answer_of(wanted, found) if found.cells else None


def is_look_up(call: ToolCall) -> bool:
    """Whether a call looks a measure up by company."""
    return call.tool == "query_kg" and "company" in call.arguments.get("filters", {})


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
    day = wanted.day
    found.cells = [each for each in cells if not (day and each.ended) or abs((each.ended - day).days) <= NEAR_DAYS]
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
    restated, ended = told.get("restated", {}), told["period_end"]
    when = told["fiscal_year"], told.get("fiscal_period", "FY"), date.fromisoformat(ended) if ended else None
    value = Decimal(told["amount"]), told["unit"] or "", told["shown"], told["probability"]
    both = tuple(restated.get("before", ())), tuple(restated.get("now", ()))
    return Cell(told["name"], told["company"], measure, *(when + value + both))


def answer_of(wanted: Wanted, found: Found) -> Reply | None:
    """The second reply: what is made of the values that were found."""
    is_half = wanted.way == "change" and len(found.cells) == 1 and len(wanted.times or wanted.years.named) == 2
    if is_half or (len(wanted.measures) > 1 and wanted.way not in OF_MEASURES):
        return None
    cells, companies = found.cells, list(dict.fromkeys(each.company for each in found.cells))
    if wanted.orders and len(companies) == 1 <= len(found.missing) < FEW:
        lacking = ", ".join(found.missing[:MOST_TOLD])
        what = wanted.measures[0].replace("_", " ")
        return _ask(f"Nothing was found of {what} for {lacking}.")
    if wanted.orders and (apart := _currencies_apart(cells)) is not None:
        return apart
    if wanted.adds_up and (rate := next((each for each in cells if _is_of_one(each)), None)) is not None:
        what = wanted.measures[0].replace("_", " ")
        return _ask(f"What {what} several have together is no sum: that of {rate.company} is {rate.shown}.")
    if wanted.way == "against" and (without := [each for each in wanted.companies if each not in companies]):
        return _ask(f"Nothing was found of {wanted.measures[0].replace('_', ' ')} for {', '.join(without)}.")
    is_lone = wanted.way == "table" and len(cells) == 1 and (found.missing or wanted.unknown)
    notes = [
        *wanted.told,
        *_own_years(wanted, cells),
        *_from_to(wanted, cells),
        *_lacking((*wanted.unknown, *found.missing), found.lacking + len(wanted.unknown)),
    ]
    if found.is_part or len(companies) > MOST_ROWS or (wanted.way in OF_ALL and len(cells) > MOST_ROWS):
        if len(wanted.measures) > 1 or wanted.way not in OF_ENDS or (wanted.way == "count" and found.is_part):
            what = " and ".join(wanted.measures).replace("_", " ")
            return _ask(f"More values of {what} are kept than are taken at once: name companies, or a year.")
        cells = _sorted(wanted, cells)
        cells = cells[:MOST_ROWS] if wanted.way == "table" else cells
        notes += _page(wanted, found)
    added, cells = _added_up(cells) if wanted.between and wanted.way == "sum" else ([], cells)
    moved, cells = _moves(wanted, cells) if wanted.between else ([], cells)
    calls = _ordered(cells) if is_lone else _WAYS[wanted.way](wanted, cells) if cells else None
    if calls is None:
        return None
    return reply_of([*added, *moved, *calls], _chance(wanted, cells), unaccounted=tuple(notes))


def _chance(wanted: Wanted, cells: Sequence[Cell]) -> float:
    """How likely an answer is: as its values are one with the other, no more than the one that decides it."""
    chances = [each.probability for each in cells]
    usual = sum(chances) / len(chances)
    if wanted.way in OF_TWO:
        return min(chances)
    return round(min(usual, _sorted(wanted, cells)[0].probability) if wanted.way == "best" else usual, 4)


def _is_of_one(cell: Cell) -> bool:
    """Whether a value is a rate, or of one share: no company has those of several together."""
    return "/" in cell.unit or cell.unit in ("percent", "ratio", "days")


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


def _from_to(wanted: Wanted, cells: Sequence[Cell]) -> Iterator[str]:
    """Over which years a yearly growth is reckoned, where the question names no two, and of whom there is none."""
    grown = _grown(cells) if wanted.way == "yearly growth" else {}
    if grown and len(wanted.years.named) != 2:
        told = ", ".join(f"{name} {old.when} to {new.when}" for name, (old, new) in grown.items())
        yield f"the growth of a year is reckoned over: {told}"
    if grown and (without := [name for name in dict.fromkeys(each.company for each in cells) if name not in grown]):
        yield f"there is no yearly growth of {', '.join(without[:MOST_TOLD])}: its amounts are not both above zero"


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


def _listed(wanted: Wanted, cells: Sequence[Cell]) -> Calls:
    """Companies with their values below the year that all are of."""
    kept = cells[:MOST_ROWS]
    words, values = [each.company for each in kept], [each.name for each in kept]
    if wanted.between or len({each.when for each in kept}) > 1:
        return [("answer", {"words": words, "values": values, "kind": "table"})]
    return [("answer", {"words": words, "columns": [kept[0].when], "values": values})]


def _beside(companies: Sequence[str], values: Sequence[str]) -> Calls:
    """What is made of each of some companies; of one alone, the value."""
    said = {"words": list(companies), "values": list(values), "kind": "table"}
    return [("answer", said if len(values) > 1 else {"value": values[0]})]


def _made(operation: str, *values: str) -> Calls:
    """The result of one operation."""
    return [("calculate", {"operation": operation, "values": list(values), "name": MADE}), ("answer", {"value": MADE})]


def _best(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    ordered = _sorted(wanted, cells)
    is_tie = len(ordered) > 1 and ordered[0].amount == ordered[1].amount
    if is_tie or not wanted.then:
        return _ordered(ordered, "table" if is_tie else "name")
    shown = ordered[:MOST_ROWS]
    words, values = [each.company for each in shown], [each.name for each in shown]
    if not spoken().cues["gap"].search(wanted.then) or len(ordered) < 2:
        return [("answer", {"words": words, "values": values, "kind": "name with value"})]
    is_of_rates = is_rate(wanted.measures[0]) or (_is_of_one(ordered[0]) and "/" not in ordered[0].unit)
    in_percent = "percent" in language().cues_of(wanted.then) and "points" not in language().cues_of(wanted.then)
    operation = "percentage_points" if is_of_rates else "percentage_change" if in_percent else "subtract"
    operation = "divide" if spoken().held["ratio"].search(wanted.then) else operation
    pair = values[1::-1] if wanted.less else values[:2]
    gap = ("calculate", {"operation": operation, "values": pair, "name": MADE})
    return [gap, ("answer", {"words": [*words, wanted.then], "values": [*values, MADE], "kind": "list"})]


def _passing(wanted: Wanted, cells: Sequence[Cell]) -> list[Cell]:
    """The values beyond a bound, or that rose or fell where there is none."""
    bound = wanted.bound
    if bound is None:
        return [each for each in _sorted(wanted, cells) if (each.amount < 0 if wanted.less else each.amount > 0)]
    least = bound.value / 100 if bound.scale is None else bound.value * bound.scale
    ordered = sorted(_sorted(wanted, cells), key=lambda each: each.amount, reverse=bound.above)
    return [each for each in ordered if (each.amount > least if bound.above else each.amount < least)]


def _filter(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    kept = _passing(wanted, cells)
    return _listed(wanted, kept) if kept else _none(wanted, cells)


def _count(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    kept = _passing(wanted, cells)
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


def _of_all(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The median, average or sum of all values of a measure: of companies in one year, or of a company in several."""
    companies, whens = {each.company for each in cells}, {each.when for each in cells}
    is_table = len(companies) > 1 and len(whens) > 1 and len(companies) < len(cells)
    if len(wanted.measures) > 1 or is_table or len(cells) < 2:
        return _table(wanted, cells)
    return _made(wanted.way, *(each.name for each in cells[:MOST_ROWS]))


def _difference(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    if len(cells) != 2 or len(wanted.measures) > 1:
        return _table(wanted, cells)
    return _subtracted(wanted, *(each.name for each in _in_order(wanted, cells)))


def _in_order(wanted: Wanted, cells: Sequence[Cell]) -> list[Cell]:
    """Two values as they are named, the other way round where the second is asked to be above the first."""
    ordered = sorted(
        cells, key=lambda each: wanted.companies.index(each.company) if each.company in wanted.companies else 0
    )
    return ordered[::-1] if wanted.less else ordered


def _subtracted(wanted: Wanted, one: str, other: str) -> Calls:
    return _made("percentage_points" if is_rate(wanted.measures[0]) else "subtract", one, other)


def _against(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """One side over the other, less it, or whether it is more; the amounts of several companies on a side added up."""
    assert wanted.sides is not None
    calls: Calls = []
    names: list[str] = []
    for side in (wanted.sides.one, wanted.sides.other):
        times = [wanted.times[int(key)][1] for key in side if key.isdecimal()]
        of = [x.name for x in cells if x.company in side or any(t.is_of(x.year, x.period, x.ended) for t in times)]
        if len(of) != len(side):
            return None
        if len(of) > 1:
            calls.append(("calculate", {"operation": "sum", "values": of, "name": f"{TOGETHER}{len(calls) + 1}"}))
        names.append(calls[-1][1]["name"] if len(of) > 1 else of[0])
    way = wanted.sides.way
    back = names[::-1] if wanted.less else names
    made = back if way in ("difference", "greater") else names
    if way == "difference" and is_rate(wanted.measures[0]):
        return _subtracted(wanted, *made)
    if way == "percent" and wanted.less:
        calls.append(("calculate", {"operation": "subtract", "values": back, "name": LESS}))
        way, made = "share", [LESS, names[1]]
    calls.append(("calculate", {"operation": OPERATIONS_OF.get(way, way), "values": made, "name": MADE}))
    if way == "times":
        by = f"{wanted.sides.by:f}"
        asked = {"operation": "greater", "values": [by, MADE] if wanted.less else [MADE, by], "name": IS_MORE}
        calls.append(("calculate", asked))
    return [*calls, ("answer", {"value": calls[-1][1]["name"]})]


def _spread(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The highest less the lowest."""
    ordered = sorted(cells, key=lambda each: each.amount)
    return _subtracted(wanted, ordered[-1].name, ordered[0].name) if len(cells) > 1 else None


def _grown(cells: Sequence[Cell]) -> Mapping[str, tuple[Cell, Cell]]:
    """The first and the last value of each company that can be said to have grown by so much a year."""
    ordered: dict[str, list[Cell]] = {}
    for each in cells:
        ordered.setdefault(each.company, []).append(each)
    ends = {company: (min(own, key=_when_ended), max(own, key=_when_ended)) for company, own in ordered.items()}
    return {
        name: (old, new) for name, (old, new) in ends.items() if old.year < new.year and min(old.amount, new.amount) > 0
    }


def _yearly_growth(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """What a measure grew by a year from the first to the last of some years, of each company."""
    grown = _grown(cells)
    calls: Calls = []
    for number, (first, last) in enumerate(grown.values(), 1):
        values = [first.name, last.name, str(last.year - first.year)]
        calls.append(("calculate", {"operation": "cagr", "values": values, "name": f"{MADE}{number}"}))
    return [*calls, *_beside(list(grown), [call["name"] for _, call in calls])] if grown else None


def _each(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """Yes or no: whether all companies, or one, have moved so, or are beyond a bound."""
    bound = wanted.bound
    is_below = wanted.less if bound is None else not bound.above
    nearest = (max if is_below else min)(cells, key=lambda each: each.amount).name
    least = "0" if bound is None else f"{bound.value:f}{'%' if bound.scale is None else ''}"
    return _made("greater", *((least, nearest) if is_below else (nearest, least)))


def _greater(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """Yes or no: of two companies, of a company in two years, or of a value and a bound."""
    if wanted.bound is not None and len(cells) == 1:
        return _each(wanted, cells)
    if len(cells) == 2 and len(wanted.companies) == 2:
        names = [each.name for each in _in_order(wanted, cells)]
    elif len(cells) == 2 and len({each.company for each in cells}) == 1:
        older, newer = cells[::-1] if wanted.times else sorted(cells, key=lambda each: (each.year, each.period))
        names = [older.name, newer.name] if wanted.less else [newer.name, older.name]
    else:
        return None
    return _made("greater", *names)


def _added_up(cells: Sequence[Cell]) -> tuple[Calls, list[Cell]]:
    """What several companies have together in each year, where all of them have a value."""
    groups: dict[str, list[Cell]] = {}
    for each in cells:
        groups.setdefault(each.when, []).append(each)
    calls: Calls = []
    made: list[Cell] = []
    for own in (own for own in groups.values() if len(own) == max(map(len, groups.values()))):
        name, amount = f"{TOGETHER}{len(made) + 1}", sum((each.amount for each in own), Decimal(0))
        calls.append(("calculate", {"operation": "sum", "values": [each.name for each in own], "name": name}))
        made.append(replace(own[0], name=name, company=TOGETHER, amount=amount))
    return calls, made


def _moves(wanted: Wanted, cells: Sequence[Cell]) -> tuple[Calls, list[Cell]]:
    """What is calculated of two years of each company, and its values: how much a measure moved between them."""
    calls: Calls = []
    made: list[Cell] = []
    rate = is_rate(wanted.measures[0])
    operation = "percentage_points" if rate else "percentage_change" if wanted.growth else "subtract"
    for company in dict.fromkeys(each.company for each in cells):
        own = sorted((each for each in cells if each.company == company), key=_when_ended)
        if len(own) == 2 and (own[0].amount or operation != "percentage_change"):
            old, new = own
            name = f"{MADE}{len(made) + 1}"
            calls.append(("calculate", {"operation": operation, "values": [new.name, old.name], "name": name}))
            moved = (new.amount - old.amount) / (old.amount if operation == "percentage_change" else 1)
            made.append(replace(new, name=name, amount=moved, probability=min(old.probability, new.probability)))
    return calls, made


def _change(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The change of a measure between two years that are named, of each company."""
    calls, made = _moves(wanted, cells) if len(wanted.measures) == 1 else ([], [])
    if not made:
        return _table(wanted, cells)
    return [*calls, *_beside([each.company for each in made], [each.name for each in made])]


def _when_ended(cell: Cell) -> tuple[date, int]:
    return cell.ended or date.min, cell.year


def _which_time(wanted: Wanted, cells: Sequence[Cell]) -> Calls | None:
    """The time in which a company has the most, or the least, of a measure."""
    if len(cells) < 2:
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
    **dict.fromkeys(OF_ALL, _of_all),
    **dict.fromkeys(("restated", "same"), _restated),
    "table": _table,
    "rank": lambda wanted, cells: _listed(wanted, _sorted(wanted, cells)[: wanted.first or MOST_ROWS]),
    "best": _best,
    "filter": _filter,
    "count": _count,
    "difference": _difference,
    "against": _against,
    "spread": _spread,
    "yearly growth": _yearly_growth,
    "each": _each,
    "greater": _greater,
    "change": _change,
    "which time": _which_time,
}


def _ask(why: str) -> Reply:
    return ask_back(Missing(why[:-1] if why.endswith("..") else why))  # a name may end with a point
