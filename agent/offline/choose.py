"""Which of the two readers answers: that of conversations or that of whole questions, by the chance of being right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.offline.ground import Aim
from tieout.agent.offline.model import Model, Ranked, rounded
from tieout.agent.offline.whole.asked import content
from tieout.agent.offline.whole.fitting import Features
from tieout.agent.offline.whole.readings import Reading
from tieout.agent.offline.whole.reader import Found, in_words
from tieout.agent.offline.whole.weigh import Weigher, log_odds, signs_of

MOST_OPEN = 4  # words that are told back


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer that is given.

    whole: the reading of the whole question, None where the reader of conversations answers by `ranked`. chance: of being
    right. unknown: words of the question that neither the report nor the conversation has. open: what else the answer
    leaves open, in words. others: other readings, in words.
    """

    whole: Reading | None
    ranked: Sequence[Ranked]
    chance: float
    unknown: tuple[str, ...]
    open: tuple[str, ...]
    others: tuple[str, ...]

    @property
    def operation(self) -> str:
        """The operation of the answer, `lookup` for none."""
        return self.whole.operation if self.whole is not None else self.ranked[0].candidate.operation


def choose(found: Found | None, ranked: Sequence[Ranked], goal: Aim, model: Model, weigher: Weigher) -> Choice | None:
    """The more likely of the two answers; None where neither reader has one."""
    of_conversation = model.confidence(ranked) if ranked else None
    if found is None:
        return None if of_conversation is None else Choice(None, ranked, of_conversation, (), (), ())
    agrees = bool(ranked) and same(found.best, ranked[0])
    place = goal.gate
    signs = signs_of(found.ranked, found.ask, found.left, of_conversation, agrees, place)
    chance = weigher.chance(signs)
    other = 0.0
    if of_conversation is not None:
        other = weigher.chance_of_other(other_signs(found, of_conversation, agrees, place))
    unknown = unknown_words(found, goal)
    if chance >= other:
        others = tuple(in_words(each.reading) for each in found.ranked[1:3])
        return Choice(found.best, ranked, chance, unknown, _open(found, goal), others)
    return Choice(None, ranked, other, unknown, (), (in_words(found.best),) if not agrees else ())


def same(reading: Reading, other: Ranked) -> bool:
    """Whether the two readers come to one answer, percent and decimal the same."""
    value = reading.value()
    if isinstance(value, bool) or isinstance(other.value, bool):
        return value is other.value
    return isinstance(value, Decimal) and rounded(value) == rounded(other.value)


def other_signs(found: Found, probability: float, agrees: bool, place: str) -> Features:
    """What speaks for the answer of the reader of conversations being right."""
    odds, kind = log_odds(probability), found.ask.kinds[0]
    own = log_odds(found.ranked[0].probability)
    return {
        "always": 1.0,
        "odds": odds,
        f"odds {place}": odds,
        f"in place {place}": 1.0,
        "agrees" if agrees else "differs": 1.0,
        f"{'agrees' if agrees else 'differs'} {place}": 1.0,
        "odds of whole, agrees" if agrees else "odds of whole, differs": own,
        f"asked for a {kind}": 1.0,
        "unknown words": float(bool(found.left.unknown)),
        "years open": float(bool(found.left.years)),
    }


def unknown_words(found: Found, goal: Aim) -> tuple[str, ...]:
    """Words of the question that neither the report nor an earlier question has."""
    said = {each for past in goal.context.past for each in content(past.asked.text)}
    return tuple(word for word in found.left.unknown if not frozenset(content(word)) <= said)[:MOST_OPEN]


def _open(found: Found, goal: Aim) -> tuple[str, ...]:
    told = [f"{word!r} of the question is not said of these figures" for word in found.left.elsewhere[:MOST_OPEN]]
    told += [f"no figure of the answer is of {year}" for year in found.left.years[:MOST_OPEN]]
    return () if found.best.kind == "words" else tuple(told)
