"""Why a turn is wrong: a class for each, by rules over the log and the gold program, first that fits."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum

from tieout.agent.ledger.ledger import FromFact, FromPrior, FromQuestion, Step
from tieout.agent.log.turn import Turn
from tieout.data.arithmetic.units import CONTEXT, shifted
from tieout.data.document import Conversation
from tieout.eval.gold.errata import Errata
from tieout.eval.gold.executed import ProgramError
from tieout.eval.gold.program import Program, equivalent, parse, printed
from tieout.eval.score.coverage import by_value, missing
from tieout.eval.score.result import ANSWERED, Result
from tieout.eval.score.score import Rule, correct
from tieout.kg.fact import Fact

_POWERS = {2: "a hundred", 3: "a thousand", 6: "a million", 9: "a billion"}


class Reason(StrEnum):
    """Why, in the order in which the rules are tried."""

    SUSPECT = "gold suspect"
    NO_ANSWER = "no answer"
    LIMIT = "limit"
    NOT_IN_GRAPH = "operand not in graph"
    EARLIER = "follows from an earlier error"
    SCALE = "scale or percent"
    ORDER = "order or sign"
    REFERENCE = "wrong reference to an earlier turn"
    OPERATION = "right operands, wrong operation"
    NOT_CHOSEN = "found but not chosen"
    NO_PROGRAM = "no program to compare with"


EXPLAINED: Mapping[Reason, str] = {
    Reason.SUSPECT: "the errata name this gold label",
    Reason.NO_ANSWER: "the turn ended in a question back, a refusal or an error",
    Reason.LIMIT: "the turn ended at a limit",
    Reason.NOT_IN_GRAPH: "no fact of the document holds a figure of the gold program",
    Reason.EARLIER: "the answer was made from that of an earlier turn, and that one is wrong",
    Reason.SCALE: "right but for a power of ten, or for its rounding",
    Reason.ORDER: "right but for its sign, or its operands are the right ones in another order",
    Reason.REFERENCE: "the gold program continues one earlier turn, the answer another",
    Reason.OPERATION: "the figures of the gold program, and another calculation",
    Reason.NOT_CHOSEN: "the graph holds every figure of the gold program, and others were chosen",
    Reason.NO_PROGRAM: "the label is an answer alone, without the way to it",
}


@dataclass(frozen=True, slots=True)
class Failure:
    """A wrong turn. reason: why; detail: what the rule saw, in words."""

    result: Result
    reason: Reason
    detail: str


def failures(
    conversation: Conversation,
    turns: Sequence[Turn],
    results: Sequence[Result],
    facts: Iterable[Fact],
    errata: Errata,
    rule: Rule = Rule.STRICT,
) -> list[Failure]:
    """The wrong turns of one conversation, each with its class. turns and results: of the same turns, in order."""
    held = by_value(facts)
    wrong = {result.turn for result in results if not result.right[rule]}
    found = []
    for turn, result in zip(turns, results, strict=True):
        if result.turn in wrong:
            reason, detail = _why(conversation, turn, result, held, errata, wrong)
            found.append(Failure(result, reason, detail))
    return found


def _why(
    conversation: Conversation,
    turn: Turn,
    result: Result,
    held: Mapping[Decimal, Sequence[Fact]],
    errata: Errata,
    wrong: Collection[int],
) -> tuple[Reason, str]:
    assert result.gold is not None
    if result.key in errata:
        return Reason.SUSPECT, errata[result.key]
    if result.outcome != ANSWERED:
        return (Reason.LIMIT if result.outcome == "limit" else Reason.NO_ANSWER), turn.message or result.outcome
    if not result.gold.program:
        detail = _scale(result)
        told = f"{turn.text} in place of {result.gold.printed or result.gold.answer}"
        return (Reason.SCALE, detail) if detail else (Reason.NO_PROGRAM, told)
    try:
        gold = parse(result.gold.program)
    except ProgramError as error:
        return Reason.SUSPECT, f"the gold program cannot be read: {error}"
    if lost := missing(gold, held):
        return Reason.NOT_IN_GRAPH, f"no fact holds {', '.join(lost)}"
    if earlier := sorted(_turns_used(turn) & set(wrong)):
        return Reason.EARLIER, f"made from the answer of turn {earlier[-1] + 1}"
    if detail := _scale(result):
        return Reason.SCALE, detail
    figures = _figures(turn)
    same = figures == {printed(operand) for operand in gold.operands}
    if detail := _order(result, gold, same):
        return Reason.ORDER, detail
    if detail := _reference(conversation, turn, result.gold.program):
        return Reason.REFERENCE, detail
    if same:
        return Reason.OPERATION, f"{result.program or 'no program'} in place of {result.gold.program}"
    chosen = ", ".join(sorted(map(str, figures))) or "none"
    return Reason.NOT_CHOSEN, f"chosen: {chosen}; in the gold program: {', '.join(gold.operands) or 'none'}"


def _steps(turn: Turn) -> Iterator[Step]:
    """The way to an answer: to its one number, or to all the figures of a list."""
    names = [item.entry for item in turn.items] if turn.answer is None else [turn.answer.name]
    for name in dict.fromkeys(name for name in names if name is not None):
        yield from turn.ledger.way_to(name)


def _turns_used(turn: Turn) -> set[int]:
    """The earlier turns on whose answers this one rests."""
    return {step.entry.source.turn for step in _steps(turn) if isinstance(step.entry.source, FromPrior)}


def _figures(turn: Turn) -> set[Decimal]:
    """The printed figures that an answer rests on, by absolute value as printed."""
    entries = (step.entry for step in _steps(turn) if isinstance(step.entry.source, FromFact | FromQuestion))
    return {entry.value.copy_abs() for entry in entries if isinstance(entry.value, Decimal)}


def _scale(result: Result) -> str | None:
    answer, gold = result.answer, result.gold
    if not isinstance(answer, Decimal) or gold is None or not isinstance(gold.answer, Decimal):
        return None
    for places in (sign * power for power in _POWERS for sign in (1, -1)):
        if correct(Rule.STRICT, shifted(answer, places), gold.answer):
            return f"{_POWERS[abs(places)]} times too {'small' if places > 0 else 'large'}"
    return "right but for rounding" if result.right[Rule.MAIN] and answer else None


def _order(result: Result, gold: Program, same_figures: bool) -> str | None:
    answer, wanted = result.answer, result.gold
    if isinstance(answer, Decimal) and wanted is not None and isinstance(wanted.answer, Decimal):
        if correct(Rule.STRICT, answer.copy_negate(), wanted.answer):
            return "the sign is turned"
        if answer and correct(Rule.STRICT, CONTEXT.divide(Decimal(1), answer), wanted.answer):
            return "numerator and denominator are exchanged"
    if not same_figures or result.program is None:
        return None
    operations = sorted(step.operation for step in parse(result.program).steps)
    if operations and operations == sorted(step.operation for step in gold.steps):
        return f"{result.program} in place of {', '.join(gold.operands)} in their order"
    return None


def _reference(conversation: Conversation, turn: Turn, program: str) -> str | None:
    """Which earlier turn the gold program continues, where the answer rests on other ones; None otherwise."""
    used = _turns_used(turn)
    for index in range(turn.index - 1, -1, -1):
        earlier = conversation.gold[index].program
        if "(" in earlier and program.startswith(earlier) and not equivalent(program, earlier):
            if used and index not in used:
                return f"rests on turn {max(used) + 1}, not on turn {index + 1}"
            return None
    return None
