"""The answers of both readers as options, with what speaks for and against each."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.account import Open
from tieout.agent.offline.ranking.agreement import fit_features
from tieout.agent.offline.ranking.by_measure import ByMeasure
from tieout.agent.offline.ranking.left import years_missing
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.reader import Found
from tieout.agent.offline.ranking.weigh import key_of
from tieout.agent.question.question import Question
from tieout.data.arithmetic.chance import log_odds
from tieout.data.arithmetic.units import rounded

MOST_OPTIONS = 6  # of each reader
LEAST_AGREED = 1e-3  # the probability of an operation or figure that a reader does not have
LEAST_LIKELY = 1e-4  # the probability of an answer that a reader does not have
NAMED = "by measure"
NOT_LEFT = Open((), (), ())
RATES = frozenset({"percentage_change", "divide", "percentage"})
SIGNED = {
    "add": frozenset({"sum", "total", "plus"}),
    "sum": frozenset({"sum", "total", "plus"}),
    "average": frozenset({"average"}),
    "subtract": frozenset({"change", "less"}),
    "percentage_change": frozenset({"rate of change", "change", "percent"}),
    "divide": frozenset({"ratio", "share", "percent", "rate of change", "average"}),
    "multiply": frozenset({"product"}),
    "greater": frozenset({"change", "highest", "lowest", "above", "below"}),
}


def options(found: Found | None, ranked: Sequence[Ranked], goal: Aim, named: ByMeasure | None = None) -> list[Option]:
    """The best answers of both readers; what both come to is one. named: the answer by what the question names."""
    whole = [] if found is None else list(zip(found.ranked, found.lefts, strict=False))[:MOST_OPTIONS]
    few, rest = ranked[:MOST_OPTIONS], dict[object, Ranked]()
    rest.update((("truth", each.value) if isinstance(each.value, bool) else each.value, each) for each in few)
    made: list[Option] = []
    ask = None if found is None else found.ask
    for place, (weighed, left) in enumerate(whole):
        other = rest.pop(key_of(weighed.reading), None)
        features = _features(weighed.probability, other, place, ranked, goal)
        made.append(_option(weighed.reading, other, left, features, ask, goal))
    for each in rest.values():
        made.append(_option(None, each, NOT_LEFT, _features(0.0, each, MOST_OPTIONS, ranked, goal), ask, goal))
    _mark_printed(made, goal)
    _mark_named(made, named, goal)
    if manner_of(goal) == "typed":
        _mark_agreement(made, goal)
    return made


def _mark_printed(made: Sequence[Option], goal: Aim) -> None:
    """Says of percentages that are printed, and of rates that are calculated, which of them come to the same."""
    printed = [(each, value) for each in made if each.is_printed_rate and (value := each.number) is not None]
    rates = [(each, value) for each in made if each.operation in RATES and (value := each.number) is not None]
    for one, value in printed:
        places = 2 + max(0, -int(one.looked_up.value.as_tuple().exponent))
        for other, rate in rates:
            if rounded(rate, places) == rounded(value, places):
                one.features[f"printed as calculated, {manner_of(goal)}"] = 1.0
                other.features[f"calculated as printed, {manner_of(goal)}"] = 1.0


def _mark_named(made: Sequence[Option], named: ByMeasure | None, goal: Aim) -> None:
    """Says of the option that is the answer by what the question names, how likely its own rules hold it."""
    if named is None or named.value is None:
        return
    odds = log_odds(named.chance)
    for each in made:
        if is_named(each, named):
            for name, value in ((NAMED, 1.0), (f"{NAMED}, odds", odds)):
                each.features.update({name: value, f"{name}, {goal.gate}": value, f"{name}, {manner_of(goal)}": value})


def is_named(option: Option, named: ByMeasure | None) -> bool:
    """Whether an option comes to the answer by what the question names."""
    if named is None or named.value is None:
        return False
    if isinstance(named.value, bool):
        whole = option.whole.value() if option.whole is not None else option.ranked.value if option.ranked else None
        return named.value is whole
    return option.number is not None and rounded(option.number) == rounded(named.value)


def _mark_agreement(made: Sequence[Option], goal: Aim) -> None:
    """Says of each option how probable its operation is, and its figures, over all answers of each reader.

    It helps in conversations; questions that are put as whole sentences are read no better by it."""
    for reader in ("whole", "conversation"):
        chances = [math.exp(each.features.get(reader, 0.0)) for each in made]
        by_operation, by_figure = defaultdict[str, float](float), defaultdict[str, float](float)
        for each, chance in zip(made, chances, strict=True):
            by_operation[each.step] += chance
            for name in set(each.figures):
                by_figure[name] += chance
        for each in made:
            found = {f"operation of {reader}": _log(by_operation[each.step])}
            if each.figures:
                found[f"figures of {reader}"] = _log(sum(by_figure[name] for name in each.figures) / len(each.figures))
                found[f"least figure of {reader}"] = _log(min(by_figure[name] for name in each.figures))
            for name, value in found.items():
                each.features.update({name: value, f"{name}, {goal.gate}": value})


def _log(chance: float) -> float:
    return math.log(max(chance, LEAST_AGREED))


def _features(whole: float, other: Ranked | None, place: int, ranked: Sequence[Ranked], goal: Aim) -> Features:
    """What the two readers give an answer. place: among those of the reader of whole questions."""
    gate = goal.gate
    of_whole = math.log(max(whole, LEAST_LIKELY))
    of_other = math.log(max(other.probability if other else 0.0, LEAST_LIKELY))
    found = {
        "whole": of_whole,
        f"whole, {gate}": of_whole,
        "conversation": of_other,
        f"conversation, {gate}": of_other,
        f"first of whole, {gate}": float(place == 0),
        f"not of whole, {gate}": float(whole == 0.0),
        f"first of conversation, {gate}": float(other is not None and other is ranked[0]),
        f"not of conversation, {gate}": float(other is None),
    }
    return {name: value for name, value in found.items() if value}


def _option(
    reading: Reading | None, other: Ranked | None, left: Open, features: Features, ask: Question | None, goal: Aim
) -> Option:
    """The option with what its kind and operation say for it."""
    made = Option(reading, other, left, features)
    kind, operation, gate = made.kind, made.operation, goal.gate
    features[f"kind {kind}, {gate}"] = 1.0
    features[f"by {operation}, {gate}"] = 1.0
    who = "both" if reading is not None and other is not None else "whole" if other is None else "conversation"
    features[f"{who} by {operation}, {gate}"] = 1.0
    for name, value in list(features.items()):
        if not name.startswith("kind"):
            features[f"{name}, {manner_of(goal)}"] = value
    features[f"{who}, {manner_of(goal)}"] = 1.0
    if ask is not None:
        features.update(fit_features(made, ask, goal, manner_of(goal)))
        features[f"asked for a {ask.kinds[0]}, {kind}"] = 1.0
        features[f"asked for a {ask.kinds[0]}, {who}"] = 1.0
        signed = operation == "lookup" or bool(ask.cues & SIGNED.get(operation, ask.cues))
        features[f"{operation} {'asked' if signed else 'not asked'}, {gate}"] = 1.0
        features[f"{operation}, {min(len(ask.years), 3)} years"] = 1.0
    features["words elsewhere"] = float(len(left.elsewhere))
    features["years open"] = float(len(left.years if reading is not None else years_missing(other, goal)))
    return made


def manner_of(goal: Aim) -> str:
    """How a question is put: `written` as a sentence, or `typed` in small letters, as people do who ask on."""
    return "written" if goal.asked.text[:1].isupper() else "typed"
