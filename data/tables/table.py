"""What the printed form of a table says: which rows are headers, which way it runs, what each cell is under.

>>> from data.document import Table
>>> rows = (("( in millions )", "2009", "2008"), ("revenue", "$ 536.7", "$ 501.2"), ("tax rate", "27% ( 27 % )", "-"))
>>> layout = read_table(Table(rows=rows))
>>> layout.orientation.value, layout.header_rows, layout.whole.scale, [column.period.key for column in layout.columns]
('instances across', 1, 1000000, ['2009', '2008'])
>>> [line.label for line in layout.rows], [str(cell.amounts[0].value) for cell in layout.cells if cell.amounts]
(['revenue', 'tax rate'], ['536.7', '501.2', '27'])
>>> revenue, rate = layout.cells[0], layout.cells[2]
>>> layout.meaning(revenue, revenue.amounts[0])
Meaning(unit='$', unit_from='cell', scale=1000000, scale_from='corner')
>>> layout.meaning(rate, rate.amounts[0])
Meaning(unit=<Unit.PERCENT: 'percent'>, unit_from='cell', scale=1, scale_from=None)
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from itertools import groupby, pairwise

from tieout.data.document import Table
from tieout.data.printed.amount import Amount, Unit, is_dash, read_amounts, read_cell
from tieout.data.printed.glyph import without_codes
from tieout.data.printed.label import PER_SHARE, clean_label, is_in_percent, is_rate, read_label
from tieout.data.printed.languages.language import in_english
from tieout.data.printed.note import NO_NOTE, Note, excepted_scale, introduced_note, is_only_currency, read_note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.ending import leads_to_day
from tieout.data.printed.periods.period import (
    LONGEST_LABEL,
    find_periods,
    of_year,
    part_of,
    read_period,
)
from tieout.data.printed.unit import DOLLARS, PARTS_OF_MONEY, dollar, dollars_of, is_currency
from tieout.data.tables.codes import are_coded, code_in_front, is_title_of_codes, label_column
from tieout.data.tables.dated_lines import (
    carried,
    completed,
    of_own_header,
    period_column,
    with_comparatives,
    with_corner,
    with_length,
    with_periods,
    with_totals,
)
from tieout.data.tables.header import (
    count_headers,
    has_label_column,
    is_marked_dash,
    is_note,
    listed_years,
    merged_header,
    spread,
)
from tieout.data.tables.line_units import (
    are_measures,
    have_fraction,
    is_of_one_share,
    with_counted_things,
    with_counts,
    with_lengths,
    with_marks_of_equity,
    with_percent_of_blocks,
    with_prices,
    with_scales_of_sums,
    with_shared_mark,
    with_stated_units,
    with_units_around,
    with_units_of_sums,
    without_units_of_others,
)
from tieout.data.tables.orientation import Orientation
from tieout.data.tables.table_layout import MOST_SHARES, Cell, Layout, Line, Meaning, Whole
from tieout.data.tables.whole import Around, marked_money

__all__ = ["Cell", "Layout", "Line", "Meaning", "Orientation", "read_table"]


def read_table(
    table: Table, introduction: str = "", basis: Note = NO_NOTE, currency: str | None = None, coded: bool = False
) -> Layout:
    """The layout of a table. introduction: the words in front of it, which often state unit, scale and years. basis:
    what the document says of all its tables, for what this one does not say. currency: that its statements are marked
    with, which is that of a table whose lines are money and not marked. coded: whether the text may hold codes."""
    reader = _Reader(table, introduction, basis, currency, coded)
    own = reader.whole.unit
    if own in DOLLARS and own != dollar():  # under `C$ millions` a bare `$` is one of those
        with dollars_of(own):
            return _Reader(table, introduction, basis, currency, coded).layout()
    return reader.layout()


class _Reader:
    """Reads one table: first its rows apart, then what headers, labels and cells say."""

    def __init__(self, table: Table, introduction: str, basis: Note, currency: str | None, coded: bool) -> None:
        self.rows, self.title, self.basis, self.currency = table.rows, table.title, basis, currency
        self.introduction, self.coded = introduction, coded
        self.label_at = label_column(self.rows)  # behind the codes of accounts stand their names
        self.first = self.label_at + 1 if self.label_at or has_label_column(self.rows) else 0
        self.dated_at = period_column(self.rows, self.first) if self.first else 0
        self.first += bool(self.dated_at)
        self.dated = with_periods(self.rows, self.dated_at) if self.dated_at else []
        self.amounts = [
            [read_cell(text, coded) if text and column >= self.first else () for column, text in enumerate(row)]
            for row in self.rows
        ]
        for held in table.values:  # what a cell of a workbook holds goes before the digits that it shows
            if held.column >= self.first and len(found := self.amounts[held.row][held.column]) == 1:
                self.amounts[held.row][held.column] = (replace(found[0], value=held.value),)
        self.names_filer = len(self.rows) <= _MOST_OF_COVER and any(map(_is_of_filer, self.rows))
        if self.names_filer:
            self.amounts = [_naming(row, found) for row, found in zip(self.rows, self.amounts, strict=True)]
        self.label_amounts: dict[str, tuple[Amount, ...]] = {}
        self.merged = merged_header(self.rows, self.amounts) if self.first and coded else {}
        for column, at in self.merged.items():  # the amounts of a title stay with its cell, they are no values
            self.amounts[0][column] = tuple(
                each for each in _merged_amounts(self.rows[0][column], at) if each.start >= at
            )
        self.header_rows = 0 if self.merged else count_headers(self.rows, self.amounts, self.first)
        self.heads = spread(self.rows[: self.header_rows], self.first, {row for row, _ in table.repeated})
        self.corner = self._corner()
        self.is_coded = False
        self.lead = self.corner.strip("()") if leads_to_day(self.corner) else ""
        self._name_notes()
        self.is_coded = not self.label_at and bool(self.first) and are_coded(self._labels())

    def _labels(self) -> list[str]:
        """The labels of the rows that have figures."""
        body = range(self.header_rows, len(self.rows))
        return [self.rows[at][0] for at in body if self.rows[at] and any(self.amounts[at][self.first :])]

    def _label(self, index: int) -> tuple[str, str]:
        """The label of a row and the code in front of it, "" for none."""
        row = self.rows[index] if self.first else ()
        if self.dated:
            return self.dated[index], row[0].strip() if self.label_at and row else ""
        if self.label_at:
            first, label = row[0].strip() if row else "", row[self.label_at] if self.label_at < len(row) else ""
            return (label, first) if label.strip() else (first, "")
        code, label = code_in_front(row[0]) if row and self.is_coded else ("", row[0] if row else "")
        return label, code

    def _name_notes(self) -> None:
        """The column beside the labels of a statement that says in which note a line is explained holds no amounts, nor
        does one of the codes of accounts."""
        for column in range(self.first, max(map(len, self.heads), default=0)):
            title = in_english(" ".join(row[column] for row in self.heads).strip().lower())
            found = [cell for row in self.amounts[self.header_rows :] for cell in row[column : column + 1] if cell]
            is_small = all(0 < abs(each.value) < _MOST_NOTES for cell in found for each in cell)
            if not is_title_of_codes(title) and not (_NOTES.fullmatch(title) and is_small):
                continue
            for row in self.amounts[self.header_rows :]:
                row[column : column + 1] = [
                    tuple(replace(each, unit=Unit.REFERENCE) for each in cell) for cell in row[column : column + 1]
                ]

    def layout(self) -> Layout:
        columns = self._columns()
        rows, headings = self._body(columns)
        rows = with_stated_units(rows, columns, self.rows, self.amounts, (self.title, self.introduction))
        rows = [self._scaled_where_excepted(row) for row in rows]
        side = self._side(columns)
        sides = {at for at, _ in side}
        whole = self.whole
        orientation = self._orientation(rows, columns)
        columns = [self._marked(column, orientation) for column in columns if column.index not in sides]
        columns = with_lengths(without_units_of_others(columns, self._below), self._below)
        if orientation is Orientation.INSTANCES_ACROSS and whole.unit is not Unit.PERCENT:
            columns = with_shared_mark(columns, self.money)
        columns = with_marks_of_equity(columns, self.money)
        rows = with_units_around(with_scales_of_sums(rows, self.amounts), self._printed)
        rows = with_counted_things(rows, self.amounts, (self.corner, self._over_columns))
        rows = [self._rated(row, self.amounts[row.index]) for row in rows]
        rows = with_percent_of_blocks(rows, self.amounts)
        rows = with_prices(rows, self.amounts, read_label(self.corner).unit)
        rows = [self._in_full_where_too_many(row, self.amounts[row.index]) for row in rows]
        columns = [self._in_full_where_too_many(column, [*self._below(column.index)]) for column in columns]
        rows, columns = with_units_of_sums(rows, self.amounts, self.first), with_counts(columns)
        columns = [self._rated(column, list(self._below(column.index))) for column in columns]
        cells, labels = self._cells(set(headings), sides)
        return Layout(
            orientation=orientation,
            header_rows=self.header_rows,
            corner=self.corner,
            rows=tuple(rows),
            columns=tuple(columns),
            cells=cells,
            whole=whole,
            labels=labels,
            headings=tuple(headings),
            side=tuple(side),
            index_from=self._index_from(rows, orientation),
            first=self.first,
            measures_across=are_measures(columns),
            currency=next(iter(self.money)) if len(self.money) == 1 else None,
            _rows={row.index: row for row in rows},
            _columns={column.index: column for column in columns},
        )

    def _corner(self) -> str:
        if not self.first:
            return ""
        texts = (row[self.label_at].strip() for row in self.rows[: self.header_rows] if self.label_at < len(row))
        return " ".join(dict.fromkeys(text for text in texts if text))[:LONGEST_LABEL]

    def _columns(self) -> list[Line]:
        width = max((len(row) for row in self.rows), default=0)
        columns = self._parted([self._column(column) for column in range(self.first, width)])
        columns = with_totals([with_length(column, self.lead) for column in columns])
        partial = read_period(self.corner) if self.corner else None
        if partial and partial.year is None:  # `December 31,` in the corner, years beside it
            columns = [completed(column, partial) for column in columns]
        else:
            columns = with_corner(columns, read_period(self.corner) if self.corner else None)
        periods = [column.period for column in columns if column.period and not column.name]
        if len(periods) == len(columns) > len({period.key for period in periods}):
            years = listed_years(
                self.introduction, len(columns)
            )  # a title spread over columns lost which year is whose
            columns = [
                replace(column, period=of_year(period, year))
                for column, period, year in zip(columns, periods, years, strict=False)
            ] or columns
        return with_comparatives(self._in_full(columns))

    def _parted(self, columns: list[Line]) -> list[Line]:
        """Columns under one title that prints as many dates, one behind the other, each with its own: in a narrow table
        `June 30, 2025 December 31, 2024` looks like one title over both."""
        found: list[Line] = []
        for label, group in groupby(columns, key=lambda column: column.label):
            run = list(group)
            dates = find_periods(label) if len(run) > 1 else ()
            gaps = [label[end:start] for (_, _, end), (_, start, _) in pairwise(dates)]
            if len(dates) != len(run) or not all(_BETWEEN.fullmatch(gap) for gap in gaps):
                found += run
                continue
            lead = label[: dates[0][1]]
            for column, (period, start, end) in zip(run, dates, strict=True):
                line = self._line(column.index, f"{lead}{label[start:end]}")
                found.append(replace(line, period=replace(period, label=line.label)))
        return found

    def _in_full(self, columns: list[Line]) -> list[Line]:
        """Columns of `Yen` beside others of `Millions of yen` are in full."""
        scaled = {column.unit for column in columns if (column.scale or 1) > 1}
        return [
            replace(column, scale=1)
            if column.scale is None
            and is_currency(column.unit)
            and column.unit in scaled
            and self._ends_in_unit(column)
            else column
            for column in columns
        ]

    def _ends_in_unit(self, column: Line) -> bool:
        """Whether the lowest title of a column is the name of a currency and nothing else."""
        texts = [
            row[column.index].strip() for row in self.heads if column.index < len(row) and row[column.index].strip()
        ]
        return bool(texts) and is_only_currency(texts[-1])

    def _column(self, number: int) -> Line:
        if number in self.merged:
            label = self.rows[0][number][: self.merged[number]].strip()
        elif self.merged:
            label = self.rows[0][number] if number < len(self.rows[0]) and not self.amounts[0][number] else ""
        else:
            texts = [row[number].strip() for row in self.heads if number < len(row)]
            label = " ".join(dict.fromkeys(text for text in texts if text))
            if len(texts) > 1:
                return of_own_header(self._under(self._line(number, label), texts), texts)
        return self._line(number, label)

    def _under(self, line: Line, texts: Sequence[str]) -> Line:
        """A column with the unit of its lowest header that says one: `Shares` under `Common Stock, $0.01 Par`.

        Under `Earnings per share` a currency is that of the price; `Average price` under `Stock options` is no number.
        """
        if line.unit == PER_SHARE and not read_label(texts[-1]).unit:
            return line
        for text in reversed(texts):
            if text and (unit := read_label(text).unit):
                if line.unit and line.unit.endswith(PER_SHARE) and unit in PARTS_OF_MONEY:
                    return line
                if line.unit and line.unit.endswith(PER_SHARE) and is_only_currency(text):
                    return replace(line, unit=f"{unit}{PER_SHARE}", scale=None)
                return replace(line, unit=unit)
        return line

    def _label_amounts(self, text: str) -> tuple[Amount, ...]:
        """The amounts in a label; the same label is often needed twice."""
        found = self.label_amounts.get(text)
        if found is None:
            found = read_amounts(text, self.coded) if text else ()
            found = _naming((text,), [found])[0] if self.names_filer else found
            self.label_amounts[text] = found
        return found

    def _line(self, index: int, label: str, section: str = "", era: str = "") -> Line:
        """era: the last sub-heading that states a period, under which others may stand."""
        label, section = label[:LONGEST_LABEL], section[:LONGEST_LABEL]
        label, marks = clean_label(label)
        section, above = clean_label(section)
        marks += tuple(mark for mark in above if mark not in marks)
        whole = read_period(section) if section else None
        whole = whole or (read_period(era) if era else None)
        if not label:
            return Line(index, label, section, whole, marks=marks)
        said = read_label(label)
        period = said.period
        if whole and whole.year is not None:
            period = part_of(period, whole) if period else whole
        name = without_codes(said.name) if self.coded else said.name
        is_total = name.startswith(("total", "net total"))
        amounts = self._label_amounts(label)
        return Line(
            index,
            label,
            section,
            period,
            amounts,
            said.unit,
            said.scale,
            name,
            None,
            is_total,
            counts=said.counts,
            marks=marks,
        )

    def _body(self, columns: Sequence[Line]) -> tuple[list[Line], list[int]]:
        """The lines of the rows below the headers, each under its sub-heading, and the numbers of the sub-headings."""
        rows: list[Line] = []
        headings: list[int] = []
        section, start, era, each = "", 0, "", ""
        basis = below = NO_NOTE  # what a note among the rows says of all below it, and a sub-heading of those under it
        printed = ""
        if _YEAR_CORNER.fullmatch(self.corner) and not any(column.period for column in columns):
            section = self.corner
        for index in range(self.header_rows, len(self.rows)):
            label, code = self._label(index)
            if self._is_heading(index, label):
                headings.append(index)
                if _COUNTED.search(label):
                    continue  # `Shares outstanding: 571,845,478` is a line of its own, and what is below goes on
                each = label if read_label(label).unit == PER_SHARE else each if is_of_one_share(label) else ""
                section, start = f"{each.rstrip(': ')}: {label}" if each not in ("", label) else label, len(rows)
                era = label if read_period(label) else era
                below = read_note(label)
                basis, printed = (below, label) if is_note(label) else (basis, printed)
                continue
            is_unnamed = not label
            if not label and section and self._is_sum(index, [each.index for each in rows[start:]]):
                label = self._unless_below(f"Total {section.rstrip(': ')}", index)
            row = self._dated(self._line(index, label, section, era))
            row = replace(row, scale=1) if row.scale is None and _IN_FULL.search(label) else row
            if is_unnamed and (row.unit or "").endswith(PER_SHARE) and not have_fraction(self._printed(row)):
                row = replace(row, unit=None)  # `Investments at net asset value per share` adds up to money
            scale = excepted_scale(label, printed)
            row = _scaled(row, Note(scale=scale, counts=scale) if scale else below if below.scale else basis)
            row = replace(row, marks=(code, *row.marks)) if code else row
            if self.corner.lower().startswith("quarter") and (stated := _ORDER.match(label.lower())):
                row = replace(row, period=read_period(f"{stated[0]} quarter"), name="")
            if (
                row.is_total
                and section
                and not read_period(section)
                and _ends_section(row.name, section, len(rows) - start)
            ):
                row, section = replace(row, section=""), ""
            rows.append(carried(row, rows[-1]) if rows else row)
        return rows, headings

    def _unless_below(self, name: str, index: int) -> str:
        """A name for a row without a label; "" where one below has it: the row is a sum before what is taken off."""
        names = (self._label(below)[0].strip(" :").lower() for below in range(index + 1, len(self.rows)))
        return "" if name.lower() in names else name

    def _is_sum(self, index: int, above: Sequence[int]) -> bool:
        """Whether a row of a table as published is what all these rows come to, in each of its columns, but for what is
        rounded of amounts with a fraction."""
        columns = [at for at, found in enumerate(self.amounts[index]) if len(found) == 1 and found[0].value]
        totals = [self.amounts[index][at][0].value for at in columns]
        added = [[each for row in above for each in self.amounts[row][at : at + 1]] for at in columns]
        sums = [sum(each.value for found in cells for each in found) for cells in added]
        is_near = all(abs(one - other) <= _place(other) for one, other in zip(sums, totals, strict=True))
        return len(above) > 1 and bool(columns) and is_near

    def _dated(self, row: Line) -> Line:
        """A row of a day or a year with the length or the day that the sub-heading or the corner says."""
        if row.period is None:
            return row
        row = with_length(with_length(row, row.section), self.lead)
        partial = read_period(self.lead) if self.lead else None
        return completed(row, partial) if partial and partial.year is None else row

    def _is_heading(self, index: int, label: str) -> bool:
        """A label with nothing beside it, or with the header again, as a later block of the same table has."""
        body = [text.strip() for text in self.rows[index][self.first :]]
        if not label.strip() or index == len(self.rows) - 1 or any(self.amounts[index][self.first :]):
            return False
        if not any(body):
            return True
        header = {text.strip() for text in self.rows[0][1:]} if self.header_rows else set()
        return all(not text or text in header or text == label.strip() or is_note(text) for text in body)

    def _side(self, columns: Sequence[Line]) -> list[tuple[int, Line]]:
        """The labels of tables to the right, by the column that they stand in: columns of words, with equal titles over
        what stands behind each of them and behind the labels."""
        for blocks in range(2, (len(columns) + 1) // 2 + 1 if self.first else 2):
            wide, left = divmod(len(columns) + 1, blocks)
            names = [line.name for line in columns[: wide - 1]]
            runs = [columns[at : at + wide] for at in range(wide - 1, len(columns), wide)]
            are_alike = any(names) and all([each.name for each in behind] == names for _, *behind in runs)
            if not left and are_alike and all(self._has_labels(label.index) for label, *_ in runs):
                return [(label.index, line) for label, *_ in runs for line in self._labels_in(label.index)]
        return []

    def _has_labels(self, column: int) -> bool:
        """Whether a column has words and no amounts: where nothing but white parts two columns it has none."""
        words = (
            letter.isalpha() for row in self.rows[self.header_rows :] for letter in "".join(row[column : column + 1])
        )
        below = self.amounts[self.header_rows + bool(self.merged) :]
        return any(words) and not any(row[column] for row in below if column < len(row))

    def _labels_in(self, column: int) -> Iterator[Line]:
        """The lines that the labels in a column begin."""
        line: Line | None = None
        for index in range(self.header_rows, len(self.rows)):
            label = self._line(index, self.rows[index][column] if column < len(self.rows[index]) else "")
            line = carried(label, line) if line else label
            yield line

    def _cells(self, headings: set[int], sides: set[int]) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
        cells: list[Cell] = []
        labels: list[Cell] = []
        for index, row in enumerate(self.rows):
            is_label_row = index < self.header_rows or index in headings
            for column, text in enumerate(row):
                if is_label_row or column < self.first or column in sides:
                    amounts = self._label_amounts(text)
                    if not column and not is_label_row and self._label(index)[1]:  # the first is that of the code
                        amounts = (
                            tuple(replace(each, unit=Unit.REFERENCE, scale=1) for each in amounts[:1]) + amounts[1:]
                        )
                    labels.append(Cell(index, column, text, amounts))
                elif not index and column in self.merged:
                    cells.append(Cell(index, column, text, _merged_amounts(text, self.merged[column])))
                else:
                    cells.append(Cell(index, column, text, self.amounts[index][column]))
        return tuple(cells), tuple(labels)

    def _marked(self, column: Line, orientation: Orientation) -> Line:
        """A column with the unit of its first amount, where that holds for the unmarked amounts below.

        `$` and `%` often stand only at the head of a column and at its total.
        """
        body = self.amounts[self.header_rows :]
        units = [row[column.index][0].unit for row in body if column.index < len(row) and row[column.index]]
        texts = (row[column.index].strip() for row in self.rows[self.header_rows :] if column.index < len(row))
        if is_marked_dash(next(filter(None, texts), "")):
            units.insert(0, dollar())
        if units and units[0] is None and self._is_money(column.index):
            units[0] = next(unit for unit in units if unit is not None)
        if not units or units[0] is None:
            return column
        if is_currency(units[0]):
            return replace(column, mark=units[0])
        is_whole = orientation is Orientation.INSTANCES_DOWN or units[-1] is Unit.PERCENT
        is_whole = is_whole or (bool(column.name) or not self.money)
        if units[0] is Unit.PERCENT and is_whole and all(unit in (None, Unit.PERCENT) for unit in units):
            return replace(column, mark=units[0])
        return column

    def _is_money(self, column: int) -> bool:
        """Whether a column without a mark at its head has the marks of another further down: its first is left out."""
        body = self.amounts[self.header_rows :]
        own = {at: row[column][0].unit for at, row in enumerate(body) if column < len(row) and row[column]}
        marked = {at for at, unit in own.items() if is_currency(unit)}
        if len({own[at] for at in marked}) != 1 or any(
            own[at] is None and at > min(marked) for at in own if at in marked
        ):
            return False
        first = min(own)
        for other in range(self.first, max(map(len, body), default=0)):
            there = {at: row[other][0].unit for at, row in enumerate(body) if other < len(row) and row[other]}
            signs = {at for at, unit in there.items() if is_currency(unit)}
            if other != column and first in signs and marked <= signs:
                return True
        return False

    def _printed(self, row: Line) -> list[Amount]:
        return [each for cell in self.amounts[row.index] for each in cell]

    def _below(self, column: int) -> Iterator[tuple[Amount, ...]]:
        return (row[column] for row in self.amounts[self.header_rows :] if column < len(row))

    def _rated(self, line: Line, cells: Sequence[tuple[Amount, ...]]) -> Line:
        """A line with whether it is a rate, and in percent where its name and its amounts say so: `Interest rate 4.25`,
        and not `0.0425`."""
        if not self._is_rate(line, cells) or (self._are_risks and line.name.startswith("interest rate")):
            return replace(line, is_rate=False)
        amounts = [amount for cell in cells for amount in cell]
        is_bare = all(each.unit is None for each in amounts) and is_in_percent(line.name)
        has_part = any(each.value != each.value.to_integral_value() for each in amounts)
        is_large = any(abs(each.value) >= 1 for each in amounts)
        return replace(line, is_rate=True, unit=Unit.PERCENT if is_bare and has_part and is_large else line.unit)

    @cached_property
    def _are_risks(self) -> bool:
        """Whether the lines are kinds of risk or contract: `Interest rate` beside `Foreign currency` is no rate."""
        return any(_RISK.match(row[0].strip().lower()) for row in self.rows[self.header_rows :] if row)

    def _in_full_where_too_many(self, line: Line, cells: Sequence[tuple[Amount, ...]]) -> Line:
        """A line of shares in full where one number of them is more than there can be on the scale of the table."""
        counts = self.whole.counts or self.whole.scale
        if line.unit is not Unit.SHARES or line.counts or not counts:
            return line
        most = max((abs(each.value) for cell in cells for each in cell), default=0)
        return replace(line, counts=1) if most * counts > MOST_SHARES else line

    def _is_rate(self, line: Line, cells: Iterable[tuple[Amount, ...]]) -> bool:
        """Whether a line has the name of a rate and amounts that can be one: up to 100, and none of them of money."""
        if line.unit or line.scale or not is_rate(line.name):
            return False
        amounts = [amount for cell in cells for amount in cell]
        return all(abs(each.value) <= _MOST_RATE and not is_currency(each.unit) for each in amounts)

    @cached_property
    def whole(self) -> Whole:
        """What is said of all of the table."""
        body = [cell for row in self.amounts[self.header_rows :] for cell in row]
        labels = [self._label(at)[0] for at in range(self.header_rows, len(self.rows))]
        said = (self.corner, self.title, self.introduction)
        return Around(*said, self._over_columns, labels, body, self.money, self.basis, self.currency).whole

    @cached_property
    def _over_columns(self) -> str:
        """The note of scale that stands over every column, "" for none: it holds for amounts in the labels too."""
        shared = [row[self.first] for row in self.heads if len(set(row[self.first :])) == 1]
        return next((text for text in shared if is_note(text)), "")

    def _scaled_where_excepted(self, row: Line) -> Line:
        """A row in full, or in a scale of its own, where the note that says the scale of the table leaves it out."""
        place = self.whole.scale_from
        introduced = introduced_note(self.introduction)[1] if place == "sentence" else ""
        places = {"column header": self._over_columns, "corner": self.corner, "title": self.title}
        note = places.get(place or "", introduced)
        scale = excepted_scale(row.label, note) if row.scale is None else None
        return replace(row, scale=scale, counts=scale) if scale else row

    def _index_from(self, rows: Sequence[Line], orientation: Orientation) -> str | None:
        """Where it is said that a table is of an index, as of what 100 invested in shares became: it begins with 100
        in each of its lines."""
        place = next(
            (where for where, text in (("title", self.title), ("sentence", self.introduction)) if _RETURN.search(text)),
            None,
        )
        body = [[cell[0].value for cell in self.amounts[row.index][self.first :] if cell] for row in rows]
        body = [line for line in body if line]
        if place is None or not body:
            return None
        first = [line[0] for line in body] if orientation is Orientation.INSTANCES_ACROSS else body[0]
        return place if all(value == _AT_START for value in first) else None

    @cached_property
    def money(self) -> set[str]:
        """The currencies that amounts of the table are marked with."""
        return marked_money(cell for row in self.amounts for cell in row)

    def _orientation(self, rows: Sequence[Line], columns: Sequence[Line]) -> Orientation:
        if sum(column.period is not None for column in columns) * 2 > len(columns):
            return Orientation.INSTANCES_ACROSS
        dated = sum(row.period is not None and not row.name for row in rows)
        if not dated and any(column.period is not None and not column.name for column in columns):
            return Orientation.INSTANCES_ACROSS  # `2016`, `2015`, `change`, `% change`
        if self.dated or (dated and dated * 2 >= len(rows)) or not self.first or self._has_mixed_rows():
            return Orientation.INSTANCES_DOWN
        if len(columns) > 1 and _ITEM_CORNER.match(self.corner.lower()):
            return Orientation.INSTANCES_DOWN
        return Orientation.INSTANCES_ACROSS

    def _has_mixed_rows(self) -> bool:
        """Whether most rows with a mark have unmarked amounts too: each column is a measure of its own."""
        mixed: Counter[bool] = Counter()
        for row in self.amounts[self.header_rows :]:
            units = [found[0].unit for found in row[self.first :] if found]
            if len(units) > 1 and any(is_currency(unit) or unit is Unit.PERCENT for unit in units):
                mixed[len(set(units)) > 1] += 1
        return mixed[True] > mixed[False]


_IN_FULL = later(r"\((?:actual |whole )?dollars\)", re.IGNORECASE)  # `Spending per card (dollars)`, beside millions
_BETWEEN = later(r"[ ,;]*(?:and |& )?")  # two dates of which each is of a column
# A table of a cover page, by what it says of the filer, and how many rows one has; the lines in it that are amounts.
_COVER = later(
    r"employer ?identification|commission ?file ?n|registrant\W?s ?telephone|principal ?executive ?offices?\b",
    re.IGNORECASE,
)
_MOST_OF_COVER, _LONGEST_CAPTION = 30, 120
_AMOUNT_OF_COVER = later(r"\bshares\b|outstanding|market value", re.IGNORECASE)
_MOST_NOTES = 100
_NOTES = later(r"(?:see )?(?:notes?|ref(?:erence)?s?)(?:\(s\))?\.?(?: (?:nos?|refs?|references?|numbers?)\.?)?")
_AT_START = 100
_RETURN = later(
    r"\b(?:(?:total|cumulative|shareholders?|stockholders?|shareowners?|unitholders?)(?: \S+){0,3} returns?"
    r"|(?:stock|share|price)(?: price)? performance|performance graph|\$ ?100 (?:was |were |is )?invest\w+"
    r"|invest\w+ (?:of )?\$ ?100)\b",
    re.IGNORECASE,
)
_RISK = later(r"(?:foreign (?:currency|exchange)|cross[- ]currency|commodity|equity)(?: contracts?)?$")
_MOST_RATE = 100  # a margin beyond it is an amount of money
_ORDER = later(r"first|second|third|fourth|[1-4](?:st|nd|rd|th)")
_COUNTED = later(r"\d,\d{3}\)?$")  # at the end of a label: an amount that it states itself
_YEAR_CORNER = later(r"(?:fiscal )?(?:19|20)[0-9]{2}:?")
_ITEM_CORNER = later(
    r"(?:plan category|period|location|company|name of|reporting unit|project|property|function|vesting date|state\b)"
)


def _merged_amounts(text: str, at: int) -> tuple[Amount, ...]:
    """The amounts of a cell that holds a title and, from position `at`, a value."""
    return tuple(amount for amount in read_amounts(text, True) if amount.start < at or not is_dash(text[at:], True))


def _is_of_filer(row: Sequence[str]) -> bool:
    """Whether a row of a table has a caption of a cover page, and no sentence that refers to one."""
    return any(len(text) < _LONGEST_CAPTION and _COVER.search(text) for text in row)


def _naming(texts: Sequence[str], cells: list[tuple[Amount, ...]]) -> list[tuple[Amount, ...]]:
    """The amounts of a row of a cover page, of which those without a unit name something: an address, a number in the
    files of an office. How many shares there are is an amount."""
    if any(map(_AMOUNT_OF_COVER.search, texts)):
        return cells
    return [tuple(replace(each, unit=each.unit or Unit.REFERENCE) for each in cell) for cell in cells]


def _place(value: Decimal) -> Decimal:
    """What the last decimal of an amount is worth: 0.01 of 1.64, and 0 of a whole number."""
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent) if isinstance(exponent, int) and exponent < 0 else Decimal(0)


def _scaled(row: Line, note: Note) -> Line:
    """A row with the scale that a note above it among the rows says, where it says none of its own."""
    if note.scale is None or row.scale is not None:
        return row
    return replace(row, scale=note.scale, counts=row.counts or note.counts)


def _ends_section(name: str, section: str, members: int) -> bool:
    """Whether a total stands behind its section and not in it: `total assets` behind two kinds of intangible ones."""
    return members > 1 and name not in ("total", "totals") and read_label(section).name not in name
