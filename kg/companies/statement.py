"""One statement of a company over years, from all of its filings: in its own lines, or in standard concepts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import count, takewhile

from tieout.data.printed.unit import Unit
from tieout.kg.companies.compare import QUARTERS, Line, compare
from tieout.kg.companies.library import Library, LibraryError
from tieout.kg.companies.value import Value
from tieout.kg.fact import Fact
from tieout.kg.filings.company import Company
from tieout.kg.filings.concepts import BY_TAG, STANDARD
from tieout.kg.filings.filing import Filing
from tieout.kg.filings.labelled import IN_STATEMENT, SURE
from tieout.kg.filings.observation import Observation, Source
from tieout.kg.filings.observed import LABEL, TAG, Observed, observed
from tieout.kg.index.passage import TableEntry
from tieout.ontology.labels.label import normalise, words_of_tag
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, find_line_item, line_items

KINDS = ("income", "balance", "cash-flow", "equity", "comprehensive")
_COMPREHENSIVE = ("comprehensive_income", "other_comprehensive_income", "net_income_with_noncontrolling")
_YEAR = re.compile(r"\b\d{4}\b")
_BALANCE = re.compile(r"\bbalances?\b|^(?:(?:as )?(?:at|of) )?[a-z]+ \d{1,2}(?:, \d{4})?$", re.IGNORECASE)
_CONTINUED = re.compile(r"\W*\bcontinued\b\W*$", re.IGNORECASE)
_LENGTHS = frozenset((Unit.YEARS, Unit.MONTHS, Unit.DAYS))  # of the time of a column
_LineKey = tuple[str, str]  # concept and the parts that it is of, or label and sub-heading
_When = tuple[int, str]


@dataclass(frozen=True, slots=True)
class _Row:
    """A line of a statement of a filing: what it is called, under which heading, and what is stated by period."""

    key: _LineKey
    label: str
    heading: str
    cells: dict[_When, Source]


def periods_of(kind: str, quarters: bool, standard: bool) -> Sequence[str]:
    """The fiscal periods that a statement is shown for: years, or quarters. A balance sheet has the end of a year
    beside them; what a company prints of its cash flows in a quarter runs from the beginning of its year."""
    if not quarters:
        return ("FY",)
    if kind == "cash-flow" and not standard:
        return (*QUARTERS, "H1", "9M", "FY")
    return (*QUARTERS, "FY") if kind == "balance" else QUARTERS


def standard_statement(
    library: Library, company: Company, kind: str, years: Iterable[int] | None = None, periods: Sequence[str] = ("FY",)
) -> tuple[Line, ...]:
    """The standard concepts of a statement that the filings of a company state, in the order of the table of them."""
    names = _concepts_of(kind)
    library.need(names, [company])
    there = [name for name in names if library.observations(company, name)]
    lines = compare(library, there, [company], years, periods)
    return tuple(Line(each.company, each.measure.replace("_", " "), *_rest(each)) for each in lines)


def _concepts_of(kind: str) -> Sequence[str]:
    """The standard concepts of a statement, in the order of the table of them."""
    if kind == "comprehensive":
        after = [name for name in line_items() if "comprehensive" in name]
        return [*_COMPREHENSIVE, *(name for name in after if name not in _COMPREHENSIVE)]
    return [name for name, item in line_items().items() if item.statement == kind.replace("-", " ")]


def _rest(line: Line) -> tuple[int, str, Value]:
    return line.fiscal_year, line.fiscal_period, line.value


def own_statement(
    library: Library, company: Company, kind: str, years: Iterable[int] | None = None, periods: Sequence[str] = ("FY",)
) -> tuple[Line, ...]:
    """A statement in the lines that the company prints, as its newest filing orders them.

    A line of an older filing is that of a newer one with the same tag, else with the same words, where the older one
    has no line with the tag of the newer. Raises LibraryError where no filing has such a statement.
    """
    wanted = None if years is None else set(years)
    order: list[_LineKey] = []
    known: dict[_LineKey, _Row] = {}
    found: dict[_LineKey, dict[_When, list[Source]]] = {}
    standing = _standing(library, company, kind)
    for filing in company.filings:
        last = -1
        rows = _rows(library, filing, kind, standing[filing.report])
        here = {row.key for row in rows}
        for row in rows:
            key = row.key if row.key in known else _named_so(row.label, known, here) or row.key
            if key not in known:
                known[key] = row
                order.insert(last + 1, key) if last >= 0 else order.append(key)
            last = order.index(key)
            for when, source in row.cells.items():
                found.setdefault(key, {}).setdefault(when, []).append(source)
    if not found:
        raise LibraryError(f"no filing of {company.name!r} that is kept has a statement that reads as {kind!r}")
    labels = _told_apart(known)
    lines = []
    for key in order:
        for when in sorted(found[key]):
            if (wanted is None or when[0] in wanted) and when[1] in periods:
                value = Value.of(Observation(company.key, "", *when, tuple(found[key][when])))
                value = value.flagged("restated") if value.restated else value
                lines.append(Line(company, labels[key], *when, value))
    return tuple(lines)


def _told_apart(rows: Mapping[_LineKey, _Row]) -> Mapping[_LineKey, str]:
    """The labels of lines. One that several have is told with the heading of each, else with the words of its tag: of
    `Basic` and `Diluted` nobody knows whether they are earnings or shares."""
    count = Counter(row.label for row in rows.values())
    labels: dict[_LineKey, str] = {}
    for key, row in rows.items():
        head = row.heading or words_of_tag(key[0]).capitalize()
        labels[key] = f"{head}: {row.label}" if count[row.label] > 1 else row.label
    return labels


def _named_so(label: str, known: Mapping[_LineKey, _Row], here: Collection[_LineKey]) -> _LineKey | None:
    """The line that is known by these words, where the filing does not have it by its own tag. here: its lines."""
    return next((key for key, row in known.items() if row.label == label and key not in here), None)


def _standing(library: Library, company: Company, kind: str) -> Mapping[str, Mapping[str, str]]:
    """By report the facts that stand for the standard concepts of a statement, each with the name of its concept."""
    names = _concepts_of(kind)
    library.need(names, [company])
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for source in (each for name in names for seen in library.observations(company, name) for each in seen.sources):
        found[source.filing.report][source.observed.fact] = source.observed.item
    return found


def _rows(library: Library, filing: Filing, kind: str, standing: Mapping[str, str]) -> Sequence[_Row]:
    """The lines of a statement of a filing in the order of print. The label of one that is printed without is the title
    of its table."""
    rows: dict[tuple[int, int | None, _LineKey], _Row] = {}
    for table in _tables(library, filing.report, kind, standing):
        facts = [fact for fact in library.figures(filing.report, table.number) if fact.column]
        of_all = {fact.row for fact in facts if not fact.dimensions}
        for fact in facts:  # what a label says beside its name is no line's
            when = _when(fact, filing) if fact.unit not in _LENGTHS else None
            if when is None or (fact.dimensions and kind != "equity" and fact.row in of_all):
                continue
            if fact.label == table.title:
                fact = fact.changed(label=_called(fact, standing))
            key, label = _of_component(fact) if kind == "equity" else (_line(fact), fact.label)
            heading = "" if kind == "equity" else fact.section.rstrip(": ")
            row = rows.setdefault((table.number, fact.row, key), _Row(key, label, heading, {}))
            row.cells.setdefault(when, Source(filing, _observed(fact)))
    return _merged(rows.values(), is_matrix=kind == "equity")


def _called(fact: Fact, standing: Mapping[str, str]) -> str:
    """What a line without a label is: the concept that it stands for, else the total of its heading."""
    if fact.name in standing:
        return standing[fact.name].replace("_", " ").capitalize()
    heading = fact.section.rstrip(" :-–—")
    return f"{heading}: total" if heading else fact.label


def _merged(rows: Iterable[_Row], *, is_matrix: bool) -> Sequence[_Row]:
    """The rows, those of one line as one. Of a balance that is printed as that of the beginning and that of the end,
    the end counts: it is the row with the newest figure. is_matrix: whether each block of rows is of another time."""
    found: dict[_LineKey, _Row] = {}
    for row in rows:
        before = found.get(row.key)
        if before is None:
            found[row.key] = row
        elif is_matrix or any(source.observed.start for source in row.cells.values()):
            found[row.key] = replace(before, cells={**row.cells, **before.cells})
        elif max(row.cells) > max(before.cells):
            del found[row.key]
            found[row.key] = row
    return tuple(found.values())


def _line(fact: Fact) -> _LineKey:
    if fact.concept.startswith(STANDARD):
        return fact.concept, " ".join(member for _, member in fact.dimensions)
    item = find_line_item(fact.label)
    return normalise(fact.label), "" if item and not item.under and not fact.concept else fact.section.rstrip(": ")


def _of_component(fact: Fact) -> tuple[_LineKey, str]:
    """A line of a statement of equity, of the component that its block or its column is of, in money or in shares. What
    a component has at the end of a period is one line with what it has at the beginning of the next."""
    component = fact.section.rstrip(": ") or fact.header[_dated(fact.header) :].strip(" ,:–—-")
    is_balance = fact.period is not None and fact.period.start == fact.period.end and _BALANCE.search(fact.label)
    label = "balance at the end" if is_balance else fact.label
    if fact.unit is Unit.SHARES and "share" not in f"{component} {label}".lower():
        label += ", shares"
    return (normalise(label), normalise(component)), f"{component}: {label}" if component else label


def _dated(header: str) -> int:
    """Where the last year of a header ends: what is in front of that tells the time of a column."""
    return max((found.end() for found in _YEAR.finditer(header)), default=0)


def _tables(library: Library, report: str, kind: str, standing: Collection[str]) -> Iterator[TableEntry]:
    """The tables of a statement: the one that states most of its concepts, and what goes on above and below it under
    the same title. standing: the facts that stand for concepts of it."""
    tables, statement = library.tables(report), kind.replace("-", " ")
    meant = [each for each in tables if each.statement == statement]
    if kind == "comprehensive" and not meant:  # one with the income statement above it
        meant = [each for each in tables if each.statement == "income" and "comprehensive" in each.title.lower()]
    meant = [each for each in meant if each.certainty >= SURE] or meant
    if not meant:
        return

    def likeness(table: TableEntry) -> tuple[float, float, int]:
        stated = sum(fact.name in standing for fact in library.figures(report, table.number))
        order = (stated, table.certainty) if statement in MAIN_STATEMENTS else (table.certainty, stated)
        return *order, table.figures

    best = max(meant, key=likeness)
    alike = {each.number: each for each in meant if _CONTINUED.sub("", each.title) == _CONTINUED.sub("", best.title)}
    first = next(number for number in count(best.number, -1) if number - 1 not in alike)
    yield from map(alike.__getitem__, takewhile(alike.__contains__, count(first)))


def _when(fact: Fact, filing: Filing) -> _When | None:
    period = fact.period
    if period is None or period.end is None:
        return None
    if period.start is None or period.start == period.end:
        return filing.years.of_instant(period.end)
    return filing.years.of_span(period.start, period.end)


def _observed(fact: Fact) -> Observed:
    """What is stated, signed as it is printed: a statement is read from the top to the bottom."""
    assert fact.period and fact.period.end
    amount: Decimal = fact.value * fact.scale if fact.exact is None else fact.exact.copy_sign(fact.value)
    span = None if fact.period.start == fact.period.end else fact.period.start, fact.period.end
    how, probability = (TAG, BY_TAG) if fact.concept else (LABEL, IN_STATEMENT)
    return observed("", fact, span, amount, fact.concept, how, probability)
