"""Programs in the language of FinQA: read, compared as algebra, and what they are made of.

subtract(60.94, 25.14), divide(#0, 25.14)        steps, `#0` is the result of the first one
60.94                                            a look-up
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from tieout.data.arithmetic.units import CONTEXT
from tieout.eval.gold.executed import ProgramError, execute

_STEP = re.compile(r"\s*([a-z_]+)\s*\(([^()]*)\)\s*(?:,|$)")
_REFERENCE = re.compile(r"#(\d+)")
_OF_ROW = "table_"  # table_sum(revenue, none): over the row of that label
_MOST_TERMS = 4096


@dataclass(frozen=True, slots=True)
class Step:
    """One operation. arguments: as written: `60.94`, `25%`, `const_100`, `#0`."""

    operation: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Program:
    """steps: none for a look-up. value: the one token of a look-up, None otherwise."""

    steps: tuple[Step, ...]
    value: str | None = None

    @property
    def literals(self) -> tuple[str, ...]:
        """Every number in it, in order, as often as it is written: no results of steps, no rows of a table."""
        if self.value is not None:
            return (self.value,)
        plain = [step.arguments for step in self.steps if not step.operation.startswith(_OF_ROW)]
        return tuple(each for arguments in plain for each in arguments if not _REFERENCE.fullmatch(each))

    @property
    def operands(self) -> tuple[str, ...]:
        """The literals that are figures of the report: neither constants nor results of steps."""
        return tuple(literal for literal in self.literals if not literal.startswith("const_"))


def parse(text: str) -> Program:
    """A program from its text. Raises ProgramError for anything else, and for a reference to no earlier step."""
    text = text.strip()
    if "(" not in text:
        number(text)
        return Program((), text)
    steps: list[Step] = []
    at = 0
    while at < len(text):
        match = _STEP.match(text, at)
        if not match:
            raise ProgramError(f"{text!r} is no program: step {len(steps)} cannot be read")
        arguments = tuple(part.strip() for part in match[2].split(","))
        if len(arguments) != 2:
            raise ProgramError(f"{text!r} is no program: step {len(steps)} has {len(arguments)} arguments")
        for argument in arguments:
            reference = _REFERENCE.fullmatch(argument)
            if reference and int(reference[1]) >= len(steps):
                raise ProgramError(f"{text!r} is no program: {argument} refers to no earlier step")
            if not reference and not match[1].startswith(_OF_ROW):
                number(argument)
        steps.append(Step(match[1], arguments))
        at = match.end()
    return Program(tuple(steps))


def number(token: str) -> Decimal:
    """The amount of a literal as it enters a calculation: `25%` is 0.25, `const_m1` is -1. Raises ProgramError."""
    value = execute(token) if "(" not in token else None
    if not isinstance(value, Decimal):
        raise ProgramError(f"{token!r} is no number")
    return value


def printed(token: str) -> Decimal:
    """The amount of a literal as it is printed, without its sign: 25 for `25%`. Raises ProgramError."""
    return number(token.removesuffix("%").strip()).copy_abs()


def tokens(program: str) -> list[str]:
    """A program as the official evaluation reads it: `["subtract(", "5829", "5735", ")", "EOF"]`."""
    parsed = parse(program)
    if parsed.value is not None:
        return [parsed.value, "EOF"]
    return [token for step in parsed.steps for token in (f"{step.operation}(", *step.arguments, ")")] + ["EOF"]


Monomial = tuple[str, ...]  # symbols with repetition, sorted: ("a0", "a0", "a1") is a0 * a0 * a1
Polynomial = Mapping[Monomial, int]
_ONE: Polynomial = {(): 1}


def _sum(left: Polynomial, right: Polynomial, sign: int = 1) -> Polynomial:
    result = dict(left)
    for monomial, factor in right.items():
        result[monomial] = result.get(monomial, 0) + sign * factor
    return {monomial: factor for monomial, factor in result.items() if factor}


def _product(left: Polynomial, right: Polynomial) -> Polynomial:
    if len(left) * len(right) > _MOST_TERMS:
        raise ProgramError("the program is too long to be compared")
    result: dict[Monomial, int] = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted((*a, *b)))
            result[monomial] = result.get(monomial, 0) + x * y
    return {monomial: factor for monomial, factor in result.items() if factor}


@dataclass(frozen=True, slots=True)
class _Fraction:
    """A quotient of polynomials over symbols. Every literal is a symbol, so nothing is ever calculated."""

    above: Polynomial
    below: Polynomial

    def text(self) -> str:
        return f"{sorted(self.above.items())}/{sorted(self.below.items())}"


def _symbol(name: str) -> _Fraction:
    return _Fraction({(name,): 1}, _ONE)


def _literal(token: str) -> str:
    """The symbol of a literal: its amount, so that `93` and `93.0` are one; a constant keeps its name."""
    return token if token.startswith("const_") else str(number(token).normalize(CONTEXT))


def _step(step: Step, earlier: list[_Fraction]) -> _Fraction:
    if step.operation.startswith(_OF_ROW):
        return _symbol(f"{step.operation}({', '.join(step.arguments)})")
    a, b = (
        earlier[int(reference[1])] if (reference := _REFERENCE.fullmatch(argument)) else _symbol(_literal(argument))
        for argument in step.arguments
    )
    if step.operation in ("add", "subtract"):
        sign = 1 if step.operation == "add" else -1
        return _Fraction(_sum(_product(a.above, b.below), _product(b.above, a.below), sign), _product(a.below, b.below))
    if step.operation == "multiply":
        return _Fraction(_product(a.above, b.above), _product(a.below, b.below))
    if step.operation == "divide":
        if not b.above:
            raise ProgramError("the program divides by zero")
        return _Fraction(_product(a.above, b.below), _product(a.below, b.above))
    return _symbol(f"{step.operation}({a.text()}, {b.text()})")


def _algebra(program: Program) -> _Fraction:
    if program.value is not None:
        return _symbol(_literal(program.value))
    results: list[_Fraction] = []
    for step in program.steps:
        results.append(_step(step, results))
    return results[-1]


def equivalent(one: str, other: str) -> bool:
    """Program accuracy: whether two programs are the same expression, `add(a, b)` and `add(b, a)` alike.

    As Chen et al. define it (FinQA, EMNLP 2021, `equal_program` of their evaluation, kept in ConvFinQA, EMNLP 2022):
    arguments become symbols, and the symbolic expressions have to be mathematically equivalent. Here two quotients of
    polynomials are compared by cross-multiplication, which decides it exactly. What is no program equals nothing.
    """
    try:
        a, b = _algebra(parse(one)), _algebra(parse(other))
        return _product(a.above, b.below) == _product(b.above, a.below)
    except ProgramError:
        return False
