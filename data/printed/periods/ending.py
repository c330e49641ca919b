"""Periods known by their length and their last day: `three months ended march 31, 2008`, `quarter ended | 31.03.2025`.

>>> from tieout.data.printed.periods.timespan import day
>>> as_ended(day(2025, 3, 31, "31.03.2025"), "quarter ended")[0].key
'2025-Q1'
"""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.lengths import COUNT, is_month_end, length_of, month_before, weeks_before
from tieout.data.printed.periods.timespan import Period, PeriodKind, calendar_year, month, quarter

LENGTH = (
    rf"(?:{COUNT}[ -](?:fiscal )?(?:months?|weeks?|quarters?)|(?:the)?(?:fiscal )?(?:quarters?"
    r"|years?|half[ -]years?|months?|weeks?))(?: periods?)?"
)
_LEAD = later(rf"(?<![a-z0-9])(?P<length>{LENGTH})[ -](?:ended|ending)(?: on)?(?![a-z])", re.IGNORECASE)


def leads_to_day(text: str) -> bool:
    """Whether a title says how long a period is and not when it ends, as one above or beside dates does."""
    return "end" in text.lower() and _LEAD.search(text) is not None


def as_ended(period: Period, title: str) -> tuple[Period, tuple[int, int] | None]:
    """The period that ends on a day, or with a month, where the title beside it says its length; and where it does.

    The same period where the title says no length, or the period is no day. title: `Quarter ended`, in any case.
    """
    if period.kind not in (PeriodKind.DATE, PeriodKind.MONTH) or "end" not in title.lower():
        return period, None
    lead = _LEAD.search(title)
    if lead is None:
        return period, None
    if period.end is not None:
        number, on, year = period.end.month, period.end.day, period.year
    elif period.kind is PeriodKind.DATE:
        number, on, year = int(period.key[:2]), int(period.key[3:]), None
    else:
        return period, None
    label = period.label if lead[0].lower() in period.label.lower() else f"{lead[0]} {period.label}"
    return ended(lead["length"].lower(), number, on, year, label), lead.span()


def ended(words: str, last_month: int, printed_day: int | None, year: int | None, label: str) -> Period:
    """`three months ended march 31 , 2008`: known by its length and its last day.

    Years of 52 weeks end some days off the end of a month: a last day in its first week counts for the month before.
    words: the length as printed. printed_day: None where only the month is.
    """
    months, weeks = _length(words)
    last_day = printed_day or 31
    closing = last_month if last_day > 7 else (last_month - 2) % 12 + 1
    kind = {3: PeriodKind.QUARTER, 12: PeriodKind.YEAR}.get(months, PeriodKind.SPAN)
    if year is None:
        if months == 3 and closing % 3 == 0:
            return quarter(None, closing // 3, label)
        key = f"{last_month:02}-{min(last_day, monthrange(2000, last_month)[1]):02}"
        return Period(key, kind, label)
    last = date(year, last_month, min(last_day, monthrange(year, last_month)[1]))
    first = month_before(last, months + (closing != last_month)) if is_month_end(last) or not printed_day else None
    if weeks:
        first = weeks_before(last, weeks)
    if months == 3 and closing % 3 == 0:
        found = quarter(year - (closing > last_month), closing // 3, label)
        return Period(found.key, found.kind, label, found.year, first, last)
    if months == 12 and not weeks and last_month == 12 and is_month_end(last) and "fiscal" not in words:
        return calendar_year(year, label)
    if months == 12:
        return Period(f"FY{year}", PeriodKind.FISCAL_YEAR, label, year, first, last)
    if months == 1 and not weeks:
        return month(year, last_month, label)
    opening = month_before(last, months + (closing != last_month))
    return Period(f"{opening:%Y-%m}/{last:%Y-%m}", kind, label, year, first, last)


def _length(words: str) -> tuple[int, int]:
    """The length of a period in months, and in weeks where it is printed in weeks, else 0: `fifty-two weeks`."""
    words = re.sub(r" periods?$", "", words).replace(" fiscal ", " ")
    count, _, thing = words.replace("the", "", 1).removeprefix("fiscal ").strip().rpartition(" ")
    if "-" in thing and not count:
        count, _, thing = thing.rpartition("-")
    number = length_of(count) if count and count not in ("half", "fiscal") else 1
    if thing.startswith("week"):
        return max(1, round(number * 12 / 52)), number
    if thing.startswith("month"):
        return number, 0
    if thing.startswith("quarter") and number > 1:
        return 3 * number, 0
    return (6 if "half" in words else 3 if thing.startswith("quarter") else 12), 0
