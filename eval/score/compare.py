"""Two runs side by side, over the turns that both have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tieout.eval.gold.slices import DIMENSIONS
from tieout.eval.run.manifest import RunError
from tieout.eval.score.load import Run
from tieout.eval.score.paired import Paired, bootstrap, paired
from tieout.eval.score.result import Result
from tieout.eval.score.score import RULES, Rule
from tieout.eval.score.summary import cost

Pair = tuple[Result, Result]


def pairs(first: Run, second: Run) -> list[Pair]:
    """The labelled turns that both runs have, of the first repeat. Raises RunError where there are none."""
    known = {each.key: each for each in first.results if each.repeat == 1 and each.gold is not None}
    found = [(known[each.key], each) for each in second.results if each.repeat == 1 and each.key in known]
    if not found:
        raise RunError(f"runs {first.name!r} and {second.name!r} have no labelled turn in common")
    for one, other in found:
        if one.gold != other.gold:
            raise RunError(f"{one.conversation!r}, turn {one.turn + 1}, has another gold label in each of the two runs")
    return found


def counts(found: Sequence[Pair], rule: Rule) -> Paired:
    """Of these turns under one rule."""
    return paired([(one.right[rule], other.right[rule]) for one, other in found])


def interval(found: Sequence[Pair], rule: Rule) -> tuple[float, float]:
    """The 95% interval of the difference: see `bootstrap`."""
    groups: dict[str, list[tuple[bool, bool]]] = {}
    for one, other in found:
        groups.setdefault(one.conversation, []).append((one.right[rule], other.right[rule]))
    return bootstrap(groups)


def flips(found: Sequence[Pair], rule: Rule) -> tuple[list[Pair], list[Pair]]:
    """The turns that only the second run has right, and those that only the first has."""
    gained = [pair for pair in found if pair[1].right[rule] and not pair[0].right[rule]]
    lost = [pair for pair in found if pair[0].right[rule] and not pair[1].right[rule]]
    return gained, lost


def by_slice(found: Sequence[Pair], rule: Rule) -> dict[str, dict[str, Paired]]:
    """The counts by dimension and slice; where the run itself decides on the slice, by that of the second run."""
    groups: dict[str, dict[str, list[Pair]]] = {dimension: {} for dimension in DIMENSIONS}
    for pair in found:
        for dimension, name in pair[1].slices.items():
            groups[dimension].setdefault(name, []).append(pair)
    return {
        dimension: {name: counts(group, rule) for name, group in sorted(slices.items())}
        for dimension, slices in groups.items()
    }


def comparison(first: Run, second: Run) -> dict[str, Any]:
    """Everything for machines; differences are those of the second less the first."""
    found = pairs(first, second)
    ones, others = [one for one, _ in found], [other for _, other in found]
    numbers: dict[str, Any] = {"first": first.name, "second": second.name, "n": len(found)}
    for rule in RULES:
        each, (low, high) = counts(found, rule), interval(found, rule)
        gained, lost = flips(found, rule)
        numbers[str(rule)] = {
            "first": each.first / each.n,
            "second": each.second / each.n,
            "difference": each.difference,
            "low": low,
            "high": high,
            "p_value": each.p_value,
            "gained": [list(other.key) for _, other in gained],
            "lost": [list(other.key) for _, other in lost],
            "slices": {
                dimension: {
                    name: {
                        "n": part.n,
                        "first": part.first / part.n,
                        "second": part.second / part.n,
                        "difference": part.difference,
                    }
                    for name, part in slices.items()
                }
                for dimension, slices in by_slice(found, rule).items()
            },
        }
    return numbers | {"cost_first": cost(ones), "cost_second": cost(others)}
