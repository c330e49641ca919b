"""Paragraphs into sentences and their amounts, each with its period and with what it measures.

In `$ 127.1 million , $ 160 million and $ 143 million for 2008 , 2009 and 2010 , respectively` each amount gets its
own year; in
`interest and fees were $ 5 and $ 3 , respectively` each gets its own item.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tieout.data.document import Tag
from tieout.data.printed.amount import Amount, read_amounts
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, find_periods, read_period, year_before
from tieout.data.printed.periods.timespan import part_of
from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.drafts.sentences.comparison import is_a_year_ago, is_change, is_compared_with
from tieout.kg.drafts.sentences.phrase import EMPTY, Namer, Phrase, blank, has_content

_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
_LENGTHS = frozenset((Unit.MONTHS, Unit.YEARS, Unit.COUNT, None))
LONGEST_SENTENCE = 5_000  # characters: what is longer is a table printed as text, or no text
_NEAR = 24  # characters around a list of times among which something parts them
FAR = 140  # characters between an amount and a period behind it, beyond which they are not about each other


@dataclass(slots=True)
class Mention:
    """One amount of a sentence.

    amount: its span is in the paragraph. period_from: `sentence`, `sentence before`, None where not stated. tag: what
    the file itself says of it. is_earlier: another amount is compared with it, so that it is not from the time that the
    sentence is about. also: the other times that the sentence says it of: `$ 97 million at both May 31, 2023 and 2022`.
    """

    amount: Amount
    phrase: Phrase
    period: Period | None
    period_from: str | None
    tag: Tag | None = None
    is_earlier: bool = False
    also: tuple[Period, ...] = ()


@dataclass(slots=True)
class Sentence:
    """index: in the document, from 0. paragraph: index in `Document.paragraphs`. start, end: its span there. periods:
    those that a sentence of a report states."""

    index: int
    paragraph: int
    start: int
    end: int
    text: str
    mentions: tuple[Mention, ...]
    periods: tuple[Period, ...] = ()


_SENTENCE_END = later(r"(?<=[^\s.])\s?[.?!]\s+(?=[a-z0-9$(\"“])", re.IGNORECASE)
_ABBREVIATION = later(
    r"(?:\b(?:[a-z]|u\.s|u\.k|e\.g|i\.e|inc|corp|co|ltd|llc|no|nos|vs|st|dr|mr|mrs|ms|jr|approx|dept|reg|est|jan|feb|"
    r"mar|apr|jun|jul|"
    r"aug|sep|sept|oct|nov|dec|n\.a|s\.a|l\.p|p\.a|a\.m|p\.m|rs|mio|mrd|tsd))$",
    re.IGNORECASE,
)
_TAIL = (
    r"(?:\s?-?(?:(?:[a-z]+ )?shares?(?: of (?:our |its )?(?:[a-z]+ )?stock)?|options?|units?|years?|months?|days?|"
    r"per (?:[a-z]+ )?share|"
    r"basis points|employees|barrels|times|square feet))?"
)
_JOIN = later(_TAIL + r"\s*(?:,|,?\s*and|,?\s*or|/)\s*(?:an?\s|approximately\s|about\s|the\s)?\s*")
# In a report as published, `losses of $ 349 million, losses of $ 172 million`, `31,063; 31,979; and 33,185 shares`.
_JOIN_OF = later(
    _TAIL + r"\s*(?:[,;]|[,;]?\s*and|,?\s*or)\s*(?:an?\s|approximately\s|about\s|the\s)?\s*"
    r"(?:(?:net |pre-?tax )?(gains?|loss(?:es)?|income|expenses?|charges?|benefits?|increases?|decreases?|credits?) "
    r"of )?(?:approximately )?"
)
_COMPARED = later(
    _TAIL + r"\s*,?\s*(?:as )?(?:compared (?:to|with)|versus|vs ?\.?)\s*(?:an?\s|approximately\s|about\s)?\s*"
)
_OR = later(_TAIL + r"\s*,?\s*\(?or\s*(?:an?\s|approximately\s|about\s)?\s*")
_RANGE = later(r"\s*(?:to|-|–|—|2013|2014|through|and)\s*")
_PERIOD_JOIN = later(
    r"\s*,?\s*(?:and|or|/|as well as|(?:as )?compared (?:to|with)|versus|over)?\s*(?:(?:at|as of|in|for) )?"
    r"(?:the )?(?:same period (?:of|in) )?(?:years? )?(?:fiscal )?"
)
_SAME = later(
    r"\b(?:same|comparable|corresponding|like|prior[- ]year)(?: (?:three|six|nine)[- ]month)?"
    r" (?:periods?|quarters?|months) (?:of|in|for|during) (?:the )?(?:fiscal )?(?:year )?$"
)
_NAMED = later(
    r"\b(?:due|maturing|matures?|maturity|expir(?:es|ing|e|ation)|until|through|thereafter|after|before)(?: in| "
    r"on| through)?\s*$"
)
_YEAR_RANGE = later(r"\b(?P<first>20\d\d)\s*(?:through|to|-|–)\s*(?:(?:fiscal|and including) )?(?P<last>20\d\d)\b")
_NAMES = later(
    r" (?:(?!(?:we|the|our|it|its|was|were|is|are|and|or|of|for|in|to|from|by|at|on|compared|as)\b)[a-z-]+ ){0,2}"
    r"(?:plans?|notes|debentures|bonds|act|facility|program|warrants|indenture|proxy|tax act|incentive|"
    r"restructuring|swaps?|"
    r"term loan|revolver|peer group)\b"
)
_NAMES_PUBLISHED = later(
    r" (?:tax|model|performance|plan|vesting|grant|policy|accident) (?:years?|periods?|cycles?)\b"
    r"| (?:[a-z]+ ){0,2}(?:offering|agreement|awards?|grants|espp|senior|convertible|credit)\b"
)
# `second fiscal quarter`, whose last day is stated
_LAST_OF = later(r"\bmost recent(?:ly completed)? (?:fiscal )?$|\blast (?:business )?day of [^.,;$]{0,40}$")
_UNTIL_DAY = later(r"\b(?:until|through)\s*$")
_RUNS_OUT = later(r"\b(?:due|matur|expir|available|extend|term|effective|option|renew|lease|agreement|contract)")
_CAPITAL = later(r" [A-Z][A-Za-z]")
_ARTICLE = later(r"\b(?:the|its|our|this|their|such|under|each|and|of)\s*$")
_COMPARES = later(r"\b(?:compared (?:to|with)|versus|than|over|from)(?: the| year| fiscal| years| ended)*\s*$")
_OPENS_NOTE = later(r"\(\s*(?:(?:as )?(?:at|of|in) )?$", re.I)
_CONTRASTS = later(r"\b(?:compared (?:to|with)|versus)\b")
_BETWEEN = later(r"\bbetween\b[^,]*$")
_FROM = later(r"\s*from\b")
# What parts the times of a list, so that an amount is not said of each: in front of it, inside, and behind it.
_SPANS = later(r"\b(?:between|from|through|over|until|since|combined|aggregate|cumulative|in total)\b")
_PARTS = later(r"\b(?:compared|versus|over|or|to|through)\b")
_RESPECTIVELY = later(r"\brespectively\b")
_NOTHING = later(
    r"(?:(?:nil|zero|none|no)(?: million| billion)?(?:\s*,\s*(?:and )?|\s+and\s+))+(?:an?\s|approximately\s|about\s)?$"
)
_NONE = later(r"\b(?:nil|zero|none|no)\b")
_CODE = later(r"(?<!\S)(?:201[34]|2022|2030)(?!\S)")
_ITEM_JOIN = later(r"\s,\s(?:and|or)\s|\s,\s|\s(?:and|or)\s")


def read_sentences(paragraphs: Sequence[str], coded: bool = False) -> Iterator[Sentence]:
    """The sentences of a document in order, with every amount in them. coded: whether the text may hold codes."""
    index = 0
    before: _Reader | None = None
    for number, paragraph in enumerate(paragraphs):
        amounts = read_amounts(paragraph, coded)
        first = 0
        for start, end in _split(paragraph):
            text = paragraph if end - start == len(paragraph) else paragraph[start:end]
            after = bisect_left(amounts, end, first, key=_start)
            inside, first = _within(amounts[first:after], end), after
            reader = _Reader(text, start, inside, before)
            mentions = reader.mentions(number)
            periods = tuple(each[0] for found in reader.open_lists for each in found)
            yield Sentence(index, number, start, end, text, mentions, periods)
            if not inside and not reader.lists and before and before.paragraph == number:
                reader = before  # a sentence without dates leaves those of the one before standing
            reader.paragraph = number
            before = reader
            index += 1


def split_sentences(paragraphs: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The sentences of a document in order, as read_sentences tells them apart: index, paragraph, text."""
    index = 0
    for number, paragraph in enumerate(paragraphs):
        for start, end in _split(paragraph):
            yield index, number, paragraph[start:end]
            index += 1


def _start(amount: Amount) -> int:
    return amount.start


def _within(amounts: tuple[Amount, ...], end: int) -> tuple[Amount, ...]:
    """Amounts that end where their sentence does: one that reaches over the cut of a long sentence ends there."""
    if amounts and amounts[-1].end > end:
        return (*amounts[:-1], replace(amounts[-1], end=end))
    return amounts


@lru_cache(maxsize=8192)
def _split(paragraph: str) -> tuple[tuple[int, int], ...]:
    """Sentences inside one paragraph: most paragraphs are one. Asked for twice of a report: for its facts and for the
    index."""
    return tuple(_sentences(paragraph))


def _sentences(paragraph: str) -> Iterator[tuple[int, int]]:
    """A point behind an abbreviation, or between numbers, ends no sentence."""
    start = 0
    if ". " in paragraph or "? " in paragraph or "! " in paragraph:
        for match in _SENTENCE_END.finditer(paragraph):
            head = paragraph[max(start, match.start() - 12) : match.start()]
            if not _ABBREVIATION.search(head):
                yield from _cut(paragraph, start, match.end())
                start = match.end()
    yield from _cut(paragraph, start, len(paragraph))


def _cut(paragraph: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """A sentence as it is, or, where it is longer than any is, in pieces that end at a space."""
    while end - start > LONGEST_SENTENCE:
        cut = paragraph.rfind(" ", start, start + LONGEST_SENTENCE) + 1 or start + LONGEST_SENTENCE
        yield start, cut
        start = cut
    yield start, end


def _in_year(found: list[tuple[Period, int, int]], only: Period | None) -> list[tuple[Period, int, int]]:
    """The periods of a list, a quarter without a year in that of the list, `second quarter and first half of 2024`, or
    in the only one of the sentence."""
    whole = next((each for each, _, _ in found if each.year is not None), only)
    return [
        (part_of(each, whole) if whole and each.kind is PeriodKind.QUARTER else each, start, end)
        for each, start, end in found
    ]


@dataclass(slots=True)
class _Group:
    """Amounts in one list. elements: their indices, those of a range together. is_row: they are a row of a table."""

    elements: list[list[int]]
    start: int
    end: int
    is_row: bool = False
    is_before: bool = False
    """It is what the next amount came from: `20` in `grew from 20 to 25`."""


class _Reader:
    """Reads one sentence. Spans are in the sentence until the mentions are made. before: the sentence in front of
    it."""

    def __init__(self, text: str, offset: int, printed: tuple[Amount, ...], before: _Reader | None) -> None:
        lower = text.lower()
        self.text = lower if len(lower) == len(text) else text
        self.printed_text = text
        self.printed = printed
        self.amounts = (
            [replace(each, start=each.start - offset, end=each.end - offset) for each in printed] if offset else printed
        )
        self.before = before
        self.paragraph = -1
        self.left_standing: Period | None = None
        self.of_earlier: list[list[tuple[Period, int, int]]] = []  # periods of amounts that others are compared with
        self.subject = ""  # what the first amount measures
        self.nearest: dict[int, list[tuple[Period, int, int]]] = {}  # of one amount alone the list that dates it

    @cached_property
    def periods(self) -> list[tuple[Period, int, int]]:
        """The periods stated. The code of a dash, which reads like a year, is none."""
        dates = [(each.start, each.end) for each in self.amounts if each.unit in NOT_MEASURES]
        stated = [
            found
            for found in find_periods(self.text)
            if found[0].year is None or any(start < found[2] and found[1] < end for start, end in dates)
        ]
        return [(self._same_part(stated[:at], *each), *each[1:]) for at, each in enumerate(stated)]

    def _same_part(self, before: Sequence[tuple[Period, int, int]], period: Period, start: int, _: int) -> Period:
        """Of `the three months ended June 30, 2025, compared to the same period in 2024` the last three months; any
        other period as it is. before: the periods in front of it."""
        if period.kind not in _YEARS or not _SAME.search(self.text, max(0, start - FAR), start):
            return period
        part = next((each for each, _, _ in reversed(before) if each.kind not in _YEARS and each.year), None)
        said = read_period(part.label.replace(str(part.year), str(period.year))) if part else None
        return replace(said, label=period.label) if said and said.kind is not PeriodKind.DATE else period

    @cached_property
    def lists(self) -> list[list[tuple[Period, int, int]]]:
        """The periods in lists: `2008 , 2009 and 2010` is one. Years that name something (`notes due 2021`) are
        left out."""
        lists: list[list[tuple[Period, int, int]]] = []
        for each in self.periods:
            if self._is_name(each):
                continue
            last = lists[-1][-1][2] if lists else 0
            if lists and each[1] - last <= FAR and _PERIOD_JOIN.fullmatch(self.text, last, each[1]):
                lists[-1].append(each)
            else:
                lists.append([each])
        years = {each[0].key: each[0] for found in lists for each in found if each[0].kind in _YEARS}
        return [_in_year(each, next(iter(years.values())) if len(years) == 1 else None) for each in lists]

    def _is_name(self, found: tuple[Period, int, int]) -> bool:
        """Whether a period names something else than when the figures are from: `notes due 2021`, `the 2024 Plan`."""
        period, start, end = found
        if _UNTIL_DAY.search(self.text, max(0, start - 24), start) and period.kind is PeriodKind.DATE:
            return bool(_RUNS_OUT.search(self.text, max(0, start - 60), start))
        if _NAMES_PUBLISHED.match(self.text, end) or _LAST_OF.search(self.text, max(0, start - 60), start):
            return True
        if period.kind in (PeriodKind.YEAR, PeriodKind.SPAN) and _CAPITAL.match(self.printed_text, end):
            return bool(_ARTICLE.search(self.text, max(0, start - 12), start))
        return bool(_NAMED.search(self.text, max(0, start - 24), start) or _NAMES.match(self.text, end))

    def mentions(self, paragraph: int = -1) -> tuple[Mention, ...]:
        """The mentions in order. paragraph: its index."""
        if not self.printed:
            self._take_standing(paragraph)
            return ()
        periods: dict[int, tuple[Period | None, str | None]] = {}
        phrases: dict[int, Phrase] = {}
        groups = self._groups()
        earlier = self._compare(groups, periods)
        if groups:
            namer, taken = Namer(self._blanked(), self.before.subject if self.before else ""), set[int]()
            for at, group in enumerate(groups):
                low = groups[at - 1].end if at else 0
                high = groups[at + 1].start if at + 1 < len(groups) else len(self.text)
                if at not in earlier:
                    self._date(group, low, high, taken, periods)
                phrase = namer.name(group.start, group.end, high, group.is_row)
                self.subject = self.subject or phrase.text
                self._name(group, phrase, phrases)
        self._date_a_year_before(groups, earlier, periods)
        then = {index for at in earlier for element in groups[at].elements for index in element}
        if standing := self._take_standing(paragraph):
            periods = {
                index: periods.get(index, (None, None) if index in then else (standing, "sentence before"))
                for index in range(len(self.printed))
            }
        also = self._also(periods)
        return tuple(
            Mention(
                *(amount, phrases.get(index, EMPTY), *periods.get(index, (None, None))),
                is_earlier=index in then,
                also=also.get(index, ()),
            )
            for index, amount in enumerate(self.printed)
        )

    def _take_standing(self, paragraph: int) -> Period | None:
        """The period that the sentence before leaves standing in the same paragraph; None where this one states any."""
        if not self.open_lists and self.before and self.before.paragraph == paragraph:
            self.left_standing = self.before.standing
        return self.left_standing

    def _also(self, periods: Mapping[int, tuple[Period | None, str | None]]) -> dict[int, tuple[Period, ...]]:
        """The other times of an amount that alone is said of all that a list names, days or years: `was $ 97 million
        at both December 31, 2023 and 2022`."""
        found = {}
        for index, named in self.nearest.items():
            is_shared = sum(each is named for each in self.nearest.values()) > 1
            first, last = named[0], named[-1]
            is_parted = (
                _SPANS.search(self.text, max(0, first[1] - _NEAR), first[1])
                or _PARTS.search(self.text, first[2], last[1])
                or _RESPECTIVELY.search(self.text, last[2], last[2] + _NEAR)
            )
            if len(named) > 1 and not is_shared and not is_parted and periods[index][0] is first[0]:
                found[index] = tuple(period for period, _, _ in named[1:])
        return found

    def _compare(
        self, groups: Sequence[_Group], periods: dict[int, tuple[Period | None, str | None]]
    ) -> dict[int, bool]:
        """The groups of one amount that others are compared with, each dated by what is printed right at it.

        In the texts of pages, whose tokens are set apart, none are told.
        """
        earlier: dict[int, bool] = {}
        for at, group in enumerate(groups):
            last = (groups[at - 1].start, groups[at - 1].end) if at else None
            is_ago = is_a_year_ago(self.text, group.end)
            if len(group.elements) > 1 or not (
                is_ago or group.is_before or is_compared_with(self.text, group.start, last)
            ):
                continue
            earlier[at] = is_ago
            last_of_it = self._restated(groups, at)
            high = groups[last_of_it + 1].start if last_of_it + 1 < len(groups) else len(self.text)
            low = groups[last_of_it].end
            if own := next((each for each in self.lists if low <= each[0][1] < high), None):
                self.of_earlier.append(own)
                for same in range(at, last_of_it + 1):
                    earlier[same] = is_ago
                    periods.update(dict.fromkeys(groups[same].elements[0], (own[0][0], "sentence")))
        return earlier

    def _restated(self, groups: Sequence[_Group], at: int) -> int:
        """The last group that says the same as one of a comparison in another unit: `compared with $ 5 million, or $ 1
        per share, in 2023`."""
        last = at
        while last + 1 < len(groups) and len(groups[last + 1].elements) == 1:
            between = self.text[groups[last].end : groups[last + 1].start]
            if len(between) > FAR or not _OR.fullmatch(between):
                break
            last += 1
        return last

    def _date_a_year_before(
        self,
        groups: Sequence[_Group],
        earlier: dict[int, bool],
        periods: dict[int, tuple[Period | None, str | None]],
    ) -> None:
        """`was $ 371 at June 30, 2025, up from $ 310 a year ago`: of the day a year before that of the amount in
        front."""
        for at, is_ago in earlier.items():
            (index,) = groups[at].elements[0][:1]
            now, _ = periods.get(groups[at - 1].elements[-1][-1], (None, None)) if at else (None, None)
            if is_ago and index not in periods and at - 1 not in earlier and now and now.year is not None:
                then = (year_before(now, now.year), "sentence")
                periods.update(dict.fromkeys(groups[at].elements[0], then))

    @cached_property
    def _noted(self) -> list[list[tuple[Period, int, int]]]:
        return [each for each in self.lists if self._is_noted(each)]

    @property
    def open_lists(self) -> list[list[tuple[Period, int, int]]]:
        """The periods in lists that the sentence is about: not those of one amount alone that others are compared
        with."""
        return [each for each in self.lists if each not in self.of_earlier and each not in self._noted]

    @property
    def standing(self) -> Period | None:
        """The period that holds for the next sentence of the paragraph: the only one stated, in it or before it."""
        if not self.open_lists:
            return self.left_standing
        keys = {each[0].key: each[0] for found in self.open_lists for each in found}
        return next(iter(keys.values())) if len(keys) == 1 else None

    def _blanked(self) -> str:
        """The sentence without its periods, and with a bar for each code of a dash or bullet, where another part
        of it begins."""
        text = blank(self.text, [(each[0][1], each[-1][2]) for each in self.lists])
        for match in _CODE.finditer(text):
            if not any(each.start <= match.start() < each.end for each in self.amounts):
                text = f"{text[: match.start()]}|   {text[match.end() :]}"
        return text

    def _groups(self) -> list[_Group]:
        """The amounts that measure something, those of a list or a range together."""
        groups: list[_Group] = []
        last: Amount | None = None
        for index, amount in enumerate(self.amounts):
            if amount.unit in NOT_MEASURES or self._is_in_period(amount):
                continue
            how = self._joined(last, amount) if last is not None else None
            if how is None or how == "change":
                if how:
                    groups[-1].is_before = True
                groups.append(_Group([[index]], amount.start, amount.end))
            else:
                group = groups[-1]
                if how == "range":
                    group.elements[-1].append(index)
                else:
                    group.elements.append([index])
                group.end = amount.end
                group.is_row = group.is_row or how == "row"
            last = amount
        return groups

    def _is_in_period(self, amount: Amount) -> bool:
        """Whether an amount is part of a period: the three of `three months ended June 30`."""
        if amount.unit not in _LENGTHS:
            return False
        return any(start <= amount.start and amount.end <= end for _, start, end in self.periods)

    def _joined(self, last: Amount, amount: Amount) -> str | None:
        """How an amount goes on from the last: `range`, `list`, `row` (of a table printed as text), `change` (from
        the one to the other), or not at all."""
        if None not in (last.unit, amount.unit) and last.unit != amount.unit:
            return None
        if amount.start - last.end > FAR:  # spaces without end, or other words: what joins two amounts is short
            return None
        between = self.text[last.end : amount.start]
        if _RANGE.fullmatch(between):
            if is_change(self.text, last.start, between):
                return "change"
            is_pair = between.strip() == "and" and not _BETWEEN.search(self.text, max(0, last.start - 40), last.start)
            return "list" if is_pair else "range"
        if not between.strip():
            return "row"
        if last.unit != amount.unit and "," in between and _OR.fullmatch(between):
            return None  # `$ 5 million, or 8.2 points` are the same in two units
        if _JOIN.fullmatch(between) or self._is_of_same(last, between):
            return "list"
        return "list" if _COMPARED.fullmatch(between) and any(len(each) == 2 for each in self.lists) else None

    def _is_of_same(self, last: Amount, between: str) -> bool:
        """Whether a further amount of the same is joined: `losses of $ 349 million, losses of $ 172 million`, and not
        `a gain of $ 8 million, and a loss of $ 4 million`."""
        found = _JOIN_OF.fullmatch(between)
        noun = (found[1] or "")[:4] if found else ""
        before = self.text[max(0, last.start - FAR) : last.start]
        return found is not None and (noun not in ("gain", "loss") or noun in before)

    def _date(
        self, group: _Group, low: int, high: int, taken: set[int], periods: dict[int, tuple[Period | None, str | None]]
    ) -> None:
        """Gives each amount of a group its period: its own one of an equally long list, else the nearest that is
        stated."""
        paired: Sequence[Period] | None = None
        where = "sentence"
        count = len(group.elements)
        if count > 1 or _NOTHING.search(self.text, max(0, group.start - FAR), group.start):
            paired = self._list_for(group, count, low, high)
            if paired is None and count > 1 and not self.lists and self.before:
                # `interest was $ 5 and $ 4 in 2007 and 2006 . taxes were $ 2 and $ 1 .`
                fitting = next((each for each in self.before.lists if len(each) == count), None)
                if fitting:
                    paired, where = [period for period, _, _ in fitting], "sentence before"
        if paired is None:
            nearest = self._nearest(group, low, high, taken)
            paired = [nearest] * count if nearest else []
            named = next((each for each in self.lists if each[0][0] is nearest), None)
            if count == 1 and named:
                self.nearest[group.elements[0][0]] = named
        for element, period in zip(group.elements, paired, strict=False):
            for index in element:
                periods[index] = (period, where)

    def _list_for(self, group: _Group, count: int, low: int, high: int) -> Sequence[Period] | None:
        """The list of as many periods: behind the amounts, else in front of them, nearer than other amounts if
        there is one. `nil, nil and $ 5 million` are three."""
        nothing = _NOTHING.search(self.text[: group.start])
        missing = len(_NONE.findall(nothing[0])) if nothing else 0
        count += missing
        fitting = [each for each in self.lists if len(each) == count and each not in self.of_earlier]
        near = [each for each in fitting if group.end <= each[0][1] < high]
        near += [each for each in reversed(fitting) if low <= each[0][1] < group.start]
        near += [each for each in fitting if each[0][1] >= high]
        near += [each for each in reversed(fitting) if each[0][1] < low]
        return ([period for period, _, _ in near[0]] if near else self._each_year(count))[missing:] or None

    def _each_year(self, count: int) -> list[Period]:
        """The years of a range that has as many: `in 2026 through 2028 are $ 6, $ 3 and $ 5`; none where none has."""
        for match in _YEAR_RANGE.finditer(self.text):
            first, last = int(match["first"]), int(match["last"])
            own = next((each for each, start, end in self.periods if start <= match.start("first") < end), None)
            if own is not None and last - first + 1 == count:
                label = own.label if own.kind in _YEARS else match["first"]
                said = (read_period(label.replace(match["first"], str(year))) for year in range(first, last + 1))
                return [each for each in said if each is not None]
        return []

    def _nearest(self, group: _Group, low: int, high: int, taken: set[int]) -> Period | None:
        """The period of a group that is not in a list with it: the one next to it, else that of its clause or of
        its sentence.

        `in 2007 , we paid $ 5 million of notes due in march 2009` is about 2007, `we paid $ 5 million in march
        2009` is not.
        taken: where the periods begin that stand behind the amount they belong to, and so are not the next one's.
        """
        own = next((each for each in self._noted if not self.text[each[0][2] : group.start].strip(" :$€£¥")), None)
        if own and own[0][2] < group.start:
            return own[0][0]
        apart = [*self._noted, *self.of_earlier]
        starts = [(each[0][1], each) for each in self.lists if each not in apart]
        for start, each in starts:
            if group.start <= start < group.end:
                return each[0][0]
        behind = next((each for start, each in starts if group.end <= start < high), None)
        if behind and self._is_next_to(group.end, behind[0][1]):
            taken.add(behind[0][1])
            return behind[0][0]
        in_front = [each for start, each in starts if start < group.start]
        if in_front and in_front[-1][0][1] >= low and in_front[-1][0][1] not in taken:
            return in_front[-1][0][0]
        opening = next((each for each in in_front if not has_content(self.text[: each[0][1]])), None)
        if opening:
            return opening[0][0]
        if behind and behind[0][1] - group.end < FAR and not self._is_compared(behind[0][1]):
            taken.add(behind[0][1])
            return behind[0][0]
        if _FROM.match(self.text, group.end) and starts:  # `grew $ 5 from $ 20 in 2000 to $ 25 in 2001`
            return starts[-1][1][0][0]
        later = [each for start, each in starts if start - group.end < FAR and not self._is_compared(start)]
        if _CONTRASTS.search(
            self.text, low, group.start
        ):  # `141 in 2008 , compared to 132 shops and 86 stores in 2007`
            in_front, later = [each for start, each in starts if start >= group.end], in_front[::-1]
        return next((each[0][0] for each in (*reversed(in_front), *later)), None)

    def _is_noted(self, found: Sequence[tuple[Period, int, int]]) -> bool:
        """Whether a period is that of one amount alone, behind it in brackets: `was $ 5 (2018: $ 4)`."""
        opens = _OPENS_NOTE.search(self.text, max(0, found[0][1] - 12), found[0][1])
        return bool(opens) and self.text[found[0][2] :].lstrip()[:1] == ":"

    def _is_next_to(self, end: int, start: int) -> bool:
        """Whether nothing but small words stands between an amount and a period, and no new clause begins there."""
        between = self.text[end:start]
        return not has_content(between) and " and " not in between and ";" not in between

    def _is_compared(self, start: int) -> bool:
        """Whether the period at start is what another one is compared with."""
        return bool(_COMPARES.search(self.text, max(0, start - 30), start))

    def _name(self, group: _Group, phrase: Phrase, phrases: dict[int, Phrase]) -> None:
        items = self._items(phrase, len(group.elements))
        for number, element in enumerate(group.elements):
            for index in element:
                phrases[index] = items[number] if items else phrase

    def _items(self, phrase: Phrase, count: int) -> list[Phrase] | None:
        """`interest and fees` for two amounts, respectively: one item each. Not where the periods are what is
        listed."""
        if count < 2 or "respectively" not in self.text or any(len(each) == count for each in self.lists):
            return None
        parts = _ITEM_JOIN.split(phrase.subject)
        if len(parts) != count:
            return None
        return [Phrase(part.strip(), part.strip()) for part in parts]
