"""What an answer leaves open: words of the question that nothing has, years that no figure is of."""

from __future__ import annotations

from collections.abc import Sequence

from tieout.agent.offline.operands.context import Past
from tieout.agent.offline.operands.grounding import Aim
from tieout.agent.offline.ranking.model import Ranked
from tieout.agent.offline.ranking.option import Option
from tieout.agent.offline.ranking.reader import Found, WholeReader
from tieout.agent.question.question import Question
from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import as_typed, content

LIKELY = 0.25  # an answer in a conversation with an odd word in it is given with a warning from here on
AS_LIKELY = 0.5  # and one in which a word says what is measured, as a first question
MOST_OPEN = 4  # words that are told back
VERBAL = ("ed", "ing", "ly")  # endings of words that say how, more often than of what


def unknown_words(unknown: Sequence[str], past: Sequence[Past] = ()) -> tuple[str, ...]:
    """Words that neither the report nor an earlier question has; after one `the previous year` is known."""
    said = {each for turn in past for each in turn.asked.stems}
    weak = language().words["weak"] | language().words["of what is named"]
    return tuple(word for word in unknown if word not in weak and not said.issuperset(content(word)))[:MOST_OPEN]


def never_said(ask: Question, reader: WholeReader) -> tuple[str, ...]:
    """Words that a report prints nowhere, for which a first question for a figure is asked back, whatever is likely."""
    place, measures = reader.place, language().words["measure"]
    left = [each for each in ask.core if each not in place.known]
    is_of_report = "number" in ask.kinds and ask.when.wanted is None and not reader.prose.sentences
    if not (left and place.lines and is_of_report and place.page.printed.isdisjoint(left)):
        return ()
    unknown = unknown_words(as_typed(left, ask.lower))
    may_be_left = measures.issuperset(unknown) or all(word.endswith(VERBAL) for word in unknown)
    return () if may_be_left and len(left) < len(ask.core) else unknown


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


def opened(option: Option, *, is_sure: bool) -> tuple[str, ...]:
    """What an option of the reader of whole questions leaves open; of a sure one no words that only stand elsewhere."""
    words = () if is_sure else option.left.elsewhere[:MOST_OPEN]
    told = [f"{word!r} of the question is not said of these figures" for word in words]
    told += [f"no figure of the answer is of {year}" for year in option.left.years[:MOST_OPEN]]
    return () if option.kind == "words" else tuple(told)
