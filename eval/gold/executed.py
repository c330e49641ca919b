"""Programs in the language of FinQA (Chen et al. 2021), executed by our own operations.

subtract(60.94, 25.14), divide(#0, 25.14)        steps; `#0` is the result of the first one
25%                                              a look-up; a percentage is its decimal, here 0.25
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from tieout.data.arithmetic.operation import OperationError
from tieout.data.arithmetic.operations import OPERATIONS
from tieout.data.arithmetic.units import shifted

STEP = re.compile(r"\s*([a-z_]+)\(([^()]*)\)\s*(?:,|$)")
NUMBER = re.compile(r"-?(?:\d+(?:\.\d*)?|\.\d+)(%?)", re.ASCII)
CONSTANT = re.compile(r"const_(m?[0-9]+)")
OPCODES = frozenset({"add", "subtract", "multiply", "divide", "exp", "greater"})
OF_ROW = {"table_max": "max", "table_min": "min", "table_sum": "sum", "table_average": "average"}
MOST_STEPS = 100
MOST_DIGITS = 40


class ProgramError(ValueError):
    """A text that is no program, or one that cannot be executed."""


def execute(program: str, rows: Mapping[str, Sequence[Decimal]] | None = None) -> Decimal | str:
    """The result of a program: a Decimal at full precision, or `yes` or `no` of a comparison.

    rows: the rows of the table by label, for `table_sum(label, none)` and its like. Raises ProgramError.
    """
    program = program.strip()
    if NUMBER.fullmatch(program) or CONSTANT.fullmatch(program):
        return _literal(program)
    results: list[Decimal | bool] = []
    end = 0
    while end < len(program):
        match = STEP.match(program, end)
        if match is None or len(results) == MOST_STEPS:
            raise ProgramError(f"{program[:200]!r} is no program: it breaks off at {program[end : end + 40]!r}")
        results.append(_execute(match[1], [part.strip() for part in match[2].split(",")], results, rows or {}))
        end = match.end()
    if not results:
        raise ProgramError("the program is empty")
    return results[-1] if isinstance(results[-1], Decimal) else ("yes" if results[-1] else "no")


def _execute(
    opcode: str, operands: Sequence[str], results: Sequence[Decimal | bool], rows: Mapping[str, Sequence[Decimal]]
) -> Decimal | bool:
    try:
        if opcode in OF_ROW:
            if operands[0] not in rows:
                raise ProgramError(f"{opcode}: there is no table row {operands[0]!r}")
            return OPERATIONS[OF_ROW[opcode]].apply(rows[operands[0]])
        if opcode not in OPCODES:
            raise ProgramError(f"{opcode!r} is no operation of the language")
        return OPERATIONS[opcode].apply([_value(operand, results) for operand in operands])
    except OperationError as error:
        raise ProgramError(str(error)) from error


def _value(operand: str, results: Sequence[Decimal | bool]) -> Decimal:
    if not operand.startswith("#"):
        return _literal(operand)
    index = operand[1:]
    if not (index.isascii() and index.isdecimal()) or len(index) > 3 or int(index) >= len(results):
        raise ProgramError(f"{operand!r} is no earlier step")
    value = results[int(index)]
    if isinstance(value, bool):
        raise ProgramError(f"{operand!r} is a comparison, not a number")
    return value


def _literal(text: str) -> Decimal:
    if sum(map(str.isdecimal, text)) > MOST_DIGITS:
        raise ProgramError(f"a number of more than {MOST_DIGITS} digits: {text[:MOST_DIGITS]!r}...")
    if match := CONSTANT.fullmatch(text):
        return Decimal(match[1].replace("m", "-"))
    if match := NUMBER.fullmatch(text):
        return shifted(Decimal(text.rstrip("%")), -2 if match[1] else 0)
    raise ProgramError(f"{text[:80]!r} is no number")
