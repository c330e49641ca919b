"""Numbers as most of Europe prints them, `1.234,5` for `1,234.5`: a report prints all of them one way.

>>> with decimal_comma(True):
...     english("8,4 % of 3.412, 1 234,5 and 31.12.2024, see 2.1")
'8.4 % of 3,412, 1,234.5 and 31.12.2024, see 2.1'
>>> is_decimal_comma([["842.317", "2,31"]], []), is_decimal_comma([["842,317", "2.31"], ["5,7", ""]], [])
(True, False)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from tieout.data.printed.pattern import later

_comma: ContextVar[bool] = ContextVar("comma", default=False)
_NUMBER = later(r"(?<![\d.,])(?:\d{1,3}(?:\.\d{3})+|\d{1,3}(?: \d{3})+(?=,\d)|\d+)(?:,\d+)?(?![.,]?\d)")
_SWAPPED = str.maketrans({",": ".", ".": ",", " ": ","})

_UNIT = r"(?:[Tk]?€|(?:T|k|M)EUR|(?:Tsd|Mio|Mrd|Mln|Mld|Md)\.?\s?(?:€|EUR)?|[£$¥₹₩M]|M€|[A-Z]{3}\b)"
_CELL = later(rf"[-−–+(\s]*{_UNIT}?\s*[-−–(]?\s*(\d[\d.,' ]*\d)\s*(?:[%‰]|{_UNIT})?\s*\)?")
# What surely is a decimal comma or a decimal point, and the groups of three that are probably those of the other.
_SURE_COMMA = later(r"\d+(?:[. ]\d{3})*,(?:\d{1,2}|\d{4,})|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}")
_SURE_POINT = later(r"\d+(?:[,' ]\d{3})*\.(?:\d{1,2}|\d{4,})|\d{1,3}(?:,\d{3})+\.\d+|\d{1,3}(?:,\d{3}){2,}")
_BY_POINTS = later(r"[1-9]\d{0,2}\.\d{3}")
_BY_COMMAS = later(r"[1-9]\d{0,2},\d{3}")
_TIMES = 10  # so many times more cells have to say that it is a comma
_ENOUGH = 20  # cells with a decimal point, and none with a comma, that leave no doubt
_FEWEST = 3  # cells in groups of three that tell, in a report in another language
_SAID = later(
    r"\d,\d{1,2}\s?(?:%|€|eur\b|mio\b|mrd\b|mill|tsd\b|prozent|pour cent|por ciento|por cento|per cento|procent)", re.I
)
_SAID_POINT = later(r"\d\.\d{1,2}\s?(?:%|€|eur\b|m\b|bn\b|million|billion|per ?cent)|[$€£]\s?\d+\.\d", re.I)
_ABROAD = later(
    r"[TkM]€|Md€|\b[TkM]EUR\b|\bTsd\b|\bMio\b|\bMrd\b|\bMillionen\b|\bmilliers\b|\bmillones\b|\bmilioni\b|\bmigliaia\b|\bmilhões\b"
    r"|\bmilhares\b|\bmiles de\b|\bmiljoen\b|\bmln euro\b"
)


@contextmanager
def decimal_comma(is_so: bool) -> Iterator[None]:
    """Whether numbers in what is read inside are printed with a decimal comma."""
    token = _comma.set(is_so)
    try:
        yield
    finally:
        _comma.reset(token)


def english(text: str) -> str:
    """A text, as long as before, with its numbers in English notation, where they are printed with a decimal comma."""
    if not _comma.get():
        return text
    return _NUMBER.sub(lambda number: number[0].translate(_SWAPPED), text)


def is_decimal_comma(rows: Iterable[Sequence[str]], paragraphs: Iterable[str]) -> bool:
    """Whether a document prints its numbers with a decimal comma. rows: of its tables.

    Its cells tell, and where they could be either, its sentences, or the language that it names its units in. In doubt
    it is a point.
    """
    sure = by_points = points = 0
    abroad = False
    for row in rows:
        for cell in row:
            found = _CELL.fullmatch(cell) if "," in cell or "." in cell else None
            if found is None:
                abroad = abroad or bool(_ABROAD.search(cell))
                continue
            number = found[1]
            if _SURE_POINT.fullmatch(number) or _BY_COMMAS.fullmatch(number):
                points += 1
            elif _SURE_COMMA.fullmatch(number):
                sure += 1
            elif _BY_POINTS.fullmatch(number):
                by_points += 1
                abroad = abroad or bool(_ABROAD.search(cell))
        if points >= _ENOUGH and not sure and not by_points:
            return False
    if sure and sure + by_points >= _TIMES * points:
        return True
    if points or (by_points and by_points < _FEWEST):
        return False
    return _is_said(paragraphs, abroad and bool(by_points))


def _is_said(paragraphs: Iterable[str], is_abroad: bool) -> bool:
    """Whether sentences print a decimal comma: some do and none a point. is_abroad: the tables say so already."""
    comma = False
    for paragraph in paragraphs:
        if _SAID_POINT.search(paragraph):
            return False
        comma = comma or bool("," in paragraph and _SAID.search(paragraph))
    return comma or is_abroad
