"""Which line of a view a question means: by its line item in its statement, else by the words of its label."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property

from tieout.agent.offline.candidates.figure import (
    NEAR_DAYS,
    WHOLE_YEAR,
    amount_of,
    column_of,
    is_anniversary,
    is_instant,
    is_near,
    is_of_odd_length,
    is_of_part_of_year,
    names_a_part,
    report_of,
    row_of,
    table_of,
    without_inside,
    words_around,
    words_of,
    year_of,
)
from tieout.agent.offline.operands.qualified import binds, is_qualified
from tieout.agent.offline.operands.quantity import is_of_loss
from tieout.agent.question.question import Question
from tieout.data.printed.unit import NOT_MEASURES, Unit, is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.index.statement import Guess, read_statement
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item

_STOP = re.compile(r";|,\s")  # and no comma within an amount
_OF_INSIDE = re.compile(r"\b(?:net of|less|including)\b(.*)$", re.IGNORECASE | re.DOTALL)
_MORE = re.compile(r",| (?:on|for|related to|including|excluding) ")  # what follows in a sentence tells of what it is
# What makes another measure of one: `net sales` is not named by `cost of net sales`.
_BESIDES = re.compile(
    r"%|\b(?:percent\w*|margin|change|growth|increase|decrease|cost|deferred|per|ratio|share)\b", re.IGNORECASE
)
_DUE = re.compile(r"\bmaturit|\bmatur(?:e|ing)|\bdue\b|\brepayments?\b|future (?:minimum )?payments", re.IGNORECASE)
OF_NO_PART = frozenset(("net", "gross", "total"))  # words that name no part of a company by themselves
RATES = frozenset(("rate", "percentage", "margin", "percent"))  # words that ask for a percentage
OWN_STATEMENT, PER_RANK = 2.0, 0.06
FARTHEST = 5  # labels behind which another one is no less telling
OVER = 1.0  # of a line of a part of the company under a heading that says what is measured
OF_WHOLE = 0.3  # of one that is a part of the amount of the whole company, before parts of a part of that
FULL_COVER, AROUND_COVER, PER_EXTRA = 2.0, 0.8, 0.18
MOST_PER_SHARE = 1000  # dollars, or shares below which a count is none of a company's
SEGMENT, RATE, PART = 1.0, 0.8, 0.5  # taken off a line of a part of the company, of a rate, of part of a year
SURE_STATEMENT = 0.9
EXACT_LABEL = 0.6
PREFERRED = 0.5  # of the line that is meant where several have labels of the line item
TOLD, COUNTED = 1.4, 2.0  # scores of a figure in a sentence, and of a count of shares inside a label
NEAR, NEAR_STATEMENT, LEAST_LIKE = 0.6, 0.5, 0.7  # of labels that are only like one of the line item


@dataclass(frozen=True, slots=True)
class Pick:
    """A figure that a question may mean, and how well it fits. missing: words of the question that it leaves open."""

    fact: Fact
    score: float
    missing: frozenset[str] = frozenset()


class Lines:
    """The figures of a view, by table and period."""

    def __init__(self, facts: Sequence[Fact], statements: Mapping[str, tuple[str, float]] | None = None) -> None:
        """statements: those of the view that are known, as in `Card`; others are told by their lines."""
        self._known = statements or {}
        measures = [fact for fact in facts if fact.unit not in NOT_MEASURES]
        # What a file states without any page has no tables: its concepts are its lines.
        has_tables = any(fact.kind is FactKind.TABLE for fact in measures)
        of_lines = FactKind.TABLE if has_tables else FactKind.STATED
        self.facts = tuple(fact for fact in measures if fact.kind is of_lines and not _is_in_label(fact))
        self.told = tuple(fact for fact in measures if fact.kind not in (FactKind.TABLE, of_lines))
        self.in_labels = tuple(fact for fact in measures if _is_in_label(fact))

    @cached_property
    def statements(self) -> Mapping[tuple[str, int], Guess]:
        """Which statement each table is, by report and number."""
        inside: dict[tuple[str, int], list[Fact]] = defaultdict(list)
        for fact in self.facts:
            inside[table_of(fact)].append(fact)
        return {key: self._statement(key, facts) for key, facts in inside.items()}

    def _statement(self, key: tuple[str, int], facts: Sequence[Fact]) -> Guess:
        report, number = key
        known = self._known.get(f"{report}:t{number}" if report else f"t{number}")
        if known is not None:
            return Guess(*known)
        labels = list(dict.fromkeys(fact.label for fact in facts))
        return read_statement(facts[0].caption, facts[0].heading, labels, len(facts))

    def of_report(self, report: str) -> Sequence[Fact]:
        """The figures of one report."""
        return self._by_report.get(report, ())

    @cached_property
    def _by_report(self) -> Mapping[str, Sequence[Fact]]:
        found: dict[str, list[Fact]] = defaultdict(list)
        for fact in self.facts:
            found[report_of(fact)].append(fact)
        return found

    def of_item(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item in a fiscal year, the best first."""
        picks = []
        for fact in self._in(report, year, instant=item.is_instant, asked=asked):
            is_tag = fact.kind is FactKind.STATED and fact.concept in item.concepts
            rank = item.concepts.index(fact.concept) if is_tag else item.rank(fact.label)
            if rank is None or not _may_be(fact, item, self.under(fact)):
                continue
            guess = self.statements[table_of(fact)]
            own = OWN_STATEMENT * guess.score if guess.statement == item.statement else 0.0
            own = OWN_STATEMENT if is_tag else own
            exact = EXACT_LABEL if fact.concept in item.concepts and not fact.dimensions else 0.0
            meant = PREFERRED if item.is_preferred(fact.label) else -PER_RANK * min(rank, FARTHEST)
            rate = RATE if item.unit == Unit.PERCENT else 0.0  # which speaks against other lines alone
            score = 1 + own + exact + meant + rate - self._off(fact, asked)
            picks.append(Pick(fact, score, asked.open - words_around(fact)))
        return _ranked(picks)

    def like_item(
        self,
        item: LineItem,
        year: int | None,
        report: str,
        asked: Question,
        *,
        is_part: bool = False,
        in_full: bool = False,
    ) -> list[Pick]:
        """The figures whose labels are only like those of a line item, those in its own statement before others.

        is_part: the item is a part of a formula, for which no line that is known as another item stands. in_full: none
        of the words of its label may be missing, as what is missing can be added up from its parts.
        """
        best: dict[str, Pick] = {}
        for label in item.labels:
            words = frozenset(normalise(label).split())
            if len(words) < 2:
                continue  # too little to go by
            for pick in self.of_words(words, year, report, asked):
                other = find_line_item(pick.fact.label) or item
                if other != item and (is_part or other.spent != item.spent):
                    continue  # `Net sales` is no cost of sales
                if in_full and pick.missing:
                    continue
                if not binds(item, f"{pick.fact.label} {pick.fact.section} {pick.fact.header}"):
                    continue
                guess = self.statements[table_of(pick.fact)]
                own = NEAR_STATEMENT * guess.score if guess.statement == item.statement else -NEAR_STATEMENT
                score = pick.score + own - NEAR
                known = best.get(pick.fact.name)
                if _may_be(pick.fact, item, self.under(pick.fact)) and (known is None or score > known.score):
                    best[pick.fact.name] = Pick(pick.fact, score, asked.open - words_around(pick.fact))
        return [pick for pick in _ranked(list(best.values())) if pick.score > LEAST_LIKE]

    def of_due(self, words: frozenset[str], year: int, report: str) -> list[Pick]:
        """The figures of what falls due in a year, of a table whose title or headings say of what: its rows or columns
        are years."""
        picks = []
        for fact in self.of_report(report):
            if str(year) not in (fact.label.strip(), fact.header.strip()) or not is_amount_due(fact):
                continue
            over = words_of(
                f"{fact.caption} {fact.heading.rpartition('>')[2]} {fact.section} {fact.header} {fact.label}"
            )
            if words and words <= over | words_of(self.total_of(fact)):
                picks.append(Pick(fact, OWN_STATEMENT - PER_RANK * len(over - words)))
        return _ranked(picks)

    def of_qualified(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item whose qualifiers stand around them, the best first: of `current federal tax` the
        line `Federal` under `Current` in a table of income taxes."""
        picks = []
        for fact in self._in(report, year, instant=item.is_instant, asked=asked) if item.qualifiers else ():
            over = words_of(f"{fact.caption} {fact.heading.rpartition('>')[2]} {fact.section} {self.total_of(fact)}")
            if is_qualified(fact, item, over) and _may_be(fact, item, ""):
                off = RATE if fact.unit == Unit.PERCENT else 0.0
                odd = PART if not asked.part_of_year and is_of_odd_length(fact) else 0.0
                picks.append(Pick(fact, OWN_STATEMENT - off - odd, asked.open - words_around(fact)))
        return _ranked(picks)

    def of_words(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of the lines whose labels have most of these words, the best first."""
        picks = []
        for fact in self._in(report, year, instant=asked.of_a_day or None, asked=asked):
            label = words_of(without_inside(fact.label))
            inside = words & label
            if not inside:
                continue
            around = (words - label) & self.about(fact)
            score = (FULL_COVER * len(inside) + AROUND_COVER * len(around)) / len(words) - PER_EXTRA * len(
                label - words
            )
            statement = 0.3 * self.statements[table_of(fact)].score
            picks.append(Pick(fact, score + statement - self._off(fact, asked), words - label - around))
        return _ranked(picks)

    def elsewhere(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item that are in no column: in a sentence, or inside a label, as counts of shares are.

        In a label each amount belongs to the words up to the next stop: `50 shares authorized; 14 and 15 shares issued
        and outstanding`.
        """
        picks = []
        for fact in self.told:
            rank = item.rank(fact.label)
            if rank is None and (rank := item.rank(_MORE.split(fact.label)[0])) is not None:
                rank += 1
            instant = None if item.statement == "note" else item.is_instant
            if rank is not None and self._fits(fact, year, report, instant, asked) and _may_be(fact, item, ""):
                picks.append(Pick(fact, TOLD - PER_RANK * min(rank, FARTHEST), asked.open - words_around(fact)))
        for fact in self.in_labels if item.unit == "per share" else ():  # `Dividends declared ($1.20 per share)`
            rank = item.rank(f"{without_inside(fact.around()[0]).strip(' (,')} per share")
            if rank is not None and _may_be(fact, item, "") and self._fits(fact, year, report, None, asked):
                picks.append(Pick(fact, COUNTED, asked.open - words_around(fact)))
        for fact in self.in_labels if item.unit == "shares" else ():
            behind = _STOP.split(fact.around()[1])[0]
            words = words_of(item.labels[0]) - {"share"}
            if fact.unit == Unit.SHARES and words <= words_of(behind) and self._fits(fact, year, report, True, asked):
                picks.append(Pick(fact, COUNTED, asked.open - words_around(fact)))
        return _ranked(picks)

    def inside_labels(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The amounts inside labels that are of all the words a question says beside what else the label names."""
        picks = []
        for fact in self.in_labels:
            found = _OF_INSIDE.search(fact.around()[0])
            own = words_of(found[1]) if found else frozenset()
            head = words_of(without_inside(fact.label))
            if not words & own - head or words - own - head or not self._fits(fact, year, report, None, asked):
                continue
            picks.append(Pick(fact, COUNTED + OVER / 2))
        return _ranked(picks)

    def told_of_words(self, words: frozenset[str], year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures in sentences whose phrases have all of these words, the best first."""
        picks = []
        for fact in self.told:
            label = words_of(fact.label)
            if not words or words - label or not self._fits(fact, year, report, None, asked):
                continue
            if bool(words & RATES) == (fact.unit == Unit.PERCENT):
                picks.append(Pick(fact, TOLD + OVER / 2 - PER_EXTRA * len(label - words)))
        return _ranked(picks)

    def is_tax_taken_off(self, tax: Fact) -> bool:
        """Whether a tax that is printed below zero is an expense all the same: its column comes to less after it."""
        column = [fact for fact in self.facts if column_of(fact) == column_of(tax)]
        known = {item.name: fact.value for fact in reversed(column) if (item := find_line_item(fact.label))}
        before = known.get("pretax_income")
        after = known.get("net_income_with_noncontrolling", known.get("net_income"))
        return tax.value < 0 and before is not None and after is not None and after < before

    def blank(self, fact: Fact, year: int | None, asked: Question) -> Fact | None:
        """A figure of the period that is asked for, in the table and not in the line of another figure, where that line
        prints none in its column: a dash, or nothing. None where the line has one, or the table no such period."""
        report, table = table_of(fact)
        wanted = [each for each in self._in(report, year, None, asked) if table_of(each) == (report, table)]
        if any(each.row == fact.row for each in wanted):
            return None
        columns = {each.column for each in self.facts if table_of(each) == (report, table) and each.row == fact.row}
        return next((each for each in wanted if each.column not in columns and each.row != fact.row), None)

    def namesake(self, said: str, best: Fact, asked: Question) -> Fact | None:
        """A figure of another amount in the same period whose label is what was said, where that of the best is not."""
        words = normalise(said)
        if not words or words == normalise(best.label) or best.period is None:
            return None
        for fact in self.facts:
            alike = report_of(fact) == report_of(best) and fact.period == best.period and fact.unit == best.unit
            is_said = alike and normalise(fact.label) == words and not self._off(fact, asked)
            if is_said and amount_of(fact) != amount_of(best):
                return fact
        return None

    def under(self, fact: Fact) -> str:
        """The sub-heading of a figure in lower case, "" behind the line that is its total: `Total current assets`."""
        section = fact.section.lower().rstrip(": ")
        total = self._totals.get((*table_of(fact), section))
        return "" if total is not None and row_of(fact) > total else section

    def about(self, fact: Fact) -> frozenset[str]:
        """The words of all that says what a figure is about, with those of the total that it is a part of."""
        return words_around(fact) | words_of(self.total_of(fact))

    def around(self, fact: Fact) -> frozenset[str]:
        """As `about`; of a figure inside a label or a sentence with the words around it there."""
        if fact.kind is FactKind.TABLE and not _is_in_label(fact):
            return self.about(fact)
        return self.about(fact) | words_of(fact.label) | words_of(fact.context)

    def total_of(self, fact: Fact) -> str:
        """The label of the next total below a figure in its table, "" for none: `Total net sales`."""
        rows = self._rows_of_totals.get(table_of(fact), ())
        return next((label for row, label in rows if row > row_of(fact)), "")

    @cached_property
    def _rows_of_totals(self) -> Mapping[tuple[str, int], Sequence[tuple[int, str]]]:
        """The rows of totals with their labels, in order, by report and table."""
        found: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
        for fact in self.facts:
            if fact.label.lower().startswith("total "):
                found[table_of(fact)][row_of(fact)] = fact.label
        return {key: sorted(rows.items()) for key, rows in found.items()}

    def _adds_up_to(self, fact: Fact) -> Decimal | None:
        """The amount of the next total below a figure in its column, as of `Total` under segments; None for none."""
        below = self._totals_of_columns.get(column_of(fact), ())
        return next((amount for row, amount in below if row > row_of(fact)), None)

    @cached_property
    def _totals_of_columns(self) -> Mapping[tuple[str, int, int], Sequence[tuple[int, Decimal]]]:
        """The amounts of totals with their rows, in order, by report, table and column."""
        found: dict[tuple[str, int, int], dict[int, Decimal]] = defaultdict(dict)
        for fact in self.facts:
            if "total" in words_of(fact.label):
                found[column_of(fact)][row_of(fact)] = amount_of(fact)
        return {key: sorted(rows.items()) for key, rows in found.items()}

    def of_part(self, item: LineItem, year: int | None, report: str, asked: Question) -> list[Pick]:
        """The figures of a line item of a part of the company that the question names, the best first: of a segment, a
        country, a product.

        Its line is labelled with the part; what is measured stands over it, or in the total below it, or its total is
        the amount of the whole company.
        """
        picks = []
        wholes = {amount_of(pick.fact) for pick in self.of_item(item, year, report, asked)[:1]} - {0}
        for fact in self._in(report, year, instant=None, asked=asked):
            label = words_of(fact.label)
            inside = (asked.open & label) - OF_NO_PART
            if not inside or asked.open - label - self.about(fact) or not _may_be(fact, item, ""):
                continue
            if (fact.unit == Unit.PERCENT) != (item.unit == Unit.PERCENT) or _BESIDES.search(fact.header):
                continue
            said = max((how for text, how in self._over(fact) if names_item(item, text)), default=None)
            is_of_whole = self._adds_up_to(fact) in wholes
            if said is None and not is_of_whole:
                continue
            said = (OVER if said is None else said) + is_of_whole * OF_WHOLE
            score = FULL_COVER * len(inside) / len(asked.open) - PER_EXTRA * len(label - asked.open) + said
            picks.append(Pick(fact, score + (0 if asked.part_of_year or not is_of_odd_length(fact) else -PART)))
        return _ranked(picks)

    def _over(self, fact: Fact) -> Iterable[tuple[str, float]]:
        """What may say what a line of a part measures, and how surely."""
        yield fact.section, OVER
        if fact.section:
            return
        yield fact.header, OVER
        yield self.total_of(fact), OVER
        yield fact.caption, OVER / 2
        yield fact.heading.rpartition(">")[2], OVER / 2

    @cached_property
    def _totals(self) -> Mapping[tuple[str, int, str], int]:
        """The row of the total of each sub-heading, by report, table and sub-heading."""
        found: dict[tuple[str, int, str], int] = {}
        for fact in self.facts:
            section = fact.section.lower().rstrip(": ")
            if section and normalise(fact.label) == normalise(f"total {section}"):
                found.setdefault((*table_of(fact), section), row_of(fact))
        return found

    def _fits(self, fact: Fact, year: int | None, report: str, instant: bool | None, asked: Question) -> bool:
        """Whether a figure in no column is of the time that is asked for, and of no odd one where none is."""
        if report_of(fact) != report or not _is_of_time(fact, year, instant, asked):
            return False
        return asked.span is not None or not is_of_odd_length(fact)

    def latest(self, report: str) -> int | None:
        """The latest year that the statements of the view are about."""
        years = [year_of(fact) for fact in self.of_report(report) if fact.period is not None and self._says_when(fact)]
        return max((year for year in years if year is not None), default=None)

    def _says_when(self, fact: Fact) -> bool:
        """Whether the year of a figure is one that the report is about: in a statement, or a whole year of a tag."""
        if fact.kind is not FactKind.STATED:
            return bool(self.statements[table_of(fact)].statement)
        return not is_instant(fact) and not is_of_odd_length(fact) and bool(fact.period and fact.period.start)

    def _in(self, report: str, year: int | None, instant: bool | None, asked: Question) -> Iterable[Fact]:
        return (fact for fact in self.of_report(report) if _is_of_time(fact, year, instant, asked))

    @cached_property
    def _closings(self) -> Mapping[str, frozenset[date]]:
        """The days on which fiscal years end, by report: those before its longest spans up to a year, which begin with
        the year."""
        found: dict[str, frozenset[date]] = {}
        for report, facts in self._by_report.items():
            periods = {fact.period for fact in facts if fact.period and not is_instant(fact)}
            spans = [(each.start, (each.end - each.start).days) for each in periods if each.start and each.end]
            longest = max((days for _, days in spans if days <= WHOLE_YEAR[-1]), default=0)
            begun = {start for start, days in spans if days >= longest - NEAR_DAYS}
            found[report] = frozenset(start - timedelta(days=1) for start in begun)
        return found

    @cached_property
    def _newest(self) -> Mapping[str, date]:
        """The last day of the balances of a statement, by report."""
        found: dict[str, date] = {}
        for fact in self.facts:
            if is_instant(fact) and fact.period and fact.period.end and self.statements[table_of(fact)].statement:
                found[report_of(fact)] = max(found.get(report_of(fact), date.min), fact.period.end)
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
        closings = self._closings.get(report_of(fact), frozenset())
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


def _is_in_label(fact: Fact) -> bool:
    """Whether a figure of a table stands in no column, but inside the label of a line."""
    return fact.kind is FactKind.TABLE and not fact.column


def _is_of_time(fact: Fact, year: int | None, instant: bool | None, asked: Question) -> bool:
    """Whether a figure is of a time that is asked for. instant: whether it is to be of a day, None for either."""
    if fact.period is None or (year is not None and year_of(fact) != year):
        return False
    if instant is not None and is_instant(fact) not in (instant, None):
        return False
    if asked.span is not None and not is_of_part_of_year(fact, asked.span, year, asked.when.by_days):
        return False
    return asked.when.day is None or is_near(fact, asked.when.day)


def names_item(item: LineItem, text: str) -> bool:
    """Whether a heading names a line item, and nothing that is reckoned from it."""
    words = f" {normalise(text)} "
    named = [label for label in map(normalise, item.labels) if f" {label} " in words]
    rest = words
    for label in named:
        rest = rest.replace(f" {label} ", "  ")
    return bool(named) and not _BESIDES.search(rest)


def _may_be(fact: Fact, item: LineItem, under: str) -> bool:
    """Whether unit and sub-heading let a figure be of a line item. under: the sub-heading, in lower case."""
    unit = str(fact.unit or "")
    if item.name == "revenue" and is_of_loss(fact.label):
        return False
    is_said = "per" in (words := normalise(fact.label).split()) and "share" in words
    if item.unit == "per share" and not (
        unit.endswith("/share") or ((not unit or is_said) and fact.value.copy_abs() < MOST_PER_SHARE)
    ):
        return False
    if item.unit == "shares" and (
        unit.endswith("/share") or is_currency(unit) or fact.value.copy_abs() < MOST_PER_SHARE
    ):
        return False
    if item.unit == Unit.PERCENT and unit not in (Unit.PERCENT, ""):
        return False
    if not item.unit and (unit.endswith("/share") or unit == Unit.SHARES) and item.statement != "note":
        return False
    if item.under and under and not under.startswith(item.under):
        return False
    return not under.startswith(item.not_under) if item.not_under else True


def is_amount_due(fact: Fact) -> bool:
    """Whether a figure stands in a table of what falls due."""
    over = f"{fact.caption} {fact.heading.rpartition('>')[2]} {fact.section} {fact.header}"
    return is_currency(fact.unit) and _DUE.search(over) is not None


def _ranked(picks: list[Pick]) -> list[Pick]:
    return sorted(picks, key=lambda pick: -pick.score)
