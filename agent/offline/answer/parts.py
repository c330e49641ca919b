"""Which of the parts of an amount was the most, the least, or grew faster: `which segment had the highest revenue?`

The parts are figures that stand side by side, in a column or a row of a table, and add up to the amount of the whole
company, or of a part of it: neither totals nor other lines are one. Of a rate a table has both amounts of each part.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from tieout.agent.offline.answer.change import year_before
from tieout.agent.offline.candidates.figure import words_of
from tieout.agent.offline.operands.linking import Lines, Pick
from tieout.agent.question.language import language
from tieout.agent.question.question import Question
from tieout.data.printed.periods.spans import QUARTER, months_of, span_of
from tieout.kg.fact import Fact
from tieout.kg.figure import amount_of, report_of, row_of, table_of
from tieout.kg.sums import run_of, without_totals
from tieout.ontology.metrics.formula import Apply, Operand
from tieout.ontology.metrics.line_item import LineItem, find_line_item, line_items
from tieout.ontology.metrics.metric import metrics

MOST_WHOLES = 3  # amounts that what is asked for may be
MOST_PARTS = 40  # figures side by side
CHANCE, OTHER = 0.9, 0.6  # that the parts are those that are meant: under words of the question, and any others
MOST_TOLD = 4  # parts that are named
Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Parts:
    """Figures that add up to a whole, with their names. said: how far words of the question stand over them; below: of
    rates what each is over."""

    figures: Sequence[Fact]
    names: Sequence[str]
    said: int = 0
    below: Sequence[Fact] = ()


def of_parts(asked: Question, lines: Lines, report: str, turn: int) -> tuple[list[Call], float, tuple[str, ...]] | None:
    """The calls that answer which part was the most, the least, or grew faster or slower, and the chance of being
    right; None where a question does not ask so, or no figures are known to be parts of what it asks for."""
    asks = language().forms["of which part"].search(asked.lower)
    is_ranked = "ranked" in asked.cues
    is_change = bool(asked.cues & ({"pace"} if is_ranked else {"up", "down", "pace"})) or len(asked.years) > 1
    is_asked = is_change or is_ranked or asked.cues & {"highest", "lowest"}
    if asks is None or not is_asked or len(asked.named) > 1:
        return None
    known = language().words
    manner = known["function"] | known["asking"] | known["common"] | frozenset(language().numbers) | known["of a part"]
    asked = replace(asked, open=asked.open - manner - words_of(asks[0]))
    of_which = words_of(asks[0]) - known["function"] - known["asking"]
    of_which = of_which & known["of a part"] or of_which  # `operating segment` stands over no operating revenues
    year = max(asked.years) if asked.years else lines.latest(report)
    rate = _quotient(asked)
    if rate is None:
        wholes = dict.fromkeys(pick.fact for pick in _wholes(asked, lines, report, year))
        found = [parts for whole in list(wholes)[:MOST_WHOLES] for parts in _adding_up(lines, whole, of_which)]
    else:
        found = [] if is_change else list(_of_rates(lines, rate, asked, year, report, of_which))
    if not found:
        return None
    best = max(found, key=lambda parts: parts.said)
    before = [next(year_before(fact, lines.facts), None) if is_change else fact for fact in best.figures]
    kept = [at for at, fact in enumerate(before) if fact is not None and (fact.value or not is_change)]
    if len(kept) < max(2, len(before) - 1):
        return None  # of one a year may be missing, or nothing
    news, names = [best.figures[at] for at in kept], [best.names[at] for at in kept]
    olds = [before[at] for at in kept] if is_change else [best.below[at] for at in kept] if best.below else []
    operation = "percentage_change" if is_change else "percentage"
    pairs = [(new, old) for new, old in zip(news, olds, strict=bool(olds)) if old is not None]
    values = [_moved(*pair) if is_change else pair[0].value / pair[1].value for pair in pairs]
    amounts = values or [fact.value for fact in news]
    down = not is_ranked and (asked.less or bool(asked.cues & {"fewer", "slower"}))
    at = amounts.index((min if down else max)(amounts))
    calls: list[Call] = [
        ("query_kg", {"fact": fact.name}) for fact in dict.fromkeys((*news, *olds)) if fact is not None
    ]
    made = [fact.name for fact in news]
    if pairs:
        made = [f"turn{turn}step{number}" for number in range(1, len(made) + 1)]
        calls += [
            ("calculate", {"operation": operation, "values": [new.name, old.name], "name": name})
            for name, (new, old) in zip(made, pairs, strict=True)
        ]
    order = sorted(range(len(made)), key=lambda each: (each != at, -amounts[each]))
    words = [names[each] for each in order][: None if is_ranked else 1]
    kind = "list" if is_ranked else "name with value"
    answer: dict[str, Any] = {"words": words, "values": [made[each] for each in order], "kind": kind}
    rival = next((each for each in found if each.said >= best.said - 1 and each.names != best.names), None)
    told = () if rival is None else (f"{', '.join(rival.names[:MOST_TOLD])} add up to the same as well",)
    return [*calls, ("answer", answer)], CHANCE if best.said or best.below else OTHER, told


def _quotient(asked: Question) -> tuple[LineItem, LineItem] | None:
    """The line items of which a rate that a question names is made: of an operating margin two; None for no rate."""
    tree = metrics()[asked.named[0].name].formula if asked.named and asked.named[0].is_metric else None
    if not isinstance(tree, Apply) or tree.operation != "divide":
        return None
    over = [line_items().get(each.name) for each in tree.operands if isinstance(each, Operand) and not each.back]
    return (over[0], over[1]) if len(over) == 2 and over[0] is not None and over[1] is not None else None


def _of_rates(
    lines: Lines,
    rate: tuple[LineItem, LineItem],
    asked: Question,
    year: int | None,
    report: str,
    asks: frozenset[str],
) -> Iterator[Parts]:
    """The parts of the company of which a table has both amounts of a rate."""
    of, over = (lines.of_each_part(item, year, report, asked) for item in rate)
    for table, figures in of.items():
        below = over.get(table, {})
        names = [name for name in figures if name in below and below[name].value]
        if len(names) > 1:
            chosen = [figures[name] for name in names]
            yield Parts(chosen, names, _said(lines, chosen[0], asks), [below[name] for name in names])


def _said(lines: Lines, fact: Fact, asks: frozenset[str]) -> int:
    """How many of the words of a question stand over a figure: right over it they count twice."""
    near, over = words_of(f"{fact.caption} {fact.section} {lines.total_of(fact)}"), words_of(fact.heading)
    return 2 * len(asks & near) + len(asks & over)


def _wholes(asked: Question, lines: Lines, report: str, year: int | None) -> Iterator[Pick]:
    """The amounts that the parts may add up to, the likeliest first; of a quarter where the question says so."""
    item = line_items().get(asked.named[0].name if asked.named else "" if asked.open else "revenue")
    if item is None:
        picks = [pick for pick in lines.of_words(asked.open, year, report, asked) if not pick.missing]
    elif asked.open:
        picks = lines.of_part(item, year, report, asked)
    else:
        picks = lines.of_item(item, year, report, asked)
    if asked.part_of_year:
        spans = ((pick, span_of(pick.fact.period)) for pick in picks)
        picks = [pick for pick, span in spans if span is not None and months_of(span) == QUARTER] or picks
    seen: set[Decimal] = set()
    for pick in picks:
        if pick.fact.value > 0 and amount_of(pick.fact) not in seen:
            seen.add(amount_of(pick.fact))
            yield pick


def _adding_up(lines: Lines, whole: Fact, asks: frozenset[str]) -> Iterator[Parts]:
    """The figures of the period of a whole that add up to it, side by side in a column or in a row."""
    beside: dict[tuple[object, ...], list[Fact]] = defaultdict(list)
    for fact in lines.facts:
        if report_of(fact) == report_of(whole) and fact.unit in (whole.unit, None) and _is_of_period(fact, whole):
            beside["column", table_of(fact), fact.column].append(fact)
            beside["row", table_of(fact), fact.row].append(fact)
    for (way, *_), facts in beside.items():
        side_by_side = without_totals(sorted(facts, key=lambda fact: (row_of(fact), fact.column or 0))[:MOST_PARTS])
        figures = run_of(side_by_side, whole)
        names = [fact.label if way == "column" else fact.header for fact in figures]
        names = names if way == "column" else _without_shared(names)
        if len(set(names)) < len(names) or not names or any(find_line_item(name) for name in names):
            continue
        yield Parts(figures, names, _said(lines, figures[0], asks))


def _is_of_period(fact: Fact, whole: Fact) -> bool:
    one, other = (
        (each.start, each.end) if each and each.end else each and each.key for each in (fact.period, whole.period)
    )
    return one == other


def _without_shared(names: Sequence[str]) -> list[str]:
    """Headers without the words that all have: the period over all columns."""
    shared = set.intersection(*(set(name.split()) for name in names)) if names else set()
    return [" ".join(word for word in name.split() if word not in shared) for name in names]


def _moved(new: Fact, old: Fact) -> Decimal:
    """By how much of itself an amount moved."""
    return (new.value - old.value) / old.value.copy_abs() if old.value else Decimal(0)
