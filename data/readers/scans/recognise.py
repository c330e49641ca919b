"""Pages of a PDF that are pictures, with the words that are recognised on them at their places.

A page that lies on its side or upside down is turned until it reads best.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from statistics import fmean, median

from tieout.data.printed.pattern import later
from tieout.data.readers.apart import ask_for
from tieout.data.readers.geometry.words import Page, Word
from tieout.data.readers.scans.engine import Engine, Sign, Signs, default_engine
from tieout.data.readers.scans.ink import MARK, Ink, Letters

_SECONDS = 60.0  # of a processor, for a page: one that has to be turned is read up to four times
_DOTS = 150  # an inch
_POINTS = 72 / _DOTS  # of a pixel
SURELY = Decimal("0.9")
_GOOD = 0.85  # mean sureness of a page that lies as it should
_SIDEWAYS = 0.5  # share of long words that are higher than wide
_LONG = 4
_SAME_LINE = 0.4  # of the height of letters, between the middles of words
_LIKE_DOLLARS = frozenset("sS§")
_AMOUNT = later(r"\(?[0-9]")
_NUMBER = later(r"\(?[0-9][0-9.,]*\)?")
_DIGIT = 0.4  # width of a digit, of the height of its box
_DOLLAR_IN_FRONT = later(r"(?:(?<=^\()|^)[sS§](?=[0-9]{1,3}\.[0-9]{2}\b)")
_ENDS = later(r"[0-9.,]*[)%]+")
_ONE = "一"
_EL = later(r"(?<=[^\W\d_]['’])1\b")  # `Add'l Paid-In Capital`
_TWO_MARKS = later(r"\(([0-9a-z])\(([0-9a-z])\)")
_LETTERS = 0.75  # size of letters, of the height of their box, where no ink tells it
_RAISED = 0.85  # size of a raised mark, of that of the letters around it
_SIDE = 0.09  # of their size: what is white of a letter on each side of its ink
_AROUND = 4  # rows on each side, whose letters are as large
_NEAR = 2.0  # pixels that the size of letters is out by, which is measured by the height of a few of them
_FOOT = 0.28  # of their height, from the middle of letters to their baseline


_Row = list[tuple[Sign, Letters | None]]


@dataclass(slots=True)
class Recognised:
    """How sure the words are that were recognised. pages: by the number of the page, of each word the least. surely:
    those, in small letters, that are sure anywhere."""

    pages: dict[int, dict[str, Decimal]] = field(default_factory=dict)
    surely: set[str] = field(default_factory=set)


def way_out() -> str:
    """What recognises pages, where nothing is installed that does; "" else."""
    return "" if default_engine() else " (pip install 'tieout[ocr]' has them recognised)"


def with_recognised(
    pages: Iterable[Page], content: bytes, told: Recognised, engine: Engine | None = None
) -> Iterator[Page]:
    """Pages as they come; those that are pictures with their words, where an engine is installed. told: gets how sure
    these are."""
    engine = engine or default_engine()
    for page in pages:
        if engine is None or not (page.is_scan or (page.has_picture and not page.words)) or not page.width:
            yield page
            continue
        ask_for(_SECONDS)
        lines, ink = _recognised(content, page.number, engine)
        words = [*_words(lines, ink)]
        if words:
            told.pages[page.number] = _sureness(lines)
            told.surely.update(sign.text.lower() for sign in _all(lines) if sign.sure >= SURELY)
            page = replace(page, words=words, rules=ink.rules, is_scan=False)
        yield page


def _recognised(content: bytes, number: int, engine: Engine) -> tuple[Signs, Ink]:
    """The words of a page and its ink, turned as it reads best."""
    import numpy
    import pypdfium2 as pdfium

    pdf = pdfium.PdfDocument(content)
    try:
        picture = pdf[number - 1].render(scale=1 / _POINTS).to_numpy()
    finally:
        pdf.close()
    best, seen = engine(picture), picture
    for turns in (1, 3, 2):
        if _is_upright(best):
            break
        turned = numpy.ascontiguousarray(numpy.rot90(picture, turns))
        lines = engine(turned)
        if _quality(lines) > _quality(best):
            best, seen = lines, turned
    return best, Ink(seen, _POINTS)


def _all(lines: Signs) -> list[Sign]:
    return [sign for line in lines for sign in line]


def _quality(lines: Signs) -> float:
    """How much is read, and how surely; what stands upright counts."""
    return sum(len(sign.text) * float(sign.sure) for sign in _all(lines) if not _is_on_its_side(sign))


def _is_on_its_side(sign: Sign) -> bool:
    return len(sign.text) >= _LONG and sign.y1 - sign.y0 > sign.x1 - sign.x0


def _is_upright(lines: Signs) -> bool:
    long = [sign for sign in _all(lines) if len(sign.text) >= _LONG]
    if not long:
        return not _all(lines)
    sure = sum(float(sign.sure) for sign in long) / len(long)
    return sure >= _GOOD and sum(map(_is_on_its_side, long)) < _SIDEWAYS * len(long)


def _words(lines: Signs, ink: Ink) -> Iterator[Word]:
    """Words at their places in points. Those of one line of print have one baseline and size."""
    told = [[part for sign in line for part in _mark_apart(sign)] for line in lines]
    signs = sorted((each for line in told for each in _placed(line, ink)), key=lambda each: each[0].y0 + each[0].y1)
    if not signs:
        return
    height = median(sign.y1 - sign.y0 for sign, _ in signs)
    marks = sorted((sign for sign, _ in signs if sign.text == "$"), key=lambda each: -each.sure)
    rows: list[_Row] = []
    for each in signs:
        if not rows or _middle(each[0]) - _middle(rows[-1][-1][0]) > _SAME_LINE * height:
            rows.append([])
        rows[-1].append(each)
    sizes = [_size(row) for row in rows]
    for at, row in enumerate(rows):
        line = [sign for sign, _ in row]
        more: _Row = [(each, None) for each in (*ink.dashes(line), *ink.marks(line, marks))]
        # Rows around it say how large letters are to less than a pixel.
        alike = [each for each in sizes[max(0, at - _AROUND) : at + _AROUND + 1] if abs(each - sizes[at]) < _NEAR]
        yield from _printed([*row, *more], fmean(alike))


def _mark_apart(sign: Sign) -> list[Sign]:
    """`%$`, the end of one cell and the beginning of the next, in its two words."""
    end, mark = sign.text[:-1], sign.text[-1]
    if mark != "$" or not end or not _ENDS.fullmatch(end):
        return [sign]
    middle = sign.x0 + (sign.x1 - sign.x0) * len(end) / len(sign.text)
    return [sign._replace(text=end, x1=middle), sign._replace(text=mark, x0=middle)]


def _placed(line: Sequence[Sign], ink: Ink) -> list[tuple[Sign, Letters | None]]:
    """The words of a line as wide as their ink, each with its letters."""
    seen = ink.letters(line)
    if not seen:
        return [(sign, None) for sign in line]
    return [(sign._replace(x0=each.x0, x1=each.x1), each) for sign, each in zip(line, seen, strict=True)]


def _size(row: _Row) -> float:
    tall = [each.size for _, each in row if each and each.size]
    return median(tall) if tall else _LETTERS * median(sign.y1 - sign.y0 for sign, _ in row)


def _printed(row: _Row, size: float) -> Iterator[Word]:
    """The words of a row. size: of its letters, in pixels."""
    height, middle = median(sign.y1 - sign.y0 for sign, _ in row), median(_middle(sign) for sign, _ in row)
    tall = [each.foot for _, each in row if each and each.size]
    baseline = median(tall) if tall else middle + _FOOT * height
    marks = {sign.x0: each.size for sign, each in row if each and each.size and MARK.fullmatch(sign.text)}
    for sign in _as_printed(sorted((sign for sign, _ in row), key=lambda each: each.x0)):
        own = marks.get(sign.x0, size)
        high = own if own < _RAISED * size else size
        side = _SIDE * high
        yield Word(
            sign.text, (sign.x0 - side) * _POINTS, (sign.x1 + side) * _POINTS, baseline * _POINTS, high * _POINTS
        )


def _as_printed(row: Sequence[Sign]) -> Iterator[Sign]:
    """The words of a row without slips of engines: a letter for a dollar sign in front of an amount, in a row that has
    others, read together with the amount before it or not; a bracket that is lost between two marks, `(2(3)`; a dash in
    place of an amount that is read as the Chinese numeral of one; `S2.08`; `Add'1` for `Add'l`.
    """
    parted = [part for sign, behind in _followed(row) for part in _dollar_apart(sign, behind)]
    slips = [sign for sign, behind in _followed(parted) if sign.text in _LIKE_DOLLARS and _AMOUNT.match(behind)]
    has_dollars = len(slips) > 1 or any("$" in sign.text for sign in row)
    for at, sign in enumerate(parted):
        text = "$" if has_dollars and sign in slips else _DOLLAR_IN_FRONT.sub("$", sign.text)
        text = "—" if text == _ONE and at else _TWO_MARKS.sub(r"(\1)(\2)", text)
        yield sign._replace(text=_EL.sub("l", text))


def _followed(row: Sequence[Sign]) -> Iterator[tuple[Sign, str]]:
    """The words of a row, each with the text of the next."""
    yield from zip(row, (*(sign.text for sign in row[1:]), ""), strict=True)


def _dollar_apart(sign: Sign, behind: str) -> list[Sign]:
    """`775S` in front of an amount in its two words, which stand apart."""
    if not (_AMOUNT.match(behind) and sign.text[-1] in _LIKE_DOLLARS and _NUMBER.fullmatch(sign.text[:-1])):
        return [sign]
    wide = (sign.y1 - sign.y0) * _DIGIT
    parts = sign.x0 + wide * (len(sign.text) - 1), sign.x1 - wide
    return [sign._replace(text=sign.text[:-1], x1=min(parts)), sign._replace(text=sign.text[-1], x0=max(parts))]


def _middle(sign: Sign) -> float:
    return (sign.y0 + sign.y1) / 2


def _sureness(lines: Signs) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for sign in _all(lines):
        found[sign.text] = min(sign.sure, found.get(sign.text, sign.sure))
    return found
