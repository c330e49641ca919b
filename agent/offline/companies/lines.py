"""What companies are asked for that is no measure of all of them, found in the lines of a report of each: revenue of a
region, a ratio of banks. Two replies, as for measures: the first looks it up, the second makes the answer of it."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from tieout.agent.offline.answer.reply import Missing, ask_back, reply_of
from tieout.agent.offline.answer.unprinted import of_part_of_year
from tieout.agent.offline.calculation.solve import NotThereError, Plan, Solver, solve
from tieout.agent.offline.companies.answer import FEW, MOST_TOLD, OF_ENDS, Cell, Found, answer_of
from tieout.agent.offline.companies.wanted import Wanted, names_of, read_wanted
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.protocol.message import Reply, Request
from tieout.agent.question.question import Question
from tieout.agent.question.read import read_question
from tieout.kg.companies.times import Time
from tieout.kg.fact import Fact
from tieout.kg.figure import figure, report_of
from tieout.kg.reports.outline import companies_in, listed_in

LOOKED_UP = "figure"  # name of what was found, with the number of its place


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is looked for. aliases: of the reports of a company that are shown. time: None for that of the
    question. asked: what is looked for there."""

    company: str
    aliases: tuple[str, ...]
    time: Time | None
    asked: Question


def over_lines(request: Request, lines: Lines) -> Reply | None:
    """The reply to a question that is asked of several reports, or of one company at several times; None for others."""
    wanted = read_wanted(request, names_of(listed_in(request.card.text)), is_lines=True)
    places = list(_places(request, wanted)) if wanted is not None else []
    if wanted is None or len(places) < 2 or (places[0].time is None and places[0].asked.part_of_year):
        return None
    found = _found(request, places)
    if found is None:
        return _look_up(wanted, places, lines)
    if not found.cells:
        return ask_back(Missing("None of the calculations could be made."))
    return answer_of(wanted, found)


def _places(request: Request, wanted: Wanted) -> Iterator[Place]:
    """A report of each company, or for each time one of those of the company."""
    told, shown = companies_in(request.card.text), {report_of(fact) for fact in request.shown.facts}
    by_name = {each.names[0]: each.filings for each in listed_in(request.card.text)}
    assert wanted.asked is not None
    if len(shown) < 2:
        return
    is_as_asked = wanted.way in OF_ENDS and not wanted.times
    own = wanted.asked if is_as_asked else replace(read_question(wanted.line), calculation="value")
    for company in wanted.companies or by_name:
        aliases = tuple(each for each in by_name[company] if each in shown)
        name = told.get(aliases[0], company) if aliases else company
        times = [time for of, time in wanted.times if not of or company in of]
        for time in times:
            yield Place(name, aliases, time, read_question(f"{wanted.line} in {_said(request, time)}"))
        if not times:
            yield Place(name, aliases[:1], None, own)


def _said(request: Request, time: Time) -> str:
    """A time as the question says it, with the year that stands beside another."""
    said = request.question[time.start : time.end]
    return said if re.search(r"\d\d", said) else f"{said} {time.year}"


def _look_up(wanted: Wanted, places: Sequence[Place], lines: Lines) -> Reply:
    """The first reply: what is asked, found at each place."""
    calls: list[tuple[str, dict[str, Any]]] = []
    missing: list[str] = []
    what, chances, used = "", [1.0], list[Fact]()
    for number, place in enumerate(places):
        plans: list[tuple[Plan, str]] = []
        for alias in place.aliases:
            plan = Plan(len(calls) + 1)
            try:
                value = solve(Solver(lines, place.asked, alias, plan), place.asked)
            except NotThereError as error:
                what = str(error)
                continue
            plans += [(plan, value)] if value is not None else []
        if not plans:
            missing.append(place.company)
            continue
        plan, value = max(plans, key=lambda each: each[0].chance)
        chances.append(plan.chance)
        used += plan.facts
        for tool, made in plan.calls:
            is_result = value in (made.get("name"), made.get("fact"))
            calls.append((tool, made | ({"name": f"{LOOKED_UP}_{number}"} if is_result else {})))
    found = len(places) - len(missing)
    if missing and (not calls or (wanted.way != "table" and len(places) <= FEW and found < max(2, len(missing) + 1))):
        reports = ", ".join(map(repr, dict.fromkeys(missing[:MOST_TOLD])))
        why = (what or "what is asked").replace("_", " ")
        return ask_back(Missing(f"Nothing was found of {why} in the report{'s' * (len(missing) > 1)} {reports}."))
    described = "; ".join(map(figure, used))[:400]
    understood = {"description": described, "requires_calculation": len(calls) > len(places)}
    chance = math.prod(chances) if len(chances) <= FEW + 1 else sum(chances) / len(chances)  # one seldom turns many
    told = () if wanted.times else tuple(of_part_of_year(places[0].asked, used))
    return reply_of([("understand", understood), *calls], round(chance, 4), unaccounted=told)


def _found(request: Request, places: Sequence[Place]) -> Found | None:
    """What the first reply found; None before it was made."""
    if not any(LOOKED_UP in str(call.arguments) for each in request.exchanges for call in each.reply.calls):
        return None
    found, chance = Found(), request.exchanges[0].reply.chance
    results = (result for exchange in request.exchanges for result in exchange.results if not result.error)
    told = {str(each.get("name")): each for each in (json.loads(result.content) for result in results)}
    for number, place in enumerate(places):
        each = told.get(f"{LOOKED_UP}_{number}")
        if each is None:
            found.missing += [place.company] if place.company not in found.missing else []
            continue
        year, period = (place.time.year, place.time.period) if place.time else (max(place.asked.years, default=0), "FY")
        amount = Decimal(str(each["value"])) * int(each["scale"] or 1)
        day, name, unit = place.time.day if place.time else None, str(each["name"]), each["unit"] or ""
        cell = Cell(name, place.company, "", year, period, day, amount, unit, each["shown"], chance)
        found.cells.append(cell)
    found.lacking, found.many = len(found.missing), len(found.cells)
    return found
