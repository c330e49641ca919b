"""Which of the two readers answers: that of conversations or that of whole questions, by the chance of being right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.answers.checks import CERTAIN, SURE_ENOUGH
from tieout.agent.offline.ground import Aim
from tieout.agent.offline.model import Model, Ranked, rounded
from tieout.agent.offline.question import years_in
from tieout.agent.offline.whole.asked import content
from tieout.agent.offline.whole.fitting import Features
from tieout.agent.offline.whole.reader import Found, in_words
from tieout.agent.offline.whole.readings import Reading
from tieout.agent.offline.whole.weigh import Weigher, log_odds, signs_of

LIKELY = 0.5  # an answer in a conversation with an odd word in it is given with a warning from here on
MOST_OPEN = 4  # words that are told back
RELATIVE = frozenset("previous prior preceding following next subsequent".split())  # to a year said before
VERBAL = ("ed", "ing")  # endings of words that say how, more often than of what
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
class Choice:
    """The answer that is given.

    whole: the reading of the whole question, None where the reader of conversations answers by `ranked`. chance: of
    being right. unknown: words of the question that neither the report nor the conversation has. open: what else
    the answer leaves open, in words. others: other readings, in words; margin: by how
    much the best is more probable than the next.
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


def choose(found: Found | None, ranked: Sequence[Ranked], goal: Aim, model: Model, weigher: Weigher) -> Choice | None:
    """The more likely of the two answers; None where neither reader has one.

    In a conversation its reader knows what was said before, which the other does not: a number of the other's is taken
    only where that is certain and this is unsure.
    """
    of_conversation = model.confidence(ranked) if ranked else None
    if found is None:
        return None if of_conversation is None else Choice(None, ranked, of_conversation, (), (), ())
    agrees = bool(ranked) and same(found.best, ranked[0])
    place = goal.gate
    signs = signs_of(found.ranked, found.ask, found.left, of_conversation, agrees, place)
    chance = weigher.chance(signs)
    other = 0.0
    if of_conversation is not None:
        other = weigher.chance_of_other(other_signs(found, ranked[0], of_conversation, agrees, place))
    flagged: tuple[str, ...] = ()
    unknown = unknown_words(found, goal)
    if _answers_all_the_same(unknown, found, place, max(chance, other)):
        unknown, flagged = (), _nowhere(unknown)
    if place != "first" and of_conversation is not None:
        other = of_conversation  # calibrated on companies held out, which the weights of the choice are not
        chance = other if agrees else chance
    elif agrees:
        chance = max(chance, other)
    knows_more = place != "first" and found.best.kind in ("number", "boolean")
    if agrees or (chance >= other and not (knows_more and (chance < CERTAIN or other >= SURE_ENOUGH))):
        others = tuple(in_words(each.reading) for each in found.ranked[1:3])
        margin = found.ranked[0].probability - found.ranked[1].probability if others else 1.0
        return Choice(found.best, ranked, chance, unknown, (*flagged, *_open(found, goal)), others, margin)
    return Choice(None, ranked, other, unknown, (*flagged, *_years_open(ranked[0], goal)), (in_words(found.best),))


def _answers_all_the_same(unknown: tuple[str, ...], found: Found, place: str, chance: float) -> bool:
    """Whether an answer is given, with a warning, though words of the question stand nowhere.

    In a conversation where it is likely right, unless a name is among them; else where they are verbs and the
    question has other words that the report knows.
    """
    if place != "first":
        return chance >= LIKELY and not any(map(found.ask.names, unknown))
    return len(found.ask.core) > len(found.left.unknown) and all(word.endswith(VERBAL) for word in unknown)


def same(reading: Reading, other: Ranked) -> bool:
    """Whether the two readers come to one answer, percent and decimal the same."""
    value = reading.value()
    if isinstance(value, bool) or isinstance(other.value, bool):
        return value is other.value
    return isinstance(value, Decimal) and rounded(value) == rounded(other.value)


def other_signs(found: Found, first: Ranked, probability: float, agrees: bool, place: str) -> Features:
    """What speaks for the answer of the reader of conversations being right.

    An operation that no word of the question asks for, and an answer of another kind than is asked for, speak
    against it.
    """
    operation = first.candidate.operation
    is_signed = operation == "lookup" or bool(found.ask.signs & SIGNED.get(operation, frozenset()))
    kinds = ("boolean",) if isinstance(first.value, bool) else ("number",)
    odds, kind = log_odds(probability), found.ask.kinds[0]
    own = log_odds(found.ranked[0].probability)
    return {
        "always": 1.0,
        f"{operation} {'asked' if is_signed else 'not asked'}, {place}": 1.0,
        "another kind": float(not set(kinds) & set(found.ask.kinds)),
        "odds": odds,
        f"odds {place}": odds,
        f"in place {place}": 1.0,
        "agrees" if agrees else "differs": 1.0,
        f"{'agrees' if agrees else 'differs'} {place}": 1.0,
        "odds of whole, agrees" if agrees else "odds of whole, differs": own,
        f"odds of whole, {'agrees' if agrees else 'differs'}, {place}": own,
        f"asked for a {kind}": 1.0,
        "unknown words": float(bool(found.left.unknown)),
        "years open": float(bool(found.left.years)),
    }


def unknown_words(found: Found, goal: Aim) -> tuple[str, ...]:
    """Words of the question that neither the report nor an earlier question has; after an earlier one `the previous
    year` is known."""
    said = {each for past in goal.context.past for each in content(past.asked.text)}
    known = RELATIVE if goal.context.past else frozenset[str]()
    left = [word for word in found.left.unknown if word not in known]
    return tuple(word for word in left if not frozenset(content(word)) <= said)[:MOST_OPEN]


def _nowhere(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"the report has nothing about {word!r}" for word in words)


def _years_open(reading: Ranked, goal: Aim) -> tuple[str, ...]:
    """The years named that none of the figures of an answer of the conversation is of."""
    facts = [operand.view.fact for operand in reading.candidate.operands if operand.view is not None]
    facts += [fact for operand in reading.candidate.operands if operand.past is not None for fact in operand.past.facts]
    there = {fact.period.year for fact in facts if fact.period is not None}
    there.update(year for fact in facts for year in years_in(f"{fact.context} {fact.header} {fact.section}".lower()))
    there.update(year for past in goal.context.past for year in past.asked.years)
    return tuple(f"no figure of the answer is of {year}" for year in goal.asked.years if year not in there)


def _open(found: Found, goal: Aim) -> tuple[str, ...]:
    told = [f"{word!r} of the question is not said of these figures" for word in found.left.elsewhere[:MOST_OPEN]]
    told += [f"no figure of the answer is of {year}" for year in found.left.years[:MOST_OPEN]]
    return () if found.best.kind == "words" else tuple(told)
