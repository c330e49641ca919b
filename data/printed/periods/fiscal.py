"""The fiscal calendar of a report: on which days its years begin and end, and so the days of `fiscal 2024` or `Q2`.

>>> calendar = find_calendar(["fiscal years 2025 and 2024 ended on september 27, 2025 and september 28, 2024."])
>>> calendar.days(2025), calendar.end_of(2024)
((datetime.date(2024, 9, 29), datetime.date(2025, 9, 27)), datetime.date(2024, 9, 28))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal

from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.lengths import COUNT, is_month_end, month_before
from tieout.data.printed.periods.period import find_periods
from tieout.data.printed.periods.timespan import Period, PeriodKind, calendar_year, is_comparison
from tieout.data.printed.wording import MONTHS

_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})\b"
_DAY = rf"{_MONTH} ?\.? ?[0-9]{{1,2}} ?,? ?(?:19|20)[0-9]{{2}}"
_DAYS = rf"(?P<days>{_DAY}(?:(?: ?,| and|, and| or)? (?:{_DAY}|(?:19|20)[0-9]{{2}}\b))*)"
_YEARS = (
    r"(?P<years>(?:19|20)[0-9]{2}(?:(?: ?,| and|, and)? (?:fiscal(?: years?)? )?(?:19|20)[0-9]{2})*)"  # `2024 and 2023`
)
# `years ended june 30, 2024 and 2023`; a quarter that ends somewhere says nothing of the year.
_ENDED = later(
    rf"(?:\b(?:fiscal )?years?|\b(?:52|53|fifty[ -](?:two|three))[ -]weeks?|\b(?:twelve|12)[ -]months?)(?: periods?)?"
    rf"[ -](?:ended|ending)(?: on)?,? {_DAYS}"
)
_QUARTER_ENDED = later(
    rf"\b(?:(?P<weeks>(?:13|thirteen)[ -]weeks?)|(?:three|3)[ -]months?|(?:fiscal |quarterly )?(?:quarters?|periods?))"
    rf"(?: periods?)?[ -](?:ended|ending)(?: on)?,? {_DAYS}"
)
# `fiscal years 2025 and 2024 ended on september 27, 2025 and ...`: which year is called what.
_NAMED = later(
    rf"\bfiscal(?: years?)? {_YEARS}[^.;()]{{0,80}}?"
    rf"\b(?:ended|ending|ends|end)(?: on)?,? (?:[a-z]+day, )?{_DAYS}"
)
# `references to the years 2023 and 2022 represent the fiscal years ended february 2, 2024, and ...`
_MEANT = later(
    rf"\b(?:years?|references?(?: herein)? to)(?: the(?: years?)?)? {_YEARS},? (?:\w+ )?"
    rf"(?:represents?|refers?|means?|relates?|corresponds?|denotes?|are|is)\b[^.;()]{{0,40}}?"
    rf"\byears? (?:ended|ending)(?: on)?,? {_DAYS}"
)
# `the year ended january 28, 2024 ("fiscal 2023")`
_CALLED = later(
    rf"\byears? ended {_DAYS},? ?\((?:the )?[\"“”'‘’]?fiscal(?: years?)? (?P<years>(?:19|20)[0-9]{{2}})[\"“”'‘’]?\)"
)
# `fiscal years 2023 and 2022 span 53 and 52 weeks`: how long which year is.
_OF_WEEKS = later(
    rf"\bfiscal(?: years?)? {_YEARS}[^.;()]{{0,60}}?"
    r"\b(?P<weeks>5[23](?:(?:,| and|, and)? 5[23])*)[ -]weeks?\b"
)
# `second quarter of fiscal 2025, which ended july 31, 2025`, `fiscal 2025 second quarter ended july 31, 2025`.
_ORDERS = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4}
_ORDER = rf"(?P<order>{'|'.join(_ORDERS)}|q[1-4])"
_QUARTER_OF = later(rf"\b{_ORDER}(?:[ -](?:fiscal )?quarter)?,?(?: of| in)?(?: the| its| our)? $")
_OF_FISCAL = later(rf"\b{_ORDER}(?:[ -]quarter)? (?:of |in )?(?:the )?fiscal (?:year )?(?P<year>(?:19|20)[0-9]{{2}})\b")
_QUARTER_IN = later(rf"\b{_ORDER}\b")
_PART = later(r"\b(?:quarters?|months|half|q[1-4])\b")
# The day is of another year, or of a report: `for fiscal 2022 is included in our Form 10-K for the year ended ...`.
_OTHER = later(r"\b(?:compared|versus|vs|than|from|since|prior|previous|preceding|reports?|form|for (?:the|our))\b")
_YEAR = later(r"(?:19|20)[0-9]{2}")
_ENDS = later(r"\b[Ee](?:nd|ND)|\bweeks?\b|\bquarter (?:of |in )?(?:the )?[Ff]iscal\b")
_PART_BEFORE = later(r"\b(?:quarters?|months|half)(?:,? of| in)?(?: the| its| our)? $")
_QUARTER_BEFORE = 40  # letters in front of a year among which it is looked for which quarter of it ended
_MOST = 4_000_000  # characters of a report that are looked through
_QUARTER = 3
_QUARTERS = 4
_DAYS_IN_QUARTER = 13 * 7  # where years are of weeks
_DAYS_IN_MONTH = Decimal("30.44")
_NEAR = 10  # days by which a part of a year of weeks differs from months
_WEEK = 7
_HALF = 6  # months of a year
_NAMES_MONTH = later(rf"\b{_MONTH}")
_MONTHS_IN_KEY = later(r"([0-9]{4})-([0-9]{2})/([0-9]{4})-([0-9]{2})")
_SAYS_ITSELF = later(r"\b(?:ended|ending|calendar|cy)|\bcy[0-9]")


@dataclass(frozen=True, slots=True)
class Calendar:
    """The fiscal years of a report.

    ends: the last day of each year that the report states, by the name of the year (2023 may end in February 2024).
    closes: month of the year's end, where every stated year ends on the last day of one month, so that it holds for
        the other years too. ended: the last day of the report's own period, None where it is not known.
    quarters: the days on which quarters end, as the report says, each with whether it says `13 weeks` of it. weeks:
    how many a year has, where the report says so. is_named: whether it says in words which year it calls what.
    """

    ends: Mapping[int, date] = field(default_factory=dict)
    closes: int | None = None
    ended: date | None = None
    quarters: Mapping[date, bool] = field(default_factory=dict)
    weeks: Mapping[int, int] = field(default_factory=dict)
    is_named: bool = False

    def end_of(self, year: int) -> date | None:
        """The last day of a fiscal year, None where the report does not let one know."""
        if year in self.ends:
            return self.ends[year]
        if year + 1 in self.ends and year + 1 in self.weeks:
            return self.ends[year + 1] - timedelta(weeks=self.weeks[year + 1])
        return _last_of(year - self.offset, self.closes) if self.closes else None

    @property
    def offset(self) -> int:
        """How far the name of a year is from the calendar year it ends in: -1 where 2024 ends in January 2025."""
        return next((year - day.year for year, day in self.ends.items()), 0)

    def days(self, year: int) -> tuple[date | None, date | None]:
        """First and last day of a fiscal year, None for each that is not known."""
        last, before = self.end_of(year), self.end_of(year - 1)
        if last is not None and before is None and self.closes:
            return month_before(last, 12), last
        return before + timedelta(days=1) if before else None, last

    def name_of(self, last: date) -> int | None:
        """What the year that ends on a day is called, None where the report does not say."""
        return next((year for year, end in self.ends.items() if end == last), None)

    @property
    def is_of_calendar_years(self) -> bool:
        """Whether nothing says that years end elsewhere than in December."""
        return not self.ends or self.closes == 12


def find_calendar(texts: Iterable[str], ended: date | None = None) -> Calendar:
    """The calendar that the texts of a report state: its cover, headers, introductions and notes.

    ended: the last day of the report's own period, where its file says so.
    """
    stated: Counter[date] = Counter()
    names: dict[date, Counter[int]] = {}
    quarters: dict[date, bool] = {}
    weeks: dict[int, int] = {}
    said: Counter[tuple[int, int]] = Counter()  # quarters, with the fiscal year that they are said to be of
    left = _MOST
    for text in texts:
        if left <= 0:
            break
        left -= len(text)
        text = in_english(text)
        if not _ENDS.search(text):
            continue
        lower = " ".join(text.replace("\u00a0", " ").lower().split())
        for match in _ENDED.finditer(lower):
            stated.update(_days(match["days"]))
        for match in _QUARTER_ENDED.finditer(lower):
            for day in _days(match["days"]):
                quarters[day] = quarters.get(day, False) or bool(match["weeks"])
        said.update((_number(match["order"]), int(match["year"])) for match in _OF_FISCAL.finditer(lower))
        for match in _OF_WEEKS.finditer(lower):
            own, counts = _YEAR.findall(match["years"]), re.findall("5[23]", match["weeks"])
            if len(counts) in (1, len(own)):
                weeks |= {int(year): int(count) for year, count in zip(own, counts * len(own), strict=False)}
        for match in (*_NAMED.finditer(lower), *_CALLED.finditer(lower), *_MEANT.finditer(lower)):
            years, days = [int(each) for each in _YEAR.findall(match["years"])], _days(match["days"])
            days = _year_ends(lower, match, days)
            if len(years) == len(days):
                for year, day in zip(years, days, strict=True):
                    if year in _may_be_called(day):
                        stated[day] += 1
                        names.setdefault(day, Counter())[year] += 1
    if said and ended and not stated:  # a release tells of its quarter alone
        orders = Counter(number for number, _ in said.elements())
        number, year = max(said, key=lambda each: (orders[each[0]], each))  # beside it the same quarter of years before
        last = (
            _months_behind(ended, _QUARTER * (4 - number))
            if is_month_end(ended)
            else ended + timedelta(weeks=13 * (4 - number))
        )
        stated[last], names[last] = 1, Counter((year,))
    return replace(_calendar(stated, names, ended), quarters=quarters, weeks=weeks)


def _year_ends(text: str, match: re.Match[str], days: list[date]) -> list[date]:
    """The days on which the years that are named end: three months and so on behind the end of a quarter of them.

    [] where the days end some other part of a year, or a quarter of weeks, behind which nothing says how many follow.
    """
    before = text[max(0, match.start() - _QUARTER_BEFORE) : match.start()]
    between = text[match.end("years") : match.start("days")]
    if _OTHER.search(between):
        return []
    quarter = _QUARTER_OF.search(before) or (_QUARTER_IN.search(between) if _PART.search(between) else None)
    if quarter is None:
        return [] if _PART.search(between) or _PART_BEFORE.search(before) else days
    number = _number(quarter["order"])
    if number == 4:
        return days
    return [_months_behind(day, _QUARTER * (4 - number)) for day in days if is_month_end(day)]


def _number(order: str) -> int:
    return _ORDERS.get(order) or int(order[1])


def _days(text: str) -> list[date]:
    return [period.end for period, _, _ in find_periods(text) if period.kind is PeriodKind.DATE and period.end]


def _calendar(stated: Counter[date], names: Mapping[date, Counter[int]], ended: date | None) -> Calendar:
    """Of all days stated, those near the closing that is stated most: others are of plans, leases, other companies."""
    if not stated:
        return Calendar(ended=ended)
    near: Counter[int] = Counter()
    for day, count in stated.items():
        near[closing_month(day)] += count
    usual = near.most_common(1)[0][0]
    own = Counter({day: count for day, count in stated.items() if closing_month(day) == usual})
    late = Counter(year - usual_name(day) for day, said in names.items() if day in own for year in said.elements())
    offset = late.most_common(1)[0][0] if late else 0
    ends: dict[int, date] = {}
    for day, _ in sorted(own.items(), key=lambda each: (each[1], each[0])):  # the one stated most comes last
        ends[usual_name(day) + offset] = day
    whole = all(is_month_end(day) for day in ends.values()) and len({day.month for day in ends.values()}) == 1
    closes = next(iter(ends.values())).month if whole else None
    return Calendar(dict(sorted(ends.items())), closes, ended, is_named=bool(late))


def usual_name(last: date) -> int:
    """What a year that ends on a day is called where nothing says otherwise: one that ends in the first days of January
    by the year in which most of it lies."""
    return (last - timedelta(days=_WEEK)).year


def _may_be_called(last: date) -> range:
    """The names that a year may have that ends on a day: that of the calendar year it ends in, or of one beside it of
    which it has more than half."""
    return range(last.year - (last.month <= _HALF), last.year + 1 + (last.month > _HALF))


def closing_month(day: date) -> int:
    """The month that a year closes with: a year of 52 weeks may end in the first week of the next month."""
    return day.month if day.day > 7 else (day.month - 2) % 12 + 1


def _last_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


def resolve(period: Period, calendar: Calendar) -> Period:
    """The same period with the days that the calendar of its report gives it. Its key and label stay.

    Only `FY2024` of a year that ended in February 2024 is called what the report calls it, `FY2023`.
    """
    if period.year is None:
        return period
    if period.kind is PeriodKind.FISCAL_YEAR:
        return _year(period, calendar)
    if is_comparison(period):
        later = _year(calendar_year(period.year, period.label), calendar)
        return replace(period, end=period.end or later.end)
    if period.kind is PeriodKind.YEAR:
        as_said = calendar.is_of_calendar_years or _SAYS_ITSELF.search(period.label.lower())
        return period if as_said else _year(period, calendar)
    if period.kind is PeriodKind.SPAN and (own := _first_of_year(period, calendar)):
        return own
    if period.start and period.end and is_month_end(period.end):
        period = _of_weeks(period, period.end, calendar)
    if period.kind is PeriodKind.QUARTER:
        return _to_stated_days(_quarter(period, calendar), calendar)
    if period.kind is PeriodKind.SPAN and period.start is None:
        return _part(period, calendar) if period.end is None else _to_date(period, calendar)
    return _to_stated_days(period, calendar) if period.kind is PeriodKind.SPAN else period


def _to_stated_days(period: Period, calendar: Calendar) -> Period:
    """`Q2 2023`, `first six months of 2023`, where the report says that its quarter ended on July 2, 2023."""
    if period.end is None or not calendar.quarters or _NAMES_MONTH.search(period.label.lower()):
        return period
    stated = {*calendar.quarters, *calendar.ends.values()}
    last = _nearest(period.end, stated)
    if last is None or last == period.end:
        return period
    before = _nearest(period.start - timedelta(days=1), stated) if period.start else None
    start = before + timedelta(days=1) if before else None
    if start is None and period.kind is PeriodKind.QUARTER:
        start = last - timedelta(days=90)
    return replace(period, start=start, end=last)


def _of_weeks(period: Period, last: date, calendar: Calendar) -> Period:
    """`six months ended july 31, 2022`, where years end on Sundays: 26 weeks, though they ended with a month."""
    months = _months_in(period.key) if "ended" in period.label.lower() else 0
    ends = (end for end in calendar.ends.values() if not (calendar.closes and is_month_end(end)))
    if not months or months % _QUARTER or not any((end - last).days % _DAYS_IN_QUARTER == 0 for end in ends):
        return period
    return replace(period, start=last - timedelta(days=months // _QUARTER * _DAYS_IN_QUARTER - 1))


def _months_in(key: str) -> int:
    """How many months the period of a key has, counted as it names them: 6 of `2022-02/2022-07`; 0 of any other."""
    if "-Q" in key:
        return _QUARTER
    months = _MONTHS_IN_KEY.fullmatch(key)
    return int(months[3]) * 12 + int(months[4]) - int(months[1]) * 12 - int(months[2]) + 1 if months else 0


def _nearest(day: date, stated: Iterable[date]) -> date | None:
    """The stated day that is not more than a week from another day."""
    near = [each for each in stated if abs((each - day).days) <= _WEEK]
    return min(near, key=lambda each: abs((each - day).days), default=None)


def _to_date(period: Period, calendar: Calendar) -> Period:
    """`nine months ended june 25, 2022`, where years are of weeks: it begins with the year, which is known to end 13
    weeks later if not to begin."""
    months = _months_in(period.key)
    if not months or period.end is None:
        return period
    count = months - (period.end.day <= _WEEK)  # in its first week a month has not begun for those who count weeks
    for before in filter(None, map(calendar.end_of, range(period.end.year - 2, period.end.year + 1))):
        if abs((period.end - before).days - count * _DAYS_IN_MONTH) <= _NEAR:
            return replace(period, start=before + timedelta(days=1))
    left, rest = divmod(_QUARTERS * _QUARTER - count, _QUARTER)
    for weeks in (0, 1) if left and not rest else ():  # before quarters of 13 weeks, one of which may have 14
        closing = period.end + timedelta(days=left * _DAYS_IN_QUARTER, weeks=weeks)
        if closing in calendar.ends.values():
            opening = closing - timedelta(days=_QUARTERS * _DAYS_IN_QUARTER, weeks=weeks)
            return replace(period, start=opening + timedelta(days=1))
    return period


def _year(period: Period, calendar: Calendar) -> Period:
    year = period.year or 0
    if period.kind is PeriodKind.FISCAL_YEAR and period.end is not None:
        name = calendar.name_of(period.end)
        first = period.start or (calendar.days(name)[0] if name else None)
        named = period if name in (None, year) else replace(period, key=f"FY{name}", year=name)
        return replace(named, start=first)
    first, last = calendar.days(year)
    if last is None:
        unknown = period.kind is PeriodKind.YEAR and not calendar.is_of_calendar_years
        return replace(period, start=None, end=None) if unknown else period
    return replace(period, start=first, end=last)


def _quarter(period: Period, calendar: Calendar) -> Period:
    """`Q2 2025` of a fiscal year, which begins a quarter of a year behind its first; and the first day of 13 weeks."""
    if period.end and ("ended" in period.label.lower() or "ending" in period.label.lower()):
        return _thirteen_weeks(period, calendar)
    if calendar.is_of_calendar_years or "-Q" not in period.key:
        return period
    number = int(period.key[-1])
    first, last = calendar.days(period.year or 0)
    if (last is None or not is_month_end(last)) and (days := _days_of_weeks(number, first, last, calendar.quarters)):
        return replace(period, start=days[0], end=days[1])
    if last is None:
        start = _begun(number, first, calendar.ended)
        return replace(period, start=start, end=start + timedelta(days=_DAYS_IN_QUARTER - 1) if start else None)
    if is_month_end(last):
        ends = [_months_behind(last, _QUARTER * (each - 4)) for each in (number - 1, number)]
        return replace(period, start=ends[0] + timedelta(days=1), end=ends[1])
    if first is None or (last - first).days + 1 != 52 * 7:  # in a year of 53 weeks one quarter has 14
        return replace(period, start=None, end=last if number == 4 else None)
    start = first + timedelta(weeks=13 * (number - 1))
    return replace(period, start=start, end=start + timedelta(weeks=13, days=-1))


def _begun(number: int, first: date | None, ended: date | None) -> date | None:
    """The first day of a quarter of a year of weeks that is under way, where whole quarters of 13 weeks lie between its
    beginning and the last day of the report."""
    quarters, rest = divmod((ended - first).days + 1, _DAYS_IN_QUARTER) if first and ended else (0, 0)
    return (
        first + timedelta(days=_DAYS_IN_QUARTER * (number - 1)) if first and not rest and number <= quarters else None
    )


def _days_of_weeks(
    number: int, first: date | None, last: date | None, quarters: Mapping[date, bool]
) -> tuple[date | None, date] | None:
    """First and last day of a quarter of a year of weeks that the report names the last day of: so many times 13 weeks
    behind the beginning of the year, or before its end. In a year of 53 weeks another quarter has the 14th."""
    end = first + timedelta(weeks=13 * number, days=-1) if first else None
    if end in quarters and end is not None:
        return end - timedelta(days=90), end
    end = last - timedelta(weeks=13 * (4 - number)) if last else None
    if end in quarters and end is not None:
        return end - timedelta(days=90) if quarters[end] else None, end
    return None


def _thirteen_weeks(period: Period, calendar: Calendar) -> Period:
    """`three months ended june 28, 2025`, where years are of 52 weeks: whole quarters behind the end of a year, or
    before it."""
    if period.start is not None or period.end is None:
        return period
    for year in range((period.year or 0) - 2, (period.year or 0) + 2):
        last = calendar.end_of(year)
        days = (period.end - last).days if last else 0
        if days == 98:  # the 53rd week is in the first quarter
            return replace(period, start=period.end - timedelta(days=97))
        if days in (91, 182, 273, 364) or days in (189, 280) or -days in (91, 98, 182, 189):
            return replace(period, start=period.end - timedelta(days=90))
    return period


def _part(period: Period, calendar: Calendar) -> Period:
    """A part of a year whose last day is not printed: `2024 YTD`, `FY2024-H1`, `2024 3 months`."""
    year = period.year or 0
    if half := re.fullmatch(r"FY[0-9]{4}-H([12])", period.key):
        last = calendar.end_of(year)
        if half[1] == "1" and (found := _first_months(year, 6, calendar)):
            return replace(period, start=found[0], end=found[1])
        if last is None or not is_month_end(last):
            return period
        middle = _months_behind(last, -6)
        opening = _months_behind(last, -12)
        ends = (opening, middle) if half[1] == "1" else (middle, last)
        return replace(period, start=ends[0] + timedelta(days=1), end=ends[1])
    if first := re.fullmatch(r"[0-9]{4} first ([0-9]+) months", period.key):
        found = _first_months(year, int(first[1]), calendar)
        return replace(period, start=found[0], end=found[1]) if found else period
    length = re.fullmatch(rf"[0-9]{{4}} (?:(?P<count>{COUNT}) months|YTD)", period.key)
    if not length or calendar.ended is None or not is_month_end(calendar.ended):
        return period
    last = _last_of(year, calendar.ended.month)
    if length["count"]:
        return replace(period, start=month_before(last, int(length["count"])), end=last)
    before = [day for each in (year - 1, year) if (day := calendar.end_of(each)) and day < last]
    return replace(period, start=max(before) + timedelta(days=1), end=last) if before else replace(period, end=last)


def _first_of_year(period: Period, calendar: Calendar) -> Period | None:
    """`First nine months 2023` of a year that begins elsewhere than in January; None of any other span."""
    lower, months = period.label.lower(), _months_in(period.key)
    is_first = period.key.startswith(f"{period.year}-01/") and "month" in lower and not _SAYS_ITSELF.search(lower)
    if not is_first or calendar.is_of_calendar_years or _NAMES_MONTH.search(lower):
        return None
    days = _first_months(period.year or 0, months, calendar)
    return replace(period, start=days[0], end=days[1]) if days else None


def _first_months(year: int, months: int, calendar: Calendar) -> tuple[date, date] | None:
    """The first so many months of a fiscal year, to the day on which the report says that a quarter ended."""
    opening = calendar.end_of(year - 1) or (date(year - 1, 12, 31) if calendar.is_of_calendar_years else None)
    if opening is None:
        return None
    whole = is_month_end(opening) and (not calendar.ends or bool(calendar.closes))
    last = _months_behind(opening, months) if whole else opening + timedelta(days=int(months * _DAYS_IN_MONTH))
    stated = _nearest(last, {*calendar.quarters, *calendar.ends.values()})
    return (opening + timedelta(days=1), stated or last) if stated or whole else None


def _months_behind(last: date, months: int) -> date:
    """The last day of the month so many months behind that of `last`."""
    number = last.year * 12 + last.month - 1 + months
    return _last_of(number // 12, number % 12 + 1)
