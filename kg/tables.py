"""The figures of reports by their tables: which statement each table is, what stands around a figure, and of which days
and years the reports are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache

from tieout.data.printed.periods.spans import Span, is_near, span_of
from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import Fact, FactKind, class_of
from tieout.kg.figure import (
    NEAR_DAYS,
    WHOLE_YEAR,
    Found,
    column_of,
    is_in_label,
    is_instant,
    is_of_odd_length,
    newest_in_rows,
    report_of,
    row_in_table,
    table_of,
    without_inside,
    words_around,
    words_of,
    year_of,
)
from tieout.kg.index.observed import observed_in
from tieout.kg.index.statement import Guess, is_summary, read_statement
from tieout.kg.moves import OF_CHANGE, is_of_result
from tieout.kg.totals import Totals
from tieout.ontology.metrics.line_item import find_line_item

_guess = lru_cache(maxsize=4096)(read_statement)  # of the tables that several views show


class Tables(Totals):
    """Figures of reports, by table and period."""

    def __init__(
        self,
        facts: Sequence[Fact],
        statements: Mapping[str, tuple[str, float]] | None = None,
        concepts: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        """statements: those that are known, by the names of tables. concepts: the figures that are known to be a line
        item, by its name, each with how sure that is. Others are told by their lines."""
        self._known = statements or {}
        self._concepts = concepts
        self._latest: dict[str, int | None] = {}
        measures = [fact for fact in facts if fact.unit not in NOT_MEASURES]
        # What a file states without any page has no tables: its concepts are its lines.
        has_tables = any(fact.kind is FactKind.TABLE for fact in measures)
        self.of_tags = not has_tables
        of_lines = FactKind.TABLE if has_tables else FactKind.STATED
        found: tuple[list[Fact], list[Fact], list[Fact]] = [], [], []
        for fact in measures:
            found[2 if is_in_label(fact) else fact.kind is not of_lines].append(fact)
        super().__init__(found[0])
        self.told, self.in_labels = map(tuple, found[1:])

    @cached_property
    def labels_with(self) -> Mapping[str, Mapping[str, frozenset[str]]]:
        """The labels that have a word, with all their words."""
        found: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
        for label in {fact.label for fact in self.facts}:
            own = words_of(without_inside(label))
            for word in own:
                found[word][label] = own
        return found

    @cached_property
    def older(self) -> frozenset[str]:
        """The names of the figures of whose line there is one of a later year."""
        found = [(newest_in_rows(facts), facts) for facts in self._by_report.values()]
        dated = ((newest, each, each.period.year) for newest, facts in found for each in facts if each.period)
        return frozenset([each.name for newest, each, year in dated if year and newest.get(row_in_table(each)) != year])

    def has_none_of(self, words: frozenset[str]) -> bool:
        """Whether no line, heading of lines or column has one of these words."""
        said = {text for fact in self.facts for text in (fact.label, fact.section, fact.header)}
        return all(words.isdisjoint(words_of(text)) for text in said)

    @cached_property
    def statements(self) -> Mapping[tuple[str, int], Guess]:
        """Which statement each table is, by report and number."""
        return {key: self._statement(key, facts) for key, facts in self._tables.items()}

    @cached_property
    def is_summary(self) -> bool:
        """Whether all that there is are lines of several statements that somebody put together."""
        lines = {(key, fact.label) for key, facts in self._tables.items() for fact in facts}
        return is_summary(self.statements.values(), [label for _, label in lines])

    @cached_property
    def _tables(self) -> Mapping[tuple[str, int], Sequence[Fact]]:
        """The figures of each table, by report and number."""
        inside: dict[tuple[str, int], list[Fact]] = defaultdict(list)
        for report, facts in self._by_report.items():
            for fact in facts:
                inside[report, fact.table or 0].append(fact)
        return inside

    def _statement(self, key: tuple[str, int], facts: Sequence[Fact]) -> Guess:
        report, number = key
        known = self._known.get(f"{report}:t{number}" if report else f"t{number}")
        if known is not None:
            return Guess(*known)
        labels = tuple(dict.fromkeys(fact.label for fact in facts))
        return _guess(facts[0].caption, facts[0].heading, labels, len(facts), class_of(facts))

    @cached_property
    def concepts(self) -> Mapping[str, Mapping[str, float]]:
        """By the name of a line item, the figures that are it of the whole company, each with how sure that is."""
        return observed_in(self.facts, tuple(self.statements.items())) if self._concepts is None else self._concepts

    def of_report(self, report: str) -> Found:
        """The figures of one report."""
        return self._by_report.get(report, Found())

    @cached_property
    def _by_report(self) -> Mapping[str, Found]:
        found: dict[str, Found] = defaultdict(Found)
        for fact in self.facts:
            found[report_of(fact)].append(fact)
        return found

    def latest(self, report: str) -> int | None:
        """The latest year that a report is about: in a statement or a summary, or a whole year of a tag."""
        if report not in self._latest:
            tables = [key for key, guess in self.statements.items() if guess.statement or self.is_summary]
            facts = (fact for key in tables if key[0] == report for fact in self._tables[key])
            told = [fact for fact in facts if fact.kind is not FactKind.STATED]
            tags = [] if told else (fact for fact in self.of_report(report) if fact.kind is FactKind.STATED)
            told += [fact for fact in tags if not is_instant(fact) and not is_of_odd_length(fact)]
            flows = [fact for fact in told if not is_instant(fact)]  # a day in January may be called by either year
            self._latest[report] = max((year for each in flows or told if (year := year_of(each))), default=None)
        return self._latest[report]

    @cached_property
    def _closings(self) -> Mapping[str, frozenset[date]]:
        """The days on which fiscal years end, by report: those before its longest spans up to a year begin."""
        found: dict[str, frozenset[date]] = {}
        for report, facts in self._by_report.items():
            periods = {id(fact.period): fact.period for fact in facts if fact.period and not is_instant(fact)}
            spans = [(each.start, (each.end - each.start).days) for each in periods.values() if each.start and each.end]
            longest = max((days for _, days in spans if days <= WHOLE_YEAR[-1]), default=0)
            begun = {start for start, days in spans if days >= longest - NEAR_DAYS}
            found[report] = frozenset(start - timedelta(days=1) for start in begun)
        return found

    def spans(self, report: str) -> Iterator[Span]:
        """The spans that the statements of a report are of, each once."""
        found: list[Span] = []
        for fact in self.of_report(report):
            days = span_of(fact.period) if self.statements[table_of(fact)].statement else None
            if days is not None and not any(is_near(days, each) for each in found):
                found.append(days)
                yield days

    def closings(self, report: str) -> frozenset[date]:
        """The days on which the fiscal years of a report end."""
        return self._closings.get(report, frozenset())

    def newest(self, report: str) -> date | None:
        """The last day of the balances of the statements of a report."""
        return self._newest.get(report)

    @cached_property
    def _newest(self) -> Mapping[str, date]:
        """The last day of the balances of a statement, by report."""
        found: dict[str, date] = {}
        for (report, _), facts in (
            (key, facts) for key, facts in self._tables.items() if self.statements[key].statement
        ):
            for end in (fact.period.end for fact in facts if is_instant(fact) and fact.period and fact.period.end):
                found[report] = max(found.get(report, date.min), end)
        return found

    def about(self, fact: Fact) -> frozenset[str]:
        """The words of all that says what a figure is about, with those of the total that it is a part of."""
        return words_around(fact) | words_of(self.total_of(fact))

    def around(self, fact: Fact) -> frozenset[str]:
        """As `about`; of a figure inside a label or a sentence with the words around it there."""
        if fact.kind is FactKind.TABLE and not is_in_label(fact):
            return self.about(fact)
        return self.about(fact) | words_of(fact.label) | words_of(fact.context)

    def is_cost_taken_off(self, fact: Fact) -> bool:
        """Whether a line of an income statement that is no known one is a cost, printed below zero as known costs of
        its column are: `Freight and handling (52)` between `Cost of sales (486)` and the profit."""
        if fact.value >= 0 or self.statements[table_of(fact)].statement != "income" or is_of_result(fact.label):
            return False
        column = (each for each in self.facts if column_of(each) == column_of(fact) and each.value < 0)
        return any((item := find_line_item(each.label)) is not None and item.spent for each in column)

    def is_of_unit(self, fact: Fact, unit: str) -> bool:
        """Whether a figure may be of a metric, by its unit; a rate stands in a row of rates, and not beside amounts."""
        if OF_CHANGE.search(fact.header) or OF_CHANGE.search(fact.section):
            return False
        if unit == "money":
            return is_currency(fact.unit) or fact.unit is None
        if unit == "percent":
            row = (each for each in self.facts if table_of(each) == table_of(fact) and each.row == fact.row)
            return fact.unit == Unit.PERCENT and all(each.unit == Unit.PERCENT for each in row)
        if unit == "per share":
            return str(fact.unit or "").endswith("/share")
        return not is_currency(fact.unit) and fact.unit != Unit.PERCENT
