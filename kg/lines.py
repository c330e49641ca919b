"""The page as lines of figures: the rows and columns of its tables, and the lists of its sentences."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tieout.data.printed.periods.period import Period
from tieout.data.printed.unit import NOT_MEASURES
from tieout.kg.fact import NUMERAL, Fact
from tieout.kg.figure import labels_are_rows, year_of
from tieout.kg.moves import is_moved
from tieout.kg.page import MOST_SHEETS, Page, Sheet, View, one_of
from tieout.ontology.asked.when import years_in
from tieout.ontology.asked.words import MONTHS, content, stem

TOTAL = re.compile(r"\b(?:total|totals|sum|overall|net total)\b", re.I)
CHANGE = re.compile(r"\b(?:change|variance|variation|increase|decrease|growth)|^\W*(?:%|\$)\W*$", re.I)
_OF_DATES = frozenset(
    map(stem, ("year", "years", "ended", "ending", "fiscal", "as", "month", "months", "quarter", *MONTHS))
)
Order = tuple[int, int, int]


@dataclass(slots=True, eq=False)
class Point:
    """One figure of a line. head: what it stands under beside the line's own label, in words; heads: its stems.

    year: of its period, or one that its header names. order: its place in time, None where that is not known.
    quarter: 1 to 4 where it is one. sort: the same for figures of tables that differ in amount, line and head alone.
    """

    view: View
    head: str
    heads: frozenset[str]
    year: int | None
    quarter: int | None
    order: Order | None
    is_change: bool
    sort: object

    @property
    def fact(self) -> Fact:
        return self.view.fact


@dataclass(frozen=True, eq=False)
class Line:
    """Figures of one measure. name: (`row`, table, row), (`column`, table, column), (`text`, sentence, number).

    label: as printed; labels, sections, captions: the stems of it, of the headings above it, of the title of its table.
    is_dated: whether it is a column that says when, and not what; one whose rows are years says what, by its title.
    views: its figures. has_own: whether these are labelled as the line is, and not as what crosses it.
    """

    name: tuple[str, int, int]
    label: str
    labels: frozenset[str]
    section: str
    sections: frozenset[str]
    captions: frozenset[str]
    is_total: bool
    is_dated: bool
    views: Sequence[View]
    has_own: bool = True
    is_text: bool = False

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """Its figures, made when they are first asked for: those of columns seldom are."""
        if self.is_text:
            return tuple(replace(_point(view, ""), is_change=is_moved(view.fact)) for view in self.views)
        return tuple([_point(view, _across(view.fact, self.label, self.has_own)) for view in self.views])


def figures(views: Iterable[View]) -> list[View]:
    """The views whose facts are figures: no years of headers, no dates, no references."""
    return [view for view in views if view.fact.unit not in NOT_MEASURES and view.fact.entity_type != NUMERAL]


def make_lines(page: Page) -> tuple[Line, ...]:
    """All lines of a page: rows, columns, and lists of sentences."""
    at = {id(view): number for number, view in enumerate(page.views)}
    of_tables = [_of_table(sheet) for sheet in page.sheets.values()]
    found = [
        line
        for axis in (0, 1)
        for line in sorted((line for each in of_tables for line in each[axis]), key=lambda line: at[id(line.views[0])])
    ]
    lists: defaultdict[tuple[int, str], list[View]] = defaultdict(list)
    for view in figures(view for view in page.views if view.is_text):
        lists[view.fact.sentence or 0, view.fact.label].append(view)
    numbers = Counter[int]()
    for (sentence, label), views in lists.items():
        numbers[sentence] += 1
        found.append(_text_line(sentence, numbers[sentence], label, views))
    return tuple(found)


@lru_cache(maxsize=MOST_SHEETS)
def _of_table(sheet: Sheet) -> tuple[Sequence[Line], Sequence[Line]]:
    """The rows and the columns of a table, made once for all pages that show it."""
    rows: defaultdict[tuple[int, int], list[View]] = defaultdict(list)
    columns: defaultdict[tuple[int, int], list[View]] = defaultdict(list)
    views = [view for view in figures(sheet.views) if view.fact.column]
    for view in views:
        fact = view.fact
        rows[fact.table or 0, fact.row or 0].append(view)
        columns[fact.table or 0, fact.column or 0].append(view)
    are_rows = not views or labels_are_rows([view.fact for view in views])
    return (
        [_line("row", place, inside, are_rows) for place, inside in rows.items()],
        [_line("column", place, inside, not are_rows) for place, inside in columns.items()],
    )


def _line(axis: str, place: tuple[int, int], views: Sequence[View], own_label: bool) -> Line:
    """One line. own_label: whether the label of a fact is that of the line, and not what crosses it."""
    first = views[0].fact
    label = _name_of([view.fact for view in views], own_label)
    labels, is_total = _of_label(label)
    may_be_dated = axis == "column" and not labels
    years = (_year(view, _across(view.fact, label, own_label)) for view in views) if may_be_dated else ()
    section = first.section if axis == "row" else ""
    return Line(
        name=(axis, *place),
        label=label,
        labels=labels,
        section=section,
        sections=_content_of(section),
        captions=_content_of(first.caption),
        is_total=is_total,
        is_dated=may_be_dated and len({*years} - {None}) < 2,
        views=views,
        has_own=own_label,
    )


def _name_of(facts: Sequence[Fact], own_label: bool) -> str:
    """The text that names all figures of a line: what all have in common, where the figures of a column of percentages
    are labelled by its header, and those of the columns beside it by their rows."""
    named = {fact.label if own_label else fact.header for fact in facts}
    if len(named) > 1:
        shared = frozenset.intersection(*(frozenset((fact.label, fact.header)) for fact in facts))
        if len(shared) == 1:
            return next(iter(shared))
    return facts[0].label if own_label else facts[0].header


def _across(fact: Fact, name: str, own_label: bool) -> str:
    """What a figure of a line stands under beside the name of the line."""
    own, other = (fact.label, fact.header) if own_label else (fact.header, fact.label)
    return own if own != name and other == name else other


def _text_line(sentence: int, number: int, label: str, views: Sequence[View]) -> Line:
    return Line(
        name=("text", sentence, number),
        label=label,
        labels=frozenset(content(label)),
        section="",
        sections=frozenset(),
        captions=frozenset(),
        is_total=False,
        is_dated=False,
        views=views,
        is_text=True,
    )


@lru_cache(maxsize=20_000)
def _of_label(label: str) -> tuple[frozenset[str], bool]:
    """The stems of the label of a line that say what it is of, and whether that is a total."""
    return _content_of(label) - _dating(label), TOTAL.search(label) is not None


@lru_cache(maxsize=20_000)
def _content_of(text: str) -> frozenset[str]:
    return frozenset(content(text))


@lru_cache(maxsize=20_000)
def _dating(label: str) -> frozenset[str]:
    """The stems of a header that only date it, where it names a year."""
    return _OF_DATES if years_in(label.lower()) else frozenset()


def _point(view: View, head: str) -> Point:
    heads, _, is_change = _of_head(head, view.fact.section)
    quarter, order = _when(view.fact.period)
    year = _year(view, head)
    if order is None and year is not None:
        order = (year, 3 * quarter if quarter else 12, 31)
    return Point(view, head, heads, year, quarter, order, is_change, one_of(view.time, year, is_change))


def _year(view: View, head: str) -> int | None:
    """The year of a figure: of its period, else the first that its header names."""
    if view.year is not None:
        return year_of(view.fact)
    named = _of_head(head, view.fact.section)[1]
    return named[0] if named else None


@lru_cache(maxsize=20_000)
def _of_head(head: str, section: str) -> tuple[frozenset[str], tuple[int, ...], bool]:
    """What a figure stands under, which many share: stems, the years named, whether the table itself calculated it."""
    named = years_in(f"{head} {section}".strip().lower())
    return frozenset(content(head)) - _dating(head), named, _is_change(head, named)


@lru_cache(maxsize=4096)
def _when(period: Period | None) -> tuple[int | None, Order | None]:
    """The quarter of a period, and its place in time."""
    if period is None:
        return None, None
    found = re.search(r"Q([1-4])", period.key)
    end = period.end
    return int(found[1]) if found else None, (end.year, end.month, end.day) if end is not None else None


def _is_change(head: str, years: tuple[int, ...]) -> bool:
    """Whether a column holds what the table itself has calculated: `% change`, `2019 versus 2018`."""
    return bool(CHANGE.search(head)) or (len(years) > 1 and bool(re.search(r"\b(?:vs|versus|over|to)\b", head.lower())))


def by_section(line: Line) -> Iterator[list[Point]]:
    """The figures of a column by the heading above their rows; and all of them."""
    found: defaultdict[str, list[Point]] = defaultdict(list)
    for point in line.points:
        found[point.fact.section].append(point)
    yield from found.values()
    if len(found) > 1:
        yield list(line.points)


def groups(line: Line) -> Iterator[list[Point]]:
    """The figures of a line that differ in period alone: those under the same words; else all of them."""
    by_head: defaultdict[frozenset[str], list[Point]] = defaultdict(list)
    for point in line.points:
        by_head[point.heads if point.order is not None else frozenset()].append(point)
    yield from by_head.values()
    if len(by_head) > 1:
        yield list(line.points)
