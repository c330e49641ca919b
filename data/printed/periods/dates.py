"""Numbers of dates: `12/31/07`, `8/2005`, `2007-12-31`, `dec . 312013`, `20092008`, the 22 of `2021 -22`."""

from __future__ import annotations

from itertools import pairwise

from tieout.data.printed.pattern import later
from tieout.data.printed.wording import MONTHS

Part = tuple[int, int, int, bool]  # value, start, end, whether it is a year and not a day or month

_DATE = later(
    r"(1[0-2]|0?[1-9])/(3[01]|[12][0-9]|0?[1-9])/((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9](?![0-9]?/))"
    r"|(1[0-2]|0?[1-9])/()((?:19|20)[0-9]{2})(?![0-9/])"
)
_DOTTED_DATE = later(r"(3[01]|[12][0-9]|0?[1-9])\.(1[0-2]|0?[1-9])\.((?:19|20)[0-9]{2}|[0-9]{2})(?![0-9.])")
_MONTH_YEAR = later(r"(1[0-2]|0?[1-9])/([0-9]{2})\s*$")
IN_DATES = "年"
# `2024年3月31日`, `2024年度`
_ASIAN = later(r"((?:19|20)[0-9]{2})年度?(?:(1[0-2]|0?[1-9])月(?:(3[01]|[12][0-9]|0?[1-9])日)?)?")
_ISO_DATE = later(r"((?:19|20)[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])(?![0-9])")
_SPAN_MARKS = ("-", "–", "/")


def full_year(digits: str) -> int:
    """A year from its digits; two digits up to 69 are of this century."""
    year = int(digits)
    return year if year >= 100 else year + (2000 if year < 70 else 1900)


def date_parts(text: str, start: int, is_label: bool) -> list[Part]:
    """The parts of a date in figures that begins at `text[start]`, [] for none.

    is_label: the text is a label or sentence; only there does `12/09`, when it is all of it, mean a month of a year.
    """
    if match := _ISO_DATE.match(text, start):
        groups, year = [1, 2, 3], 1
    elif match := _ASIAN.match(text, start):
        groups, year = [group for group in (1, 2, 3) if match[group]], 1
    elif match := _DOTTED_DATE.match(text, start):
        groups, year = [1, 2, 3], 3
    elif match := _DATE.match(text, start):
        groups, year = ([1, 2, 3], 3) if match[1] else ([4, 6], 6)
    elif is_label and not text[:start].strip() and (match := _MONTH_YEAR.match(text, start)):
        groups, year = [1, 2], 2
    else:
        return []
    return [
        (full_year(match[group]) if group == year else int(match[group]), *match.span(group), group == year)
        for group in groups
    ]


def with_american_dates(text: str) -> str:
    """A text, as long as before, with its Japanese and Chinese dates by month, day and year: `2024年3月31日` is
    `3/31/2024 `."""
    if IN_DATES not in text:
        return text
    return _ASIAN.sub(lambda match: "/".join(filter(None, (match[2], match[3], match[1]))).ljust(len(match[0])), text)


def glued_parts(digits: str, start: int, before: str) -> list[Part]:
    """The parts of a number of five digits or more, where the spaces between them were lost; [] where it is one number.

    `20092008` is a row of years; `312013` behind a month, the token `before`, is a day and a year.
    """
    if not digits.isdigit() or len(digits) > 40:
        return []
    if len(digits) % 4 == 0:
        years = [int(digits[at : at + 4]) for at in range(0, len(digits), 4)]
        if 1950 <= years[0] <= 2069 and {abs(first - second) for first, second in pairwise(years)} == {1}:
            return [(year, start + 4 * at, start + 4 * at + 4, True) for at, year in enumerate(years)]
    middle = start + len(digits) - 4
    is_date = before in MONTHS and len(digits) <= 6 and digits[-4:-2] in ("19", "20")
    if is_date and 1 <= int(digits[:-4]) <= 31:
        return [(int(digits[:-4]), start, middle, False), (int(digits[-4:]), middle, middle + 4, True)]
    return []


def last_year_of_span(between: str, digits: str, first: int) -> int | None:
    """The year that two digits mean behind the year `first` and a dash or slash: 2022 in `2021 -22`. None for none."""
    if between.strip() not in _SPAN_MARKS or not digits.isdigit() or int(digits) <= first % 100:
        return None
    return first // 100 * 100 + int(digits)
