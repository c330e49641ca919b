"""Answers of a form of their own: yes or no, a list by year, the year or the measure that was highest or lowest."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Any, TypeVar

from tieout.agent.offline.answer.stated_days import on_two_days
from tieout.agent.offline.calculation.solve import Solver, one_year, years_of
from tieout.agent.question.question import Question
from tieout.ontology.asked.tree import WORDS, is_percent, over_time
from tieout.ontology.metrics.formula import Apply, Formula, Operand

MOST_YEARS = 10
FORMS = ("yes or no", "list", "year", "measure")
ONE_OF_ALL = {"highest": "max", "lowest": "min", "median": "median"}
Key = TypeVar("Key")


def in_form(solver: Solver, asked: Question) -> dict[str, Any] | None:
    """The arguments of `answer` for a question whose answer has one of these forms; None where it cannot be given.

    Raises NotThereError where a figure of it is not there.
    """
    if asked.form == "measure":
        return _by_measure(solver, asked)
    if asked.form == "yes or no":
        return _yes_or_no(solver, asked)
    return None if asked.named and asked.tree is None and asked.calculation != "share" else _by_year(solver, asked)


def _yes_or_no(solver: Solver, asked: Question) -> dict[str, Any] | None:
    """Whether it rose, fell, was more in one year than in another, or than something else; or grew faster."""
    is_joined = asked.tree is not None or not asked.named
    two = _two_years(solver, asked)
    if asked.calculation not in ("change", "growth"):
        return None
    if (days := on_two_days(solver, asked)) is not None:
        return {"value": solver.plan.calculate("greater", days if _is_less(asked) else days[::-1])}
    if is_joined and asked.cues & {"each", "yearly"} and len(years := all_years(solver, asked)) > 2:
        return _in_each_year(solver, asked, years)
    if two is None:
        return None
    sides: list[tuple[Formula, int]] = [(asked.tree or WORDS, year) for year in two]
    if not is_joined:
        sides = [(Operand(each.name), two[0]) for each in asked.named]
    if len(sides) != 2:
        return None
    if "pace" in asked.cues:
        sides = [(over_time(tree, "growth", 1), year) for tree, year in sides]
    names = [solver.compared(year, tree) for tree, year in sides]
    return {"value": solver.plan.calculate("greater", names[::-1] if _is_less(asked) else names)}


def _is_less(asked: Question) -> bool:
    """Whether the lower of amounts is asked for, or the slower of growths."""
    return asked.less or bool(asked.cues & {"fewer", "slower"})


def _two_years(solver: Solver, asked: Question) -> tuple[int, int] | None:
    """The year that is asked about, and the one that it is held against; None where no year is known."""
    if len(asked.years) > 1:
        first, second = asked.years[:2]
        return (first, second) if "compared" in asked.cues else (max(first, second), min(first, second))
    latest = solver.lines.latest(solver.report)
    if asked.years and "base year" in asked.cues and latest is not None:
        return latest, asked.years[0]
    last = one_year(solver, asked.years)
    return None if last is None else (last, last - 1)


def _by_measure(solver: Solver, asked: Question) -> dict[str, Any] | None:
    """The one of several things that was highest or lowest in a year, or grew faster, beside the others; None where two
    are, or where rates and amounts are named."""
    year = one_year(solver, sorted(asked.years))
    trees: dict[str, Formula] = {_as_asked(each.said, asked.text): Operand(each.name) for each in asked.named}
    if len(set(map(is_percent, trees.values()))) > 1:
        return None
    if "pace" in asked.cues:
        trees = {said: over_time(tree, "growth", 1) for said, tree in trees.items()}
    values = {said: solver.compared(year, tree) for said, tree in trees.items()}
    amounts = solver.plan.amounts(list(values.values()))
    chosen = _ends(asked, {said: amounts[name] for said, name in values.items()})
    if chosen is None:
        return None
    others = [name for said, name in values.items() if said != chosen]
    return {"words": [chosen], "values": [values[chosen], *others], "kind": "name with value"}


def _as_asked(said: str, question: str) -> str:
    """What a question names, as it spells it: `R&D`."""
    found = re.search(re.escape(said), question, re.I)
    return said if found is None else found[0]


def all_years(solver: Solver, asked: Question) -> list[int]:
    """The years that a question is about, those inside a range too."""
    if asked.when.since or not asked.years:
        years = years_of(solver, asked)
        return list(range(years[0], years[-1] + 1)) if years else []
    return list(asked.when.expanded)


def _in_each_year(solver: Solver, asked: Question, years: Sequence[int]) -> dict[str, Any]:
    """Whether it rose, or fell, in each of several years: by the first pair of them that did not, else the last."""
    named = {year: solver.compared(year) for year in years}
    amounts = solver.plan.amounts(list(named.values()))
    pairs = [(last, first) if not asked.less else (first, last) for first, last in pairwise(years)]
    decides = next((pair for pair in pairs if not amounts[named[pair[0]]] > amounts[named[pair[1]]]), pairs[-1])
    return {"value": solver.plan.calculate("greater", [named[year] for year in decides])}


def _by_year(solver: Solver, asked: Question) -> dict[str, Any] | None:
    """The figures of the years that are named, else of all that are there, the latest first unless `respectively`."""
    latest = solver.lines.latest(solver.report)
    names = tuple(dict.fromkeys(each.name for each in asked.named))
    tree = Apply("percentage", tuple(map(Operand, names))) if asked.calculation == "share" and len(names) == 2 else None
    if asked.calculation != "value" and tree is None:
        return None
    values: dict[int, str] = {}
    if len(asked.years) > 1 or asked.when.since:
        is_in_order = "respective" in asked.cues and len(asked.years) == len(all_years(solver, asked))
        order = asked.years if is_in_order else sorted(all_years(solver, asked), reverse=True)
        values = {year: solver.compared(year, tree) for year in order}
    elif latest is not None:
        values = _as_far_as_there(solver, latest, asked.when.last or MOST_YEARS, tree)
    if len(values) < 2:
        return None
    if asked.form == "list" and (one := _one_of(solver, asked, values)) is not None:
        return {"value": one}
    shown: dict[str, Any] = {"values": list(values.values()), "kind": "table"}
    if asked.form == "list":
        return {"words": [str(year + asked.when.named_later) for year in values], **shown}
    amounts = solver.plan.amounts(list(values.values()))
    chosen = _years_of(asked, {year: amounts[name] for year, name in values.items()})
    if chosen is None:
        return None
    words = [str(year + asked.when.named_later) for year in chosen]
    return {"words": words, "values": [values[year] for year in chosen], "kind": "period"}


def _one_of(solver: Solver, asked: Question, values: Mapping[int, str]) -> str | None:
    """The one figure that is asked for of several years: the highest, the lowest, the median; None where all are."""
    found = next((cue for cue in ONE_OF_ALL if cue in asked.doing), None)
    return None if found is None else solver.plan.calculate(ONE_OF_ALL[found], list(values.values()))


def _years_of(asked: Question, amounts: Mapping[int, Decimal]) -> list[int] | None:
    """The years that are asked for by their amounts: beyond a bound, else the one highest or lowest; None for none."""
    if asked.bound is not None:
        return sorted(year for year, amount in amounts.items() if asked.bound.holds(amount)) or None
    if not asked.cues & {"highest", "lowest", "more", "fewer", "up", "down"}:
        return None
    chosen = _ends(asked, amounts)
    return None if chosen is None else [chosen]


def _ends(asked: Question, amounts: Mapping[Key, Decimal]) -> Key | None:
    """Where the highest amount is, or the lowest; None where several are."""
    best = (min if _is_less(asked) else max)(amounts.values())
    chosen = [each for each, amount in amounts.items() if amount == best]
    return chosen[0] if len(chosen) == 1 else None


def _as_far_as_there(solver: Solver, latest: int, most: int, tree: Formula | None) -> dict[int, str]:
    """The figures of the latest years, by year, up to the first that is not there. most: years."""
    values: dict[int, str] = {}
    for year in range(latest, latest - most, -1):
        if (made := solver.plan.tried(partial(solver.compared, year, tree))) is None:
            break
        values[year] = made
    return values
