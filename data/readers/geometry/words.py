"""The words of a PDF with their places on the page, and the rules drawn below and between them.

PDFium tells character by character; words are what stands together. Lengths are points, from the top left corner.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from tieout.data.printed.pattern import later
from tieout.data.readers.progress import tell
from tieout.data.readers.refusal import UnreadableError

SPACES = frozenset((0, 9, 10, 13, 32, 0xA0, 0x3000, 0xFEFF, *range(0x2000, 0x200C)))
INVISIBLE = frozenset((0xAD, 0x200C, 0x200D, 0x2060, *range(0x200E, 0x2010)))
_HYPHENS = frozenset((0x02, 0xFFFE))  # what PDFium makes of a hyphen at the end of a line
_GAP = 0.18  # of the size of letters: what parts words where no space is written
_SOFT_GAP = 0.08  # where PDFium takes it for one
CURRENCY = "$€£¥"
_BOLD = 600
_GROUPED = later(r"\(?\d{1,3}(?:,\d{3})+\)?")
_TOUCHING_NUMBERS = later(rf"(?:{_GROUPED.pattern}){{2,}}")
_THIN, _LEAST_RULE = 2.0, 8.0  # points
_SCANNED = 0.5  # share of a page that a picture of all its text covers at least: margins are cut off
_MOST_STAMPED = 12  # words that programs and offices print on scanned pages
_WHITE, _OPAQUE = 250, 13  # of 255: from here on a colour counts as white; below, an opacity as invisible
_LEAST_SIZE = 2.0  # points of letters
_INVISIBLE, _ONLY_CLIPS = 3, 7  # ways of PDF to write letters without painting them
_RAISED = 0.85  # size of a raised mark, of that of the letters around it


@dataclass(slots=True)
class Word:
    """One word. x0, x1: its left and right end; y: its baseline; size: height of its letters with their legs.

    tags: the elements of the file that say what is printed here, each with the characters that it is about. spaced:
    several hard spaces separate it from the words before it, as they separate two cells of a row.
    """

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool = False
    italic: bool = False
    tags: tuple[tuple[int, int, Any], ...] = ()
    spaced: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line drawn on a page."""

    x0: float
    x1: float
    y: float

    @property
    def center(self) -> float:
        return (self.x0 + self.x1) / 2


@dataclass(slots=True)
class Page:
    """number: from 1. has_picture: it shows pictures, which may be of text. is_scan: a picture covers the page, and
    the page has hardly a word of its own: its number, or a stamp. head, foot: words that are the same on many pages."""

    number: int
    width: float
    height: float
    words: list[Word]
    rules: list[Rule]
    label: str = ""
    has_picture: bool = False
    is_scan: bool = False
    head: Sequence[Word] = ()
    foot: Sequence[Word] = ()


@contextmanager
def opened(content: bytes) -> Iterator[Any]:
    """A PDF. Raises UnreadableError where it is damaged or encrypted, or pypdfium2 is missing."""
    try:
        import pypdfium2 as pdfium
    except ModuleNotFoundError as error:
        raise UnreadableError(f"a PDF; reading it needs {error.name}: pip install 'tieout[pdf]'") from None
    try:
        pdf = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        if "password" in str(error).lower():
            raise UnreadableError("a PDF that is protected by a password; save it without one") from None
        raise UnreadableError(f"a PDF that is cut off or damaged ({error}); fetch it again") from None
    try:
        yield pdf
    finally:
        pdf.close()


def pages_of(pdf: Any, numbers: Iterable[int]) -> Iterator[Page]:  # noqa: ANN401 - pypdfium2 has no types
    """Yields pages of an open PDF, by their numbers from 0."""
    import pypdfium2 as pdfium

    for number in numbers:
        tell(number, len(pdf))
        try:
            page = pdf[number]
            yield _Reader(page, number + 1).page()
            page.close()
        except pdfium.PdfiumError:
            yield Page(number + 1, 0, 0, [], [], has_picture=True)


_Box = tuple[float, float, float, float]


@dataclass(slots=True)
class _Open:
    """A word on its way. right, base: where its last letter ends and stands. gap: what parts it from
    the next letter."""

    index: int
    letters: list[str]
    x0: float
    right: float
    base: float
    size: float
    gap: float = _GAP


class _Reader:
    """Reads one page through PDFium's C functions: its Python objects would take several times as long."""

    def __init__(self, page: Any, number: int) -> None:  # noqa: ANN401 - pypdfium2 has no types
        import pypdfium2.raw as raw

        self.raw, self.source, self.number = raw, page, number
        self.width, self.height = page.get_size()
        self.turn = page.get_rotation()
        left, bottom, right, top = page.get_cropbox()
        self.corners = left, bottom, right, top
        self.colour = [ctypes.c_uint() for _ in range(4)]
        self.begins: list[int] = []  # by word its first letter
        self.faint: list[tuple[Word, bool]] = []  # words without ink of their own, and whether they are painted white
        self.grounds: list[_Box] | None = None
        self.covers: list[tuple[int, _Box]] = []  # what is painted white, with its place in the order of painting

    def page(self) -> Page:
        text = self.source.get_textpage()
        try:
            read = [*self._words(text.raw)]
            rules, pictured = self._drawn()
            read = self._uncovered(text.raw, read) if self.covers else read
        finally:
            text.close()
        unseen = {id(word) for word, is_white in self.faint if not (pictured or (is_white and self._has_ground(word)))}
        words = [part for word in read if self._is_on(word) and id(word) not in unseen for part in numbers_apart(word)]
        is_scan = pictured > _SCANNED * self.width * self.height and len(words) <= _MOST_STAMPED
        return Page(self.number, self.width, self.height, words, rules, has_picture=pictured > 0, is_scan=is_scan)

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page as it is seen: turned, and measured from the top left corner."""
        left, bottom, right, top = self.corners
        match self.turn:
            case 90:
                return y - bottom, x - left
            case 180:
                return right - x, y - bottom
            case 270:
                return top - y, right - x
        return x - left, top - y

    def _words(self, text: Any) -> Iterator[Word]:  # noqa: ANN401
        raw = self.raw
        box, x, y = raw.FS_RECTF(), ctypes.c_double(), ctypes.c_double()
        unicode_of, box_of, origin_of = (
            raw.FPDFText_GetUnicode,
            raw.FPDFText_GetLooseCharBox,
            raw.FPDFText_GetCharOrigin,
        )
        opened: _Open | None = None
        high = 0
        edge, _, _, upper = self.corners
        is_upright = self.turn == 0
        for index in range(raw.FPDFText_CountChars(text)):
            code = unicode_of(text, index)
            if 0xD800 <= code < 0xDC00:
                high = code
                continue
            if 0xDC00 <= code < 0xE000:
                code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00) if high else 0xFFFD
            if code in SPACES:
                if opened and raw.FPDFText_IsGenerated(text, index) == 1:
                    opened.gap = _SOFT_GAP  # PDFium's guess: the distance decides
                elif opened:
                    yield self._word(text, opened)
                    opened = None
                continue
            if code in INVISIBLE:
                continue
            box_of(text, index, box)
            origin_of(text, index, x, y)
            if is_upright:  # as nearly all pages: what `_place` does, without three calls for each letter
                x0, x1, base, size = box.left - edge, box.right - edge, upper - y.value, abs(box.top - box.bottom)
            else:
                x0, top = self._place(box.left, box.top)
                x1, foot = self._place(box.right, box.bottom)
                base = self._place(x.value, y.value)[1]
                x0, x1, size = min(x0, x1), max(x0, x1), abs(foot - top)
            if opened and not _goes_on(opened, x0, base, size):
                yield self._word(text, opened)
                opened = None
            letter = "-" if code in _HYPHENS else chr(code)
            if opened and letter in CURRENCY and opened.letters[-1] in "0123456789)%—–":  # the mark of the next number
                yield self._word(text, opened)
                opened = None
            if opened:
                opened.letters.append(letter)
                opened.gap = _GAP
                opened.right = max(opened.right, x1)
            else:
                opened = _Open(index, [letter], x0, x1, base, size)
        if opened:
            yield self._word(text, opened)

    def _word(self, text: Any, opened: _Open) -> Word:  # noqa: ANN401
        name = ctypes.create_string_buffer(128)
        self.raw.FPDFText_GetFontInfo(text, opened.index, name, 128, ctypes.c_int())
        font = name.value.lower()
        bold = b"bold" in font or b"black" in font or b"heavy" in font
        bold = bold or self.raw.FPDFText_GetFontWeight(text, opened.index) >= _BOLD
        italic = b"italic" in font or b"oblique" in font
        self.begins.append(opened.index)
        word = Word("".join(opened.letters), opened.x0, opened.right, opened.base, opened.size, bold, italic)
        if self.raw.FPDFText_GetFillColor(text, opened.index, *self.colour):
            *shades, opacity = (each.value for each in self.colour)
            is_white = min(shades) >= _WHITE
            mode = self.raw.FPDFTextObj_GetTextRenderMode(self.raw.FPDFText_GetTextObject(text, opened.index))
            if is_white or opacity < _OPAQUE or mode in (_INVISIBLE, _ONLY_CLIPS):
                self.faint.append((word, is_white and opacity >= _OPAQUE and mode not in (_INVISIBLE, _ONLY_CLIPS)))
        return word

    def _uncovered(self, text: Any, words: Sequence[Word]) -> list[Word]:  # noqa: ANN401
        """The words without those over which something white is painted later."""
        raw, page = self.raw, self.source.raw
        order = {
            ctypes.addressof(raw.FPDFPage_GetObject(page, index).contents): index
            for index in range(raw.FPDFPage_CountObjects(page))
        }

        def is_covered(word: Word, begins: int) -> bool:
            y = word.y - word.size / 4
            above = [at for at, (x0, y0, x1, y1) in self.covers if x0 <= word.x0 and word.x1 <= x1 and y0 <= y <= y1]
            if not above:
                return False
            own = order.get(ctypes.addressof(raw.FPDFText_GetTextObject(text, begins).contents))
            return own is not None and own < above[-1]

        return [word for word, begins in zip(words, self.begins, strict=True) if not is_covered(word, begins)]

    def _is_on(self, word: Word) -> bool:
        """Whether a word stands on the page, in letters that can be seen."""
        is_beside = word.x1 < 0 or word.x0 > self.width or word.y < 0 or word.y - word.size > self.height
        return not is_beside and word.size >= _LEAST_SIZE

    def _has_ground(self, word: Word) -> bool:
        """Whether something else than white is painted around a word: white letters are seen on it."""
        if self.grounds is None:
            self.grounds = [*self._painted()]
        x, y = (word.x0 + word.x1) / 2, word.y - word.size / 4
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.grounds)

    def _painted(self) -> Iterator[_Box]:
        """Yields the box of each thing on the page that is no text, and no shape filled with white."""
        raw, page = self.raw, self.source.raw
        sides = [ctypes.c_float() for _ in range(4)]
        colour = [ctypes.c_uint() for _ in range(4)]
        for index in range(raw.FPDFPage_CountObjects(page)):
            drawn = raw.FPDFPage_GetObject(page, index)
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind == raw.FPDF_PAGEOBJ_TEXT or not raw.FPDFPageObj_GetBounds(drawn, *sides):
                continue
            if kind == raw.FPDF_PAGEOBJ_PATH and raw.FPDFPageObj_GetFillColor(drawn, *colour):
                *shades, opacity = (each.value for each in colour)
                if min(shades) >= _WHITE or opacity < _OPAQUE:
                    continue
            x0, y0 = self._place(sides[0].value, sides[3].value)
            x1, y1 = self._place(sides[2].value, sides[1].value)
            yield min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)

    def _is_white(self, drawn: Any) -> bool:  # noqa: ANN401
        """Whether a shape is filled with white that lets nothing through, and is not cut off by another."""
        raw, filled, stroked = self.raw, ctypes.c_int(), ctypes.c_int()
        if not raw.FPDFPath_GetDrawMode(drawn, filled, stroked) or not filled.value:
            return False
        if not raw.FPDFPageObj_GetFillColor(drawn, *self.colour) or raw.FPDFPageObj_HasTransparency(drawn):
            return False
        *shades, opacity = (each.value for each in self.colour)
        is_cut = raw.FPDFClipPath_CountPaths(raw.FPDFPageObj_GetClipPath(drawn)) > 0
        return min(*shades, opacity) >= _WHITE and not is_cut

    def _drawn(self) -> tuple[list[Rule], float]:
        """The rules of the page, and how large its largest picture is, 0 without one."""
        raw, page = self.raw, self.source.raw
        sides = [ctypes.c_float() for _ in range(4)]
        rules, pictured = [], 0.0
        for index in range(raw.FPDFPage_CountObjects(page)):
            drawn = raw.FPDFPage_GetObject(page, index)
            kind = raw.FPDFPageObj_GetType(drawn)
            if kind not in (raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_IMAGE):
                continue
            if not raw.FPDFPageObj_GetBounds(drawn, *sides):
                continue
            if kind == raw.FPDF_PAGEOBJ_IMAGE:
                size = abs((sides[2].value - sides[0].value) * (sides[3].value - sides[1].value))
                pictured = max(pictured, size, 1.0)
                continue
            x0, y0 = self._place(sides[0].value, sides[1].value)
            x1, y1 = self._place(sides[2].value, sides[3].value)
            if abs(y1 - y0) > _THIN and abs(x1 - x0) > _THIN and self._is_white(drawn):
                self.covers.append((index, (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))))
            if abs(y1 - y0) <= _THIN and abs(x1 - x0) >= _LEAST_RULE:
                rules.append(Rule(min(x0, x1), max(x0, x1), (y0 + y1) / 2))
        return rules, pictured


def numbers_apart(word: Word) -> list[Word]:
    """A word of numbers that touch, as in columns too narrow for them, in its numbers: `12,50011,000` is 12,500 and
    11,000, as three digits stand behind a comma. Where each begins is told by the width of what stands before it."""
    if word.text.count(",") < 2 or not _TOUCHING_NUMBERS.fullmatch(word.text):
        return [word]
    parts = list(_GROUPED.finditer(word.text))
    wide = (word.x1 - word.x0) / _width(word.text)
    at = [(word.x0 + wide * _width(word.text[: each.start()]), wide * _width(each[0])) for each in parts]
    return [
        replace(word, text=each[0], x0=start, x1=start + width) for each, (start, width) in zip(parts, at, strict=True)
    ]


def _width(text: str) -> float:
    """How wide a number is, in widths of a digit."""
    return sum(1.0 if sign.isdigit() else 0.5 for sign in text)


def _goes_on(opened: _Open, x0: float, base: float, size: float) -> bool:
    """Whether a letter belongs to the word before it."""
    largest = max(size, opened.size) or 1.0
    if abs(base - opened.base) > 0.15 * largest or size < _RAISED * opened.size or opened.size < _RAISED * size:
        return False
    return -0.5 * largest < x0 - opened.right < opened.gap * largest
