"""When the figures of a report's sentences are from, and what they are of, where the amounts themselves do not say.

`We have two billion preferred shares` is as of the report's own day; below `in 2024 the following were charged:` each
bullet is of 2024; what `we expect to pay in 2026` stands in the books today.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeGuard

from tieout.data.document import Document
from tieout.data.printed.amount import Amount
from tieout.data.printed.label import PER_SHARE, read_label
from tieout.data.printed.note import read_note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods
from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.data.printed.wording import is_outlook
from tieout.data.tables.table import Meaning
from tieout.data.tables.table_layout import MOST_SHARES
from tieout.kg.drafts.dating import DOCUMENT, Dated
from tieout.kg.drafts.draft import stated
from tieout.kg.drafts.fiscal_years import ReportCalendar
from tieout.kg.drafts.sentences.text import Sentence

SENTENCE_BEFORE, PARAGRAPH_BEFORE, SECTION = "sentence before", "paragraph before", "section"
MOST_PARAGRAPHS = 6  # in front of a sentence, of its section, among which what it goes on from is looked for
_BULLET = later(r"\s*[•●○■□▪▫◦‣·–—*-]\s*\S")
_FOOTNOTE = later(r"\s*(?:\([0-9a-z]{1,2}\)|[0-9]{1,2}(?=\s?[A-Z])|\*+|†)")
_NOW, _THEN = "now", "then"
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
_LATER_BEFORE = later(r"\bthereafter\W{0,4}$", re.IGNORECASE)
_LATER_BEHIND = later(r"\W{0,2}(?:in the years )?thereafter\b", re.IGNORECASE)
_AUXILIARIES = dict.fromkeys("is are has have will may".split(), _NOW) | dict.fromkeys(
    "was were had did".split(), _THEN
)
_TENSES = _AUXILIARIES | dict.fromkeys(
    (
        "can does do include includes consist consists require requires expect expects provide provides permit permits "
        "allow allows bear bears carry carries mature matures expire expires entitle entitles represent represents "
        "seek seeks believe believes estimates intend intends anticipate anticipates own owns operate operates "
        "maintain maintains vest vests ranges remain remains accounts give gives hold holds contain contains cover "
        "covers limit limits call calls match matches offer offers sponsor sponsors reflect reflects assume assumes "
        "approximate approximates employ employs serve serves classify classifies"
    ).split(),
    _NOW,
)
_TENSES |= dict.fromkeys(
    (
        "paid sold made received recognised recognized recorded issued acquired completed purchased repurchased "
        "increased decreased entered granted incurred included consisted represented amounted totaled totalled "
        "resulted borrowed repaid declared transferred settled reported generated invested contributed comprised "
        "applied placed awarded agreed approved announced declined grew rose fell used provided registered vested "
        "exercised sought closed began became reflected exchanged converted assigned charged reduced reallocated"
    ).split(),
    _THEN,
)
_TENSES |= {"amount to": _NOW, "amounts to": _NOW}
_IN_SCALE = later(r"\((?:amounts |dollars |[$£€] ?)?in (?:thousands|millions|billions)\b[^()]*\)", re.IGNORECASE)
_TOO_MUCH = 10**13  # of money, for any report
_WORD = later(r"amounts? to\b|\w+")
_AHEAD = later(
    r"\b(?:expect(?:s|ed)?|will|due|matur(?:e|es|ing|ity)|expir(?:e|es|ing)|remaining|future|scheduled|anticipate[sd]?|"
    r"thereafter|plan(?:s|ned)? to|intends?|estimated|commitments?|obligations?|unrecogni[sz]ed|ending|"
    r"carryforwards?|required)\b",
    re.IGNORECASE,
)


# `announced results for its second quarter of fiscal 2025`, `reports first quarter 2025 results`.
_RESULTS = later(
    r"\b(?:results|earnings|highlights)(?: of operations)? (?:for|of|in) (?:(?:its|the|our|their) )?"
    r"|\b(?:reports?|announces?|reported|announced) ",
    re.IGNORECASE,
)
_OF_MORE = later(r"\s*(?:,|and|&)\s*(?:the )?(?:first|full|fiscal|twelve|six|nine|year|half|h1|h2|fy)", re.IGNORECASE)
_CENTS, _FAR = -2, 160
_OF_SHARES = later(r"\b(?:shares?|stock|options|[rp]sus?|awards|units)\b", re.IGNORECASE)
_PRICE_OF = later(
    r"\b(?:(?:average|share|stock|exercise|strike|conversion|closing|purchase|offering)(?: [a-z-]+){0,2} prices?"
    r"|average(?: [a-z-]+){0,3} fair value)(?: [a-z]+){0,2}?(?: (?:of|at|was|were|is|in the range of|ranging from))?"
    r"(?: approximately)? ?$"
)
_LISTED = later(r"(?:[$€£]|[0-9][0-9,.]*|[,;]|\s|\b(?:and|to|or|between|from)\b)++$")  # amounts in front of another
MOST_BEHIND = 20  # paragraphs that a release goes on about the quarter that it announces


def announced(text: str, periods: Sequence[Period]) -> Period | None:
    """The period whose results a sentence announces, None for none or for more than one, as a quarter and its year."""
    for match in _RESULTS.finditer(text):
        rest = text[match.end() :]
        for period in periods:
            if rest.lower().startswith(period.label.lower()) and period.kind is not PeriodKind.DATE:
                behind = rest[len(period.label) :]
                is_title = match[0].lower().startswith(("report", "announce"))
                if _OF_MORE.match(behind) or (is_title and "results" not in behind[:40].lower()):
                    return None
                return period
    return None


def meaning_in_sentence(amount: Amount, named: str, sentence: Sentence, basis: int | None, counts: int = 1) -> Meaning:
    """What an amount of a report's sentence means. named: what it measures. basis: the scale that the report says for
    amounts of money in its sentences, None for none. counts: that of shares which say none.

    `The number of shares outstanding was 4,301,000,395` are shares, `dividends per share were $0.36` is a price.
    """
    said = stated(amount, "sentence")
    whole = amount.value * said.scale
    if counts > 1 and said.scale == 1 and whole * counts <= MOST_SHARES:
        counted = replace(said, unit=Unit.SHARES, unit_from="sentence", scale=counts, scale_from=DOCUMENT)
    else:
        counted = replace(said, unit=Unit.SHARES, unit_from="sentence")
    if said.unit is Unit.SHARES:
        return counted
    if said.unit is not None and not (is_currency(said.unit) and said.scale == 1):
        return said
    unit = read_label(named).unit if named else None
    if said.unit is None and unit is Unit.SHARES and whole == whole.to_integral():
        return counted
    exponent = amount.value.as_tuple().exponent
    if said.unit is not None and unit and unit.endswith(PER_SHARE) and isinstance(exponent, int) and exponent <= -2:
        return replace(said, unit=f"{said.unit}{PER_SHARE}")
    is_price = said.unit is not None and isinstance(exponent, int) and exponent <= _CENTS
    if is_price and _OF_SHARES.search(sentence.text) and _is_behind_price(amount, sentence):
        return replace(said, unit=f"{said.unit}{PER_SHARE}")
    noted = _noted(amount, sentence)
    scale = noted or basis
    if scale and is_currency(said.unit) and _can_be_scaled(amount, scale):
        return replace(said, scale=scale, scale_from="sentence" if noted else DOCUMENT)
    return said


def _is_behind_price(amount: Amount, sentence: Sentence) -> bool:
    """Whether an amount, or the list that it is in, stands behind what a share is worth: `at an average price of $1.52
    and $1.61`."""
    before = sentence.text[: max(0, amount.start - sentence.start)].lower()[-_FAR:]
    return bool(_PRICE_OF.search(_LISTED.sub("", before)))


def _noted(amount: Amount, sentence: Sentence) -> int | None:
    """The scale that the sentence notes in front of an amount: `costs were (in millions): 2025–$347.2`."""
    before = sentence.text[: max(0, amount.start - sentence.start)]
    match = _IN_SCALE.search(before)
    return read_note(match[0]).scale if match else None


def _can_be_scaled(amount: Amount, scale: int) -> bool:
    """Whether an amount may be in thousands or millions: no price with cents, and not so large that it is in full."""
    tenths = amount.value * 10
    return tenths == tenths.to_integral() and abs(amount.value) * scale < _TOO_MUCH


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _tense(words: Sequence[str], known: Mapping[str, str]) -> str | None:
    """That of the first verb that is known."""
    return next(filter(None, map(known.get, words)), None)


class Telling:
    """Reads the sentences of a report in order. calendar: of the report."""

    def __init__(self, document: Document, calendar: ReportCalendar) -> None:
        self.paragraphs, self.calendar = document.paragraphs, calendar
        self.starts = {section.paragraph: section.title for section in document.sections}
        self.own = calendar.own_day()
        self.paragraph = -1
        self.lead: Period | None = None
        self.said: list[tuple[int, Period]] = []  # paragraphs of the section with the only period of a sentence
        self.here: dict[str, Period] = {}  # the periods of the paragraph so far
        self.results: tuple[int, Period] | None = None  # what a release announces the results of, and where
        self.outlook: Period | None = None  # what the section is an outlook on: `FY24 Outlook`

    def when(self, sentence: Sentence, printed: Sequence[Dated | None]) -> list[Dated | None]:
        """The period of each amount of a sentence, and where it is stated. printed: as the sentence has it."""
        if sentence.paragraph != self.paragraph:
            self._next_paragraph(sentence.paragraph)
        found: list[Dated | None] = []
        if printed:
            words = _words(sentence.text)
            tense = _tense(words, _AUXILIARIES) or _tense(words, _TENSES)
            found = [self._one(sentence, each, tense) for each in printed]
        if self.own is None and sentence.periods and (period := announced(sentence.text, sentence.periods)):
            self.results = (sentence.paragraph, self.calendar.dated(period))
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
        if titles := [self.starts[each] for each in range(self.paragraph + 1, paragraph + 1) if each in self.starts]:
            self.said.clear()
            self.results = None
            periods = [period for period, _, _ in find_periods(titles[-1])] if is_outlook(titles[-1]) else []
            self.outlook = self.calendar.dated(periods[0]) if len(periods) == 1 else None
        self.paragraph = paragraph
        self.here = {}

    def _one(self, sentence: Sentence, printed: Dated | None, tense: str | None) -> Dated | None:
        if printed:
            return self._behind(sentence, printed, tense)
        text = self.paragraphs[sentence.paragraph]
        if self.lead and _BULLET.match(text):
            return self.lead, PARAGRAPH_BEFORE
        if tense == _THEN and self.results and sentence.paragraph - self.results[0] <= MOST_BEHIND:
            return self.results[1], PARAGRAPH_BEFORE
        if tense is None and self.outlook:  # a line of a list: `Net sales $5 million to $6 million`
            return self.outlook, SECTION
        if tense is None or self.own is None or _FOOTNOTE.match(text):
            return None
        if tense == _NOW:
            return self.own, DOCUMENT
        near = [period for at, period in self.said if sentence.paragraph - at <= MOST_PARAGRAPHS]
        return (near[-1], PARAGRAPH_BEFORE) if near else None

    def head(self, sentence: Sentence, amount: Amount, period: Period | None) -> str:
        """The year to come, or `thereafter`, by which a sentence lists an amount among others: `$5 million in 2025, $4
        million in 2026 and $3 million thereafter`; "" for any other amount. period: as the sentence has it."""
        if amount.unit in NOT_MEASURES or not self._is_ahead(period):
            return ""
        ahead = [each.period for each in sentence.mentions if self._is_ahead(each.period)]
        if len({each.year for each in ahead if each.kind in _YEARS}) < 2 or period.kind not in _YEARS:
            return ""
        start, end = amount.start - sentence.start, amount.end - sentence.start
        is_later = _LATER_BEFORE.search(sentence.text, 0, start) or _LATER_BEHIND.match(sentence.text, end)
        return "thereafter" if is_later else str(period.year)

    def _is_ahead(self, period: Period | None) -> TypeGuard[Period]:
        """Whether a period begins behind the report's own day: of a year to come its days may not be known."""
        if period is None or self.own is None or self.own.end is None:
            return False
        period = self.calendar.dated(period)
        if period.start is None and period.year is not None and period.kind in _YEARS:
            ends = self.calendar.fiscal.ends
            last = max((name for name, end in ends.items() if end <= self.own.end), default=self.own.end.year)
            return period.year > last + (ends.get(last, self.own.end) < self.own.end)
        return period.start is not None and period.start > self.own.end

    def _behind(self, sentence: Sentence, printed: Dated, tense: str | None) -> Dated | None:
        """What is stated, but for what lies ahead of the report: that is from its own day, or from the one it says."""
        period, where = printed
        if self.own is None or self.own.end is None:
            return printed
        if where == SENTENCE_BEFORE and tense == _NOW and period.start and not _FOOTNOTE.match(sentence.text):
            return self.own, DOCUMENT
        if not self._is_ahead(period):
            return printed
        is_schedule = len({each.period.key for each in sentence.mentions if self._is_ahead(each.period)}) > 1
        if not is_schedule and not _AHEAD.search(sentence.text):
            return printed
        # `in January 2026 we sold a business that is expected`
        if not is_schedule and _tense(_words(sentence.text), _TENSES) == _THEN:
            return printed
        days = [each.period for each in sentence.mentions if each.period and each.period.kind is PeriodKind.DATE]
        days = [each for each in map(self.calendar.dated, days) if each.end and each.end <= self.own.end]
        return (days[0], "sentence") if days else (self.own, DOCUMENT)
