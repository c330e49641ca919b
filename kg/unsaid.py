"""What figures may not be, though they look so: of what is, where they are planned; on a sheet that is shown; read as
they are printed; of the unit, or the year that is meant, where a report does not say when its fiscal years end, or what
it calls them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal

from tieout.data.printed.periods.fiscal import closing_month
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import YEAR, months_of, span_of
from tieout.data.printed.unit import NOT_MEASURES
from tieout.data.readers.sheets.sheet import HIDDEN
from tieout.kg.asked.outlook import says_expected
from tieout.kg.fact import Fact
from tieout.kg.figure import report_of

_DECEMBER = 12
_A_YEAR = range(364, 372)  # days, of 52 and 53 weeks
_FEW_DAYS = 10  # that a year of 52 weeks ends before or after a month
_MOST_NAMED = 4  # figures that a message names
_SURELY_RECOGNISED = Decimal("0.9")
_OF_A_YEAR = (PeriodKind.FISCAL_YEAR, PeriodKind.DATE)  # a balance is of the year that ends on its day
_BY_EITHER = (1, 2)  # months: years that close with them are called by the one in which they end, or the one before
_NAMES_YEAR = re.compile(r"\b(?:fiscal(?: years?)?|fy) ?[’']?(?:20)?\d\d\b(?! ?week)", re.IGNORECASE)


def not_actual(facts: Iterable[Fact]) -> Iterator[str]:
    """Each figure that is planned or expected by what the report says: `2025B`, `We expect net sales of $5 million`."""
    for fact in facts:
        if said := says_expected(fact):
            yield f"{fact.name} is of {said!r}, which says that it is planned or expected and no actual figure"


def on_hidden_sheets(facts: Iterable[Fact]) -> Iterator[str]:
    """The figures of sheets that a spreadsheet program does not show."""
    for fact in facts:
        if HIDDEN in fact.caption or HIDDEN in fact.heading:
            yield f"{fact.name} stands on a hidden sheet of the workbook{f' ({fact.place})' if fact.place else ''}"


def of_unknown_years(facts: Iterable[Fact], others: Mapping[str, Fact]) -> Iterator[str]:
    """The fiscal years that a report calls by a number alone in one place and by their last day, which is none of
    December, in another, where nothing tells whether these are the same. others: the facts of the view."""
    for fact in facts:
        if fact.period is None or fact.period.kind is not PeriodKind.FISCAL_YEAR:
            continue
        if not (fact.heading or fact.place):
            continue  # a page, where nothing dates years
        report, key = fact.name.rpartition(":")[0], fact.period.key
        same = (each for each in others.values() if each.period is not None and each.period.key == key)
        ends = {each.period.end for each in same if each.period and each.name.rpartition(":")[0] == report}
        if None in ends and any(end and end.month != _DECEMBER for end in ends):
            yield f"the report dates one {key} and not the other: whether they are the same year it does not say"


def of_years_by_day(years: Collection[int], facts: Iterable[Fact], others: Mapping[str, Fact]) -> Iterator[str]:
    """Those of years that are asked for by number, where the page prints only the day in January or February on which
    each ended: companies call the year that ended on February 2, 2024 `2023` or `2024`. others: facts of the view."""
    on_page = [fact.period for fact in facts if not (fact.heading or fact.place)]  # a report is dated by all of it
    whole = [each for each in on_page if each is not None and each.kind in _OF_A_YEAR]
    ends = {each.end for each in whole if each.end and each.year == each.end.year}
    taken = sorted(end for end in ends if end.year in years and closing_month(end) in _BY_EITHER)
    if not taken or _names_years(others.values()):
        return
    known = {each.period.end for each in others.values() if each.period is not None and each.period.end}
    for end in taken:
        later = next((f"that ended on {day}" for day in sorted(known) if (day - end).days in _A_YEAR), "after it")
        yield f"{end.year} is taken for the year that ended on {end}, and the one {later} may be called so as well"


def _names_years(facts: Iterable[Fact]) -> bool:
    """Whether a header, title or sentence of these facts calls a year by its name: `fiscal 2023`."""
    texts = (text for fact in facts for text in (fact.header, fact.caption, fact.section, fact.label, fact.context))
    return any(map(_NAMES_YEAR.search, texts))


def printed_doubtfully(facts: Iterable[Fact]) -> Iterator[str]:
    """What reading found odd in a figure as it is printed."""
    for fact in facts:
        for doubt in fact.doubts:
            yield f"{fact.name} is printed {fact.raw!r}: {doubt}"


def recognised_unsurely(facts: Iterable[Fact]) -> Iterator[str]:
    """The figures that are read off a picture and may be others."""
    for fact in facts:
        if fact.recognised is not None and fact.recognised < _SURELY_RECOGNISED:
            yield f"{fact.name} is recognised on a picture as {fact.raw!r}, {fact.recognised:.0%} sure"


def without_unit(facts: Iterable[Fact]) -> Iterator[str]:
    """The figures of which the report says no unit."""
    names = [fact.name for fact in facts if fact.unit is None]
    if names:
        yield f"the report does not state the unit or currency of {_some(names)} where it is printed"


def without_period(facts: Iterable[Fact]) -> Iterator[str]:
    """The figures of which the report says no period."""
    names = [fact.name for fact in facts if fact.period is None and fact.unit not in NOT_MEASURES]
    if names:
        yield f"the report does not state the period of {_some(names)} where it is printed"


def _some(names: Sequence[str]) -> str:
    return f"{', '.join(names[:_MOST_NAMED])}{' and others' if len(names) > _MOST_NAMED else ''}"


def years_apart(facts: Iterable[Fact]) -> Iterator[str]:
    """Years of equal number of several reports that end in different months, once: of the latest year, and of the
    reports whose month is not that of most. A quarter or a half ends no year."""
    ends: dict[int, dict[str, str]] = {}
    for fact in facts:
        period, days = fact.period, span_of(fact.period)
        if period is not None and period.end is not None and (days is None or months_of(days) >= YEAR):
            year = period.year if period.year is not None else period.end.year
            about = period.end - timedelta(days=_FEW_DAYS)
            ends.setdefault(year, {}).setdefault(report_of(fact), f"{about:%B} {about.year}")
    for year, by_report in sorted(ends.items(), reverse=True):
        if len(set(by_report.values())) > 1:
            usual, count = Counter(by_report.values()).most_common(1)[0]
            is_few = len(by_report) <= _MOST_NAMED or count == 1
            told = [f"that of {report} in {end}" for report, end in by_report.items() if is_few or end != usual]
            others = "" if is_few else f", of the others in {usual}"
            yield f"the year {year} ends in different months: {', '.join(told)}{others}"
            return
