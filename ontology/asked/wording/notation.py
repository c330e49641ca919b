"""What people write by signs and numbers, in words: months from one to another, years in two digits, arrows.

>>> in_words("net income from April to June 2023")
'net income in the three months ended June 2023'
>>> in_words("net sales 2022 -> 2023")
'net sales from 2022 to 2023'
>>> in_words("net sales fiscal '24, '23 and '22")
'net sales fiscal 2024, 2023 and 2022'
>>> in_words("net income FY21 through FY23, cash at YE23")
'net income fiscal 2021 through 2023, cash at end of fiscal 2023'
>>> in_words("net income 21 22 23")
'net income 2021, 2022 and 2023'
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

from tieout.data.printed.pattern import later
from tieout.ontology.asked.when import NAMES_OF_MONTHS
from tieout.ontology.asked.words import MONTHS

_PARTS = {3: "three months", 6: "six months", 9: "nine months"}
_FROM_TO = later(
    r"(?:\b(?:in|for|during|over|of|at) )?(?:the )?(?:\bfrom |\b(?P<between>between ))?"
    rf"\b(?P<first>{NAMES_OF_MONTHS})\b\.?(?: \d{{1,2}})?"
    r"(?: ?(?:to|through|thru|till|until|-|–|—)| (?P<both>and)) ?(?:the end of )?"
    rf"(?P<last>{NAMES_OF_MONTHS})\b\.?(?P<day> \d{{1,2}}(?!\d))?"
    r"(?:,? (?:of )?(?P<year>(?:19|20)\d\d)\b)?(?: (?:quarter|period|half|months))?",
    re.I,
)
_ARROW = later(r"((?:19|20)\d\d)\s*(?:-+>|=+>|→)\s*((?:19|20)\d\d)")
_ARROWS = later(r"\s*(?:-+>|=+>|→)\s*")
_SHORT = later(r"(?<![\w'’])['’`]([0-9]\d)(?![\w'’])")
_QUARTER = later(r"\b([1-4])q ?fy ?'?(?:20)?(\d\d)(?!\w)", re.I)
_END = later(r"\b(?:fye|ye) ?'?(\d\d|20\d\d)(?![\w'’/])", re.I)
_FISCAL = later(r"\bfy ?'?(\d\d) ?(?:-|–|to|through|until|thru) ?(?:fy ?'?)?(\d\d)(?!\w)", re.I)
_THRU = later(r"\bthru\b", re.I)
_UNIT = later(
    r"[.?;]\s+(?:(?:and )?(?:in|as an?) )?(%|percent(?:age)?|dollars|millions|billions)\s*(?:,? please)?\W*$", re.I
)
_ROW = later(r"(?<=[a-z]) ([12]\d)(?:,? | and )([12]\d)(?:(?:,? and |,? )([12]\d))?(?=\s*[?.!]*\s*$)", re.I)
_PAIR = later(r"(?<=[a-z] )([12]\d) (v|vs|versus|higher than|lower than|over|against|to) ([12]\d)\b(?![%\w])", re.I)


@lru_cache(maxsize=1024)
def in_words(text: str) -> str:
    """A text with what it writes by signs in words; as it is where it has none of them.

    Years of two digits are from 1970 to 2069; bare ones are read as such where they follow each other.
    """
    text = _FISCAL.sub(lambda match: f"fiscal {_year(match[1])} through {_year(match[2])}", text)
    text = _QUARTER.sub(lambda match: f"Q{match[1]} fiscal {_year(match[2])}", text)
    text = _END.sub(lambda match: f"end of fiscal {_year(match[1][-2:])}", text)
    text = _SHORT.sub(lambda match: _year(match[1]), text)
    text = _UNIT.sub(r" in \1?", _THRU.sub("through", _FROM_TO.sub(_in_months, text)))
    if ">" in text or "→" in text:
        text = _ARROWS.sub(", ", _ARROW.sub(r"from \1 to \2", text))
    text = _ROW.sub(_in_a_row, text)
    return _PAIR.sub(lambda match: _beside(match) or match[0], text)


def _in_months(found: re.Match[str]) -> str:
    first, last = (_month(found[name]) for name in ("first", "last"))
    part = _PARTS.get((last - first) % 12 + 1)
    if part is None or (found["both"] is not None and found["between"] is None):
        return found[0]
    day = found["day"] or ""
    year = f"{',' if day else ''} {found['year']}" if found["year"] else ""
    return f"in the {part} ended {found['last']}{day}{year}"


def _month(name: str) -> int:
    return next(at for at, each in enumerate(MONTHS) if each.startswith(name.lower()[:3]))


def _year(digits: str) -> str:
    return f"{'19' if digits >= '70' else '20'}{digits}"


def _in_a_row(found: re.Match[str]) -> str:
    """Years that follow each other."""
    numbers = [int(each) for each in found.groups() if each is not None]
    steps = {then - first for first, then in pairwise(numbers)}
    if steps not in ({1}, {-1}):
        return found[0]
    years = [_year(f"{each:02}") for each in numbers]
    return f" {', '.join(years[:-1])} and {years[-1]}"


def _beside(found: re.Match[str]) -> str:
    is_near = abs(int(found[1]) - int(found[3])) == 1
    return f"{_year(found[1])} {found[2]} {_year(found[3])}" if is_near else ""
