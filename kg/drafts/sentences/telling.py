"""When the figures of a report's sentences are from, and what they are of, where the amounts themselves do not say.

`We have two billion preferred shares` is as of the report's own day; below `in 2024 the following were charged:` each
bullet is of 2024; what `we expect to pay in 2026` stands in the books today.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from tieout.data.document import Document
from tieout.data.printed.amount import Amount
from tieout.data.printed.label import PER_SHARE, read_label
from tieout.data.printed.periods.period import Period, PeriodKind
from tieout.data.printed.unit import Unit, is_currency
from tieout.data.tables.table import Meaning
from tieout.kg.drafts.dating import DOCUMENT, Dated
from tieout.kg.drafts.draft import stated
from tieout.kg.drafts.fiscal_years import ReportCalendar
from tieout.kg.drafts.sentences.text import Sentence

SENTENCE_BEFORE, PARAGRAPH_BEFORE = "sentence before", "paragraph before"
MOST_PARAGRAPHS = 6  # in front of a sentence, of its section, among which what it goes on from is looked for
_BULLET = re.compile(r"\s*[•●○■□▪▫◦‣·–—*-]\s*\S")
_FOOTNOTE = re.compile(r"\s*(?:\([0-9a-z]{1,2}\)|[0-9]{1,2}(?=\s?[A-Z])|\*+|†)")
_NOW = (
    r"is|are|has|have|will|may|can|does|do|includes?|consists?|requires?|expects?|provides?|permits?|allows?|bears?|"
    r"carry|carries|matures?|expires?|entitles?|represents?|seeks?|believes?|estimates|intends?|anticipates?|owns?|"
    r"operates?|maintains?|vests?|ranges|remains?|accounts|gives?|holds?|contains?|covers?|limits?|calls?|amounts? to|"
    r"match(?:es)?|offers?|sponsors?|reflects?|assumes?|approximates?|employs?|serves?|classify|classifies"
)
_THEN = (
    r"was|were|had|did|paid|sold|made|received|recogni[sz]ed|recorded|issued|acquired|completed|purchased|"
    r"repurchased|increased|decreased|entered|granted|incurred|included|consisted|represented|amounted|totall?ed|"
    r"resulted|borrowed|repaid|declared|transferred|settled|reported|generated|invested|contributed|comprised|"
    r"applied|placed|awarded|agreed|approved|announced|declined|grew|rose|fell|used|provided|registered|vested|"
    r"exercised|sought|closed|began|became|reflected|exchanged|converted|assigned|charged|reduced|reallocated"
)
_VERB = re.compile(rf"\b(?:(?P<now>{_NOW})|(?P<then>{_THEN}))\b", re.IGNORECASE)
_AUXILIARY = re.compile(r"\b(?:(?P<then>was|were|had|did)|(?P<now>is|are|has|have|will|may))\b", re.IGNORECASE)
_AHEAD = re.compile(
    r"\b(?:expect(?:s|ed)?|will|due|matur(?:e|es|ing|ity)|expir(?:e|es|ing)|remaining|future|scheduled|anticipate[sd]?|"
    r"thereafter|plan(?:s|ned)? to|intends?|estimated|commitments?|obligations?|unrecogni[sz]ed|ending|"
    r"carryforwards?)\b",
    re.IGNORECASE,
)


def meaning_in_sentence(amount: Amount, named: str) -> Meaning:
    """What an amount of a report's sentence means. named: what it measures.

    `The number of shares outstanding was 4,301,000,395` are shares, `dividends per share were $0.36` is a price.
    """
    said = stated(amount, "sentence")
    if said.unit is not None and not (is_currency(said.unit) and said.scale == 1):
        return said
    unit = read_label(named).unit if named else None
    if said.unit is None and unit is Unit.SHARES and amount.value == amount.value.to_integral():
        return replace(said, unit=unit, unit_from="sentence")
    exponent = amount.value.as_tuple().exponent
    if said.unit is not None and unit == PER_SHARE and isinstance(exponent, int) and exponent <= -2:
        return replace(said, unit=f"{said.unit}{PER_SHARE}")
    return said


class Telling:
    """Reads the sentences of a report in order. calendar: of the report."""

    def __init__(self, document: Document, calendar: ReportCalendar) -> None:
        self.paragraphs, self.calendar = document.paragraphs, calendar
        self.starts = frozenset(section.paragraph for section in document.sections)
        self.own = calendar.own_day()
        self.paragraph = -1
        self.lead: Period | None = None
        self.said: list[tuple[int, Period]] = []  # paragraphs of the section with the only period of a sentence
        self.here: dict[str, Period] = {}  # the periods of the paragraph so far

    def when(self, sentence: Sentence, printed: Sequence[Dated | None]) -> list[Dated | None]:
        """The period of each amount of a sentence, and where it is stated. printed: as the sentence has it."""
        if sentence.paragraph != self.paragraph:
            self._next_paragraph(sentence.paragraph)
        found: list[Dated | None] = []
        if printed:
            verb = _AUXILIARY.search(sentence.text) or _VERB.search(sentence.text)
            found = [self._one(sentence, each, verb) for each in printed]
        for each in map(self.calendar.dated, sentence.periods):
            self.here[each.key] = each
        return found

    def _next_paragraph(self, paragraph: int) -> None:
        last = self.paragraphs[self.paragraph] if self.paragraph >= 0 else ""
        only = next(iter(self.here.values())) if len(self.here) == 1 else None
        if last.rstrip().endswith(":"):
            self.lead = only
        elif not _BULLET.match(self.paragraphs[paragraph]):
            self.lead = None
        if only and only.end:
            self.said.append((self.paragraph, only))
        if any(each in self.starts for each in range(self.paragraph + 1, paragraph + 1)):
            self.said.clear()
        self.paragraph = paragraph
        self.here = {}

    def _one(self, sentence: Sentence, printed: Dated | None, verb: re.Match[str] | None) -> Dated | None:
        if printed:
            return self._behind(sentence, printed, verb)
        text = self.paragraphs[sentence.paragraph]
        if self.lead and _BULLET.match(text):
            return self.lead, PARAGRAPH_BEFORE
        if verb is None or self.own is None or _FOOTNOTE.match(text):
            return None
        if verb["now"]:
            return self.own, DOCUMENT
        near = [period for at, period in self.said if sentence.paragraph - at <= MOST_PARAGRAPHS]
        return (near[-1], PARAGRAPH_BEFORE) if near else None

    def _behind(self, sentence: Sentence, printed: Dated, verb: re.Match[str] | None) -> Dated | None:
        """What is stated, but for what lies ahead of the report: that is from its own day, or from the one it says."""
        period, where = printed
        if self.own is None or self.own.end is None or period.start is None:
            return printed
        if where == SENTENCE_BEFORE and verb and verb["now"] and not _FOOTNOTE.match(sentence.text):
            return self.own, DOCUMENT
        first = _VERB.search(sentence.text)
        has_happened = first is not None and bool(
            first["then"]
        )  # `in January 2026 we sold a business that is expected`
        if period.start <= self.own.end or has_happened or not _AHEAD.search(sentence.text):
            return printed
        days = [each.period for each in sentence.mentions if each.period and each.period.kind is PeriodKind.DATE]
        days = [each for each in map(self.calendar.dated, days) if each.end and each.end <= self.own.end]
        return (days[0], "sentence") if days else (self.own, DOCUMENT)
