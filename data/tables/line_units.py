"""Units of rows and columns that more than their own label says: a column of units, a sub-heading, rows around."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from tieout.data.printed.amount import Amount, Unit
from tieout.data.printed.label import PER_SHARE, read_label, stated_unit
from tieout.data.printed.measure import is_measured
from tieout.data.printed.note import NO_NOTE
from tieout.data.printed.unit import is_counted, is_currency
from tieout.data.tables.table_layout import Line

_UNIT_COLUMN = re.compile(r"(?:units?|uom|unit of measure(?:ment)?|measure|einheit|unité|unidad|unità)\.?")
_NUMBER_OF = re.compile(r"(?:total )?(?:number|count) of\b")
_UNLESS = re.compile(r"\b(?:unless|otherwise|except where)\b")


def with_stated_units(
    rows: list[Line],
    columns: Sequence[Line],
    texts: Sequence[Sequence[str]],
    amounts: Sequence[Sequence[Sequence[Amount]]],
    said_above: Sequence[str],
) -> list[Line]:
    """Rows with what the column headed `Unit` says of each: `US$`, `#`, `%`, `$ per night`.

    texts, amounts: of the cells, by row and column. said_above: the title of the table and what introduces it.
    """
    at = next((column.index for column in columns if _UNIT_COLUMN.fullmatch(column.label.strip().lower())), None)
    if at is None or any(any(amounts[row.index][at : at + 1]) for row in rows):
        return rows
    printed = {row.index: texts[row.index][at].strip() for row in rows if at < len(texts[row.index])}
    said = {index: stated_unit(text) for index, text in printed.items() if text}
    is_full = any(_UNLESS.search(text.lower()) for text in said_above)
    is_full = is_full or any(is_currency(unit) and note.scale for unit, note in said.values())
    found = []
    for row in rows:
        unit, note = said.get(row.index, (None, NO_NOTE))
        if unit is None:
            found.append(row)
            continue
        scale = note.scale or (1 if is_currency(unit) and (is_full or _has_cents(amounts[row.index])) else None)
        found.append(replace(row, unit=unit, scale=scale, counts=note.counts or 1))
    return found


def _has_cents(cells: Sequence[Sequence[Amount]]) -> bool:
    """Whether an amount of money in a row has cents, as those in full have."""
    exponents = (each.value.as_tuple().exponent for cell in cells for each in cell)
    return any(isinstance(exponent, int) and exponent <= -2 for exponent in exponents)


def with_shared_mark(columns: list[Line], money: set[str]) -> list[Line]:
    """Columns of bare periods have one unit for each row: where only some have their mark printed, it is that of all.

    money: the currencies marked anywhere in the table.
    """
    plain = [column for column in columns if column.period and not column.name]
    marks = {column.mark for column in plain if column.mark} or money
    if len(marks) != 1 or next(iter(marks)) is Unit.PERCENT:
        return columns
    mark = next(iter(marks))
    return [replace(column, mark=column.mark or mark) if column in plain else column for column in columns]


def with_units_around(rows: list[Line], are_prices: Callable[[Line], bool]) -> list[Line]:
    """Rows that say no unit, with that of the sub-heading they stand under (`shares used in computing earnings per
    share:`), or of the rows around them (`effect of dilutive awards` between two averages of shares).

    are_prices: whether the amounts of a row can be per share; below `basic earnings per share:` stand earnings too.
    """
    found = list(rows)
    for at, row in enumerate(rows):
        if row.unit is not None or (row.period and not row.name):
            continue
        heading = read_label(row.section) if row.section else None
        above = heading.unit if heading else None
        is_number = heading is not None and is_counted(above) and bool(_NUMBER_OF.match(row.section.lower()))
        if is_measured(above) or is_number:
            found[at] = replace(row, unit=above, counts=heading.counts if heading else None)
        elif above is Unit.SHARES or (above and above.endswith(PER_SHARE) and are_prices(row)):
            counts = heading.counts if heading and above is Unit.SHARES and row.counts is None else row.counts
            found[at] = replace(row, unit=above, counts=counts)  # `Shares used in calculation (000's)`
        elif 0 < at < len(rows) - 1 and rows[at - 1].unit == rows[at + 1].unit == Unit.SHARES:
            found[at] = replace(row, unit=Unit.SHARES)
    return found
