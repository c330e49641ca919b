"""Answering over several reports: each is looked up for itself, then the one that is meant is named, with all of them.

Two replies: the first looks up and calculates in each report, the second compares what came of it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from tieout.agent.offline.answer.by_name import reply_of, what_is_meant
from tieout.agent.offline.answer.unprinted import of_part_of_year
from tieout.agent.offline.calculation.solve import NotThereError, Plan, Solver, is_rate, solve
from tieout.agent.offline.candidates.figure import figure
from tieout.agent.offline.operands.linking import Lines
from tieout.agent.protocol.message import Reply, Request, ToolCall
from tieout.agent.question.question import Question
from tieout.agent.view.outline import companies_in, listed_in
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact

_POSSESSIVE = re.compile(r"['’]s\b")
FEW = 8  # reports of which most have to have what is asked; those that lack it are named
MOST_TOLD = 6  # reports that are named where they lack what is asked
MOST_SHOWN = 40  # reports in the table behind an answer
LOOKED_UP = "figure"  # name of what was found in a report, with its number


def compare(request: Request, asked: Question, lines: Lines, reports: Sequence[str]) -> Reply | None:
    """The reply to a question that is asked of several reports. reports: their aliases."""
    companies = _one_each(request.card.text, reports)
    names = _meant({alias: companies.get(alias, alias) for alias in companies or reports}, asked, reports)
    if len(names) < 2:
        return None
    found = _found(request)
    if found is None:
        return _look_up(asked, lines, [alias for alias in names if alias in reports], names)
    if not asked.compares or not asked.cues & {"highest", "lowest", "up", "down", "more", "fewer"}:
        return _answer(found, names, kind="table", rate=is_rate(asked))
    units = {str(each["unit"]) for each in found.values() if is_currency(each["unit"])}
    if len(units) > 1:
        told = "; ".join(f"{names[alias]}: {each['shown']}" for alias, each in found.items())
        return what_is_meant(
            f"The figures are in {' and '.join(sorted(units))}, which no rate of exchange connects: {told}."
        )
    lowest = bool(asked.cues & {"lowest", "fewer"}) or asked.cues & {"up", "down"} == {"down"}
    order = sorted(found, key=lambda alias: _amount(found[alias]), reverse=not lowest)
    if len(order) > 1 and _amount(found[order[0]]) == _amount(found[order[1]]):
        return _answer(found, names, kind="table", rate=is_rate(asked))
    return _answer({alias: found[alias] for alias in order}, names, kind="name", rate=is_rate(asked))


def _one_each(outline: str, reports: Sequence[str]) -> Mapping[str, str]:
    """A report of each company of an outline, by alias, with its name: one that is in the view where there is one."""
    told = companies_in(outline)
    chosen = (next((each for each in one.filings if each in reports), one.filings[0]) for one in listed_in(outline))
    return {alias: told.get(alias, alias) for alias in chosen} or told


def _look_up(asked: Question, lines: Lines, reports: Sequence[str], names: Mapping[str, str]) -> Reply:
    """The first reply: what is asked, found in each report."""
    calls: list[ToolCall] = []
    missing: list[str] = [name for alias, name in names.items() if alias not in reports]
    what, chances = "", [1.0]
    described: list[str] = []
    used: list[Fact] = []
    for alias in reports:
        plan = Plan(len(calls) + 1)
        try:
            value = solve(Solver(lines, asked, alias, plan), asked)
        except NotThereError as error:
            missing.append(names[alias])
            what = str(error)
            continue
        if value is None:
            missing.append(names[alias])
            continue
        chances.append(plan.chance)
        described += [figure(fact) for fact in plan.facts]
        used += plan.facts
        calls += _numbered(plan.calls, alias, value)
    found = len(names) - len(missing)
    if missing and (not calls or (asked.compares and len(names) <= FEW and found < max(2, len(missing) + 1))):
        why = f"{what or 'what is asked'}".replace("_", " ")
        return what_is_meant(f"Nothing was found of {why} in {_reports(missing[:MOST_TOLD])}.")
    understood = {"description": "; ".join(described)[:400], "requires_calculation": len(calls) > len(reports)}
    first = ToolCall(id="call0", tool="understand", arguments=understood)
    numbered = [call.model_copy(update={"id": f"call{at}"}) for at, call in enumerate(calls, 1)]
    left = [f"nothing was found of it for {name}" for name in missing]
    if len(left) > MOST_TOLD:
        left[MOST_TOLD:] = [f"nor for {len(left) - MOST_TOLD} more reports"]
    left += of_part_of_year(asked, used)
    return Reply(
        calls=(first, *numbered), model="offline", confidence=round(_all_right(chances), 4), unaccounted=tuple(left)
    )


def _reports(names: Sequence[str]) -> str:
    """Reports by the names of their companies or files: `the report 'sales'`."""
    return f"the report{'s' if len(names) > 1 else ''} {', '.join(map(repr, names))}"


def _meant(names: Mapping[str, str], asked: Question, reports: Sequence[str]) -> dict[str, str]:
    """The reports that are asked about: those in the view where the question names a company of them, else all."""
    said = set(_POSSESSIVE.sub("", asked.lower).replace(",", " ").split())
    shown = {alias: names[alias] for alias in reports if alias in names}
    is_named = [alias in said or bool(said & _telling(name)) for alias, name in shown.items()]
    return shown if shown and all(is_named) else dict(names)


def _telling(company: str) -> set[str]:
    return {word for word in re.findall(r"[a-z0-9]+", company.lower()) if len(word) > 2}


def _all_right(chances: Sequence[float]) -> float:
    """The chance that an answer over several reports is right: of many, one wrong figure seldom turns it."""
    return math.prod(chances) if len(chances) <= FEW + 1 else sum(chances) / len(chances)


def _numbered(calls: Sequence[tuple[str, dict[str, Any]]], alias: str, value: str) -> list[ToolCall]:
    """The calls of one report, its result under the name by which the second reply knows it."""
    last = f"{LOOKED_UP}_{alias}"
    made = []
    for tool, arguments in calls:
        named = dict(arguments)
        if value in (named.get("name"), named.get("fact")):
            named["name"] = last
        made.append(ToolCall(id="", tool=tool, arguments=named))
    return made


def _found(request: Request) -> dict[str, Mapping[str, Any]] | None:
    """What the first reply found, by alias; None before it was made."""
    if not any(LOOKED_UP in str(call.arguments) for each in request.exchanges for call in each.reply.calls):
        return None
    results = [result for exchange in request.exchanges for result in exchange.results if not result.error]
    found: dict[str, Mapping[str, Any]] = {}
    for result in results:
        told = json.loads(result.content)
        name = str(told.get("name", ""))
        if name.startswith(f"{LOOKED_UP}_"):
            found[name.removeprefix(f"{LOOKED_UP}_")] = told
    return found


def _amount(told: Mapping[str, Any]) -> Decimal:
    return Decimal(str(told["value"])) * int(told["scale"] or 1)


def _answer(found: Mapping[str, Mapping[str, Any]], names: Mapping[str, str], kind: str, rate: bool) -> Reply:
    """Names first, the figures behind them, the best one in front."""
    if not found:
        return what_is_meant("None of the calculations could be made.")
    shown = list(found)[:MOST_SHOWN]
    words = [names[alias] for alias in shown]
    arguments: dict[str, Any] = {
        "words": words if kind == "table" else words[:1],
        "values": [f"{LOOKED_UP}_{alias}" for alias in shown],
        "kind": kind,
    }
    if rate:
        arguments["format"] = "percent"
    return reply_of([("answer", arguments)], None)
