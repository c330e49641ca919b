"""How a metric is written: `[revenue] / average([total_assets], [total_assets@-1])`, read into a tree of operations.

>>> read_formula("([cash] + optional([inventory])) / [sales@-1]")
Apply(operation='divide', operands=(Apply(operation='add', operands=(Operand(name='cash', back=0), \
Apply(operation='optional', operands=(Operand(name='inventory', back=0),)))), Operand(name='sales', back=-1)))
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

_OPERAND = re.compile(r"\[([a-z_]+)(?:@(-\d+))?\]")
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "subtract",
    ast.Mult: "multiply",
    ast.Div: "divide",
}
_FUNCTIONS = frozenset(("average", "magnitude", "optional"))


class FormulaError(ValueError):
    """A formula that is not written as this module says."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A line item or another metric. back: 0 for the period asked for, -1 for the one before."""

    name: str
    back: int = 0


@dataclass(frozen=True, slots=True)
class Apply:
    """An operation of `tieout.agent.arithmetic` by its name; `optional` stands for a part that may not be there."""

    operation: str
    operands: tuple[Formula, ...]


Formula = Operand | Apply | Decimal


def read_formula(text: str) -> Formula:
    """The tree of a formula. Raises FormulaError for what is no formula."""
    written = _OPERAND.sub(lambda match: f"operand({match[1]!r}, {match[2] or 0})", text)
    try:
        return _read(ast.parse(written, mode="eval").body)
    except SyntaxError as error:
        raise FormulaError(f"{text!r} is no formula: {error.msg}") from error


def _read(node: ast.expr) -> Formula:
    match node:
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
            return Apply(_SIGNS[type(sign)], (_read(left), _read(right)))
        case ast.Constant(value=int(value)):
            return Decimal(value)
        case ast.Call(func=ast.Name(id="operand"), args=[ast.Constant(value=str(name)), back]):
            return Operand(name, int(ast.literal_eval(back)))
        case ast.Call(func=ast.Name(id=name), args=parts) if name in _FUNCTIONS:
            return Apply(name, tuple(map(_read, parts)))
    raise FormulaError(f"{ast.unparse(node)!r} has no place in a formula")


def operands(formula: Formula) -> Iterator[Operand]:
    """All that a formula needs, from left to right."""
    match formula:
        case Operand():
            yield formula
        case Apply():
            for each in formula.operands:
                yield from operands(each)
