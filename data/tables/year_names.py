"""What a report calls its fiscal years, where some headers say the day on which a year ends and others its name alone.

Companies whose year ends in March 2025 call it FY2025 or FY2024. Where the same figures stand under both headers, that
is what the report says; else the year that its sentences name far more often than the next one is its own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import takewhile

from tieout.data.document import RELEASE, Document, Table
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import LONGEST_LABEL, Period, PeriodKind, read_period
from tieout.data.tables.header import spread

HEADER_ROWS = 4
FEWEST = 1  # figures that stand under both headers; of those that only one reading has
_FIGURE = later(r"[0-9][0-9,.]*")
_LEAST_DIGITS = 4  # of a figure that is no other by chance
_DECEMBER = 12
_NAMED = later(r"(?:(?:fy|fiscal(?: year)?) ?'?(?:20)?[0-9]{2}|20[0-9]{2})(?: ?\([0-9a-z]\))?", re.IGNORECASE)
_SAID = later(r"\b[Ff]iscal (?:year )?(20[0-9]{2})\b")
_OF_YEAR = later(
    r"\b(?:(?:first|second|third|fourth) quarter|q[1-4]),? (?:of )?(?:fiscal )?(?:year )?(20[0-9]{2})\b", re.I
)
_OFTEN, _TIMES = 5, 2  # how often the year that a report is of is named at least, and as often as the next one
_OF_QUARTER = 5  # as often, in a quarterly report: it speaks of the year before its own, too
_HEADED = 2  # tables of several years whose columns are called by them
_QUARTERS = 2  # how often it is named by a quarter of it


def said_offset(document: Document, year: int) -> int | None:
    """As `year_offset`, by how often sentences name fiscal years, those of a release quarters of them. year: the
    calendar year in which the report's own one ends. None where they name both, or neither, about as often."""
    namings = ((_SAID, _OFTEN), *([(_OF_YEAR, _QUARTERS)] if document.form == RELEASE else []))
    for naming, often in namings:
        said = Counter(int(each) for text in document.paragraphs for each in naming.findall(text))
        before = _OF_QUARTER if document.form.startswith("10-Q") else _TIMES
        for own, other, offset, times in ((year, year - 1, 0, _TIMES), (year - 1, year, -1, before)):
            if said[own] >= max(often, times * said[other]):
                return offset
    return None


def headed_offset(document: Document, year: int) -> int | None:
    """As `said_offset`, by the latest of the years that columns are called by, `Fiscal 2024 | 2023`: that of an annual
    report is its own. None where too few tables have it."""
    latest = Counter(max(years) for table in document.tables if len(years := _named_columns(table)) > 1)
    own, times = max(latest.items(), default=(0, 0))
    return own - year if times >= _HEADED and own - year in (0, -1) else None


def _named_columns(table: Table) -> set[int]:
    """The years whose names alone stand over figures of a table."""
    named = (period.year for period, label, figures in _columns(table) if figures and _NAMED.fullmatch(label.strip()))
    return {year for year in named if year is not None}


def year_offset(document: Document) -> int | None:
    """How far the name of a fiscal year is from the calendar year in which it ends: 0, or -1 where FY2024 ends in 2025.

    0 too where no header gives a name alone, or years end in December; None where figures do not tell.
    """
    dated: dict[date, set[str]] = {}
    named: dict[int, set[str]] = {}
    for table in document.tables:
        for period, label, figures in _columns(table):
            if _NAMED.fullmatch(label.strip()) and period.year is not None:
                named.setdefault(period.year, set()).update(figures)
            elif period.end and period.kind in (PeriodKind.DATE, PeriodKind.FISCAL_YEAR, PeriodKind.YEAR):
                dated.setdefault(period.end, set()).update(figures)
    if not named or not dated or all(day.month == _DECEMBER for day in dated):
        return 0
    shared: Counter[int] = Counter()
    for year, figures in named.items():
        for day, others in dated.items():
            if year - day.year in (0, -1):
                shared[year - day.year] += len(figures & others)
    if max(shared.values(), default=0) < FEWEST or shared[0] == shared[-1]:
        return None
    return max(shared, key=lambda offset: shared[offset])


def _columns(table: Table) -> Iterator[tuple[Period, str, set[str]]]:
    """The columns of a table that are of a period: it, its header, the figures below."""
    heads = list(takewhile(lambda row: not any(map(_is_figure, row[1:])), table.rows[:HEADER_ROWS]))
    rows = [*spread(heads, 1, {row for row, _ in table.repeated}), *table.rows[len(heads) :]]
    for column in range(1, max(map(len, rows), default=0)):
        texts = [row[column].strip() for row in rows if column < len(row)]
        titles = dict.fromkeys(text for text in texts[:HEADER_ROWS] if text and not _is_figure(text))
        label = " ".join(titles)[:LONGEST_LABEL]
        if label and (period := read_period(label)):
            yield period, label, set(_figures(texts))


def _is_figure(text: str) -> bool:
    return read_period(text) is None and bool(re.fullmatch(r"\W*[0-9][0-9,.]*\W*", text))


def _figures(texts: Iterable[str]) -> Iterator[str]:
    for text in texts:
        found = _FIGURE.search(text)
        if found and _is_figure(text) and sum(map(str.isdigit, found[0])) >= _LEAST_DIGITS:
            yield found[0]
