"""Days that a question names without their year, as a report prints them: `at Dec 31` as `at December 31, 2022`."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Collection, Iterator
from datetime import date, timedelta

from tieout.ontology.asked.language import language
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import MONTHS

NEAR = timedelta(days=6)  # a year of 52 weeks ends some days before or after the month does
_MONTH = "|".join(f"{name[:3]}(?:{name[3:]})?" if name[3:] else name for name in (*MONTHS, "sept"))
_DAY = re.compile(
    r"(?P<at>\bin )?\b"
    rf"(?:(?:the )?(?P<end>end[- ](?:of[- ])?|last )(?P<of>{_MONTH})\b(?! quarter)(?![\w,/-]*\d|,? '?\d)"
    rf"|(?:(?:the )?end[- ](?:of[- ])?)?(?P<month>{_MONTH})\.?[- ](?P<day>end|\d{{1,2}}(?:st|nd|rd|th)?)"
    r"(?![\w,/-]*\d|,? '?\d))",
    re.IGNORECASE,
)


def months_of_days(text: str) -> frozenset[str]:
    """The months of the days that a text names without their year, each by its first three letters."""
    return frozenset((said["of"] or said["month"])[:3].lower() for said in _DAY.finditer(text))


def days_unmet(text: str, days: Collection[date]) -> Iterator[str]:
    """The days that a text names, without their year, which are none of these."""
    return (said[0] for said in _DAY.finditer(text) if days and not _printed(said, days))


def with_years(text: str, ends: Collection[date], year_end: date | None) -> str:
    """A question that names days, and no year, with the latest of these that a report prints; as it is where it prints
    none. A number that may be a year, `Sep 24`, is a day where the report prints that.

    ends: the days on which what is printed ends, but those ahead. year_end: the one on which the last fiscal year did,
    where the report is of a part of the year behind it."""
    forms = language().forms
    if years_in(text) or forms["since the year end"].search(text.lower()):
        return text
    for said in (text, language().written_out(text)):  # `Sep 24` is written out as of 2024, `Apr-Jun` up to a day
        full = _DAY.sub(lambda day: _printed(day, ends) or day[0], said)
        full = full if year_end is None else forms["at the year end"].sub(f"at {_told(year_end)}", full)
        if full != said:
            return full
    return text


def _printed(said: re.Match[str], ends: Collection[date]) -> str:
    """The latest day that is printed of those that a text may mean: that of its number, else what ends the month in the
    year that this may be, else one near it, as the last of a month may be meant; "" for none."""
    month = [name[:3] for name in MONTHS].index((said["of"] or said["month"])[:3].lower()) + 1
    day = 0 if said["end"] or said["day"].lower() == "end" else int(said["day"].rstrip("stndrh"))
    near = [each for each in ends if abs(each - _nearest(each, month, day)) <= NEAR]
    own = [each for each in near if each.day == day != monthrange(each.year, month)[1]]
    of_year = (each for each in ends if f"{each:%y}" == said["day"] and abs(each - _nearest(each, month, 0)) <= NEAR)
    found = own or [*of_year] or near
    return ("at " if said["at"] else "") + _told(max(found)) if found else ""


def _nearest(other: date, month: int, day: int) -> date:
    """The day of a month, 0 for its last, in the year in which it is nearest to another day."""
    lasts = ((year, monthrange(year, month)[1]) for year in (other.year - 1, other.year, other.year + 1))
    days = (date(year, month, min(day or last, last)) for year, last in lasts)
    return min(days, key=lambda each: abs(each - other))


def _told(day: date) -> str:
    return f"{day:%B} {day.day}, {day.year}"
