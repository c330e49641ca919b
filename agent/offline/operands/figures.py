"""The figures of a view: in which statement each stands, what stands around it, and of which days it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from functools import cached_property, lru_cache

from tieout.agent.question.question import Question
from tieout.data.printed.unit import NOT_MEASURES, Unit
from tieout.kg.fact import Fact, FactKind, class_of
from tieout.kg.figure import (
    NEAR_DAYS,
    WHOLE_YEAR,
    Found,
    amount_of,
    column_of,
    is_anniversary,
    is_in_label,
    is_instant,
    is_near,
    is_of_odd_length,
    is_of_part_of_year,
    names_a_part,
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
from tieout.kg.moves import is_of_result
from tieout.kg.sense import is_of_sort
from tieout.kg.totals import Totals
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import find_line_item

SEGMENT, RATE, PART = 1.0, 0.8, 0.5  # taken off a line of a part of the company, of a rate, of part of a year
SURE_STATEMENT = 0.9
MOST_TIMES = 50  # of which the figures stay found
_guess = lru_cache(maxsize=4096)(read_statement)  # of the tables that several views show


class Figures(Totals):
    """The figures of a view, by table and period."""

    def __init__(
        self,
        facts: Sequence[Fact],
        statements: Mapping[str, tuple[str, float]] | None = None,
        concepts: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        """statements, concepts: those of the view that are known, as in `Card`; others are told by their lines."""
        self._known = statements or {}
        self._concepts = concepts
        self._latest: dict[str, int | None] = {}
        self._of_times: dict[tuple[object, ...], Found] = {}
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

    def _in(self, report: str, year: int | None, instant: bool | None, asked: Question) -> Found:
        sort = asked.asks_of_figures
        key = report, year, instant, asked.span, asked.when.by_days, asked.when.day, sort
        if key not in self._of_times:
            if len(self._of_times) == MOST_TIMES:
                self._of_times.clear()
            some = self.of_report(report)
            some = some if year is None or (asked.when.by_days and asked.span) else some.of_year(year)
            days = [None] * len(some) if instant is None else some.are_of_days
            of_days = (each for each, is_of_day in zip(some, days, strict=True) if is_of_day in (instant, None))
            found = (each for each in of_days if is_of_sort(each, sort) and _is_of_time(each, year, asked))
            own = self.statements  # a year at the head of a column of balances is of the last day
            fit = (each for each in found if instant is not False or own[table_of(each)].statement != "balance")
            self._of_times[key] = Found(fit)
        return self._of_times[key]

    def of_time(self, report: str, asked: Question) -> Sequence[Fact]:
        """The figures of the time that a question asks for."""
        return self._in(report, asked.years[0] if asked.years else None, None, asked)

    def _fits(self, fact: Fact, year: int | None, report: str, instant: bool | None, asked: Question) -> bool:
        """Whether a figure in no column is of the time that is asked for, and of no odd one where none is."""
        is_of_year = year in (None, year_of(fact)) or bool(asked.when.by_days and asked.span)
        is_of_day = instant is None or is_instant(fact) in (instant, None)
        if report_of(fact) != report or not (is_of_year and is_of_day and _is_of_time(fact, year, asked)):
            return False
        if not is_of_sort(fact, asked.asks_of_figures):
            return False
        return asked.span is not None or not is_of_odd_length(fact)

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

    def _is_of_another_day(self, fact: Fact, asked: Question) -> bool:
        """Whether a balance is of a day within a year, where a question names a year and no part of it; or of another
        day than the last, where it names no time at all."""
        end = fact.period.end if fact.period and is_instant(fact) else None
        if end is None or asked.part_of_year or asked.when.day is not None or asked.when.back:
            return False
        if not asked.years:
            newest = self._newest.get(report_of(fact), end)
            return abs((newest - end).days) > NEAR_DAYS
        closings = self.closings(report_of(fact))
        return bool(closings) and not any(is_anniversary(end, day) for day in closings)

    def _off(self, fact: Fact, asked: Question) -> float:
        """What speaks against a figure: it is of a segment or a part of the year that the question does not name."""
        off = 0.0
        part = fact.section and not set(normalise(fact.section).split()) & asked.open and names_a_part(fact)
        # The sub-headings of a statement say where in it a line stands, not of what part of the company it is.
        of_part = any(not set(normalise(each).split()) & asked.open for each in fact.parts)
        if fact.dimensions or of_part or (part and self.statements[table_of(fact)].score < SURE_STATEMENT):
            off += SEGMENT / 2
        if fact.unit == Unit.PERCENT:
            off += RATE
        if (not asked.part_of_year and is_of_odd_length(fact)) or self._is_of_another_day(fact, asked):
            off += PART
        return off

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

    def blank(self, fact: Fact, year: int | None, asked: Question) -> Fact | None:
        """A figure of the period that is asked for, in the table and not in the line of another figure, where that line
        prints none in its column: a dash, or nothing. None where the line has one, or the table no such period."""
        report, table = table_of(fact)
        wanted = [each for each in self._in(report, year, None, asked) if table_of(each) == (report, table)]
        columns = {each.column for each in self.facts if table_of(each) == (report, table) and each.row == fact.row}
        return next((each for each in wanted if each.column not in columns and each.row != fact.row), None)

    def namesake(self, said: str, best: Fact, asked: Question) -> Fact | None:
        """A figure of another amount in the same period whose label is what was said, where that of the best is not, or
        both are balances of notes, each of which may be the part of the other: `Deferred revenue`, current or not."""
        words = normalise(said)
        plain = words.replace("net loss", "net income")  # as `Net (loss) income` is compared
        wanted = (words, plain, f"{plain} including noncontrolling interest")
        is_said = words == normalise(best.label)
        is_noted = best.table is not None and self.statements[table_of(best)].score < SURE_STATEMENT
        if not words or best.period is None or (is_said and not (is_noted and is_instant(best))):
            return None
        for fact in (each for each in self.of_report(report_of(best)) if normalise(each.label) in wanted):
            alike = fact.period == best.period and fact.unit == best.unit and not (is_said and fact.table == best.table)
            if alike and self._off(fact, asked) <= self._off(best, asked) and amount_of(fact) != amount_of(best):
                return fact
        return None


def _is_of_time(fact: Fact, year: int | None, asked: Question) -> bool:
    """Whether a figure of a year is of the time that is asked for in it."""
    if fact.period is None:
        return False
    if asked.span is not None and not is_of_part_of_year(fact, asked.span, year, asked.when.by_days):
        return False
    return asked.when.day is None or is_near(fact, asked.when.day)
