"""The parts of a company that a question names loosely, under the names that the report has for them: `the pet food
business` of one that calls it `Pet Nutrition`, `optical` of `Optical Communications`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from tieout.data.printed.pattern import later
from tieout.kg.fact import Fact
from tieout.kg.figure import not_among, words_of
from tieout.kg.lineup import stems_of
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import find_measures

MOST_WORDS = 6  # of a name
_WORD = later(r"[a-z0-9]+(?:[&'’./-][a-z0-9]+)*")


@dataclass(frozen=True)
class PartNames:
    """What the parts are called of which a view has figures. facts: those of tables."""

    facts: Sequence[Fact]

    @cached_property
    def names(self) -> dict[frozenset[str], str]:
        """The names of the parts by the stems of their words; what is measured has none of a part."""
        said = {part: None for fact in self.facts for part in fact.parts if len(part.split()) <= MOST_WORDS}
        kept = (part for part in said if not find_measures(part.lower()))
        return {stems: part for part in kept if (stems := stems_of(part))}

    def named(self, words: frozenset[str]) -> frozenset[str]:
        """The names, as printed, of the parts that have no other words than these: `Canadian Operations` of Canada."""
        return frozenset(part for part, own in self._printed.items() if not not_among(own, words))

    @cached_property
    def _printed(self) -> dict[str, frozenset[str]]:
        said, aside = {part for fact in self.facts for part in fact.parts}, language().words["of a part"]
        return {part: words - aside or words for part in said if (words := words_of(part))}

    @cached_property
    def printed(self) -> frozenset[frozenset[str]]:
        """The stems of the lines, headings and columns of the tables."""
        return frozenset(
            map(stems_of, {text for each in self.facts for text in (each.label, each.section, each.header)})
        )

    def in_print(self, text: str, left: frozenset[str]) -> str:
        """A question with each part that it names loosely called as the report calls it. left: the words that nothing
        else accounts for."""
        for start, end in [*_runs(text, left)][::-1] if self.names and left else ():
            if (name := self._meant(text[start:end])) is not None:
                text = f"{text[:start]}{name}{text[end:]}"
        return text

    def _meant(self, said: str) -> str | None:
        """The one name of a part that some words mean; None where they are printed themselves, or mean several."""
        stems = stems_of(said)
        if any(stems <= each for each in self.printed - self.names.keys()) or stems in self.names:
            return None
        fits = []
        for own, name in self.names.items():
            more, left = own - stems, {word for word in words_of(said) if not stems_of(word) <= own}
            # `pet food` of `Pet` and of `Pet Nutrition`, and no `South Korea` of `South Africa`
            if own & stems and left <= language().words["of a kind"]:
                fits.append((len(left), len(more), own, name))
        fits.sort(key=lambda each: each[:2])
        if not fits or any(not fits[0][2] <= other[2] and other[0] <= fits[0][0] for other in fits[1:]):
            return None
        return fits[0][3]


def measured(label: str, parts: Iterable[str]) -> str:
    """What a label says that is measured of parts: `Total Bulk revenue` their revenue; "" for their names alone."""
    said = label
    for part in sorted(parts, key=len, reverse=True):
        said = re.sub(rf"(?<!\w){re.escape(part)}(?!\w)", " ", said, flags=re.IGNORECASE)
    return " ".join(language().forms["of a segment"].sub(" ", said.lower()).strip(" ,:-–—").split())


def is_result(label: str) -> bool:
    """Whether a label calls the result of a part of the company, which is that of its operations as a rule."""
    words, known = words_of(label), language().words
    before = words & known["before what"]  # `EBIT` in full; what is before taxes alone is of the company
    is_it = not before or before == known["before what"]
    return bool(words & known["results"]) and words <= known["results"] | known["of a result"] and is_it


def _runs(text: str, left: frozenset[str]) -> Iterator[tuple[int, int]]:
    """Where words stand beside each other that a question leaves open."""
    aside = language().words["of a part"] | language().words["function"] | language().words["asking"]
    words = [(each, bool(own := words_of(each[0])) and own <= left - aside) for each in _WORD.finditer(text.lower())]
    for is_open, each in groupby(words, key=lambda word: word[1]):
        start = end = 0
        for word, _ in each if is_open else ():
            if end and text[end : word.start()].strip():  # a comma
                yield start, end
                end = 0
            start, end = (start, word.end()) if end else word.span()
        if end:
            yield start, end
