"""Words into lines, and lines into segments."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from tieout.data.printed.pattern import later
from tieout.data.readers.geometry.words import CURRENCY, Word

_SAME_LINE = 0.4  # of the size: how far apart the baselines of one line lie
_RAISED = 0.87  # size of raised marks, of that of the words around them
_WIDE, _NUMBERS_APART = 1.1, 0.42  # gaps between segments, of the size: any, and between two numbers
_FAR_SIGN, _FAR_BRACKET = 2.0, 4.0  # what may part an amount from its sign; from the bracket that closes it
_WORD_APART = 0.75  # between an amount and a word behind it
_ROWS_NEAR = 3  # how many of the last rows a word may still belong to
MOST_WORDS = 400  # of one line: what has more is no page that can be read, and each is held against all others
_INDENT = 3  # of the size: how far further right the next line of a label begins at most
_MARK_BEHIND = 2.0  # of the size: how far behind what it marks a raised mark may stand
_NO_SPACE = 0.1  # narrower than any space, of the size
_NEXT = 1.35  # distance of two lines of one header at most, of the size
_YEAR = later(r"(?:19|20)\d\d")
_YEAR_AND_DASH = later(r"(?:19|20)\d\d[-–—]")
_DAY = later(r"(?:[12]?\d|3[01]),?")
MONTH = later(
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)",
    re.IGNORECASE,
)
_ORDINALS = frozenset(("st", "nd", "rd", "th"))
_LEADERS = later(r"[.…·_]{3,}|(?:[.·]\s?){4,}|[-=]{4,}")
_PART = later(r"[\d.,()%$€£¥—–\-−]+|[$€£¥]|n/?[am]|\*+", re.IGNORECASE)
_WHOLE = later(r"[($]{0,2}\d{1,3}(?:,\d{3})+(?:\.\d+)?[)%]{0,2}")  # numbers that end where they end
_AMOUNT = later(r"\(?(?:\d{1,3}(?:,\d{3})+|(?!(?:19|20)\d\d\b)\d{3,}|\d+\.\d+)\)?")
_MARK = later(r"\(?(?:\d{1,2}|[a-z])\)?(?:,\(?(?:\d{1,2}|[a-z])\)?)*|\*{1,3}|[†‡]", re.IGNORECASE)
# What a cell holds that states an amount, or that there is none.
VALUE = later(
    r"(?:US|C|A|HK)?[$€£¥]?\s?[(\[]?\s?[-–—−+]?\s?(?:US|C|A|HK)?[$€£¥]?\s?"
    r"(?:\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d(?:[\d,]*\d)?(?:\.\d+)?|\.\d+)\s?[)\]]?\s?"
    r"(?:%|x|bps|bp|pts?|p)?\s?[)\]]?\s?(?:%|pts)?(?:\s?(?:\(\s?\w{1,2}\s?\)|\[\w{1,2}\]|\*{1,3}|†|‡))*"
    r"|[$€£¥]?\s?[-–—−]{1,3}\s?%?|n/?a|n\.a\.|n/?m|n\.m\.|\*{1,3}|nil",
    re.IGNORECASE,
)
_GOES_ON = later(r"[^\W\d_].*(?:\b(?:and|of|or|to)|[-–—])$", re.IGNORECASE)
_SIGNS = later(r"[$€£¥(]+|US\$|[)%]+|\)%")


@dataclass(slots=True)
class Segment:
    """Words of one line, or of one cell of several, with ordinary spaces between them. What they make is found once."""

    words: list[Word]
    _x0: float | None = field(default=None, init=False, repr=False, compare=False)
    _x1: float | None = field(default=None, init=False, repr=False, compare=False)
    _text: str | None = field(default=None, init=False, repr=False, compare=False)
    _is_value: bool | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = _join(self.words)
        return self._text

    @property
    def x0(self) -> float:
        if self._x0 is None:
            self._x0 = min(word.x0 for word in self.words)
        return self._x0

    @property
    def x1(self) -> float:
        if self._x1 is None:
            self._x1 = max(word.x1 for word in self.words)
        return self._x1

    @property
    def center(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def is_value(self) -> bool:
        """Whether it is an amount, a year or a dash, with nothing beside it but marks."""
        if self._is_value is None:
            self._is_value = VALUE.fullmatch(self.text) is not None
        return self._is_value

    def take_as_text(self) -> None:
        """Takes it as words, whatever it looks like."""
        self._is_value = False


@dataclass(slots=True)
class Line:
    """One line of text. y: its baseline; size: of most of its letters. height, depth: how far above and below it the
    first and the last baseline are of cells of several lines."""

    y: float
    size: float
    segments: list[Segment] = field(default_factory=list)
    height: float = 0.0
    depth: float = 0.0

    @property
    def words(self) -> list[Word]:
        return [word for segment in self.segments for word in segment.words]

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @property
    def x0(self) -> float:
        return self.segments[0].x0

    @property
    def x1(self) -> float:
        return max(segment.x1 for segment in self.segments)


def _join(words: Sequence[Word]) -> str:
    """The text of words; a raised footnote mark gets parentheses, so that it does not run into what it marks."""
    parts: list[str] = []
    for index, word in enumerate(words):
        before = words[index - 1] if index else None
        text = word.text
        if before and _is_raised(word, before) and _MARK.fullmatch(text):
            text = text if text[0] in "(*†‡" else f"({text})"
            parts.append(f" {text}")
        elif before and (_is_ordinal(word, before) or _touches(word, before)):
            parts.append(text)
        else:
            parts.append(f" {text}" if parts else text)
    return "".join(parts)


def _touches(word: Word, before: Word) -> bool:
    """Whether no space stands between a word and the one before it: one of them is a sign that belongs to the other."""
    return before.x0 < word.x0 < before.x1 + 0.1 * word.size and (word.text[0] in ",.;:)%" or before.text[-1] in "($")


def _is_ordinal(word: Word, before: Word) -> bool:
    """Whether a word is the raised end of an ordinal: `1` and `st`."""
    return word.text in _ORDINALS and before.text[-1].isdigit() and _is_raised(word, before)


def _is_raised(word: Word, before: Word) -> bool:
    return word.size < _RAISED * before.size and word.y < before.y - 0.08 * before.size


@dataclass(slots=True)
class _Row:
    """The words of a line on its way, from x0 to x1. largest: of them."""

    words: list[Word]
    largest: Word
    x0: float
    x1: float

    def has_room(self, word: Word) -> bool:
        """Whether a word may belong to this line: one of its height, or, for a raised mark, the one it stands in."""
        size = max(word.size, self.largest.size)
        if len(self.words) >= MOST_WORDS or abs(word.y - self.largest.y) > _SAME_LINE * size:
            return False
        is_beside = word.x0 >= self.x1 or word.x1 <= self.x0  # as nearly all
        return is_beside or not any(_overlap(word, each) for each in self.words)

    def add(self, word: Word) -> None:
        """Adds a word."""
        self.words.append(word)
        self.largest = word if word.size > self.largest.size else self.largest
        self.x0, self.x1 = min(self.x0, word.x0), max(self.x1, word.x1)


def read_lines(words: Sequence[Word]) -> list[Line]:
    """The lines of words that are set in one column, from the top."""
    rows: list[_Row] = []
    for word in sorted(words, key=lambda each: (each.y, each.x0)):
        if row := next((each for each in rows[: -_ROWS_NEAR - 1 : -1] if each.has_room(word)), None):
            row.add(word)
        else:
            rows.append(_Row([word], word, word.x0, word.x1))
    lines = [_line(row) for row in _with_marks([each.words for each in rows])]
    lines = sorted((line for line in lines if line.segments), key=lambda line: line.y)
    for above, line in pairwise(lines):
        if ends_bracket(line.segments[0].text, above.segments[0].text) or _ends_label(line, above):
            line.segments[0].take_as_text()
        for day in _days_below(line, above):
            day.take_as_text()
    return lines


def _days_below(line: Line, above: Line) -> list[Segment]:
    """The amounts of a line where they are the days of months that the line right above it ends its headers in."""
    amounts = [each for each in line.segments if each.is_value]
    if not amounts or line.y - above.y > _NEXT * line.size or not all(_DAY.fullmatch(each.text) for each in amounts):
        return []
    words = above.words
    months = sum(bool(MONTH.fullmatch(word.text)) for word in words)
    dated = sum(bool(MONTH.fullmatch(word.text)) and behind.text[0].isdigit() for word, behind in pairwise(words))
    return amounts if months - dated >= len(amounts) else []


def ends_date(text: str, below: str) -> bool:
    """Whether a text is the day of the month that the text above it ends in: `Six months ended June` and `30`."""
    return _DAY.fullmatch(below) is not None and MONTH.fullmatch(text.split(" ")[-1]) is not None


def is_year_of(text: str, above: str) -> bool:
    """Whether a text is the year of the day that the label above it ends in: `Balance as of March 31,` and `2025`."""
    *_, month, day = ("", "", *above.split())
    return _YEAR.fullmatch(text) is not None and day[-1:] == "," and ends_date(month, day)


def ends_bracket(text: str, above: str) -> bool:
    """Whether a text ends the bracket that the label in the line above opens: `... and 2021 (Note` and `16)`."""
    opens = above.rfind("(") > above.rfind(")") and any(map(str.isalpha, above))
    return opens and ")" in text and "(" not in text


def _ends_label(line: Line, above: Line) -> bool:
    """Whether a line begins with a number that ends the label in the line above it, in front of its amounts: `Shares
    issued: 10 and` and `2,300   $ 5`."""
    label, first = above.segments[0], line.segments[0]
    is_below = above.x0 <= first.x0 < min(label.x1, above.x0 + _INDENT * line.size) and first.is_value
    return is_below and len(above.segments) == 1 < len(line.segments) and _GOES_ON.search(label.text) is not None


def _with_marks(rows: Sequence[list[Word]]) -> list[list[Word]]:
    """The rows with raised marks that stand higher than their line put into the one below, behind what they mark."""
    found: list[list[Word]] = []
    above: list[list[Word]] = []  # rows of nothing but marks, above the next
    for row in rows:
        if all(_MARK.fullmatch(word.text) for word in row):
            above.append(row)
            continue
        for marks in above:
            if all(any(_is_mark_of(mark, word) for word in row) for mark in marks):
                row.extend(marks)
            else:
                found.append(marks)
        above = []
        found.append(row)
    return found + above


def _is_mark_of(mark: Word, word: Word) -> bool:
    """Whether a small raised word stands right behind another."""
    is_behind = -0.1 * word.size < mark.x0 - word.x1 < 0.4 * word.size
    return is_behind and _is_raised(mark, word) and word.y - mark.y < word.size


def _overlap(first: Word, second: Word) -> bool:
    if first.x0 >= second.x1 or second.x0 >= first.x1:
        return False
    shared = min(first.x1, second.x1) - max(first.x0, second.x0)
    return shared > 0.5 * min(first.x1 - first.x0, second.x1 - second.x0)


def _line(words: list[Word]) -> Line:
    words = sorted((word for word in words if not _LEADERS.fullmatch(word.text)), key=lambda word: word.x0)
    if not words:
        return Line(0, 0)
    size = median(word.size for word in words)
    y = median(word.y for word in words)
    groups: list[list[Word]] = [[words[0]]]
    for before, word in pairwise(words):
        if _parts(before, word, size) and not _is_after_dash(groups[-1]):
            groups.append([word])
        else:
            groups[-1].append(word)
    return Line(y, size, _joined([Segment(group) for group in groups], size))


def _is_after_dash(words: Sequence[Word]) -> bool:
    """Whether a dash behind a word of text ends these words: `issued — 7,040 shares` goes on."""
    return len(words) > 1 and words[-1].text in _DASHES and words[-2].text[-1].isalpha()


def _parts(before: Word, word: Word, size: float) -> bool:
    gap = word.x0 - before.x1
    if gap > _WIDE * size or (word.spaced and _is_cell_behind(word.text, before.text)):
        return True
    if before.text in _PERCENT and word.text[0] in _STARTS and before.x1 <= word.x0:  # `22.0 % 12.1 %`
        return True
    if gap > _WORD_APART * size and word.text[0].isalpha() and _AMOUNT.fullmatch(before.text):
        return True
    if before.text[-1] == ",":  # `($0.65, $0.64 per share)`
        return False
    if word.text[0] in CURRENCY and before.text not in _BEFORE_CURRENCY:
        if gap < _NO_SPACE * size and _YEAR_AND_DASH.fullmatch(before.text):
            return False  # `less allowance: 2024—$471`
        return _PART.fullmatch(before.text) is not None or gap > _NUMBERS_APART * size
    if _WHOLE.fullmatch(before.text) and _WHOLE.fullmatch(word.text):
        return True  # a space may group digits where no comma does
    both = _PART.fullmatch(before.text) and _PART.fullmatch(word.text)
    return bool(both) and gap > _NUMBERS_APART * size and before.text not in "$(" and word.text not in ")%"


def _is_cell_behind(text: str, before: str) -> bool:
    """Whether one of two words far apart is a figure and the other a text: `5,119   Mills`, `Series A   7,393,333`."""
    return (text[0].isalpha() and _is_figure(before)) or (before[0].isalpha() and _AMOUNT.fullmatch(text) is not None)


def _is_figure(text: str) -> bool:
    return _PART.fullmatch(text) is not None and (text[-1] in "—–-)%" or text[-1].isdigit())


def _joined(segments: list[Segment], size: float) -> list[Segment]:
    """Segments with currency signs and opening parentheses put to the number behind them, closing ones before."""
    found: list[Segment] = []
    for segment in segments:
        if found and len(found[-1].words) > 1 and found[-1].words[-1].text in CURRENCY and segment.text[0] in _STARTS:
            segment = Segment([found[-1].words[-1], *segment.words])
            found[-1] = Segment(found[-1].words[:-1])
        text = segment.text
        before = found[-1] if found else None
        opens = before and _SIGNS.fullmatch(before.text) and before.text[-1] not in ")%" and text[0] in _STARTS
        far = _FAR_BRACKET if before and before.text.rfind("(") > before.text.rfind(")") else _FAR_SIGN
        closes = before and _SIGNS.fullmatch(text) and text[0] in ")%" and segment.x0 - before.x1 < far * size
        marks = before and _is_mark_behind(segment, before, size)
        if before is not None and (opens or closes or marks):
            found[-1] = Segment([*before.words, *segment.words])
        else:
            found.append(segment)
    return found


def _is_mark_behind(segment: Segment, before: Segment, size: float) -> bool:
    """Whether a segment is a raised footnote mark on the one before it, whose letters may be narrower than reckoned."""
    is_near = segment.x0 - before.x1 < _MARK_BEHIND * size
    return is_near and len(segment.words) == 1 and is_mark_on(segment.words[0], before.words[-1])


def is_mark_on(word: Word, before: Word) -> bool:
    """Whether a word is a raised footnote mark on the one before it."""
    return _is_raised(word, before) and _MARK.fullmatch(word.text) is not None


_BEFORE_CURRENCY = frozenset(("(", "US", "C", "A", "HK", "-", "–", "—", "NT", "R"))
_DASHES = frozenset("–—")
_PERCENT = frozenset(("%", ")%", "%)"))
_STARTS = "0123456789.(-–—−$€£¥"
