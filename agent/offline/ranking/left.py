"""What an answer leaves open: words of the question that nothing has, years that no figure is of."""

from __future__ import annotations

from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.reader import Found
from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import content

LIKELY = 0.25  # an answer in a conversation with an odd word in it is given with a warning from here on
AS_LIKELY = 0.5  # and one in which a word says what is measured, as a first question
MOST_OPEN = 4  # words that are told back
VERBAL = ("ed", "ing", "ly")  # endings of words that say how, more often than of what


def unknown_words(found: Found, goal: Aim) -> tuple[str, ...]:
    """Words that neither the report nor an earlier question has; after one `the previous year` is known."""
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
    facts = reading.candidate.facts
    facts += [fact for operand in reading.candidate.operands if operand.past is not None for fact in operand.past.facts]
    there = {fact.period.year for fact in facts if fact.period is not None}
    there.update(year for fact in facts for year in years_in(f"{fact.context} {fact.header} {fact.section}".lower()))
    there.update(year for past in goal.context.past for year in past.asked.years)
    return tuple(year for year in goal.asked.years if year not in there)


def years_opened(reading: Ranked, goal: Aim) -> tuple[str, ...]:
    """The same in words."""
    return tuple(f"no figure of the answer is of {year}" for year in years_missing(reading, goal))


def opened(option: Option, *, is_sure: bool) -> tuple[str, ...]:
    """What an option of the reader of whole questions leaves open; of a sure one no words that only stand elsewhere."""
    words = () if is_sure else option.left.elsewhere[:MOST_OPEN]
    told = [f"{word!r} of the question is not said of these figures" for word in words]
    told += [f"no figure of the answer is of {year}" for year in option.left.years[:MOST_OPEN]]
    return () if option.kind == "words" else tuple(told)
