"""Periods as reports print them: `2007`, `december 31 2007`, `fy12`, `quarter ended march 31`, `2012 2013 2016`.

>>> [read_period(label).key for label in ("year ended december 31 2009", "fy12", "quarter ended march 31")]
['2009', 'FY2012', 'Q1']
>>> [period.key for period, start, end in find_periods("at december 31 , 2008 and 2007")]
['2008-12-31', '2007-12-31']
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from tieout.data.printed.languages.language import current_language, gloss
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.dates import full_year, with_american_dates
from tieout.data.printed.periods.ending import LENGTH, as_ended, ended
from tieout.data.printed.periods.lengths import COUNT, Spans, label_in_short, length_of
from tieout.data.printed.periods.timespan import (
    FULL_YEAR,
    Period,
    PeriodKind,
    calendar_year,
    comparison,
    day,
    fiscal_year,
    in_year,
    month,
    of_year,
    part_of,
    quarter,
    span,
    year_before,
)
from tieout.data.printed.wording import MONTHS

__all__ = [
    "Period",
    "PeriodKind",
    "find_periods",
    "in_year",
    "label_period",
    "of_year",
    "part_of",
    "read_period",
    "year_before",
]


LONGEST_LABEL = 1_000  # characters of a row label or column header that are read: a text behind them names no line
_YEAR = r"(?:19[5-9]|20[0-6])[0-9]"
_MONTH = r"(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + r")"
_DAY = r"(?:3[01]|[12][0-9]|0?[1-9])"
_IS_DAY = r"(?:st|nd|rd|th)?(?![0-9]|%| %|\.[0-9]|[a-z])"  # and not the head of a longer number
_IS_YEAR = r"(?![0-9.]*[0-9]|%| %)"
_TO_YEAR = rf"(?:,? of)? ?,? ?(?:fiscal )?(?={_YEAR}{_IS_YEAR})"
_ORDERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_ORDER = "|".join(_ORDERS)

# One alternative for each way to print a period; looking at two letters first saves most of the time. `<name>_year`
# and so on are read by the function of the same name below.
_PERIOD = later(
    r"(?<![a-z0-9.$])(?<!\$ )(?=[0-9jfmasondqtylewh])"
    r"(?=[0-9]|j[au]|fe|ma|mo|ap|au|se|oc|no|de|q[1-4u]|ye|th|si|ni|tw|fi|fy|fo|la|on|ei|te|el|we|ha)(?:"
    rf"(?P<ended>(?P<ended_length>{LENGTH})"
    rf"[ -](?:ended|ending|to(?= {_DAY}[a-z]{{0,2}} [a-z]))(?: or as of)?(?: on)?,? "
    rf"(?:(?:the )?(?P<ended_before>{_DAY})(?:st|nd|rd|th)? )?(?P<ended_month>{_MONTH})"
    rf"(?: ?\.? ?(?P<ended_day>{_DAY})(?:(?= ?,? ?{_YEAR}{_IS_YEAR})"
    rf"|{_IS_DAY}))?(?:{_TO_YEAR}(?P<ended_year>[0-9]{{4}}))?)"
    rf"|(?P<slashed>(?P<slashed_month>1[0-2]|0?[1-9])/(?P<slashed_day>{_DAY})"
    rf"/(?P<slashed_year>{_YEAR}|[0-9]{{2}}(?![0-9]{{2}})))"
    rf"|(?P<dotted>(?P<dotted_day>{_DAY})\.(?P<dotted_month>1[0-2]|0?[1-9])\.(?P<dotted_year>{_YEAR}|[0-9]{{2}})(?!\.?[0-9]))"
    r"|(?P<dashed>(?P<dashed_day>3[01]|2[0-9]|1[3-9])-(?P<dashed_month>1[0-2]|0[1-9])"
    rf"-(?P<dashed_year>{_YEAR})(?![0-9-]))"
    rf"|(?P<iso>(?P<iso_year>{_YEAR})-(?P<iso_month>[01][0-9])-(?P<iso_day>[0-3][0-9])(?![0-9]))"
    rf"|(?P<dated>(?P<dated_month>{_MONTH}) ?\.? ?(?P<dated_day>{_DAY})"
    rf"(?: ?,? ?(?P<dated_year>{_YEAR}){_IS_YEAR}|{_IS_DAY}))"
    rf"|(?P<day>(?P<day_day>{_DAY})(?:st|nd|rd|th)? (?P<day_month>{_MONTH})\b(?! [0-9]{{1,2}}\b)"
    rf"(?:{_TO_YEAR}(?P<day_year>[0-9]{{4}}))?)"
    rf"|(?P<month>(?P<month_month>{_MONTH})(?: ?\.)?{_TO_YEAR}(?P<month_year>[0-9]{{4}}))"
    rf"|(?P<numbered>(?P<numbered_month>1[0-2]|0?[1-9])/(?P<numbered_year>{_YEAR})(?![0-9/]))"
    rf"|(?P<quarter>(?:(?P<quarter_order>{_ORDER}) (?:fiscal )?(?:quarters?|qtr)\b"
    rf"|q(?P<quarter_number>[1-4])(?!(?!fy)[0-9a-z]))"
    rf"(?:(?:,| of| in)?(?: the)?(?: fiscal| years?| ?fy){{0,2}} ?'?(?P<quarter_year>{_YEAR}|(?<=[y'])[0-9]{{2}}"
    rf"|(?<=fy )[0-9]{{2}}){_IS_YEAR}(?:-(?P<quarter_to>[0-9]{{2}})(?![0-9]))?)?)"
    rf"|(?P<short>(?P<short_number>[1-4])q ?'?(?P<short_year>{_YEAR}|[0-9]{{2}})(?![0-9]))"
    rf"|(?P<year_quarter>(?P<year_quarter_year>{_YEAR}) (?:(?P<year_quarter_order>{_ORDER}) (?:quarter|qtr)\b"
    rf"|q(?P<year_quarter_number>[1-4])\b))"
    rf"|(?P<months>(?:first )?(?P<months_count>{COUNT})[ -]months?(?: periods?)?(?P<months_ended> ended)?(?: of| in)?"
    rf"(?: the)?(?: fiscal)?(?: years?)?,? (?P<months_year>{_YEAR}){_IS_YEAR})"
    r"|(?P<half>(?P<half_order>first|second) half (?:of )?(?:the )?(?:fiscal )?(?:years? )?"
    rf"(?P<half_year>{_YEAR}){_IS_YEAR})"
    rf"|(?P<parts>quarters? ended (?P<parts_year>{_YEAR}){_IS_YEAR})"
    rf"|(?P<fiscal>(?:fiscal(?: years?)?|fy) ?'?(?P<fiscal_year>{_YEAR}|(?<=y)[0-9]{{2}}"
    rf"|(?<=[y'] )[0-9]{{2}}|(?<=y')[0-9]{{2}}){_IS_YEAR}"
    rf"(?: ?[-–/] ?(?P<fiscal_to>[0-9]{{2}}|{_YEAR})(?![0-9]))?)"
    rf"|(?P<years>(?P<years_year>{_YEAR})(?: ?[-–—] ?| to | through | 201[34] | v ?\.? | vs ?\.? | versus |/"
    rf"| 201[34](?={_YEAR}))"
    rf"(?P<years_to>{_YEAR}|[0-9]{{2}}(?![0-9]|,[0-9]{{3}}(?![0-9])|\.[0-9])){_IS_YEAR}(?!-[0-9]))"
    rf"|(?P<year>(?P<year_year>{_YEAR}))(?:(?=(?:{_YEAR})+(?![0-9]))|(?![0-9,]*[0-9]|\.[0-9]|%| %|[a-z/]"
    r"|-[0-9a-z](?![0-9a-z])))"  # `Series 2023-1` is a name
    r"|(?P<later>(?:(?<=and )|(?<=, )|(?<=[0-9] )|(?<=llion ))thereafter)\b"
    r"(?= (?:201[34]|[-–$,.;:]|are|were|obligations?)|\s{0,9}$)"
    rf")"
)
_FOLLOWING_YEAR = later(
    rf"(?: ?(?:,|and|, and|or|to|/) ?| )?({_YEAR})(?![0-9](?![0-9]{{3}}(?![0-9]))|\.[0-9]|%| %|[a-z])"
)
_RELATIVE = later(
    rf"(?:after|beyond)(?: fiscal)? (?P<after>{_YEAR})"
    rf"|(?P<on>{_YEAR}) ?(?:and|-|–) ?(?:thereafter|after|beyond|later|prior|before)"
    r"|(?:less than|within|up to|under) ?(?:1|one) year"
    r"|(?P<low>[0-9]{1,2}) ?(?:-|–|—|to|2013|2014) ?(?P<high>[0-9]{1,2}) years?"
    r"|(?:more than|after|over|beyond|greater than) ?(?:[0-9]{1,2}|five|ten) years?"
    r"|thereafter|later years|subsequent years"
)
_MARKED_YEAR = later(rf"({_YEAR})[1-9]")  # `20081` is 2008 with a footnote mark
_MONTH_YEAR = later(r"(1[0-2]|0?[1-9])/([0-9]{2})")
_SHORT_COMPARED = later(r"(?<![0-9/.])([0-9]{2}) ?(?:/|vs?\.?) ?'?([0-9]{2})(?![0-9/.])")
_TWO_YEARS = later(rf"({_YEAR}) and ({_YEAR})")
_LOST_SPACE = later(r"(?<=[a-z])(?=[0-9])")
# Without a digit or one of these words a text states no period. Each begins with a letter, which is looked for fastest.
_DIGIT = later(r"[0-9]")
_PERIOD_WORD = later(
    r"ltm\b|ttm\b|half\b|full[ -]year\b|twelve months|quarter|qtr|thereafter"
    r"|later years|subsequent years|one year|five years|ten years"
)
_PART = later(
    r"(?:first|1st|second|2nd)[ -]half(?:[ -]year)?|h[12]|[12]h|(?P<full>full[ -](?:fiscal )?year)(?: total)?"
)
_CUT_YEAR = later(rf"(?P<before>(?:{_MONTH}\.? )?(?:{_DAY},? )?)'(?P<year>[0-9]{{2}})")
_CUT_DATE = later(rf"(?P<before>(?:.*[^0-9./-])?{_DAY} {_MONTH}\.? )(?P<year>[0-9]{{2}})")
_STOPPED = later(rf"({_MONTH} {_DAY})\.(?= {_YEAR})")  # `July 1. 2022`, no sentence's end in a label
_PARENTHETIC = later(r"\([^()]*\)")
_PLAIN = str.maketrans("’‘\u00a0\u2009\u202f", "''   ")
_COMPARED = later(rf" (201[34]|v ?\.?|vs ?\.?|versus) ?({_YEAR})(?![0-9])")
_VERSUS = later(r",? ?(?:v|vs|versus|over|against|compared (?:to|with)|/)\.? ?(?:the )?")
_MONTHS_OF_YEAR = 12
_PARTS = frozenset(("months", "half", "parts"))
_AND_LENGTH = later(rf"\b({COUNT})(?:[- ](?:months?)?)?,? and $")  # `three and six months ended`
_DATES = ("dated", "slashed", "dotted", "day")
_IN_NUMBERS = frozenset(("slashed", "dotted", "dashed", "iso"))
_ENDS_AT = later(rf"(?<![a-z0-9]){LENGTH}[ -](?:ended|ending)(?: on)?,? $")
# `July 22, 2023 (inception) through September 30`, `July 1-21, 2023`
_SPAN_JOIN = later(
    r"(?: ?\([^()]{1,80}\)| {2,80})?,? ?(?:-|–|—|to|through|thru|until|2013|2014) ?(?:and including )?(?=[a-z0-9])"
)
_DAY_ALONE = later(rf"({_DAY})(?:st|nd|rd|th)?(?: ?,? ?({_YEAR}){_IS_YEAR}|$)")
_NAMED_BEFORE = later(
    r"(?:due|series|tranche|maturing|matur(?:es|ity)|expir(?:es|ing|ation)|topic|copyright(?: a9)?|asu|no \.)"
    r"(?: in| on| through)? ?$"
)
_NAMED_AFTER = later(
    r" (?:[a-z-]+ ){0,4}?(?:plan|plans|notes|debentures|bonds|program|act|agreement|peer group|incentive|facility"
    r"|warrants)\b"
)
# `Periods ended June 30,` over `Three Months` over `2025`.
_PERIODS_ENDED = later(
    rf"(?:for the )?periods (?:ended|ending) (?P<month>{_MONTH})\.? (?P<day>{_DAY}),? "
    rf"(?:(?P<length>{LENGTH}),? (?P<year>{_YEAR})|(?P<over>{_YEAR}),? (?:first )?(?P<under>half|{COUNT}[ -]months))"
)
_YEAR_FIRST = later(rf"(?P<year>(?:fiscal )?{_YEAR}),? (?P<length>(?:first )?{COUNT}[ -]months)")
_BORROWED_IN = later(  # `August 2022 debt:`, a month that is the name of what was borrowed in it
    r" (?:[a-z-]+ ){0,2}?(?:debt|notes|debentures|bonds|loans?|facility|credit agreement|offering|warrants)\W*$"
)


def find_periods(text: str) -> tuple[tuple[Period, int, int], ...]:
    """Every period that a sentence states, in order, with its span.

    Years listed behind a date share its month and day: `december 31 , 2008 and 2007` are two dates.
    """
    if len(text) <= LONGEST_LABEL:
        return _found_again(text, current_language())
    return _found(text)


@lru_cache(maxsize=4096)
def _found_again(text: str, _language: str) -> tuple[tuple[Period, int, int], ...]:
    """Short texts, headers above all, come again. _language: of the report."""
    return _found(text)


def _found(text: str) -> tuple[tuple[Period, int, int], ...]:
    lower = _lower(text)
    if not _may_state_period(lower):
        return ()
    said = gloss(lower)
    if said is None:
        return tuple(_find(text, lower, False))
    found = [(period, *said.span(start, end)) for period, start, end in _find(said.text, said.text, False)]
    return tuple((replace(period, label=text[start:end]), start, end) for period, start, end in found)


def read_period(label: str) -> Period | None:
    """The period that a row label or column header stands for, None where it states none.

    A year that is part of a name (`notes due 2021`, `2004 incentive plan`) or stands in a remark in parentheses is no
    period.
    """
    found = label_period(label)
    return found[0] if found else None


def label_period(label: str) -> tuple[Period, Spans] | None:
    """The period that a label stands for and the spans that state it, None where it states none."""
    return _label_period(label, current_language())


@lru_cache(maxsize=4096)
def _label_period(label: str, _language: str) -> tuple[Period, Spans] | None:
    lower = _lower(label[:LONGEST_LABEL])
    said = gloss(lower)
    if said is None:
        return _period_of_label(label, lower)
    found = _period_of_label(said.text, said.text)
    return None if found is None else (replace(found[0], label=label), tuple(said.span(*span) for span in found[1]))


def _period_of_label(label: str, lower: str) -> tuple[Period, Spans] | None:
    if not _may_state_period(lower):
        return None
    bare = _PARENTHETIC.sub(lambda remark: " " * len(remark[0]), lower) if "(" in lower else lower
    bare = _STOPPED.sub(r"\1,", bare) if ". " in bare else bare
    if match := _PERIODS_ENDED.fullmatch(bare.strip()):
        length, year = match["length"] or match["under"], int(match["year"] or match["over"])
        return ended(length, MONTHS[match["month"]], int(match["day"]), year, label), ((0, len(label)),)
    if match := _YEAR_FIRST.fullmatch(bare.strip()):  # `2023` over `Six Months`
        said = label_period(f"{match['length']} {match['year']}")
        return (replace(said[0], label=label), ((0, len(label)),)) if said else None
    if match := _RELATIVE.search(bare):
        return _relative(match, label), (match.span(),)
    if match := _CUT_YEAR.fullmatch(bare.strip()):  # `'23`, `Dec. 31, '23`
        said = label_period(f"{match['before']}{full_year(match['year'])}")
        return (replace(said[0], label=label), ((0, len(label)),)) if said else None
    if match := _CUT_DATE.fullmatch(bare.rstrip()):  # `52 weeks to 30 Jun 24`, at the end alone
        said = label_period(f"{match['before']}{full_year(match['year'])}")
        return said and (replace(said[0], label=label), tuple((start, min(end, len(label))) for start, end in said[1]))
    if match := _MONTH_YEAR.fullmatch(bare.strip()):
        return month(full_year(match[2]), int(match[1]), label), ((0, len(label)),)
    if match := _MARKED_YEAR.fullmatch(bare.strip()):
        return calendar_year(int(match[1]), label), ((0, len(label)),)
    if (match := _TWO_YEARS.fullmatch(bare.strip())) and int(match[1]) < int(match[2]):
        return span(calendar_year(int(match[1]), label), calendar_year(int(match[2]), label), label), ((0, len(label)),)
    if (match := _SHORT_COMPARED.search(bare)) and _are_compared(match, bare):  # `% change 21/20`
        later_one, earlier = full_year(match[1]), full_year(match[2])
        return comparison(str(later_one), str(earlier), label, later_one), (match.span(),)
    if match := _PART.fullmatch(bare.strip(" :")):
        return _part(match, label), ((0, len(label)),)
    if short := label_in_short(bare, label, label_period):
        return _with_length(bare, *short)
    found = [each for each in _find(label, bare, True) if not _is_name(bare, *each)]
    if not found:
        return None
    spans = tuple((start, end) for _, start, end in found)
    if of_days := [period for period, _, _ in found if period.year is not None and _is_from_to(period)]:
        return replace(of_days[-1], label=label), spans  # `nine months ended` over two parts of it
    if against := _against(bare, label, found):
        return against, spans
    dated = [period for period, _, _ in found if period.year is not None]
    partial = [period for period, _, _ in found if period.year is None]
    if dated and partial and dated[0].year is not None:
        return _with_length(bare, replace(in_year(partial[-1], dated[0].year), label=label), spans)
    return _with_length(bare, replace(found[0][0], label=label), spans)


def _against(bare: str, label: str, found: list[tuple[Period, int, int]]) -> Period | None:
    """`fiscal 2019 vs. fiscal 2018`, `Q3 2023 over Q3 2022`: the first one compared with the second."""
    if len(found) != 2:
        return None
    (one, _, end), (other, start, _) = found
    is_later = bool(one.year and other.year and one.year > other.year) and one.kind is other.kind
    if not is_later or one.year is None or not _VERSUS.fullmatch(bare, end, start):
        return None
    return comparison(one.key, other.key, label, one.year, one.end if one.kind is not PeriodKind.YEAR else None)


def _are_compared(match: re.Match[str], bare: str) -> bool:
    """Whether two figures are years, one after the other, and no month of a year: `12/11` may be one."""
    is_told = "change" in bare or "increase" in bare
    is_alone = not bare[: match.start()].strip(" ('%") and int(match[1]) > _MONTHS_OF_YEAR
    return int(match[1]) == int(match[2]) + 1 and (is_told or is_alone)


def _is_from_to(period: Period) -> bool:
    """Whether a period is printed by its first and its last day."""
    begins = _PERIOD.match(period.label.lower())
    return period.kind is not PeriodKind.DATE and begins is not None and begins.lastgroup in _DATES


def _with_length(bare: str, period: Period, spans: Spans) -> tuple[Period, Spans]:
    """The period of a label with the length that other words of it say: `quarter ended audited 31.03.2025`."""
    period, lead = as_ended(period, bare)
    return period, tuple(sorted((*spans, lead))) if lead else spans


def _part(match: re.Match[str], label: str) -> Period:
    """The half or the whole of a year that is stated elsewhere."""
    if match["full"]:
        return Period(FULL_YEAR, PeriodKind.FISCAL_YEAR, label)
    return Period("H1" if "1" in match[0] or match[0].startswith("f") else "H2", PeriodKind.SPAN, label)


def _may_state_period(lower: str) -> bool:
    return bool(_DIGIT.search(lower) or _PERIOD_WORD.search(lower))


def _lower(text: str) -> str:
    """A text in lower case with plain quotes and spaces, as long as it."""
    lower = text if text.islower() else text.lower()
    if len(lower) != len(text):  # a few letters change their length: spans would no longer fit
        lower = text
    if lower.isascii():
        return lower
    return with_american_dates(lower).translate(_PLAIN)


def _is_name(text: str, period: Period, start: int, end: int) -> bool:
    if period.kind not in (PeriodKind.YEAR, PeriodKind.MONTH, PeriodKind.DATE) or text.startswith("year", start):
        return False
    if _NAMED_BEFORE.search(text, max(0, start - 24), start):
        return True
    named = _NAMED_AFTER if period.kind is PeriodKind.YEAR else _BORROWED_IN
    return period.kind in (PeriodKind.YEAR, PeriodKind.MONTH) and bool(named.match(text, end))


def _find(text: str, lower: str, is_label: bool) -> Iterator[tuple[Period, int, int]]:
    position = 0
    while match := _PERIOD.search(lower, position):
        start, position = match.span()
        name = match.lastgroup or ""
        period = _READERS[name](match, text[start:position])
        if name == "ended" and (also := _AND_LENGTH.search(lower, max(0, start - 30), start)):
            earlier = ended(f"{also[1]} months", *_last_day(match), text[start:position])
            yield replace(earlier, label=text[also.start() : position]), also.start(), start
        if " v" in match[0] and name == "years" and not is_label:  # in a sentence, sales of one year versus another
            period = calendar_year(int(match["years_year"]), text[start : start + 4])
        if name in _IN_NUMBERS and (lead := _ENDS_AT.search(lower, max(0, start - 40), start)):
            start = lead.start()
            period, _ = as_ended(replace(period, label=text[start:position]), lead[0])
        position = start + len(period.label)  # of three years in a row only the first belongs to it
        if period.kind is PeriodKind.DATE and (until := _second_date(text, lower, period, start, position)):
            yield until, start, start + len(until.label)
            position = start + len(until.label)
            continue
        if period.year and name in ("ended", "dated") and (other := _COMPARED.match(lower, position)):
            period = _compared(period, period.year, other, text[start : other.end()]) or period
            position = start + len(period.label)
        yield period, start, position
        if period.year is None or name in ("years", "later"):
            continue
        while more := _FOLLOWING_YEAR.match(lower, position):
            if name in ("year", "slashed", "iso", "numbered") and more.start(1) != position:
                break
            position = more.end()
            yield _again(match, period, int(more[1]), text[more.start(1) : position]), more.start(1), position


def _compared(period: Period, year: int, match: re.Match[str], label: str) -> Period | None:
    """`years ended december 31 2008 20142007`: one year compared with another, the code of a dash between them."""
    other = int(match[2])
    is_list = match[1].isdigit() and {other, int(match[1]), year} == {year - 2, year - 1, year}
    return None if is_list or other >= year else comparison(str(year), str(other), label, year, period.end)


def _second_date(text: str, lower: str, first: Period, start: int, position: int) -> Period | None:
    """The span of days that a first date opens, where a second one follows it: `october 1 to october 28 2007`.

    Either may say the year of both; where none does, it is stated elsewhere: `july 22 to september 30` below `2023`.
    """
    join = _SPAN_JOIN.match(lower, position)
    found = _date_at(lower, join.end(), first) if join else None
    if not found:
        return None
    second, end = found
    label = text[start:end]
    year = second.year or first.year
    if year is None:
        return Period(f"{first.key}/{second.key}", PeriodKind.SPAN, label)
    if second.year is None:
        second = next(each for each in (in_year(second, year), in_year(second, year + 1)) if _follows(first, each))
    elif first.year is None:
        first = next(each for each in (in_year(first, year), in_year(first, year - 1)) if _follows(each, second))
    return span(first, second, label) if _follows(first, second) else None


def _follows(first: Period, second: Period) -> bool:
    return bool(first.start and second.end and first.start < second.end)


def _date_at(lower: str, at: int, first: Period) -> tuple[Period, int] | None:
    """The date that stands at a place, and where it ends. first: a date before it, in whose month a day alone is."""
    if first.year is None and (match := _DAY_ALONE.match(lower, at)) and int(match[1]) > int(first.key[3:]):
        return day(int(match[2]) if match[2] else None, int(first.key[:2]), int(match[1]), match[0]), match.end()
    match = _PERIOD.match(lower, at)
    if not match or match.lastgroup not in _DATES:
        return None
    found = _READERS[match.lastgroup](match, match[0])
    return (found, match.end()) if found.kind is PeriodKind.DATE else None


def _again(match: re.Match[str], period: Period, year: int, label: str) -> Period:
    """The same part of another year: the 2007 of `december 31 , 2008 and 2007`."""
    if match.lastgroup == "ended":
        return _ended(match, label, year)
    if match.lastgroup in _PARTS:
        return replace(period, key=period.key.replace(str(period.year), str(year)), year=year, label=label)
    return replace(of_year(period, year), label=label)


def _relative(match: re.Match[str], label: str) -> Period:
    year = match["after"] or match["on"]
    key = " ".join(_LOST_SPACE.sub(" ", match[0]).replace("andthere", "and there").split())
    if match["low"]:
        key = f"{match['low']}-{match['high']} years"
    return Period(key, PeriodKind.RELATIVE, label, int(year) if year else None)


def _read_date(match: re.Match[str], label: str) -> Period:
    name = match.lastgroup
    printed, year = match[f"{name}_month"], match[f"{name}_year"]
    number = MONTHS[printed] if printed in MONTHS else int(printed)
    return day(full_year(year) if year else None, number, int(match[f"{name}_day"]), label)


def _read_month(match: re.Match[str], label: str) -> Period:
    printed = match[f"{match.lastgroup}_month"]
    number = MONTHS[printed] if printed in MONTHS else int(printed)
    return month(int(match[f"{match.lastgroup}_year"]), number, label)


def _read_quarter(match: re.Match[str], label: str) -> Period:
    name = match.lastgroup
    order = match[f"{name}_order"] if name != "short" else None
    year = match[f"{name}_year"]
    if name == "quarter" and match["quarter_to"] and (int(year) + 1) % 100 == int(match["quarter_to"]):
        year = str(int(year) + 1)  # `Q4 FY 2024-25`
    return quarter(full_year(year) if year else None, _ORDERS[order] if order else int(match[f"{name}_number"]), label)


def _read_months(match: re.Match[str], label: str) -> Period:
    """`first six months of 2025`; of `six months ended 2025` the day is lost, which the report may know."""
    year, count = int(match["months_year"]), length_of(match["months_count"])
    if count >= 12:
        return calendar_year(year, label)
    first = "" if match["months_ended"] else "first "
    return Period(f"{year} {first}{count} months", PeriodKind.SPAN, label, year)


def _read_half(match: re.Match[str], label: str) -> Period:
    year = int(match["half_year"])
    return Period(f"FY{year}-H{1 if match['half_order'] == 'first' else 2}", PeriodKind.SPAN, label, year)


def _read_fiscal(match: re.Match[str], label: str) -> Period:
    year = full_year(match["fiscal_year"])
    if not match["fiscal_to"]:
        return fiscal_year(year, label)
    last = int(match["fiscal_to"])
    last = last if last > 99 else year // 100 * 100 + last
    if last == year + 1:
        return fiscal_year(last, label)  # `FY2023/24`
    return Period(f"FY{year}/FY{last}", PeriodKind.SPAN, label, last) if last > year else fiscal_year(year, label)


def _read_years(match: re.Match[str], label: str) -> Period:
    """`2012-2016`, `2012 2013 2016` with the code of a dash, `2015 vs 2014`. Three years in a row are a list."""
    first, second = int(match["years_year"]), match["years_to"]
    last = int(second) if len(second) == 4 else first // 100 * 100 + int(second)
    between = label[4 : len(label) - len(second)].strip().lower()
    if between.isdigit() and min(first, last) < int(between) < max(first, last) and abs(first - last) == 2:
        return calendar_year(first, label[:4])
    if last == first + 1 and len(second) == 2 and between == "/":
        return fiscal_year(last, label)  # `2023/24` is one year that ends in 2024
    if last > first and between[:1] != "v":
        return span(calendar_year(first, label), calendar_year(last, label), label)
    if last != first and len(second) == 4 and between not in ("to", "through"):
        return comparison(str(first), str(last), label, first)
    return calendar_year(first, label[:4])


def _ended(match: re.Match[str], label: str, year: int | None) -> Period:
    number, last_day, _ = _last_day(match)
    return ended(match["ended_length"], number, last_day, year, label)


def _last_day(match: re.Match[str]) -> tuple[int, int | None, int | None]:
    """The month, the day and the year that a length ends with, as printed."""
    printed_day = match["ended_before"] or match["ended_day"]
    year = int(match["ended_year"]) if match["ended_year"] else None
    return MONTHS[match["ended_month"]], int(printed_day) if printed_day else None, year


_READERS: dict[str, Callable[[re.Match[str], str], Period]] = {
    "ended": lambda match, label: _ended(match, label, int(match["ended_year"]) if match["ended_year"] else None),
    "slashed": _read_date,
    "dotted": _read_date,
    "dashed": _read_date,
    "iso": _read_date,
    "dated": _read_date,
    "day": _read_date,
    "month": _read_month,
    "numbered": _read_month,
    "quarter": _read_quarter,
    "months": _read_months,
    "half": _read_half,
    "parts": lambda match, label: Period(
        f"{match['parts_year']} 3 months", PeriodKind.SPAN, label, int(match["parts_year"])
    ),
    "short": _read_quarter,
    "year_quarter": _read_quarter,
    "fiscal": _read_fiscal,
    "years": _read_years,
    "year": lambda match, label: calendar_year(int(match["year_year"]), label),
    "later": lambda match, label: Period(match[0], PeriodKind.RELATIVE, label),
}
