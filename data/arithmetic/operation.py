"""How an operation is declared: one registered function over Decimals, with its arity, units and FinQA form.

@register("half", "", at_least=1, at_most=1, result=same)
def half(value: Decimal) -> Decimal:
    return value / 2
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal, DivisionByZero, InvalidOperation, Overflow, Underflow, localcontext
from typing import TypeVar

from tieout.data.arithmetic.units import (
    CONTEXT,
    Measure,
    Measures,
    as_they_are,
)

MOST_OPERANDS = 64

Step = tuple[
    str, tuple[str, ...]
]  # FinQA opcode and its operands: `0` is the first operand, `#0` the first step, `const_1`


class OperationError(ValueError):
    """What arithmetic does not allow, or an operation that there is not. The message says what would work."""


F = TypeVar("F", bound=Callable[..., Decimal | bool])
Expansion = Callable[[int], tuple[Step, ...]]


@dataclass(frozen=True, slots=True)
class Operation:
    """One operation.

    description: what its name and the number of its operands leave open, "" for nothing.
    function: takes the operands in order, all Decimal, and gives a Decimal, or a bool for a comparison.
    at_least, at_most: how many operands.
    result: unit and scale of the result from those of the operands.
    bring_to: the scale that the operands have to be brought to first, None where they can stay as they are.
    pure: how many of the last operands are plain numbers (a rank, a number of years), without unit or scale.
    expansion: the same in FinQA steps for a number of operands; None where that language has none.
    to_scale: for a conversion, the scale it converts to; its function is given the amount at full scale.
    selects: the result is one of the operands, so that its period and what it measures are those of the operand.
    """

    name: str
    description: str
    function: Callable[..., Decimal | bool]
    at_least: int
    at_most: int
    result: Callable[[Measures], Measure]
    bring_to: Callable[[Measures], int | None]
    pure: int = 0
    expansion: Expansion | None = None
    to_scale: int | None = None
    selects: bool = False

    def apply(self, values: Sequence[Decimal]) -> Decimal | bool:
        """The result for values at 60 digits.

        Raises OperationError with one clear line for a wrong number of values and whatever arithmetic does not allow.
        """
        self.check_count(len(values))
        try:
            with localcontext(CONTEXT):
                result = self.function(*values)
            if isinstance(result, Decimal) and not result.is_finite():  # 0 to a negative power raises nothing
                raise OperationError(f"{self.name}: the result is out of range")
            return result
        except DivisionByZero as error:
            raise OperationError(f"{self.name}: division by zero") from error
        except (Overflow, Underflow) as error:
            raise OperationError(f"{self.name}: the result is out of range") from error
        except InvalidOperation as error:
            shown = ", ".join(f"{value:f}" for value in values)
            raise OperationError(f"{self.name} is not defined for {shown}") from error

    def check_count(self, count: int) -> None:
        """Raises OperationError when the operation does not take that many operands."""
        if self.at_least <= count <= self.at_most:
            return
        if self.at_least == self.at_most:
            wanted = f"{self.at_least}"
        elif self.at_most == MOST_OPERANDS:
            wanted = f"at least {self.at_least} (and at most {self.at_most})"
        else:
            wanted = f"{self.at_least} to {self.at_most}"
        raise OperationError(f"{self.name} takes {wanted} value{'' if wanted == '1' else 's'}, not {count}")


OPERATIONS: dict[str, Operation] = {}


def register(
    name: str,
    description: str,
    *,
    at_least: int,
    at_most: int = MOST_OPERANDS,
    result: Callable[[Measures], Measure],
    bring_to: Callable[[Measures], int | None] = as_they_are,
    pure: int = 0,
    expansion: Expansion | None = None,
    to_scale: int | None = None,
    selects: bool = False,
) -> Callable[[F], F]:
    """Makes a function an operation; see Operation for the parameters. Raises ValueError for a name that is taken."""

    def add(function: F) -> F:
        if name in OPERATIONS:
            raise ValueError(f"there is already an operation {name!r}")
        OPERATIONS[name] = Operation(
            name,
            description,
            function,
            at_least,
            at_most,
            result,
            bring_to,
            pure,
            expansion,
            to_scale,
            selects,
        )
        return function

    return add


def find(name: str) -> Operation:
    """The operation of that name. Raises OperationError that lists those there are."""
    if name not in OPERATIONS:
        raise OperationError(f"there is no operation {name!r}; there are: {', '.join(sorted(OPERATIONS))}")
    return OPERATIONS[name]


def catalogue() -> str:
    """All operations in words for whoever calls them: by how many operands each takes."""
    kinds = {"one value": (1, 1), "two (a, b)": (2, 2)}
    exact = {arity: kind for kind, arity in kinds.items()}
    found: dict[str, list[str]] = {kind: [] for kind in (*kinds, "several, in order of time")}
    for name, each in sorted(OPERATIONS.items()):
        kind = exact.get((each.at_least, each.at_most), "several, in order of time")
        found[kind].append(f"{name} ({each.description})" if each.description else name)
    return ". ".join(f"Of {kind}: {', '.join(names)}" for kind, names in found.items()) + "."
