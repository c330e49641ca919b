"""Units of rows and columns that more than their own label says: a column of units, a sub-heading, rows around."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from tieout.data.printed.amount import Amount, Unit
from tieout.data.printed.label import PER_SHARE, read_label, stated_unit
from tieout.data.printed.measure import is_measured, is_money
from tieout.data.printed.note import NO_NOTE
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import COUNTED_BY_NAME, is_counted, is_currency
from tieout.data.tables.sums import addends_of
from tieout.data.tables.table_layout import Line

_UNIT_COLUMN = later(r"(?:units?|uom|unit of measure(?:ment)?|measure|einheit|unité|unidad|unità)\.?")
_CLASSES_OF_EQUITY = later(
    r"\b(?:common|ordinary|preferred|capital|treasury) (?:stock|shares?)\b|\bpaid[- ]in\b|\bin excess of par\b"
    r"|\bretained\b"
    r"|\breinvested\b|\baccumulated (?:other|deficit)|\bcomprehensive (?:income|loss)|\bnon-?controlling\b"
    r"|\b(?:stock|share)(?:holders|owners)\W{0,2}s?\W? ?(?:equity|deficit)|\btotal (?:equity|deficit)|\bunearned\b"
)
_FEWEST_CLASSES = 3
_OF_AWARDS = later(r"\b(?:awards|units|options|rights|[rp]s[au]s|number|shares)\b")
_NO_COUNT = later(r"\b(?:values?|prices?|terms?|li[fv]es?|lives|years?|costs?|expenses?|amounts?)\b")
_NUMBER_OF = later(r"(?:total )?(?:number|count) of\b")
_THINGS = later(
    rf"(?:(?!(?:per|from|of|to|on|for|by|in|with) )[a-z]+[ -]){{0,3}}?(?P<thing>{'|'.join(sorted(COUNTED_BY_NAME))})"
)
# What rows and headings of counts are called, where they may stand among money: the first need a scale of their own,
# `Customers (in thousands)`, as they may well be what is owed by them.
_COUNTED = later(
    r"\b(?:customers|members|users|visitors|accounts|transactions|units|cards-in-force|cards|households|policies)"
    r"(?: \(?(?:average|total|period-end)\)?)?$"
)
_SURELY_COUNTED = later(
    r"^(?:open|new|settled|settled or dismissed|pending) claims\b|^total (?:retail )?units$"
    r"|\b(?:branches|memberships|cardholders|warehouses|headcount|(?:store|warehouse) openings)\b"
)
_COUNTS = later(r"(?:[a-z]+ ){0,2}connections\b|memberships\b|(?:net )?additions in period\b")
_IN_FULL = later(r"(?:unit|store) counts?$|(?:store|warehouse) openings\b|(?:sales|deliveries|volumes?) in units\b")
_OF_ONE_SHARE = later(r"\W*(?:basic|diluted|basic and diluted|assuming (?:no )?dilution)")
_OPTION_MODEL = later(r"\bvolatility\b")
_FAIR_VALUE = later(r"\bfair value\b")
_NO_MONEY = frozenset((Unit.PERCENT, Unit.BASIS_POINTS, Unit.YEARS, Unit.MONTHS, Unit.DAYS))  # that it cannot be in
_LASTING = later(
    r"\b(?:useful|remaining|average|economic|amortization|contractual) (?:economic |lease )?(?:li(?:fe|ves)|terms?)$"
)
_LONGEST = 100  # years
_MOST_RATE = 100
_CENTS = 2  # decimals
_UNLESS = later(r"\b(?:unless|otherwise|except where)\b")


def is_of_one_share(label: str) -> bool:
    """Whether a label says which earnings per share it is of, and nothing more: `Basic`, `Diluted:`."""
    return _OF_ONE_SHARE.fullmatch(label.lower().rstrip(": ")) is not None


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
    return any(_decimals(each) >= _CENTS for cell in cells for each in cell)


def without_units_of_others(columns: list[Line], printed: Callable[[int], Iterable[Sequence[Amount]]]) -> list[Line]:
    """Columns marked as money without what a heading over them and others says that money cannot be in: `% of sales`
    over dollars beside rates, `maturities (in years)`. printed: the cells of a column by its number."""
    return [
        replace(column, unit=None)
        if column.unit in _NO_MONEY
        and is_currency(column.mark)
        and all(each.unit != column.unit for cell in printed(column.index) for each in cell)
        else column
        for column in columns
    ]


def with_shared_mark(columns: list[Line], money: set[str]) -> list[Line]:
    """Columns of bare periods, or of periods under one name, have one unit for each row: where only some have their
    mark printed, it is that of all.

    money: the currencies marked anywhere in the table.
    """
    dated = [column for column in columns if column.period]
    plain = dated if len({column.name for column in dated}) == 1 else [column for column in dated if not column.name]
    marks = {column.mark for column in plain if column.mark} or money
    if len(marks) != 1 or next(iter(marks)) is Unit.PERCENT:
        return columns
    mark = next(iter(marks))
    return [replace(column, mark=column.mark or mark) if column in plain else column for column in columns]


def with_marks_of_equity(columns: list[Line], money: set[str]) -> list[Line]:
    """The classes of equity are of money where they are not of shares: one whose mark is lost has that of the others,
    and `Treasury Shares` over `$ (50)` is what they cost.

    money: the currencies marked anywhere in the table.
    """
    if len(money) != 1 or not are_classes_of_equity(columns):
        return columns
    (mark,) = money
    paid = [replace(each, unit=None) if (each.unit, each.mark) == (Unit.SHARES, mark) else each for each in columns]
    return [column if column.unit or column.is_rate else replace(column, mark=column.mark or mark) for column in paid]


def are_measures(columns: Sequence[Line]) -> bool:
    """Whether columns are what is measured, whatever rows are called: some are of shares or prices, or they are the
    classes of equity."""
    units = (column.unit or "" for column in columns)
    return are_classes_of_equity(columns) or any(unit is Unit.SHARES or unit.endswith(PER_SHARE) for unit in units)


def are_classes_of_equity(columns: Sequence[Line]) -> bool:
    """Whether columns are common stock, retained earnings and so on, as in a statement of equity."""
    return sum(bool(_CLASSES_OF_EQUITY.search(column.name)) for column in columns) >= _FEWEST_CLASSES


def with_lengths(columns: list[Line], printed: Callable[[int], Iterable[Sequence[Amount]]]) -> list[Line]:
    """Columns of small bare numbers that are headed by how long something lasts are of years: `Average useful life`
    over `3.83`, beside amounts of money. printed: the cells of a column by its number."""
    return [
        replace(column, unit=Unit.YEARS)
        if (column.unit, column.mark) == (None, None)
        and _LASTING.search(column.label.lower())
        and all(each.unit is None and each.value < _LONGEST for cell in printed(column.index) for each in cell)
        else column
        for column in columns
    ]


def with_counts(columns: list[Line]) -> list[Line]:
    """Columns of awards beside one of what each of them is worth count them: `Units` beside `Average price`."""
    if not any((column.unit or "").endswith(PER_SHARE) for column in columns):
        return columns
    return [
        replace(column, unit=Unit.SHARES)
        if column.unit is None and _OF_AWARDS.search(column.name) and not _NO_COUNT.search(column.name)
        else column
        for column in columns
    ]


def with_counted_things(
    rows: list[Line], amounts: Sequence[Sequence[Sequence[Amount]]], said_above: Sequence[str] = ()
) -> list[Line]:
    """Rows that are called by the name of a thing and nothing more, `Company-operated stores`, count it: unless they
    stand under a heading of money, are marked as such, or have a fraction. So do rows among money that are called by
    what one counts, or stand under a heading of it: `Active customers (in thousands)`, `Open claims`, and what is below
    `Connections ('000)`. said_above: the corner, and what else stands over all columns."""
    found, is_of_counts = list(rows), any(_IN_FULL.search(text.lower()) for text in said_above)
    for at, row in enumerate(rows):
        printed = [each for cell in amounts[row.index] for each in cell if each.unit is not Unit.PERCENT]
        if row.unit is not None or not printed or any(each.unit is not None for each in printed):
            continue
        if is_money(f"{row.section} {row.name}".lower()):
            continue
        is_whole = all(each.value == each.value.to_integral_value() for each in printed)
        if is_whole and (said := _THINGS.fullmatch(row.name)):
            found[at] = replace(row, unit=said["thing"])
        elif (counts := _counts(row, is_of_counts=is_of_counts, is_whole=is_whole)) is not None:
            found[at] = replace(row, unit=Unit.COUNT.value, counts=counts or row.counts)
    return found


def _counts(row: Line, *, is_of_counts: bool, is_whole: bool) -> int | None:
    """The scale in which a row counts something, 0 for that of its table; None for a row of no count."""
    section, name = row.section.lower(), row.name.lower()
    own = row.scale or read_label(row.section).scale or 0
    if is_of_counts or _IN_FULL.match(section):
        return own or int(is_whole) or None
    if _COUNTS.match(section):
        return own
    if (said := row.scale or row.counts) and _COUNTED.search(name):
        return said
    return 1 if is_whole and _SURELY_COUNTED.search(name) else None


def with_units_of_sums(rows: list[Line], amounts: Sequence[Sequence[Sequence[Amount]]], first: int) -> list[Line]:
    """Rows that add up are of one thing: what is added to money is money, whatever it is called (`stock units` among
    expenses), and what is added to shares are shares (`effect of awards`). first: the column where data begins.

    Without marks of money, most of them tell.
    """
    if not any(row.unit or row.is_rate for row in rows):
        return rows
    width = max((len(amounts[row.index]) for row in rows), default=0)
    cells = [
        [amounts[row.index][at] if at < len(amounts[row.index]) else () for at in range(first, width)] for row in rows
    ]
    are_added = [not (row.unit or "").endswith(PER_SHARE) and row.unit is not Unit.PERCENT for row in rows]
    lines = [
        [cell[0].value if len(cell) == 1 and is_added and cell[0].unit is not Unit.PERCENT else None for cell in line]
        for line, is_added in zip(cells, are_added, strict=True)
    ]
    marked = [any(is_currency(each.unit) for cell in line for each in cell) for line in cells]
    found = list(rows)
    for total, addends in addends_of(lines, [row.is_total for row in rows]).items():
        group = [total, *(at for _, at in addends)]
        counted = [rows[at] for at in group if rows[at].unit in (Unit.SHARES, Unit.COUNT)]
        is_money = any(marked[at] for at in group) or 2 * len(counted) < len(group)
        shares = next((each for each in counted if each.unit is Unit.SHARES), None)
        for at in group:
            row = rows[at]
            if is_money and (is_counted(row.unit) or row.is_rate) and not marked[at]:
                found[at] = replace(row, unit=None, counts=None, is_rate=False)
            elif shares and not is_money and row.unit is None:
                found[at] = replace(row, unit=Unit.SHARES, counts=row.counts or shares.counts, is_rate=False)
    return found


def with_scales_of_sums(rows: list[Line], amounts: Sequence[Sequence[Sequence[Amount]]]) -> list[Line]:
    """Rows right below the one that they add up to, whose label says a scale, are on it too: `Billed business` and
    `Processed volumes` below `Network volumes (billions)`."""
    scales = [row.scale or (row.counts if row.unit is None else None) for row in rows]
    if not any(scales):
        return rows
    width = max(len(amounts[row.index]) for row in rows)
    upwards = [
        [
            cell[0].value if len(cell) == 1 and cell[0].unit is not Unit.PERCENT else None
            for cell in [*amounts[row.index], *[()] * (width - len(amounts[row.index]))]
        ]
        for row in reversed(rows)
    ]
    found, last = list(rows), len(rows) - 1
    for total, parts in addends_of(upwards, [False] * len(rows)).items():
        scale = scales[last - total]
        for at in (last - part for _, part in parts):
            if scale and rows[at].unit is None and scales[at] is None:
                found[at] = replace(rows[at], scale=scale)
    return found


def with_units_around(rows: list[Line], printed: Callable[[Line], Sequence[Amount]]) -> list[Line]:
    """Rows that say no unit, with that of the sub-heading they stand under (`shares used in computing earnings per
    share:`, `discount rate (%)`), or of the rows around them (`effect of dilutive awards` between two averages of
    shares). printed: the amounts of a row.

    Below `basic earnings per share:` stand earnings too: what is per share has a fraction. To the cent are the prices
    of `basic`, and the fair value beside the volatility that it is reckoned with.
    """
    found = list(rows)
    is_model = any(_OPTION_MODEL.search(row.name) for row in rows)
    for at, row in enumerate(rows):
        if row.unit is not None or (row.period and not row.name):
            continue
        if (is_of_one_share(row.name) or (is_model and _FAIR_VALUE.search(row.name))) and _are_to_the_cent(
            printed(row)
        ):
            found[at] = replace(row, unit=PER_SHARE)
            continue
        heading = read_label(row.section) if row.section else None
        above = heading.unit if heading else None
        is_number = heading is not None and is_counted(above) and bool(_NUMBER_OF.match(row.section.lower()))
        if is_measured(above) or is_number:
            found[at] = replace(row, unit=above, counts=heading.counts if heading else None)
        elif above in _NO_MONEY and _are_few(printed(row)):
            found[at] = replace(row, unit=above)
        elif above is Unit.SHARES or (above and above.endswith(PER_SHARE) and have_fraction(printed(row))):
            counts = heading.counts if heading and above is Unit.SHARES and row.counts is None else row.counts
            found[at] = replace(row, unit=above, counts=counts)  # `Shares used in calculation (000's)`
        elif 0 < at < len(rows) - 1 and rows[at - 1].unit == rows[at + 1].unit == Unit.SHARES:
            found[at] = replace(row, unit=Unit.SHARES)
    return found


def with_percent_of_blocks(rows: list[Line], amounts: Sequence[Sequence[Sequence[Amount]]]) -> list[Line]:
    """Rows without a unit below one in percent under the same sub-heading, in a table whose money is whole: with as
    many decimals as that one they are in percent too. The sign often stands at the first rate of a block alone."""
    cells = [[each for cell in line for each in cell] for line in amounts]
    if any(is_currency(each.unit) and _decimals(each) for line in cells for each in line):
        return rows
    found: list[Line] = []
    above = (Line(0, ""), 0)
    for row in rows:
        own = cells[row.index]
        is_of_block = bool(row.section) and row.section == above[0].section and row.unit is None
        if is_of_block and above[1] and _are_few(own) and all(_decimals(each) == above[1] for each in own):
            row = replace(row, unit=Unit.PERCENT)
        found.append(row)
        is_percent = bool(own) and all((each.unit or row.unit) is Unit.PERCENT for each in own)
        above = (row, min(map(_decimals, own)) if is_percent else 0)
    return found


def with_prices(rows: list[Line], amounts: Sequence[Sequence[Sequence[Amount]]], corner: str | None) -> list[Line]:
    """Rows below `Grant date fair value` in the corner, all of them to the cent, with that price, whatever was granted.
    corner: the unit that it says."""
    printed = [[each for cell in amounts[row.index] for each in cell] for row in rows]
    is_of_all = corner == PER_SHARE and all(_are_to_the_cent(found) for found in printed if found)
    return [replace(row, unit=PER_SHARE) for row in rows] if is_of_all else rows


def _are_few(found: Sequence[Amount]) -> bool:
    """Whether amounts are unmarked and no more than rates and years are."""
    return bool(found) and all(each.unit is None and abs(each.value) <= _MOST_RATE for each in found)


def have_fraction(found: Sequence[Amount]) -> bool:
    """Whether an amount has cents, as prices and earnings per share have."""
    return any(map(_decimals, found))


def _are_to_the_cent(found: Sequence[Amount]) -> bool:
    """Whether all amounts have two decimals, and one is of money where any is marked."""
    is_money = all(each.unit is None or is_currency(each.unit) for each in found)
    return bool(found) and is_money and all(_decimals(each) == _CENTS for each in found)


def _decimals(amount: Amount) -> int:
    """How many decimals an amount is printed with."""
    exponent = amount.value.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0
