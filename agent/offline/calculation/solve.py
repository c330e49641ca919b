"""What a question needs from one report: figures looked up in its view, metrics calculated from their parts."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache, partial
from typing import Any

from tieout.agent.offline.operands.linking import OF_NO_PART, OVER, Lines, Pick
from tieout.agent.question.question import Question
from tieout.data.arithmetic.operations import OperationError, come_to
from tieout.data.printed.unit import Unit
from tieout.kg.fact import Fact
from tieout.kg.figure import OTHER_MEASURE, TELLING, amount_of, figure, is_one, table_of, words_of
from tieout.kg.filings.direction import is_turned, turned
from tieout.kg.filings.eligible import may_be
from tieout.kg.meant import is_rounded
from tieout.kg.moves import is_growth, is_taken_off
from tieout.kg.sums import number_of
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.asked.sort import is_other
from tieout.ontology.asked.tree import WORDS, is_percent, over_time, parts
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.formula import Apply, Formula, Operand, at_closing, evaluate
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import Metric, metrics

SURE, STEEP = 1.2, 2.2  # a score at which a figure is as likely right as not, and how fast that grows with it
OF_STATEMENT = 2.0  # a score that only a line of its own statement has
MOST_SURE = 0.97  # of what a question names: nothing printed elsewhere makes it surer
EVEN = 0.5  # what is left of a chance where another line may be meant as well
USUAL = 0.86  # chance of the line that is meant as a rule, where another has the very words of the question
MAY_BE = 0.78  # most of what is only likely to be what a question names: it is weighed against other readings
CORROBORATED, MOST_TABLES = 0.6, 2  # score by further table, how many count
CLOSE = 0.25  # difference of scores within which another figure is as good


class NotThereError(LookupError):
    """What a question needs is not in the view. words: what is missing."""


@dataclass(slots=True)
class Plan:
    """The calls of a turn under way. chance: that all its figures are the right ones. under_way: the metrics that are
    being made, none of which is a part of itself. meant: as what each of its figures is taken."""

    turn: int
    calls: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    chance: float = 1.0
    alternative: str = ""
    facts: list[Fact] = field(default_factory=list)
    meant: list[str] = field(default_factory=list)
    doubted: set[tuple[object, ...]] = field(default_factory=set)
    under_way: list[str] = field(default_factory=list)

    def take(self, picks: Sequence[Pick], what: str) -> str:
        """The best figure, looked up; its name. Raises NotThereError where there is none."""
        if not picks:
            raise NotThereError(what)
        best = picks[0]
        other = next((pick for pick in picks[1:] if _differs(pick.fact, best.fact)), None)
        score = best.score + _corroboration(picks)
        margin = best.score - other.score if other else 1.0  # printing it again does not say that it is what was meant
        sure, plain = (min(MOST_SURE, 1 / (1 + math.exp(STEEP * (SURE - at)))) for at in (score, score - best.likely))
        chance = max(plain, min(MAY_BE, sure))
        if margin < CLOSE:
            chance *= 0.5 + 0.5 * margin / CLOSE
            self.alternative = self.alternative or (figure(other.fact) if other else "")
        chance *= 0.75 ** len(best.missing)
        line = {(table_of(fact), fact.row) for fact in self.facts}
        if best.fact.row is None or (table_of(best.fact), best.fact.row) not in line:
            self.chance *= chance  # of a line that is the right one all years are
        self.facts.append(best.fact)
        self.meant.append(what)
        self.calls.append(("query_kg", {"fact": best.fact.name}))
        return best.fact.name

    def mark(self) -> tuple[int, int, float]:
        """Where the plan is, to come back to."""
        return len(self.calls), len(self.facts), self.chance

    def back_to(self, mark: tuple[int, int, float]) -> None:
        """Forgets what was planned since."""
        calls, facts, self.chance = mark
        del self.calls[calls:], self.facts[facts:], self.meant[facts:]

    def tried(self, make: Callable[[], str | None]) -> str | None:
        """The name of what is made; None, with nothing of it planned, where a figure of it is not there."""
        before = self.mark()
        try:
            return make()
        except NotThereError:
            self.back_to(before)
            return None

    def doubt(self, other: Fact, left: float = EVEN) -> None:
        """Another line may be meant as well, which is as likely in every year. left: what is left of the chance."""
        line = (*table_of(other), other.row, other.label)
        self.chance *= 1 if line in self.doubted else left
        self.doubted.add(line)
        self.alternative = self.alternative or figure(other)

    def calculate(self, operation: str, values: Sequence[str]) -> str:
        """A calculation under a name of its own."""
        name = f"turn{self.turn}step{sum(tool == 'calculate' for tool, _ in self.calls) + 1}"
        self.calls.append(("calculate", {"operation": operation, "values": list(values), "name": name}))
        return name

    def amounts(self, names: Iterable[str]) -> dict[str, Decimal]:
        """What figures and results come to, by name, in full units, percentages as decimals. Raises NotThereError for
        a calculation that is not allowed."""
        known = {fact.name: number_of(fact) for fact in self.facts}
        try:
            known = come_to((made for tool, made in self.calls if tool == "calculate"), known)
        except OperationError as error:
            raise NotThereError("what is asked for") from error
        return {name: known[name] for name in names}

    def as_percentage(self, name: str) -> str:
        """A quotient that was planned last, in percent; whatever else has the name, as it is."""
        _, made = self.calls[-1]
        if (made.get("name"), made.get("operation")) == (name, "divide"):
            made["operation"] = "percentage"
        return name


def is_rate(asked: Question) -> bool:
    """Whether the answer is a rate that people say in percent, as a margin."""
    return asked.calculation in ("value", "average") and is_percent(asked.tree)


class Solver:
    """Finds what a question needs in one report."""

    def __init__(self, lines: Lines, asked: Question, report: str, plan: Plan) -> None:
        self.lines, self.asked, self.report, self.plan = lines, asked, report, plan

    def tree(self, year: int | None, *, tree: Formula | None = None) -> str:
        """The name of what the question's own tree comes to in a year, or of one over time that is made of it."""
        made = self.formula(tree or self.asked.tree or WORDS, year, {each.name: each for each in self.asked.named})
        assert made is not None
        return made

    def compared(self, year: int | None, tree: Formula | None = None) -> str:
        """As `tree`, of what is held against something else: a margin in percent, as people say it."""
        name = self.tree(year, tree=tree)
        return self.plan.as_percentage(name) if is_percent(tree or self.asked.tree) else name

    def value(self, named: Named | None, year: int | None) -> str:
        """The name of a figure or of a result: what is named, in a year."""
        if named is None:
            if not self.asked.open:
                raise NotThereError("anything that is asked for")
            picks = self._due("", year) or self._by_words(self.asked.open, year)
            taken = self.plan.take(picks, " ".join(sorted(self.asked.open)))
            if (other := self._as_expense(year)) is not None and _differs(other.fact, picks[0].fact):
                self.plan.doubt(other.fact)
            is_cost = self.asked.calculation != "value" or self.asked.named
            is_spent = (is_cost and is_taken_off([picks[0].fact])) or self.lines.is_cost_taken_off(picks[0].fact)
            is_spent = is_spent or ("size" in self.asked.cues and picks[0].fact.value < 0)
            return self.plan.calculate("magnitude", [taken]) if is_spent else taken
        asked = self.asked
        if asked.tree is not None and WORDS.name in parts(asked.tree):  # open words are of a part of their own
            asked = replace(asked, tree=None, open=frozenset())
        asked = asked if named.said else _for_parts(asked)
        said = ("", named.said) if named.is_metric else (named.said, "")
        return Solver(self.lines, asked, self.report, self.plan)._of(named.name, year, *said)

    def _as_expense(self, year: int | None) -> Pick | None:
        """The line of a statement that a cost which is asked for may be too, under the name of an expense: of `interest
        costs` the interest expense, beside the interest cost of a pension."""
        if "cost" not in self.asked.open or len(self.asked.open) != 2:
            return None
        item = find_line_item(f"{next(iter(self.asked.open - {'cost'}))} expense")
        picks = self.lines.of_item(item, year, self.report, self.asked) if item else []
        return picks[0] if picks and picks[0].score > OF_STATEMENT else None

    def _of(self, name: str, year: int | None, said: str = "", called: str = "") -> str:
        """The name of a line item's figure or of a metric's result. said, called: the words that named the one or the
        other, "" for a part.

        What the report prints under the name of a metric is taken before what the metric is made of.
        """
        if (said or called) and is_other(self.asked.asks_of_figures, name):  # a ratio, called by what it is of
            return self.plan.take(self._whole_of(said or called, year), in_words(name))
        item, metric = line_items().get(name), metrics().get(name)
        if self.asked.open and (cells := self.lines.of_cell(item, metric, year, self.report, self.asked)):
            taken = self.plan.take(cells, in_words(name))
            return self._as_meant(item, said, cells[0].fact, taken) if item else taken
        if metric and self.lines.part_names.named(self.asked.open) and (made := self._of_one_part(metric, year)):
            return made
        due = self._due(said or called, year)
        picks = due or (self.lines.of_item(item, year, self.report, self.asked) if item else [])
        if item and not picks:
            picks = self.lines.of_qualified(item, year, self.report, self.asked)
            if item.is_instant or item.statement == "note":
                picks = picks or self._of_balance(item, said, year)
        if metric is not None and not picks:
            picks = self._as_reckoned(metric, year, self.lines.of_metric(metric, called, year, self.report, self.asked))
        is_whole = True
        if self.asked.open and (not picks or picks[0].missing):
            part = self._of_a_part(name, said or called, year)
            beside = [
                replace(pick, score=pick.score + OVER * (2 if self.asked.open in map(words_of, pick.fact.parts) else 1))
                for pick in picks
                if self.asked.open <= words_of(f"{pick.fact.section} {pick.fact.header}")
            ]
            if part and beside and _differs(part[0].fact, beside[0].fact):
                label, named = words_of(part[0].fact.label), words_of(said or called)
                more = label - self.asked.open - language().words["of a part"] - OF_NO_PART
                if not named <= label and (alike := [pick for pick in part if not _differs(pick.fact, beside[0].fact)]):
                    part = [replace(pick, score=part[0].score + OVER) for pick in alike]
                elif self.asked.open - label or (more and not named <= label):  # the column has the name of the part
                    part = []
                else:
                    self.plan.doubt(beside[0].fact)
            part = part or beside or [replace(pick, score=pick.score + OVER) for pick in picks if not pick.missing]
            picks, is_whole = part or picks, not part
            if not part and metric is not None and (made := self._of_one_part(metric, year)) is not None:
                return made
        if item and not picks and (metric is None or said):
            where, is_bound = (year, self.report, self.asked), metric is not None or not said
            picks = self.lines.elsewhere(item, *where)
            picks = picks or self.lines.like_item(item, *where, is_bound)
        if picks or (item and metric is None):
            other, left = None, 1.0
            if picks and is_whole and not due:  # which is no balance of the same name
                picks, other, left = self._of_one_name(item, said, picks)
            taken = self.plan.take(picks, in_words(name))
            if other is not None:
                self.plan.doubt(other, left)
            return self._as_meant(item, said, picks[0].fact, taken) if item else taken
        if metric is None:
            raise NotThereError(in_words(name))
        result = self._made(metric, year)
        is_cost = item is not None and "expense" in normalise(said).split()
        return self.plan.calculate("magnitude", [result]) if is_cost else result

    def _of_one_name(
        self, item: LineItem | None, said: str, picks: list[Pick]
    ) -> tuple[list[Pick], Fact | None, float]:
        """The figures of the line that is meant, of two that may be called as it is said; the other line, None for none
        that is meant as likely; and what that leaves of the chance."""
        best = picks[0]
        other = self.lines.namesake(said, best.fact, self.asked)
        if other is None or (item and self._is_of_a_note(other, item, best)):
            return picks, None, 1
        usual = item if item and item.is_preferred(best.fact.label) else None
        left = USUAL if usual else EVEN
        if table_of(other) != table_of(best.fact):
            return picks, other, left
        if said.lower().startswith("total "):
            return [replace(best, fact=other)], None, 1
        is_bare = find_line_item(other.label) == usual and not isinstance(self.asked.tree, Apply)
        if usual and is_bare and not usual.is_preferred(self.asked.lower):
            return [replace(best, fact=other)], best.fact, left
        return picks, other, left

    def _as_reckoned(self, metric: Metric, year: int | None, picks: list[Pick]) -> list[Pick]:
        """Printed figures under the name of a metric; where they differ, as of segments, first what it comes to."""
        before = self.plan.mark()
        with suppress(NotThereError):
            if not self.asked.open and any(_differs(pick.fact, picks[0].fact) for pick in picks):
                value = self.plan.amounts([made := self._made(metric, year)])[made]
                picks = [replace(each, score=each.score + OVER * is_rounded(value, each.fact)) for each in picks]
        self.plan.back_to(before)
        return sorted(picks, key=lambda pick: -pick.score)

    def _of_balance(self, item: LineItem, said: str, year: int | None) -> list[Pick]:
        """The balances of a table that is titled as a line item is called, by the words that named it first."""
        for label in dict.fromkeys((said, item.labels[0]) if said else (said,)):
            words = frozenset(normalise(label).split()) | self.asked.open
            picks = self.lines.of_balance(words, year, self.report, self.asked)
            if found := [pick for pick in picks if may_be(pick.fact, item, "")]:
                return found
        return []

    def _as_meant(self, item: LineItem, said: str, fact: Fact, taken: str) -> str:
        """The name of a figure that was looked up, signed as a question means it: a loss of so much, what was used."""
        lines = self.lines
        statement = "" if fact.table is None else lines.statements[table_of(fact)].statement
        if is_turned(item, said, fact, statement, lines.facts):
            return self.plan.calculate(*turned(fact, taken))
        is_off = "size" in self.asked.cues or (item.name == "interest_net" and isinstance(self.asked.tree, Apply))
        return self.plan.calculate("magnitude", [taken]) if is_off and fact.value < 0 else taken

    def _made(self, metric: Metric, year: int | None) -> str:
        """The name of what a metric comes to, by the first of its formulas all of whose parts are there."""
        if metric.name in self.plan.under_way:
            raise NotThereError(in_words(metric.name))
        self.plan.under_way.append(metric.name)
        try:
            for formula in metric.rather:
                if (made := self.plan.tried(partial(self.formula, formula, year, {}))) is not None:
                    return made
            is_closing = "closing balances" in self.asked.cues
            made = self.formula(at_closing(metric.formula) if is_closing else metric.formula, year, {})
            if made is None:  # it has none of its parts
                raise NotThereError(in_words(metric.name))
            return made
        finally:
            self.plan.under_way.pop()

    def _of_one_part(self, metric: Metric, year: int | None) -> str | None:
        """What a metric comes to of a part of the company, of which all its figures have to be: of `subscription gross
        profit` the revenue and the cost of subscriptions."""
        before = self.plan.mark()
        with suppress(NotThereError):
            made = self._made(metric, year)
            used = [(fact.name, what) for fact, what in zip(self.plan.facts, self.plan.meant, strict=True)][before[1] :]
            is_apart = len({*used}) == len({name for name, _ in used})  # none is its revenue and a cost of it
            if is_apart and all(self.asked.open <= self.lines.around(fact) for fact in self.plan.facts[before[1] :]):
                return made
        self.plan.back_to(before)
        return None

    def _is_of_a_note(self, other: Fact, item: LineItem, best: Pick) -> bool:
        """Whether a figure stands outside of the statement of a line item, which prints the best one: a note that says
        what is in the lines of a statement has their names."""
        of, own = self.lines.statements, item.statement
        return best.score > OF_STATEMENT and of[table_of(best.fact)].statement == own != of[table_of(other)].statement

    def _due(self, said: str, year: int | None) -> list[Pick]:
        """What falls due in a year or after it, or is expected of one to come, of what a question names; else none."""
        is_ahead = "falls due" not in self.asked.cues
        if year is None or (is_ahead and year <= (self.lines.latest(self.report) or year)):
            return []
        words = frozenset(normalise(said).split()) - {"total"} | self.asked.open
        is_after = "due after" in self.asked.cues
        due = self.lines.of_due(words, year, self.report, is_ahead=is_ahead, is_after=is_after)
        if is_after and not due:  # what is due in all years is not meant
            raise NotThereError(said or " ".join(sorted(words | self.asked.open)))
        return due

    def _of_a_part(self, name: str, said: str, year: int | None) -> list[Pick]:
        """The figures of what is named, of that which the question says beside it: of a segment or country, of an
        amount inside a label, or under a longer name. None are left that leave a word open.

        said: the words that named it, "" for a part of a formula.
        """
        item, metric, where = line_items().get(name), metrics().get(name), (year, self.report, self.asked)
        picks = self.lines.of_part(item, *where) if item else []
        if picks or not said:
            return picks
        whole = self._whole_of(said, year)
        if item is not None and item.unit != Unit.PERCENT:
            return [pick for pick in whole if pick.fact.unit != Unit.PERCENT]  # how it grew stands beside it
        if item is not None or metric is None:
            return whole
        called = (each for label in metric.labels for each in self._whole_of(label, year))  # it may be called otherwise
        return [pick for pick in whole or called if self.lines.is_of_unit(pick.fact, metric.unit)]

    def _whole_of(self, said: str, year: int | None) -> list[Pick]:
        """The figures of the lines that have all words of a name, and those that the question leaves open."""
        words = self.asked.open | frozenset(normalise(said).split())
        return [pick for pick in self._by_words(words, year) if not pick.missing]

    def _by_words(self, words: frozenset[str], year: int | None) -> list[Pick]:
        """The figures of lines with these words, those first that leave none open; of sentences where none has all."""
        where = year, self.report, self.asked
        picks = self.lines.of_words(words, *where)
        whole = [pick for pick in picks if not pick.missing]
        whole = whole or self.lines.inside_labels(words, *where) or self.lines.of_balance(words, *where)
        return whole or self.lines.told_of_words(words, *where) or picks

    def printed_change(self, year: int) -> str | None:
        """The name of a growth that a report prints as such, of what no statement has: `Comparable sales (% change)`.
        None where a question asks for another one."""
        words = self.asked.open.union(*(normalise(each.said).split() for each in self.asked.named))
        is_other = self.asked.calculation == "growth" and not OTHER_MEASURE.isdisjoint(self.asked.open)
        picks = [each for each in self._by_words(words, year) if not each.missing] if is_other else []
        if not picks or not is_growth(picks[0].fact):
            return None
        return self.plan.take([replace(each, score=each.score + OVER) for each in picks], "growth")

    def formula(self, tree: Formula, year: int | None, said: Mapping[str, Named]) -> str | None:
        """The name of what a formula comes to, seen from a year. said: what the question names itself, by name."""
        return evaluate(tree, _In(self, year, said))

    def optional(self, part: Formula, year: int | None) -> str | None:
        """The result of a part that a report need not have. A figure that is in the formula already is not that part:
        reports that name one line for two, and notes that print a line of a statement under another name."""
        before = self.plan.mark()
        made = self.plan.tried(partial(self.formula, part, year, {}))
        known, new = self.plan.facts[: before[1]], self.plan.facts[before[1] :]
        if any(is_one(fact, other) for fact in new for other in known):
            self.plan.back_to(before)
            return None
        return made


@dataclass(frozen=True, slots=True)
class _In:
    """The parts of formulas in one year of a report. said: what the question names itself, by name."""

    solver: Solver
    year: int | None
    said: Mapping[str, Named]

    def constant(self, value: Decimal) -> str:
        return f"{value:f}"

    def named(self, name: str, back: int) -> str:
        if back and self.year is None:
            raise NotThereError(f"{in_words(name)} of the year before")
        year = None if self.year is None else self.year + back
        if not name or name in self.said:
            return self.solver.value(self.said.get(name), year)
        return self.solver.value(Named(name, 0, 0, False), year)

    def optional(self, part: Formula) -> str | None:
        return self.solver.optional(part, self.year)

    def together(self, operation: str, values: tuple[str, ...]) -> str:
        done = self.solver.plan.calls[-1][1] if operation == "magnitude" else {}
        return values[0] if done.get("name") == values[0] else self.solver.plan.calculate(operation, values)


def solve(solver: Solver, asked: Question) -> str | None:
    """The name of what answers a question for one figure; None where it is asked in a way that has none.

    Raises NotThereError where a figure of it is not there.
    """
    years = years_of(solver, asked)
    if asked.whole is not None and isinstance(asked.tree, Apply) and len(asked.whole.named) == 1 and not asked.open:
        over = Apply("percentage", (asked.tree, Operand(asked.whole.named[0].name)))  # `A plus B as a share of C`
        return solver.tree(one_year(solver, years), tree=over)
    if asked.whole is not None:
        return _share(solver, asked, asked.whole) if len(asked.named) < 2 else None
    year = one_year(solver, years)
    if (asked.named and asked.tree is None) or (asked.calculation == "value" and len(years) > 1):
        return None
    back = _years_back(asked, years)
    if back is None:
        return solver.tree(year)
    if year is None:
        return None
    if (printed := solver.printed_change(year)) is not None:
        return printed
    if asked.calculation == "yearly growth" and asked.when.last > back:
        longer = over_time(asked.tree or WORDS, asked.calculation, back + 1)
        # `the 3-year CAGR`: from the year before the first of them, where it is printed.
        if (made := solver.plan.tried(partial(solver.tree, year, tree=longer))) is not None:
            return made
    return solver.tree(year, tree=over_time(asked.tree or WORDS, asked.calculation, back, falls=asked.moved == "fell"))


def years_of(solver: Solver, asked: Question) -> list[int]:
    """The years that a question is about, in order: those that it names, those since one that is all it names or holds
    something against, or so many of the latest."""
    latest = solver.lines.latest(solver.report)
    if (asked.when.since or asked.on_base) and latest is not None and latest > asked.years[0]:
        return [asked.years[0], latest]
    return sorted(asked.years) or _last_years(solver, asked.when.last)


def _years_back(asked: Question, years: Sequence[int]) -> int | None:
    """How many years before the last one a calculation begins; None where it is of one year alone."""
    if asked.calculation in ("change", "growth", "multiple"):
        return years[-1] - years[0] if len(years) > 1 else 1
    if asked.calculation in ("average", "sum", "yearly growth") and years:
        return years[-1] - years[0] or (1 if asked.calculation == "yearly growth" else 0)
    return None


@lru_cache(maxsize=64)
def _for_parts(asked: Question) -> Question:
    """The question as its metric is made of parts, which are of other sorts: a rate of two amounts."""
    return replace(asked, is_part=True)


def _share(solver: Solver, asked: Question, whole: Question) -> str | None:
    """What a part has of a whole, in percent. A part without a line item of its own is one of the whole's: of a country
    or segment, else a line that has its words."""
    plan, where = solver.plan, (solver.lines, solver.report)
    measures = tuple({each.name: each for each in whole.named}.values())
    if len(measures) > 1 or len(asked.years) > 1 or not (asked.named or asked.open):
        return None
    year = one_year(solver, sorted(asked.years))
    before = plan.mark()
    of_whole = asked_of(whole, asked)
    measured = [measures[0]] if measures and not asked.named else []
    ways = [(asked, each) for each in (*measured, asked.named[0] if asked.named else None)]
    if measured and asked.open and whole.open:  # of a part: `of the sales of Asia those of phones`
        ways = [(replace(asked, open=asked.open | whole.open), measured[0]), *ways]
    for of_part, measure in ways:
        part = plan.tried(partial(Solver(where[0], of_part, where[1], plan).value, measure, year))
        if part is None:
            continue
        left = of_part.open.difference(*(where[0].around(fact) for fact in plan.facts[before[1] :]))
        if left:
            plan.back_to(before)
            continue
        own = plan.facts[before[1] :]
        if len(own) == 1 and own[0].unit == Unit.PERCENT and where[0].is_share_of(own[0], of_whole):
            if not where[0].told_share(asked.open, of_whole, year):
                return part
            plan.back_to(before)
            break  # a sentence says it of the very part
        total = _of_the_same_part(solver, asked, of_whole, year) if measure and asked.open else None
        total = total or Solver(where[0], of_whole, where[1], plan).value(measures[0] if measures else None, year)
        used = plan.facts[before[1] :]
        if total == part or len({fact.unit for fact in used} - {None}) > 1:
            plan.back_to(before)
            if of_part is not asked:
                continue
            break  # a line that has the words of both is the whole alone, and of money nothing is a share of people
        return plan.calculate("percentage", [part, total])
    if told := where[0].told_share(asked.open, of_whole, year):
        return plan.take(told, " ".join(sorted(asked.open)))
    raise NotThereError(" ".join((*(in_words(each.name) for each in asked.named), *sorted(asked.open))))


def _of_the_same_part(solver: Solver, asked: Question, of_whole: Question, year: int | None) -> str | None:
    """The whole of a share as an amount of the part that is named with what is measured of it: of the net income of a
    segment in sales those of the segment. None where it is the whole of the company, or is not printed of the part."""
    names = {each.name for each in of_whole.named}
    if len(names) != 1 or of_whole.open or names & {each.name for each in asked.named} or not asked.named:
        return None
    plan, before = solver.plan, solver.plan.mark()
    own = Solver(solver.lines, replace(of_whole, open=asked.open), solver.report, plan)
    made = plan.tried(partial(own.value, of_whole.named[0], year))
    around = (solver.lines.around(fact) for fact in plan.facts[before[1] :])
    if made is not None and asked.open.difference(*around):
        plan.back_to(before)
        return None
    return made


def asked_of(whole: Question, asked: Question) -> Question:
    """The question for the whole of a share, at the time of its part."""
    timed = replace(whole, cues=asked.cues, when=asked.when, is_part=True)
    return replace(timed, calculation="value", form="figure", compares=False)


def _last_years(solver: Solver, count: int) -> list[int]:
    """So many years up to the latest; none for 0, or where the latest is not known."""
    latest = solver.lines.latest(solver.report) if count else None
    return [] if latest is None else list(range(latest - count + 1, latest + 1))


def one_year(solver: Solver, years: Sequence[int]) -> int | None:
    """The last of these years, else the latest of the report, or that so many years before; None where it has none."""
    if years:
        return years[-1]
    latest = solver.lines.latest(solver.report)
    return None if latest is None else latest - solver.asked.when.back


def _differs(one: Fact, other: Fact) -> bool:
    return amount_of(one) != amount_of(other)


def _corroboration(picks: Sequence[Pick]) -> float:
    """What is added to the score of the best figure for each further table that prints its amount in lines of the name.

    A figure of one or two digits may be the same by chance.
    """
    best = picks[0].fact
    if best.table is None or sum(map(str.isdigit, best.raw)) < TELLING:
        return 0.0
    tables = {table_of(pick.fact) for pick in picks if not _differs(pick.fact, best) and pick.fact.unit == best.unit}
    return CORROBORATED * min(len(tables) - 1, MOST_TABLES)


def in_words(name: str) -> str:
    return name.replace("_", " ")
