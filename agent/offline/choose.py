"""Which answer is given: the readings of both readers weighed against each other, and the chance of being right."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.arithmetic.units import rounded as at_places
from tieout.agent.offline.ground import Aim
from tieout.agent.offline.model import Ranked, rounded, softmax
from tieout.agent.offline.question import years_in
from tieout.agent.offline.said import said_of
from tieout.agent.offline.whole.account import Open
from tieout.agent.offline.whole.asked import Ask, content
from tieout.agent.offline.whole.fitting import Features
from tieout.agent.offline.whole.reader import Found, in_words
from tieout.agent.offline.whole.reading import Reading
from tieout.agent.offline.whole.weigh import Weigher, log_odds
from tieout.kg.fact import Fact

MOST_OPTIONS = 6  # of each reader
LEAST_LIKELY = 1e-4  # the probability of an answer that a reader does not have
LIKELY = 0.25  # an answer in a conversation with an odd word in it is given with a warning from here on
MOST_OPEN = 4  # words that are told back
NOT_LEFT = Open((), (), ())
RELATIVE = frozenset("previous prior preceding following next subsequent".split())  # to a year said before
# Words that say how something is asked and how an answer is to be read; one that the report has counts as any other.
HOW = frozenset(
    """without among but either another ones altogether whereby consist consists calculation definition main primary set
    found obtain fraction relation chronological order fys often reason reasons factors individual form data section
    sheet units m mm bn attributable""".split()
)
MEASURE = frozenset("price performance balance weight level worth".split())  # of a line that is named in full beside it
RATES = frozenset({"percentage_change", "divide", "percentage"})
VERBAL = ("ed", "ing")  # endings of words that say how, more often than of what
# A change that is asked for in percent: `the percentage change`, `the change in percent`, `by how many percent did it
# fall`.
_CHANGED = r"(?:chang\w+|differen\w+|increas\w+|decreas\w+|declin\w+|rise|rose|f[ae]ll|grow\w*|grew|drop\w*)"
_PERCENT = r"(?:percent\w*|per cent|%)"
_IN_PERCENT = re.compile(
    rf"\b{_CHANGED}\b.{{0,40}}\b(?:in|as an?|in terms of) (?:a )?{_PERCENT}(?! of| points?)"
    rf"|\bby (?:what|how (?:many|much)) {_PERCENT}(?! points?).*\b{_CHANGED}\b"
    rf"|\bhow many {_PERCENT}(?! points?).*\b{_CHANGED}\b"
    rf"|\b{_PERCENT} {_CHANGED}\b"
)
SIGNED = {
    "add": frozenset({"sum", "total"}),
    "sum": frozenset({"sum", "total"}),
    "average": frozenset({"average"}),
    "subtract": frozenset({"change"}),
    "percentage_change": frozenset({"percentage change", "change", "percent"}),
    "divide": frozenset({"ratio", "share", "percent", "percentage change", "average"}),
    "multiply": frozenset({"product"}),
    "greater": frozenset({"change", "highest", "lowest", "above", "below"}),
}


@dataclass(frozen=True, slots=True)
class Option:
    """One possible answer, as one of the readers or both come to it, with what speaks for and against it."""

    whole: Reading | None
    ranked: Ranked | None
    left: Open
    features: Features

    @property
    def kind(self) -> str:
        """The kind of answer."""
        if self.whole is not None:
            return self.whole.kind
        return "boolean" if self.ranked is not None and isinstance(self.ranked.value, bool) else "number"

    @property
    def operation(self) -> str:
        """The operation it is made by, as the reader of conversations knows them where it has it."""
        if self.ranked is not None:
            return self.ranked.candidate.operation
        return self.whole.operation if self.whole is not None else ""


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer that is given.

    whole: the reading of the whole question, None where the reader of conversations answers by `ranked`, whose first
    is the answer then. chance: of being right. unknown: words of the question that neither the report nor the
    conversation has. open: what else the answer leaves open, in words. others: other readings, in words; margin: by
    how much the best is more probable than the next.
    """

    whole: Reading | None
    ranked: Sequence[Ranked]
    chance: float
    unknown: tuple[str, ...]
    open: tuple[str, ...]
    others: tuple[str, ...]
    margin: float = 0.0

    @property
    def operation(self) -> str:
        """The operation of the answer, `lookup` for none."""
        return self.whole.operation if self.whole is not None else self.ranked[0].candidate.operation


def choose(found: Found | None, ranked: Sequence[Ranked], goal: Aim, weigher: Weigher) -> Choice | None:
    """The most likely of the answers of both readers; None where neither has one."""
    made = options(found, ranked, goal)
    if not made:
        return None
    weighed = _as_percent(weigh(made, weigher), goal)
    best, probability = weighed[0]
    chance = weigher.chance(signs_of(weighed, found, goal))
    unknown: tuple[str, ...] = () if found is None else unknown_words(found, goal)
    flagged: tuple[str, ...] = ()
    if found is not None and _answers_all_the_same(unknown, found, goal.gate, chance):
        flagged = tuple(f"the report has nothing about {word!r}" for word in unknown)
        unknown = ()
    first = goal.gate == "first" or best.ranked is None
    whole = best.whole if first else None
    if whole is None and best.ranked is not None:
        ranked = [best.ranked, *(each for each in ranked if each is not best.ranked)]
        opened = _years_open(best.ranked, goal)
    else:
        opened = _open(best)
    others = tuple(_said(each) for each, _ in weighed[1:3])
    margin = probability - weighed[1][1] if others else 1.0
    return Choice(whole, ranked, chance, unknown, (*flagged, *opened), others, margin)


def _as_percent(weighed: list[tuple[Option, float]], goal: Aim) -> list[tuple[Option, float]]:
    """The options, those of a rate of change first where a change is asked for in percent and the best is an amount.

    The change of a rate stays a difference, in percentage points.
    """
    best = weighed[0][0]
    if best.operation != "subtract" or not _IN_PERCENT.search(goal.asked.text.lower()) or _of_rates(best):
        return weighed
    rates = [each for each in weighed if _is_rate_of_change(each[0])]
    others = [each for each in weighed if not _is_rate_of_change(each[0])]
    if not rates:
        return weighed
    chances = sorted((chance for _, chance in weighed), reverse=True)
    return [(option, chance) for (option, _), chance in zip([*rates, *others], chances, strict=True)]


def _is_rate_of_change(option: Option) -> bool:
    if option.operation == "percentage_change":
        return True
    return option.ranked is not None and option.ranked.candidate.concept == "rate"


def _of_rates(option: Option) -> bool:
    """Whether all figures that it is made of are percentages."""
    if option.whole is not None:
        return all(point.fact.unit == "percent" for point in option.whole.points)
    operands = option.ranked.candidate.operands if option.ranked is not None else ()
    facts = [operand.view.fact for operand in operands if operand.view is not None]
    facts += [fact for operand in operands if operand.past is not None for fact in operand.past.facts]
    return all(fact.unit == "percent" for fact in facts)


def options(found: Found | None, ranked: Sequence[Ranked], goal: Aim) -> list[Option]:
    """The best answers of both readers; what both come to is one."""
    whole = [] if found is None else list(zip(found.ranked, found.lefts, strict=False))[:MOST_OPTIONS]
    rest = list(ranked[:MOST_OPTIONS])
    made: list[Option] = []
    ask = None if found is None else found.ask
    for place, (weighed, left) in enumerate(whole):
        other = next((each for each in rest if same(weighed.reading, each)), None)
        if other is not None:
            rest.remove(other)
        features = _features(weighed.probability, other, place, ranked, goal)
        made.append(_option(weighed.reading, other, left, features, ask, goal))
    for each in rest:
        made.append(_option(None, each, NOT_LEFT, _features(0.0, each, MOST_OPTIONS, ranked, goal), ask, goal))
    _mark_printed(made, goal)
    return made


def _mark_printed(made: Sequence[Option], goal: Aim) -> None:
    """Says of percentages that are printed, and of rates that are calculated, which of them come to the same."""
    printed = [(each, value) for each in made if _is_printed_rate(each) and (value := _number_of(each)) is not None]
    rates = [(each, value) for each in made if each.operation in RATES and (value := _number_of(each)) is not None]
    for one, value in printed:
        places = 2 + max(0, -int(_looked_up(one).value.as_tuple().exponent))
        for other, rate in rates:
            if at_places(rate, places) == at_places(value, places):
                one.features[f"printed as calculated, {manner_of(goal)}"] = 1.0
                other.features[f"calculated as printed, {manner_of(goal)}"] = 1.0


def _is_printed_rate(option: Option) -> bool:
    if option.operation != "lookup" or option.kind != "number" or _is_amount(option):
        return False
    return option.whole is not None or (
        option.ranked is not None and option.ranked.candidate.operands[0].view is not None
    )


def _looked_up(option: Option) -> Fact:
    """The figure of a look-up."""
    if option.whole is not None:
        return option.whole.points[0].fact
    assert option.ranked is not None
    view = option.ranked.candidate.operands[0].view
    assert view is not None
    return view.fact


def _number_of(option: Option) -> Decimal | None:
    value = option.whole.value() if option.whole is not None else option.ranked.value if option.ranked else None
    return value if isinstance(value, Decimal) else None


def _features(whole: float, other: Ranked | None, place: int, ranked: Sequence[Ranked], goal: Aim) -> Features:
    """What the two readers give an answer. place: among those of the reader of whole questions."""
    gate = goal.gate
    of_whole, of_other = math.log(max(whole, LEAST_LIKELY)), math.log(max(_of(other), LEAST_LIKELY))
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


def _of(ranked: Ranked | None) -> float:
    return 0.0 if ranked is None else ranked.probability


def _option(
    reading: Reading | None, other: Ranked | None, left: Open, features: Features, ask: Ask | None, goal: Aim
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
        features[f"asked for a {ask.kinds[0]}, {kind}"] = 1.0
        features[f"asked for a {ask.kinds[0]}, {who}"] = 1.0
        signed = operation == "lookup" or bool(ask.signs & SIGNED.get(operation, ask.signs))
        features[f"{operation} {'asked' if signed else 'not asked'}, {gate}"] = 1.0
        features[f"{operation}, {min(len(ask.years), 3)} years"] = 1.0
    features["words elsewhere"] = float(len(left.elsewhere))
    features["years open"] = float(len(left.years if reading is not None else _years_missing(other, goal)))
    return made


def manner_of(goal: Aim) -> str:
    """How a question is put: `written` as a sentence, or `typed` in small letters, as people do who ask on."""
    return "written" if goal.asked.text[:1].isupper() else "typed"


def weigh(made: Sequence[Option], weigher: Weigher) -> list[tuple[Option, float]]:
    """The options with their probabilities, most probable first."""
    weighed = zip(made, softmax([weigher.worth(each.features) for each in made]), strict=True)
    return sorted(weighed, key=lambda each: -each[1])


def signs_of(weighed: Sequence[tuple[Option, float]], found: Found | None, goal: Aim) -> Features:
    """What speaks for and against the best option being right."""
    (best, probability), gate = weighed[0], goal.gate
    odds, left = log_odds(probability), NOT_LEFT if found is None else found.left
    kind = best.kind if best.operation != "lookup" else "lookup"
    manner = manner_of(goal)
    both = best.whole is not None and best.ranked is not None
    whole, other = best.features.get("whole", 0.0), best.features.get("conversation", 0.0)
    unknown: tuple[str, ...] = () if found is None else unknown_words(found, goal)
    found_signs = {
        "always": 1.0,
        "odds": odds,
        f"odds {kind}": odds,
        f"odds {gate}": odds,
        f"kind {kind}": 1.0,
        f"kind {kind}, {gate}": 1.0,
        manner: 1.0,
        f"odds {gate}, {manner}": odds,
        f"kind {kind}, {gate}, {manner}": 1.0,
        f"by {best.operation}": 1.0,
        f"{'both' if both else 'whole' if best.ranked is None else 'conversation'}, {gate}": 1.0,
        "whole": whole,
        f"whole, {gate}": whole,
        "conversation": other,
        f"conversation, {gate}": other,
        "next": weighed[1][1] if len(weighed) > 1 else 0.0,
        "unknown words": float(len(unknown)),
        "an unknown word": float(bool(unknown)),
        "words elsewhere": float(len(left.elsewhere)),
        "years open": float(best.features["years open"]),
        "text": float(_is_text(best)),
        f"no year asked, {gate}": float(not goal.years),
        "percentage asked, amount said": float(found is not None and found.ask.unit == "rate" and _is_amount(best)),
    }
    return {name: value for name, value in found_signs.items() if value}


def _is_text(option: Option) -> bool:
    """Whether its first figure stands in a sentence."""
    if option.whole is not None:
        return bool(option.whole.lines) and option.whole.lines[0].is_text
    view = option.ranked.candidate.operands[0].view if option.ranked is not None else None
    return view is not None and view.is_text


def _is_amount(option: Option) -> bool:
    """Whether it is a printed figure that is no percentage."""
    if option.operation != "lookup":
        return False
    if option.whole is not None:
        return all(point.fact.unit != "percent" for point in option.whole.points)
    view = option.ranked.candidate.operands[0].view if option.ranked is not None else None
    return view is not None and view.fact.unit != "percent"


def _said(option: Option) -> str:
    if option.whole is not None:
        return in_words(option.whole)
    assert option.ranked is not None
    return said_of(option.ranked.candidate)


def _answers_all_the_same(unknown: tuple[str, ...], found: Found, place: str, chance: float) -> bool:
    """Whether an answer is given, with a warning, though words of the question stand nowhere.

    In a conversation where it may well be right, unless a name or what something is counted by (`per store`) is among
    them; else where the question has other words that the report knows, and they are verbs, or say what is measured
    of a line that is named in full.
    """
    if place != "first":
        telling = any(found.ask.names(word) or f"per {word}" in found.ask.lower for word in unknown)
        return chance >= LIKELY and not telling
    others = len(found.ask.core) > len(found.left.unknown)
    in_full = not found.left.elsewhere and all(word in MEASURE for word in unknown)
    return others and (in_full or all(word.endswith(VERBAL) for word in unknown))


def same(reading: Reading, other: Ranked) -> bool:
    """Whether the two readers come to one answer, percent and decimal the same."""
    value = reading.value()
    if isinstance(value, bool) or isinstance(other.value, bool):
        return value is other.value
    return isinstance(value, Decimal) and rounded(value) == rounded(other.value)


def unknown_words(found: Found, goal: Aim) -> tuple[str, ...]:
    """Words of the question that neither the report nor an earlier question has; after an earlier one `the previous
    year` is known."""
    said = {each for past in goal.context.past for each in content(past.asked.text)}
    known = RELATIVE if goal.context.past else frozenset[str]()
    left = [word for word in found.left.unknown if word not in known and word not in HOW]
    return tuple(word for word in left if not frozenset(content(word)) <= said)[:MOST_OPEN]


def _years_missing(reading: Ranked | None, goal: Aim) -> tuple[int, ...]:
    """The years named that none of the figures of an answer of the conversation is of."""
    if reading is None:
        return ()
    facts = [operand.view.fact for operand in reading.candidate.operands if operand.view is not None]
    facts += [fact for operand in reading.candidate.operands if operand.past is not None for fact in operand.past.facts]
    there = {fact.period.year for fact in facts if fact.period is not None}
    there.update(year for fact in facts for year in years_in(f"{fact.context} {fact.header} {fact.section}".lower()))
    there.update(year for past in goal.context.past for year in past.asked.years)
    return tuple(year for year in goal.asked.years if year not in there)


def _years_open(reading: Ranked, goal: Aim) -> tuple[str, ...]:
    return tuple(f"no figure of the answer is of {year}" for year in _years_missing(reading, goal))


def _open(option: Option) -> tuple[str, ...]:
    told = [f"{word!r} of the question is not said of these figures" for word in option.left.elsewhere[:MOST_OPEN]]
    told += [f"no figure of the answer is of {year}" for year in option.left.years[:MOST_OPEN]]
    return () if option.kind == "words" else tuple(told)


__all__ = ["Choice", "Option", "choose", "options", "signs_of", "unknown_words", "weigh"]
