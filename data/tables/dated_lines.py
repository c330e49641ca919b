"""The periods of columns and rows that more than their own label says: titles above, corners beside, totals of months.

`Quarter ended` in the corner over rows of dates is the length of each; `Q1 total` beside three months is those three.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import lru_cache
from itertools import chain, pairwise

from tieout.data.printed.amount import read_cell
from tieout.data.printed.label import read_label
from tieout.data.printed.languages.language import in_english
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.ending import as_ended, ended
from tieout.data.printed.periods.period import PeriodKind, read_period, year_before
from tieout.data.printed.periods.timespan import FULL_YEAR, Period, in_year, quarter
from tieout.data.printed.unit import NOT_MEASURES
from tieout.data.tables.table_layout import Line

_BALANCE = later(r"\bbalances?\b|\bas (?:of|at)\b", re.IGNORECASE)  # of a day, below `three months ended` too
# Columns that tell by how much the period of one column differs from that of another.
TELLS_CHANGE = later(
    r"\b(?:changes?|increases?|decreases?|inc|dec|variance|growth|favou?rable|better|worse|b/\(?w|yoy|y/y)\b"
)
_TOTAL = later(r"(?:grand )?total|ytd|year[ -]to[ -]date|total ytd")
_ORDERS = ("first", "second", "third", "fourth")
_ORDER = later(rf"{'|'.join(_ORDERS)}|1st|2nd|3rd|4th|[1-4]")
_LENGTHS = {"Q": 3, "H": 6}
_PARTS = (PeriodKind.MONTH, PeriodKind.QUARTER)
_OF_TIMES = later(
    r"(?:(?:fiscal |calendar |financial )?(?:years?|quarters?|periods?|months?)|(?:as of|at))(?: end(?:ed|ing))?:?"
)
_LEAST = 2  # months or quarters that a column of their total goes with


def with_length(line: Line, title: str) -> Line:
    """A line of a day with the length that a title above or beside it says: `quarter ended`."""
    if line.period is None or not title or _BALANCE.search(in_english(line.label)):
        return line
    period, _ = as_ended(line.period, title)
    return line if period is line.period else replace(line, period=period)


def of_own_header(line: Line, texts: Sequence[str]) -> Line:
    """A column whose headers run together hide its year (`2024 % of total`), with the period of the only one of them
    that states one."""
    if line.period is not None and line.period.year is not None:
        return _in_quarter(line, line.period, texts)
    stated = {text: found for text in texts if text and (found := read_period(text)) and found.year is not None}
    if len(stated) != 1:
        return line
    ((text, period),) = stated.items()
    if line.period is not None and line.period.key not in period.key:  # `Q1` below `2024` is no day of it
        period = in_year(line.period, period.year or 0)
    name = line.name.replace(text.lower(), " ").strip(" :,-.") if line.period is None else line.name
    return replace(line, period=replace(period, label=line.label), name=name)


def _in_quarter(line: Line, period: Period, texts: Sequence[str]) -> Line:
    """`First` below `Fiscal 2024 Quarter` is that quarter of the year."""
    if period.kind not in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR) or "quarter" not in line.label.lower():
        return line
    order = next((found for text in texts if (found := _ORDER.fullmatch(text.lower()))), None)
    if order is None:
        return line
    number = "1234".find(order[0][0]) + 1 or _ORDERS.index(order[0]) + 1
    return replace(line, period=in_year(quarter(None, number, line.label), period.year or 0), name="")


def with_totals(columns: list[Line]) -> list[Line]:
    """Columns with the days of those that are a total of the months or quarters to their left: `Q1 total`, `Total`."""
    dated = [column.period for column in columns if column.period and _is_part(column.period)]
    if len(dated) < _LEAST or len(dated) == len(columns):
        return columns
    found = list(columns)
    for at, column in enumerate(columns):
        if total := _total(column, [each.period for each in columns[:at] if each.period and _is_part(each.period)]):
            found[at] = replace(column, period=total)
    return found


def _is_part(period: Period) -> bool:
    return period.kind in _PARTS and period.start is not None and period.end is not None


def _total(column: Line, before: Sequence[Period]) -> Period | None:
    """The period of a column of a total. before: the months and quarters to its left."""
    if column.period is None:
        return _span(before, None, column.label) if _TOTAL.fullmatch(column.name) else None
    if column.period.year is not None or column.period.kind is PeriodKind.DATE or TELLS_CHANGE.search(column.name):
        return None
    months = 12 if column.period.key == FULL_YEAR else _LENGTHS.get(column.period.key[0])
    return _span(before, months, column.label) if months else None


def _span(before: Sequence[Period], months: int | None, label: str) -> Period | None:
    """The last so many months before a total, None where they do not follow on each other; for no number all of
    them."""
    count, first = 0, None
    for part in reversed(before):
        if part.start is None or part.end is None or (first and part.end + timedelta(days=1) != first):
            break
        first = part.start
        count += (part.end.year - part.start.year) * 12 + part.end.month - part.start.month + 1
        if months and count >= months:
            break
    last = before[-1].end if before else None
    is_all = first is not None and bool(before) and first == before[0].start
    if last is None or (count != months if months else not is_all or len(before) < _LEAST):
        return None
    return ended(f"{count} months", last.month, last.day, last.year, label)


def with_comparatives(columns: list[Line]) -> list[Line]:
    """Columns whose second half repeats the titles of the first, dates and all: those lost their own date.

    Figures of the year before stand to the right of the current ones, under the same titles.
    """
    half = len(columns) // 2
    current, before = columns[:half], columns[half:]
    if (
        half < 2
        or len(columns) % 2
        or [_letters(line.name) for line in current] != [_letters(line.name) for line in before]
    ):
        return columns
    period = current[0].period
    dated = {line.period.key if line.period else None for line in current}
    repeated = {line.period.key for line in before if line.period}
    if period is None or period.year is None or len(dated) > 1 or repeated != dated or not current[0].name:
        return columns
    return current + [replace(line, period=year_before(period, period.year)) for line in before]


def completed(column: Line, partial: Period) -> Line:
    """A column of a year with the day or the part of it that the corner says."""
    period = column.period
    if period is None or period.kind is not PeriodKind.YEAR or period.year is None or period.key != str(period.year):
        return column
    # `three months ended december 31,` stay those, whichever quarter of a fiscal year they are
    label = f"{partial.label} {column.label}" if "end" in partial.label.lower() else column.label
    placed = in_year(partial, period.year)
    if partial.kind is PeriodKind.SPAN and placed.kind is PeriodKind.DATE:  # `nine months ended september 30`
        placed, _ = as_ended(placed, partial.label)
    return replace(column, period=replace(placed, label=label))


def with_corner(columns: list[Line], corner: Period | None) -> list[Line]:
    """Columns of which the first has no title, because it runs together with the corner: that of `In millions, years
    ended December 31, 2023` beside `2022` and `2021` is of the year that the corner says, which is next to theirs."""
    if corner is None or corner.year is None or len(columns) < _LEAST or columns[0].label:
        return columns
    years = [column.period.year for column in columns[1:] if column.period and not column.name]
    if len(years) < len(columns) - 1 or None in years:
        return columns
    steps = {one - other for one, other in pairwise([corner.year, *filter(None, years)])}
    if steps not in ({1}, {-1}):
        return columns
    return [replace(columns[0], label=corner.label, period=corner), *columns[1:]]


def carried(line: Line, above: Line) -> Line:
    """`second quarter` right below `2002 first quarter` is of 2002."""
    period, before = line.period, above.period
    if period is None or before is None or period.year is not None or before.year is None:
        return line
    if not period.kind is before.kind is PeriodKind.QUARTER or period.key[-2:] <= before.key[-2:]:
        return line
    return replace(line, period=in_year(period, before.year))


def period_column(rows: Sequence[Sequence[str]], at: int) -> int:
    """The column behind the labels that says of which period each row is: `2024`, `2023` beside a segment that is named
    once for its years, or with each of them. 0 where there is none.

    at: the column that such one would be. It holds periods alone, below no title or one of times, in all rows that have
    figures and in no others.
    """
    cells = [(row[at - 1].strip(), row[at].strip(), row[at + 1 :]) for row in rows if at < len(row) - 1]
    dated = [(label, text, rest) for label, text, rest in cells if text and not _OF_TIMES.fullmatch(text.lower())]
    is_named_once = any(not label or label == above for (above, _, _), (label, _, _) in pairwise(dated))
    if not is_named_once or not dated[0][0] or not all(_is_time(text) for _, text, _ in dated):
        return 0
    have_figures = [any(map(read_cell, rest)) for _, _, rest in dated]
    others = (rest for _, text, rest in cells if not text)
    return at if all(have_figures) and not any(map(_is_figure, chain.from_iterable(others))) else 0


def _is_figure(text: str) -> bool:
    return any(each.unit not in NOT_MEASURES for each in read_cell(text)) and read_period(text) is None


@lru_cache(maxsize=4096)
def _is_time(text: str) -> bool:
    """Whether a text says a period of some year or part of one, and nothing else."""
    label = read_label(text)
    return label.period is not None and not label.name and label.period.kind is not PeriodKind.RELATIVE


def with_periods(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    """The labels of rows with the period in the column `at`: `Beauty 2024`, and below it `Beauty 2023`."""
    found, name = [], ""
    for row in rows:
        label, text = (row[at - 1].strip(), row[at].strip()) if at < len(row) else (row[0] if row else "", "")
        is_dated = bool(text) and _is_time(text)
        name = label or (name if is_dated else "")
        found.append(f"{name} {text}" if is_dated else label)
    return found


def _letters(text: str) -> str:
    """A title without spaces and hyphens, which often get lost."""
    return "".join(filter(str.isalpha, text))
