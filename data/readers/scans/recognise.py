"""Pages of a PDF that are pictures, with the words that are recognised on them at their places.

A page that lies on its side or upside down is turned until it reads best.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise
from statistics import median

from tieout.data.readers.apart import ask_for
from tieout.data.readers.geometry.words import Page, Word
from tieout.data.readers.scans.engine import Engine, Sign, Signs, default_engine

_SECONDS = 60.0  # of a processor, for a page: one that has to be turned is read up to four times
_DOTS = 150  # an inch
_POINTS = 72 / _DOTS  # of a pixel
SURELY = Decimal("0.9")
_GOOD = 0.85  # mean sureness of a page that lies as it should
_SIDEWAYS = 0.5  # share of long words that are higher than wide
_LONG = 4
_SAME_LINE = 0.4  # of the height of letters, between the middles of words
_LIKE_DOLLARS = frozenset("sS§")
_AMOUNT = re.compile(r"\(?[0-9]")
_TWO_MARKS = re.compile(r"\(([0-9a-z])\(([0-9a-z])\)")
_FOOT = 0.28  # of their height, from the middle of letters to their baseline


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
        lines = _recognised(content, page.number, engine)
        words = [*_words(lines)]
        if words:
            told.pages[page.number] = _sureness(lines)
            told.surely.update(sign.text.lower() for sign in _all(lines) if sign.sure >= SURELY)
            page = replace(page, words=words, is_scan=False)
        yield page


def _recognised(content: bytes, number: int, engine: Engine) -> Signs:
    """The words of a page, turned as it reads best."""
    import numpy
    import pypdfium2 as pdfium

    pdf = pdfium.PdfDocument(content)
    try:
        picture = pdf[number - 1].render(scale=1 / _POINTS).to_numpy()
    finally:
        pdf.close()
    best = engine(picture)
    if _is_upright(best):
        return best
    for turns in (1, 3, 2):
        turned = engine(numpy.ascontiguousarray(numpy.rot90(picture, turns)))
        if _quality(turned) > _quality(best):
            best = turned
        if _is_upright(best):
            break
    return best


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


def _words(lines: Signs) -> Iterator[Word]:
    """Words at their places in points. Those of one line of print have one baseline and size."""
    signs = sorted(_all(lines), key=lambda sign: sign.y0 + sign.y1)
    if not signs:
        return
    height = median(sign.y1 - sign.y0 for sign in signs)
    row: list[Sign] = []
    for sign in [*signs, None]:
        if row and (sign is None or _middle(sign) - _middle(row[-1]) > _SAME_LINE * height):
            yield from _row(row)
            row = []
        if sign is not None:
            row.append(sign)


def _row(row: Sequence[Sign]) -> Iterator[Word]:
    height = median(sign.y1 - sign.y0 for sign in row)
    baseline = (median(map(_middle, row)) + _FOOT * height) * _POINTS
    signs = sorted(row, key=lambda each: each.x0)
    for sign, text in zip(signs, _as_printed([sign.text for sign in signs]), strict=True):
        yield Word(text, sign.x0 * _POINTS, sign.x1 * _POINTS, baseline, height * _POINTS)


def _as_printed(row: Sequence[str]) -> Iterator[str]:
    """The words of a row without two slips of engines: a letter for a dollar sign in front of an amount, in a row that
    has others, and a bracket that is lost between two marks, `(2(3)`."""
    has_dollars = any("$" in text for text in row)
    for text, behind in pairwise([*row, ""]):
        is_dollar = has_dollars and text in _LIKE_DOLLARS and _AMOUNT.match(behind)
        yield "$" if is_dollar else _TWO_MARKS.sub(r"(\1)(\2)", text)


def _middle(sign: Sign) -> float:
    return (sign.y0 + sign.y1) / 2


def _sureness(lines: Signs) -> dict[str, Decimal]:
    found: dict[str, Decimal] = {}
    for sign in _all(lines):
        found[sign.text] = min(sign.sure, found.get(sign.text, sign.sure))
    return found
