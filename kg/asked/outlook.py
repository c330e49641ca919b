"""What a report says that it plans or expects: of which figures it says so, and those of one measure, a range with
both of its ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from tieout.data.printed.pattern import later
from tieout.data.printed.wording import is_outlook, is_plan
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import amount_of, report_of, words_of
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named, find_measures

# A sentence that says what is to come. What was expected, or is as expected, tells of what has been.
_EXPECTS = later(
    r"\b(?:we|company|group|management|board|bank|trust|it) (?:now |currently |still |also |continues? to )?"
    r"(?:expects?|anticipates?|forecasts?|projects?|guides?)\b|\b(?:is|are) (?:now |currently )?"
    r"(?:expected|forecast|projected|anticipated) to\b|\bguidance\b|\boutlook\b|\bexpects\b",
    re.IGNORECASE,
)
_TITLED = later(r"\b(?:budget|forecast|business plan)s?\b", re.IGNORECASE)
# What a label may say beside what it names; what says that it is of a part.
_NAMELESS = words_of(
    "we our the company management and expect expects anticipate anticipates forecast forecasts project projects "
    "guidance outlook for of in year fiscal full to be approximately about total net range between from that its "
    "will is are"
)
_OF_PARTS = words_of("segment segments division business unit region")
_TO = later(r"[^.;]{0,20}?(?:\bto\b|\band\b|[-–—])[^.;\w]{0,4}$")  # between the ends of a range


def says_expected(fact: Fact) -> str:
    """The words by which a report says that a figure is planned or expected: before it in its sentence, or over it in
    its section or table; "" for none."""
    if fact.kind is FactKind.TEXT:
        said, over = _EXPECTS.search(fact.around()[0]), fact.heading.rpartition(" > ")[2]
        return said[0] if said else over if is_outlook(over) else ""
    if fact.kind is not FactKind.TABLE:
        return ""
    over_it = (fact.header, fact.section, fact.period.label if fact.period else "")
    planned = next((text for text in over_it if is_plan(text)), "")
    return planned or (fact.caption if _TITLED.search(fact.caption) else "")


def figures_expected(
    lower: str, named: Sequence[Named], open_: frozenset[str], facts: Sequence[Fact], years: Sequence[int]
) -> tuple[list[Fact], bool]:
    """The figure that a report expects of what a question names, or both ends of a range, and whether no other one may
    be meant. lower: the question, in lower case; open_: the words that have to be told of it; years: of which it is."""
    ahead = words_of(" ".join(match[0] for match in language().forms["looks ahead"].finditer(lower)))
    facts = [fact for fact in facts if fact.kind is FactKind.TEXT and says_expected(fact)]
    found = [fact for fact in facts if _is_of(fact, named, open_ - ahead) and _is_in(fact, years)]
    said = words_of(" ".join(each.said for fact in found for each in _of_same(fact, named)))
    more = {fact.name: words_of(fact.label) - words_of(lower) - said - _NAMELESS for fact in found}
    found = [fact for fact in found if more[fact.name].isdisjoint(_OF_PARTS)]
    least = min((len(more[fact.name]) for fact in found), default=0)
    found = [fact for fact in found if len(more[fact.name]) == least]
    told = [[*each] for _, each in groupby(found, lambda fact: (report_of(fact), fact.sentence, fact.unit))]
    ranges = [_range(each) for each in told]
    return (ranges[0] if ranges else []), least == 0 and len({tuple(map(amount_of, each)) for each in ranges}) == 1


def _of_same(fact: Fact, named: Sequence[Named]) -> list[Named]:
    """What the label of a figure names that is named."""
    names = {each.name for each in named}
    return [each for each in find_measures(fact.label.lower()) if each.name in names]


def _is_of(fact: Fact, named: Sequence[Named], open_: frozenset[str]) -> bool:
    there = {each.name for each in _of_same(fact, named)}
    return open_ <= words_of(fact.label) and there == {each.name for each in named}


def _is_in(fact: Fact, years: Sequence[int]) -> bool:
    own = None if fact.period is None else fact.period.year
    return all(year == own or str(year) in fact.context for year in years)


def _range(facts: Sequence[Fact]) -> list[Fact]:
    """The first figure of a sentence, with the second where both are the ends of a range."""
    first, second = facts[0], facts[1] if len(facts) > 1 else None
    if second is None:
        return [first]
    between = first.context[first.end - first.context_start : second.start - first.context_start]
    return [first, second] if _TO.match(between) else [first]
