"""How a value comes about, read from its program: `divide(subtract(a:t1r2c3, a:t1r3c3), 2)` as a tree.

>>> read_program("divide(a:t1r2c3, 2)", ["a:t1r2c3"])
Step(operation='divide', parts=('a:t1r2c3', Decimal('2')))
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Step:
    """One operation: `add`, `subtract`, `multiply`, `divide`, `average` or `magnitude`, of its parts in order."""

    operation: str
    parts: tuple[Program, ...]


Program = Step | Decimal | str  # a str is the name of a printed figure, REPORT:t1r2c3


def read_program(text: str, names: Iterable[str]) -> Program:
    """The tree of a program. names: of the figures in it, which may have any letters, as they hold names of files."""
    known = {name: f"figure{number}" for number, name in enumerate(names)}
    for name in sorted(known, key=len, reverse=True):
        text = text.replace(name, known[name])
    return _read(ast.parse(text, mode="eval").body, {figure: name for name, figure in known.items()})


def _read(node: ast.expr, names: Mapping[str, str]) -> Program:
    match node:
        case ast.Name(id=name):
            return names[name]
        case ast.Constant(value=number):
            return Decimal(str(number))
        case ast.UnaryOp(operand=ast.Constant(value=number)):
            return -Decimal(str(number))
        case ast.Call(func=ast.Name(id=operation), args=parts):
            return Step(operation, tuple(_read(each, names) for each in parts))
    raise AssertionError(ast.dump(node))
