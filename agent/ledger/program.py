"""Programs in the language of FinQA (Chen et al. 2021), written from the ledger; `eval/gold` executes them.

subtract(60.94, 25.14), divide(#0, 25.14)        steps; `#0` is the result of the first one
25%                                              a look-up; a percentage is its decimal, here 0.25
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tieout.agent.ledger.ledger import FromConstant, FromOperation, FromPrior, Ledger, Step
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.printed.amount import Unit


class _Writer:
    """Steps in the order in which they are needed, equal ones written once."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    def step(self, opcode: str, operands: Sequence[str]) -> str:
        written = f"{opcode}({', '.join(operands)})"
        if written not in self.steps:
            self.steps.append(written)
        return f"#{self.steps.index(written)}"

    def expand(self, steps: Sequence[tuple[str, tuple[str, ...]]], operands: Sequence[str]) -> str:
        results: list[str] = []
        for opcode, places in steps:
            results.append(self.step(opcode, [_operand(place, operands, results) for place in places]))
        return results[-1] if results else operands[0]


def _operand(place: str, operands: Sequence[str], results: Sequence[str]) -> str:
    if place.startswith("#"):
        return results[int(place[1:])]
    return operands[int(place)] if place.isdigit() else place


def program_of(ledger: Ledger, name: str) -> str | None:
    """The way to an entry, down to printed figures, as a program; None where FinQA has no words for a step."""
    writer = _Writer()
    tokens: dict[tuple[int, str], str] = {}
    token = ""
    for step in ledger.way_to(name):
        operands = ledger.operands(step)
        written = _token(writer, step, operands, [tokens[each.turn, each.entry.name] for each in operands])
        if written is None:
            return None
        token = tokens[step.turn, step.entry.name] = written
    return ", ".join(writer.steps) if token.startswith("#") else token


def _token(writer: _Writer, step: Step, operands: Sequence[Step], tokens: Sequence[str]) -> str | None:
    entry = step.entry
    if isinstance(entry.source, FromPrior) and tokens:
        return tokens[0]
    if isinstance(entry.source, FromOperation):
        return _operation(writer, step, operands, tokens)
    if not isinstance(entry.value, Decimal):
        return None
    if isinstance(entry.source, FromConstant):
        return f"const_{entry.value:f}".replace("-", "m")
    return f"{entry.value:f}{'%' if entry.unit == Unit.PERCENT else ''}"


def _operation(writer: _Writer, step: Step, operands: Sequence[Step], tokens: Sequence[str]) -> str | None:
    assert isinstance(step.entry.source, FromOperation)
    operation = OPERATIONS[step.entry.source.operation]
    if operation.name == "as_decimal":  # a percentage is its decimal wherever the language has it
        operand = operands[0].entry
        is_decimal = operand.unit == Unit.PERCENT or operand.value == step.entry.value
        return tokens[0] if is_decimal else writer.step("divide", (tokens[0], "const_100"))
    if operation.to_scale is not None:
        return _conversion(writer, tokens[0], operands[0].entry.scale, operation.to_scale)
    if operation.expansion is None:
        return None
    return writer.expand(operation.expansion(len(tokens)), tokens)


def _conversion(writer: _Writer, token: str, scale: int, to_scale: int) -> str:
    if scale == to_scale:
        return token
    if scale > to_scale:
        return writer.step("multiply", (token, f"const_{scale // to_scale}"))
    return writer.step("divide", (token, f"const_{to_scale // scale}"))
