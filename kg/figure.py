"""What a figure is of: its report and table, its year and day, and what is said around it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.period import PeriodKind
from tieout.data.printed.periods.spans import span_of
from tieout.data.printed.unit import Unit
from tieout.data.printed.wording import MONTHS, is_balance_sheet
from tieout.kg.fact import Fact, FactKind
from tieout.ontology.asked.words import stem
from tieout.ontology.labels.label import normalise, with_country
from tieout.ontology.metrics.line_item import find_line_item
from tieout.ontology.metrics.qualifier import qualifiers_of

PER_SHARE = later(r"\b(?:per (?:\w+ ){0,2}?share|eps)\b", re.IGNORECASE)
_INSIDE = later(r",?\s*\(?\b(?:net of|less|including)\b\D*\d.*$", re.IGNORECASE | re.DOTALL)
# As reports print a margin: `Operating profit as a percentage of net sales`, `EBIT / Sales %`.
_MARGIN = later(
    r"(?:\bas an? |\bin )?(?:\b(?:percentage|percent)|%) of (?:total |net |our |segment )*(?:sales|revenues?)\b"
    r"|/ ?(?:net )?(?:sales|revenues?) ?\(?%\)?",
    re.IGNORECASE,
)
WHOLE_YEAR, DAYS = range(350, 381), 365.25  # of a year
YEAR_DIGITS, MOST_YEARS_AHEAD = 4, 30
BALANCE = later(
    r"\b(?:balance|beginning|ending|end of|opening|closing|outstanding at)\b|\b(?:"
    + "|".join(name for name in MONTHS if len(name) > 4 or name in ("june", "july", "may"))
    + r")\.? \d{1,2}\b"
)
_DAY = rf"(?:{'|'.join(name for name in MONTHS if len(name) > 2)})\.?"
_BEGINS = later(  # of a balance with which the year over its column begins
    rf"\b(?:beginning|opening|start of)\b|(?:^|\bbalances?,? (?:at |as of |on )?){_DAY} \d{{1,2}}\b"
    rf"|\b(?:at {_DAY} 1\b|{_DAY} 1$)",
    re.IGNORECASE,
)
_AT_TIME = later(r"\b(?:end|beginning|start|close) of\b")
_DATE, _TABLE = PeriodKind.DATE, FactKind.TABLE  # Python 3.11 takes long to look up a member of an Enum
_YEARS = (PeriodKind.YEAR, PeriodKind.FISCAL_YEAR)
_LENGTHS = (*_YEARS, PeriodKind.QUARTER, PeriodKind.MONTH)
_YEAR_DUE = later(
    r"^(?:(?:fiscal|payments?|due|by|in|years?|end(?:ed|ing)|[a-z]+ \d{1,2},) )+(?=\d{4}$)", re.IGNORECASE
)
TELLING = 3  # digits of an amount that is not the same as another by chance, or by rounding
MOST_SHOWN = 80  # characters of a label
# Words with which a measure is another one: earnings are not adjusted ones under a heading `Adjusted earnings`.
OTHER_MEASURE = frozenset(
    "adjusted underlying core normalized normalised comparable organic forma pro recurring".split()
)
NEAR_DAYS = 10  # between the last Saturday of a month and its end, of fiscal quarters of thirteen weeks


class Found(list[Fact]):
    """Figures of a report or of a time, and where among them those of a label are, those that say the same of their
    line, and each by its name."""

    def of_year(self, year: int) -> Found:
        """Those of a fiscal year, as `year_of` tells it."""
        return self._by_year.get(year) or Found()

    @cached_property
    def _by_year(self) -> Mapping[int | None, Found]:
        found: dict[int | None, Found] = defaultdict(Found)
        for fact in self:
            found[year_of(fact)].append(fact)
        return found

    @cached_property
    def are_of_days(self) -> Sequence[bool | None]:
        """Of each whether it is of a day, as `is_instant` tells it."""
        return [is_instant(fact) for fact in self]

    @cached_property
    def by_label(self) -> Mapping[str, Sequence[int]]:
        return self._places(attrgetter("label"))

    @cached_property
    def by_line(self) -> Mapping[tuple[str, str, str | None], Sequence[int]]:
        return self._places(attrgetter("label", "section", "unit"))

    @cached_property
    def by_name(self) -> Mapping[str, Sequence[int]]:
        return self._places(attrgetter("name"))

    def of_same_time(self, fact: Fact) -> Found:
        """Those of the period of another figure, as `is_of_same_time` tells it."""
        return self._by_time.get(_time_of(fact)) or Found()

    @cached_property
    def _by_time(self) -> Mapping[object, Found]:
        found: dict[object, Found] = defaultdict(Found)
        for fact in self:
            found[_time_of(fact)].append(fact)
        return found

    @cached_property
    def by_heading(self) -> Mapping[str, Sequence[Fact]]:
        """Those whose line or column is called so, a year by itself: `Payments due in 2025`, `Thereafter`."""
        called = {text: _YEAR_DUE.sub("", text.strip()) for fact in self for text in (fact.label, fact.header)}
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self:
            for said in {called[fact.label], called[fact.header]}:
                found[said].append(fact)
        return found

    def _places(self, key: Callable[[Fact], Any]) -> Mapping[Any, Sequence[int]]:
        found: dict[Any, list[int]] = defaultdict(list)
        for at, said in enumerate(map(key, self)):
            found[said].append(at)
        return found


def amount_of(fact: Fact) -> Decimal:
    """The amount in full units, without its sign."""
    return (fact.value * fact.scale).copy_abs()


def rounds_to(fact: Fact, other: Fact) -> bool:
    """Whether an amount is another one with more digits."""
    last = Decimal(other.scale).scaleb(int(other.value.as_tuple().exponent))
    return fact.unit == other.unit and abs(amount_of(fact) - amount_of(other)) <= last / 2


def is_one(one: Fact, other: Fact) -> bool:
    """Whether two figures are the same one, or the same amount of one day or year in two tables."""
    is_told = table_of(one) != table_of(other) and sum(map(str.isdigit, one.raw)) >= TELLING
    is_same = amount_of(one) == amount_of(other) and year_of(one) == year_of(other)
    return one.name == other.name or (is_told and is_same)


def report_of(fact: Fact) -> str:
    """The alias of the report that a figure of a view is in."""
    return fact.name.rpartition(":")[0]


def table_of(fact: Fact) -> tuple[str, int]:
    """The table that a figure stands in: report and number."""
    return fact.name.rpartition(":")[0], fact.table or 0  # on a hot path: no further call


def column_of(fact: Fact) -> tuple[str, int, int]:
    """The column that a figure stands in: report, table and number, 0 for none."""
    return *table_of(fact), fact.column or 0


def is_in_label(fact: Fact) -> bool:
    """Whether a figure of a table stands in no column, but inside the label of a line."""
    return fact.kind is _TABLE and not fact.column


def row_of(fact: Fact) -> int:
    """The row that a figure stands in, 0 for none."""
    return fact.row or 0


def row_in_table(fact: Fact) -> tuple[int, int]:
    """The table and the row of a figure, as a place of its own for what has none."""
    return fact.table or 0, fact.row if fact.row is not None else -1


def sort_of(fact: Fact) -> tuple[str | None, int, PeriodKind | None]:
    """What figures of a row have in common that can be held against each other: unit, scale and kind of period."""
    kind = None if fact.period is None else fact.period.kind
    return fact.unit, fact.scale, PeriodKind.FISCAL_YEAR if kind is PeriodKind.YEAR else kind


def end_of(fact: Fact) -> date:
    """The last day of the period of a figure; the first of all days where that is not known."""
    return (fact.period and fact.period.end) or date.min


def year_of(fact: Fact) -> int | None:
    """The fiscal year that a figure is of: that which its period says, else that in which it ends; of what falls due
    after the day of the table the year over its column, which is not that of the balance with which it begins."""
    period = fact.period
    if period is None:
        return None
    if period.kind is _DATE and period.end and fact.header.isdecimal() and len(fact.header) == YEAR_DIGITS:
        due = int(fact.header)
        if period.end.year < due <= period.end.year + MOST_YEARS_AHEAD and not _BEGINS.search(fact.label):
            return due
    return period.year if period.year is not None else period.end.year if period.end else None


@lru_cache(maxsize=20_000)
def without_inside(label: str) -> str:
    """A label without the amounts inside it and what they are of: `Receivables, net of allowance of $12 and $10`."""
    return _INSIDE.sub("", label) or label


def names_a_part(fact: Fact) -> bool:
    """Whether the sub-heading of a figure names something else than a part of its statement, or its year."""
    return not fact.section.rstrip().endswith(":") and not fact.section.strip().isdecimal()


def is_instant(fact: Fact) -> bool | None:
    """Whether a figure is of a day; None where its period does not say."""
    period = fact.period
    if period is None:
        return None
    kind = period.kind
    if kind is _DATE or (kind in _YEARS and is_balance_sheet(fact.caption)):
        return True  # `2023 | 2022`: the days on which they end
    return period.start == period.end if kind in _LENGTHS and period.start is not None else None


def is_at_time(fact: Fact) -> bool:
    """Whether a line says itself that it is a balance: `Cash at end of year`, in a statement of cash flows."""
    return _AT_TIME.search(f"{fact.label} {fact.section}".lower()) is not None


def days_of(fact: Fact) -> int | None:
    """How many days the flow of a figure is of; None where that is not known, and for a balance."""
    period = fact.period if fact.unit != Unit.PERCENT else None
    if period is None or period.start is None or period.end is None or period.kind is PeriodKind.DATE:
        return None
    length = (period.end - period.start).days
    return length if length > 1 else None


def is_near(fact: Fact, day: date) -> bool:
    """Whether a figure of a day, or a count at the end of a time, may be that of a day that is named with its year; one
    of no day may always."""
    is_of_day = is_instant(fact) or fact.unit == Unit.COUNT
    if not is_of_day or fact.period is None or fact.period.end is None or fact.period.end.year != day.year:
        return True
    return abs(fact.period.end.toordinal() - day.toordinal()) <= NEAR_DAYS


def is_anniversary(one: date, other: date) -> bool:
    """Whether two days are whole years apart, within a few days: years of 52 weeks end on a weekday."""
    apart = abs((one - other).days) % DAYS
    return min(apart, DAYS - apart) <= NEAR_DAYS


def is_of_same_time(fact: Fact, other: Fact) -> bool:
    """Whether two figures are of one period, from its first day to its last where these are known."""
    return _time_of(fact) == _time_of(other)


def _time_of(fact: Fact) -> object:
    period = fact.period
    return period and ((period.start, period.end) if period.end else period.key)


def is_of_odd_length(fact: Fact) -> bool:
    """Whether a figure is of neither a day nor a year."""
    period = fact.period
    if period is None or period.start is None or period.end is None or period.start == period.end:
        return False
    return (period.end - period.start).days not in WHOLE_YEAR


def of_whole_years(facts: Sequence[Fact]) -> Sequence[Fact]:
    """Those that are of a whole year, or of a day or no time, where any is of a year; else all."""
    kept = [fact for fact in facts if not is_of_odd_length(fact)]
    spans = (fact.period for fact in kept if fact.period is not None)
    return kept if any(span.start is not None and span.start != span.end for span in spans) else facts


def is_of_part_of_year(fact: Fact, span: tuple[date, date], year: int | None, by_days: bool) -> bool:
    """Whether a figure is of a part of a year, given by its days in some year, or of the day on which that ends.

    year: of the figure that is wanted, which may be the one before. by_days: quarters are told by their days; else by
    their number, which the report's own fiscal year gives them.
    """
    period = fact.period
    if period is None or period.end is None:
        return False
    if not by_days and period.kind is PeriodKind.QUARTER and period.key[-2] == "Q":
        return period.key.endswith(f"Q{(span[1].month + 2) // 3}")
    days = span_of(period)  # whose first day may not be printed: three months that ended on a weekday
    start = period.start if days is None else days.start
    if start is None:
        return False
    later = 0 if year is None else year - span[1].year
    first, last = (day.toordinal() + round(365.25 * later) for day in span)
    ends = abs(period.end.toordinal() - last) <= NEAR_DAYS
    is_of_day = start == period.end or (fact.unit == Unit.COUNT and first == last)  # a count is of the end of a time
    return ends and (is_of_day or abs(start.toordinal() - first) <= NEAR_DAYS)


def called_margin(label: str) -> str:
    """A label with a margin called so: `EBIT as a percentage of net sales`, `EBIT / Sales %`."""
    return _MARGIN.sub(" margin", label)


def figure(fact: Fact) -> str:
    """A figure by its label and what it stands under: `Net sales (2024) [t1r1c1]`."""
    where = fact.header or (fact.period.label if fact.period is not None else "")
    return f"{fact.label[:MOST_SHOWN]}{f' ({where[:MOST_SHOWN]})' if where else ''} [{fact.name}]"


def printed_at(fact: Fact) -> str:
    """Where a fact is printed, in words: `page 34` or `Assumptions!C5` where the file has such places, and the row and
    column of its table, counted from 0 with the headers, as in its name; of what has no page the filing and concept."""
    if fact.kind is FactKind.STATED:
        return ", ".join(part for part in (f"filing {fact.place}" if fact.place else "", fact.concept) if part)
    if fact.kind is FactKind.TEXT:
        at = f"sentence {fact.sentence}"
    else:
        at = f"table {fact.table}, row {fact.row}, column {fact.column}"
    if fact.recognised is not None:
        at += f", recognised on a picture, {fact.recognised:.0%} sure"
    return f"{fact.place}, {at}" if fact.place else at


def measured_by(fact: Fact) -> str:
    """What a fact measures, in words: its label, and the other axis of the table where that is not its period."""
    is_period = fact.period is not None and fact.header in (fact.period.label, "")
    return ", ".join(dict.fromkeys(part for part in (fact.label, "" if is_period else fact.header) if part))


def row_roles(facts: Sequence[Fact]) -> dict[tuple[int, int], str]:
    """The part of each row in a table that leads from an opening to a closing balance: opening, closing, movement.

    Tables that do not are left out: those without two rows of a balance or date around rows of neither.
    """
    tables: dict[int, dict[int, str]] = {}
    for fact in facts:
        if fact.table is not None and fact.row is not None:
            tables.setdefault(fact.table, {})[fact.row] = fact.label
    roles: dict[tuple[int, int], str] = {}
    for table, rows in tables.items():
        balances = [row for row, label in sorted(rows.items()) if BALANCE.search(label.lower())]
        moved = [row for row in rows if balances and balances[0] < row < balances[-1] and row not in balances]
        if moved:
            roles |= {(table, row): "movement" for row in rows}
            roles |= {(table, row): "balance" for row in balances}
            roles[table, balances[0]], roles[table, balances[-1]] = "opening", "closing"
    return roles


def newest_in_rows(facts: Sequence[Fact]) -> dict[tuple[int, int], int]:
    """The latest year of the figures of each row, by its table and number."""
    newest: dict[tuple[int, int], int] = {}
    for fact in facts:
        year = fact.period.year if fact.period is not None and fact.table is not None else None
        if year is not None and fact.row is not None and year > newest.get((fact.table or 0, fact.row), 0):
            newest[fact.table or 0, fact.row] = year
    return newest


def labels_are_rows(facts: Sequence[Fact]) -> bool:
    """Whether the label of the facts of a table is that of their row: it is the same along most rows."""
    rows: defaultdict[int, set[str]] = defaultdict(set)
    columns: defaultdict[int, set[str]] = defaultdict(set)
    for fact in facts:
        rows[fact.row or 0].add(fact.label)
        columns[fact.column or 0].add(fact.label)
    mixed_rows = sum(len(labels) > 1 for labels in rows.values()) / len(rows)
    mixed_columns = sum(len(labels) > 1 for labels in columns.values()) / len(columns)
    return mixed_rows <= mixed_columns


@lru_cache(maxsize=20_000)
def words_of(text: str) -> frozenset[str]:
    """The plain words of a label or a question."""
    return frozenset(normalise(with_country(text)).split())


def not_among(words: frozenset[str], others: frozenset[str]) -> frozenset[str]:
    """Words that others do not have in any form: `occupy` is among what is `occupied`."""
    if not (left := words - others):
        return left
    known = _roots(others)
    return frozenset(word for word in left if _root(word) not in known)


@lru_cache(maxsize=4096)
def _roots(words: frozenset[str]) -> frozenset[str]:
    """The roots of the words of a line, which are held against those of many names."""
    return frozenset(map(_root, words))


@lru_cache(maxsize=20_000)
def _root(word: str) -> str:
    root = stem(word)
    return f"{root[:-1]}i" if root.endswith("y") else root


def words_of_label(fact: Fact, wanted: frozenset[str]) -> frozenset[str]:
    """The plain words of the label of a figure, a margin called so where words that are wanted do."""
    label = without_inside(fact.label)
    return words_of(called_margin(label) if "margin" in wanted and fact.unit == Unit.PERCENT else label)


def is_per_share(fact: Fact) -> bool:
    """Whether a figure is of one share, by its unit or as it is called."""
    return str(fact.unit or "").endswith("/share") or PER_SHARE.search(fact.label) is not None


def qualifiers_around(fact: Fact) -> frozenset[str]:
    """What the text around a figure says that makes another measure of it."""
    return qualifiers_of(text_around(fact))


def text_around(fact: Fact) -> str:
    """All that says what a figure is about, as printed."""
    said = (fact.label, fact.section, fact.header, fact.caption, fact.heading, fact.context)
    return " . ".join(each for each in said if each)


def words_around(fact: Fact) -> frozenset[str]:
    """The words of all that says what a figure is about; one that makes another measure of it has to stand at it."""
    return _around(fact.label, fact.section, fact.header, fact.caption, fact.heading, fact.unit == Unit.PERCENT)


# What heads the notes of a report, and is no note that is owed: `Notes to financial statements`, `Note 5`.
_OF_NOTES = later(r"\bnotes? to (?:the |our )?(?:[a-z]+ ){0,3}(?:financial|accounts)\b|\bnotes? \d+\b", re.IGNORECASE)


@lru_cache(maxsize=20_000)
def _around(label: str, section: str, header: str, caption: str, heading: str, is_rate: bool) -> frozenset[str]:
    at: tuple[str, ...] = (without_inside(label), section, header)
    over = frozenset().union(*(words_of(_OF_NOTES.sub(" ", text)) for text in (caption, heading) if text))
    if is_rate and over & OTHER_MEASURE and find_line_item(label) is None:
        at = (*at, caption)  # of a part of the company, of which the table alone says the measure
    is_margin = is_rate and any(called_margin(text) != text for text in at if text)
    return (over - OTHER_MEASURE).union(*(words_of(text) for text in at if text), {"margin"} if is_margin else ())
