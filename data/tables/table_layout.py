"""A table as understood: its cells, the lines they stand on, and what both say an amount means."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tieout.data.printed.amount import Amount, Unit
from tieout.data.printed.label import PER_SHARE
from tieout.data.printed.measure import is_measured, is_money, is_price
from tieout.data.printed.note import Note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import Period, PeriodKind, part_of
from tieout.data.printed.unit import DOLLARS, PARTS_OF_MONEY, SOME_DOLLAR, THINGS, is_counted, is_currency, is_scaled
from tieout.data.printed.wording import MONTHS
from tieout.data.tables.orientation import Orientation

# What one of a thing costs: printed in full beside amounts in millions.
_UNIT_PRICE = later(
    r"(?:(?:\b|cost|price|rate)per ?|[$€£a-z] ?/ ?(?=\w+ ?(?:$|[),;(]|foot)))"
    r"(?:gallon|barrel|boe|bbl|oz|lb|mcf|mmbtu|mwh|kwh|ton|tonne|pound|ounce|unit|day|hour|"
    r"employee|subscriber|customer|square foot|room|vehicle|transaction|contract|carload|mile)\b"
)

# A price that does not say of what: that of one thing, and no amount on the scale of the table. What is paid for a
# company (`purchase price`) is one.
_PRICE = later(
    r"(?:(?:average|avg\.?|mean|weighted|closing|opening|market|stock|share|current|issue|list|spot|quoted|realized"
    r"|realised|high|highest|low|lowest|median|year-end|reference|benchmark)[ -])*prices?"
)
_OF_A_DAY = later(r"^$|\b(?:balances?|outstanding|nonvested|unvested|exercisable|beginning|ending)\b")
_AT_DAY = later(rf"\b(?:at|as of) (?:{'|'.join(MONTHS)})\.? [0-9]{{1,2}}\b")  # `Allowance at June 30,`
_FEWEST_COLUMNS = 2  # that tell that a table goes on with another
FEWEST_SHARES = 1_000_000  # fewer than any company has issued that reports: such a number is in thousands
MOST_SHARES = 10**13  # more than any company has issued: such a number is in full, whatever is said of all
_ALL_SHARES = later(r"\bweighted[- ]average\b[^$]{0,60}\bshares|\bshares (?:issued and )?outstanding|\bshares used in")


_MILLION = 10**6


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what is printed and the amounts read from it, possibly none."""

    row: int
    column: int
    text: str
    amounts: tuple[Amount, ...]


@dataclass(frozen=True, slots=True)
class Line:
    """A row or a column of the table, by the label it carries.

    index: the row or column number, from 0 with headers counted.
    label: as printed, the rows of a header joined by a space; in a report without marks, leader dots, soft hyphens.
    name: the label without period, footnote marks and notes on unit and scale, in lower case; "" for a bare period.
    section: the sub-heading it stands under, "" for none. period: where label or section state one.
    amounts: the amounts printed inside the label itself (`5.000%`).
    unit, scale: what the label says of all its cells; the unit of a price whose currency it does not say is `/share`.
    mark: of a column, the unit printed on its first amount and holding for the unmarked ones below.
    is_total: it sums others. is_rate: it is a rate, for which the currency and the scale of others do not hold.
    counts: the scale that the label says for shares and other counts.
    marks: the footnote marks printed at it, which in a report are no part of the label.
    """

    index: int
    label: str
    section: str = ""
    period: Period | None = None
    amounts: tuple[Amount, ...] = ()
    unit: str | None = None
    scale: int | None = None
    name: str = ""
    mark: str | None = None
    is_total: bool = False
    is_rate: bool = False
    counts: int | None = None
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Meaning:
    """Unit and scale of one amount, and where each was taken from, None where it is not stated.

    unit_from, scale_from: `cell`, `row label`, `column header`, `column` (the mark at its head), `corner`, `title`,
        `sentence` (before the table). A scale of 1 without a place is what is reckoned with where none is stated.
    """

    unit: str | None
    unit_from: str | None
    scale: int
    scale_from: str | None


@dataclass(frozen=True, slots=True)
class Whole:
    """What is said of a whole table, each None where it is not: unit, the scale of money and of what says no unit, and
    that of counts, which `$ in thousands` does not say; and where each was taken from. names_counts: as of its note."""

    unit: str | None = None
    unit_from: str | None = None
    scale: int | None = None
    scale_from: str | None = None
    counts: int | None = None
    counts_from: str | None = None
    names_counts: bool = True

    def filled(self, note: Note, place: str) -> Whole:
        """The same with what is not said yet taken from a note printed at `place`."""
        whole = self
        if whole.unit is None and note.unit:
            whole = replace(whole, unit=note.unit, unit_from=place)
        if whole.scale is None and note.scale:
            whole = replace(whole, scale=note.scale, scale_from=place)
        if whole.counts is None and note.counts:
            whole = replace(whole, counts=note.counts, counts_from=place, names_counts=note.names_counts)
        return whole


@dataclass(frozen=True, slots=True)
class Layout:
    """One table as understood.

    cells: those with values, below the headers and right of the labels, in reading order.
    labels: all others (headers, row labels, sub-headings), so that both together hold every amount of the table.
    rows, columns: the lines with values, in order. headings: the numbers of sub-heading rows, which have no line.
    whole: what the corner, the title or the words before the table say of all of it.
    index_from: where it is said that the amounts are an index, 100 at the start; None where they are not.
    side: row labels of a second table printed to the right of the first, by row and the column they stand in.
    first: the column where data begins, behind the labels and the codes in front of them; 0 without labels.
    measures_across: what is measured, the columns say: shares beside prices, the classes of equity.
    currency: the only one that amounts are marked with, which is that of unmarked rows named as money.
    """

    orientation: Orientation
    header_rows: int
    corner: str
    rows: tuple[Line, ...]
    columns: tuple[Line, ...]
    cells: tuple[Cell, ...]
    whole: Whole = Whole()
    labels: tuple[Cell, ...] = ()
    headings: tuple[int, ...] = ()
    side: tuple[tuple[int, Line], ...] = ()
    index_from: str | None = None
    first: int = 1
    measures_across: bool = False
    currency: str | None = None
    _rows: dict[int, Line] = field(default_factory=dict, repr=False, compare=False)
    _columns: dict[int, Line] = field(default_factory=dict, repr=False, compare=False)

    def is_label(self, cell: Cell) -> bool:
        """Whether a cell stands in the column of row labels, or in that of the codes in front of them."""
        return cell.column < max(1, self.first)

    def row(self, number: int, column: int = 0) -> Line | None:
        """The row label that counts for a cell in row `number` and `column`; None for headers and sub-headings."""
        for at, line in reversed(self.side):
            if line.index == number and at < column:
                return line
        return self._rows.get(number)

    def column(self, number: int) -> Line:
        """The line of column `number`; an empty one for the column of row labels."""
        return self._columns.get(number) or Line(number, "")

    def period(self, cell: Cell) -> tuple[Period | None, str | None]:
        """The period of a cell and where it was taken from: `column header`, `row label` or `corner`.

        `quarter ended march 31` below `2010` is that quarter of that year.
        """
        row, column = self.row(cell.row, cell.column), self.column(cell.column)
        across = self.orientation is Orientation.INSTANCES_ACROSS
        stated = [
            (line.period, place)
            for line, place in ((column, "column header"), (row, "row label"))[:: 1 if across else -1]
            if line and line.period
        ]
        if len(stated) == 2:
            (first, place), (second, other) = stated
            if first.kind is PeriodKind.RELATIVE and second.end:
                return second, other  # `2012 and before`, by the years of columns
            if first.year is None and second.year is not None:
                return part_of(first, second), place
            if (
                second.year is None
                and first.year is not None
                and (first.kind in (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR) or self._is_of_a_day(row, second))
            ):
                return part_of(second, first), other
            if other == "row label" and first.kind is not PeriodKind.DATE and self._is_of_a_day(row, second):
                return second, other
        return stated[0] if stated else (None, None)

    @staticmethod
    def _is_of_a_day(row: Line | None, period: Period) -> bool:
        """Whether a row says the day of a balance, as `Balance, June 30` does below `Six months ended`."""
        if row is None or period.kind is not PeriodKind.DATE:
            return False
        said = row.section.lower() if period.label.lower() in row.section.lower() else row.name
        return bool(_OF_A_DAY.search(said) or _AT_DAY.search(row.label.lower()))

    def meaning(self, cell: Cell, amount: Amount) -> Meaning:
        """Unit and scale of an amount in `cell`, from the nearest place that states them.

        The scale of a table holds for money and counts, not for percentages, ratios, times and the price of one thing.
        """
        row, column = self.row(cell.row, cell.column), self.column(cell.column)
        lines = [(line, place) for line, place in ((row, "row label"), (column, "column header")) if line]
        unit, unit_from = self._unit(amount, lines, column.mark)
        if self.index_from and is_currency(unit):
            return Meaning(Unit.INDEX, self.index_from, 1, None)
        if amount.scale != 1:
            return Meaning(unit, unit_from, amount.scale, "cell")
        for line, place in lines:
            is_of_all = unit is None or is_currency(unit) or unit == self.whole.unit
            if amount.unit is None and is_of_all and line.is_rate:
                marked = column.mark is Unit.PERCENT  # `Pounds sterling` in a column of interest rates
                return Meaning(Unit.PERCENT, "column", 1, None) if marked else Meaning(None, None, 1, place)
        if unit is not None and not is_scaled(unit) and not is_measured(unit):
            return Meaning(unit, unit_from, 1, None)
        is_count = is_counted(unit) or is_measured(unit)
        for line, place in lines:
            if unit is None and line.unit == PER_SHARE:  # a price whose currency is not said
                return Meaning(unit, unit_from, 1, place)
            if unit is not None and not is_count and _UNIT_PRICE.search(line.label.lower()):
                return Meaning(unit, unit_from, line.scale or 1, place)
            if not is_count and line.scale is None and _PRICE.fullmatch(line.name):
                return Meaning(unit, unit_from, 1, place if _is_in_full(amount) else None)
        for line, place in lines:
            own = line.scale or (line.counts if line.unit is None else None)  # `Volumes (billions)`, of money too
            if said := _scale_for(unit, own, line.counts):
                return Meaning(unit, unit_from, said, place)
        whole = self.whole
        if whole.scale_from == "document" and (unit is None or _is_in_full(amount)):
            is_counted_here = unit is None and whole.counts_from not in (None, "document")
            counts = whole.counts if is_counted_here else None
            return Meaning(unit, unit_from, counts or 1, whole.counts_from if counts else None)
        if self._is_open(unit, amount):
            return Meaning(unit, unit_from, 1, None)
        is_near = whole.scale_from != "document"
        if is_count and whole.counts is None and whole.scale and is_near and self._are_few(amount, lines):
            return Meaning(unit, unit_from, whole.scale, whole.scale_from)
        said = _scale_for(unit, whole.scale, whole.counts)
        if said and not (unit is Unit.SHARES and abs(amount.value) * said > MOST_SHARES):
            return Meaning(unit, unit_from, said, whole.scale_from if said == whole.scale else whole.counts_from)
        is_whole = amount.value == amount.value.to_integral_value()
        is_in_full = unit in THINGS and is_whole and whole.scale is None and whole.counts is None
        return Meaning(unit, unit_from, 1, unit_from if is_in_full else None)  # `982 stores` under no scale at all

    def _is_open(self, unit: str | None, amount: Amount) -> bool:
        """Whether nothing says at which scale a number of things is printed: over `982 stores` stands `(in millions)`,
        which means the money beside them. What is no whole number cannot be in full."""
        whole = self.whole
        is_thing = unit is Unit.COUNT or unit in THINGS
        if not is_thing or whole.names_counts or amount.value != amount.value.to_integral_value():
            return False
        is_beside_money = is_currency(whole.unit) or any(is_currency(column.mark) for column in self.columns)
        return is_beside_money or (whole.counts or 1) >= _MILLION

    def _are_few(self, amount: Amount, lines: list[tuple[Line, str]]) -> bool:
        """Whether all the shares of a company are fewer than any has, or there is a part of one: they are on the scale
        of the rest."""
        said = (f"{line.section} {line.label}".lower() for line, _ in lines)
        is_all = any(map(_ALL_SHARES.search, said)) or self.whole.unit is Unit.SHARES
        is_part = amount.value != amount.value.to_integral_value() and any(
            line.unit is Unit.SHARES for line, _ in lines
        )
        return is_part or (is_all and 0 < amount.value < FEWEST_SHARES)

    def _unit(self, amount: Amount, lines: list[tuple[Line, str]], mark: str | None) -> tuple[str | None, str | None]:
        if self.measures_across:  # `shares repurchased` in a column of money is what was paid for them
            has_cents = _is_in_full(amount)  # `Dividends per share 1.03` below columns of shares and of dollars
            others = (Unit.PERCENT, None, PER_SHARE) if has_cents else (Unit.PERCENT, None)
            lines = [(line, at) for line, at in lines if at != "row label" or line.unit in others]
        said = next(((line.unit, place) for line, place in lines if line.unit), (None, None))
        is_thing = (is_counted(said[0]) and said[0] != Unit.SHARES) or is_measured(said[0]) or is_price(said[0])
        if said[1] == "row label" and is_thing:
            columns = ((line.unit, place) for line, place in lines if line.unit and place != said[1])
            said = next((each for each in columns if not is_currency(each[0])), said)  # `% change` of miles is no miles
            said = (Unit.PERCENT, "column header") if said[0] == Unit.COUNT and mark is Unit.PERCENT else said
        if amount.unit in PARTS_OF_MONEY and said[0] and said[0].endswith(PER_SHARE):
            return f"{amount.unit}{PER_SHARE}", "cell"
        if said[0] and is_currency(amount.unit) and is_price(said[0]):
            if {amount.unit, said[0].partition("/")[0]} <= {*DOLLARS, SOME_DOLLAR}:
                return said  # the `$` of a row in `US$/oz` is one of those
            return f"{amount.unit}/{said[0].partition('/')[2]}", "cell"
        if amount.unit is not None and not (is_currency(amount.unit) and said[0] == PER_SHARE):
            return amount.unit, "cell"
        if said[0] == PER_SHARE:
            if part := next((line.unit for line, _ in lines if line.unit in PARTS_OF_MONEY), None):
                return f"{part}{PER_SHARE}", "column header"  # `Basic earnings per share` below `2024 pence`
            currency = amount.unit or (mark if is_currency(mark) else None)
            currency = currency or next((line.unit for line, _ in lines if is_currency(line.unit)), self.whole.unit)
            currency = currency or self.currency
            return (f"{currency}{PER_SHARE}", "cell" if amount.unit else said[1]) if currency else (None, None)
        if said[0] is Unit.RATIO and mark is Unit.PERCENT:
            return mark, "column"  # `Ratio` over 10.4% and 13.2
        if said[0] is not None:
            return said
        if mark or self.whole.unit:
            return (mark, "column") if mark else (self.whole.unit, self.whole.unit_from)
        if self.currency is None:
            return None, None
        measure = "column header" if self.measures_across else "row label"
        return (
            (self.currency, measure)
            if any(at == measure and is_money(line.name) for line, at in lines)
            else (None, None)
        )


def continued(layout: Layout, above: Layout) -> Layout:
    """A table without a header right below one of as many columns, with the titles of that one: it goes on there. One
    with the same titles has the scale of the one above, if it says none, and without marks, `$`, those of that one.

    The same layout where it has titles of its own, or the one above has other columns or none that say anything.
    """
    own, others = layout.columns, above.columns
    is_same = [line.name for line in own] == [line.name for line in others]
    is_scaled_above = layout.whole.scale_from in (None, "document") and above.whole.scale_from not in (None, "document")
    if layout.header_rows and is_same and is_scaled_above and sum(bool(line.name) for line in own) >= _FEWEST_COLUMNS:
        layout = replace(layout, whole=above.whole)  # a statement that goes on over the page with its titles again
    if layout.header_rows and is_same and layout.whole.unit is None and not any(line.mark for line in own):
        marked = tuple(replace(line, mark=other.mark) for line, other in zip(own, others, strict=True))
        return replace(layout, columns=marked, _columns={line.index: line for line in marked})
    if layout.header_rows or len(own) != len(others) or len(own) < _FEWEST_COLUMNS or any(line.label for line in own):
        return layout
    if not all(line.label for line in others) or not any(line.name for line in layout.rows):
        return layout
    columns = tuple(
        replace(other, index=line.index, mark=line.mark or other.mark, amounts=())
        for line, other in zip(own, others, strict=True)
    )
    whole = above.whole if layout.whole.scale_from in (None, "document") else layout.whole
    return replace(
        layout,
        orientation=above.orientation,
        columns=columns,
        whole=whole,
        _columns={line.index: line for line in columns},
    )


def _is_in_full(amount: Amount) -> bool:
    """Whether an amount has cents: what statements give in millions has none, so that their scale is not its own."""
    exponent = amount.value.as_tuple().exponent
    return isinstance(exponent, int) and exponent <= -2


def _scale_for(unit: str | None, money: int | None, counts: int | None) -> int | None:
    """The scale that holds for a unit: that of money, that of counts, or for no unit the one that is said."""
    if is_counted(unit) or is_measured(unit):
        return counts
    return money or counts if unit is None else money
