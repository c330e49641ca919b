"""Whether figures are what the line items of a question mean, or less, more or something else: one of several lines of
a balance, net income with what others than the owners have of it, money where shares are asked for."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import chain

from tieout.data.printed.pattern import later
from tieout.data.printed.periods.spans import months_of, span_of
from tieout.data.printed.unit import Unit, is_currency
from tieout.kg.fact import Fact, FactKind
from tieout.kg.figure import is_at_time, is_instant, qualifiers_around, words_of
from tieout.kg.filings.several import NEAR, beside
from tieout.ontology.asked.language import language
from tieout.ontology.asked.measures import Named
from tieout.ontology.asked.when import years_in
from tieout.ontology.labels.label import normalise
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import metrics
from tieout.ontology.metrics.qualifier import qualifiers_of

_LESS = later(r"less\b", re.IGNORECASE)
_NET = later(r"\bnet\b", re.IGNORECASE)
_ALL_SEGMENTS, _SEGMENT = (
    later(r"total (?:\w+ )?segments?\b", re.IGNORECASE),
    later(r"^(?!.*\b(?:total|all)\b).*\bsegment\b"),
)
_NO_LINE = later(r"\b(?:ended|months|weeks|quarter|year|total)\b|\d", re.IGNORECASE)  # a time, or a sum of lines
_LEAVES_OUT = later(r"\b(?:not|no|without|excluding|except|ex|before|less)\b")
_DECIMALS = later(r"\.(\d+)")
_EXPENSE = later(r"^(?!accrued|prepaid).*\bexpense$", re.IGNORECASE)
# A question, normalised, that holds one thing against another, and none of what is paid, sold or due to somebody.
_RATIO = later(
    r"^(?!.*\b(?:go|goes|gone|went|came|come|amounted|due|attributable|paid|sold|issued|allocated|related|distributed"
    r"|available|payable) to\b)"
)
_UNQUALIFIED = (
    r"(?:^|\b(?:total|all|the|its|their|was|were|is|are|of) )"  # what stands before a name that is said alone
)
NET_INCOME, OF_ALL = "net_income", "net_income_with_noncontrolling"
OF_OTHERS = "net_income_noncontrolling"
MOST_SAID = 80  # characters of a label, or of a sentence, that are told
# The units in which sentences tell metrics, by those of the metrics: a number alone may be a ratio, or of days.
OF_METRICS = {
    "percent": frozenset((Unit.PERCENT,)),
    "ratio": frozenset((None, Unit.RATIO, Unit.COUNT)),
    "days": frozenset((None, "days", Unit.COUNT)),
}


def other_than_asked(
    names: Sequence[str], used: Sequence[Fact], facts: Iterable[Fact], said: str, typed: str = ""
) -> Iterator[str]:
    """What is said of figures that are less, more or other than the line items that are asked for.

    names: of those, and of metrics, which are passed over. used: the figures of an answer, facts: all that were shown.
    said: the question, in which a part may be named; typed: the turn of talk that it is read from."""
    items, asked = [line_items()[each] for each in names if each in line_items()], normalise(said)
    taken = {fact.name for fact in used}
    columns: dict[tuple[int | None, int | None], list[Fact]] = {(fact.table, fact.column): [] for fact in used}
    tables = {fact.table for fact in used}  # of all that was shown few figures stand in one
    facts = tuple(facts)
    for fact in (each for each in facts if each.table in tables and each.row is not None and each.name not in taken):
        if (at := (fact.table, fact.column)) in columns:
            columns[at].append(fact)
    for fact in used:
        column = columns[fact.table, fact.column] if fact.row is not None else []
        for item in items:
            yield from _one_of_several(item, fact, column, asked)
            yield from _money_for_shares(item, fact, asked)
            yield from _with_others(item, fact, column, names)
        yield from _before_what_is_taken_off(fact, column, asked)
        if len(used) == 1:
            yield from _flow_for_balance(items, fact, facts, said)
    if len(items) > 1 and all(each.part_of == items[0].name for each in items[1:]):
        yield from _printed_otherwise(items[0], used, facts, asked)
    yield from _one_side_of_a_ratio(items, used, asked)
    yield from _of_all_segments(used, asked)
    yield from _named_beside(items, used, chain(*columns.values()), normalise(f"{said} {typed}"))


def told_otherwise(
    named: Sequence[Named], value: object, used: Sequence[Fact], facts: Iterable[Fact], said: str
) -> Iterator[str]:
    """That a sentence tells the one metric that is asked for, of the same year, as another number than it comes to: a
    company may reckon its days of inventory by the cost of its last quarter.

    named: what is asked for. value: what it comes to, calculated of the figures used. facts: all that were shown.
    said: the question."""
    metric = metrics().get(named[0].name) if len(named) == 1 else None
    if metric is None or not isinstance(value, Decimal):
        return
    sentences: dict[str, list[Fact]] = {}  # with the figures that stand behind its name
    words = words_of(named[0].said) - language().words["function"]
    for fact in facts:
        is_fit = fact.kind is FactKind.TEXT and fact.unit in OF_METRICS.get(metric.unit, ())
        before = fact.around()[0] if is_fit and not _is_of_other_length(fact, used) else ""
        is_of_its_parts = fact.unit is not None and fact.unit != Unit.COUNT and words <= words_of(before)
        if is_of_its_parts or (before and named[0].said.lower() in before.lower()):
            sentences.setdefault(fact.context, []).append(fact)
    years = set(years_in(said))
    for text, told in sentences.items():
        is_moved = language().cues["change"].search(text.lower()) is not None  # `fell by 3 days`
        dates = {each.period.year for each in told if each.period is not None}
        is_of_year = not years or not years.isdisjoint(years_in(text) or dates)
        if is_of_year and not is_moved and not any(is_rounded(value, each) for each in told):
            yield f"a sentence tells it otherwise: {text[:MOST_SAID]!r}"
            return


def _is_of_other_length(fact: Fact, used: Sequence[Fact]) -> bool:
    """Whether a figure is of a longer or shorter time than all others: of six months beside a quarter."""
    lengths = {months_of(days) for each in used if (days := span_of(each.period)) is not None}
    own = span_of(fact.period)
    return own is not None and bool(lengths) and months_of(own) not in lengths


def opposed(asked: frozenset[str], used: Sequence[Fact], pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What a question says that the figures of a report say the opposite of: `declared`, where they are of what was
    paid. pairs: what is asked for, and its opposite."""
    by_report: dict[str, list[Fact]] = {}
    for fact in used:
        by_report.setdefault(fact.name.rpartition(":")[0], []).append(fact)
    for one, other in pairs:
        for report, facts in by_report.items() if one in asked else ():
            said = frozenset().union(*map(qualifiers_around, facts))
            labels = (label for fact in facts for label in (fact.label, fact.header))
            label = next((label for label in labels if other in qualifiers_of(label)), None)
            if label is not None and one not in said and other not in asked:
                yield f"{one!r} of the question is not said of {label[:80]!r}{f' of {report}' if report else ''}"


def all_for_part(typed: str, value: object, before: Collection[object]) -> Iterator[str]:
    """That what was told before is told again, where a part of it is asked for: `how much of it is timber?`. value: of
    the answer. before: what earlier turns looked up or calculated."""
    if value in before and language().forms["part of it"].match(typed.lower()):
        yield "a part of what was told is asked for, and this is all of it"


def _one_of_several(item: LineItem, fact: Fact, column: Sequence[Fact], asked: str) -> Iterator[str]:
    """That a line stands beside others of a balance, unless a question names it and none of them."""
    others, words = beside(item, fact, column), set(asked.split())
    meant = [each for each in (fact, *others) if words.issuperset(normalise(each.label).split())]
    if others and meant != [fact]:
        yield f"{fact.label[:MOST_SAID]!r} stands beside {others[0].label[:MOST_SAID]!r}: it may be a part alone"


def _money_for_shares(item: LineItem, fact: Fact, asked: str) -> Iterator[str]:
    counted = [each for each in map(normalise, item.labels) if each.endswith(" share") and each in asked]
    if counted and is_currency(fact.unit) and counted[0] not in normalise(fact.label):
        yield f"{fact.label[:MOST_SAID]!r} is an amount of money, and shares are asked for"


def _with_others(item: LineItem, fact: Fact, column: Sequence[Fact], names: Collection[str]) -> Iterator[str]:
    """That net income is that of all, where what others than the owners have of it stands right below."""
    if item.name != NET_INCOME or OF_ALL in names or find_line_item(fact.label) != item:
        return
    below = (each for each in column if 0 < (each.row or 0) - (fact.row or 0) <= NEAR and each.value)
    of_others = (found for each in below if (found := find_line_item(each.label)) and found.name == OF_OTHERS)
    if "attributable" not in fact.label.lower() and any(of_others):
        yield f"{fact.label[:MOST_SAID]!r} takes in what noncontrolling interests have of it"


def _before_what_is_taken_off(fact: Fact, column: Sequence[Fact], asked: str) -> Iterator[str]:
    """That what is gross is told, where what is net of the line below it is asked for."""
    next_lines = (each.label for each in column if (each.row or 0) - (fact.row or 0) == 1)
    less = next(filter(_LESS.match, next_lines), "")
    if less and "net of" in asked and not _NET.search(fact.label):
        yield f"{fact.label[:MOST_SAID]!r} is before {less[:MOST_SAID]!r}, and what is net of that is asked for"


def _flow_for_balance(items: Sequence[LineItem], fact: Fact, facts: Iterable[Fact], said: str) -> Iterator[str]:
    """That a flow is told, where a balance is asked for: by what its line is; by its column too, where a day is named
    and the balance is printed of others: `Inventories` of a statement of cash flows."""
    if not items or not all(item.is_instant for item in items):
        return
    found, own = find_line_item(fact.label), normalise(fact.label).split()
    is_flow = not found.is_instant if found else _EXPENSE.search(fact.label) is not None
    asked = normalise(said).split()
    is_named = sum(word in asked for word in own) * 2 > len(own)  # a flow that is asked for by its name
    is_other = is_flow and not is_named and all(item.rank(fact.label) is None for item in items)
    is_of_span = is_currency(fact.unit) and is_instant(fact) is False and not is_at_time(fact)
    is_of_day = language().cues["of a day"].search(said.lower()) is not None
    of_days = (each for each in facts if is_instant(each)) if is_of_span and is_of_day else ()
    if is_other or any(item.rank(each.label) is not None for each in of_days for item in items):
        yield f"{fact.label[:MOST_SAID]!r} is of a span of time, and a balance is asked for"


def _printed_otherwise(item: LineItem, used: Sequence[Fact], facts: Iterable[Fact], asked: str) -> Iterator[str]:
    """That an item which is told as the sum of its parts is printed too, as the question calls it, and is another
    amount: what operating leases come to, where a note has those of both kinds."""
    ends = {None if fact.period is None else fact.period.end for fact in used}
    if len(used) < 2 or len(ends) > 1 or any(item.rank(fact.label) is not None for fact in used):
        return
    for fact in facts:
        label = normalise(fact.label).removeprefix("total ")
        is_called = item.rank(fact.label) is not None and re.search(rf"{_UNQUALIFIED}{re.escape(label)}\b", asked)
        is_of_day = fact.row is not None and fact.period is not None and fact.period.end in ends
        if is_called and is_of_day and fact.value != sum(each.value for each in used):
            yield f"{fact.label[:MOST_SAID]!r} is printed too, and is another amount"
            return


def _one_side_of_a_ratio(items: Sequence[LineItem], used: Sequence[Fact], asked: str) -> Iterator[str]:
    whole = next((item for item in items if _RATIO.search(asked) and _is_over(item, asked)), None)
    if whole is not None and len(used) == 1 and is_currency(used[0].unit):
        yield f"a ratio to {whole.labels[0]} is asked for, and the answer is one amount"


def _of_all_segments(used: Sequence[Fact], asked: str) -> Iterator[str]:
    """That what all segments come to is told, where one is asked for: `business segment`, as one is called."""
    if (fact := next((fact for fact in used if _ALL_SEGMENTS.match(fact.label)), None)) and _SEGMENT.search(asked):
        yield f"{fact.label[:MOST_SAID]!r} is of all segments, and one is asked for"


def _named_beside(items: Sequence[LineItem], used: Sequence[Fact], others: Iterable[Fact], asked: str) -> Iterator[str]:
    """The line of the same table that a question calls by its name, and that the answer does not rest on."""
    if _LEAVES_OUT.search(asked):
        return
    texts = [text for fact in used for text in (fact.label, fact.section, fact.header, *fact.parts)]
    texts.extend(label for item in items for label in item.labels)
    left = set(asked.split()).difference(*(normalise(text).split() for text in texts))
    untitled = left.difference(*(normalise(fact.caption).split() for fact in used))
    for each in others:
        label, words = normalise(each.label), set(normalise(each.label).split())
        is_said = words & untitled or (words & left and label in asked)  # what the title of a table says of all lines
        if is_said and words <= set(asked.split()) and not _NO_LINE.search(each.label):
            yield f"{each.label[:MOST_SAID]!r} is named too, and the answer is of {used[0].label[:MOST_SAID]!r} alone"
            return


def _is_over(item: LineItem, asked: str) -> bool:
    """Whether a question, normalised, holds something against an item: `allowance to total loan`."""
    labels = (label for label in map(normalise, item.labels) if label in asked)
    return any(re.search(rf"\w (?:to|over)(?: the)? {re.escape(label)}\b", asked) for label in labels)


def is_rounded(value: Decimal, printed: Fact) -> bool:
    """Whether a number is printed in fewer digits, as a percentage or not."""
    behind = _DECIMALS.search(printed.raw)  # the digits of `3.0`, of which the value keeps none
    apart = Decimal(5).scaleb(-1 - (len(behind[1]) if behind else 0))
    return any(((value * times).copy_abs() - printed.value.copy_abs()).copy_abs() <= apart for times in (1, 100))
