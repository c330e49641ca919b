"""A picture of a page into lines of words with their boxes, by RapidOCR, whose models come with the package.

`July 1,` close above `2022` in the head of a column comes as one box of twice the height, and as words that are none:
such a box is parted where its ink has a gap, and each part is read again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_DOWN, Decimal
from functools import lru_cache
from statistics import fmean, median
from typing import Any, NamedTuple

_CENT = Decimal("0.01")  # rounded down: 99.6% sure is not sure
_LEAST = 0.5  # mean sureness of a line that is print, and no drawing
_TWO_LINES = 1.6  # of the usual height of a line's box: one of this height has room for two
_UPRIGHT = 1.5  # height for width of a box that the engine takes for a line on its side
_GAP = 0.3  # of the mean ink of a row: between two lines there is no more, that of strokes below the upper one at most
_FRAME = 24  # blank pixels around what is read by itself


class Sign(NamedTuple):
    """One recognised word: its box in pixels from the top left corner, and how sure it is, from 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    sure: Decimal


class Boxed(NamedTuple):
    """A recognised line: its box, and its words."""

    left: float
    top: float
    right: float
    foot: float
    signs: Sequence[Sign]


Signs = Sequence[Sequence[Sign]]  # line by line
Engine = Callable[[Any], Signs]


@lru_cache(maxsize=1)
def default_engine() -> Engine | None:
    """The engine that is installed, None for none (`pip install 'tieout[ocr]'`)."""
    try:
        from rapidocr import RapidOCR
    except ModuleNotFoundError:
        return None
    # It leaves out nothing that it is unsure of: two lines taken for one are among that, and are read again.
    engine: Any = RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False, "Global.text_score": 0.0})

    def read(picture: Any) -> list[Boxed]:  # noqa: ANN401 - an array of pixels
        found = engine(picture, return_word_box=True)
        if found.boxes is None:
            return []
        return [_boxed(words, box) for words, box in zip(found.word_results, found.boxes, strict=True) if words]

    return lambda picture: lines_of(picture, read)


def lines_of(picture: Any, read: Callable[[Any], Sequence[Boxed]]) -> Signs:  # noqa: ANN401 - an array of pixels
    """The lines of a picture, those that were taken for one parted where that reads more surely.

    read: gives the lines of a picture with their boxes.
    """
    lines = read(picture)
    usual = median(line.foot - line.top for line in lines) if lines else 0
    parted = [signs for line in lines for signs in _parted(line, usual, picture, read)]
    return [signs for signs in parted if _sureness([signs]) >= _LEAST]


def _parted(line: Boxed, usual: float, picture: Any, read: Callable[[Any], Sequence[Boxed]]) -> Signs:  # noqa: ANN401
    height = line.foot - line.top
    if height < _TWO_LINES * usual or height > _UPRIGHT * (line.right - line.left):
        return [line.signs]
    x, y = max(0, round(line.left)), max(0, round(line.top))
    box = picture[y : round(line.foot), x : round(line.right)]
    gap = _gap(box)
    if gap is None:
        return [line.signs]
    upper, lower = _read_part(box[:gap], x, y, read), _read_part(box[gap:], x, y + gap, read)
    is_surer = upper and lower and _sureness([*upper, *lower]) > _sureness([line.signs])
    return [*upper, *lower] if is_surer else [line.signs]


def _gap(box: Any) -> int | None:  # noqa: ANN401 - an array of pixels
    """The row of least ink in the middle third of a box; None where that is ink of letters, not a gap."""
    grey = box.reshape(*box.shape[:2], -1).mean(axis=2)
    ink = (grey < (grey.min() + grey.max()) / 2).sum(axis=1)
    third = len(ink) // 3
    row = third + int(ink[third:-third].argmin())
    return row if ink[row] <= _GAP * ink.mean() else None


def _read_part(part: Any, x: int, y: int, read: Callable[[Any], Sequence[Boxed]]) -> Signs:  # noqa: ANN401
    """The lines of a part of a picture at their places on it. x, y: the left upper corner of the part."""
    import numpy

    around = ((_FRAME, _FRAME), (_FRAME, _FRAME), (0, 0))[: part.ndim]
    found = read(numpy.pad(part, around, constant_values=int(part.max())))
    x, y = x - _FRAME, y - _FRAME
    return [[s._replace(x0=s.x0 + x, x1=s.x1 + x, y0=s.y0 + y, y1=s.y1 + y) for s in line.signs] for line in found]


def _sureness(lines: Signs) -> float:
    return fmean(sign.sure for line in lines for sign in line)


def _boxed(words: Sequence[tuple[str, float, Any]], box: Any) -> Boxed:  # noqa: ANN401 - arrays of corners
    left, top, right, foot = _edges(box)
    signs = []
    for text, score, corners in words:
        x0, y0, x1, y1 = _edges(corners)
        sure = min(Decimal(1), Decimal(str(score))).quantize(_CENT, ROUND_DOWN)
        # Boxes of words are reckoned from the line's, and may go beyond it.
        signs.append(Sign(text, min(max(left, x0), right), y0, max(min(right, x1), left), y1, sure))
    return Boxed(left, top, right, foot, signs)


def _edges(corners: Any) -> tuple[float, float, float, float]:  # noqa: ANN401 - an array of corners
    across, down = [float(corner[0]) for corner in corners], [float(corner[1]) for corner in corners]
    return min(across), min(down), max(across), max(down)
