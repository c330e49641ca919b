"""How a metric is written: `[revenue] / average([total_assets], [total_assets@-1])`, read into a tree of operations.

>>> read_formula("([cash] + optional([inventory])) / [sales@-1]")
Apply(operation='divide', operands=(Apply(operation='add', operands=(Operand(name='cash', back=0), \
Apply(operation='optional', operands=(Operand(name='inventory', back=0),)))), Operand(name='sales', back=-1)))
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol, TypeVar

from tieout.data.printed.pattern import later

T = TypeVar("T")
_OPERAND = later(r"\[([a-z_]+)(?:@(-\d+))?\]")
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
    """An operation of `tieout.data.arithmetic` by its name; `optional` stands for a part that may not be there."""

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


def at_closing(formula: Formula) -> Formula:
    """A formula with the balances at the end of the period in place of their averages over it."""
    match formula:
        case Apply(operation="average"):
            return formula.operands[0]
        case Apply():
            return Apply(formula.operation, tuple(map(at_closing, formula.operands)))
    return formula


class Evaluation(Protocol[T]):
    """Where the parts of a formula come from, and how they are put together: figures of a report, filings of a company.

    constant: a number of the formula. named: a line item or metric, so many periods before; None where it is not there.
    optional: a part that may not be there. together: the result of an operation; None where it has none.
    """

    def constant(self, value: Decimal) -> T: ...
    def named(self, name: str, back: int) -> T | None: ...
    def optional(self, part: Formula) -> T | None: ...
    def together(self, operation: str, values: tuple[T, ...]) -> T | None: ...


def evaluate(formula: Formula, by: Evaluation[T]) -> T | None:
    """What a formula comes to; None where a part of it is not there that has to be.

    An operation of which one part alone is there, as the others are optional, is that part.
    """
    match formula:
        case Decimal():
            return by.constant(formula)
        case Operand(name=name, back=back):
            return by.named(name, back)
        case Apply(operation="optional", operands=(part,)):
            return by.optional(part)
        case Apply(operation=operation, operands=parts):
            values = [evaluate(part, by) for part in parts]
            there = tuple(value for value in values if value is not None)
            lacks = any(value is None and not _is_optional(part) for value, part in zip(values, parts, strict=True))
            if lacks or not there:
                return None
            return there[0] if len(there) == 1 and len(parts) > 1 else by.together(operation, there)


def before(formula: Formula, periods: int) -> Formula:
    """The same formula so many periods earlier.

    >>> before(read_formula("[net_income] / [equity@-1]"), 1)
    Apply(operation='divide', operands=(Operand(name='net_income', back=-1), Operand(name='equity', back=-2)))
    """
    match formula:
        case Operand(name=name, back=back):
            return Operand(name, back - periods)
        case Apply(operation=operation, operands=parts):
            return Apply(operation, tuple(before(part, periods) for part in parts))
    return formula


def _is_optional(part: Formula) -> bool:
    return isinstance(part, Apply) and part.operation == "optional"
