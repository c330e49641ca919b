"""What needs no model: whether the graph holds the gold operands, and whether our tools can calculate the gold answers.

Operand recall: the figures of the gold programs, neither constants nor results of steps, that some fact of the
document's graph has as its value, by absolute value as printed (`25%` is 25). Oracle: the gold programs run through
our own tools, each figure bound to such a fact, and the result compared with the gold answer under the strict rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import islice, product

from tieout.agent.ledger.ledger import Ledger
from tieout.agent.protocol.tool import ToolError
from tieout.agent.tools.toolbox import Tools
from tieout.agent.tools.values import Values
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.arithmetic.units import SCALES, shifted
from tieout.data.document import Conversation
from tieout.data.printed.amount import Unit
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import Program, Step, number, parse, printed
from tieout.eval.score.score import Answer, Rate, Rule, correct
from tieout.kg.build import build
from tieout.kg.fact import Fact
from tieout.ontology.model import Ontology

_MOST_RUNS = 512  # for a program of many figures, each printed many times
_HUNDRED = "const_100"
_MINUS = "const_m1"
_SCALING = ("const_1000", "const_1000000", "const_1000000000")


@dataclass(frozen=True, slots=True)
class Miss:
    """A turn that the graph or the tools do not reach. turn: from 0. operands: as written, those that no fact holds."""

    conversation: str
    turn: int
    program: str
    reason: str
    operands: tuple[str, ...] = ()


@dataclass(slots=True)
class Coverage:
    """Counts over conversations. operands: as often as they are written in the programs."""

    operands: int = 0
    found: int = 0
    turns: int = 0
    reached: int = 0
    misses: list[Miss] = field(default_factory=list)

    @property
    def operand_recall(self) -> Rate:
        return Rate(self.found, self.operands)

    @property
    def oracle(self) -> Rate:
        return Rate(self.reached, self.turns)


def coverage(conversations: Iterable[Conversation], ontology: Ontology) -> Coverage:
    """Operand recall and oracle of all labelled turns. Unlabelled conversations count for nothing."""
    total = Coverage()
    for conversation in conversations:
        if conversation.gold:
            cover(conversation, build(conversation.document, ontology).facts(), total)
    return total


def cover(conversation: Conversation, facts: Sequence[Fact], total: Coverage) -> None:
    """Adds the turns of one conversation to total."""
    held = by_value(facts)
    for turn, (question, gold) in enumerate(zip(conversation.questions, conversation.gold, strict=True)):
        try:
            program = parse(gold.program)
        except ProgramError as error:
            total.turns += 1
            total.misses.append(Miss(conversation.id, turn, gold.program, str(error)))
            continue
        lost = missing(program, held)
        total.operands += len(program.operands)
        total.found += len(program.operands) - len(lost)
        reason = "no fact holds an operand" if lost else run_through_tools(program, gold.answer, facts, question.text)
        total.turns += 1
        total.reached += reason is None
        if reason is not None:
            total.misses.append(Miss(conversation.id, turn, gold.program, reason, lost))


def by_value(facts: Iterable[Fact]) -> dict[Decimal, list[Fact]]:
    """The facts by their absolute value as printed."""
    held: dict[Decimal, list[Fact]] = {}
    for fact in facts:
        held.setdefault(fact.value.copy_abs(), []).append(fact)
    return held


def missing(program: Program, held: Mapping[Decimal, Sequence[Fact]]) -> tuple[str, ...]:
    """The operands of a program that no fact holds, as often as they are written."""
    return tuple(operand for operand in program.operands if printed(operand) not in held)


def run_through_tools(program: Program, gold: Decimal | str, facts: Sequence[Fact], question: str) -> str | None:
    """None when our tools get from facts to the gold answer by this program, else why they do not.

    A figure that is printed in several places may be bound to any of them. Where the program writes it without the
    sign or the percent of the place, it is brought to what is written by a calculation with a constant. Facts must
    hold all operands.
    """
    held = by_value(facts)
    figures = list(dict.fromkeys(program.operands))
    choices = [_nearest_first(figure, held[printed(figure)]) for figure in figures]
    reason = "no binding was tried"
    ways = ((binding, converting) for converting in (False, True) for binding in product(*choices))
    for binding, converting in islice(ways, _MOST_RUNS):
        run = _Run(facts, question, dict(zip(figures, binding, strict=True)), converting)
        try:
            answer = run.result(program)
        except ToolError as error:
            reason = str(error)
            continue
        if correct(Rule.STRICT, answer, gold):
            return None
        reason = f"the tools give {answer}, the gold answer is {gold}"
    return reason


def _nearest_first(figure: str, facts: Sequence[Fact]) -> list[Fact]:
    """One fact of each sign, unit and scale, those written like the figure first."""
    kinds: dict[tuple[Decimal, object, int], Fact] = {}
    for fact in facts:
        kinds.setdefault((fact.value, fact.unit, fact.scale), fact)
    return sorted(kinds.values(), key=lambda fact: _as_entered(fact) != number(figure))


def _as_entered(fact: Fact) -> Decimal:
    """The value of a fact as it enters a calculation."""
    return shifted(fact.value, -2) if fact.unit == Unit.PERCENT else fact.value


class _Run:
    """One program through the tools, with each figure bound to a fact.

    converting: a step by 1000 or a million on an amount with a scale is the conversion to another scale that it stands
    for.
    """

    def __init__(self, facts: Sequence[Fact], question: str, binding: Mapping[str, Fact], converting: bool) -> None:
        values = Values(Ledger(), {fact.name: fact for fact in facts}, [question], strict=True)
        self.tools = Tools(values)
        self.binding = binding
        self.converting = converting

    def result(self, program: Program) -> Answer:
        """The answer as it is scored. Raises ToolError."""
        results: list[str] = []
        if program.value is not None:
            results.append(self._operand(program.value, results))
        for step in program.steps:
            results.append(self._step(step, results))
        entry = self.tools.answer(results[-1]).entry
        return None if entry is None else entry.as_number()

    def _step(self, step: Step, results: Sequence[str]) -> str:
        operands = [self._operand(each, results) for each in step.arguments]
        conversion = self._conversion(step, operands[0]) if self.converting else None
        return self._calculate(conversion, operands[:1]) if conversion else self._calculate(step.operation, operands)

    def _conversion(self, step: Step, amount: str) -> str | None:
        """`in_millions` for `multiply(2.2, const_1000)` where 2.2 is in billions: what the constant stands for."""
        if step.arguments[1] not in _SCALING or step.operation not in ("multiply", "divide"):
            return None
        factor = number(step.arguments[1])
        scale = self.tools.values.entry(amount).scale
        to_scale = scale / factor if step.operation == "multiply" else scale * factor
        conversion = f"in_{SCALES.get(int(to_scale), '')}"
        return conversion if conversion in OPERATIONS else None

    def _calculate(self, operation: str, operands: list[str]) -> str:
        name: str = self.tools.calculate(operation, operands)["name"]
        return name

    def _operand(self, written: str, results: Sequence[str]) -> str:
        if written.startswith("#"):
            return results[int(written[1:])]
        if written not in self.binding:
            return written
        fact = self.binding[written]
        name: str = self.tools.query_kg(fact=fact.name)["name"]
        wanted = number(written)
        if wanted.copy_abs() != _as_entered(fact).copy_abs():
            name = self._calculate("multiply" if fact.unit == Unit.PERCENT else "divide", [name, _HUNDRED])
        if wanted.is_signed() != fact.value.is_signed() and wanted:
            name = self._calculate("multiply", [name, _MINUS])
        return name
