"""Checks of an answer without a model: flags and a confidence from 0 to 100. They look, and never change it.

The confidence starts at 100 and each rule that flags takes its points off, once. A rule says that something is odd, not
that it is wrong: a price may well have grown by more than 1000 percent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, partial
from itertools import combinations

from tieout.agent.answers.checks.follows import parts_of_a_year_over_balances, periods_of_no_flow, periods_that_follow
from tieout.agent.answers.checks.sanity import (
    level_for_change,
    more_than_asked,
    not_in_form,
    odd_results,
    of_other_time,
    one_alone,
    one_of_two,
    other_measure,
    other_qualifiers,
    unlike_periods,
    unsaid,
)
from tieout.agent.ledger.ledger import (
    CONSTANTS_ALONE,
    Entry,
    FromFact,
    FromFrame,
    FromOperation,
    FromQuestion,
    Ledger,
    Step,
    Ungrounded,
    rests_on_something,
)
from tieout.agent.log.events import Flag
from tieout.agent.question.question import Question
from tieout.agent.tools.lookup import plain
from tieout.agent.tools.toolbox import Clarification
from tieout.agent.tools.values import Values
from tieout.data.arithmetic.units import AS_DECIMALS, shifted
from tieout.data.printed.amount import Unit
from tieout.data.printed.periods.period import read_period
from tieout.data.printed.unit import is_currency
from tieout.kg.fact import Fact
from tieout.kg.figure import report_of, words_around
from tieout.kg.meant import all_for_part, other_than_asked, told_otherwise
from tieout.kg.unsaid import (
    not_actual,
    of_unknown_years,
    of_years_by_day,
    on_hidden_sheets,
    printed_doubtfully,
    recognised_unsurely,
    without_period,
    without_unit,
    years_apart,
)
from tieout.ontology.asked.words import is_written_otherwise
from tieout.ontology.metrics.metric import metrics
from tieout.ontology.model import MatchedBy

LIKE_WITH_LIKE = frozenset(
    {"add", "subtract", "greater", "sum", "average", "min", "max", "percentage", "percentage_change"}
)
MOST_GROWTH = Decimal(10)
SURE_ENOUGH = 0.6  # below it an answer is only the best of several readings
CERTAIN = 0.9  # below it other readings are worth a look: at 85 to 90% a quarter of what was new was wrong
MAY_MEAN = "; the question may also mean: "  # in the message of a flag, in front of another reading


@dataclass(frozen=True)
class Checked:
    """What the checks look at.

    answer: its entry, in ledger, None for one that is no single number; roots: the entries that it rests on then.
    facts: of the document, by name. matched: how the figures that were looked up in this turn were found, by name of
    their entry. doubts: what the strategy itself found odd, in words. probability: the backend's own estimate that the
    answer is right, where it makes one.
    alternative: what else the backend thinks the question may mean, in words. unaccounted: what of the question it says
    that its answer does not account for. question: as it was read; typed: its turn, as it stands there. notes: what
    filings of a company say of each other's figures, by name of the entry.
    """

    answer: Entry | None
    ledger: Ledger
    facts: Mapping[str, Fact]
    matched: Mapping[str, MatchedBy] = field(default_factory=dict)
    doubts: Sequence[str] = ()
    probability: float | None = None
    alternative: str = ""
    roots: Sequence[Entry] = ()
    unaccounted: Sequence[str] = ()
    question: Question | None = None
    notes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    typed: str = ""

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """The entries on the way to the answer, also those of earlier turns, each once."""
        roots = self.roots or ([self.answer] if self.answer is not None else [])
        return self.ledger.way_to(*(root.name for root in roots))

    def way(self) -> Iterator[Entry]:
        """The entries of this turn on the way to the answer."""
        return (step.entry for step in self.steps if step.turn == self.ledger.turn)

    def operands(self, entry: Entry) -> tuple[Entry, ...]:
        """What an entry was calculated from, conversions looked through; nothing for one that was not calculated."""
        if not isinstance(entry.source, FromOperation):
            return ()
        return tuple(self._unconverted(self.ledger[name]) for name in entry.source.operands)

    def _unconverted(self, entry: Entry) -> Entry:
        while isinstance(source := entry.source, FromOperation) and source.operation.startswith(("as_decimal", "in_")):
            entry = self.ledger[source.operands[0]]
        return entry

    def used(self) -> list[Fact]:
        """The facts that the answer rests on."""
        names = (entry.source.fact for entry in self.way() if isinstance(entry.source, FromFact))
        return [self.facts[name] for name in dict.fromkeys(names)]


@dataclass(frozen=True)
class Rule:
    """name: as flagged. points: taken off the confidence. find: what is odd, in words, one text for each."""

    name: str
    points: int
    says: str
    find: Callable[[Checked], Iterator[str]]


def _of_figures(name: str, points: int, says: str, find: Callable[[Sequence[Fact]], Iterator[str]]) -> Rule:
    """A rule about the figures that an answer rests on, whatever is made of them."""
    return Rule(name, points, says, lambda checked: find(checked.used()))


def _units_differ(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        operation = _operation(entry)
        if operation not in LIKE_WITH_LIKE:
            continue
        for one, other in combinations(checked.operands(entry), 2):
            units = {_enters_as(one.unit), _enters_as(other.unit)}
            if len(units) > 1 and units.isdisjoint((None, Unit.RATIO)):
                yield f"{operation} of {_with_unit(one)} and {_with_unit(other)}"

    yield from _currencies_apart(checked)


def _enters_as(unit: str | None) -> str | None:
    """The unit in which a number enters a calculation: a percentage is a rate."""
    return AS_DECIMALS[unit][0] if unit in AS_DECIMALS else unit


def _currencies_apart(checked: Checked) -> Iterator[str]:
    """Answers side by side in several currencies."""
    units = {entry.unit for entry in checked.roots if is_currency(entry.unit)}
    if len(units) > 1 and len({report_of(fact) for fact in checked.used()}) > 1:
        yield f"amounts in {' and '.join(sorted(map(str, units)))} side by side"


def _restated(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        yield from checked.notes.get(entry.name, ())


def _no_such_unit(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        operation = _operation(entry)
        if operation not in ("multiply", "divide") or entry.unit is not None:
            continue
        units = [operand.unit for operand in checked.operands(entry)]
        is_exchange_rate = operation == "divide" and all(map(is_currency, units))
        if None not in units and not is_exchange_rate:
            yield f"{operation} of {' and '.join(map(_with_unit, checked.operands(entry)))}"


def _with_unit(entry: Entry) -> str:
    return f"{entry.name} in {entry.unit}"


def _scales_differ(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        if _operation(entry) not in LIKE_WITH_LIKE:
            continue
        printed = [each for each in checked.operands(entry) if not isinstance(each.source, FromQuestion)]
        for one, other in combinations(printed, 2):
            if one.scale != other.scale and one.unit == other.unit:
                yield f"{one.name} is printed at scale {one.scale}, {other.name} at scale {other.scale}"


def _time_runs_backwards(checked: Checked) -> Iterator[str]:
    if checked.question is not None and checked.question.moved == "fell":
        return  # what it fell by is the earlier value less the later
    for entry in checked.way():
        operands = checked.operands(entry)
        if _operation(entry) in ("subtract", "percentage_change") and len(operands) == 2:
            new, old = operands
            if plain(new.about) == plain(old.about) and 0 < _year(new) < _year(old):
                yield f"{new.name} ({new.period}) less {old.name} ({old.period})"


def _year(entry: Entry) -> int:
    period = read_period(entry.period) if entry.period else None
    return period.year if period is not None and period.year is not None else 0


def _extreme_change(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        if not isinstance(entry.value, Decimal) or not _is_change(checked, entry):
            continue
        if entry.value > MOST_GROWTH:
            yield f"a change of {shifted(entry.value, 2):.0f}%"


def _is_change(checked: Checked, entry: Entry) -> bool:
    """Whether an entry is (a - b) / b, by the operation of that name or in two steps."""
    if _operation(entry) == "percentage_change":
        return True
    operands = checked.operands(entry)
    if _operation(entry) != "divide" or _operation(operands[0]) != "subtract":
        return False
    return checked.operands(operands[0])[1].name == operands[1].name


def _matched_fuzzily(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        if checked.matched.get(entry.name) == MatchedBy.FUZZY:
            yield f"{entry.name} was found by a name that is only near to it: {entry.about!r}"


def _in_doubt(least: float, most: float, checked: Checked) -> Iterator[str]:
    if checked.probability is not None and least <= checked.probability < most:
        other = f"{MAY_MEAN}{checked.alternative}" if checked.alternative else ""
        yield f"the backend gives this answer a chance of {checked.probability:.0%}{other}"


_unsure, _not_certain = partial(_in_doubt, 0, SURE_ENOUGH), partial(_in_doubt, SURE_ENOUGH, CERTAIN)


def _left_open(checked: Checked) -> Iterator[str]:
    yield from checked.unaccounted
    asked = checked.question
    if asked is not None:
        done = frozenset(each for entry in checked.way() if (each := _operation(entry)) and not each.startswith("in_"))
        yield from unsaid(asked, checked.used(), done)
        yield from one_alone(asked, checked.used())
        if checked.answer is not None:
            told = [each.value for turn in checked.ledger.earlier for each in turn]
            yield from all_for_part(checked.typed, checked.answer.value, told)
        yield from more_than_asked(asked, checked.used())
        yield from not_in_form(checked.typed or asked.text, checked.answer, checked.used())
        yield from level_for_change(asked, checked.answer, checked.used(), done)
        yield from one_of_two(asked, checked.typed or asked.text, checked.answer, checked.used())
        if "ranked" not in asked.cues:  # of which parts are told
            yield from other_than_asked(asked.items, checked.used(), checked.facts.values(), asked.text, checked.typed)
        around = frozenset[str]().union(*map(words_around, checked.used()))
        is_whole = asked.calculation == "value" and not (asked.open & around or asked.part_of_year)  # of all, in a year
        if is_whole and checked.answer is not None and len(checked.used()) > 1:
            yield from told_otherwise(
                asked.named, checked.answer.value, checked.used(), checked.facts.values(), asked.text
            )
    for unit in dict.fromkeys(entry.unit for entry in (checked.roots if checked.answer is None else (checked.answer,))):
        if asked is not None and (other := other_measure(asked, unit, checked.used(), checked.typed)):
            yield other


def _other_formula(checked: Checked) -> Iterator[str]:
    named = () if checked.question is None else checked.question.named
    if any(_operation(entry) in ("divide", "percentage") for entry in checked.way()):  # it is not looked up
        for metric in filter(None, (metrics().get(each.name) for each in named)):
            if metric.doubt and not metric.rather:
                yield f"{metric.labels[0]} {metric.doubt}"


def _ungrounded(checked: Checked) -> Iterator[str]:
    for step in checked.steps:
        if isinstance(step.entry.source, Ungrounded):
            yield f"nothing accounts for {step.entry.value}"
    if checked.answer is not None and not rests_on_something(checked.ledger, checked.answer.name):
        yield CONSTANTS_ALONE


def _unknown_scale(checked: Checked) -> Iterator[str]:
    answers = checked.roots if checked.answer is None else (checked.answer,)
    if not all(entry.scale_known for entry in answers):
        yield "the report does not state the scale of the figures behind this answer where they are printed"


def _period_follows(checked: Checked) -> Iterator[str]:
    yield from periods_that_follow(checked.ledger, checked.steps)


def _no_flow(checked: Checked) -> Iterator[str]:
    yield from periods_of_no_flow(checked.ledger, checked.steps, checked.facts)


def _of_unknown_year(checked: Checked) -> Iterator[str]:
    yield from of_unknown_years(checked.used(), checked.facts)
    if checked.question is not None and not checked.question.when.months:  # it says the day, or the month
        yield from of_years_by_day(checked.question.years, checked.used(), checked.facts)


def _not_annualised(checked: Checked) -> Iterator[str]:
    yield from parts_of_a_year_over_balances(checked.ledger, checked.steps, checked.facts)


def _other_qualifiers(checked: Checked) -> Iterator[str]:
    if checked.question is not None:
        yield from other_qualifiers(checked.question, checked.used())


def _read_as(checked: Checked) -> Iterator[str]:
    for typed, read in checked.question.read_as if checked.question is not None else ():
        if not is_written_otherwise(typed, read):
            yield f"{typed!r} is read as {read!r}"


def _makes_no_sense(checked: Checked) -> Iterator[str]:
    if checked.question is not None:
        way = [(entry, checked.operands(entry)) for entry in checked.way()]
        yield from of_other_time(checked.question, checked.used())
        yield from odd_results(checked.question, way)
        yield from unlike_periods(checked.question, way, checked.used())


def _binary_float(checked: Checked) -> Iterator[str]:
    for entry in checked.way():
        operands = checked.operands(entry)
        sources = [operand.source for operand in operands]
        is_binary = any(isinstance(each, FromFrame) and each.binary for each in sources)
        if is_binary and any(isinstance(each, FromFact) for each in sources):
            yield f"{entry.name} is made of a figure of the report, which is exact, and of a binary float"


def _operation(entry: Entry) -> str | None:
    return entry.source.operation if isinstance(entry.source, FromOperation) else None


RULES = (
    Rule("binary float", 5, "a figure of the report calculated with a binary float of data beside it", _binary_float),
    Rule("ungrounded", 60, "a number that nothing accounts for, or an answer made of constants alone", _ungrounded),
    Rule("not verified", 50, "a doubtful answer that no second opinion came to as well", lambda of: iter(of.doubts)),
    Rule("units differ", 40, "an addition, comparison or share of amounts in different units", _units_differ),
    Rule("no such unit", 40, "a product or quotient whose unit is none, such as dollars times dollars", _no_such_unit),
    Rule("time runs backwards", 30, "a change that takes the later value from the earlier", _time_runs_backwards),
    Rule("no flow", 40, "a figure per share, an average, a rate or a balance, reckoned from other periods", _no_flow),
    Rule("not annualised", 20, "a quotient of what flowed in part of a year and of a balance", _not_annualised),
    Rule("extreme change", 30, "a change above 1000%", _extreme_change),
    Rule("matched fuzzily", 20, "a figure that was found by a name only near to its own", _matched_fuzzily),
    Rule("left open", 20, "a word, year or unit of the question that the answer does not account for", _left_open),
    Rule("other qualifier", 20, "a line without the `paid` or `diluted` that is asked for", _other_qualifiers),
    Rule("makes no sense", 20, "a part above its whole, a balance under `months ended`", _makes_no_sense),
    Rule("other formula", 5, "a ratio that the trade reckons in several ways", _other_formula),
    Rule("read as", 5, "a misspelt word, read as the nearest in our lists; a question put into English", _read_as),
    Rule("unsure", 20, "an answer to which its own backend gives a chance below 60%", _unsure),
    Rule("not certain", 10, "an answer to which its own backend gives a chance from 60% to below 90%", _not_certain),
    _of_figures("doubtful print", 30, "a figure that a person may read otherwise in its place", printed_doubtfully),
    _of_figures("unsure picture", 30, "a figure read off a picture, less than 90% sure", recognised_unsurely),
    Rule("unknown scale", 5, "figures of which the report does not say whether they are in thousands", _unknown_scale),
    _of_figures(
        "unknown unit", 5, "figures of which the report does not say in which unit or currency they are", without_unit
    ),
    _of_figures(
        "unknown period", 5, "figures of which the report does not say of which period they are", without_period
    ),
    Rule("period follows", 5, "a period that is not printed, calculated from printed ones", _period_follows),
    _of_figures("not actual", 20, "a figure that is said to be planned, forecast or expected", not_actual),
    _of_figures("hidden sheet", 10, "a figure of a sheet that a spreadsheet program does not show", on_hidden_sheets),
    Rule("unknown year", 20, "a fiscal year of which it is not said when it ends", _of_unknown_year),
    _of_figures("fiscal years apart", 10, "figures of reports whose years end in different months", years_apart),
    Rule("restated", 5, "a figure that an older filing states otherwise, or as shares were before a split", _restated),
    Rule("scales differ", 10, "amounts printed at different scales, brought to one", _scales_differ),
)


def check(checked: Checked) -> tuple[Flag, ...]:
    """What is odd about an answer, rule by rule in the order of RULES."""
    return tuple(
        Flag(rule=rule.name, message=message) for rule in RULES for message in dict.fromkeys(rule.find(checked))
    )


def check_clarification(asked: Clarification, values: Values, names: Collection[str] = ()) -> tuple[Flag, ...]:
    """The figures in a question back, or in its options, that nothing accounts for: its words are a model's own.

    names: of reports, tables and columns, whose digits are no figures: `M2SL`.
    """
    texts = [asked.question, *asked.options]
    if said := [name for name in names if any(name in text for text in texts)]:
        named = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})(?!\w)")
        texts = [named.sub("", text) for text in texts]
    found = dict.fromkeys(figure for text in texts for figure in values.unaccounted(text))
    return tuple(Flag(rule="ungrounded", message=f"nothing accounts for {figure}") for figure in found)


def is_unsure(probability: float | None) -> bool:
    """Whether an answer is only the best of several readings, by its own backend."""
    return probability is not None and probability < SURE_ENOUGH


def confidence(flags: Sequence[Flag]) -> int:
    """100 less the points of every rule that flagged, at least 0."""
    raised = {flag.rule for flag in flags}
    return max(0, 100 - sum(rule.points for rule in RULES if rule.name in raised))
