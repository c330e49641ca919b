"""One possible answer, as one of the readers or both come to it."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.offline.calculation.compose import said_of
from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.fitting import Features
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.account import Open
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.reader import Found, in_words
from tieout.agent.question.language import language
from tieout.agent.question.when import years_in
from tieout.agent.question.words import content
from tieout.kg.fact import Fact

STEPS = {"add": "sum", "percentage_change": "rate"}
LIKELY = 0.25  # an answer in a conversation with an odd word in it is given with a warning from here on
AS_LIKELY = 0.5  # and one in which a word says what is measured, as a first question
MOST_OPEN = 4  # words that are told back
VERBAL = ("ed", "ing", "ly")  # endings of words that say how, more often than of what


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

    @property
    def step(self) -> str:
        """What it is made by, the same for both readers: a rate of change is one, in one step or in two."""
        if self.ranked is not None and self.ranked.candidate.concept == "rate":
            return "rate"
        return STEPS.get(self.operation, self.operation)

    @property
    def figures(self) -> tuple[str, ...]:
        """The names of the printed figures that it looks up itself."""
        if self.whole is not None:
            return tuple(point.fact.name for point in self.whole.points)
        operands = self.ranked.candidate.operands if self.ranked is not None else ()
        return tuple(operand.view.fact.name for operand in operands if operand.view is not None)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The printed figures that it is made of, () where it rests on an earlier answer or a number."""
        if self.whole is not None:
            return tuple(point.fact for point in self.whole.points)
        operands = self.ranked.candidate.operands if self.ranked is not None else ()
        found = tuple(operand.view.fact for operand in operands if operand.view is not None)
        return found if len(found) == len(operands) else ()

    @property
    def of_rates(self) -> bool:
        """Whether all figures that it is made of are percentages."""
        if self.whole is not None:
            return all(point.fact.unit == "percent" for point in self.whole.points)
        operands = self.ranked.candidate.operands if self.ranked is not None else ()
        facts = [operand.view.fact for operand in operands if operand.view is not None]
        facts += [fact for operand in operands if operand.past is not None for fact in operand.past.facts]
        return all(fact.unit == "percent" for fact in facts)

    @property
    def is_printed_rate(self) -> bool:
        """Whether it is a percentage that is printed."""
        if self.operation != "lookup" or self.kind != "number" or self.is_amount:
            return False
        return self.whole is not None or (
            self.ranked is not None and self.ranked.candidate.operands[0].view is not None
        )

    @property
    def looked_up(self) -> Fact:
        """The figure of a look-up."""
        if self.whole is not None:
            return self.whole.points[0].fact
        assert self.ranked is not None
        view = self.ranked.candidate.operands[0].view
        assert view is not None
        return view.fact

    @property
    def number(self) -> Decimal | None:
        """What it comes to, percentages as decimals; None where it is no number."""
        value = self.whole.value() if self.whole is not None else self.ranked.value if self.ranked else None
        return value if isinstance(value, Decimal) else None

    @property
    def is_text(self) -> bool:
        """Whether its first figure stands in a sentence."""
        if self.whole is not None:
            return bool(self.whole.lines) and self.whole.lines[0].is_text
        view = self.ranked.candidate.operands[0].view if self.ranked is not None else None
        return view is not None and view.is_text

    @property
    def is_amount(self) -> bool:
        """Whether it is a printed figure that is no percentage."""
        if self.operation != "lookup":
            return False
        if self.whole is not None:
            return all(point.fact.unit != "percent" for point in self.whole.points)
        view = self.ranked.candidate.operands[0].view if self.ranked is not None else None
        return view is not None and view.fact.unit != "percent"

    @property
    def said(self) -> str:
        """It in words: what is looked up, or done with which figures."""
        if self.whole is not None:
            return in_words(self.whole)
        assert self.ranked is not None
        return said_of(self.ranked.candidate)


def unknown_words(found: Found, goal: Aim) -> tuple[str, ...]:
    """Words of the question that neither the report nor an earlier question has; after an earlier one `the previous
    year` is known."""
    said = {each for past in goal.context.past for each in past.asked.stems}
    weak = language().words["weak"] | language().words["of what is named"]
    left = [word for word in found.left.unknown if word not in weak]
    return tuple(word for word in left if not frozenset(content(word)) <= said)[:MOST_OPEN]


def answers_all_the_same(unknown: tuple[str, ...], found: Found, place: str, chance: float) -> bool:
    """Whether an answer is given, with a warning, though words of the question stand nowhere.

    In a conversation verbs are told with the answer where it may well be right, and so is what is measured; a noun that
    nothing knows, a name, or what something is counted by (`per store`) is asked back. Else where the question has
    other words that the report knows, and they are verbs, or say what is measured of a line that is likely or named in
    full.
    """
    if place != "first":
        telling = any(found.ask.writes_as_name(word) or f"per {word}" in found.ask.lower for word in unknown)
        return (
            chance >= LIKELY
            and not telling
            and all(word.endswith(VERBAL) or word in language().words["measure"] for word in unknown)
        )
    others = len(found.ask.core) > len(found.left.unknown)
    in_full = (not found.left.elsewhere or chance >= AS_LIKELY) and all(
        word in language().words["measure"] for word in unknown
    )
    return others and (in_full or all(word.endswith(VERBAL) for word in unknown))


def years_missing(reading: Ranked | None, goal: Aim) -> tuple[int, ...]:
    """The years named that none of the figures of an answer of the conversation is of."""
    if reading is None:
        return ()
    facts = [operand.view.fact for operand in reading.candidate.operands if operand.view is not None]
    facts += [fact for operand in reading.candidate.operands if operand.past is not None for fact in operand.past.facts]
    there = {fact.period.year for fact in facts if fact.period is not None}
    there.update(year for fact in facts for year in years_in(f"{fact.context} {fact.header} {fact.section}".lower()))
    there.update(year for past in goal.context.past for year in past.asked.years)
    return tuple(year for year in goal.asked.years if year not in there)


def years_opened(reading: Ranked, goal: Aim) -> tuple[str, ...]:
    """The same in words."""
    return tuple(f"no figure of the answer is of {year}" for year in years_missing(reading, goal))


def opened(option: Option) -> tuple[str, ...]:
    """What an option of the reader of whole questions leaves open, in words."""
    told = [f"{word!r} of the question is not said of these figures" for word in option.left.elsewhere[:MOST_OPEN]]
    told += [f"no figure of the answer is of {year}" for year in option.left.years[:MOST_OPEN]]
    return () if option.kind == "words" else tuple(told)
