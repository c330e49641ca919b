"""What cannot well be: a line without the qualifier that is asked for, a word that is said of another amount, a part
that is greater than its whole, a rate that is a million times too small, money where a percentage is asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from decimal import Decimal

from tieout.agent.ledger.ledger import Entry, FromOperation
from tieout.agent.question.question import Question
from tieout.agent.question.topic import MOVES
from tieout.data.arithmetic.units import AS_DECIMALS, NUMBERS
from tieout.data.printed.pattern import later
from tieout.data.printed.unit import Unit, is_currency
from tieout.data.printed.wording import is_balance_sheet
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import (
    PER_SHARE,
    days_of,
    is_at_time,
    is_of_odd_length,
    qualifiers_around,
    text_around,
    words_around,
    words_of,
    year_of,
)
from tieout.kg.meant import opposed
from tieout.kg.moves import is_moved
from tieout.kg.sense import is_of_sort
from tieout.ontology.asked.days import days_unmet
from tieout.ontology.asked.language import language
from tieout.ontology.asked.several import beside_and, two_questions
from tieout.ontology.asked.sort import CALLED, TOLD
from tieout.ontology.asked.wish import asked_part
from tieout.ontology.labels.label import normalise
from tieout.ontology.labels.lexicon import singular
from tieout.ontology.metrics.line_item import MAIN_STATEMENTS, LineItem, find_line_item, line_items
from tieout.ontology.metrics.qualifier import numbers_not_said, qualifiers_of

OPPOSED = (("declared", "paid"), ("paid", "declared"))  # the one is not the other, where figures say which
OF_INCOME = (*OPPOSED, ("net", "operating"))  # ... of a line of the income statement
# Qualifiers that make another measure wherever they stand; `net` and `total` are left out and added by habit.
STRICT = frozenset(("per share", "pro forma")).union(
    "paid payable diluted basic federal state foreign domestic current noncurrent gross discontinued accumulated "
    "deferred preferred noncontrolling adjusted trailing restricted unrecognized statutory".split()
)
TOO_SMALL = Decimal("0.00001")  # of two amounts of one report
_SPAN = later(r"\b(?:ended|months|weeks)\b", re.IGNORECASE)
_WORD, _BRACKETS = later(r"[a-z]+"), later(r"\([^()]*\d[\d,.]{2}[^()]*\)")
_LEFT_OUT = later(r"\( ?excluding\b[^()]*\)?", re.IGNORECASE)  # `cost of sales (excluding depreciation)` is that
_FISCAL = later(r"\bfiscal\b|\bfy", re.IGNORECASE)
_LISTED, _INSIDE = later(r",? and |, (?=.* and )"), later(r" ?\([^()]*\)")
_MORE = later(r",? \b(?:net|less|including|excluding|of|at|by|before|after|for|from|in|on|to|with|due|held|end)\b")
HALF_A_YEAR = 190  # days at most
ONE_SPAN = 45  # days between the lengths of two periods that are of one kind


def other_qualifiers(question: Question, used: Sequence[Fact]) -> Iterator[str]:
    """The qualifiers that a question says of its line items and none of the figures has, and those of a figure that is
    looked up which the question does not say."""
    items = [line_items()[each.name] for each in question.named if each.name in line_items()]
    asked = qualifiers_of(question.lower)
    is_of_income = any(item.statement == "income" for item in items)
    yield from opposed(asked, used, OF_INCOME if is_of_income else OPPOSED)
    ways = [language().cues[cue] for cue in ("yet to come", "falls due")]
    ahead = ways[0].search(question.lower) if used else None  # `expected revenue` was not sold
    if ahead is not None and not any(way.search(text_around(fact).lower()) for fact in used for way in ways):
        yield f"{ahead[0]!r} of the question is not said of these figures"
    for number in numbers_not_said(question.lower, " . ".join(map(text_around, used))) if used else ():
        yield f"{number!r} of the question is not said of these figures"
    for item in items:
        if any(fact.concept in item.concepts for fact in used):
            continue
        lacking = (item.qualifiers & asked & STRICT).difference(*map(qualifiers_around, used)) if used else ()
        for each in sorted(lacking):
            yield f"{each!r} of the question is not said of these figures"
    if len(items) == len(question.named) == 1 and len(used) == 1 and used[0].concept not in items[0].concepts:
        for each in sorted(_added(items[0], used[0], question)):
            yield f"{used[0].label[:80]!r} is {each}, which the question does not say"


def _added(item: LineItem, fact: Fact, question: Question) -> frozenset[str]:
    if fact.kind is not FactKind.TABLE or find_line_item(fact.label) == item:
        return frozenset()
    known = qualifiers_of(question.lower).union(item.qualifiers, *(qualifiers_of(label) for label in item.labels))
    of_due = {"paid"} if "falls due" in question.cues else ()  # which is to be paid
    return (qualifiers_of(_LEFT_OUT.sub("", fact.label)) & STRICT) - known.union(of_due)


def of_other_time(question: Question, used: Sequence[Fact]) -> Iterator[str]:
    """Balances taken from a column that says that it is of a span of time, and days asked for that no figure is of."""
    bounds = {day for fact in used if fact.period for day in (fact.period.start, fact.period.end) if day is not None}
    for said in days_unmet(question.text, bounds):
        yield f"{said!r} is asked for, and no figure is of that day"
    ends = [fact.period.end for fact in used if is_of_odd_length(fact) and fact.period and fact.period.end]
    is_of_months = question.part_of_year and not (question.when.quarters or question.when.by_days)
    is_other = bool(ends) and bool(question.years) and not any(end.year in question.years for end in ends)
    if is_of_months and is_other and not _FISCAL.search(question.text):
        yield f"{question.years[0]} is taken for a fiscal year, of which the months ended on {max(ends)}"
    item = line_items().get(question.named[0].name) if len(question.named) == 1 else None
    for fact in used if item is not None and item.is_instant and item.statement in MAIN_STATEMENTS else ():
        is_of_span = fact.kind is FactKind.TABLE and fact.period is not None and _SPAN.search(fact.header)
        if fact.period is not None and is_of_span and not is_balance_sheet(fact.caption) and not is_at_time(fact):
            yield f"{fact.name} is of {fact.period.told}, and what is asked for is of a day"


def odd_results(question: Question, way: Sequence[tuple[Entry, Sequence[Entry]]]) -> Iterator[str]:
    """Results that cannot well be. way: the entries on the way to the answer, each with its operands."""
    for entry, operands in way:
        operation = entry.source.operation if isinstance(entry.source, FromOperation) else ""
        if len(operands) == 2 and operands[0].name == operands[1].name and operation != "multiply":
            yield f"{operands[0].name} is held against itself"
        if not isinstance(entry.value, Decimal) or len(operands) != 2:
            continue
        money = all(is_currency(each.unit) for each in operands)
        if operation in ("divide", "percentage") and 0 < entry.value.copy_abs() < TOO_SMALL:
            yield "one amount is less than a hundred-thousandth of the other: they may be in other scales"
        if operation == "percentage" and money and question.whole is not None and entry.value > 1:
            yield "the part is greater than its whole"
        if operation == "percentage_change" and "yearly growth" in question.cues and len(question.years) > 1:
            yield "this is the growth over all years, and growth in each year is asked for"


def unlike_periods(
    question: Question, way: Sequence[tuple[Entry, Sequence[Entry]]], used: Sequence[Fact]
) -> Iterator[str]:
    """Quotients of flows of periods of other lengths: of a quarter and of a year; of sums of such too."""
    lengths = {fact.name: {days} for fact in used if (days := days_of(fact)) is not None}
    for entry, operands in way:
        sides = [lengths.get(each.name, set()) for each in operands]
        if not isinstance(entry.source, FromOperation):
            continue
        lengths[entry.name] = {length for side in sides for length in side}
        is_quotient = entry.source.operation in ("divide", "percentage") and all(len(side) == 1 for side in sides)
        if is_quotient and max(lengths[entry.name]) - min(lengths[entry.name]) > ONE_SPAN:
            yield f"{operands[0].name} and {operands[1].name} are of periods of other lengths"


def other_measure(question: Question, unit: str | None, used: Sequence[Fact], typed: str = "") -> str | None:
    """What a question, with its turn as it is typed, asks for that an amount of money does not answer, in words; None
    where it may. unit: of the answer. used: the figures that it rests on; what their own labels call a share is one."""
    said = _WORD.findall(PER_SHARE.sub("", question.lower))
    if unit == Unit.SHARES and language().words["counted in shares"].isdisjoint(said):
        return "the question asks for no shares, and the answer is in shares"
    cues, is_rate = question.cues | language().cues_of(typed.lower()), unit in AS_DECIMALS or unit in NUMBERS
    if is_rate and "in unit" in cues and "percent" not in cues:
        return "the question asks for an amount, and the answer is a rate"
    is_of_points = unit in (Unit.PERCENTAGE_POINTS, Unit.BASIS_POINTS)
    if not is_of_points and language().forms["basis points"].search(question.lower):
        return "the question asks for basis points, and the answer is in none"
    sort = question.asks_for
    is_price = unit is not None and unit.endswith("/share")
    if unit is None or not (is_price or is_currency(unit)) or (is_price and sort == "per share"):
        return None
    if sort in ("", "money", "each", *TOLD) or any(is_of_sort(fact, sort) for fact in used):
        return None
    return f"the question asks for a {CALLED[sort]}, and the answer is in {unit}"


def one_alone(question: Question, used: Sequence[Fact]) -> Iterator[str]:
    """A single figure that is told where several are asked for together, `cash + securities`, or one year of more."""
    years = {year_of(fact) for fact in used}
    if question.form == "list" and question.when.last > len(years) == 1:
        yield f"{question.when.last} years are asked for, and the figures are of one"
    known = [year for year in years if year]
    if "yearly growth" in question.cues and known and 0 < max(known) - min(known) < question.when.last:
        yield f"growth over {question.when.last} years is asked for, and told over {max(known) - min(known)}"
    for fact in used if len(used) == 1 else ():
        cues = (language().cues[each] for each in ("sum", "plus") if each in question.doing)
        if " + " in question.text or any(not each.search(fact.label.lower()) for each in cues):
            yield f"the question asks for several amounts together, and {fact.label[:80]!r} is one figure"


def one_of_two(question: Question, typed: str, answer: Entry | None, used: Sequence[Fact]) -> Iterator[str]:
    """A single figure that is told where a turn, as it is typed, asks another question behind the first, or names
    beside what the figure is called something else: `discount rate and remaining term`."""
    both = two_questions(language().written_out(asked_part(typed))) if answer is not None else None
    if both is not None and question.calculation not in MOVES:
        yield f"{both[1]!r} is asked for too, and the answer is one figure"
    if answer is None or len(used) != 1 or both is not None or question.kinds[0] == "boolean":
        return
    (fact,) = used
    text = fact.context if fact.kind is FactKind.TEXT else ""
    around = {singular(word) for word in _WORD.findall(f"{fact.label} {fact.section} {fact.header} {text}".lower())}
    item = find_line_item(fact.label)
    of_line = [each for each in question.named if item is not None and each.name == item.name]
    named = frozenset[str]().union(*(words_of(each.said) for each in of_line))
    known = question.open.union(*(words_of(each.said) for each in question.named))
    for left, right in beside_and(question.lower, question.named):
        one, other = ({*map(singular, side)} & known for side in (left, right))
        if one and other and bool(one & (around | named)) != bool(other & (around | named)):
            missing = left if one.isdisjoint(around | named) else right
            yield f"{' '.join(missing)!r} is asked for too, and the figure is called by the other alone"


def more_than_asked(question: Question, used: Sequence[Fact]) -> Iterator[str]:
    """Figures of several things together where one of them is asked for: `timber` of `Grain, timber and ore`, `accounts
    payable` of `Accounts payable and accrued liabilities`."""
    for fact in {each.label: each for each in used if each.kind is FactKind.TABLE}.values():
        item, label = find_line_item(fact.label), _MORE.split(_INSIDE.sub("", fact.label))[0]
        things = [words_of(each) - language().words["function"] for each in _LISTED.split(label)]
        items = [line_items()[each.name] for each in question.named if each.name in line_items()]
        asked = words_of(question.lower)
        said = asked.union(*(words_of(label) for each in items for label in each.labels))
        left = [each for each in things if each.isdisjoint(said)]
        if item is not None and item.name in question.items:
            is_more = _holds_more(label, fact, item, asked)
        else:
            is_more = 0 < len(left) < len(things) > 1 and {"other"} not in left
        if is_more:
            yield f"{fact.label[:80]!r} is more than what is asked for"


def _holds_more(label: str, fact: Fact, item: LineItem, asked: frozenset[str]) -> bool:
    """Whether a line of an item that is asked for holds something beside it, which most lines of the item do not."""
    form = language().forms["holds more"]
    found = form.search(label.lower())
    is_usual = fact.concept in item.concepts[:1] or form.search(item.labels[0]) is not None
    return found is not None and found[1] not in asked and not is_usual


def not_in_form(typed: str, answer: Entry | None, used: Sequence[Fact]) -> Iterator[str]:
    """What a turn, as it is typed, asks for by its form, and its answer is not: a share, two times, a division."""
    told, forms, lower = [fact.period.told for fact in used if fact.period is not None], language().forms, typed.lower()
    if answer is not None and len({*told}) == 1 and forms["now and then"].search(lower):
        yield f"two times are asked for, and the answer is of {told[0]} alone"
    if used and forms["by quarter"].search(lower) and all((days_of(fact) or 0) > HALF_A_YEAR for fact in used):
        yield "the quarters are asked for, and the answer is of years"
    if answer is not None and is_currency(answer.unit) and forms["a share alone"].match(lower):
        yield f"a share is asked for, and the answer is in {answer.unit}"
    kind = forms["a kind of part"].search(lower) if len(used) > 2 else None
    if kind and not any(kind["kind"] in words_around(fact) for fact in used):
        yield f"nothing around the figures says that they are of a {kind['kind']}"


def level_for_change(
    question: Question, answer: Entry | None, used: Sequence[Fact], done: Collection[str]
) -> Iterator[str]:
    """That one amount is told as it is printed where it is asked how it changed. done: the operations that the answer
    is made by."""
    is_gap = "compared" in question.cues and language().forms["by how much"].search(question.lower) is not None
    if done or len(used) != 1 or not (is_gap or question.calculation in MOVES):
        return
    (fact,) = used
    is_moving = is_moved(fact) or language().cues["change"].search(fact.label.lower()) is not None
    if is_currency(fact.unit) and not is_moving:
        yield f"how something changed is asked for, and {fact.label[:80]!r} is what it was"


def unsaid(question: Question, used: Sequence[Fact], done: Collection[str]) -> Iterator[str]:
    """Words of a question that are said of no figure, or of an amount alone that stands in brackets in its label.
    done: the operations that the answer is made by."""
    around = " ".join(map(text_around, used)).lower()
    is_cash = "cash" in question.text.lower().split() and not any("cash" in each.said for each in question.named)
    if used and is_cash and "cash" not in around:
        yield "'cash' of the question is not said of these figures"
    net_of = language().forms["net of what"].search(question.lower)
    if used and net_of is not None and "subtract" not in done and net_of["what"] not in around:
        yield f"'net of {net_of['what']}' of the question is not said of these figures"
    is_left = "excluding" in question.open and "subtract" not in done
    if used and is_left and not language().cues["without"].search(around):
        yield "what is left without a part is asked for, and nothing is taken away"
    for fact in used:
        inside = {word for text in _BRACKETS.findall(fact.label) for word in normalise(text).split()}
        left = inside.difference(normalise(_BRACKETS.sub("", fact.label)).split())
        if words := sorted(question.open & left):
            yield f"{words[0]!r} is said in brackets, of another amount, in {fact.label[:80]!r}"
