"""The tables of a document as facts: cells and labels, with what each amount means, when it is from, its tag."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from itertools import pairwise

from tieout.data.document import Document, Remark, Table, Tag
from tieout.data.printed.amount import Amount, is_dash
from tieout.data.printed.label import marks_behind
from tieout.data.printed.languages.language import in_english
from tieout.data.printed.note import Note
from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import LONGEST_LABEL, Period, PeriodKind, find_periods, part_of, read_period
from tieout.data.printed.unit import is_currency
from tieout.data.tables.table import Cell, Layout, Line, Meaning, Orientation, read_table
from tieout.data.tables.table_layout import continued
from tieout.kg.drafts.basis import bases, marked_currency, scale_told
from tieout.kg.drafts.dating import Dating
from tieout.kg.drafts.draft import PERIOD, CellDraft, Draft, TableDraft, nth, of_period, stated, sureness
from tieout.kg.drafts.fiscal_years import ReportCalendar
from tieout.kg.drafts.introduction import CIRCUMSTANCE, GENERIC, SENTENCES, caption_of, title
from tieout.kg.drafts.row_label import When, meaning_in_label, periods_in_label
from tieout.kg.drafts.statements import statement_of
from tieout.kg.drafts.tagged import TAG, Settled, doubt_scales_alone, pair, settle, tagged_period
from tieout.ontology.metrics.line_item import english_name

_SEE_NOTES = later(r"(?:[Ss]ee|SEE|[Tt]he) (?:[Aa]ccompanying|ACCOMPANYING) ")  # at the foot of a statement
_OF_PAGE = later(r"(?:[A-Z] ?[-–]? ?)?[0-9]{1,4}|(?:Table of Contents|TABLE OF CONTENTS)?")
_CONTINUED = later(r"[-–—( ]*\bcontinued\b[-–—.) ]*", re.IGNORECASE)
_REST_OF_LABEL = later(r"[a-z][a-z ,’'()-]{0,59}")  # of the last line of a page, on the next one
_SUBHEADING = later(r"[A-Z](?:(?!follow|below|table)[A-Za-z ,’'()&-]){0,59}:")  # at the top of the next page
_OF_DAY = later(
    r"(?:balances?,? )?(?:at |as of )?(?:the )?(?:beginning|end) of (?:the )?(?:year|period|quarter)"
    r"|(?:beginning|ending|opening|closing) balances?|balances?,? (?:at |as of )?[a-z]+ [0-9]{1,2}(?:, [0-9]{4})?"
)
_TOTAL = later(r"(?:grand )?totals?")
_FEWEST_PARTS = 2  # months behind which a total is of all of them
# What a balance becomes on its own day: `cumulative effect of adopting ASU 2020-06` right below it.
_RESTATES = later(r"\bcumulative[- ]effect\b|\b(?:adopting|adoption of)\b|\bchanges? in accounting (?:principle|polic)")
_PARTS = later(r"(?:less|plus|add|deduct)\b")
_OF_THAT_DAY = later(r"(?:vested|(?:options )?exercisable|expected to vest|unvested|nonvested|available|remaining)\b")
_OF_NIL = ("IncomeStatement", "BalanceSheet", "CashFlow")  # where a dash is an amount of nothing
PARAGRAPHS_BEFORE = 10  # among which it is looked for when a table of an acquisition is from
_BALANCE = later(
    r"(?:total )?(?:stock|share)(?:holders|owners)['’]? equity\b|equity attributable|(?:total )?equity$|balances?\b"
)


def draft_tables(
    document: Document, said: Sequence[str], calendar: ReportCalendar, currency: str = ""
) -> Iterator[TableDraft]:
    """The tables of a document. said: the words in front of each. calendar: the fiscal years of a report. currency:
    that it says it is in, "" for none."""
    is_report = any(table.after is not None for table in document.tables)
    if is_report:
        basis = bases(document, said, currency)
    else:
        basis = [Note(scale=scale_told(table, document.paragraphs)) for table in document.tables]
    marked = marked_currency(document, said) if is_report else None
    last: tuple[Table, TableDraft, Layout] | None = None
    for number, (table, introduction, note) in enumerate(zip(document.tables, said, basis, strict=True), start=1):
        before = _before(document, table) if is_report else ()
        section = document.sections[table.section].title if table.section is not None else ""
        layout = read_table(table, introduction, note, marked, document.coded)
        above = last[1].statement if last and is_report and _goes_on(document, table, last[0]) else None
        if last and is_report and _is_right_below(document, table, last[0]):
            layout = continued(layout, last[2])
        reader = _Reader(number, table, layout, introduction, before, section, calendar if is_report else None)
        draft = reader.table(above)
        yield draft
        last = table, draft, layout


def _is_right_below(document: Document, table: Table, above: Table) -> bool:
    """Whether nothing but the furniture of a page stands between two tables."""
    if table.after is None or above.after is None:
        return False
    lines = [
        document.paragraphs[index].strip()
        for index in range(above.after, table.after)
        if index not in document.furniture
    ]
    is_of_one = bool(table.title) and table.title == above.title
    if lines and (_REST_OF_LABEL.fullmatch(lines[0]) or (is_of_one and _SUBHEADING.fullmatch(lines[0]))):
        del lines[0]
    return all(line == document.company or _OF_PAGE.fullmatch(line) or _SEE_NOTES.match(line) for line in lines)


def _goes_on(document: Document, table: Table, above: Table) -> bool:
    """Whether a table is of the statement above it, under the same title, which its page may have again."""
    if not table.title or table.title != above.title or table.after is None or above.after is None:
        return False
    between = [document.paragraphs[at] for at in range(above.after, table.after) if at not in document.furniture]
    lines = [_CONTINUED.sub("", line).strip() for line in between]
    return all(line in ("", table.title, document.company) or _OF_PAGE.fullmatch(line) for line in lines)


def _before(document: Document, table: Table) -> Sequence[str]:
    """The last paragraphs of the section of a table in front of it."""
    if table.after is None:
        return ()
    first = document.sections[table.section].paragraph if table.section is not None else 0
    return document.paragraphs[max(first, table.after - PARAGRAPHS_BEFORE) : table.after]


def _is_of_last_day(row: Line, last: Period) -> bool:
    """Whether a row behind the last balance is of its day."""
    return last.kind is PeriodKind.DATE and bool(_OF_THAT_DAY.match(row.name))


def _following(periods: Sequence[Period | None]) -> Period | None:
    """All of the last periods that follow on each other, None where they are fewer than two."""
    first = last = periods[-1] if periods else None
    count = 0
    for period in reversed(periods):
        if not period or not period.start or not period.end or not first or not first.start:
            break
        if count and period.end + timedelta(days=1) != first.start:
            break
        first, count = period, count + 1
    if count < _FEWEST_PARTS or not (first and first.start and last and last.end):
        return None
    return tagged_period(first.start, last.end)


def _year_of(closing: Period) -> Period:
    """The year that ends on a day: a calendar year on the last of december, else a fiscal year."""
    year, day = closing.year or 0, closing.end
    if day and (day.month, day.day) == (12, 31):
        return Period(str(year), PeriodKind.YEAR, str(year), year, day.replace(month=1, day=1), day)
    return Period(f"FY{year}", PeriodKind.FISCAL_YEAR, f"fiscal {year}", year)


def _is_money(cell: CellDraft) -> bool:
    """Whether what a cell of a statement prints is money, or says no unit."""
    return all(fact.meaning.unit is None or is_currency(fact.meaning.unit) for fact in cell.facts)


class _Reader:
    """Reads one table."""

    def __init__(
        self,
        number: int,
        table: Table,
        layout: Layout,
        introduction: str,
        before: Sequence[str],
        section: str,
        calendar: ReportCalendar | None,
    ) -> None:
        self.number, self.introduction = number, introduction
        self.layout = layout
        is_introduced = table.after is None and not table.title
        self.caption = title(introduction) if is_introduced else caption_of(table, introduction, section)
        self.dating = Dating(self.layout, introduction, before, calendar, self.caption) if calendar else None
        if self.dating:
            self.layout = self.dating.layout
        self.repeated = frozenset(table.repeated)
        self.title = table.title
        self.tags: dict[tuple[int, int], list[Tag]] = {}
        for each in table.tags:
            self.tags.setdefault((each.row, each.column), []).append(each.tag)
        self.remarks: dict[tuple[int, int], list[Remark]] = {}
        for said in table.remarks:
            self.remarks.setdefault((said.row, said.column), []).append(said.remark)
        self.across = self.layout.orientation is Orientation.INSTANCES_ACROSS
        self.whole = self._whole_period(introduction) if self.dating is None else self._corner_period()
        self.closing = self._around() | self._closing()
        self.parted = self._parted()
        self.moved = self._moved()
        self.instances = self._instances()

    def table(self, above: str | None) -> TableDraft:
        """above: the class of the statement that it goes on with, None where it goes on with none."""
        cells = [
            self._cell(cell, self.layout.row(cell.row, cell.column), self._column(cell)) for cell in self.layout.cells
        ]
        cells += [self._label(cell) for cell in self.layout.labels]
        cells.sort(key=lambda cell: (cell.row, cell.column))
        if self.tags:
            drafts = [(draft, cell.row) for cell in cells for draft in cell.facts]
            doubt_scales_alone([draft for draft, _ in drafts], [row for _, row in drafts])
        draft = TableDraft(self.number, self.layout, self.caption, cells, self.introduction)
        draft.statement = statement_of(draft, self.title, above) if self.dating else None
        if draft.statement in _OF_NIL and not self.tags:
            self._add_nothing(draft)
        return draft

    def _add_nothing(self, draft: TableDraft) -> None:
        """Adds what a dash beside the amounts of a line states: nothing of it in the time of its column."""
        at = {(cell.row, cell.column): cell for cell in self.layout.cells}
        beside = {cell.row for cell in draft.cells if cell.facts and (cell.row, cell.column) in at and _is_money(cell)}
        for place, cell in enumerate(draft.cells):
            printed = at.get((cell.row, cell.column))
            if cell.row in beside and printed is not None and not printed.amounts and is_dash(printed.text):
                nothing = replace(printed, amounts=(Amount(Decimal(0), 0, len(printed.text)),))
                filled = self._cell(nothing, self.layout.row(cell.row, cell.column), self._column(printed))
                if _is_money(filled) and all(fact.period for fact in filled.facts):
                    draft.cells[place] = filled

    def _column(self, cell: Cell) -> Line:
        return self.layout.column(cell.column)

    def _whole_period(self, introduction: str) -> tuple[Period, str] | None:
        """The period of all of the table: that of its corner, or the only one of the sentence before it.

        Only where no line of the table has one: beside `2008` and `2007` a column `change` is of neither.
        """
        if any(line.period for line in (self.layout.columns if self.across else self.layout.rows)):
            return None
        if period := read_period(self.layout.corner):
            return period, "corner"
        sentence = SENTENCES.split(introduction)[-1]
        said = {period.key: period for period, _, _ in find_periods(sentence) if period.year is not None}
        return (next(iter(said.values())), "introduction") if len(said) == 1 else None

    def _corner_period(self) -> tuple[Period, str] | None:
        """The period of all of a report's table that its corner says."""
        period = read_period(self.layout.corner) if self.layout.corner else None
        return (period, "corner") if period and period.end else None

    def _instances(self) -> dict[int, tuple[str, str]]:
        """For every line that is an instance, by its identity, what tells it apart and how to call it.

        A line that repeats another one of its table is an instance of its own.
        """
        seen: dict[tuple[str, str], int] = {}
        found = {}
        lines = self.layout.columns if self.across else (*self.layout.rows, *(line for _, line in self.layout.side))
        for line in lines:
            plain = line.period is not None and not line.name
            key = (line.section if not self.across else "", line.period.key if plain and line.period else line.label)
            seen[key] = count = seen.get(key, 0) + 1
            if plain:
                found[id(line)] = of_period(key[1], key[0], count)
            else:
                name = key[1] or f"{'column' if self.across else 'row'} {line.index}"
                found[id(line)] = (f"table {self.number} {name} {key[0]} {count if key[1] else line.index}", name)
        return found

    def _closing(self) -> dict[int, tuple[Period, str]]:
        """For the rows of a roll-forward, the year that ends with the next balance: `granted` before `outstanding
        at may 31 2009`."""
        dated = [row for row in self._on_days() if row.period and row.period.kind is PeriodKind.DATE]
        if any(column.period for column in self.layout.columns):
            return {}
        if self.dating and dated and all(row.is_total for row in dated) and dated[0].index != self.layout.rows[0].index:
            return self._above(dated)
        if len(dated) < 2:
            return {}
        if self.dating:
            return self._between(dated)
        found = {}
        closing: Period | None = None
        for row in reversed(self.layout.rows):
            if row.index < dated[0].index:
                break
            if row.period:
                closing = row.period if row.period.kind is PeriodKind.DATE else None
            elif closing and closing.year:
                found[row.index] = (_year_of(closing), "next balance")
        return found

    def _around(self) -> dict[int, tuple[Period, str]]:
        """For rows that say no period what the dated rows around them do: those between two that end on one day are of
        the first of them, a total behind months that follow on each other is of all of them, and what is `exercisable`
        or `expected to vest` behind the last balance is of its day."""
        rows = self.layout.rows
        dated = [at for at, row in enumerate(rows) if row.period and row.period.end]
        if not self.dating or not dated or any(column.period for column in self.layout.columns):
            return {}
        found: dict[int, tuple[Period, str]] = {}
        for at, row in enumerate(rows):
            above = next((rows[each].period for each in reversed(dated) if each < at), None)
            below = next((rows[each].period for each in dated if each > at), None)
            if row.period or above is None:
                continue
            if _TOTAL.fullmatch(row.name) and (whole := _following([each.period for each in rows[:at]])):
                found[row.index] = (whole, "rows around")
            elif below.end == above.end if below else _is_of_last_day(row, above):
                found[row.index] = (above, "rows around")
        return found

    def _on_days(self) -> list[Line]:
        """The rows, those of a year that are its balance of that day: `outstanding at the end of 2024`."""
        return [
            replace(row, period=self.dating.of_row(row.label, row.period, "row label"))
            if self.dating and row.period and row.period.kind is not PeriodKind.DATE
            else row
            for row in self.layout.rows
        ]

    def _above(self, totals: list[Line]) -> dict[int, tuple[Period, str]]:
        """For the rows above a total of a day, behind the last such one, that day: `total at December 31, 2025`."""
        return {
            row.index: (total.period, "next total")
            for total in reversed(totals)
            for row in self.layout.rows
            if row.index < total.index and self._is_undated(row) and total.period
        }

    def _is_undated(self, row: Line) -> bool:
        """Whether the label of a row says no period, though its sub-heading may."""
        return row.period is None or (bool(row.section) and read_period(row.label) is None)

    def _between(self, dated: list[Line]) -> dict[int, tuple[Period, str]]:
        """For the rows between two balances the time from the day after the one to the other.

        A balance that says no day, as in the statements of equity that EDGAR renders, ends what came before it.
        """
        found: dict[int, tuple[Period, str]] = {}
        undated = [row.index for row in self.layout.rows if row.period is None and _BALANCE.match(row.name)]
        for closing in dated[1:]:
            last = closing.period.end if closing.period else None
            earlier = [
                (line.period.end, line.index)
                for line in dated
                if line.index < closing.index and line.period and line.period.end and last and line.period.end < last
            ]
            if not earlier or last is None:
                continue
            day, opening = earlier[-1]
            after = max([opening, *(index for index in undated if index < closing.index)])
            period = tagged_period(day + timedelta(days=1), last)
            opened = self.layout.row(opening)
            for row in self.layout.rows:
                if not after < row.index < closing.index or not self._is_undated(row):
                    continue
                if opened and opened.period and row.index == opened.index + 1 and _RESTATES.search(row.name):
                    found.setdefault(row.index, (opened.period, "balance above"))
                    opened = replace(row, period=opened.period)  # another adoption may follow
                found.setdefault(row.index, (period, "next balance"))
            for heading in self.layout.headings:  # `Dividends ($1.52 per share):`
                if after < heading < closing.index:
                    found.setdefault(heading, (period, "next balance"))
        return found

    def _parted(self) -> dict[int, str]:
        """For what parts a balance from its net one the label of that: `less recoverables` between `balance as of
        January 1` and `net balance as of January 1`."""
        if not self.dating:
            return {}
        rows = self.layout.rows
        sides = [self.dating.side(row.label) for row in rows]
        return {
            rows[at].index: rows[at - 1].label
            for at in range(1, len(rows) - 1)
            if not sides[at] and sides[at - 1] and sides[at - 1] == sides[at + 1] and _PARTS.match(rows[at].name)
        }

    def _moved(self) -> dict[int, tuple[Period, str]]:
        """For the columns between two balances the time from the day after the one to the other: `acquisitions` between
        `balance at December 31, 2023` and that of 2024."""
        columns = self.layout.columns
        dated = [at for at, each in enumerate(columns) if each.period and each.period.kind is PeriodKind.DATE]
        found: dict[int, tuple[Period, str]] = {}
        for opening, closing in pairwise(dated if self.dating else ()):
            first, last = (columns[at].period for at in (opening, closing))
            names = [columns[at].name for at in (opening, closing)]
            if (
                first
                and last
                and first.end
                and last.end
                and first.end < last.end
                and all(not name or _BALANCE.match(name) for name in names)
            ):
                period = tagged_period(first.end + timedelta(days=1), last.end)
                between = columns[opening + 1 : closing]
                found |= {each.index: (period, "next balance") for each in between if not each.period}
        return found

    def _period(self, cell: Cell, row: Line | None) -> tuple[Period | None, str | None]:
        """The period of a cell, and where it is stated."""
        if self.dating and self.dating.as_of:
            return self.dating.as_of
        period, place = self.layout.period(cell)
        if self.dating and place == "row label" and (now := self.dating.of_maturities()):
            dated = self._column(cell).period
            return (dated, "column header") if dated and dated.end else now
        is_section = place == "row label" and row is not None and self._is_undated(row)
        if is_section and row and row.index in self.closing:
            return self.closing[row.index]
        if period:
            if self.dating:
                period = self.dating.placed(period, row, self._column(cell))
            if self.dating and row:
                period = self._on_day_of_section(row, period, place)
                said = self.parted.get(row.index, row.label)
                dated, period = period, self.dating.of_row(said, period, place)
                if period is dated and (place == "row label" or self._column(cell).name):
                    period = self.dating.of_row(self._column(cell).label, period, place)
            return period, "section" if is_section else place
        found = (self.closing.get(row.index) if row else None) or self.moved.get(cell.column) or self.whole
        is_column = self.across or (self.dating and self.dating.is_beside_days)
        line = self._column(cell) if is_column else row
        if not found and self.dating and (told := self.dating.default(line.label if line else "")):
            return self.dating.of_row((row if row and not self.across else self._column(cell)).label, *told), told[1]
        return found or (None, None)

    def _on_day_of_section(self, row: Line, period: Period, place: str | None) -> Period:
        """The day of a balance that the sub-heading right over a row says, `Beginning of Year`, `Balance at March 31`,
        in the period of its column; the same period under any other sub-heading."""
        section = in_english(row.section).strip(" :")
        is_first = row.index - 1 in self.layout.headings
        if not self.dating or not is_first or not _OF_DAY.fullmatch(section.lower()):
            return period
        said = read_period(section)
        if said and said.kind is PeriodKind.DATE and said.year is None:
            period = part_of(said, period)
        return self.dating.of_row(section, period, place)

    def _labels(self, row: Line | None, column: Line) -> tuple[str, str]:
        """What a cell measures, as printed, and the core of it that is matched with the ontology.

        That is the label of its row, or its column header where properties run across. Where this is but `amount`,
        it is the label
        of a row that names something, and else what the table is about.
        """
        line = row if self.across else column
        label, core = (line.label, english_name(line.label) or line.name or line.label) if line else ("", "")
        if not GENERIC.fullmatch(core) or (label and self.across and len(self.layout.columns) > 1):
            return label, core
        if row and row.name and not GENERIC.fullmatch(row.name):
            return row.label, row.name
        if self.caption:
            return self.caption, CIRCUMSTANCE.split(self.caption, maxsplit=1)[0]
        found = label or column.label or (row.section or row.label if row else "") or self.layout.corner
        return found, found

    def _cell(self, cell: Cell, row: Line | None, column: Line) -> CellDraft:
        label, core = self._labels(row, column)
        if self.dating and self.dating.as_of and not self.across and row and row.period and not row.name:
            label = f"{label}, {row.label}"  # as of one day: in which year it is due, the row alone says
        row_label, section = (row.label, row.section) if row else ("", "")
        facts = self._facts(
            cell,
            lambda amount: self.layout.meaning(cell, amount),
            self._period(cell, row),
            self.instances.get(id(column if self.across else row), ("line", "row")),
            (label, core, column.label if self.across else "", section),
            (*(row.marks if row else ()), *column.marks),
        )
        return self._draft(cell, row_label, column.label, section, facts)

    def _label(self, cell: Cell) -> CellDraft:
        """A header, a row label or a sub-heading: the amounts printed in it are facts about its line."""
        row = self.layout.row(cell.row)
        is_header = not self.layout.is_label(cell)
        column = self.layout.column(cell.column).label if is_header else ""
        line = self.layout.column(cell.column) if is_header else row
        period = line.period if line else None
        said = cell.text[:LONGEST_LABEL]
        instance = self.instances.get(id(line)) if is_header == self.across else None
        stated_in = (period, ("column header" if is_header else "row label") if period else None)
        facts = self._facts(
            cell,
            lambda amount: meaning_in_label(cell, amount, self.layout) if self.dating else stated(amount, "cell"),
            self._when(cell) if self.dating and not is_header else stated_in,
            instance or (f"line {self.number} r{cell.row}c{cell.column}", said),
            (said, said, "", ""),
        )
        return self._draft(cell, row.label if row else said, column, row.section if row else "", facts)

    def _when(self, cell: Cell) -> Callable[[Amount], Sequence[When]]:
        """When the amounts in a row label are from."""
        closing, row = self.closing.get(cell.row), self.layout.row(cell.row)
        found = periods_in_label(
            cell, self.layout, lambda: closing or (self.dating.default() if self.dating else None) or (None, None)
        )
        if row is None or not row.section:
            return found
        return lambda amount: [
            (self._on_day_of_section(row, period, place) if period else None, place) for period, place in found(amount)
        ]

    def _name(self, cell: Cell) -> str:
        return f"t{self.number}r{cell.row}c{cell.column}"

    def _facts(
        self,
        cell: Cell,
        meaning: Callable[[Amount], Meaning],
        period: When | Callable[[Amount], Sequence[When]],
        instance: tuple[str, str],
        labels: tuple[str, str, str, str],
        marks: tuple[str, ...] = (),
    ) -> list[Draft]:
        """The amounts of a cell as facts. period: of all, or those of each. labels: the label, its core, the header
        and the section. marks: the footnote marks of its labels."""
        at = (cell.row, cell.column)
        if at in self.repeated:
            return []
        name = self._name(cell)
        tags = self.tags.get(at)
        paired = pair(cell.amounts, tags, cell.text) if tags else [(amount, None) for amount in cell.amounts]
        whens = [period(amount) if callable(period) else (period,) for amount, _ in paired]
        dated = [(amount, when[0], tag) for (amount, tag), when in zip(paired, whens, strict=True)]
        if not tags:
            dated += [(amount, when, None) for (amount, _), of in zip(paired, whens, strict=True) for when in of[1:]]
        facts = []
        for index, (amount, when, tag) in enumerate(dated):
            settled = settle(amount, meaning(amount), when, tag)
            doubts, recognised = sureness(amount, settled.meaning.unit, self.remarks.get(at, ()), settled.doubt)
            facts.append(
                Draft(
                    nth(name, index),
                    f"cell-{name}",
                    amount,
                    cell.text[amount.start : amount.end],
                    settled.meaning,
                    settled.period,
                    settled.period_from,
                    self._dated(instance, settled),
                    *labels,
                    tag,
                    settled.reading,
                    marks=(*marks, *(marks_behind(cell.text, amount.end) if self.dating else ())),
                    doubts=doubts,
                    recognised=recognised,
                )
            )
        return facts

    def _dated(self, instance: tuple[str, str], settled: Settled) -> tuple[str, str]:
        """The instance of a line that is a period is that of the period by its tag."""
        if settled.tag and settled.period_from == TAG and settled.period and instance[0].startswith(PERIOD):
            return of_period(settled.period.key, instance[0].rsplit("|", 2)[1])
        return instance

    def _draft(self, cell: Cell, row: str, column: str, section: str, facts: list[Draft]) -> CellDraft:
        return CellDraft(f"cell-{self._name(cell)}", cell.row, cell.column, cell.text, row, column, section, facts)
