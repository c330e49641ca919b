"""What accounts for the words and years of a question, and what is left open by an answer."""

from __future__ import annotations

from dataclasses import dataclass

from tieout.agent.offline.calculation.reading import Reading
from tieout.agent.offline.operands.fitting import Place
from tieout.agent.question.question import Question
from tieout.kg.fact import Fact
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import as_typed, content


@dataclass(frozen=True, slots=True)
class Open:
    """What an answer leaves open, as it was typed.

    unknown: words that the page does not have at all. elsewhere: words that it has, but not where the figures of the
    answer stand. years: named, and of none of the figures.
    """

    unknown: tuple[str, ...]
    elsewhere: tuple[str, ...]
    years: tuple[int, ...]


def left_open(ask: Question, reading: Reading, place: Place) -> Open:
    """The words and years of a question that the figures of a reading do not account for.

    Words of the manner of asking, of the operation and of the period count as accounted for; a quotation speaks for
    itself, as its words are the report's.
    """
    covered: set[str] = set()
    dated: set[int] = set()
    for line in reading.lines:
        covered |= line.labels | line.sections | line.captions
        covered.update(content(f"{line.label} {line.section}"))
    for point in reading.points:
        fact = point.fact
        covered.update(point.heads, content(point.head))
        if fact.name not in place.said:
            place.said[fact.name] = _around(fact)
        around, years_around = place.said[fact.name]
        covered |= around
        dated |= years_around
        if reading.lines and reading.lines[0].is_text:
            covered.update(point.view.bag, point.view.before, content(fact.context))
        if point.year is not None:
            dated.add(point.year)
    for text in reading.texts:
        covered.update(content(text))
        dated.update(years_in(text.lower()))
    open_stems = [each for each in ask.core if each not in covered]
    unknown = as_typed([each for each in open_stems if each not in place.known], ask.lower)
    elsewhere = as_typed([each for each in open_stems if each in place.known], ask.lower)
    years = tuple(year for year in ask.years if year not in dated)
    return Open(unknown, elsewhere, years)


def _around(fact: Fact) -> tuple[frozenset[str], frozenset[int]]:
    """The stems of what stands above a figure, and the years that are named around it."""
    around = f"{fact.header} {fact.label} {fact.section} {fact.context} {fact.caption}".lower()
    return frozenset(content(f"{fact.caption} {fact.heading}")), frozenset(years_in(around))
