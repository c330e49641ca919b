"""A report prepared for matching: each fact with its words, and how telling each word is on the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import Any, NamedTuple

from tieout.data.arithmetic.chance import weights_of
from tieout.data.arithmetic.units import rounded
from tieout.data.printed.periods.period import read_period
from tieout.data.printed.unit import Unit
from tieout.kg.fact import NUMERAL, Fact, FactKind
from tieout.kg.figure import column_of, newest_in_rows, row_in_table, row_roles
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import content, distances, initials, lead_to, stems

_DIGITS = re.compile(r"\d+")
LEAST_ROWS, MOST_REPEATED = 20, 0.8  # of a column of data, and the share of them whose time others have
MOST_VIEWS, MOST_SHEETS = 20_000, 1_000  # facts and tables that stay prepared for the pages of further questions
TEXT, PERCENT = FactKind.TEXT, Unit.PERCENT  # Python 3.11 takes long to look up a member of an Enum
NONE = frozenset[str]()
NOT_NEAR: dict[str, float] = {}  # of a figure of a table
NO_ROWS: dict[Any, Any] = {}  # of a figure of a sentence


@dataclass(slots=True, eq=False)
class View:
    """One fact prepared for matching; nobody changes it. (To freeze what is made by the thousand takes a third longer.)

    digits: the numbers of its label, header and sub-heading; none in text. near: distance in words from the amount to
    each stem of its sentence. lead: the small word right in front of the amount. before: the stems of the sentence
    before, where that has an amount too. words, form, place, time: the same for all figures of tables of the same
    words, of the same form, that stand alike in time and in their tables, and that are of one time and unit. number:
    the same for equal amounts as they are printed.
    """

    fact: Fact
    label: frozenset[str]
    header: frozenset[str]
    bag: frozenset[str]
    digits: frozenset[str]
    near: dict[str, float]
    year: int | None
    is_text: bool
    row: tuple[int, int]
    column: tuple[int, int]
    latest: bool
    total: bool
    role: str
    caption: frozenset[str]
    lead: str
    before: frozenset[str]
    words: object
    form: object
    place: object
    time: object
    number: int

    @property
    def answer(self) -> Decimal:
        """The amount as answers are compared."""
        return rounded(amount(self.fact))

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The stems that follow each other."""
        if self.is_text:
            before, behind = self.fact.around()
            return _pairs_of(f"{before[-90:]} {behind[:90]}")
        return _pairs_of(f"{self.fact.label} {self.fact.header}")

    def pairs_in(self, asked: frozenset[tuple[str, str]]) -> frozenset[tuple[str, str]]:
        """Those of its pairs that a question has too; few figures have both stems of one at all."""
        if not any(one in self.bag and other in self.bag for one, other in asked):
            return frozenset()
        return asked & self.pairs


class _OfTable(NamedTuple):
    """The figures of one table, found by their number and the first of them: to hash each takes longer."""

    facts: tuple[Fact, ...]

    def __hash__(self) -> int:
        return hash((self.facts[0].name, len(self.facts)))


@dataclass(slots=True, eq=False)
class Sheet:
    """The figures of one table, prepared once for all pages that show it; nobody changes it.

    lines: how many rows, columns and titles it has; stems: those of each of them.
    """

    views: tuple[View, ...]
    lines: int
    stems: tuple[str, ...]


class Page:
    """All facts of one document, prepared once.

    sheets: its tables. weight: how telling a stem is, by how few lines of the page have it.
    """

    def __init__(self, facts: Sequence[Fact]) -> None:
        inside: dict[int, list[Fact]] = {}
        for fact in facts:
            if fact.kind is not TEXT:
                inside.setdefault(fact.table or 0, []).append(fact)
        self.sheets = {table: _sheet(_OfTable(tuple(each))) for table, each in inside.items()}
        of_tables: dict[int, View] = {}
        for table, each in inside.items():
            of_tables.update(zip(map(id, each), self.sheets[table].views, strict=True))
        texts = {fact.sentence: fact.context for fact in facts if fact.kind is TEXT}
        said = {at: _stems_of(text) for at, text in texts.items() if (at or 0) + 1 in texts}  # before another
        self.views = tuple(
            [of_tables.get(id(fact)) or _view(fact, said.get((fact.sentence or 0) - 1, NONE)) for fact in facts]
        )
        self.facts = {fact.name: fact for fact in facts}
        sentences = {view.fact.sentence or 0: view.bag for view in self.views if view.is_text}
        of_sheets = chain.from_iterable(sheet.stems for sheet in self.sheets.values())
        stems = Counter(chain(chain.from_iterable(sentences.values()), of_sheets))
        self.weight = weights_of(stems, len(sentences) + sum(sheet.lines for sheet in self.sheets.values()))
        self.known = frozenset(self.weight)
        self.values = Counter([view.number for view in self.views])

    @cached_property
    def printed(self) -> frozenset[str]:
        """The stems of all that stands at its facts and above them."""
        facts = [view.fact for view in self.views]
        at = {text for fact in facts for text in (fact.label, fact.header, fact.section, fact.caption, fact.heading)}
        at.update([fact.context for fact in facts if fact.kind is TEXT])
        return frozenset(chain.from_iterable(map(content, at)))

    def labels_with(self, stems: Collection[str]) -> list[str]:
        """The labels with any of these stems, those with the most telling ones first."""
        labels = dict.fromkeys(view.fact.label for view in self.views if view.fact.entity_type != NUMERAL)
        shared = {label: {*stems}.intersection(content(label.lower())) for label in labels}
        told = {label: sum(self.weight.get(each, 1.0) for each in own) for label, own in shared.items() if own}
        return sorted(told, key=lambda label: -told[label])

    def tells_of(self, years: Collection[int]) -> bool:
        """Whether a fact is of one of these years, or its words name one."""
        return any(year in years for fact in self.facts.values() for year in _years(fact))


def is_of_data(names: Collection[str], facts: Sequence[Fact]) -> bool:
    """Whether one of the figures named stands in a column of data: of one line, in rows that are headed by times, most
    of them by one that other rows have too."""
    asked = {column_of(fact) for fact in facts if fact.name in names and fact.kind is not TEXT}
    columns: dict[tuple[str, int, int], list[Fact]] = {each: [] for each in asked}
    for fact in facts if asked else ():
        if (place := column_of(fact)) in asked and fact.kind is not TEXT and fact.entity_type != NUMERAL:
            columns[place].append(fact)
    for column in columns.values():
        if len(column) >= LEAST_ROWS:
            times = Counter([fact.header for fact in column])
            repeated = sum(count for count in times.values() if count > 1)
            is_one = len({fact.label for fact in column}) == 1 < len(times) - 1
            if is_one and repeated >= MOST_REPEATED * len(column) and all(map(read_period, times)):
                return True
    return False


@lru_cache(maxsize=MOST_SHEETS)
def _sheet(table: _OfTable) -> Sheet:
    facts = table.facts
    roles, newest = row_roles(facts), newest_in_rows(facts)
    views = tuple([_made(fact, NONE, newest, roles) for fact in facts])
    lines: dict[tuple[str, int], frozenset[str]] = {}
    for view in views:
        lines["row", view.row[1]] = view.label
        lines["column", view.column[1]] = view.header
        lines["caption", 0] = view.caption
    return Sheet(views, len(lines), tuple(chain.from_iterable(lines.values())))


def _years(fact: Fact) -> Iterator[int]:
    """The years that a fact is of, or that are named beside it; all years of a span."""
    period = fact.period
    if period is not None and period.year is not None:
        yield period.year
    if period is not None and period.start is not None and period.end is not None:
        yield from range(period.start.year, period.end.year + 1)
    yield from years_in(f"{fact.context} {fact.label} {fact.header}".lower())


def amount(fact: Fact) -> Decimal:
    """The figure as it enters a calculation: a percentage as its decimal."""
    return fact.value.scaleb(-2) if fact.unit == PERCENT else fact.value


@lru_cache(maxsize=MOST_VIEWS)
def _view(fact: Fact, before: frozenset[str]) -> View:
    """A figure of a sentence prepared, once for all pages that show it beside the same."""
    return _made(fact, before)


def _made(
    fact: Fact,
    before: frozenset[str],
    newest: Mapping[tuple[int, int], int] = NO_ROWS,
    roles: Mapping[tuple[int, int], str] = NO_ROWS,
) -> View:
    """A figure prepared. newest: the latest year of each row of its table; roles: the part that each has in it."""
    text, period, row = fact.kind is TEXT, fact.period, row_in_table(fact)
    year, role = period.year if period else None, roles.get(row, "")
    latest = year is not None and newest.get(row) == year
    column = (fact.table or 0, fact.column if fact.column is not None else -1)
    caption = _stems_of(fact.caption)
    if text:
        label, header, (front, behind) = _stems_of(fact.label), _stems_of(fact.header), fact.around()
        near, lead, words = distances(front, behind), lead_to(front), None
        bag, digits = frozenset(near), NONE
    else:
        label, called, numbers = _said_in(fact.label)
        header, called_above, numbers_above = _said_in(fact.header)
        section, _, numbers_over = _said_in(fact.section)
        near, lead, bag = NOT_NEAR, "", _union(called, called_above, section)
        digits = _union(numbers, numbers_above, numbers_over)
        words = one_of(label, _order_of(fact.header), bag, caption)
    form, place = one_of(fact.unit, year, latest, fact.column == 1), one_of(role, bool(header), year, period)
    time, total = one_of(role, latest, period, fact.unit), "total" in label
    alike = (latest, total, role, caption, lead, before, words, form, place, time, hash(fact.value))
    return View(fact, label, header, bag, digits, near, year, text, row, column, *alike)


def _union(own: frozenset[str], above: frozenset[str], over: frozenset[str]) -> frozenset[str]:
    """What is in any of three sets, of which mostly one alone has something: the same one then, as it is."""
    if not over:
        return own.union(above) if own and above else own or above
    return own.union(above, over) if own or above else over


@lru_cache(maxsize=MOST_VIEWS)
def one_of(*_: object) -> object:
    """One for all that are equal, to be found by it without a look at them."""
    return object()


@lru_cache(maxsize=MOST_VIEWS)
def _said_in(text: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The stems of a label, a header or a sub-heading; these with what it may be called by; and its numbers."""
    said = _stems_of(text)
    return said, said | initials(text), frozenset(_DIGITS.findall(text))


@lru_cache(maxsize=MOST_VIEWS)
def _pairs_of(text: str) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(stems(text)))


@lru_cache(maxsize=MOST_VIEWS)
def _order_of(text: str) -> tuple[str, ...]:
    return tuple(stems(text))


@lru_cache(maxsize=MOST_VIEWS)
def _stems_of(text: str) -> frozenset[str]:
    """The stems of a label or caption, which many facts of a table share."""
    return frozenset(stems(text))
