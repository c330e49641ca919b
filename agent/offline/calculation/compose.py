"""Which answers are possible: calculations over printed figures, earlier results and numbers of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tieout.agent.offline.operands.context import Past
from tieout.agent.offline.operands.grounding import Aim
from tieout.data.arithmetic.plain import result_of
from tieout.data.arithmetic.units import SCALES
from tieout.kg.fact import Fact
from tieout.kg.figure import figure
from tieout.kg.page import Page, View, amount

FRESH = 12  # printed figures, best first, that no earlier turn used
USED = 10
RESULTS = 5
HUNDRED, ONE, TWO = Decimal(100), Decimal(1), Decimal(2)
MOST_AVERAGED = 12
# Candidates in words: `take sales (2018) [t1r1c2] from sales (2019) [t1r1c1]`.
VERBS = {
    "lookup": "look up {0}",
    "add": "add {0} and {1}",
    "sum": "add {0} and {1}",
    "subtract": "take {1} from {0}",
    "multiply": "multiply {0} by {1}",
    "divide": "divide {0} by {1}",
    "greater": "see whether {0} is greater than {1}",
    "percentage_change": "the change from {1} to {0}, divided by {1}",
    "average": "the average of {0} and {1}",
}


@dataclass(slots=True, eq=False)
class Operand:
    """Something to calculate with; nobody changes it.

    kind: `fresh` (a printed figure not used before), `used`, `result` (of an earlier turn), `number` (a constant or in
        the question).
    score: log probability of the grounding model, 0 for what is not a printed figure; rank: its place, 0 the best.
    scale: a power of ten where one is stated for it.
    """

    kind: str
    value: Decimal
    view: View | None = None
    past: Past | None = None
    score: float = 0.0
    rank: int = 0
    scale: int | None = None


@dataclass(slots=True, eq=False)
class Candidate:
    """One possible answer; nobody changes it.

    concept: what it would mean, finer than the operation (a quotient is a `rate`, a `ratio`, an `average`).
    frame: under which name its operands are weighted; operands: in order.
    """

    concept: str
    operation: str
    operands: tuple[Operand, ...]
    frame: str = ""

    @property
    def facts(self) -> list[Fact]:
        """The printed figures that it looks up itself."""
        return [each.view.fact for each in self.operands if each.view is not None]

    def value(self) -> Decimal | bool | None:
        """What it comes to, percentages as decimals; None where it is not defined."""
        a, b = self.operands[0], self.operands[-1]
        x, y = a.value, b.value
        if self.operation.startswith("in_"):
            return x * (a.scale or 1) / b.value
        if a.scale and b.scale and a.scale != b.scale and self.operation in ONE_SCALE:
            least = min(a.scale, b.scale)
            x, y = x * a.scale / least, y * b.scale / least
        return result_of(self.operation, (x, y))


Made = tuple[str, str, tuple[Operand, ...], str]  # concept, operation, operands, frame
ONE_SCALE = frozenset({"add", "subtract", "divide", "greater", "percentage_change", "average"})


def pool(goal: Aim, page: Page, scores: Sequence[float]) -> list[Operand]:
    """What can be calculated with, given the log probability of each fact of the page."""
    operands: list[Operand] = []
    fresh: set[Decimal] = set()
    used = 0
    for rank, index in enumerate(sorted(range(len(page.views)), key=scores.__getitem__, reverse=True)):
        view = page.views[index]
        if len(fresh) == FRESH and not goal.context.used:
            break
        kind = "used" if view.fact.name in goal.context.used else "fresh"
        if (kind == "used" and used == USED) or (kind == "fresh" and (len(fresh) == FRESH or view.fact.value in fresh)):
            continue
        used += kind == "used"
        if kind == "fresh":
            fresh.add(view.fact.value)
        operands.append(Operand(kind, amount(view.fact), view, None, scores[index], rank, _scale(view)))
    seen: set[Decimal] = set()
    for past in goal.context.past:
        if past.calculated and isinstance(past.value, Decimal) and past.value not in seen and len(seen) < RESULTS:
            seen.add(past.value)
            operands.append(Operand("result", past.value, past=past, scale=past.scale))
    return operands


def _scale(view: View) -> int | None:
    fact = view.fact
    return fact.scale if fact.unit is not None or fact.scale != 1 else None


def possible(operands: Sequence[Operand], goal: Aim) -> Iterator[Made]:
    """What candidates are made of, in an order that is always the same: of a thousand for a question most are not worth
    being made. Of two steps, a rate of change or an average, those where no earlier turn took the first."""
    for operand in operands:
        yield "lookup", "lookup", (operand,), "lookup"
        yield from _with_numbers(operand, goal)
    changed = any(past.operation == "subtract" for past in goal.context.past)
    added = any(past.operation in ("add", "sum") for past in goal.context.past)
    for i, x in enumerate(operands):
        for j, y in enumerate(operands):
            if i == j:
                continue
            yield "change", "subtract", (x, y), "change"
            quotient = "rate" if is_rate(x, y) else "ratio"
            yield quotient, "divide", (x, y), quotient
            yield "compare", "greater", (x, y), "compare"
            if i < j:
                yield "sum", "add", (x, y), "sum"
                yield "product", "multiply", (x, y), "product"
            if x.view is not None and y.view is not None:
                if not changed:
                    yield "rate", "percentage_change", (x, y), "change"
                if i < j and not added:
                    yield "average", "average", (x, y), "sum"


def is_rate(x: Operand, y: Operand) -> bool:
    """Whether x by y is a rate of change: a difference by one of its own two figures."""
    if x.past is None or x.past.operation != "subtract" or y.view is None:
        return False
    return y.view.fact.name in [fact.name for fact in x.past.facts]


def _with_numbers(x: Operand, goal: Aim) -> Iterator[Made]:
    hundred, one = Operand("number", HUNDRED), Operand("number", ONE)
    yield "rebase", "subtract", (x, hundred), "rebase"
    if x.past is not None and x.past.operation == "subtract":
        yield "rate", "divide", (x, hundred), "rate"
    if ONE in goal.asked.counts:
        yield "less one", "subtract", (x, one), "less one"
        yield "one less", "subtract", (one, x), "one less"
    if "positive" in goal.asked.words or "negative" in goal.asked.words:
        yield "opposite", "multiply", (x, Operand("number", Decimal(-1))), "opposite"
    for value in goal.asked.literals:
        if value:
            yield "by number", "divide", (x, Operand("number", value)), "by number"
            yield "times number", "multiply", (x, Operand("number", value)), "times number"
    for value in sorted(_counts(goal)):
        yield "average", "divide", (x, Operand("number", value)), "average"
    for scale in goal.asked.scales:
        if x.scale is not None and x.scale != scale:
            yield "convert", f"in_{SCALES[scale]}", (x, Operand("number", Decimal(scale))), "convert"


def _counts(goal: Aim) -> frozenset[Decimal]:
    under = next((len(past.facts) for past in goal.context.past if past.calculated), 0)
    known = {TWO, Decimal(under), *goal.asked.counts}
    return frozenset(value for value in known if 2 <= value <= MOST_AVERAGED and value == int(value))


def said_of(candidate: Candidate) -> str:
    """A calculation with its figures."""
    if candidate.operation.startswith("in_"):
        return f"convert {_said(candidate.operands[0])} to {candidate.operation[3:]}"
    return VERBS[candidate.operation].format(*(_said(operand) for operand in candidate.operands))


def _said(operand: Operand) -> str:
    if operand.view is not None:
        return figure(operand.view.fact)
    if operand.past is not None:
        return f"the answer of {operand.past.age} turn{'s' if operand.past.age > 1 else ''} before"
    return f"{operand.value:f}"
