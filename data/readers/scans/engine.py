"""A picture of a page into lines of words with their boxes, by RapidOCR, whose models come with the package."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_DOWN, Decimal
from functools import lru_cache
from typing import Any, NamedTuple

_CENT = Decimal("0.01")  # rounded down: 99.6% sure is not sure


class Sign(NamedTuple):
    """One recognised word: its box in pixels from the top left corner, and how sure it is, from 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    sure: Decimal


Signs = Sequence[Sequence[Sign]]  # line by line
Engine = Callable[[Any], Signs]


@lru_cache(maxsize=1)
def default_engine() -> Engine | None:
    """The engine that is installed, None for none (`pip install 'tieout[ocr]'`)."""
    try:
        from rapidocr import RapidOCR
    except ModuleNotFoundError:
        return None
    engine: Any = RapidOCR(params={"Global.log_level": "critical", "Global.use_cls": False})

    def recognise(picture: Any) -> Signs:  # noqa: ANN401 - an array of pixels
        found = engine(picture, return_word_box=True)
        return [[_sign(*word) for word in line] for line in found.word_results] if found.boxes is not None else []

    return recognise


def _sign(text: str, score: float, box: Sequence[Sequence[float]]) -> Sign:
    across, down = [corner[0] for corner in box], [corner[1] for corner in box]
    sure = min(Decimal(1), Decimal(str(score))).quantize(_CENT, ROUND_DOWN)
    return Sign(text, min(across), min(down), max(across), max(down), sure)
