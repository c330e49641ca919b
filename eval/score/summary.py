"""What a run comes to: rates under the three rules, with and without suspect labels, outcomes, cost, latency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import mean, quantiles, stdev
from typing import Any

from tieout.eval.gold.errata import Errata
from tieout.eval.gold.slices import DIMENSIONS, LAYER
from tieout.eval.score.result import ANSWERED, ASKED_BACK, Result
from tieout.eval.score.score import RULES, Rate, Rule, rate
from tieout.eval.score.verification import verification

Numbers = dict[str, Any]  # plain names to numbers, for JSON


def labelled(results: Iterable[Result]) -> list[Result]:
    """Those with a gold label."""
    return [result for result in results if result.gold is not None]


def turn_rate(results: Iterable[Result], rule: Rule) -> Rate:
    """How many labelled turns are right."""
    return rate(result.right[rule] for result in labelled(results))


def conversation_rate(results: Iterable[Result], rule: Rule) -> Rate:
    """How many labelled conversations are right in every one of their turns, of those that are finished."""
    all_right: dict[tuple[str, int], bool] = {}
    for result in labelled(results):
        if result.finished:
            key = result.conversation, result.repeat
            all_right[key] = all_right.get(key, True) and result.right[rule]
    return rate(all_right.values())


def program_rate(results: Iterable[Result]) -> Rate:
    """How many programs are equivalent to the gold one, of the turns that have both."""
    return rate(result.program_right for result in results if result.program_right is not None)


def rates(results: Sequence[Result]) -> Numbers:
    """Every rate under a plain name, with its count `_n` and its 95% Wilson interval `_low` and `_high` beside it."""
    named = {f"{rule}_conversations": conversation_rate(results, rule) for rule in RULES}
    return turn_rates(results) | _numbers(named | {"program": program_rate(results)})


def turn_rates(results: Sequence[Result]) -> Numbers:
    """The rates of turns alone, in the same form: what a slice has."""
    return {"n": len(labelled(results))} | _numbers({str(rule): turn_rate(results, rule) for rule in RULES})


def _numbers(named: Mapping[str, Rate]) -> Numbers:
    numbers: Numbers = {}
    for name, each in named.items():
        low, high = each.interval or (None, None)
        numbers |= {name: each.value, f"{name}_n": each.n, f"{name}_low": low, f"{name}_high": high}
    return numbers


def summary(results: Sequence[Result], errata: Errata) -> Numbers:
    """The whole run: rates of the first repeat, all else of all of them.

    `without_errata` has the rates again without the turns whose gold label is suspect.
    """
    first = [result for result in results if result.repeat == 1]
    trusted = [result for result in first if result.key not in errata]
    numbers = rates(first)
    numbers["turns"] = len(results)
    numbers["turns_per_conversation"] = len(results) / max(
        len({(each.conversation, each.repeat) for each in results}), 1
    )
    numbers["correct"] = {str(rule): turn_rate(first, rule).hits for rule in RULES}
    numbers["outcomes"] = dict(sorted(Counter(result.outcome for result in results).items()))
    numbers["answered"] = sum(result.outcome == ANSWERED for result in results)
    numbers |= coverage_rates(results)
    numbers["ungrounded"] = sum(result.ungrounded > 0 for result in results)
    numbers["suspect"] = len(labelled(first)) - len(labelled(trusted))
    numbers["without_errata"] = rates(trusted)
    bands = calibration(results)
    numbers["calibration_error"] = calibration_error(bands)
    numbers["calibration_n"] = sum(band.right.n for band in bands)
    numbers["calibration"] = [band.numbers() for band in bands]
    told = [(result.verified, result.right.get(Rule.MAIN)) for result in results if result.verified is not None]
    if (verified := verification(told)) is not None:
        numbers["verification"] = verified
    return numbers | cost(results) | repeats(results)


def coverage_rates(results: Sequence[Result]) -> Numbers:
    """How many turns are answered, asked back or declined; how many are wrong while nothing warns of it; and the exact
    match and F1 of TAT-QA, where its labels are."""
    known = [result for result in results if result.gold is not None]
    named = {
        "answered_rate": rate(result.outcome == ANSWERED for result in results),
        "asked_back_rate": rate(result.outcome == ASKED_BACK for result in results),
        "declined_rate": rate(result.outcome not in (ANSWERED, ASKED_BACK) for result in results),
        "wrong_and_unflagged": rate(result.wrong_and_unflagged for result in known),
    }
    official = [result.official for result in results if result.official is not None]
    numbers = _numbers(named)
    if official:
        numbers |= _numbers({"exact_match": rate(exact for exact, _ in official)})
        numbers["f1"] = mean(f1 for _, f1 in official)
    return numbers


def cost(results: Sequence[Result]) -> Numbers:
    """Tokens, dollars (None where a price is not known), calls and seconds, in all and per turn."""
    known = [result.usd for result in results if result.usd is not None]
    seconds = sorted(result.seconds for result in results) or [0.0]
    percentiles = quantiles(seconds, n=20, method="inclusive") if len(seconds) > 1 else seconds * 19
    tokens: Counter[str] = Counter()
    for result in results:
        tokens.update(result.usage.model_dump())
    return {
        "usd": sum(known, Decimal(0)) if len(known) == len(results) else None,
        "tokens": dict(tokens),
        "model_calls_per_turn": mean([result.model_calls for result in results] or [0]),
        "tool_calls_per_turn": mean([result.tool_calls for result in results] or [0]),
        "seconds": sum(seconds),
        "seconds_median": percentiles[9],
        "seconds_p95": percentiles[18],
    }


def repeats(results: Sequence[Result]) -> Numbers:
    """For several repeats: mean and standard deviation of each rate over them, and the turns that changed answers."""
    numbers = sorted({result.repeat for result in results})
    if len(numbers) < 2:
        return {}
    spread: Numbers = {}
    for rule in RULES:
        values = [turn_rate([each for each in results if each.repeat == one], rule).value for one in numbers]
        known = [value for value in values if value is not None]
        if len(known) == len(values):
            spread |= {f"{rule}_mean": mean(known), f"{rule}_spread": stdev(known)}
    return {"repeats": len(numbers), **spread, "changed": [list(key) for key in changed(results)]}


def changed(results: Iterable[Result]) -> list[tuple[str, int]]:
    """The turns that did not get the same answer in every repeat."""
    answers: dict[tuple[str, int], set[tuple[object, ...]]] = {}
    for result in results:
        kind = type(result.answer)  # True equals 1
        answers.setdefault(result.key, set()).add((result.outcome, kind, result.answer))
    return sorted(key for key, different in answers.items() if len(different) > 1)


def by_slice(results: Iterable[Result]) -> dict[str, dict[str, list[Result]]]:
    """The labelled turns by dimension and slice, slices in the order of their names, layers in their own."""
    groups: dict[str, dict[str, list[Result]]] = {dimension: {} for dimension in DIMENSIONS}
    for result in labelled(results):
        for dimension, name in result.slices.items():
            groups[dimension].setdefault(name, []).append(result)
    layers = groups.pop(LAYER)
    found = {dimension: dict(sorted(slices.items())) for dimension, slices in groups.items()}
    return found | ({LAYER: layers} if layers else {})


def by_conversation(results: Iterable[Result], names: Iterable[str]) -> list[Numbers]:
    """The conversations of these names in the first repeat, those with the most wrong turns first.

    strict, main, lenient: right turns. accuracy: the share of the labelled turns that are right by the rule strict.
    None where nothing is labelled.
    """
    groups: dict[str, list[Result]] = {name: [] for name in names}
    for result in results:
        if result.repeat == 1:
            groups[result.conversation].append(result)
    each = [
        {
            "id": name,
            "turns": len(group),
            **{str(rule): turn_rate(group, rule).hits if labelled(group) else None for rule in RULES},
            "accuracy": turn_rate(group, Rule.STRICT).value,
            "wrong_turns": [turn.turn for turn in labelled(group) if not turn.right[Rule.STRICT]],
            "unanswered": sum(turn.outcome != ANSWERED for turn in group),
            "tool_calls_per_turn": mean([turn.tool_calls for turn in group] or [0]),
            "seconds": sum(turn.seconds for turn in group),
        }
        for name, group in groups.items()
    ]
    return sorted(each, key=lambda one: (-len(one["wrong_turns"]), one["id"]))


@dataclass(frozen=True, slots=True)
class Band:
    """Answers whose probability is from low to high: its mean, and how many of them are right. Shares from 0 to 1."""

    low: float
    high: float
    mean: float
    right: Rate

    def numbers(self) -> Numbers:
        """The same for JSON."""
        low, high = self.right.interval or (None, None)
        band = {"low": self.low, "high": self.high, "n": self.right.n, "mean": self.mean}
        return band | {"right": self.right.value, "right_low": low, "right_high": high}


def calibration(results: Iterable[Result], rule: Rule = Rule.MAIN, bands: int = 10) -> list[Band]:
    """Answers by how likely their backend said they are right, in bands of equal width, those without any left out.

    No bands where the backend does not say: what checks make of an answer is no probability.
    """
    groups: dict[int, list[Result]] = {band: [] for band in range(bands)}
    for result in labelled(results):
        if result.probability is not None and result.outcome == ANSWERED:
            groups[min(int(result.probability * bands), bands - 1)].append(result)
    return [
        Band(band / bands, (band + 1) / bands, mean(each.probability or 0.0 for each in group), turn_rate(group, rule))
        for band, group in groups.items()
        if group
    ]


def calibration_error(bands: Sequence[Band]) -> float | None:
    """The expected calibration error, None where nothing was said.

    Guo et al. (2017), On calibration of modern neural networks, ICML, equation 3.
    """
    total = sum(band.right.n for band in bands)
    return sum(band.right.n * abs((band.right.value or 0.0) - band.mean) for band in bands) / total if total else None
