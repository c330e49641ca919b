"""What an operation comes to over plain amounts, in an instant: of hundreds that may be meant, one is calculated."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal


def result_of(operation: str, values: Sequence[Decimal]) -> Decimal | bool | None:
    """The result of an operation over amounts of one scale; None where it is not defined."""
    match operation:
        case "lookup":
            return values[0]
        case "subtract":
            return values[0] - values[1]
        case "percentage_change":
            return (values[0] - values[1]) / values[1] if values[1] else None
        case "divide":
            return values[0] / values[1] if values[1] else None
        case "greater":
            return values[0] > values[1]
        case "sum" | "add":
            return sum(values, Decimal(0))
        case "average":
            return sum(values, Decimal(0)) / len(values)
        case "median":
            ordered = sorted(values)
            middle = len(ordered) // 2
            return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
        case "multiply":
            return values[0] * values[1]
    raise ValueError(f"no operation {operation!r}")
