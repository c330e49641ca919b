"""Periods that labels print in short or by their length: `Dec-24`, `2025E`, `H1 2024`, `LTM`, `YTD`, `9 months 2024`.

>>> found = [label_in_short(text, text, lambda rest: None) for text in ("dec-24", "1h24", "2025e", "ltm")]
>>> [each[0].key for each in found if each]
['2024-12', '2024-01/2024-06', '2025', 'LTM']
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date, timedelta

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.dates import full_year
from tieout.data.printed.periods.timespan import Period, PeriodKind, calendar_year, day, month, quarter
from tieout.data.printed.wording import MONTHS

_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = ("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen")
_SPELLED = {word: number for number, word in enumerate((*_ONES, *_TEENS), start=1)} | _TENS
COUNT = rf"(?:[1-9][0-9]?|(?:(?:{'|'.join(_TENS)})[ -])?(?:{'|'.join((*_ONES, *_TEENS))})|{'|'.join(_TENS)})"

_YEAR = r"(?:19[5-9]|20[0-6])[0-9]"
_SHORT_YEAR = rf"(?:{_YEAR}|[0-9]{{2}})(?![0-9])"
_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
_OF = r"(?:,| of| in)?(?: the)?"
_PATTERNS = later(
    r"(?<![a-z0-9])(?:(?P<half>"
    r"(?:(?P<order>first|1st|second|2nd)[ -]half|h(?P<behind>[12])(?![0-9])|(?P<before>[12])h)"
    rf"{_OF}(?P<fiscal>[ -]?(?:fiscal(?: year)?|fy))?[ -]?'?(?P<half_year>{_SHORT_YEAR}))"
    rf"|(?P<day>(?P<day_day>[0-3]?[0-9])-(?P<day_month>{_MONTH})-(?P<day_year>{_SHORT_YEAR}))"
    rf"|(?P<american>(?P<american_month>{_MONTH})-(?P<american_day>[0-3]?[0-9])-(?P<american_year>{_YEAR})(?![0-9]))"
    r"|(?P<european>(?P<european_day>3[01]|2[0-9]|1[3-9])/(?P<european_month>1[0-2]|0?[1-9])/"
    rf"(?P<european_year>{_YEAR}))"
    rf"|(?P<month>(?P<month_month>{_MONTH})\.?(?:-'?| ?')(?P<month_year>{_SHORT_YEAR}))"
    rf"|(?P<nine>(?P<nine_count>[369]|12)m ?(?P<nine_fiscal>fy)? ?'?(?P<nine_year>{_SHORT_YEAR}))"
    rf"|(?P<from_to>(?P<from_month>{_MONTH})\.? ?(?:-|–|—|to|through) ?(?P<to_month>{_MONTH})"
    rf"\.?,?(?:[ -]'?| ')?(?P<to_year>{_SHORT_YEAR}))"
    rf"|(?P<roman>(?:q ?(?P<roman_behind>i{{1,3}}|iv)|(?P<roman_before>i{{1,3}}|iv)(?: ?q|\.? quart(?:er|al)))"
    rf"[ /]?(?:of )?'?(?P<roman_year>{_SHORT_YEAR})|(?P<roman_alone>i{{1,3}}|iv)/(?P<alone_year>{_SHORT_YEAR}))"
    rf"|(?P<counted>(?P<counted_year>{_YEAR})[年度 ]{{0,3}}第(?P<behind_year>[1-4])四半期"
    rf"|第(?P<before_year>[1-4])四半期 ?(?P<year_counted>{_YEAR}))"
    rf"|(?P<calendar>cy ?'?(?P<calendar_year>{_SHORT_YEAR}))"
    rf"|(?P<marked>(?P<marked_year>{_YEAR})(?:a|e|p|f|b|pf|est))(?![a-z0-9])"
    rf"|(?P<months>(?P<first>first )?(?P<count>{COUNT})[ -]months?(?: periods?)?(?P<ended> (?:ended|ending))?"
    rf"(?: of| in)?(?: the)?(?: fiscal)?(?: year)?,? (?P<months_year>{_YEAR})(?![0-9])))"
)
_TRAILING = later(
    r"\b(?:ltm|ttm|(?:last|trailing|latest|rolling)[ -](?:twelve|12)[ -]months?)\b(?: ended| to| as of| at)?"
)
_TO_DATE = later(r"\b(?:ytd|year[ -]to[ -]date)\b(?: ended| to| as of| through)?")
_MAYBE = later(
    r"half|[hq][12]|q ?i|\bi[iv]{0,2}[ .q/]"
    r"|四半期|[12]h|[369]m|12m|[a-z]\.? ?(?:[-–—]|to|through) ?[jfmasond][aepuco]|[-/']|[0-9][aepfb]|cy|month"
    r"|ltm|ttm|ytd|to[ -]date|trailing|rolling"
)


def length_of(words: str) -> int:
    """The number that a count of weeks or months is printed as: 52 for `fifty-two` and for `52`."""
    if words.isdigit():
        return int(words)
    return sum(_SPELLED[word] for word in re.split("[ -]", words))


def month_before(last: date, months: int) -> date:
    """The first day of a span of so many whole months that ends in the month of `last`."""
    opening = last.year * 12 + last.month - months
    return date(opening // 12, opening % 12 + 1, 1)


def weeks_before(last: date, weeks: int) -> date:
    """The first day of a span of so many weeks that ends on `last`."""
    return last - timedelta(weeks=weeks) + timedelta(days=1)


def is_month_end(last: date) -> bool:
    """Whether a day is the last of its month; on 28 February also in a leap year, as filings print it."""
    return last.day == monthrange(last.year, last.month)[1] or (last.month, last.day) == (2, 28)


def months_to(last: date, months: int, label: str) -> Period:
    """The span of whole months that ends in the month of `last`; its first day is known where that is a month's end."""
    first = month_before(last, months)
    key = f"{first:%Y-%m}/{last:%Y-%m}"
    return Period(key, PeriodKind.SPAN, label, last.year, first if is_month_end(last) else None, last)


Spans = tuple[tuple[int, int], ...]


Found = tuple[Period, Spans]


def label_in_short(bare: str, label: str, in_full: Callable[[str], Found | None]) -> Found | None:
    """The period that a label prints in short, and the spans that state it; None where it prints none, or one in full.

    bare: the label in lower case without remarks, as long as it. label: as printed. in_full: reads the period that
    stands beside a mark such as `ltm`.
    """
    if not _MAYBE.search(bare):
        return None
    for pattern, reader in ((_TRAILING, _trailing), (_TO_DATE, _to_date)):
        if match := pattern.search(bare):
            rest = bare[: match.start()] + " " * len(match[0]) + bare[match.end() :]
            stated = in_full(rest)
            period = reader(stated[0] if stated else None, label)
            return (period, (match.span(), *(stated[1] if stated else ()))) if period else None
    found = _PATTERNS.search(bare)
    return (_read(found, label), (found.span(),)) if found else None


def _read(match: re.Match[str], label: str) -> Period:
    name = match.lastgroup or ""
    if match["months"]:
        return _months(match, label)
    if match["nine"]:
        return _to_month(match, label)
    if match["roman"]:
        roman = match["roman_behind"] or match["roman_before"] or match["roman_alone"]
        of = full_year(match["roman_year"] or match["alone_year"])
        return quarter(of, ("i", "ii", "iii", "iv").index(roman) + 1, label)
    if match["counted"]:  # of the year as the report counts it
        of = int(match["counted_year"] or match["year_counted"])
        return Period(f"FY{of}-Q{match['behind_year'] or match['before_year']}", PeriodKind.QUARTER, label, of)
    if match["from_to"]:
        return _from_to(match, label)
    name = next(each for each in ("half", "day", "american", "european", "month", "calendar", "marked") if match[each])
    year = full_year(match[f"{name}_year"])
    if name == "half":
        return _half(match, year, label)
    if name in ("calendar", "marked"):
        return calendar_year(year, label)
    printed = match[f"{name}_month"]
    number = MONTHS[printed] if printed in MONTHS else int(printed)
    return month(year, number, label) if name == "month" else day(year, number, int(match[f"{name}_day"]), label)


def _to_month(match: re.Match[str], label: str) -> Period:
    """`9M 2024`, which begins with the year: of `9M FY24` the days are those of the report's own years."""
    year, count = full_year(match["nine_year"]), int(match["nine_count"])
    if match["nine_fiscal"]:
        return Period(f"FY{year} {count} months", PeriodKind.SPAN, label, year)
    return months_to(date(year, count, monthrange(year, count)[1]), count, label)


def _from_to(match: re.Match[str], label: str) -> Period:
    """`Jan-Jun 2024`; from a later month of the year than it ends in, it begins in the year before."""
    year = full_year(match["to_year"])
    first, last = MONTHS[match["from_month"]], MONTHS[match["to_month"]]
    months = (last - first) % 12 + 1
    if first == last:
        return month(year, last, label)
    found = months_to(date(year, last, monthrange(year, last)[1]), months, label)
    return calendar_year(year, label) if months == 12 and last == 12 else found


def _half(match: re.Match[str], year: int, label: str) -> Period:
    number = 1 if (match["behind"] or match["before"] or match["order"][0]) in ("1", "f") else 2
    if match["fiscal"]:
        return Period(f"FY{year}-H{number}", PeriodKind.SPAN, label, year)
    return months_to(date(year, 6 * number, 30 if number == 1 else 31), 6, label)


def _months(match: re.Match[str], label: str) -> Period:
    """`first nine months of 2024`; of `three months ended 2024` the day is lost, which the report may know."""
    year, count = int(match["months_year"]), length_of(match["count"])
    if count > 12:
        return calendar_year(year, label)
    if match["ended"]:
        return Period(f"{year} {count} months", PeriodKind.SPAN, label, year)
    return months_to(date(year, count, monthrange(year, count)[1]), count, label)


def _trailing(stated: Period | None, label: str) -> Period:
    """The twelve months up to the day that the rest of the label states, or to one that is not stated."""
    if stated is None or stated.end is None:
        return Period("LTM", PeriodKind.RELATIVE, label, stated.year if stated else None)
    return months_to(stated.end, 12, label)


def _to_date(stated: Period | None, label: str) -> Period | None:
    """The year up to the month or day that the rest of the label states; of `ytd 2024` the last day is not known."""
    if stated is None or stated.year is None:
        return None
    if stated.end is None or stated.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR):
        return Period(f"{stated.year} YTD", PeriodKind.SPAN, label, stated.year)
    return months_to(stated.end, stated.end.month, label)
